"""The kernel rig: the companion on a real kernel's GPIO and I²C, played by pulling pins.

A Debian 12 guest under QEMU has the lines of a Pi by the kernel's gpio-sim, and a panel by a module
of ours that models the controller (kernel/panel.c). After every press the panel's memory is
compared with the frame that the same presses give in memory.
"""

import json
import statistics
import time

import pytest

from companion.core.keys import Key
from tests.console.rig import Rig
from tests.fake_oled import Chip
from tests.rigs.kernel.guest import Guest
from tests.rigs.kernel.table import DROP_IN, WAKES, GuestTable, Seen, Step, Stepping, played
from tests.sampling import Draw

BOUNCES = ((), (0.0004, 0.0003), (0.001, 0.0002, 0.0008, 0.0005), (0.002, 0.001))
"""Ways in which contacts bounce before they stay, used in turn: seconds closed and open,
alternating."""
GLITCH_S = 0.0012
NO_PRESS_S = 0.0028
"""Seconds of a contact that is no press: one counts from 3 ms on."""
GLITCHES = 12
MID_HAND = 40
"""Presses after which the first hand is well under way."""
STUCK_MS = 1000
"""Milliseconds after which the Pi's I²C driver gives up, too."""
MEASURED, SET_UP = 80, 6
"""Presses on a bus at real speed, and how many of these only open the game."""
IDLE_S = 10.0
OURS_AT_MOST = 2.0
"""The most wake-ups a second of our own threads while nobody plays."""
BACK_S = 30.0
"""Seconds within which a panel must be back: the longest pause is 5 s, the rest is for a busy
machine."""
LGPIO = (
    "[Service]\nEnvironment=PYTHONPATH=/opt/gpiozero:/opt/lgpio\n"
    "BindReadOnlyPaths=/rig/cpuinfo:/proc/cpuinfo\n"
)


@pytest.fixture(scope="module")
def game() -> list[Step]:
    """The game that most of this rig's tests play a part of."""
    return played(1, 2, "tile")


# ---------------------------------------------------------------- whole games


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("chip", "seed", "players", "way"), [("ssd1306", 1, 2, "tile"), ("sh1106", 1, 2, "count")]
)
def test_a_whole_game_can_be_entered_with_bouncing_keys(
    guest: Guest, chip: Chip, seed: int, players: int, way: str
) -> None:
    table, steps = GuestTable(guest, chip), played(seed, players, way)
    table.fresh()
    for at, step in enumerate(steps):
        bounces = BOUNCES[at % len(BOUNCES)]
        table.press(step.key, step.frame, closing=bounces, opening=bounces)
    assert table.tally() == steps[-1].tally
    fake_oled, carried = table.fake_oled()
    seen = table.look()
    assert seen.carried == carried == fake_oled.wire_bytes
    assert fake_oled.seen == seen.frame(chip).pixels, "the two models of the panel differ"
    assert seen.errors == 0


def test_a_matrix_keypad_is_scanned(guest: Guest, game: list[Step]) -> None:
    table = GuestTable(guest, board="keypad-4x4")
    table.fresh()
    for step in game[:MID_HAND]:
        table.press(step.key, step.frame)
    assert table.tally() == game[MID_HAND - 1].tally


def test_glitches_are_not_counted_as_presses(guest: Guest, game: list[Step]) -> None:
    table = GuestTable(guest)
    table.fresh()
    for step in game[:MID_HAND]:
        table.press(step.key, step.frame)
    before = table.look()
    for key in (Key.DRAW, Key.D1) * GLITCHES:
        assert table.glitch(key, GLITCH_S) < NO_PRESS_S, "the rig was too slow for a glitch"
    time.sleep(0.5)
    assert table.look().memory == before.memory
    assert table.tally() == game[MID_HAND - 1].tally


# ---------------------------------------------------------------- a panel that comes and goes


def play_on_without_a_panel(table: GuestTable, game: list[Step], first: int, last: int) -> None:
    """Presses the keys from `first` to `last` while the panel is gone; fails unless they count."""
    for step in game[first:last]:
        table.blind(step.key)
    until = time.monotonic() + BACK_S
    while table.tally() != game[last - 1].tally:
        assert time.monotonic() < until, "the scoring does not go on without the panel"


def test_a_panel_replugged_during_a_hand_works_again(guest: Guest, game: list[Step]) -> None:
    table = GuestTable(guest)
    table.fresh()
    for step in game[:MID_HAND]:
        table.press(step.key, step.frame)
    guest.ask("panel", name="present", value=0)
    play_on_without_a_panel(table, game, MID_HAND, MID_HAND + 20)
    assert table.look().errors
    guest.ask("panel", name="present", value=1)
    table.expect(game[MID_HAND + 19].frame, BACK_S)
    for step in game[MID_HAND + 20 : MID_HAND + 30]:
        table.press(step.key, step.frame)


def test_a_panel_that_lost_power_is_redrawn_soon_after_a_key_press(
    guest: Guest, game: list[Step]
) -> None:
    table = GuestTable(guest)
    table.fresh()
    for step in game[:MID_HAND]:
        table.press(step.key, step.frame)
    guest.ask("panel", name="present", value=0)
    guest.ask("panel", name="present", value=1)
    assert not table.look().on
    table.blind(game[MID_HAND].key)
    table.expect(game[MID_HAND].frame, BACK_S)


def test_a_hanging_panel_does_not_stop_scoring(guest: Guest, game: list[Step]) -> None:
    table = GuestTable(guest)
    table.fresh()
    for step in game[:MID_HAND]:
        table.press(step.key, step.frame)
    guest.ask("panel", name="stuck_ms", value=STUCK_MS)
    play_on_without_a_panel(table, game, MID_HAND, MID_HAND + 20)
    guest.ask("panel", name="stuck_ms", value=0)
    table.expect(game[MID_HAND + 19].frame, BACK_S)


# ---------------------------------------------------------------- the plug


def test_a_power_cut_during_a_hand_loses_nothing(guest: Guest, game: list[Step]) -> None:
    table = GuestTable(guest)
    table.fresh()
    at = next(at for at in range(MID_HAND, len(game)) if game[at].tally != game[at - 1].tally)
    for step in game[: at + 1]:
        table.press(step.key, step.frame)
    guest.cut()
    guest.boot()
    box = Stepping.resumed(game[at].view)
    table.expect(box.frame, 60)
    assert table.tally() == game[at].tally
    for step in game[at + 1 : at + 20]:
        box.press(step.key.value)
        table.press(step.key, box.frame)
    assert table.tally() == box.steps[-1].tally


# ---------------------------------------------------------------- pin factories


@pytest.mark.parametrize(
    ("choice", "version", "path"),
    [
        ("kernel", "1.6.2", ""),
        ("kernel", "2.0.1", "/opt/gpiozero"),
        ("lgpio", "2.0.1", "/opt/gpiozero:/opt/lgpio"),
    ],
)
def test_every_pin_factory_reports_every_edge(
    guest: Guest, tell: list[str], choice: str, version: str, path: str
) -> None:
    guest.run("systemctl stop companion", 60)
    mount = "mount --bind /rig/cpuinfo /proc/cpuinfo; " if choice == "lgpio" else ""
    python = f"PYTHONPATH={path}:/usr/share/table-companion python3"
    command = f"{mount}cd /tmp; {python} /rig/edges.py {choice}"
    told = json.loads(guest.run(f"unshare --mount sh -c '{command}'", 120))
    tell.append(
        f"{choice}, gpiozero {told['gpiozero']}: {told['told']} of {told['pulled']} edges told; "
        "from the pull to the callback {late_median:.2f} ms (median), {late_worst:.2f} ms (worst); "
        "to the edge's own time {stamp_median:.2f} ms".format(**told)
    )
    assert told["gpiozero"] == version
    assert (told["told"], told["in_order"]) == (told["pulled"], True)
    assert told["pulled_up"]
    assert told["wrong_bursts"] == 0
    if choice == "kernel":
        assert told["stamp_first"] >= 0, "an edge can't be older than its cause"
        assert told["stamp_median"] <= told["late_median"]


def test_the_message_names_a_line_in_use(guest: Guest) -> None:
    table = GuestTable(guest)
    table.fresh()
    told = guest.run("companion run --board --record /tmp/other.db 2>&1", 60, status=2)
    table.expect(Rig().frame, 0)  # the service's display stays as it is
    assert told.count("\n") == 1
    assert "another program has GPIO 4" in told
    assert "“companion”" in told


# ---------------------------------------------------------------- figures


def test_keys_are_received_in_time(
    guest: Guest, game: list[Step], tell: list[str], draw: Draw[int]
) -> None:
    tell.append(f"boot of the guest to the agent: {guest.boots[-1]:.1f} s")
    for hertz in draw((0, 100_000, 400_000), 1):
        table = GuestTable(guest)
        start = seconds_to_first_frame(guest, table.fresh(hertz=hertz))
        tell.append(f"bus at {hertz or 'no'} Hz: service start to first frame {start:.1f} s")
        for step in game[:MEASURED]:
            table.press(step.key, step.frame)
        late = sorted(table.latencies[SET_UP:])
        assert statistics.median(late) < 1.0
        tell.append(
            f"bus at {hertz or 'no'} Hz: key edge to last byte, {len(late)} presses: "
            f"median {statistics.median(late) * 1e3:.0f} ms, "
            f"95th percentile {late[len(late) * 95 // 100] * 1e3:.0f} ms"
        )


def seconds_to_first_frame(guest: Guest, seen: Seen) -> float:
    """Seconds from systemd's start of the service until the panel is switched on with its first
    frame."""
    told = guest.run("systemctl show -P ExecMainStartTimestampMonotonic companion")
    return seen.lit_ns / 1e9 - int(told) / 1e6


@WAKES
@pytest.mark.parametrize("pins", ["kernel", "lgpio"])
def test_an_idle_table_rarely_wakes(guest: Guest, tell: list[str], pins: str) -> None:
    if pins == "lgpio":
        guest.run(f"mkdir -p {DROP_IN}; cat >{DROP_IN}/lgpio.conf", text=LGPIO)
    try:
        guest.run("systemctl daemon-reload", 60)
        table = GuestTable(guest)
        table.fresh(f'[keys]\npins = "{pins}"\n')
        time.sleep(8)
        rates = table.wakeups(IDLE_S)
    finally:
        guest.run(f"rm -f {DROP_IN}/lgpio.conf; systemctl daemon-reload", 60)
    tell += [f"{pins}: {rate:.1f} /s {thread}" for thread, rate in rates.items()]
    ours, others = rates["ours"], rates["the pin factory's"]
    if pins == "kernel":
        assert others == 0
        assert ours <= OURS_AT_MOST
    else:
        assert others > OURS_AT_MOST, "lgpio polls: if not, the reason for our own pins is gone"
