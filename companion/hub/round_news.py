"""What the boxes are told of the newest event's round: seats to begin, the clock, that time is up.

Everything is told when it changes, and again to a box that connects. A box that shows other people
than the event has at its table is given those seats, too: it asks whether they sit there
(console/screens/given_seats.py).
"""

import asyncio
from collections.abc import Callable, Mapping, Set
from contextlib import suppress
from functools import partial
from typing import Any, Final

from companion.core.values import Json
from companion.core.words import phrase
from companion.events.event import EventError
from companion.hub.database import AwayError
from companion.hub.event_desk import EventDesk, KeptEvent
from companion.hub.results import tables_of_round
from companion.hub.seats import box_of, seats_to_give
from companion.hub.server import Hub
from companion.hub.store import MEMBER

CLOCK_S: Final = 1.0
LATE_S: Final = 60.0
"""Seconds after its end in which it is still said that the time is up, by a hub that was away."""
SHOWN_S: Final = 3 * 3600.0
"""Seconds after its last entry in which an event's board is shown on a TV."""
TIME_UP: Final = phrase("Time! Finish this hand.")
SEATS: Final = frozenset({"drawn", "reseated", "undo"})
"""Entries after which boxes may have other seats, and may have been given some in vain."""
CLOCKS: Final = frozenset({"drawn", "undo", "clock", "result", "corrected"})
"""Entries after which another clock may run at some boxes, or none."""


class RoundNews:
    """Tells the boxes of a hub. All methods belong to its event loop."""

    def __init__(self, hub: Hub, desk: EventDesk) -> None:
        self._hub, self._desk = hub, desk
        self._timed: Mapping[str, float] = {}
        """For each box whose clock runs: when its time is up, by the hub's clock."""
        self.shown: int | None = None
        """The number of the event that a TV shows beside the tables: the newest, from its first
        round until hours after its last entry."""

    # ------------------------------------------------------------ telling

    async def greet(self, box: str) -> list[Json]:
        """What waits for a box that has just connected."""
        kept = await self._newest()
        if kept is None:
            return []
        given, timed = await self._now(kept)
        found: list[Json] = [{"seats": given[box]}] if box in given else []
        return [*found, self._clock_of(timed[box])] if box in timed else found

    async def tell(self, kept: KeptEvent, kinds: Set[str]) -> None:
        """Tells the boxes what is new since entries of these kinds."""
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
        """The seats that each box is given, and when its time is up."""
        await self._read(self._hub.tables.refresh)
        return seats_to_give(kept, self._hub.tables.own()), self._timed_by(kept)

    def _timed_by(self, kept: KeptEvent) -> dict[str, float]:
        tables, ends = self._hub.tables.own(), kept.time_up_at
        found = [one.box or box_of(one.table, tables) for one in tables_of_round(kept, tables)]
        return {box: ends for box in found if box is not None and ends is not None}

    # ------------------------------------------------------------ the clock

    async def watch_clock(self) -> None:
        """Says at every table of the round that its time is up, once; and lets go of the clocks of
        tables whose result stands."""
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
        found: list[KeptEvent] = await self._read(self._desk.events)
        if not found:
            return None
        kept: KeptEvent = await self._read(partial(self._desk.event, found[0].number))
        return kept

    async def _read(self, work: Callable[[], Any]) -> Any:
        return await self._hub.committer.read(work)


def _goes_on(kept: KeptEvent, now: float) -> bool:
    return bool(kept.course.text["rounds"]) and now - kept.entered[-1][0] < SHOWN_S
