"""Number pads at the loop: they serve as the box's own keys, or as those of the seat that has taken
them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.core.keys import Key, Press, PressId
from companion.devices.link.events import KeypadArrived, KeypadLeft
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""
PAD, OTHER = "pad-0000-01-00.0-1.3", "pad-0000-01-00.0-1.4"


Make = Callable[..., "Pads"]


class Pads:
    """A rig whose keys are all pressed on a number pad."""

    def __init__(self, rig: Rig, *plugged: str) -> None:
        self.rig = rig
        self._sequence = 0
        for keypad in plugged:
            self.rig.table.events.put(KeypadArrived(keypad))
        self.rig.table.run_once(0)

    def press(self, keys: str, pad: str = PAD, *, held: bool = False) -> "Pads":
        for word in keys.split():
            self._sequence += 1
            source = PressId(pad, 7, self._sequence)
            self.rig.table.events.put(Press(Key(word), source=source, held=held, at=self.rig.now))
            self.rig.table.run_once(0)
        return self

    @property
    def screen(self) -> str:
        return "\n".join(self.rig.screen)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Make]:
    """Makes a table with these pads plugged in."""
    with ExitStack() as stack:

        def make(*plugged: str, wired: bool = True) -> Pads:
            return Pads(stack.enter_context(Rig(tmp_path / "record.db", wired=wired)), *plugged)

        yield make


def test_a_lone_pad_serves_as_the_keys_of_a_box_without_any(made: Make, tmp_path: Path) -> None:
    pads = made(PAD, wired=False)
    with Rig(tmp_path / "other.db") as box:
        box.press(START + " 6 1 OK")
        pads.press(START + " 6 1 OK")
        assert pads.rig.entries == box.entries
        assert pads.screen == "\n".join(box.screen)


def test_back_held_on_a_pad_locks_the_keys(made: Make) -> None:
    pads = made(PAD, wired=False).press(START)
    before = pads.screen
    pads.press("BACK").press("BACK", held=True)
    assert pads.screen != before
    locked = pads.screen
    assert pads.press("6 1 OK").screen == locked


def test_a_seat_may_take_a_pad_if_the_box_has_other_keys(
    made: Make,
) -> None:
    pads = made(PAD)
    pads.rig.press("1 2 1 OK")
    assert pads.rig.table.box.keypads == {}
    pads.press("OK")  # whose keypad is whose? Red's
    assert pads.rig.table.box.keypads == {PAD: "Red"}
    pads.rig.press("1 OK 2")
    pads.press("6 1 OK")
    assert pads.rig.entries[-1] == "Red 6-1"
    blue = len(pads.rig.entries)
    pads.press("6 2 OK")  # it is Blue's turn
    assert len(pads.rig.entries) == blue
    pads.rig.press("6 2 OK")
    assert pads.rig.entries[-1] == "Blue 6-2"


def test_a_pad_without_a_seat_serves_as_the_boxs_own_keys(made: Make) -> None:
    pads = made(PAD, OTHER, wired=False)
    pads.press("1 2 1 OK").press("OK").press("BACK", OTHER)  # Red has it; no one else wants one
    assert pads.rig.table.box.keypads == {PAD: "Red"}
    pads.press("1 OK 2", OTHER)
    pads.press("6 1 OK").press("6 2 OK", OTHER)
    assert [entry for entry in pads.rig.entries if entry[0] in "RB"][-2:] == ["Red 6-1", "Blue 6-2"]


@pytest.mark.parametrize("keypad", [PAD, "e6614103e7452d2f"])
def test_a_pico_keypad_beside_a_pad_is_offered_to_a_seat(made: Make, keypad: str) -> None:
    pads = made(PAD, "e6614103e7452d2f", wired=False)
    pads.press("1 2 1 OK")
    pads.press("OK", keypad)
    assert pads.rig.table.box.keypads == {keypad: "Red"}


def test_a_pad_unplugged_during_a_game_is_reported_and_the_game_goes_on(
    made: Make,
) -> None:
    pads = made(PAD, wired=False).press(START)
    pads.rig.table.events.put(KeypadLeft(PAD))
    pads.rig.table.run_once(0)
    gone = pads.screen
    pads.rig.table.events.put(KeypadArrived(PAD, again=True))
    pads.rig.table.run_once(0)
    assert pads.screen != gone
    pads.press("6 1 OK")
    assert pads.rig.entries[-1] == "Red 6-1"
    count = len(pads.rig.entries)
    twice = Press(Key.OK, source=PressId(PAD, 7, pads._sequence), at=pads.rig.now)
    pads.rig.table.events.put(twice)
    pads.rig.table.run_once(0)
    assert len(pads.rig.entries) == count
