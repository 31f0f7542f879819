"""The line of play: arms, spinner, open ends and count. Mirror images are equal.

The rules it keeps (rules 8 and 9 of high_five.py, rule 3 of five_up.py):

* A led tile shows both halves. A tile joins an open end by an equal half; what it leaves open is
  its other half, or for a double the whole tile, laid crosswise.
* The first double on the board, whenever it comes, is the only spinner. It has four places: its
  two sides, which must both be covered before its two ends (arms up and down) open.
* The count adds up the outer end of every arm, an exposed double by both halves. The spinner
  counts both halves while fewer than two of its sides are covered, else nothing; a place on it that
  nothing was laid on adds nothing.
* A house may play without a spinner (RULES: All Fives 3): the line has two ends then. A led double
  has no places but its two sides, and every other double is an end like any other tile.

So the line is its spinner and what each of its four arms ends in. An arm without a tile is None:
until the spinner is covered there, the place to lay on is the spinner itself.
"""

from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from companion.core.errors import EntryError
from companion.games.tiles import DOUBLE_SIX, Tile


class Arm(Enum):
    """Where on the line a tile is laid, seen by the player who led."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"

    @classmethod
    def parse(cls, word: str) -> "Arm":
        """Reads an arm's name; raises EntryError."""
        try:
            return cls(word.lower())
        except ValueError:
            raise EntryError(
                "@{word} is no arm: it is @left, @right, @up or @down", word=word
            ) from None


class End(NamedTuple):
    """What an arm ends in: a half of `pips`, or an exposed double of them."""

    pips: int
    double: bool

    @property
    def adds(self) -> int:
        """What the end adds to the count."""
        return self.pips * 2 if self.double else self.pips


TILE_SET = DOUBLE_SIX
"""What a line of play is laid with (rule 1 of high_five.py and of five_up.py)."""

ENDS = {
    (pips, double): End(pips, double)
    for pips in range(TILE_SET.highest + 1)
    for double in (False, True)
}
"""Every end, made once: thousands of possible lines share them."""

Ends = tuple[int, ...]
"""Open-end pips as the players read them, ascending, an exposed double twice."""


class PlaceToLay(NamedTuple):
    """Where a tile may be laid: the arm, the half it must match, the count of all other ends once
    something lies there, and whether this is a place on the spinner itself."""

    arm: Arm
    pips: int
    rest: int
    on_spinner: bool


class Line(NamedTuple):
    """The line of play with at least one tile. Before there is a spinner only left and right have
    ends; with one, an arm that is None has no tile yet."""

    spinner: int | None
    left: End | None
    right: End | None
    up: End | None = None
    down: End | None = None
    two_ends: bool = False
    """Whether no double is a spinner. Then `spinner` is a double that was led, which has only its
    two sides."""

    @classmethod
    def led(cls, left: int, right: int, *, two_ends: bool = False) -> "Line":
        """The line after the lead; a led double is the spinner, unless the line has two ends."""
        if left == right:
            return cls(left, None, None, two_ends=two_ends)
        return cls(None, ENDS[left, False], ENDS[right, False], two_ends=two_ends)

    @property
    def arms(self) -> tuple[End | None, ...]:
        """What each arm ends in, in the order of Arm."""
        return (self.left, self.right, self.up, self.down)

    @property
    def sides_covered(self) -> bool:
        """Whether both sides of the spinner are covered, so that its two ends are open."""
        return self.left is not None and self.right is not None

    @property
    def parts(self) -> tuple[int, ...]:
        """The terms of the count: the spinner's first, while it counts, then each arm's."""
        return _parts(self)

    @property
    def open_count(self) -> int:
        """The count: the sum of the open ends."""
        return sum(_parts(self))

    @property
    def ends(self) -> Ends:
        """The open ends as the players read them. Their sum is the count."""
        return _ends(self)

    @property
    def form(self) -> tuple[object, ...]:
        """A form that is equal for lines which no later tile can tell apart: mirror images, and
        arms that have changed places once both sides of the spinner are covered."""
        return _form(self)

    @property
    def places(self) -> tuple[PlaceToLay, ...]:
        """Every place where a matching tile may be laid."""
        return _places(self)

    @property
    def suits(self) -> int:
        """The tiles that match some place, laid or not, as a mask."""
        mask = 0
        for place in _places(self):
            mask |= TILE_SET.suits[place.pips]
        return mask

    def lay(self, arm: Arm, tile: Tile) -> "Line":
        """The line with `tile` laid on that arm, whose place must match one of its halves."""
        return _lay(self, arm, tile)

    def put(self, arm: Arm, end: End | None) -> "Line":
        """The line with another end on that arm."""
        ends = [end if at == arm else old for at, old in zip(Arm, self.arms, strict=True)]
        left, right, up, down = ends
        return Line(self.spinner, left, right, up, down, self.two_ends)


# What follows from a line is asked for thousands of times when a game is entered by count.


@lru_cache(maxsize=4096)
def _parts(line: Line) -> tuple[int, ...]:
    spinner = () if line.spinner is None or line.sides_covered else (2 * line.spinner,)
    return spinner + tuple(end.adds for end in line.arms if end)


@lru_cache(maxsize=4096)
def _ends(line: Line) -> Ends:
    pips = [] if line.spinner is None or line.sides_covered else [line.spinner, line.spinner]
    for end in line.arms:
        if end:
            pips += [end.pips, end.pips] if end.double else [end.pips]
    return tuple(sorted(pips))


@lru_cache(maxsize=4096)
def _form(line: Line) -> tuple[object, ...]:
    spinner = None if line.two_ends and line.sides_covered else line.spinner
    return (spinner, *sorted(end for end in line.arms if end))


@lru_cache(maxsize=4096)
def _lay(line: Line, arm: Arm, tile: Tile) -> Line:
    pips = next(place.pips for place in _places(line) if place.arm == arm)
    if tile.is_double and line.spinner is None and not line.two_ends:
        return line.put(arm, None)._replace(spinner=pips)
    return line.put(arm, ENDS[tile.other(pips), tile.is_double])


@lru_cache(maxsize=4096)
def _places(line: Line) -> tuple[PlaceToLay, ...]:
    count, places = line.open_count, []
    ends_open = line.sides_covered and not line.two_ends
    for arm, end in zip(Arm, line.arms, strict=True):
        if end:
            places.append(PlaceToLay(arm, end.pips, count - end.adds, False))
        elif line.spinner is not None and (ends_open or arm in (Arm.LEFT, Arm.RIGHT)):
            closes = not line.sides_covered and (line.left or line.right) is not None
            rest = count - 2 * line.spinner if closes else count
            places.append(PlaceToLay(arm, line.spinner, rest, True))
    return tuple(places)
