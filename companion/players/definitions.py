"""Which figures there are, of what they are made, and over how many they must be taken."""

from enum import StrEnum

from companion.core.values import dataclass
from companion.players.counted import Best, Count


class Over(StrEnum):
    """What a figure is taken over."""

    LAYS = "lays"
    HANDS = "hands"
    CALLS = "calls"
    GAMES = "games"


FEWEST = {Over.LAYS: 20, Over.HANDS: 5, Over.CALLS: 1, Over.GAMES: 1}
"""Over fewer a figure has no value."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A figure that is so many of one thing for each of another."""

    name: str
    counted: Count
    over: Count
    of: Over = Over.LAYS
    share: bool = False
    """Said in percent."""


@dataclass(frozen=True, slots=True)
class Number:
    """A figure that is a plain number, told with the moments where it happened."""

    name: str
    counted: Count
    over: tuple[Count, ...]
    of: Over


@dataclass(frozen=True, slots=True)
class Highest:
    """A figure that is the highest of its kind, told with its moment."""

    name: str
    best: Best


Definition = Ratio | Number | Highest

LAYS = (
    Ratio("points_a_lay", Count.POINTS, Count.LAYS),
    Ratio("scoring_lays", Count.SCORING, Count.LAYS, share=True),
    Highest("biggest", Best.BIGGEST),
    Highest("longest_run", Best.RUN),
)
"""What every game has."""
HANDS = (
    Ratio("dominoed", Count.DOMINOED, Count.HANDS, Over.HANDS, share=True),
    Ratio("blocked", Count.BLOCKED, Count.HANDS, Over.HANDS, share=True),
    Ratio("lost", Count.LOST, Count.HANDS, Over.HANDS, share=True),
    Ratio("pips_held", Count.PIPS, Count.SHOWN, Over.HANDS),
)
BONEYARD = (
    Ratio("drawn_a_lay", Count.DRAWN, Count.LAYS),
    Ratio("passes_a_lay", Count.PASSES, Count.LAYS),
)
LINE = (
    *LAYS,
    Ratio("given_to_the_next", Count.GIVEN, Count.FOLLOWED),
    *BONEYARD,
    Ratio("passes_forced", Count.FORCED, Count.LAYS),
    *HANDS,
    Ratio("best_open", Count.OPEN_MADE, Count.OPEN_BEST, share=True),
)
CALLS = (Count.CALLED_RIGHT, Count.CALLED_WRONG)
UNCALLED = Number("bogus_uncalled", Count.UNCALLED, (Count.DRAWN, Count.PASSES), Over.LAYS)
BOGUS = (
    Number("called_right", Count.CALLED_RIGHT, CALLS, Over.CALLS),
    Number("called_wrong", Count.CALLED_WRONG, CALLS, Over.CALLS),
)
OF_GAME: dict[str, tuple[Definition, ...]] = {
    "high-five": (*LINE, *BOGUS, UNCALLED),
    "five-up": LINE,
    "high-fives": (*LAYS, Ratio("captures_a_turn", Count.CAPTURES, Count.CAPTURING_TURNS)),
    "highrise": (
        *LAYS,
        Ratio("level", Count.LEVELS, Count.LAYS),
        Highest("highest_level", Best.LEVEL),
        *BONEYARD,
        *HANDS,
    ),
    "high-five-tiles": LAYS,
}
"""The figures of each game, in the order in which they are told."""

SHARES = frozenset(
    definition.name
    for definitions in OF_GAME.values()
    for definition in definitions
    if isinstance(definition, Ratio) and definition.share
)
"""Figures that are said in percent."""
