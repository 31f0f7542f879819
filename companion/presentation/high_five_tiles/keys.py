"""What can be keyed now in High Five! with tiles: a row by its name or its cards, how many of its
tiles are new, a single tile, and who is out."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from companion.core.seats import Seat
from companion.games.entry import Entry, WentOut
from companion.games.game import AnyGame, AnyState
from companion.games.high_five_tiles.combinations import IN_A_ROW, Combination
from companion.games.high_five_tiles.entries import Finished, RowCompleted, TileLaid
from companion.games.high_five_tiles.rules import POINTS, HighFiveTilesState, new_tiles
from companion.games.options import Value
from companion.presentation import acts, keys
from companion.presentation.acts import Act, taken
from companion.presentation.keys import (
    ROW,
    AskedNow,
    AskedRow,
    AskedTiles,
    GameKeys,
    Open,
    OpenAnswer,
    OpenQuestion,
)
from companion.presentation.sayings import say

HIGHEST_FIRST = tuple(reversed(Combination))


def _asked(game: AnyGame, state: HighFiveTilesState, _settings: Mapping[str, Value]) -> AskedNow:
    """What is asked for: a row of the ladder, from the seats that may take a turn now."""
    players = () if state.finished else _players(game, state)
    if not players:
        return AskedNow()
    return AskedNow(
        "cards",
        ROW,
        state.to_move,
        players,
        rows=_rows(tuple(int(state.options[POINTS[name].name]) for name in HIGHEST_FIRST)),
        collects=AskedTiles("row", "{seat} row", IN_A_ROW),
    )


def _players(game: AnyGame, state: HighFiveTilesState) -> tuple[Seat, ...]:
    """The seats that may take a turn now, the one whose turn it is first. Others may play once
    nothing is left to draw: a seat whose tiles nobody has counted may have none left."""
    if state.to_move is not None and state.board.supply:
        return (state.to_move,)
    seats = [seat for seat in state.seats if acts.is_taken(game, state, TileLaid(seat))]
    return tuple(sorted(seats, key=lambda seat: seat != state.to_move))


@lru_cache(maxsize=32)
def _rows(points: tuple[int, ...]) -> tuple[AskedRow, ...]:
    """The ladder with the points of each row. Cached: the points are set once a game, but the
    ladder is needed at each key."""
    named = zip(HIGHEST_FIRST, points, strict=True)
    return tuple(AskedRow(name.value, name.words, worth) for name, worth in named)


def _acts(
    game: AnyGame, state: HighFiveTilesState, _settings: Mapping[str, Value]
) -> Iterable[Act]:
    if state.finished:
        return ()
    begun = state.board.turns is not None
    found = _moves(game, state) if begun else acts.deals(state, lead_is_open=True)
    return taken(game, state, found)


def _moves(game: AnyGame, state: HighFiveTilesState) -> Iterator[Act]:
    for seat in _players(game, state):
        yield Act("one-tile" if seat == state.to_move else "one-tile-of", TileLaid(seat))
    yield Act("finish", Finished())
    if state.board.out is None:
        yield from (Act("out-first", WentOut(seat)) for seat in state.seats)


def _open(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> Open:
    """The question how many tiles of a row are new; “nobody knows” is an answer, too."""
    if not isinstance(entry, RowCompleted):
        return Open(keys.whole(game, state, entry))
    game.apply(state, entry)
    rows = [replace(entry, laid=laid) for laid in new_tiles(state, entry.seat)]
    only = rows[0] if len(rows) == 1 else None
    chosen = entry if entry.laid or not begun else only
    answers = [
        OpenAnswer(row, say("offer.so-many", number=row.laid), row == chosen) for row in rows
    ]
    uncounted = replace(entry, laid=None)
    answers.append(OpenAnswer(uncounted, say("offer.uncounted"), uncounted == chosen))
    return Open(chosen, (OpenQuestion("new", tuple(answers)),))


HIGH_FIVE_TILES_KEYS = GameKeys(_asked, _acts, _open)
"""The keys of High Five! with tiles."""
