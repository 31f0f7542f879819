"""The club's events, stored as entries among the hub's own rows.

A new entry includes the number of entries that its author had seen. If somebody else has added
entries since, nothing is stored, and the page asks again with the present state. A round is stored
in one transaction, so a hub that is restarted meanwhile has all of it or nothing.
"""

import json
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection

from companion.club.hub.database import Database
from companion.club.hub.hub_chain import ClubChain, HubChain, NewRows
from companion.club.hub.store import HubStore
from companion.core.values import Json, dataclass
from companion.events.bracket import Bracket, bracket_of
from companion.events.draw import METHOD, NextRound, measured_round, past_rounds
from companion.events.entries import (
    CALL_MIN,
    EventCourse,
    EventEntry,
    drawn_entry,
    read_entry,
    result_of,
    with_composed_name,
)
from companion.events.event import KNOCKOUT_FORMATS, LASTS, ClubEvent, EventError, EventTable
from companion.events.pairing import draw_round
from companion.events.seating_text import read_seating
from companion.events.standings import Standing, standings
from companion.events.teams import units_of
from companion.record.store.database import ChainLink

RUNNING_S: Final = 3 * 3600.0
"""Seconds after an event's last entry for which it counts as running."""
EVER: Final = LASTS[-1]


class ChangedError(EventError):
    """Raised, with nothing stored, if somebody else has entered something meanwhile."""


@dataclass(frozen=True)
class StoredEvent:
    """An event of the club: its number (from 1), the event that its entries result in, and for each
    entry when it was made (seconds since 1970) and by whom."""

    number: int
    course: EventCourse
    entered: Sequence[tuple[float, str]]

    @property
    def after(self) -> int:
        """The number of entries so far, which a request for new entries has to include."""
        return len(self.course.entries)

    def entries_of(self, *kinds: str) -> Iterator[tuple[int, float, EventEntry]]:
        """The entries of these kinds that count, each with its number (from 1) and its time."""
        made = zip(self.entered, self.course.entries, self.course.counts, strict=True)
        for number, ((at, _), entry, counts) in enumerate(made, start=1):
            if counts and entry.kind in kinds:
                yield number, at, entry

    @property
    def time_up_at(self) -> float | None:
        """When the time of the newest round is up, in seconds since 1970; None if no clock runs. If
        the clock was started more than once, the last start counts."""
        ends = [
            at + 60 * int(fields["minutes"])
            for at, fields in self._clocks()
            if "table" not in fields
        ]
        return ends[-1] if ends else None

    def time_up_at_table(self, table: int) -> float | None:
        """When the time is up at one table of the newest round, which may have been given extra
        time."""
        ends = self.time_up_at
        more = sum(
            int(fields["minutes"]) for _, fields in self._clocks() if fields.get("table") == table
        )
        return None if ends is None else ends + 60 * more

    def _clocks(self) -> list[tuple[float, Json]]:
        """The entries of the newest round's clock, each with the time at which it was made."""
        rounds = len(self.course.text["rounds"])
        clocks = self.entries_of("clock")
        return [(at, entry.fields) for _, at, entry in clocks if entry.fields["round"] == rounds]

    def announced(self, now: float) -> list[Json]:
        """The announcements that the hall's TV shows at the time `now`, each with the number of its
        entry."""
        return [
            {"entry": number, "text": entry.fields["text"]}
            for number, at, entry in self.entries_of("announced")
            if now < at + 60 * int(entry.fields.get("minutes", CALL_MIN))
        ]

    @property
    def break_ends_at(self) -> float | None:
        """When the break before the next round is over, in seconds since 1970; None if there is no
        break."""
        next_round = len(self.course.text["rounds"]) + 1
        ends = [
            at + 60 * int(entry.fields["minutes"])
            for _, at, entry in self.entries_of("break")
            if entry.fields["round"] == next_round
        ]
        return ends[-1] if ends else None

    def break_left_s(self, now: float) -> int | None:
        """The seconds left of the break, 0 once it is over; None if there is no break."""
        ends = self.break_ends_at
        return None if ends is None else max(round(ends - now), 0)

    def is_recent(self, now: float) -> bool:
        """Whether an entry was made recently."""
        return now - self.entered[-1][0] < RUNNING_S

    @property
    def tables(self) -> list[int]:
        """The numbers of the tables of the newest round."""
        newest = self.course.round
        return [] if newest is None else [table["table"] for table in newest["tables"]]

    @property
    def is_version_2(self) -> bool:
        """Whether the event follows version 2: results that the rules allow are entered
        automatically, and tables of other running events are not used."""
        return self.course.entries[0].fields.get("event") == 2

    def is_running(self, now: float) -> bool:
        """Whether a round is drawn and an entry was made recently."""
        return bool(self.course.text["rounds"]) and self.is_recent(now)

    @cached_property
    def event(self) -> ClubEvent:
        """The event that results from its entries. Raises EventError if nobody has come."""
        return self.course.event()

    @cached_property
    def standings(self) -> list[Standing]:
        """The standings so far. Raises EventError if nobody has come."""
        return standings(self.event)

    @cached_property
    def bracket(self) -> Bracket | None:
        """The bracket of a knock-out; None if there is none, or a match has more than two
        players."""
        if self.course.text["format"] not in KNOCKOUT_FORMATS or not self.course.text["rounds"]:
            return None
        try:
            return bracket_of(self.event)
        except EventError:
            return None

    @property
    def is_over(self) -> bool:
        """Whether all planned rounds have all their results, or a knock-out is decided."""
        bracket = self.bracket
        if bracket is not None and bracket.is_over:
            return True
        rounds, planned = len(self.course.text["rounds"]), self.course.text.get("planned")
        return planned is not None and rounds >= planned and not self.course.missing

    def draft(self) -> NextRound | None:
        """Returns the draft of the next round with its repeats and broken wishes; None if there is
        no draft."""
        fields = self.course.draft
        if fields is None:
            return None
        event = self.event
        if fields.get("seed") is not None:
            event = replace(event, seed=fields["seed"])
        tables = [EventTable(one["table"], tuple(one["seats"])) for one in fields["tables"]]
        found = measured_round(event, past_rounds(event), tables, fields.get("bye", []))
        return replace(found, method=fields.get("method", METHOD))

    def draft_differences(self) -> tuple[list[str], list[str]]:
        """The ids of players in the next round who aren't in its draft, and of players in the draft
        who aren't in the round. Both are empty without a draft."""
        fields = self.course.draft
        if fields is None:
            return [], []
        seats = (seat for table in fields["tables"] for seat in table["seats"])
        drawn, present = {*fields.get("bye", []), *seats}, self.event.present
        if self.course.text["format"] in KNOCKOUT_FORMATS:
            return [], sorted(drawn - {*present})
        if "teams" in self.course.text:
            return self._team_players_not_in(drawn), sorted(drawn - {*present})
        return [one for one in present if one not in drawn], sorted(drawn - {*present})

    def _team_players_not_in(self, drawn: set[str]) -> list[str]:
        """The players of the next round who aren't in `drawn`, without those of teams that have as
        many players in `drawn` as they need: a captain may have sent in a reserve."""
        event, found = self.event, list[str]()
        of_team = {team.name: {*team.people} for team in event.teams}
        for name, units in units_of(event).items():
            people = [one for unit in units for one in unit]
            if len(drawn & of_team[name]) < len(people):
                found += [one for one in people if one not in drawn]
        return found

    def was_made_by_draw(self, number: int) -> bool:
        """Whether the draw of a round added this entry."""
        later = zip(self.entered[number:], self.course.entries[number:], strict=True)
        return any(
            entry.kind in ("proposed", "drawn")
            for when, entry in later
            if when == self.entered[number - 1]
        )

    def open_calls(self) -> list[Json]:
        """Players' calls for a judge in the newest round, at most one a table, to which no judge
        has come yet."""
        found = dict[object, Json]()
        for entry in self.course.entries_of("call", "helped"):
            fields = entry.fields
            if fields["round"] == len(self.course.text["rounds"]):
                found[fields["table"]] = fields if entry.kind == "call" else {}
        return [fields for fields in found.values() if fields]

    def players_at(self, table: Json) -> list[Json]:
        """The id and the name of each player at `table` (a table in the event's text), by seat."""
        names = {one["id"]: str(one["name"]) for one in self.course.text["players"]}
        return [{"id": one, "name": names[one]} for one in table["seats"]]

    def phone_of(self, player: str) -> int | None:
        """The number of the entry that links a phone to the player; None if the player has no
        phone."""
        phones = self.entries_of("phone")
        found = [number for number, _, entry in phones if entry.fields["id"] == player]
        return found[-1] if found else None

    @property
    def uses_phones(self) -> bool:
        """Whether phones are in use at this event."""
        return bool(self.course.entries[0].fields.get("phones", True))

    @property
    def games(self) -> int:
        """The number of games in a match at a table."""
        return int(self.course.entries[0].fields.get("games", 1))

    def final_at(self, number: int) -> float | None:
        """The last moment at which the results of the round `number` may be corrected, in seconds
        since 1970; None if there is no limit, or the round is not complete."""
        minutes = self.course.entries[0].fields.get("period")
        rounds = self.course.text["rounds"]
        if minutes is None or not 0 < number <= len(rounds):
            return None
        if any(result_of(table) is None for table in rounds[number - 1]["tables"]):
            return None
        made = self.entries_of("result", "reopened")
        ends = [at for _, at, entry in made if entry.fields["round"] == number]
        return max(ends) + 60 * int(minutes) if ends else None

    def check_correction(self, entry: EventEntry, now: float) -> None:
        """Raises EventError if `entry` changes a result that can't be corrected any more."""
        number = self._round_changed(entry)
        since = None if number is None else self.final_at(number)
        if since is not None and now > since:
            raise EventError(
                "the results of round {round} became final {minutes} minutes ago: the "
"organiser can reopen them, with a reason",
                round=number, minutes=max(1, int((now - since) / 60)),
            )  # fmt: skip

    def _round_changed(self, entry: EventEntry) -> int | None:
        """The round whose results `entry` changes; None if it changes none."""
        if entry.kind == "undo":
            number = entry.fields.get("entry")
            known = self.course.entries
            inside = isinstance(number, int) and 0 < number <= len(known)
            return self._round_changed(known[number - 1]) if inside and number else None
        return entry.fields.get("round") if entry.kind in ("result", "corrected") else None

    def export_text(self, before: int | None = None, *, organiser: bool = True) -> str:
        """Returns the event as JSON text, from which any program can score it again. `before`: the
        number of a round; the text then has only the input of that round's draw, so that it can be
        repeated. Raises EventError if that round is not drawn yet. Only the text for an `organiser`
        has the wishes of people to sit apart, without which a draw that followed some can't be
        repeated; any other text has their number as `withheld`. Until a round is published, seats
        given for it are in the organiser's text alone."""
        text = self.course.text if before is None else self._text_before_draw(before)
        text = text if organiser else self._without_secrets(text)
        return f"{json.dumps(text, ensure_ascii=False, indent=1)}\n"

    @property
    def public_text(self) -> Json:
        """The event's text as everybody but the organiser may read it."""
        return self._without_secrets(self.course.text)

    def _without_secrets(self, text: Json) -> Json:
        published = len(self.course.text["rounds"])
        given = [one for one in text.get("seating", []) if one["round"] <= published]
        shown = {key: value for key, value in text.items() if key != "seating"}
        return without_apart({**shown, "seating": given} if given else shown)

    def _text_before_draw(self, number: int) -> Json:
        entries, drafted = self.course.entries, None
        for at, (entry, counts) in enumerate(zip(entries, self.course.counts, strict=True)):
            if entry.kind == "proposed" and entry.fields["round"] == number:
                drafted = drafted if entry.fields.get("moved") else at
            if counts and entry.kind == "drawn" and entry.fields["round"] == number:
                by_draft = {"seed", "moved"} & entry.fields.keys() or _matches_draft(
                    entries, drafted, entry
                )
                text = EventCourse(entries[: drafted if by_draft and drafted else at]).text
                seed = entry.fields.get("seed")
                return text if seed is None else {**text, "seed": seed}
        raise EventError("round {round} has not been drawn yet", round=number)

    @property
    def name(self) -> str:
        """The event's name, or “Event 4” if it has none."""
        return str(self.course.text.get("name") or f"Event {self.number}")


def without_apart(text: Json) -> Json:
    """Returns an event's text without the wishes to sit apart, which name people who avoid each
    other. If there are any, the text has their number as `withheld`, and so is of version 2."""
    wishes = text.get("wishes", [])
    shown = [one for one in wishes if "apart" not in one]
    if len(shown) == len(wishes):
        return text
    return {**text, "event": 2, "wishes": shown, "withheld": len(wishes) - len(shown)}


def _matches_draft(entries: Sequence[EventEntry], drafted: int | None, drawn: EventEntry) -> bool:
    """Whether a round was drawn exactly as in its draft."""
    return drafted is not None and entries[drafted].fields["tables"] == drawn.fields["tables"]


class EventReader:
    """The events of a club, from the rows of its hub."""

    def __init__(self, database: Database, chain: ClubChain) -> None:
        self._database, self._chain = database, chain
        self._events_read = dict[int, tuple[bytes, StoredEvent]]()
        """Each event as last read, by number, with the hash of its newest row."""

    def events(self) -> list[StoredEvent]:
        """All events that can be read, newest first, each with its first entry only."""
        with self._database.reading() as db:
            first = self._chain.first_rows(db)
        found = []
        for link in first:
            with suppress(EventError):  # a newer version wrote it
                found.append(_build_event(link.game, [link]))
        return found

    def names(self) -> set[str]:
        """The names of all players who were ever entered for an event of the club. Only events
        that have changed since they were last read are read again."""
        with self._database.reading() as db:
            newest = self._chain.newest_hashes(db)
            events = [self._read_if_new(db, *one) for one in newest.items()]
        return {str(one["name"]) for kept in events for one in kept.course.text["players"]}

    def event(self, number: int) -> StoredEvent:
        """The present state of the event `number`. Raises EventError if there is none."""
        with self._database.reading() as db:
            return self._read(db, number)

    def _read(self, db: Connection, number: int) -> StoredEvent:
        newest = self._chain.newest_hash(db, number)
        if newest is None:
            raise EventError("there is no event {number}", number=number)
        return self._read_if_new(db, number, newest)

    def _read_if_new(self, db: Connection, number: int, newest: bytes) -> StoredEvent:
        before = self._events_read.get(number)
        if before is None or before[0] != newest:
            before = newest, _build_event(number, self._chain.rows_about(db, number))
            self._events_read[number] = before
        return before[1]


class EventDesk(EventReader):
    """The events of the hub's club. Only the committer may call methods that change something."""

    def __init__(self, store: HubStore) -> None:
        self._store, self._own = store, HubChain(store)
        super().__init__(store.database, self._own)

    def begin(self, settings: Json, by: str) -> StoredEvent:
        """Begins an event with these settings and returns it. Raises EventError."""
        first = read_entry(EventEntry("began", settings).as_text)
        EventCourse([first]).with_entries(EventEntry("came", {"id": "p1", "name": "Somebody"}))

        def decide(db: Connection) -> NewRows:
            number = max((link.game for link in self._own.first_rows(db)), default=0) + 1
            return NewRows(number, [first.as_text], by)

        return self.event(self._own.add(decide).about)

    def draw(
        self,
        number: int,
        after: int,
        *,
        draft: bool = False,
        seed: str | None = None,
        seating: str | None = None,
        by_lot: bool = False,
    ) -> list[EventEntry]:
        """Draws the next round and returns the entries for it, for `enter` to store; with `draft`
        the round isn't published yet. `seed`: used for the lot instead of the event's seed.
        `seating`: the organiser's text with the seats of this round, and perhaps of later ones,
        which replace a draw. `by_lot`: drops the seats given for this round, and draws it. Drawing
        may take a while, but stores nothing. Raises EventError, also if there is no further round,
        and ChangedError if the event has more or fewer than `after` entries."""
        kept = self.event(number)
        _check_unchanged(kept, after)
        before = [*self._reopenings(kept), *self._close_tables_of_others(kept)]
        course = kept.course.with_entries(*before)
        rounds = course.text.get("seating", [])
        if seating is not None:
            rounds = read_seating(seating, course.event())
        elif by_lot:
            rounds = [one for one in rounds if one["round"] != len(course.text["rounds"]) + 1]
        if rounds != course.text.get("seating", []):
            before.append(EventEntry("seating", {"rounds": rounds}))
            course = course.with_entries(before[-1])
        event = course.event()
        drawn = draw_round(event if seed is None else replace(event, seed=seed))
        if not drawn.tables:
            raise EventError("there is no further round: the event is decided, or all have met")
        entry = drawn_entry(drawn)
        fields = entry.fields if seed is None else {**entry.fields, "seed": seed}
        return [*before, EventEntry("proposed" if draft else "drawn", fields)]

    def publish(self, number: int, after: int) -> EventEntry:
        """Returns the entry that draws the next round exactly as drafted. Raises EventError if
        there is no draft, if its players aren't exactly those who are here, or if another event has
        taken one of its tables since, and ChangedError as `draw` does."""
        kept = self.event(number)
        _check_unchanged(kept, after)
        fields = kept.course.draft
        if fields is None:
            raise EventError("there is no draft of the next round: draw it first")
        lacks, has = kept.draft_differences()
        names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
        if lacks:
            raise EventError("{name} isn't in this draft: draw again", name=names[lacks[0]])
        if has:
            raise EventError("{name} has left since this draft: draw again", name=names[has[0]])
        taken = {entry.fields["closed"] for entry in self._close_tables_of_others(kept)}
        for one in fields["tables"]:
            if one["table"] in taken:
                raise EventError(
                    "another event uses table {table} now: draw again", table=one["table"]
                )
        return EventEntry("drawn", fields)

    def running(self, db: Connection | None = None) -> list[StoredEvent]:
        """The running events, the newest first; the newest event is always among them."""
        if db is None:
            with self._store.database.reading() as reading:
                return self.running(reading)
        now = self._store.clock()
        times = self._own.newest_times(db)
        newest = max(times, default=0)
        asked = sorted((one for one, at in times.items() if one == newest or now - at < RUNNING_S),
                       reverse=True)  # fmt: skip
        found = [self._read(db, one) for one in asked]
        return [one for one in found if one.number == newest or one.is_running(now)]

    def tables_to_reopen(self, kept: StoredEvent) -> dict[int, int]:
        """The tables that a draw closed because another event used them, and that are free again,
        each with the number of the closing entry. The next draw opens them."""
        closed = {
            entry.fields["closed"]: number
            for number, _, entry in kept.entries_of("wish")
            if "closed" in entry.fields and kept.was_made_by_draw(number)
        }
        used = self._used_by_others(kept) if closed else set()
        return {table: number for table, number in closed.items() if table not in used}

    def _reopenings(self, kept: StoredEvent) -> list[EventEntry]:
        return [EventEntry("undo", {"entry": one}) for one in self.tables_to_reopen(kept).values()]

    def _used_by_others(self, kept: StoredEvent) -> set[int]:
        """The tables of other running events."""
        now = self._store.clock()
        return {
            table
            for other in self.running()
            if other.number != kept.number and other.is_running(now) and not other.is_over
            for table in other.tables
        }

    def _close_tables_of_others(self, kept: StoredEvent) -> list[EventEntry]:
        """Returns entries (wishes) that close the tables of other running events. If somebody has
        undone such a wish, that table is not closed again."""
        if not kept.is_version_2:
            return []
        reopened = {
            entry.fields["entry"]
            for number, _, entry in kept.entries_of("undo")
            if kept.was_made_by_draw(number)
        }
        closed = {
            entry.fields.get("closed")
            for number, entry in enumerate(kept.course.entries, start=1)
            if entry.kind == "wish" and number not in reopened
        }
        return [
            EventEntry("wish", {"closed": one})
            for one in sorted(self._used_by_others(kept))
            if one not in closed and one not in kept.tables
        ]

    def _lasting_wishes(
        self, db: Connection, kept: StoredEvent, entries: Iterable[EventEntry]
    ) -> list[EventEntry]:
        """Returns the permanent wishes from the club's other events that concern a new player of
        this event and another of its players. A wish that was undone here isn't returned again."""
        new = {entry.fields["id"] for entry in entries if entry.kind in ("listed", "came")}
        if not new:
            return []
        here = new | {one["id"] for one in kept.course.text["players"]}
        told = {
            frozenset(entry.fields.get("apart", ()))
            for entry in (*kept.course.entries, *entries)
            if entry.kind == "wish"
        }
        found = []
        for number in self._own.find_events_with(db, f'"for":"{EVER}"'):
            if number == kept.number:
                continue
            for entry in self._read(db, number).course.entries_of("wish"):
                apart = frozenset(entry.fields.get("apart", ()))
                if entry.fields.get("for") != EVER or apart in told:
                    continue
                if apart <= here and apart & new:
                    told.add(apart)
                    found.append(EventEntry("wish", {"apart": sorted(apart), "for": EVER}))
        return found

    def phone_token(self, kept: StoredEvent, player: str) -> str | None:
        """The secret part of the address of the player's own page; None if the player has no phone.
        It is derived from the club's key, so it is not stored anywhere."""
        entry = kept.phone_of(player)
        if entry is None:
            return None
        parts = (str(one).encode() for one in (kept.number, player, entry))
        signed = self._store.keys.sign("my evening", *parts)
        return b32encode(sha256(signed).digest()[:10]).decode().lower()

    def enter(self, number: int, after: int, entries: Sequence[EventEntry], by: str) -> StoredEvent:
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
            checked += self._lasting_wishes(db, kept, checked)
            kept.course.with_entries(*checked)
            return NewRows(number, [entry.as_text for entry in checked], by)

        self._own.add(decide)
        return self.event(number)


def _check_unchanged(kept: StoredEvent, after: int) -> None:
    if kept.after != after:
        raise ChangedError("somebody else has just changed this event: check it, and try again")


def _build_event(number: int, links: Sequence[ChainLink]) -> StoredEvent:
    course = EventCourse(read_entry(link.row) for link in links)
    return StoredEvent(number, course, [(link.at or 0.0, link.source or "") for link in links])
