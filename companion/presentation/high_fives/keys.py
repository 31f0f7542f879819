"""What can be keyed now in High Fives: the tiles face up, a tile and what it captures, points."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from companion.games.entry import Dealt, Entry
from companion.games.game import AnyGame, AnyState
from companion.games.high_fives.entries import SET, WORTH, LeftOver, Pair, PutDown
from companion.games.high_fives.rules import HighFivesState, must_take, turns_left
from companion.games.high_fives.tableau import OnTable, pairs_in, takes_for, worth_of
from companion.games.options import Value
from companion.games.tiles import Tile, mask_of
from companion.presentation import acts, keys
from companion.presentation.acts import Act, taken
from companion.presentation.keys import (
    COLLECT,
    FITS,
    FREE,
    LAID,
    LAY,
    NUMBER,
    AskedNow,
    AskedNumber,
    AskedTiles,
    GameKeys,
    Open,
    OpenAnswer,
    OpenQuestion,
    tiles_of,
)
from companion.presentation.sayings import say
from companion.presentation.short import many
from companion.record.settings import ENTRY_WAY

ENTRY_POINTS: Final = "points"
"""The value of ENTRY_WAY if turns are keyed by their points alone."""


def _asked(game: AnyGame, state: HighFivesState, settings: Mapping[str, Value]) -> AskedNow:
    """What is asked for: after a deal the tableau; then turns, by tiles, or by points if the
    tableau isn't known or the table keys points; at the end what is left."""
    board = state.board
    counts_left = acts.is_taken(game, state, LeftOver())
    left = (AskedNumber("left", "left", WORTH),) if counts_left else ()
    asked = AskedNow("double-fifteen", numbers=left)
    if state.finished or not board.hand or turns_left(state) == 0:
        asks = asked.numbers and not state.finished
        return asked._replace(asks=NUMBER, question=say("key.ask-left")) if asks else asked
    won = WORTH - sum(state.scores.values)
    points = AskedNumber("points", "{seat} points", max(won, 0))
    asked = asked._replace(seat=state.to_move, numbers=(points, *asked.numbers))
    if not board.table.known or settings.get(ENTRY_WAY) == ENTRY_POINTS:
        return asked._replace(asks=NUMBER, question=say("key.ask-points"))
    asked = asked._replace(tiles=lambda: _tiles(board.table), fits="captures")
    if board.to_show and not board.turns:
        faces = AskedTiles("turned-up", "tableau", board.to_show)
        question = say("key.ask-turned-up", number=board.to_show)
        return asked._replace(asks=COLLECT, question=question, collects=faces)
    return asked._replace(asks=LAY)


def _acts(game: AnyGame, state: HighFivesState, _settings: Mapping[str, Value]) -> Iterable[Act]:
    """The entries that take one key now: the deal, and the end at which nobody counts what is
    left."""
    if state.finished:
        return ()
    board, found = state.board, list[Act]()
    if board.doubtful and turns_left(state) is None:
        found = [Act("next-hand", Dealt())]
    elif not board.hand or turns_left(state) == 0:
        found = [*acts.deals(state, lead_is_open=board.leader is None)]
    return taken(game, state, [*found, Act("left-uncounted", LeftOver())])


def _tiles(table: OnTable) -> dict[str, str]:
    """How each tile stands: it captures something if it shares a half with a tile in the
    tableau."""
    shared = 0
    for tile in table.tiles:
        shared |= SET.suits[tile.low] | SET.suits[tile.high]
    return tiles_of(SET, {table.seen | mask_of(table.tiles): LAID, shared: FITS}, FREE)


# ---------------------------------------------------------------- what a tile captures


def _open(game: AnyGame, state: AnyState, entry: Entry, begun: bool) -> Open:
    """The questions about a lay: which tile it takes, if it can take one (the only one is chosen at
    once); then which pair from the tableau."""
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
    questions = [_taking(entry, takes, decided=True, must=must)] if takes else []
    if pairs:
        questions.append(_pairing(entry, pairs))
    return Open(entry, tuple(questions))


def _taking(put: PutDown, takes: tuple[Tile, ...], *, decided: bool, must: bool) -> OpenQuestion:
    """The question which tile the laid one takes; `must`: it has to take one."""
    answers = [
        OpenAnswer(
            _with(put, tile),
            say("offer.worth", tiles=tile, points=_points(put.tile, tile)),
            put.takes == tile,
            {"tiles": [str(tile)]},
        )
        for tile in takes
    ]
    if not must:
        on = decided and put.takes is None
        answers.append(OpenAnswer(replace(put, takes=None), say("offer.nothing"), on))
    return OpenQuestion("takes", tuple(answers), {"tile": put.tile})


def _points(*tiles: Tile) -> str:
    return many(worth_of(tiles), "point")


def _with(put: PutDown, takes: Tile) -> PutDown:
    """The lay, taking the tile `takes`; its pair is dropped if that tile is part of it."""
    pair = None if put.pair and takes in put.pair else put.pair
    return replace(put, takes=takes, pair=pair)


def _pairing(put: PutDown, pairs: tuple[Pair, ...]) -> OpenQuestion:
    answers = [OpenAnswer(replace(put, pair=None), say("offer.no-pair"), put.pair is None)]
    for pair in pairs:
        names = [*map(str, pair)]
        label = say("offer.worth", tiles=" ".join(names), points=_points(*pair))
        found = {"tiles": names, "under": names}
        answers.append(OpenAnswer(replace(put, pair=pair), label, put.pair == pair, found))
    return OpenQuestion("pair", tuple(answers))


HIGH_FIVES_KEYS = GameKeys(_asked, _acts, _open)
"""The keys of High Fives."""
