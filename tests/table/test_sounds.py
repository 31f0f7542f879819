"""The sounds of the table: refused keys, payments, bogus plays, at the chosen volume."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.console.sounds import SETTING, Level, Sound
from companion.core.keys import Key, Press, PressId
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""
Heard = list[tuple[Sound, Level]]


@pytest.fixture
def heard() -> Heard:
    return []


@pytest.fixture
def rig(tmp_path: Path, heard: Heard) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db", play=lambda *told: heard.append(told)) as rig:
        rig.press(START)
        heard.clear()
        yield rig


def sounds(heard: Heard) -> list[Sound]:
    found = [sound for sound, _ in heard]
    heard.clear()
    return found


def test_entries_are_silent_unless_they_cause_a_payment(rig: Rig, heard: Heard) -> None:
    rig.press("6 1 OK")  # 12 + 1 = 13
    assert sounds(heard) == []
    rig.press("6 3 OK")  # 1 + 3 = 4
    assert sounds(heard) == []
    rig.press("1 1 OK")  # 2 + 3 = 5
    assert sounds(heard) == [Sound.PAYMENT]


def test_a_refused_key_ticks(rig: Rig, heard: Heard) -> None:
    rig.press("9")  # no tile has nine pips
    assert sounds(heard) == [Sound.REFUSED]
    rig.press("MENU BACK")
    assert sounds(heard) == []


def test_a_seats_keypad_that_is_refused_ticks_too(rig: Rig, heard: Heard) -> None:
    rig.table.events.put(Press(Key.DRAW, source=PressId("e6614103e7452d2f", 7, 1), at=rig.now))
    rig.table.run_once(0)
    assert sounds(heard) == [Sound.REFUSED]


def test_a_bogus_play_has_a_sound_of_its_own(rig: Rig, heard: Heard) -> None:
    rig.press("6 3 OK DRAW PASS OK")  # Red lays; Blue draws, and passes on 3 and 6
    sounds(heard)
    rig.press("BOGUS OK PASS 1 5 4 OK")  # it is possible; the table says so, by 54 pips
    assert Sound.BOGUS not in sounds(heard)
    rig.press("1 OK")  # all agreed
    assert sounds(heard) == [Sound.BOGUS]


def test_undo_is_silent(rig: Rig, heard: Heard) -> None:
    rig.press("6 1 OK 6 3 OK 1 1 OK")
    sounds(heard)
    rig.press("MENU 1")
    rig.press("OK")
    assert Sound.PAYMENT not in sounds(heard)


@pytest.mark.parametrize(
    ("digit", "level"), [("1", Level.QUIET), ("2", Level.ON), ("3", Level.OFF)]
)
def test_sounds_are_as_loud_as_the_setting(
    rig: Rig, heard: Heard, digit: str, level: Level
) -> None:
    assert rig.table.box.sound_level is Level.QUIET
    rig.press(f"MENU 8 8 {digit}")
    assert rig.table.box.sound_level is level
    assert rig.store.settings()[SETTING] == level.value
