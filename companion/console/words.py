"""What the screens say: seats, payments, chips, entries and why points were won."""

from companion.console.frame import WIDTH
from companion.console.glyphs import fitted, text_width
from companion.console.layout import cut_names
from companion.games.chips import Pieces
from companion.games.game import B, Entry, Payment, State
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


def what_it_paid(state: State[B]) -> str:
    """“+15”, “−50” where it went back, or nothing: what the last entry paid in all."""
    paid = sum(payment.points for payment in state.effect.payments)
    return f"+{paid}" if paid > 0 else f"−{-paid}" if paid else ""


def scores_of(state: State[B]) -> tuple[tuple[str, int], ...]:
    """Each seat's name and points, for the lowest line of the screens of play."""
    return tuple((shown(seat), points) for seat, points in state.scores.items())


def scores_line(state: State[B], width: int = WIDTH, between: str = "  ") -> str:
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
