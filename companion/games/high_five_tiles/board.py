"""Where a game of High Five! with tiles stands."""

from typing import NamedTuple

from companion.core.seats import BySeat, Seat
from companion.games.entry import Why
from companion.games.game import State
from companion.games.high_five_tiles.combinations import Card, Combination


class HighFiveTilesWhy(Why):
    """What points are for in High Five! with tiles."""

    ROW = "row"
    OUT = "out"


class RowOfCards(NamedTuple):
    """A row on the score sheet; `cards` is empty if they were not said."""

    seat: Seat
    combination: Combination
    points: int
    cards: tuple[Card, ...] = ()


class HighFiveTilesBoard(NamedTuple):
    """Where a game of High Five! with tiles stands."""

    turns: int | None = None
    """Turns taken by all seats together; None before the hand is dealt."""
    begun: frozenset[Seat] = frozenset()
    """The seats that have had their first turn."""
    supply: int | None = 0
    """Tiles that can still be drawn; None if entries are lost."""
    held: BySeat[int | None] | None = None
    """How many tiles each seat holds; None for a seat that did not say how many it laid."""
    out: Seat | None = None
    """Who was out first."""
    out_by_itself: bool = False
    """Whether only the counted tiles of the last turn say that `out` is out, and nobody said so."""
    over_by_itself: bool = False
    """Whether only the counted tiles say that all have laid everything, and nobody said so."""
    rows: tuple[RowOfCards, ...] = ()
    scored: RowOfCards | None = None
    """The row that the last entry completed."""


HighFiveTilesState = State[HighFiveTilesBoard]
