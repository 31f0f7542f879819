"""Where a game of High Fives stands. Numbers in brackets count the rules, as in rules.py."""

from typing import NamedTuple

from companion.core.seats import Seat
from companion.games.entry import NoticeKind, Why
from companion.games.game import State
from companion.games.high_fives.tableau import OnTable, worth
from companion.games.tiles import Tile


class HighFivesWhy(Why):
    """What points are for in High Fives."""

    CAPTURE = "capture"


class HighFivesNotice(NoticeKind):
    """The kinds of notice that High Fives gives."""

    POINTS_MISSING = "points-missing"
    """[5] `points` of the 100 are neither a player's nor left in the tableau; negative: there are
    more than 100, by so many."""


class Taken(NamedTuple):
    """What the last turn captured: tiles and their points, or only points if no tiles were said."""

    tiles: tuple[Tile, ...] = ()
    points: int = 0

    @property
    def scoring(self) -> tuple[tuple[Tile, int], ...]:
        """The tiles that are worth something, each with its points."""
        return tuple((tile, worth(tile)) for tile in self.tiles if worth(tile))


class HighFivesBoard(NamedTuple):
    """Where a game of High Fives stands."""

    hand: int = 0
    leader: Seat | None = None
    """[2] Who leads every hand, once that is known."""
    turns: int | None = 0
    """Turns taken in this hand by all seats; None if entries are lost."""
    to_show: int = 0
    """How many tiles are turned face up now, and may be entered."""
    table: OnTable = OnTable()
    taken: Taken | None = None
    left: int | None = None
    """Points that lay in the tableau at the end, as far as they are known."""
    doubtful: bool = False
    """Whether entries of this game are lost."""


HighFivesState = State[HighFivesBoard]
