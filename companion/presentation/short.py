"""The short words of a small display for entries and payments of any game."""

from companion.games.chips import Pieces
from companion.games.entry import Entry, Payment
from companion.presentation.sayings import short


def without_seat(entry: Entry) -> str:
    """An entry as the tally writes it, without the seat that it starts with."""
    text, seat = str(entry), entry.said_by
    return text.removeprefix(f"{seat} ") if seat else text


def by_name(entry: Entry) -> str:
    """An entry of any game, beginning with its seat's name."""
    seat = entry.said_by
    if seat is None:
        return short("plain", text=str(entry))
    return short("entry", seat=seat, text=without_seat(entry))


def many(number: int, of: str) -> str:
    """A number of things in words: “1 point”, “3 points”. `of`: the key of one of them."""
    return short(of if number == 1 else f"{of}s", number=number)


def pieces(chips: Pieces) -> str:
    """Chips by number and value: “10+5”, “3×10+5”."""
    return "+".join(
        short("pieces" if number > 1 else "piece", number=number, value=value)
        for value, number in chips
    )


def which_chips(payment: Payment) -> str:
    """The chips that go over, and those that come back as change; empty if they are not known."""
    if payment.exchange is None:
        return ""
    over, back = pieces(payment.exchange.over), pieces(payment.exchange.back)
    if payment.points < 0:
        over, back = back, over
    return short("chips-change" if back else "chips", over=over, back=back)
