"""Games go on after any of their rows is lost."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from companion.core.errors import RuleError
from companion.core.seats import COLOURS, Seats
from companion.games.game import AnyState, Entry, settle_options
from companion.games.line.game import ends_counted
from companion.games.line.hand import LinePaymentReason
from companion.games.line.line import TilePlayed
from companion.record.fold import Fold
from companion.record.rows import GameOpened, Step
from companion.record.store.chain import ChainBreak
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.playing import undoes
from tests.random_games import by_count, by_ends, play_game
from tests.sampling import Draw

WAYS = {
    "tile": lambda played: [entry for entry, _ in played],
    "ends": by_ends,
    "count": by_count,
}
GAMES_LOST = [
    (name, players, way)
    for name in ("high-five", "five-up", "all-fives", "fives-and-threes", "domino")
    for players in (2, 3, 4)
    for way in WAYS
    if way != "count" or players == 2  # which takes long
]


SHARE = 8
"""A sample tries the loss of one row in this many."""


def kept(folder: Path, name: str, players: int, entries: Sequence[Entry]) -> list[ChainLink]:
    """The rows of a game as a record keeps them."""
    path = folder / "record.db"
    store = Store.open(path, GAMES)
    seats = Seats.of(*COLOURS[:players])
    store.keep(1, GameOpened(name, seats, settle_options(GAMES[name], players, {})))
    for entry in entries:
        store.keep(1, Step((entry,)))
    store.close()
    with Reader.open(path, GAMES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


def without(rows: Sequence[ChainLink], lost: int) -> Fold:
    """The game without its row at the place `lost`."""
    fold = Fold(1, GAMES, ())
    for at, row in enumerate(rows):
        fold.add(ChainBreak(row.seq, row.seq) if at == lost else row)
    return fold


def hand_of(state: AnyState) -> int:
    return int(state.board.hand.round.number) if state.board.hand else 0


def count_of(state: AnyState) -> int | None:
    """The count after the last play."""
    found = ends_counted(state)
    return found.count if found else None


def counted(state: AnyState) -> list[int]:
    """The points paid for the count."""
    return [paid.points for paid in state.effect.payments if paid.why is LinePaymentReason.COUNT]


@pytest.mark.parametrize(("name", "players", "way"), GAMES_LOST)
def test_tiles_played_after_a_lost_row_still_score(
    tmp_path: Path, name: str, players: int, way: str, draw: Draw[int]
) -> None:
    """If plays are entered by ends or count, every later one has the same count as before the loss;
    if entered by tile, every one in later hands."""
    played = play_game(Random(7), players, name)[:80]
    rows = kept(tmp_path, name, players, WAYS[way](played))
    each = range(1, min(len(played), 46), 1 if way == "tile" else 4)
    for lost in draw(each, max(1, len(each) // SHARE)):
        fold = without(rows, lost)
        assert fold.faults == [], played[lost - 1]
        assert fold.journal is not None
        hand = hand_of(played[lost - 1][1])
        states = fold.journal.states[lost - 1 :]
        for (entry, before), after in zip(played[lost:], states, strict=True):
            if isinstance(entry, TilePlayed) and (way != "tile" or hand_of(before) > hand):
                assert count_of(after) == count_of(before), (lost, entry)
                if not before.finished:  # the last payment is capped at what is missing
                    assert counted(after) == counted(before), (lost, entry)


def test_a_play_after_a_lost_line_must_name_its_count(tmp_path: Path) -> None:
    """A row written before the loss may leave the count out; a play made after it must have the
    count."""
    played = play_game(Random(7), 2, "five-up")
    fold = without(kept(tmp_path, "five-up", 2, WAYS["tile"](played[:6])), 3)
    journal = fold.journal
    assert journal is not None
    assert journal.losses == (2,)
    last = journal.entries[-1]
    assert isinstance(last, TilePlayed)
    seat = journal.state.to_move
    assert seat is not None
    with pytest.raises(RuleError, match="The line is not known here: say the open ends"):
        journal.fold(Step((TilePlayed(seat, (0, 0)),)))
    assert count_of(journal.fold(Step((TilePlayed(seat, (0, 0), count=10),))).state) == 10
    assert undoes(journal) == str(last)
