"""The short words of a small display for Highrise: its entries, and why points were scored."""

from companion.games.entry import Blocked, Dealt, Entry, Passed, Payment, WentOut
from companion.games.highrise.building import PlayScored
from companion.games.highrise.entries import WILD, BasementFilled, Built, DrewOne, format_halves
from companion.games.highrise.rules import HighriseState, HighriseWhy
from companion.presentation.sayings import short
from companion.presentation.short import by_name


def entry_in_short(entry: Entry, state: HighriseState) -> str:
    """An entry as a player says it; `state` is the one after it: “Red 6-3 × 2”, “Red W-3: 4-3 × 2,
    spacer”."""
    match entry:
        case Built():
            scored = state.board.scored
            if scored is None:
                return short("entry", seat=entry.seat, text=format_halves(entry.halves))
            key = "entry" if entry.spacer is None else "lifted"
            return short(key, seat=entry.seat, text=_wild(entry) + play_factors(scored))
        case BasementFilled():
            return short("basement")
        case Dealt():
            return short("dealt")
        case DrewOne():
            return short("draws", seat=entry.seat)
        case Passed():
            return short("passes", seat=entry.seat)
        case WentOut():
            return short("out", seat=entry.seat)
        case Blocked():
            return short("blocked")
    return by_name(entry)


def reason_in_short(entry: Entry, state: HighriseState, payment: Payment) -> str:
    """Why a payment was made: “6-3 × 2 = 18”, “out: 15”, “blocked: −14”."""
    scored = state.board.scored
    if payment.why is HighriseWhy.LAY and scored is not None and isinstance(entry, Built):
        return _wild(entry) + play_sum(scored)
    return short("for", why=payment.why, points=signed(payment.points))


def signed(points: int) -> str:
    """The points with a proper minus sign: 12, −14."""
    return f"−{-points}" if points < 0 else str(points)


def _wild(built: Built) -> str:
    """The tile, as “W-3: ”, if one of its halves is wild: the sum behind it has the value that the
    wild half stands for. Else empty."""
    return f"{format_halves(built.halves)}: " if WILD in built.halves else ""


def play_sum(scored: PlayScored) -> str:
    """The values of the halves, the level, and the points: “6-3 × 2 = 18”."""
    return f"{play_factors(scored)} = {scored.points}"


def play_factors(scored: PlayScored) -> str:
    """The values of the halves, and the level: “6-3 × 2”."""
    one, other = scored.values
    return f"{one}-{other} × {scored.level}"
