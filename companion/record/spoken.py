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
    """The text with each seat's name as the tally has it."""
    names = {spelled.lower(): seat for seat in seats for spelled in (seat, shown(seat))}
    any_name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern = rf"(?<!\S)(?:{any_name})(?!\S)"
    return re.sub(pattern, lambda found: names[found[0].lower()], text, flags=re.I)


def _in_tally_words(text: str) -> str:
    for said, written in SAID:
        text = re.sub(said, written, text, flags=re.I)
    return " ".join(text.split())
