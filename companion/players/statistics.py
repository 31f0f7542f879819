"""The counts for the players of a game: plain numbers for each seat, which can be added up over
games, and the figures computed from them.

They can be counted again from the entries at any time (history.py); cache.py stores them beside the
record.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import ClassVar, NamedTuple

from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.core.words import mark
from companion.games.game import AnyState, Entry
from companion.record.journal import Journal

# ---------------------------------------------------------------- what is counted


class Count(StrEnum):
    """What is counted for a seat in a game; each value is also the name of a column of the export
    (docs/players.md)."""

    PLAYS = "lays"
    """Turns whose points are known: a tile played (a row, in High Five! with tiles)."""
    SCORING = "scoring"
    """Plays that scored."""
    POINTS = "points"
    """Points of the plays, by the rules."""
    FOLLOWED = "followed"
    """Plays that the next player answered directly with a play whose points are known."""
    GIVEN = "given"
    """The points of those answers."""
    DRAWN = "drawn"
    """Tiles drawn, without tiles that were put back."""
    PASSES = "passes"
    FORCED = "forced"
    """Plays after which the next player had to pass."""
    HANDS = "hands"
    """Hands that were settled."""
    DOMINOED = "dominoed"
    """Hands won by going out."""
    BLOCKED = "blocked"
    """Blocked hands."""
    LOST = "lost"
    """Hands won by another side."""
    SHOWN = "shown"
    """Hands lost or blocked after which the tiles left in hand are known."""
    PIPS = "pips"
    """The pips left in hand after these hands."""
    CALLED_RIGHT = "called_right"
    """Calls of a bogus play that turned out right."""
    CALLED_WRONG = "called_wrong"
    UNCALLED = "uncalled"
    """The seat's own bogus plays that the record proves and that were not called."""
    OPEN_PLAYS = "open_lays"
    """Plays where all the seat's tiles are known and at least one could score."""
    OPEN_BEST = "open_best"
    """The most that could have been scored in those plays."""
    OPEN_MADE = "open_made"
    """The points scored in those plays."""
    CAPTURING_TURNS = "capturing_turns"
    """Turns entered by tiles, in which captures can be counted (High Fives)."""
    CAPTURES = "captures"
    LEVELS = "levels"
    """The levels of all plays, added up (Highrise)."""
    MATCHES = "matches"
    """Matches that were decided (All Fives)."""
    MATCHES_WON = "matches_won"


class Maximum(StrEnum):
    """The figures of which only the highest value is stored, together with the entry that reached
    it."""

    BIGGEST = "biggest"
    """The highest count that scored; in games without a count, the most points in one turn."""
    RUN = "run"
    """The longest run of consecutive scoring plays within a game; stored with its last entry."""
    LEVEL = "level"
    """The highest level (Highrise)."""


@dataclass(frozen=True, slots=True)
class MaximumEntry:
    """A highest value, and the number of the entry that reached it, counted from 1."""

    value: int
    entry: int


@dataclass(slots=True)
class SeatCounts:
    """The counts for one seat in a game; updated while the game is being counted."""

    counts: dict[Count, int] = field(default_factory=dict)
    tops: dict[Maximum, MaximumEntry] = field(default_factory=dict)
    paid_by: dict[str, int] = field(default_factory=dict)
    """Points that came from each other seat, less the points that went back."""
    combinations: dict[str, int] = field(default_factory=dict)
    """Rows made, by their combination (High Five! with tiles)."""
    moments: dict[Count, list[int]] = field(default_factory=dict)
    """The numbers of the entries at which something rare was counted, by the name of the count."""

    def add(self, count: Count, number: int = 1, entry: int | None = None) -> None:
        """Adds `number` to a count. `entry`: the entry where it happened, if the figure should link
        to it."""
        if number:
            self.counts[count] = self.counts.get(count, 0) + number
        if entry is not None:
            self.moments.setdefault(count, []).append(entry)

    def keep_highest(self, best: Maximum, value: int, entry: int) -> None:
        """Stores `value` as the maximum `best`, reached at `entry`, if it is higher than every
        value before."""
        if value > 0 and (best not in self.tops or value > self.tops[best].value):
            self.tops[best] = MaximumEntry(value, entry)

    def __getitem__(self, count: Count) -> int:
        return self.counts.get(count, 0)

    @property
    def as_json(self) -> Json:
        """The counts as plain data, without empty parts."""
        found: Json = {
            "counts": {str(name): number for name, number in self.counts.items()},
            "tops": {str(name): [top.value, top.entry] for name, top in self.tops.items()},
            "paid_by": self.paid_by,
            "combinations": self.combinations,
            "moments": {str(name): entries for name, entries in self.moments.items()},
        }
        return {name: value for name, value in found.items() if value}

    @classmethod
    def from_json(cls, found: Json) -> "SeatCounts":
        """The counts read back from JSON; raises TypeError if `found` has another form. Names stay
        strings, which equal the members of their enumeration: converting them takes long."""
        tops = found.get("tops", {})
        return cls(
            found.get("counts", {}),
            {name: MaximumEntry(value, entry) for name, (value, entry) in tops.items()},
            found.get("paid_by", {}),
            found.get("combinations", {}),
            found.get("moments", {}),
        )


class GameResult(StrEnum):
    """How a game ended."""

    WON = "won"
    ENDED = "ended"
    """Ended at the table before anybody had won."""
    OPEN = "open"
    WITHDRAWN = "withdrawn"
    """Taken back."""


@dataclass(frozen=True, slots=True)
class CountedGame:
    """A game in the history of its players.

    `opened`, `begun` and `played` are wall time in seconds since 1970, None if the clock was not
    set: when it was opened, when its last sitting began, and when its last entry was made.
    `follows`: whether, as far as the box knew, there was no break between the game before and the
    opening of this one.
    """

    number: int
    game: str
    seats: tuple[str, ...]
    """The names of the seats in turn order."""
    opened: float | None
    begun: float | None
    played: float | None
    follows: bool
    entries: int
    result: GameResult
    winners: tuple[str, ...]
    scores: Mapping[str, int]
    by_seat: Mapping[str, SeatCounts]
    doubtful: bool = False
    """Whether some of its rows are lost or no longer valid."""
    sides: tuple[tuple[str, ...], ...] = ()
    """Partners, who share a score; (): each seat played alone."""

    @property
    def is_counted(self) -> bool:
        """Whether the game is in the statistics; False if it was taken back."""
        return self.result is not GameResult.WITHDRAWN

    @property
    def resumed(self) -> bool:
        """Whether the game was left unfinished and continued on a later evening."""
        return self.opened is not None and self.begun != self.opened


# ---------------------------------------------------------------- figures


CountsBySeat = Mapping[str, SeatCounts]
Counting = Callable[[Journal[object], CountsBySeat], None]
"""Counts a game's entries for each seat."""


class NumberedEntry(NamedTuple):
    """An entry, its number in the game from 1, and the states before and after it."""

    number: int
    entry: Entry
    before: AnyState
    after: AnyState


def numbered_entries(journal: Journal[object]) -> Iterator[NumberedEntry]:
    """Yields the valid entries of a game, from the first to the last."""
    before: AnyState = journal.start
    for place, (entry, after) in enumerate(zip(journal.entries, journal.states, strict=True)):
        yield NumberedEntry(place + 1, entry, before, after)
        before = after


class ScoringRuns:
    """Counts plays, and finds each seat's longest run of consecutive scoring plays."""

    def __init__(self) -> None:
        self._run: dict[Seat, int] = {}

    def count_play(self, counts: SeatCounts, seat: Seat, points: int | None, number: int) -> None:
        """Counts a play by `seat` at entry `number`, worth `points`; None if unknown, which ends
        the seat's run."""
        scored = points is not None and points > 0
        self._run[seat] = self._run.get(seat, 0) + 1 if scored else 0
        counts.keep_highest(Maximum.RUN, self._run[seat], number)
        if points is None:
            return
        counts.add(Count.PLAYS)
        counts.add(Count.POINTS, points)
        counts.add(Count.SCORING, int(scored))


class Denominator(StrEnum):
    """The kinds of events that a figure can be counted over."""

    PLAYS = "lays"
    HANDS = "hands"
    CALLS = "calls"
    GAMES = "games"
    MATCHES = "matches"


MIN_OVER = {
    Denominator.PLAYS: 20,
    Denominator.HANDS: 5,
    Denominator.CALLS: 1,
    Denominator.GAMES: 1,
    Denominator.MATCHES: 1,
}
"""The fewest events over which a figure of each kind must be counted; with fewer it has no
value."""


@dataclass(frozen=True, slots=True)
class RatioFigure:
    """A figure that is one count divided by another; `label` is its name as shown to people."""

    name: str
    label: str
    counted: Count
    over: Count
    denominator: Denominator = Denominator.PLAYS
    share: bool = False
    """Whether it is shown in percent."""


@dataclass(frozen=True, slots=True)
class NumberFigure:
    """A figure that is a plain number, shown with the entries where it happened."""

    name: str
    label: str
    counted: Count
    over: tuple[Count, ...]
    denominator: Denominator


@dataclass(frozen=True, slots=True)
class MaximumFigure:
    """A figure that is the highest of its kind, shown with the entry where it happened."""

    name: str
    label: str
    best: Maximum
    denominator: ClassVar[Denominator] = Denominator.PLAYS


Definition = RatioFigure | NumberFigure | MaximumFigure


@dataclass(frozen=True, slots=True)
class Statistics:
    """How to count a kind of game, and its figures in the order in which they are shown."""

    count: Counting
    figures: tuple[Definition, ...]


# ---------------------------------------------------------------- figures of several games

_PLAYS = (
    RatioFigure("points_a_lay", mark("points per play"), Count.POINTS, Count.PLAYS),
    RatioFigure("scoring_lays", mark("scoring plays"), Count.SCORING, Count.PLAYS, share=True),
)
_RUN = MaximumFigure("longest_run", mark("longest run of scoring plays"), Maximum.RUN)
COUNTED_PLAYS = (*_PLAYS, MaximumFigure("biggest", mark("biggest count"), Maximum.BIGGEST), _RUN)
"""Figures of plays for games that count open ends."""
PLAYS = (*_PLAYS, MaximumFigure("biggest", mark("most points in one turn"), Maximum.BIGGEST), _RUN)
"""Figures of plays for games that don't count open ends."""
HANDS = (
    RatioFigure(
        "dominoed",
        mark("hands dominoed"),
        Count.DOMINOED,
        Count.HANDS,
        Denominator.HANDS,
        share=True,
    ),
    RatioFigure(
        "blocked", mark("hands blocked"), Count.BLOCKED, Count.HANDS, Denominator.HANDS, share=True
    ),
    RatioFigure("lost", mark("hands lost"), Count.LOST, Count.HANDS, Denominator.HANDS, share=True),
    RatioFigure(
        "pips_held",
        mark("pips left in hand at the end"),
        Count.PIPS,
        Count.SHOWN,
        Denominator.HANDS,
    ),
)
BONEYARD = (
    RatioFigure("drawn_a_lay", mark("tiles drawn per play"), Count.DRAWN, Count.PLAYS),
    RatioFigure("passes_a_lay", mark("passes per play"), Count.PASSES, Count.PLAYS),
)
UNCALLED = NumberFigure(
    "bogus_uncalled",
    mark("own bogus plays not called"),
    Count.UNCALLED,
    (Count.DRAWN, Count.PASSES),
    Denominator.PLAYS,
)
"""The figure that is left out for games whose evening is not over (PlayersHistory)."""
