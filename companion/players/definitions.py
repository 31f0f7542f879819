"""What statistics are made of: a game's entries one by one for counting, figures, and the fewest
lays, hands, calls or games for each."""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import ClassVar, NamedTuple

from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import mark
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


class Over(StrEnum):
    """What a figure is taken over."""

    LAYS = "lays"
    HANDS = "hands"
    CALLS = "calls"
    GAMES = "games"
    MATCHES = "matches"


FEWEST = {Over.LAYS: 20, Over.HANDS: 5, Over.CALLS: 1, Over.GAMES: 1, Over.MATCHES: 1}
"""The least that a figure must be taken over: over fewer it has no value."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure that is one count divided by another; `label` is how people call it."""

    name: str
    label: str
    counted: Count
    over: Count
    of: Over = Over.LAYS
    share: bool = False
    """Whether it is given in percent."""


@dataclass(frozen=True, slots=True)
class Number:
    """A figure that is a plain number, shown with the entries where it happened."""

    name: str
    label: str
    counted: Count
    over: tuple[Count, ...]
    of: Over


@dataclass(frozen=True, slots=True)
class Highest:
    """A figure that is the highest of its kind, shown with the entry where it happened."""

    name: str
    label: str
    best: Best
    of: ClassVar[Over] = Over.LAYS


Definition = Ratio | Number | Highest


@dataclass(frozen=True, slots=True)
class Statistics:
    """What is counted in a game, and the figures made of it, in the order in which they are
    shown."""

    count: Counting
    figures: tuple[Definition, ...]


# ---------------------------------------------------------------- figures of several games

_LAYS = (
    Ratio("points_a_lay", mark("points a lay"), Count.POINTS, Count.LAYS),
    Ratio("scoring_lays", mark("lays that score"), Count.SCORING, Count.LAYS, share=True),
)
_RUN = Highest("longest_run", mark("longest run of scoring lays"), Best.RUN)
COUNTED_LAYS = (*_LAYS, Highest("biggest", mark("biggest count"), Best.BIGGEST), _RUN)
"""Figures of lays in a game that counts open ends."""
LAYS = (*_LAYS, Highest("biggest", mark("most points in one turn"), Best.BIGGEST), _RUN)
"""Figures of lays in every other game."""
HANDS = (
    Ratio("dominoed", mark("hands dominoed"), Count.DOMINOED, Count.HANDS, Over.HANDS, share=True),
    Ratio("blocked", mark("hands blocked"), Count.BLOCKED, Count.HANDS, Over.HANDS, share=True),
    Ratio("lost", mark("hands lost"), Count.LOST, Count.HANDS, Over.HANDS, share=True),
    Ratio("pips_held", mark("pips held at the end of a hand"), Count.PIPS, Count.SHOWN, Over.HANDS),
)
BONEYARD = (
    Ratio("drawn_a_lay", mark("tiles drawn, a lay"), Count.DRAWN, Count.LAYS),
    Ratio("passes_a_lay", mark("passes, a lay"), Count.PASSES, Count.LAYS),
)
UNCALLED = Number(
    "bogus_uncalled",
    mark("own bogus plays that nobody called"),
    Count.UNCALLED,
    (Count.DRAWN, Count.PASSES),
    Over.LAYS,
)
"""The figure that is given only for games in which people may hear of it."""
