"""The kernel rig's guest with number pads: uinput devices, found by udev, played on in the packaged
service with its own list of devices.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from companion.core.keys import Key
from companion.devices.pads.pad_keys import PAD_CODES
from tests.rigs.kernel.guest import Guest
from tests.rigs.kernel.table import PATIENCE_S, SHOWN_S, GuestTable, Step, played, wanted
from tests.rigs.rig_kernel_service import NO_RESTART, drop_in

OPENING, PLAYED = 6, 24
"""Presses on the wired keys that set a game up, and presses on the pad after that."""
FOUND_S = 10
LEFT, RIGHT = "usb-0000:01:00.0-1.3/input0", "usb-0000:01:00.0-1.4/input0"
LEFT_PAD, RIGHT_PAD = "pad-0000-01-00.0-1.3", "pad-0000-01-00.0-1.4"
NAME = "HCT USB Entry Keypad"
CODES = {Key.D0: 82, Key.OK: 96, Key.BACK: 83, Key.DRAW: 78, Key.PASS: 74, Key.BOGUS: 55,
         Key.MENU: 98, **dict(zip(map(Key, "123456789"), (79, 80, 81, 75, 76, 77, 71, 72, 73),
                                  strict=True))}  # fmt: skip
NUMLOCK = 69
STROKE_S = 0.06


@pytest.fixture
def ports(guest: Guest) -> Iterator[list[str]]:
    """A list for the ports at which pads are plugged in; they are pulled out at the end."""
    plugged: list[str] = []
    yield plugged
    for port in plugged:
        guest.ask("unplug", port=port)


def plug(guest: Guest, ports: list[str], port: str) -> str:
    """Plugs a pad in and waits until the table has it; returns its device."""
    told = guest.ask("plug", port=port, name=NAME, codes=[NUMLOCK, *PAD_CODES])
    ports.append(port)
    return str(told["path"])


def pads(guest: Guest) -> dict[str, dict[str, Any]]:
    """The pads that `companion keypads` lists, by their names."""
    told = json.loads(guest.run("companion keypads --json"))
    return {one["keypad"]: one for one in told if one.get("kind") == "number pad"}


def until_here(guest: Guest, *keypads: str) -> None:
    for _ in range(FOUND_S):
        if {name for name, one in pads(guest).items() if one["here"]} == set(keypads):
            return
        guest.run("sleep 1")
    raise AssertionError(f"{keypads} are not there: {pads(guest)}")


def opened(guest: Guest) -> tuple[GuestTable, list[Step]]:
    """A table whose game was just set up by the wired keys, and all steps of the game."""
    table, game = GuestTable(guest), played(1, 2, "tile")
    table.fresh()
    for step in game[:OPENING]:
        table.press(step.key, step.frame)
    return table, game


def press(guest: Guest, table: GuestTable, port: str, step: Step, *, locks: bool = False) -> None:
    """Presses the step's key on the pad; fails unless the panel shows the step's frame after it."""
    code = CODES[step.key]
    moves = [(code, 1, STROKE_S), (code, 2, 0.001), (code, 0, STROKE_S)]
    if locks:
        around = [(NUMLOCK, 1, 0.001), (NUMLOCK, 0, 0.001)]
        moves = [*around, *moves, *around]
    answer = guest.ask(
        "type", SHOWN_S + PATIENCE_S, port=port, moves=moves,
        wanted=wanted(step.frame, table.chip), within=SHOWN_S,
    )  # fmt: skip
    table._check(answer, step.frame, f"after {step.key.value} on the pad")


def test_a_plugged_in_pad_serves_as_the_boxs_keys(guest: Guest, ports: list[str]) -> None:
    table, game = opened(guest)
    path = plug(guest, ports, LEFT)
    until_here(guest, LEFT_PAD)
    for at, step in enumerate(game[OPENING : OPENING + PLAYED]):
        press(guest, table, LEFT, step, locks=at % 2 == 1)
    assert table.tally() == game[OPENING + PLAYED - 1].tally
    told = pads(guest)[LEFT_PAD]
    assert (told["name"], told["port"], told["presses"]) == (NAME, path, PLAYED)
    # Nobody else can have it: nothing types into a console.
    grab = f"from evdev import InputDevice; InputDevice('{path}').grab()"
    assert "Device or resource busy" in guest.run(f'python3 -c "{grab}" 2>&1', status=1)
    for step in game[OPENING + PLAYED : OPENING + PLAYED + 6]:  # the wired keys go on beside it
        table.press(step.key, step.frame)


def test_the_key_00_is_ignored_and_an_unplugged_pad_reported(
    guest: Guest, ports: list[str]
) -> None:
    table, game = opened(guest)
    plug(guest, ports, LEFT)
    until_here(guest, LEFT_PAD)
    for step in game[OPENING : OPENING + 4]:
        press(guest, table, LEFT, step)
    zeros = [(82, value, 0.008) for value in (1, 0, 1, 0)]
    frame = game[OPENING + 3].frame
    moves = [*zeros, (NUMLOCK, 1, 0.3), (NUMLOCK, 0, 0.3)]
    answer = guest.ask(
        "type", SHOWN_S + PATIENCE_S, port=LEFT, moves=moves,
        wanted=wanted(frame, table.chip), within=SHOWN_S,
    )  # fmt: skip
    table._check(answer, frame, "after 00")
    guest.ask("type", port=LEFT, moves=[(CODES[Key.DRAW], 1, 0.0)], wanted=[], within=0)
    guest.ask("unplug", port=ports.pop())
    until_here(guest)
    assert pads(guest)[LEFT_PAD]["here"] is False
    plug(guest, ports, LEFT)
    until_here(guest, LEFT_PAD)


def test_identical_pads_are_distinguished_and_unplugged_together(
    guest: Guest, ports: list[str]
) -> None:
    opened(guest)
    plug(guest, ports, LEFT)
    plug(guest, ports, RIGHT)
    until_here(guest, LEFT_PAD, RIGHT_PAD)
    while ports:
        guest.ask("unplug", port=ports.pop())
    until_here(guest)


def test_the_services_device_list_allows_pads(guest: Guest, ports: list[str]) -> None:
    guest.run("systemctl stop companion; systemctl reset-failed", 60)
    less = "DeviceAllow=\nDeviceAllow=char-gpiochip rw\nDeviceAllow=char-i2c rw\n"
    plug(guest, ports, LEFT)
    with drop_in(guest, f"{NO_RESTART}{less}"):
        since = guest.run("date +%s.%N").strip()
        guest.run("systemctl start companion", 60)
        guest.run("sleep 6")
        told = guest.run(f"journalctl -u companion -o cat --no-pager --since @{since}")
        assert "the number pad on /dev/input/event" in told
        assert "can't be had (Operation not permitted)" in told
        assert pads(guest) == {}
        guest.run("systemctl stop companion", 60)
    guest.run("systemctl start companion", 60)
    until_here(guest, LEFT_PAD)
