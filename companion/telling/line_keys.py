"""What can be keyed now in a game with a line of play, for pages that offer it by a tap.

Offered is what the rules take, and of calls each that they may take: whether a call is right stays
for the players to notice.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from companion.errors import RuleError
from companion.games.bogus.board import board_of
from companion.games.entries import Blocked, Dealt, Drew, Passed, Redealt, WentOut
from companion.games.game import AnyGame, AnyState, Entry
from companion.games.line.hand import BIG_6, Hand
from companion.games.line.line import TILE_SET
from companion.games.line.play import LineRules
from companion.games.penalties import Called, Misdrew, Returned, Ruled
from companion.games.round import Stage
from companion.seats import Seat
from companion.telling.sayings import say

Json = dict[str, Any]

LAID, FITS, APART = "laid", "fits", "apart"
"""How a tile stands to the line: it lies there, it may be laid somewhere, or nowhere."""


def line_keys(game: AnyGame, state: AnyState) -> Json:
    """What is asked by tiles (`asks`: lay, show, or null), of which seat (null: any), how each tile
    stands, and what can be entered at a tap: `acts`, each with its entry and its label."""
    hand: Hand | None = state.board.hand
    accused = _accused(state)
    asks, seat = None, state.to_move
    if accused is not None:
        asks, seat = "show", accused
    elif hand is not None and hand.round.playing and not state.finished:
        asks, seat = "lay", hand.round.to_move
    elif hand is not None and hand.round.ended and isinstance(game, LineRules):
        needed = game.needed(state)
        asks, seat = ("show", needed[0]) if needed else (None, None)
    return {
        "asks": asks,
        "seat": seat,
        "tiles": _tiles(hand, lays=asks == "lay") if asks else {},
        "acts": [*_acts(game, state, hand, accused)],
    }


def _accused(state: AnyState) -> Seat | None:
    """Who is called bogus and has not been judged."""
    board = board_of(state)
    called = board.open_to_calls if board is not None else None
    return called.claim.accused if called is not None and called.claim is not None else None


def _tiles(hand: Hand | None, *, lays: bool) -> dict[str, str]:
    assert hand is not None, "tiles are asked for in a hand"
    lines, laid = hand.line, hand.line.laid_for_sure
    fit = 0
    for line, lies in lines.possible:
        mask = line.suits if line is not None else _leads(hand)
        fit |= mask & ~lies
    everything = sum(tile.bit for tile in TILE_SET.tiles)
    fit = everything & ~laid if lines.lost or not lays else fit
    return {
        f"{tile.high}-{tile.low}": LAID if tile.bit & laid else FITS if tile.bit & fit else APART
        for tile in TILE_SET.tiles
    }


def _leads(hand: Hand) -> int:
    """The tiles that may be led, as a mask."""
    return sum(tile.bit for tile in TILE_SET.tiles if tile.is_double or not hand.big_6)


def _acts(
    game: AnyGame, state: AnyState, hand: Hand | None, accused: Seat | None
) -> Iterator[Json]:
    """The entries that take one tap, the likeliest first."""
    if accused is not None:
        found: Iterable[tuple[str, Entry]] = _rulings(accused)
    elif hand is None or hand.round.stage is Stage.OVER:
        found = _deals(state)
    else:
        found = _moves(state, hand)
    for name, entry in found:
        if type(entry) in game.entries and _is_taken(game, state, entry):
            yield _act(name, entry)
    if accused is None and hand is not None and Called in game.entries:
        yield from (_act("bogus", call) for call in _calls(state, hand))


def _act(name: str, entry: Entry) -> Json:
    more = {"seat": entry.accused, "by": entry.by} if isinstance(entry, Called) else {}
    if not more and entry.said_by is not None:
        more = {"seat": entry.said_by}
    if isinstance(entry, Dealt) and entry.lead:
        more = {"seat": entry.lead}
    if isinstance(entry, Ruled):
        more = {"seat": entry.accused}
    return {"name": name, "entry": str(entry), "label": say(f"key.{name}", **more), **more}


def _is_taken(game: AnyGame, state: AnyState, entry: Entry) -> bool:
    with suppress(RuleError):
        game.apply(state, entry)
        return True
    return False


def _rulings(accused: Seat) -> Iterator[tuple[str, Entry]]:
    yield "rule-bogus", Ruled(accused, True)
    yield "rule-clear", Ruled(accused, False)


def _deals(state: AnyState) -> Iterator[tuple[str, Entry]]:
    yield "deal", Dealt()
    if state.board.next_lead in (None, BIG_6) and state.options.get("rotate-lead") == "on":
        yield from (("deal-lead", Dealt(seat)) for seat in state.seats)


def _moves(state: AnyState, hand: Hand) -> Iterator[tuple[str, Entry]]:
    now = hand.round
    last = now.laid_last
    out = last is not None and not now.confirmed and WentOut(last)
    if out and now.held[out.seat] == 0:
        yield "out", out
    if now.to_move is not None:
        yield "draw", Drew(now.to_move)
        yield "pass", Passed(now.to_move)
        yield "return", Returned(now.to_move)
    if now.stage is Stage.LEAD:
        yield "redeal", Redealt()
    if out and now.held[out.seat]:
        yield "out-early", out
    yield "blocked", Blocked()
    yield from (("misdraw", Misdrew(seat)) for seat in state.seats)


def _calls(state: AnyState, hand: Hand) -> Iterator[Called]:
    """Each seat that has drawn or passed in this hand, called by each other."""
    if state.finished:
        return
    for seat in state.seats:
        if hand.latest_draw_or_pass(seat) is not None:
            yield from (Called(seat, by) for by in state.seats if by != seat)
