"""The club's events, kept as entries among the hub's own rows.

An entry says after how many others it was meant. If somebody else was faster, nothing is kept, and
the page asks again with what stands now. A round is kept in one transaction, so a hub that is
restarted meanwhile has all of it or nothing.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from companion.club.hub.hub_chain import HubChain, NewRows
from companion.club.hub.store import HubStore
from companion.core.values import Json
from companion.events.entries import (
    EventCourse,
    EventEntry,
    drawn_entry,
    read_entry,
    result_of,
    with_composed_name,
)
from companion.events.event import EventError
from companion.events.pairing import draw_round
from companion.record.store.database import ChainLink


class ChangedError(EventError):
    """Somebody else entered something meanwhile: nothing was kept."""


@dataclass(frozen=True, slots=True)
class KeptEvent:
    """An event of the club: its number (from 1), the course that its entries make, and for each
    entry when it was entered (seconds since 1970) and by whom."""

    number: int
    course: EventCourse
    entered: Sequence[tuple[float, str]]

    @property
    def after(self) -> int:
        """The number of entries so far, which a new entry has to name."""
        return len(self.course.entries)

    @property
    def time_up_at(self) -> float | None:
        """When the time of the newest round is up, in seconds since 1970; None: no clock runs. The
        newest clock of the round counts."""
        rounds = len(self.course.text["rounds"])
        ends = [
            at + 60 * int(entry.said["minutes"])
            for (at, _), entry, counts in zip(
                self.entered, self.course.entries, self.course.counts, strict=True
            )
            if counts and entry.kind == "clock" and entry.said["round"] == rounds
        ]
        return ends[-1] if ends else None

    @property
    def with_phones(self) -> bool:
        """Whether phones are in use at this event."""
        return bool(self.course.entries[0].said.get("phones", True))

    @property
    def games(self) -> int:
        """The number of games in a match at a table."""
        return int(self.course.entries[0].said.get("games", 1))

    def final_since(self, number: int) -> float | None:
        """The last moment at which the results of the round `number` may be corrected, in seconds
        since 1970; None: they may be for ever, or the round is not complete."""
        minutes = self.course.entries[0].said.get("period")
        rounds = self.course.text["rounds"]
        if minutes is None or not 0 < number <= len(rounds):
            return None
        if any(result_of(table) is None for table in rounds[number - 1]["tables"]):
            return None
        ends = [
            at
            for (at, _), entry, counts in zip(
                self.entered, self.course.entries, self.course.counts, strict=True
            )
            if counts and entry.kind in ("result", "reopened") and entry.said["round"] == number
        ]
        return max(ends) + 60 * int(minutes) if ends else None

    def check_correction(self, entry: EventEntry, now: float) -> None:
        """Raises EventError if `entry` changes a result that can't be corrected any more."""
        number = self._round_changed(entry)
        since = None if number is None else self.final_since(number)
        if since is not None and now > since:
            raise EventError(
                "the results of round {round} stand since {minutes} minutes: the organiser can "
                "open them again, with a reason",
                round=number, minutes=max(1, int((now - since) / 60)),
            )  # fmt: skip

    def _round_changed(self, entry: EventEntry) -> int | None:
        """The round whose results `entry` changes; None if it changes none."""
        if entry.kind == "undo":
            number = entry.said.get("entry")
            known = self.course.entries
            inside = isinstance(number, int) and 0 < number <= len(known)
            return self._round_changed(known[number - 1]) if inside and number else None
        return entry.said.get("round") if entry.kind in ("result", "corrected") else None

    def exported(self, before: int | None = None) -> str:
        """The event as JSON text, from which any program can score it again. `before`: the number
        of a round; the text is then what that round was drawn from, so that anybody can draw it
        once more. Raises EventError if that round is not drawn yet."""
        text = self.course.text if before is None else self._drawn_from(before)
        return f"{json.dumps(text, ensure_ascii=False, indent=1)}\n"

    def _drawn_from(self, number: int) -> Json:
        entries = self.course.entries
        for at, (entry, counts) in enumerate(zip(entries, self.course.counts, strict=True)):
            if counts and entry.kind == "drawn" and entry.said["round"] == number:
                return EventCourse(entries[:at]).text
        raise EventError("round {round} is not drawn yet", round=number)

    @property
    def name(self) -> str:
        """The event's name, or “Event 4” if it has none."""
        return str(self.course.text.get("name") or f"Event {self.number}")


class EventDesk:
    """The events of the hub's club. What changes something belongs to the committer."""

    def __init__(self, store: HubStore) -> None:
        self._store, self._own = store, HubChain(store)

    def begin(self, settings: Json, by: str) -> KeptEvent:
        """Begins an event with these settings and gives it. Raises EventError."""
        first = read_entry(EventEntry("began", settings).as_text)
        EventCourse([first]).with_entry(EventEntry("came", {"id": "p1", "name": "Somebody"}))

        def decide(db: Connection) -> NewRows:
            number = max((link.game for link in self._own.first_rows(db)), default=0) + 1
            return NewRows(number, [first.as_text], by)

        return self.event(self._own.add(decide).about)

    def drawn(self, number: int, after: int) -> EventEntry:
        """Draws the next round and returns the entry for it, which `enter` then keeps. It may take
        a while, and changes nothing. Raises EventError, also if there is no further round, and
        ChangedError if the event has more or fewer than `after` entries."""
        kept = self.event(number)
        _check_unchanged(kept, after)
        drawn = draw_round(kept.course.event())
        if not drawn.tables:
            raise EventError("there is no further round: it is decided, or all have met")
        return drawn_entry(drawn)

    def enter(self, number: int, after: int, entries: Sequence[EventEntry], by: str) -> KeptEvent:
        """Adds these entries, all or none, and returns the event with them. Raises EventError if
        they can't be added, and ChangedError if the event has more or fewer than `after` entries.
        """

        def decide(db: Connection) -> NewRows:
            kept = self._read(db, number)
            _check_unchanged(kept, after)
            if not entries:
                raise EventError("nothing was entered")
            players = kept.course.text["players"]
            checked = [with_composed_name(read_entry(one.as_text), players) for one in entries]
            for entry in checked:
                kept.check_correction(entry, self._store.clock())
            kept.course.with_entry(*checked)
            return NewRows(number, [entry.as_text for entry in checked], by)

        self._own.add(decide)
        return self.event(number)

    def events(self) -> list[KeptEvent]:
        """All events, the newest first, each with its first entry only."""
        with self._store.database.reading() as db:
            return [_event_of(link.game, [link]) for link in self._own.first_rows(db)]

    def names(self) -> set[str]:
        """The names of all players who were ever entered for an event of the club."""
        with self._store.database.reading() as db:
            numbers = [link.game for link in self._own.first_rows(db)]
            events = [self._read(db, number) for number in numbers]
        return {str(one["name"]) for kept in events for one in kept.course.text["players"]}

    def event(self, number: int) -> KeptEvent:
        """The event `number` as it stands. Raises EventError if there is none."""
        with self._store.database.reading() as db:
            return self._read(db, number)

    def _read(self, db: Connection, number: int) -> KeptEvent:
        links = self._own.rows_about(db, number)
        if not links:
            raise EventError("there is no event {number}", number=number)
        return _event_of(number, links)


def _check_unchanged(kept: KeptEvent, after: int) -> None:
    if kept.after != after:
        raise ChangedError("somebody else has just changed this event: look, and try again")


def _event_of(number: int, links: Sequence[ChainLink]) -> KeptEvent:
    course = EventCourse(read_entry(link.row) for link in links)
    return KeptEvent(number, course, [(link.at or 0.0, link.source or "") for link in links])
