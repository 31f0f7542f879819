"""An entry as people type it: in the words of the pages, in small letters or capitals, and without
the seat if it is known whose entry it is.

    read_entry("red lays 6-3", game, seats)            Red 6-3
    read_entry("6-3", game, seats, Seat("Blue"))       Blue 6-3
    read_entry("Red calls Blue bogus", game, seats)    bogus Blue by Red

A line of a tally is read as it stands.
"""

import re
from typing import Final

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats, shown
from companion.core.words import composed, same_name
from companion.games.entry import Entry
from companion.games.game import AnyGame, parse_entry

SAID: Final = (
    (r"–|—", "-"),
    (r",", " "),
    (r"\s(?:lays|lay|laid|and|the|tiles?)\b", " "),
    (r"\s(?:draws|drew)\b", " draw"),
    (r"\s(?:passes|passed)\b", " pass"),
    (r"\s(?:is|goes|went) out\b", " out"),
    (r"\s(?:scores|scored)\b", " points"),
    (r"\s(?:shows|showed)\b", " holds"),
    (r"\sholds (\d+) pips?\b", r" pips \1"),
    (r"\s(?:misdraws|misdrew)\b", " misdraw"),
    (r"\s(?:gives|gave) (\S+) back\b", r" return \1"),
    (r"^(\S+) calls (\S+) bogus$", r"bogus \2 by \1"),
)
"""Patterns for what people say, and what the tally writes instead, applied in this order."""


def read_entry(text: str, game: AnyGame, seats: Seats, doer: Seat | None = None) -> Entry:
    """The entry that the text means; `doer`: the seat whose entry it is if the text names none.
    Raises EntryError."""
    try:
        return parse_entry(text, game, seats)
    except EntryError:
        written = _written(text, seats)
        if doer is not None and not written.startswith(tuple(f"{seat} " for seat in seats)):
            return parse_entry(_in_tally_words(f"{doer} {written}"), game, seats)
        return parse_entry(_in_tally_words(written), game, seats)


def _written(text: str, seats: Seats) -> str:
    """The text with each seat's name as the tally has it. A name in other capitals is that of the
    first seat that it may mean, unless a seat is called exactly so."""
    words, written = text.split(" "), list[str]()
    while words:
        seat, number = _named_first(words, seats)
        written.append(words[0] if seat is None else seat)
        words = words[number:]
    return " ".join(written)


def _named_first(words: list[str], seats: Seats) -> tuple[Seat | None, int]:
    """The seat that the first words name, and how many words its name has; None and 1 if they name
    none."""
    for same in (same_name, _same_letters):
        for seat in sorted(seats, key=len, reverse=True):
            for name in dict.fromkeys((seat, shown(seat))):
                number = len(name.split(" "))
                if same(" ".join(words[:number]), name):
                    return seat, number
    return None, 1


def _same_letters(one: str, other: str) -> bool:
    return composed(one).casefold() == composed(other).casefold()


def _in_tally_words(text: str) -> str:
    for said, written in SAID:
        text = re.sub(said, written, text, flags=re.I)
    return " ".join(text.split())
