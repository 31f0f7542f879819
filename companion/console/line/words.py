"""What the screens say of a hand of a line game: its entries, and why points were won."""

from companion.console.words import by_name, shown, what
from companion.games.bogus.board import board_of
from companion.games.bogus.claim import RulingResult
from companion.games.entries import Dealt, Drew, Held, HeldPips, Passed
from companion.games.game import Entry, Payment, State
from companion.games.line.hand import LineBoard, LineWhy
from companion.games.line.laid import Laid
from companion.games.line.play import counted as counted_by
from companion.games.penalties import Called, Misdrew, Returned, Ruled
from companion.games.settlement import HandsEnd


def in_words(entry: Entry, state: State[LineBoard]) -> str:
    """An entry as a player says it, `state` being the one after it. What was shown for a call that
    left the hand going on stays between those who saw it."""
    match entry:
        case Called():
            by = f"{shown(entry.by)} calls " if entry.by else ""
            return f"{by}{shown(entry.accused)} {'' if by else 'is called '}bogus"
        case Ruled():
            return f"{shown(entry.accused)} is {'bogus' if entry.bogus else 'clear'}"
        case Returned():
            return f"{shown(entry.seat)}'s tile {entry.tile or ''}".rstrip() + " went back"
        case Dealt():
            return "The deal"
        case Drew():
            return f"{shown(entry.seat)} draws" + (f" {entry.number}" if entry.number > 1 else "")
        case Passed():
            return f"{shown(entry.seat)} passes"
        case Misdrew():
            paid = state.effect.payments[-1]
            return f"{shown(entry.seat)} misdraw: → {shown(paid.to)} {paid.points}"
        case Held() | HeldPips() if hidden(state):
            tiles = " ".join(["●●"] * len(entry.tiles)) if isinstance(entry, Held) else "pips ●●"
            return f"{shown(entry.seat)} showed {tiles}".rstrip()
    return by_name(entry)


def hidden(state: State[LineBoard]) -> bool:
    """Whether the holding that the last entry has shown is told only if the hand ends by it."""
    board = board_of(state)
    if board is None:
        return False
    called, ruling = board.open_to_calls, board.ruling
    open_claim = called is not None and called.claim is not None
    return open_claim or (ruling is not None and ruling.result is RulingResult.CLEAR)


def why_points(entry: Entry, state: State[LineBoard], payment: Payment) -> str:
    """Why these points: “6-3: 12+3 = 15”, “out: 12 → 10”."""
    counted = counted_by(state)
    if isinstance(entry, Laid) and counted and payment.why is LineWhy.COUNT:
        parts = "+".join(map(str, counted.parts)) if len(counted.parts) > 1 else ""
        sum_ = f"{parts} = {counted.count}" if parts else f"count {counted.count}"
        said = (
            what(entry)
            if entry.tile is None
            else str(entry.halves[0]) + "-" + str(entry.halves[1])
            if entry.halves
            else ""
        )
        text = f"{said}: {sum_}" if entry.tile else sum_
        capped = f", paid {payment.points}" if payment.points != counted.count else ""
        return text + capped
    if isinstance(entry, Held | HeldPips) and isinstance(payment.why, HandsEnd):
        return f"{payment.why}: {held_pips(state, payment)} → {payment.points}"
    return f"{payment.why}: {payment.points}"


def held_pips(state: State[LineBoard], payment: Payment) -> int:
    """The pips that the payment at a hand's end stands for."""
    board = state.board
    assert board.hand is not None, "a hand was settled"
    counted = [
        holding.pips
        for seat, holding in board.hand.round.shown.items()
        if holding is not None and seat != payment.to and payment.payer in (None, seat)
    ]
    return sum(counted)
