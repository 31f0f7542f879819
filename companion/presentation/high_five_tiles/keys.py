"""What can be keyed now in High Five! with tiles: the row by its name or its cards, how many of its
tiles are new, one tile, who is out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.core.seats import Seat
from companion.core.values import Json
from companion.games.entries import WentOut
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.high_five_tiles.combinations import IN_A_ROW, Combination
from companion.games.high_five_tiles.entries import Finished, RowCompleted, TileLaid
from companion.games.high_five_tiles.rules import POINTS, SheetState, new_tiles
from companion.games.options import Value
from companion.presentation import keys
from companion.presentation.keys import GameKeys, Open, act, taken
from companion.presentation.sayings import say


def _now(game: AnyGame, state: SheetState, _settings: Mapping[str, Value]) -> Json:
    """The ladder of rows, for whose turn it is."""
    found: Json = {"acts": [*_acts(game, state)]}
    players = _players(game, state)
    if not players or state.finished:
        return found
    return found | {
        "set": "cards",
        "asks": "row",
        "seat": state.to_move,
        "seats": [*players],
        "rows": [_row(state, name) for name in reversed(Combination)],
        "collects": keys.collects("row", "{seat} row", IN_A_ROW),
    }


def _players(game: AnyGame, state: SheetState) -> tuple[Seat, ...]:
    """Who may take a turn now, whose turn it is first: whose tiles nobody has counted may have
    none left."""
    seats = [seat for seat in state.seats if keys.is_taken(game, state, TileLaid(seat))]
    return tuple(sorted(seats, key=lambda seat: seat != state.to_move))


def _row(state: SheetState, name: Combination) -> Json:
    points = int(state.options[POINTS[name].name])
    label = say("key.row-worth", row=name.words, points=points)
    return {"name": name.value, "before": f"{{seat}} row {name.value}", "label": label}


def _acts(game: AnyGame, state: SheetState) -> Iterator[Json]:
    if state.finished:
        return
    found = list[tuple[str, Entry]]()
    if state.board.turns is None:
        found = [*keys.deals(state, lead_is_open=True)]
    else:
        if state.to_move is not None:
            found.append(("one-tile", TileLaid(state.to_move)))
        else:
            found += [("one-tile-of", TileLaid(seat)) for seat in state.seats]
        found.append(("finish", Finished()))
        if state.board.out is None:
            found += [("out-first", WentOut(seat)) for seat in state.seats]
    yield from (act(name, entry) for name, entry in taken(game, state, found))


def _open(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> Open:
    """How many tiles of a row are new; that nobody counted them is an answer, too."""
    if not isinstance(entry, RowCompleted):
        return Open(keys.whole(game, state, entry))
    game.apply(state, entry)
    rows = [replace(entry, laid=laid) for laid in new_tiles(state, entry.seat)]
    may = [row for row in rows if keys.is_taken(game, state, row)]
    only = may[0] if len(may) == 1 else None
    chosen = entry if entry.laid or not begun else only
    options = [
        keys.option(row, say("offer.so-many", number=row.laid), on=row == chosen) for row in may
    ]
    uncounted = replace(entry, laid=None)
    options.append(keys.option(uncounted, say("offer.uncounted"), on=uncounted == chosen))
    return Open(chosen, (keys.group("new", options),))


HIGH_FIVE_TILES_KEYS = GameKeys(_now, _open)
"""High Five! with tiles."""
