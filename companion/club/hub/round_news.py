"""Tells the boxes about the newest event's round: seats to begin with, the clock, that time is up.

Everything is sent when it changes, and again to a box that connects. If people other than those of
the event play at a box, it is given the event's seats, too, and asks whether these people sit there
(console/screens/given_seats.py).
"""

import asyncio
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from functools import partial
from typing import Final

from companion.club.hub.club_table import ClubTable
from companion.club.hub.database import AwayError
from companion.club.hub.event_desk import EventDesk, KeptEvent
from companion.club.hub.results import tables_of_round
from companion.club.hub.server import Hub
from companion.club.hub.store import MEMBER
from companion.core.club import GivenSeats
from companion.core.values import Json
from companion.core.words import phrase
from companion.events.event import DEFAULT_GAME, EventError

# ---------------------------------------------------------------- seats
# Gives an event's seats to the club's boxes: those of each table to the box that has its number.
#
# The box asks its players “Round 3, table 7 … OK: begin” (console/screens/given_seats.py). It gets
# the seats when a round is drawn or seats change, and again when it connects, until a game there is
# found or the result is entered.


def box_of(number: int, tables: Iterable[ClubTable]) -> str | None:
    """The member that has that number; None: there is none."""
    return next((one.box for one in tables if one.state == MEMBER and one.number == number), None)


def seats_to_give(kept: KeptEvent, tables: Iterable[ClubTable]) -> dict[str, Json]:
    """The seats for each box that has a table of the newest round still to begin, or at which
    people other than those of its table play."""
    known = [*tables]
    waiting = {one.table: one for one in tables_of_round(kept, known)}
    newest = kept.course.round
    if newest is None:
        return {}
    names = {one["id"]: str(one["name"]) for one in kept.course.text["players"]}
    found = {}
    for table in newest["tables"]:
        one = waiting.get(table["table"])
        if one is None or (one.box is not None and not one.others):
            continue
        box = one.box or box_of(table["table"], known)
        if box is not None:
            given = GivenSeats(
                kept.number,
                len(kept.course.text["rounds"]),
                table["table"],
                str(kept.course.text.get("game", DEFAULT_GAME)),
                tuple(names[one] for one in table["seats"]),
                tuple(kept.course.text.get("options", {}).items()),
            )
            found[box] = given.as_json
    return found


# ---------------------------------------------------------------- round news

CLOCK_S: Final = 1.0
LATE_S: Final = 60.0
"""For so many seconds after the end, a hub that was away still says that the time is up."""
SHOWN_S: Final = 3 * 3600.0
"""Seconds after an event's last entry for which its board is shown on a TV."""
TIME_UP: Final = phrase("Time! Finish this hand.")
SEATS: Final = frozenset({"drawn", "reseated", "undo"})
"""Kinds of entries after which boxes may have to be given other seats, or none."""
CLOCKS: Final = frozenset({"drawn", "undo", "clock", "result", "corrected"})
"""Kinds of entries after which another clock, or none, may run at some boxes."""


class RoundNews:
    """Tells a hub's boxes about the round. All methods belong to the hub's event loop."""

    def __init__(self, hub: Hub, desk: EventDesk) -> None:
        self._hub, self._desk = hub, desk
        self._timed: Mapping[str, float] = {}
        """For each box whose clock runs: when its time is up, by the hub's clock."""
        self.shown: int | None = None
        """The number of the event that a TV shows beside the tables: the newest, from its first
        round until hours after its last entry."""

    # ------------------------------------------------------------ telling

    async def greet(self, box: str) -> list[Json]:
        """The messages for a box that has just connected: its seats and its clock, if there are
        any."""
        kept = await self._newest()
        if kept is None:
            return []
        given, timed = await self._now(kept)
        found: list[Json] = [{"seats": given[box]}] if box in given else []
        return [*found, self._clock_of(timed[box])] if box in timed else found

    async def tell_renumbered(self) -> None:
        """Tells the boxes what they are to play, after tables have other numbers."""
        if (kept := await self._newest()) is not None:
            await self.tell(kept, {"undo"})

    async def tell(self, kept: KeptEvent, kinds: Set[str]) -> None:
        """Tells the boxes what entries of these kinds have changed."""
        if not kinds & (SEATS | CLOCKS):
            return
        given, timed = await self._now(kept)
        members = [one.box for one in self._hub.tables.own() if one.state == MEMBER]
        for box in members:
            if kinds & SEATS and (box in given or "undo" in kinds):
                await self._hub.tell_box(box, {"seats": given.get(box)})
            if kinds & CLOCKS and (box in timed or box in self._timed):
                await self._hub.tell_box(box, self._clock_of(timed.get(box)))
        self._timed = timed

    def left_s(self, box: str) -> int | None:
        """Seconds that the round of that box's table still has; None: no clock runs there."""
        ends = self._timed.get(box)
        return None if ends is None else max(0, round(ends - self._hub.clock()))

    def _clock_of(self, ends: float | None) -> Json:
        left = None if ends is None else max(0.0, round(ends - self._hub.clock(), 1))
        return {"clock": {"left_s": left}}

    async def _now(self, kept: KeptEvent) -> tuple[Mapping[str, Json], Mapping[str, float]]:
        """The seats that each box is to be given, and the moment at which each box's time is up."""
        await self._hub.refresh()
        return seats_to_give(kept, self._hub.tables.own()), self._timed_by(kept)

    def _timed_by(self, kept: KeptEvent) -> dict[str, float]:
        tables, ends = self._hub.tables.own(), kept.time_up_at
        found = [one.box or box_of(one.table, tables) for one in tables_of_round(kept, tables)]
        return {box: ends for box in found if box is not None and ends is not None}

    # ------------------------------------------------------------ the clock

    async def watch_clock(self) -> None:
        """Says once at every table of the round that its time is up, and drops the clocks of tables
        that have a result; runs until it is cancelled."""
        told: float | None = None
        while True:
            await asyncio.sleep(CLOCK_S)
            with suppress(AwayError, EventError):
                kept = await self._newest()
                ends = kept.time_up_at if kept else None
                now = self._hub.clock()
                self.shown = kept.number if kept and _goes_on(kept, now) else None
                if kept is not None and (ends is not None or self._timed):
                    self._timed = self._timed_by(kept)
                if kept is None or ends is None or ends == told or not ends <= now < ends + LATE_S:
                    continue
                told = ends
                for one in tables_of_round(kept, self._hub.tables.own()):
                    if one.box is not None and one.result is None:
                        await self._hub.say_here(one.box, {"line": str(TIME_UP)})

    async def _newest(self) -> KeptEvent | None:
        found = await self._hub.committer.read(self._desk.events)
        if not found:
            return None
        return await self._hub.committer.read(partial(self._desk.event, found[0].number))


def _goes_on(kept: KeptEvent, now: float) -> bool:
    return bool(kept.course.text["rounds"]) and now - kept.entered[-1][0] < SHOWN_S
