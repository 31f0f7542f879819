"""Whole evenings of High Five and Five Up through the journal, the store and the tally."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.commands.replay import replay
from companion.core.seats import COLOURS, Seats
from companion.games.game import Entry, settle_options
from companion.record.journal import Journal
from companion.record.repair.verify import verify
from companion.record.rows import Amend, GameOpened, Redo, Step, Undo
from companion.record.store.store import Store
from companion.record.tally import format_tally, read_tally
from tests.catalog import GAMES
from tests.random_games import by_count, by_ends, play_game
from tests.record.play import same

LINE_GAMES = ("high-five", "five-up", "all-fives", "fives-and-threes", "domino")
GAMES_PLAYED = [
    (name, players, seed) for name in LINE_GAMES for players in (2, 3, 4) for seed in range(4)
]


def journal_of(name: str, players: int, entries: list[Entry]) -> Journal[Any]:
    seats = Seats.of(*COLOURS[:players])
    journal = Journal.begin(
        GameOpened(name, seats, settle_options(GAMES[name], players, {})), GAMES
    )
    for entry in entries:
        journal = journal.fold(Step((entry,)))
    return journal


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize(("name", "players", "seed"), GAMES_PLAYED)
def test_a_stored_and_exported_game_replays_to_the_same_game(
    tmp_path: Path, name: str, players: int, seed: int
) -> None:
    played = play_game(Random(seed), players, name)
    ways = [[entry for entry, _ in played], by_ends(played)]
    if seed == 0 and players == 2:
        ways.append(by_count(played))
    store = Store.open(tmp_path / "record.db", GAMES)
    for number, entries in enumerate(ways, start=1):
        journal = journal_of(name, players, entries)
        again, _, stopped = replay(read_tally(format_tally(journal), GAMES), GAMES)
        assert stopped is None
        assert (again.opened, again.entries) == (journal.opened, journal.entries)
        assert again.states == journal.states
        assert format_tally(again) == format_tally(journal)
        store.keep(number, journal.opened)
        for entry in entries:
            store.keep(number, Step((entry,)))
        assert same(store.game(number), journal)
    assert verify(store) == []
    store.close()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(6))
def test_undo_with_redo_and_an_unchanged_amendment_change_nothing(seed: int) -> None:
    chance = Random(seed)
    journal = journal_of("high-five", 2, [entry for entry, _ in play_game(chance)])
    for place in chance.sample(range(journal.length), 5):
        seen = journal.amended(Amend(place, (journal.entries[place],)))
        assert (seen.broken, seen.dropped) == (None, 0)
        assert seen.journal.states == journal.states
    undone = journal
    for _ in range(40):
        undone = undone.fold(Undo())
    assert undone.states == journal.states[: journal.length - 40]
    for _ in range(40):
        undone = undone.fold(Redo())
    assert same(undone, journal)
