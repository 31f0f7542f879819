"""What the screens say: seats, payments, chips, entries and why points were won."""

from companion.console.frame import WIDTH
from companion.console.glyphs import fitted, text_width
from companion.console.layout import cut_names
from companion.games.bogus.board import board_of
from companion.games.bogus.claim import RulingResult
from companion.games.chips import Pieces
from companion.games.entries import Dealt, Drew, Held, HeldPips, Passed
from companion.games.game import (
    AnyState,
    Entry,
    Payment,
)
from companion.games.line.hand import LineBoard, LineWhy
from companion.games.line.laid import Laid
from companion.games.penalties import (
    Called,
    Misdrew,
    Returned,
    Ruled,
)
from companion.games.settlement import HandsEnd
from companion.record.rows import Kept, Step
from companion.seats import Seat

LOST = "Doubtful: entries are lost"
"""What is said, for ever, of a game of which rows of the record are lost."""


def shown(seat: str) -> str:
    """A seat's name as screens show it."""
    return seat.replace("_", " ")


def loud(seat: str) -> str:
    """A seat's name in capitals, for who pays whom."""
    return shown(seat).upper()


def pair(first: str, word: str, second: str, width: int = WIDTH) -> str:
    """“BLUE pays RED”, the names cut where they are too long for the line."""
    text = f"{first} {word} {second}"
    if text_width(text) <= width:
        return text
    room = (width - text_width(f" {word} ") - 2) // 2
    return f"{fitted(first, room)} {word} {fitted(second, room)}"


def who_pays(payment: Payment, width: int = WIDTH) -> str:
    """“BLUE pays RED”, in so many columns; “RED scores” where no chips move."""
    if payment.payer is None:
        return f"{loud(payment.to)} scores"
    if payment.points < 0:
        return pair(loud(payment.to), "gives back", loud(payment.payer), width)
    return pair(loud(payment.payer), "pays", loud(payment.to), width)


def receiver(payment: Payment) -> str:
    """Who has more points by it."""
    if payment.points < 0 and payment.payer is not None:
        return shown(payment.payer)
    return shown(payment.to)


def points_label(payment: Payment) -> str:
    """What the big number of a payment is called: chips are paid, points are scored."""
    return "points" if payment.payer is None else "paid"


def settled(pips: int, payment: Payment, colour: str = "") -> str:
    """“BLUE pays RED: 12 → 10”, with the colour of the chips where the names don't say it."""
    sum_ = f": {pips} → {payment.points} {colour}".rstrip()
    if payment.payer is None:
        return f"{loud(payment.to)} scores{sum_}"
    room = WIDTH - text_width(sum_) - 1
    return pair(loud(payment.payer), "pays", loud(payment.to), room) + sum_


def pieces(chips: Pieces) -> str:
    """10+5, 3×10+5"""
    return "+".join(f"{number}×{value}" if number > 1 else f"{value}" for value, number in chips)


def which_chips(payment: Payment) -> str:
    """Which chips go over, and which come back."""
    if payment.exchange is None:
        return ""
    over, back = pieces(payment.exchange.over), pieces(payment.exchange.back)
    if payment.points < 0:
        over, back = back, over
    return f"{over} back {back}" if back else over


def what(entry: Entry) -> str:
    """An entry without the seat that it starts with."""
    text, seat = str(entry), entry.said_by
    return text.removeprefix(f"{seat} ") if seat else text


def by_name(entry: Entry) -> str:
    """An entry as a player says it."""
    seat = entry.said_by
    return f"{shown(seat)} {what(entry)}" if seat else shown(str(entry))


def in_words(entry: Entry, state: AnyState) -> str:
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


def entered_by(kept: Kept, state: AnyState) -> str:
    """“Anna's phone: 6-3.”, “A phone: Blue 6-3.”: who made a row of entries, and the last of them,
    `state` being the one after it. A surface is named by what its name begins with: phone-3 is a
    phone."""
    kind = (kept.surface or "box").partition("-")[0]
    name = shown(kept.keyed_by) if kept.keyed_by else ""
    whose = f"{name}'s {kind}" if name else f"A {kind}"
    entries = kept.row.entries if isinstance(kept.row, Step) else ()
    was = in_words(entries[-1], state) if entries else "a change"
    return f"{whose}: {was.removeprefix(f'{name} ')}."


def what_it_paid(state: AnyState) -> str:
    """“+15”, “−50” where it went back, or nothing: what the last entry paid in all."""
    paid = sum(payment.points for payment in state.effect.payments)
    return f"+{paid}" if paid > 0 else f"−{-paid}" if paid else ""


def hidden(state: AnyState) -> bool:
    """Whether the holding that the last entry has shown is told only if the hand ends by it."""
    board = board_of(state)
    if board is None:
        return False
    called, ruling = board.open_to_calls, board.ruling
    open_claim = called is not None and called.claim is not None
    return open_claim or (ruling is not None and ruling.result is RulingResult.CLEAR)


def why_points(entry: Entry, state: AnyState, payment: Payment) -> str:
    """Why these points: “6-3: 12+3 = 15”, “out: 12 → 10”."""
    counted = state.board.counted
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


def held_pips(state: AnyState, payment: Payment) -> int:
    """The pips that the payment at a hand's end stands for."""
    board: LineBoard = state.board
    assert board.hand is not None, "a hand was settled"
    counted = [
        holding.pips
        for seat, holding in board.hand.round.shown.items()
        if holding is not None and seat != payment.to and payment.payer in (None, seat)
    ]
    return sum(counted)


def scores_of(state: AnyState) -> tuple[tuple[str, int], ...]:
    """Each seat's name and points, for the lowest line of the screens of play."""
    return tuple((shown(seat), points) for seat, points in state.scores.items())


def scores_line(state: AnyState, width: int = WIDTH, between: str = "  ") -> str:
    """Every seat with its points, names cut as far as the line needs."""
    points = state.scores.values
    besides = between.join(f". {each}" for each in points)
    room = width - text_width(besides) + len(points) * text_width(".")
    names = cut_names(tuple(map(shown, state.seats)), room)
    line = between.join(f"{name} {each}" for name, each in zip(names, points, strict=True))
    return line if text_width(line) <= width else " ".join(map(str, points))


def turn_order(seats: tuple[Seat, ...]) -> str:
    """Red, Blue, Green"""
    return ", ".join(shown(seat) for seat in seats)
