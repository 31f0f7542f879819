"""Reads seating that an organiser writes in place of a draw: a table on each line, and an empty
line between rounds. Also reads teams, one on each line.

    1: Anna, Ben, Cleo, Dan
    4: Eve, Finn, Gus

    1: Anna, Eve, Ben, Finn
    Cleo, Dan, Gus

The names are in the order of the seats, separated by commas, semicolons or tabs; a name that
contains one of these is in quotes. A line without a number gets the next free table. `-:` begins
the line of the players who have a bye."""

import csv
import re
from collections.abc import Iterator
from difflib import get_close_matches
from io import StringIO
from itertools import count
from typing import Final

from companion.core.values import Json
from companion.core.words import case_folded, composed
from companion.events.event import ClubEvent, EventError

MOST_TABLE: Final = 999
LONGEST_LINE: Final = 1000
"""The most characters of a table's names, with some to spare for spaces and quotes."""
BYE: Final = "-"
_LINE: Final = re.compile(r"\s*(?:(?:[^\W\d]+\s+)?(?P<table>\d{1,4}|-)\s*:)?(?P<names>.*)")
"""A number, perhaps after a word as in “Table 1:”, and the names."""


def read_seating(text: str, event: ClubEvent) -> list[Json]:
    """The rounds in this text, in the form of `seating` in the event's text; the first is the
    event's next round. Raises EventError, which names the line, for a name that isn't in the event,
    and for a person or a table that occurs twice in a round."""
    found, reading = list[Json](), _SeatingReader(event)
    number = len(event.rounds) + 1
    for lines in _split_rounds(text):
        found.append({"round": number + len(found), **reading.round(lines)})
    if not found:
        raise EventError("there are no tables: write one on each line, as in 1: Anna, Ben")
    return found


def seating_text(event: ClubEvent) -> str:
    """The seating for rounds to come as text for `read_seating`; empty if none was given."""
    name = {one.id: one.name for one in event.players}
    rounds = []
    for number, given in sorted(event.seating.items()):
        if number > len(event.rounds):
            lines = [(str(table.number), table.seats) for table in given.tables]
            lines += [(BYE, given.bye)] if given.bye else []
            each = (f"{at}: {_join_names([name[one] for one in seats])}" for at, seats in lines)
            rounds.append("\n".join(each))
    return "\n\n".join(rounds)


def read_teams(text: str, event: ClubEvent) -> list[Json]:
    """The teams in this text, in the form of `teams` in the event's text: a team on each line, as
    in “Ship Inn: Anna, Ben”, with its people in the order of their boards. An empty text has none.
    Raises EventError, which names the line, for a name that isn't in the event, and for somebody
    who is in two teams."""
    found, reading, taken = list[Json](), _SeatingReader(event), set[str]()
    names = {one.id: one.name for one in event.players}
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if not line.strip():
            continue
        team, colon, people = line.partition(":")
        if not colon or not team.strip():
            raise EventError(
                "line {line}: write the name of a team, a colon, and its people, as in "
                "Ship Inn: Anna, Ben",
                line=number,
            )
        ids = reading.read_seats(number, people, set())
        if twice := next((one for one in ids if one in taken), None):
            raise EventError(
                "line {line}: {name} is already in a team", line=number, name=names[twice]
            )
        taken.update(ids)
        found.append({"name": composed(" ".join(team.split())), "people": ids})
    return found


def teams_text(event: ClubEvent) -> str:
    """The teams as text for `read_teams`; empty if there are none."""
    name = {one.id: one.name for one in event.players}
    return "\n".join(
        f"{team.name}: {_join_names([name[one] for one in team.people])}" for team in event.teams
    )


def _join_names(names: list[str]) -> str:
    quoted = (
        f'"{one.replace(chr(34), chr(34) * 2)}"' if re.search('[",;\t]', one) else one
        for one in names
    )
    return ", ".join(quoted)


NumberedLine = tuple[int, str]
"""A line with its number, from 1."""


def _split_rounds(text: str) -> Iterator[list[NumberedLine]]:
    """The lines of each round."""
    found = list[NumberedLine]()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if line.strip():
            found.append((number, line))
        elif found:
            yield found
            found = []
    if found:
        yield found


class _SeatingReader:
    """Reads a seating round by round."""

    def __init__(self, event: ClubEvent) -> None:
        self._ids = {case_folded(one.name): one.id for one in event.players}
        self._names = {one.id: one.name for one in event.players}
        self._closed = {wish.closed for wish in event.wishes if wish.closed is not None}

    def round(self, lines: list[NumberedLine]) -> Json:
        """The tables of a round and those who have a bye."""
        tables, unnumbered = dict[int, list[str]](), list[list[str]]()
        seated, bye = set[str](), list[str]()
        for number, line in lines:
            match = _LINE.fullmatch(line)
            assert match is not None  # the pattern matches any line, as the names may be empty
            seats = self.read_seats(number, match["names"], seated)
            if match["table"] is None:
                unnumbered.append(seats)
            elif match["table"] == BYE:
                bye += seats
            else:
                at = int(match["table"])
                if not 1 <= at <= MOST_TABLE:
                    raise EventError(
                        "line {line}: a table's number is from 1 to {most}",
                        line=number,
                        most=MOST_TABLE,
                    )
                if at in tables:
                    raise EventError(
                        "line {line}: table {table} is already above", line=number, table=at
                    )
                tables[at] = seats
        taken = {*tables} | self._closed
        free = (at for at in count(1) if at not in taken)
        tables.update(zip(free, unnumbered, strict=False))
        return {"tables": [{"table": at, "seats": tables[at]} for at in sorted(tables)], "bye": bye}

    def read_seats(self, number: int, names: str, seated: set[str]) -> list[str]:
        """Returns the ids of the players named on a line, and adds them to those who are
        `seated`."""
        sign = next((one for one in "\t;" if one in names), ",")
        if len(names) > LONGEST_LINE:
            raise EventError("line {line} is too long for a table", line=number)
        row = next(csv.reader(StringIO(names.strip()), delimiter=sign, skipinitialspace=True), [])
        found = [self._find_id(number, " ".join(one.split())) for one in row if one.strip()]
        if not found:
            raise EventError("line {line}: there is no name", line=number)
        for one in found:
            if one in seated:
                raise EventError(
                    "line {line}: {name} already has a place in this round",
                    line=number,
                    name=self._names[one],
                )
            seated.add(one)
        return found

    def _find_id(self, number: int, name: str) -> str:
        folded = case_folded(name)
        if folded in self._ids:
            return self._ids[folded]
        if near := get_close_matches(folded, self._ids, 1):
            raise EventError(
                "line {line}: nobody is called {name}; did you mean {near}?",
                line=number,
                name=name,
                near=self._names[self._ids[near[0]]],
            )
        raise EventError("line {line}: nobody is called {name}", line=number, name=name)
