"""The kernel rig's guest again: the service as systemd starts, confines and ends it, the checks on
the same pins and bus, and a display that goes to sleep.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from companion.console.screen_saver import RestTimes, goodbye
from tests.console.rig import Rig
from tests.rigs.kernel.guest import SKIPPING, Guest
from tests.rigs.kernel.table import DROP_IN, RECORD, WAKES, GuestTable, played

PARTS = "board,bus,disk,record"
STOPS_S = 2.0
"""Seconds within which the service promises to end (systemd/companion.service)."""
HANGS_MS = 1000
"""Milliseconds that a transfer hangs until the Pi's I²C driver gives up."""
OPENING = 6
"""Presses after which a game is under way."""
WATCHED_S = 60.0
OURS_ASLEEP = 1.0
"""The most wake-ups a second of our own threads while the display is dark."""
NO_RESTART = "[Unit]\nOnFailure=\n[Service]\nRestart=no\n"


# ---------------------------------------------------------------- companion check


def test_checks_report_a_good_box_an_unplugged_display_and_a_running_table(
    guest: Guest,
) -> None:
    table = GuestTable(guest)
    table.fresh()
    guest.run("systemctl stop companion", 60)
    found = checked(guest)
    assert results(found) == dict.fromkeys(PARTS.split(","), "ok")
    assert last(found, "board")["found"] == "its pins are free (KernelFactory)"
    assert last(found, "bus")["found"] == "a display answers at 0x3C on /dev/i2c-1"

    guest.ask("panel", name="present", value=0)
    found = checked(guest, status=1)
    assert results(found) == {**dict.fromkeys(PARTS.split(","), "ok"), "bus": "fault"}
    silent = last(found, "bus")
    assert silent["found"] == "nothing answers on /dev/i2c-1 at 0x3C and 0x3D"
    assert "SDA (3), SCL (5)" in silent["remedy"]

    guest.ask("panel", name="present", value=1)
    guest.run("systemctl start companion", 60)
    found = checked(guest, status=1)
    assert results(found) == {**dict.fromkeys(PARTS.split(","), "ok"), "board": "fault"}
    taken = last(found, "board")
    assert taken["found"].startswith("the table has GPIO 4, GPIO 5, ")
    assert taken["remedy"] == "the table is running: sudo systemctl stop companion first"


def checked(guest: Guest, status: int = 0) -> dict[str, Any]:
    """The results of `companion check`, by part, when the service's user runs it with the service's
    groups."""
    groups = guest.run("systemctl show -P SupplementaryGroups companion").split()
    user = f"setpriv --reuid=companion --regid=companion --groups={','.join(groups)}"
    told = json.loads(
        guest.run(f"{user} companion check --json --only {PARTS}", 100, status=status)
    )
    assert told["status"] == status
    parts: dict[str, Any] = told["parts"]
    return parts


def results(found: dict[str, Any]) -> dict[str, str]:
    """The result of each part. A disk that is only slow counts as right: that is this machine's."""
    told = {part: one["result"] for part, one in found.items()}
    slow = [one for one in found["disk"]["findings"] if one["result"] == "warning"]
    if slow and all("median_ms" in one["figures"] for one in slow):
        told["disk"] = "ok"
    return told


def last(found: dict[str, Any], part: str) -> dict[str, Any]:
    """The last finding on `part`."""
    finding: dict[str, Any] = found[part]["findings"][-1]
    return finding


# ---------------------------------------------------------------- the end of the service


def test_the_stopped_display_says_that_unplugging_is_safe(guest: Guest, tell: list[str]) -> None:
    table = GuestTable(guest)
    table.fresh()
    for step in played(1, 2, "tile")[:OPENING]:
        table.press(step.key, step.frame)
    took = stop(guest)
    tell.append(f"stop with a display: {took:.2f} s")
    table.expect(goodbye(), 0)
    assert took <= STOPS_S


def test_a_hanging_display_does_not_delay_stopping(guest: Guest, tell: list[str]) -> None:
    table, game = GuestTable(guest), played(1, 2, "tile")
    table.fresh()
    for step in game[:OPENING]:
        table.press(step.key, step.frame)
    guest.ask("panel", name="stuck_ms", value=HANGS_MS)
    table.blind(game[OPENING].key)
    took = stop(guest)
    guest.ask("panel", name="stuck_ms", value=0)
    tell.append(f"stop while each transfer hangs for {HANGS_MS} ms: {took:.2f} s")
    assert took <= STOPS_S
    assert guest.run("systemctl show -P Result companion").strip() == "success"
    told = guest.run(f"companion verify --all --record {RECORD}", 60)
    assert told.strip() == f"{RECORD}: every row is as it was written"
    assert table.tally() == game[OPENING].tally


def stop(guest: Guest) -> float:
    """Stops the service; returns the seconds until it has ended, by the guest's clock."""
    guest.run("systemctl stop companion", 60)
    names = ("ActiveExitTimestampMonotonic", "InactiveEnterTimestampMonotonic")
    left, ended = (int(guest.run(f"systemctl show -P {name} companion")) for name in names)
    return (ended - left) / 1e6


# ---------------------------------------------------------------- rights


@pytest.mark.parametrize(
    "less",
    ["DeviceAllow=\nDeviceAllow=char-i2c rw\n", "SupplementaryGroups=\n"],
    ids=["no GPIO devices", "no groups"],
)
def test_keys_work_with_the_units_device_list_and_groups(guest: Guest, less: str) -> None:
    """All games of the kernel rig are played inside the unit's sandbox, as its user. This test
    shows that the unit, and nothing else in the guest, opens the GPIO lines: the same service
    without the GPIO device class, or without its groups, can't reach the keys."""
    guest.run("systemctl stop companion; systemctl reset-failed", 60)
    with drop_in(guest, f"{NO_RESTART}{less}"):
        since = guest.run("date +%s.%N").strip()
        guest.run("systemctl start companion", 60, status=1)
        told = guest.run(f"journalctl -u companion -o cat --no-pager --since @{since}")
    assert "the keys can't be reached: /dev/gpiochip0 may not be opened" in told


@contextmanager
def drop_in(guest: Guest, text: str) -> Iterator[None]:
    """Adds these lines to the unit while the context is open."""
    guest.run(f"mkdir -p {DROP_IN}; cat >{DROP_IN}/rig.conf; systemctl daemon-reload", 60, text)
    try:
        yield
    finally:
        guest.run(f"rm {DROP_IN}/rig.conf; systemctl daemon-reload", 60)


# ---------------------------------------------------------------- asleep


@WAKES
def test_an_idle_table_hardly_wakes_the_processor(guest: Guest, tell: list[str]) -> None:
    """The guest is booted again with a clock that skips the time in which it would only wait: ten
    minutes without a key pass in a second or two."""
    guest.cut()
    guest.boot(SKIPPING)
    try:
        table = GuestTable(guest)
        with guest.busy():
            table.fresh()
        guest.run(f"sleep {RestTimes().sleep_s - 60:.0f}", 700)
        assert table.look().on, "it went to sleep too soon"
        guest.run("sleep 120", 200)
        assert not table.look().on
        rates = table.wakeups(WATCHED_S)
        table.blind(played(1, 2, "tile")[0].key)
        table.expect(Rig().frame)  # the press only wakes it
    finally:
        guest.cut()
    tell += [f"asleep: {rate:.1f} /s {thread}" for thread, rate in rates.items()]
    assert rates["ours"] <= OURS_ASLEEP
    assert rates["the pin factory's"] == 0
