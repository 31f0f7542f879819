"""What can be keyed now in High Fives: the tiles face up, a tile with what it captures, points."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.core.values import Json
from companion.games.entries import Dealt
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.high_fives.entries import SET, WORTH, LeftOver, Pair, PutDown
from companion.games.high_fives.rules import HighFivesState, must_take, turns_left
from companion.games.high_fives.tableau import OnTable, pairs_in, takes_for, worth_of
from companion.games.options import Value
from companion.games.tiles import Tile, mask_of
from companion.presentation import keys
from companion.presentation.high_fives.short import many
from companion.presentation.keys import FITS, FREE, LAID, GameKeys, Open, act, taken, tiles_of
from companion.presentation.sayings import say


def _now(game: AnyGame, state: HighFivesState, settings: Mapping[str, Value]) -> Json:
    """The tableau after a deal, then turns by tiles, or by points where the tableau isn't known or
    the table tells them so; at the end what is left."""
    board = state.board
    found: Json = {"set": "double-fifteen", "acts": [*_acts(game, state)]}
    left = _left(game, state)
    if state.finished or not board.hand or turns_left(state) == 0:
        asks = "number" if left and not state.finished else None
        question = say("key.ask-left") if asks else None
        return found | {"asks": asks, "question": question, "numbers": left}
    won = WORTH - sum(state.scores.values)
    points = keys.number("points", "{seat} points", max(won, 0))
    found |= {"seat": state.to_move, "numbers": [points, *left]}
    if not board.table.known or settings.get("entry") == "points":
        return found | {"asks": "number", "question": say("key.ask-points")}
    tiles = {"tiles": _tiles(board.table), "stands": keys.stands("captures")}
    if board.to_show and not board.turns:
        faces = keys.collects("turned-up", "tableau", board.to_show)
        question = say("key.ask-turned-up", number=board.to_show)
        return found | tiles | {"asks": "collect", "question": question, "collects": faces}
    return found | tiles | {"asks": "lay"}


def _acts(game: AnyGame, state: HighFivesState) -> Iterator[Json]:
    """The deal, and the end where nobody counts what is left."""
    if state.finished:
        return
    board, entries = state.board, list[tuple[str, Entry]]()
    if board.doubtful and turns_left(state) is None:
        entries = [("next-hand", Dealt())]
    elif not board.hand or turns_left(state) == 0:
        entries = [*keys.deals(state, lead_is_open=board.leader is None)]
    entries.append(("left-uncounted", LeftOver()))
    yield from (act(name, entry) for name, entry in taken(game, state, entries))


def _left(game: AnyGame, state: HighFivesState) -> list[Json]:
    """What the tiles that are left are worth, where that can be told."""
    told = keys.is_taken(game, state, LeftOver())
    return [keys.number("left", "left", WORTH)] if told else []


def _tiles(table: OnTable) -> dict[str, str]:
    """A tile that shares a half with one in the tableau captures something."""
    shared = 0
    for tile in table.tiles:
        shared |= SET.suits[tile.low] | SET.suits[tile.high]
    return tiles_of(SET, {table.seen | mask_of(table.tiles): LAID, shared: FITS}, FREE)


# ---------------------------------------------------------------- what a tile captures


def _open(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> Open:
    """What the tile takes: the only one that it can, of several it is asked which; then a pair that
    lies there."""
    table: OnTable = state.board.table
    if not isinstance(entry, PutDown) or entry.insisted or not table.known:
        return Open(keys.whole(game, state, entry))
    takes, must = takes_for(table, entry.tile), bool(must_take(state, entry.tile))
    game.apply(state, replace(entry, takes=takes[0]) if begun and must and takes else entry)
    if begun and not entry.captured and len(takes) > 1:
        return Open(None, (_taking(entry, takes, decided=False, must=must),))
    if begun and not entry.captured and takes:
        entry = replace(entry, takes=takes[0])
    pairs = pairs_in(table, entry.takes)
    groups = [_taking(entry, takes, decided=True, must=must)] if takes else []
    if pairs:
        groups.append(_pairing(entry, pairs))
    return Open(entry, tuple(groups))


def _taking(put: PutDown, takes: tuple[Tile, ...], *, decided: bool, must: bool) -> Json:
    """The tiles that the laid one can take; `must`: it has to take one of them."""
    options = [
        keys.option(
            _with(put, tile),
            say("offer.worth", tiles=tile, points=_points(put.tile, tile)),
            on=put.takes == tile,
            tiles=[str(tile)],
        )
        for tile in takes
    ]
    alone = say("offer.nothing")
    if not must:
        on = decided and put.takes is None
        options.append(keys.option(replace(put, takes=None), alone, on=on))
    return keys.group("takes", options, tile=put.tile)


def _points(*tiles: Tile) -> str:
    return many(worth_of(tiles), "point")


def _with(put: PutDown, takes: Tile) -> PutDown:
    """The lay taking that tile; the pair stays only if the tile isn't one of it."""
    pair = None if put.pair and takes in put.pair else put.pair
    return replace(put, takes=takes, pair=pair)


def _pairing(put: PutDown, pairs: tuple[Pair, ...]) -> Json:
    none = keys.option(replace(put, pair=None), say("offer.no-pair"), on=put.pair is None)
    options = (
        keys.option(
            replace(put, pair=pair),
            say(
                "offer.worth", tiles=" ".join(map(str, pair)), points=many(worth_of(pair), "point")
            ),
            on=put.pair == pair,
            tiles=[*map(str, pair)],
            under=[*map(str, pair)],
        )
        for pair in pairs
    )
    return keys.group("pair", (none, *options))


HIGH_FIVES_KEYS = GameKeys(_now, _open)
"""High Fives."""
