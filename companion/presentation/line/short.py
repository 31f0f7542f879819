"""The short words of a small display for a line game: its entries, and why points were won."""

from companion.games.entry import (
    Dealt,
    Drew,
    Entry,
    Held,
    HeldPips,
    Passed,
    Payment,
    PipsTogether,
    TimeUp,
)
from companion.games.game import State
from companion.games.line.game import ends_counted as counted_by
from companion.games.line.hand import EndsCounted, LineBoard, LineWhy
from companion.games.line.line import Laid
from companion.games.penalties import (
    Called,
    CountCalled,
    Misdrew,
    Muggins,
    NotCalled,
    Returned,
    Ruled,
    WrongCount,
)
from companion.games.settlement import HandsEnd
from companion.presentation.line.sayings import is_hidden, pips_of
from companion.presentation.sayings import short
from companion.presentation.short import by_name, without_seat

FACE_DOWN = "●●"
"""Stands for a tile, or pips, that only some players have seen."""


def entry_in_short(entry: Entry, state: State[LineBoard]) -> str:
    """An entry as a player says it; `state` is the one after it. Tiles that were shown in a call
    stay hidden while the hand goes on."""
    match entry:
        case Called(by=None):
            return short("called", seat=entry.accused)
        case Called():
            return short("calls", by=entry.by, seat=entry.accused)
        case Ruled():
            return short("bogus" if entry.bogus else "clear", seat=entry.accused)
        case Returned(tile=None):
            return short("returned", seat=entry.seat)
        case Returned():
            return short("returned-tile", seat=entry.seat, tile=entry.tile)
        case Dealt():
            return short("dealt")
        case Drew(number=1):
            return short("draws", seat=entry.seat)
        case Drew():
            return short("draws-some", seat=entry.seat, number=entry.number)
        case Passed():
            return short("passes", seat=entry.seat)
        case Misdrew():
            paid = state.effect.payments[-1]
            return short("misdraws", seat=entry.seat, to=paid.to, points=paid.points)
        case CountCalled():
            return short("count-called", seat=entry.seat)
        case NotCalled():
            return short("not-called", seat=entry.seat)
        case Muggins():
            return short("muggins", seat=entry.seat)
        case WrongCount():
            return short("wrong-count", seat=entry.seat)
        case TimeUp():
            return short("time-up")
        case Held(tiles=()) if is_hidden(entry, state):
            return short("showed-nothing", seat=entry.seat)
        case Held() if is_hidden(entry, state):
            return short("showed", seat=entry.seat, tiles=" ".join([FACE_DOWN] * len(entry.tiles)))
        case HeldPips() if is_hidden(entry, state):
            return short("showed-pips", seat=entry.seat, pips=FACE_DOWN)
        case PipsTogether():
            return short("pips-together", pips=entry.pips)
    return by_name(entry)


def reason_in_short(entry: Entry, state: State[LineBoard], payment: Payment) -> str:
    """Why a payment was made: “6-3: 12+3 = 15”, “out: 12 → 10”."""
    counted = counted_by(state)
    if isinstance(entry, Laid) and counted and payment.why is LineWhy.COUNT:
        return _capped(_counted(entry, counted), payment)
    owed = payment.owed or payment.points
    if isinstance(entry, Held | HeldPips | PipsTogether) and isinstance(payment.why, HandsEnd):
        pips = pips_of(state, payment)
        return _capped(short("for-pips", why=payment.why, pips=pips, points=owed), payment)
    return _capped(short("for", why=payment.why, points=owed), payment)


def _capped(reason: str, payment: Payment) -> str:
    """The reason and, if the payer had no more, what was left to pay."""
    if not payment.owed:
        return reason
    return short("count-capped", reason=reason, points=payment.points)


def _counted(laid: Laid, ends: EndsCounted) -> str:
    terms = "+".join(map(str, ends.parts)) if len(ends.parts) > 1 else ""
    sum_ = short("count-terms" if terms else "count-one", terms=terms, count=ends.count)
    if laid.tile is None:
        return sum_
    tile = f"{laid.halves[0]}-{laid.halves[1]}" if laid.halves else without_seat(laid)
    return short("count", tile=tile, sum=sum_)
