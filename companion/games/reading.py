"""Reading the words of a tally line."""

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.core.words import known_as, listed, phrase


def seat_named(word: str, seats: Seats) -> Seat:
    """The seat of that name; raises EntryError that lists the seats."""
    word = known_as(word, seats)
    if word not in seats:
        raise EntryError(
            "{word} has no seat here: the seats are {seats}", word=word, seats=listed(seats)
        )
    return Seat(word)


def whole_number(word: str, what: str) -> int:
    """Reads a whole number, perhaps negative; raises EntryError, which says that `what` needs
    one."""
    digits = word[1:] if word[:1] in "+-" else word
    if not (digits.isdecimal() and digits.isascii() and len(digits) < 7):
        raise EntryError(
            "{word} is not a number: {what} needs a whole number",
            word=word or phrase("nothing"),
            what=what,
        )
    return int(word)


def no_more(line: list[str], length: int) -> None:
    """Raises EntryError if the line has more than `length` words."""
    if len(line) > length:
        raise EntryError(
            "too many words: what does “{rest}” mean here?", rest=" ".join(line[length:])
        )
