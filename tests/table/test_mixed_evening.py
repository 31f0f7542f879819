"""All games, one after the other, on one record: power is cut in each, undo and redo go from game
to game, and a lost row changes only its own game."""

from pathlib import Path

import pytest

from companion.games.game import AnyState
from tests.catalog import GAMES
from tests.console.builder import BASEMENT
from tests.record.damage import drop_copies
from tests.record.tampering import remove_row
from tests.rig import Rig

BEGINS = {
    "high-five": "OK 1 6 3 OK",
    "five-up": "OK 1 6 3 OK",
    "high-fives": "1 1 0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK 4 DRAW 5 OK 0",
    "highrise": f"{BASEMENT} 4 3 OK 6 3 2 OK",
    "high-five-tiles": "PASS OK 2 BOGUS 3 OK 5 4 OK",
    "all-fives": "OK 1 6 3 OK",
    "fives-and-threes": "1 6 6 OK",
    "domino": "OK 1 MENU 4 OK 1 2 OK OK 3 3 OK OK",
}
"""For each game, the keys from its set-up to the first points."""
NAMES = [name for name in GAMES if name in GAMES]


def state_of(rig: Rig) -> AnyState:
    """The state of the game on the table, read from the disk."""
    found = rig.store.last_game()
    assert found is not None
    return found[1].state


def evening(path: Path) -> list[list[str]]:
    """Begins every game that can be played here; returns the entries of each."""
    played = []
    for line, name in enumerate(NAMES, 1):
        with Rig(path) as rig:
            again = "" if line == 1 else "MENU 9 3"
            rig.press(f"{again} {line} 2 1 OK {BEGINS[name]}")
            played.append(rig.entries)
            assert any(state_of(rig).scores.values), name
    return played


def test_these_tests_cover_every_game() -> None:
    assert NAMES == [*BEGINS] == [*GAMES]


def test_undo_and_redo_work_across_the_games_of_an_evening(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    played = evening(path)
    for number, entries in reversed([*enumerate(played)]):
        with Rig(path) as rig:
            assert rig.entries == entries
            rig.press("BACK OK " * (len(entries) + (number > 0)))
    with Rig(path) as rig:
        assert rig.entries == []
        for number, entries in enumerate(played):
            rig.press("BACK DRAW " * (len(entries) + (number > 0)))
            assert rig.entries == entries


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_which_a_row_is_lost_goes_on(name: str, tmp_path: Path) -> None:
    """A play of Highrise is kept with all its details, so it counts even without the plays before
    it."""
    path, line = tmp_path / "record.db", NAMES.index(name) + 1
    with Rig(path) as rig:
        rig.press(f"{line} 2 1 OK {BEGINS[name]}")
        entries, rows = rig.entries, len([*rig.store.rows(1)])
        assert rows > len(entries)
    drop_copies(path)
    remove_row(path, rows - 1)
    with Rig(path) as rig:
        assert rig.store.messages
        assert rig.entries[-1] == entries[-1]
        assert len(rig.entries) == len(entries) - 1
        if name == "highrise":
            assert dict(state_of(rig).scores.items()) == {"Red": 0, "Blue": 18}
            rig.press("OK 6 6 1 OK")
            assert rig.entries[-1] == "Red 6-6 level 1"
