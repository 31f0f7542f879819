"""Reads the people of an event as an organiser has them: names, one a line, or a table as CSV.

    Anna                          name,rating
    Ben                           Anna,1650
    Cleo Smith                    "Smith, Cleo",1500

An id is made from the name, so that a person who comes to several evenings of a league keeps it.
"""

import csv
import re
import unicodedata
from collections.abc import Container, Iterable
from fractions import Fraction
from typing import Final

from companion.core.values import Json
from companion.core.words import composed
from companion.events.event import EventError
from companion.events.reading import amount_of

LONGEST_NAME: Final = 40
MOST: Final = 2000
NAME_HEADS: Final = frozenset({"name", "player", "names", "players", "who"})
RATING_HEADS: Final = frozenset({"rating", "elo", "strength"})


def read_people(text: str, taken: Iterable[str]) -> list[Json]:
    """The people that the text names, as the `players` of an event's text. `taken`: ids that others
    have already. Raises EventError if no name is found, or a name or a rating can't be used."""
    rows = [row for row in _rows(text) if any(row)]
    heads = [cell.casefold() for cell in rows[0]] if rows else []
    at_name = next((at for at, head in enumerate(heads) if head in NAME_HEADS), None)
    at_rating = next((at for at, head in enumerate(heads) if head in RATING_HEADS), None)
    if at_name is not None:
        rows = rows[1:]
    if len(rows) > MOST:
        raise EventError("more than {most} people at once", most=MOST)
    found, taken = list[Json](), {*taken}
    for row in rows:
        name = row[at_name or 0] if len(row) > (at_name or 0) else ""
        if not name:
            continue
        if len(name) > LONGEST_NAME:
            raise EventError("“{name}…” is too long for a name", name=name[:20])
        one: Json = {"id": id_of(name, taken), "name": name}
        if at_rating is not None and len(row) > at_rating and row[at_rating]:
            one["rating"] = _rating(name, row[at_rating])
        taken.add(one["id"])
        found.append(one)
    if not found:
        raise EventError("no name stands there: write one a line")
    return found


def id_of(name: str, taken: Container[str] = ()) -> str:
    """The id of a person with this name: the name in plain small letters, a-z and 0-9, as in
    “cleo-smith”, followed by a number if that id is `taken`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    short = re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "p"
    if short not in taken:
        return short
    return next(found for at in range(2, 10**6) if (found := f"{short}-{at}") not in taken)


def _rows(text: str) -> Iterable[list[str]]:
    lines = text.lstrip("\ufeff").splitlines()
    between = next((sign for sign in "\t;," if any(sign in line for line in lines)), ",")
    for row in csv.reader(lines, delimiter=between, skipinitialspace=True):
        yield [composed(" ".join(cell.split())) for cell in row]


def _rating(name: str, text: str) -> int | float:
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise EventError(
            "the rating of {name} is no number: {text}", name=name, text=text
        ) from None
    amount_of(f"the rating of {name}", value)
    return int(value) if value.denominator == 1 else float(value)
