"""All games one after the other in one record, with restarts in each, undo and redo, and a lost
row."""

import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.seats import Seats
from companion.games.game import Entry, parse_entry
from companion.record.journal import Journal
from companion.record.repair.verify import verify
from companion.record.rows import GameOpened, Redo, Row, Step, Undo
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of
from tests.random_games import play_game
from tests.record.damage import drop_copies
from tests.record.play import same

NAMES = tuple(GAMES)


def entries_of(name: str, seed: int) -> tuple[Seats, list[Entry]]:
    """The players and entries of a whole random game for two."""
    if name not in PLAYERS:
        played = play_game(Random(seed), 2, name)
        return played[0][1].seats, [entry for entry, _ in played]
    seats = Seats.of(*seats_of(2))
    lines = PLAYERS[name](Random(seed), 2)
    return seats, [parse_entry(line, GAMES[name], seats) for line in lines]


def evening(path: Path, seed: int) -> dict[int, Journal[Any]]:
    """Plays all games, with a restart of the box and an undo with its redo in each. Returns the
    games as played."""
    random, played = Random(seed), dict[int, Journal[Any]]()
    for number, name in enumerate(NAMES, start=1):
        seats, entries = entries_of(name, seed)
        opened = GameOpened(name, seats, {}, evening=number - 1 or None)
        journal = Journal.begin(opened, GAMES)
        store = Store.open(path, GAMES)
        store.keep(number, opened)
        pauses = {*random.sample(range(1, len(entries)), 2)}
        for place, entry in enumerate(entries):
            rows: list[Row] = [Step((entry,))]
            rows += [Undo(), Redo()] if place in pauses else []
            for row in rows:
                journal = journal.fold(row)
                store.keep(number, row)
            if place in pauses:
                store.close()
                store = Store.open(path, GAMES)
                assert same(store.game(number), journal)
        store.close()
        played[number] = journal
    return played


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(3))
def test_an_evening_with_every_game_is_stored_without_faults(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "record.db"
    played = evening(path, seed)
    with Store.open(path, GAMES) as store:
        for number, journal in played.items():
            assert same(store.game(number), journal)
            assert journal.state.finished
        assert verify(store) == []
        for number, journal in played.items():
            undone = journal
            for _ in range(3):
                undone = undone.fold(Undo())
                store.keep(number, Undo())
            assert same(store.game(number), undone)
        assert verify(store) == []


@pytest.mark.parametrize("name", PLAYERS)
def test_a_game_goes_on_after_a_lost_row(tmp_path: Path, name: str) -> None:
    """A row in the middle is lost; all others are there, and the game can go on."""
    path = tmp_path / "record.db"
    seats, entries = entries_of(name, 1)
    entries = entries[: len(entries) // 2]
    with Store.open(path, GAMES) as store:
        store.keep(1, GameOpened(name, seats, {}))
        for entry in entries:
            store.keep(1, Step((entry,)))
    drop_copies(path)
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER never_removed")
        db.execute(f"DELETE FROM record WHERE seq = {len(entries) // 2}")
    db.close()
    with Store.open(path, GAMES) as store:
        found = store.last_game()
        assert found is not None
        number, journal = found
        assert journal.losses
        assert journal.length == len(entries) - 1
        text = "end supper"
        row = Step((parse_entry(text, journal.game, seats),))
        store.keep(number, row)
        assert same(store.game(number), journal.fold(row))
