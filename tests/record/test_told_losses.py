"""Games without a line of play go on after any of their rows is lost."""

from pathlib import Path
from random import Random

import pytest

from companion.core.seats import Seats
from companion.games.game import AnyState, Entry, parse_entry
from companion.record.rows import GameOpened, Step
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of
from tests.record.test_losses import without

MOST = 70
"""The most entries that are examined in a game."""


def rows_of(folder: Path, name: str, players: int, entries: list[Entry]) -> list[ChainLink]:
    path = folder / "record.db"
    with Store.open(path, GAMES) as store:
        store.keep(1, GameOpened(name, Seats.of(*seats_of(players)), {}))
        for entry in entries:
            store.keep(1, Step((entry,)))
    with Reader.open(path, GAMES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


def in_turn(state: AnyState) -> list[int]:
    """The score of the turn itself, without the payment for the hand's end."""
    own = ("capture", "lay", "row")
    return [paid.points for paid in state.effect.payments if paid.why.value in own]


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("seed", range(4))
def test_all_turns_but_the_lost_one_still_count(tmp_path: Path, name: str, seed: int) -> None:
    players = 2 + seed % 3
    seats, game = Seats.of(*seats_of(players)), GAMES[name]
    lines = PLAYERS[name](Random(seed), players)[:MOST]
    entries = [parse_entry(line, game, seats) for line in lines]
    rows = rows_of(tmp_path, name, players, entries)
    whole = without(rows, -1).journal
    assert whole is not None
    for lost in range(1, len(entries) + 1):
        fold = without(rows, lost)
        assert fold.faults == [], entries[lost - 1]
        assert fold.journal is not None
        others = entries[: lost - 1] + entries[lost:]
        assert [*map(str, fold.journal.entries)] == [*map(str, others)]
        expected = [*map(in_turn, whole.states)]
        del expected[lost - 1]
        assert [*map(in_turn, fold.journal.states)] == expected
