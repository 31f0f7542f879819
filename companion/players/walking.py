"""A game's entries one by one, for counting."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from companion.core.seats import Seat
from companion.games.entry import Entry
from companion.games.game import AnyState
from companion.players.counted import Best, Count, SeatCounts
from companion.record.journal import Journal

BySeatName = Mapping[str, SeatCounts]
Counting = Callable[[Journal[object], BySeatName], None]
"""Adds to the counts of each seat what the game's entries say of it."""


class Said(NamedTuple):
    """An entry, its number in the game from 1, and the states around it."""

    number: int
    entry: Entry
    before: AnyState
    after: AnyState


def said_in(journal: Journal[object]) -> Iterator[Said]:
    """The entries of a game as it stands, first to last."""
    before: AnyState = journal.start
    for place, (entry, after) in enumerate(zip(journal.entries, journal.states, strict=True)):
        yield Said(place + 1, entry, before, after)
        before = after


class Runs:
    """Counts lays, and each seat's run of scoring lays, one after the other."""

    def __init__(self) -> None:
        self._run: dict[Seat, int] = {}

    def lay(self, counts: SeatCounts, seat: Seat, points: int | None, number: int) -> None:
        """Counts a lay by `seat` at entry `number`, worth `points`; None: that isn't known, and the
        seat's run ends."""
        scored = points is not None and points > 0
        self._run[seat] = self._run.get(seat, 0) + 1 if scored else 0
        counts.top(Best.RUN, self._run[seat], number)
        if points is None:
            return
        counts.add(Count.LAYS)
        counts.add(Count.POINTS, points)
        counts.add(Count.SCORING, int(scored))
