"""Evenings as a calendar, in the form of iCalendar (RFC 5545). Pure."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from companion.core.seats import shown
from companion.core.version import VERSION
from companion.core.words import isolated
from companion.players.evenings import PlayedEvening
from companion.players.figures import many_games
from companion.record.people.people import People

LONGEST_LINE: Final = 75
"""The most bytes of a line; a longer one goes on in the next, which begins with a space."""
SHORTEST_S: Final = 60.0
"""The least length of an evening in seconds, for one with a single entry."""


def calendar(evenings: Iterable[PlayedEvening], titles: Mapping[str, str], people: People) -> str:
    """A calendar with each evening whose time is known."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Table companion//{VERSION}//EN",
        *(line for one in evenings for line in _evening(one, titles, people)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _evening(evening: PlayedEvening, titles: Mapping[str, str], people: People) -> Iterator[str]:
    if (begun := evening.at) is None:
        return
    ended = max(evening.until or begun, begun + SHORTEST_S)
    won = ", ".join(
        f"{isolated(shown(name))} {many}" for name, many in evening.wins(people).items()
    )
    games = ", ".join(titles[kind] for kind in evening.kinds)
    yield "BEGIN:VEVENT"
    yield f"UID:{int(begun)}-{evening.number}@table-companion"
    yield f"DTSTAMP:{_instant(begun)}"
    yield f"DTSTART:{_instant(begun)}"
    yield f"DTEND:{_instant(ended)}"
    yield f"SUMMARY:{_text(f'{games}: {won}' if won else games)}"
    yield f"DESCRIPTION:{_text(many_games(len(evening.games)))}."
    yield "END:VEVENT"


def _instant(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(words: str) -> str:
    """Words as a value: signs that would end the value or begin another are escaped."""
    for sign in ("\\", ";", ","):
        words = words.replace(sign, f"\\{sign}")
    return words.replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """The line in parts of at most LONGEST_LINE bytes, cut between letters."""
    part = ""
    for letter in line:
        if len((part + letter).encode()) > LONGEST_LINE:
            yield part
            part = " "
        part += letter
    yield part
