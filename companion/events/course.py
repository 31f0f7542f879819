"""An event as it is kept: a list of entries, from which its text is computed anew.

Nothing is ever overwritten: `undo` names an entry that no longer counts, and may itself be undone.
The outcome is the text of docs/events.md, which any program can score again.
"""

import json
from collections.abc import Iterable, Sequence

from companion.core.values import Json
from companion.events.entries import TAKE, EventEntry, result_of
from companion.events.event import ClubEvent, EventError
from companion.events.json_values import number_of
from companion.events.reading import VERSION, read_event


class EventCourse:
    """An event's entries and the text that results from them. `text`: the event's text, as a JSON
    object; `counts`: for each entry whether it counts, False once it is undone. Raises EventError
    if an entry can't follow on those before it."""

    def __init__(self, entries: Iterable[EventEntry]) -> None:
        self.entries = tuple(entries)
        if not self.entries or self.entries[0].kind != "began":
            raise EventError("an event begins with what is played")
        self.counts = _counted(self.entries)
        text: Json = {"event": VERSION, "name": "", "players": [], "out": [], "rounds": []}
        self.text = text
        for entry, counts in zip(self.entries, self.counts, strict=True):
            if counts and entry.kind != "undo":
                TAKE[entry.kind](text, entry.said)

    def event(self) -> ClubEvent:
        """The event that results from the entries. Raises EventError while the text can't be read,
        as before the first player has come."""
        return read_event(json.dumps(self.text))

    def with_entry(self, *entries: EventEntry) -> "EventCourse":
        """The course with one or more entries added at its end; raises EventError if they can't
        follow."""
        course = EventCourse((*self.entries, *entries))
        if course.text["players"]:
            course.event()
        return course

    @property
    def round(self) -> Json | None:
        """The newest round, as the text has it; None before the first."""
        rounds = self.text["rounds"]
        return rounds[-1] if rounds else None

    @property
    def missing(self) -> list[int]:
        """Tables of the newest round that have no result yet."""
        tables = self.round["tables"] if self.round else []
        return [table["table"] for table in tables if result_of(table) is None]


def _counted(entries: Sequence[EventEntry]) -> list[bool]:
    """For each entry, whether it counts. Goes from the newest back: an entry that is undone by one
    that counts doesn't count. Raises EventError if an `undo` names no entry between the first and
    itself."""
    counts = [True] * len(entries)
    for at in range(len(entries) - 1, -1, -1):
        if counts[at] and entries[at].kind == "undo":
            number = number_of("the entry that is undone", entries[at].said["entry"], 2, at)
            counts[number - 1] = False
    return counts
