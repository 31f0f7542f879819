"""How the arms of the line run: straight as long as there is room, then round a corner.

Lengths are in quarters of a tile: a tile is 4 long and 2 wide, a double lies 2 along the line and 4
across. x grows to the right, y downwards; the led tile's middle is (0, 0).

No arm ever has to look where others lie, since each owns a part of the table that no other enters.
All parts are strips that are closed to two sides and above or below, and open without end to the
other: there an arm runs to and fro in rows, each at least ROW from the one before. So an arm always
has room, and where a tile lies follows from those laid before it alone: nothing is moved later.

Before there is a spinner the left arm owns the lower left and the right arm the upper right. Since
a spinner may come at any end, these two turn widely and leave both sides of what they leave behind
free for it. When it comes, its arms share what the arm it came on owned, and what is free beside.
"""

from typing import NamedTuple

from companion.presentation.drawing.vector import DOWN, LEFT, RIGHT, UP, Vector
from companion.presentation.line.line_of_play import OPPOSITE, ArmName

LONG, WIDE = 4, 2
"""A tile, in quarters of its length."""
GAP = 1
"""The least distance between tiles that don't follow each other in the line."""
ROW = WIDE + GAP + WIDE
"""The least distance of two rows, from middle to middle: doubles lie 2 to either side of it."""
NARROW_ROW = ROW - 1
"""The least distance of a row from one in which no double lies."""
RESERVE = 5
"""Kept free along a row for a double and the corner behind it, with a double across that."""
STRIP = 18
"""From a spinner's middle to the far side of a strip: rows in it are 15 long, which is the least in
which an arm can always turn back."""
NO_END = 1 << 20


class Lie(NamedTuple):
    """How a tile lies: its middle, and the direction from its inner to its outer half."""

    middle: Vector
    direction: Vector

    @property
    def box(self) -> tuple[int, int, int, int]:
        """What it covers: left, top, right, bottom."""
        x, y = self.middle
        half_wide, half_high = (2, 1) if self.direction.y == 0 else (1, 2)
        return x - half_wide, y - half_high, x + half_wide, y + half_high


class Course(NamedTuple):
    """How an arm goes on: `at` is the middle of the edge to which its next tile is joined.

    Rows run between `left` and `right`. An arm that leaves a row goes `drift` until it is `apart`
    from it, then runs in the next row, in the direction `onward`. `row` is where the latest row is.
    """

    at: Vector
    heading: Vector
    onward: Vector
    drift: Vector
    left: int
    right: int
    apart: int = ROW
    row: int = 0
    broad: bool = False
    """Whether a double lies across the latest row."""

    @property
    def in_row(self) -> bool:
        """Whether it runs in a row, not from one to the next."""
        return self.heading.y == 0

    @property
    def half_turned(self) -> "Course":
        """The course turned by half a turn about the led tile."""
        return Course(
            self.at.back,
            self.heading.back,
            self.onward.back,
            self.drift.back,
            -self.right,
            -self.left,
            self.apart,
            -self.row,
            self.broad,
        )

    def lay(self, crosswise: bool) -> "tuple[Lie, Course]":
        """How the next tile lies, and how the arm goes on from it. A double never lies in a
        corner."""
        heading = self.heading
        if crosswise:
            middle = self.at.moved(heading, 1)
            onward = self._replace(at=self.at.moved(heading, WIDE), broad=True)
            return Lie(middle, heading.quarter), onward
        if not self._must_turn():
            middle = self.at.moved(heading, 2)
            return Lie(middle, heading), self._replace(at=self.at.moved(heading, LONG))
        if self.in_row:
            apart = max(self.apart, ROW if self.broad else NARROW_ROW)
            turned = self._replace(
                heading=self.drift, onward=heading.back, row=self.at.y, apart=apart
            )
        else:
            turned = self._replace(heading=self.onward, apart=0, broad=False)
        corner = self.at.moved(heading, 1)
        lie = Lie(corner.moved(turned.heading, 1), turned.heading)
        return lie, turned._replace(at=corner.moved(turned.heading, 3))

    def _must_turn(self) -> bool:
        if self.in_row:
            room = self.right - self.at.x if self.heading == RIGHT else self.at.x - self.left
            return room < LONG + RESERVE
        return abs(self.at.y - self.row) + 1 >= self.apart


Courses = dict[ArmName, Course]


class Extent(NamedTuple):
    """How far the arms run straight: `row` along the line to either side of the led tile, `column`
    from the line to the first row of an arm at the spinner's ends."""

    row: int
    column: int


def led(crosswise: bool, extent: Extent) -> tuple[Lie, Courses]:
    """How the led tile lies, and the courses of the arms that it opens."""
    if crosswise:
        start = _before_spinner(extent)
        came, other = start._replace(at=Vector(-1, 0)), start._replace(at=Vector(1, 0))
        return Lie(Vector(0, 0), UP), spin(came, other.half_turned, extent)
    right = _before_spinner(extent)
    return Lie(Vector(0, 0), RIGHT), {"right": right, "left": right.half_turned}


def _before_spinner(extent: Extent) -> Course:
    """The right arm's, from a led tile that is no double."""
    apart = max(extent.column + 2, STRIP - 2)
    return Course(Vector(2, 0), RIGHT, LEFT, UP, -NO_END, extent.row, apart)


def lay_spinner(courses: Courses, arm: ArmName, extent: Extent) -> tuple[Lie, Courses]:
    """How the first double lies on an arm of a line without a spinner, and the four courses."""
    lie, _ = courses[arm].lay(crosswise=True)
    if arm == "right":
        return lie, spin(courses["right"], courses["left"], extent)
    turned = spin(courses["left"].half_turned, courses["right"].half_turned, extent)
    return lie, {OPPOSITE[name]: course.half_turned for name, course in turned.items()}


def spin(came: Course, other: Course, extent: Extent) -> Courses:
    """The four courses round a spinner that is laid at `came`, the right arm's end; `other` is
    the left arm's course. `up` is to the left of who walks towards the spinner."""
    middle = came.at.moved(came.heading, 1)
    around = {RIGHT: _in_first_row, UP: _in_column, LEFT: _in_second_row}[came.heading]
    return around(middle, other, extent)


def _kept_left_of(other: Course, limit: int) -> Course:
    """The left arm from now on: not beyond `limit`, unless it runs there already."""
    beyond = other.at.x + LONG + RESERVE + GAP + WIDE if other.heading == RIGHT else limit
    return other._replace(right=max(limit, beyond), apart=NARROW_ROW)


def _in_first_row(middle: Vector, other: Course, extent: Extent) -> Courses:
    x, far = middle.x, max(extent.row, middle.x + STRIP)
    left = _kept_left_of(other, x - 3)
    below = max(x - 2, left.right + GAP)
    column = extent.column if below == x - 2 else LONG + WIDE
    return {
        "left": left,
        "right": Course(middle.moved(RIGHT, 1), RIGHT, LEFT, UP, x + 3, far),
        "up": Course(middle.moved(UP, 2), UP, LEFT, UP, -extent.row, x + 2, extent.column),
        "down": Course(
            middle.moved(DOWN, 2), DOWN, RIGHT, DOWN, below, max(far, below + STRIP), column
        ),
    }


def _in_column(middle: Vector, other: Course, extent: Extent) -> Courses:
    x, y = middle
    # A row so near to the first one must not meet doubles that the left arm lays there.
    nearest = -extent.row if -y >= ROW else -1
    column = max(extent.column + y, ROW)
    return {
        "left": _kept_left_of(other, x),
        "right": Course(middle.moved(UP, 1), UP, RIGHT, UP, x - 2, x + STRIP, column, y),
        "up": Course(middle.moved(LEFT, 2), LEFT, RIGHT, UP, nearest, x - 3),
        "down": Course(middle.moved(RIGHT, 2), RIGHT, LEFT, DOWN, x + 3, x + 3 + STRIP),
    }


def _in_second_row(middle: Vector, other: Course, extent: Extent) -> Courses:
    x, y = middle
    far = min(-extent.row, x - STRIP)
    # Between the two rows there is room for one; beyond them it may turn.
    beyond = far - STRIP
    return {
        "left": _kept_left_of(other, extent.row),
        "right": Course(middle.moved(LEFT, 1), LEFT, RIGHT, UP, far, x - 3),
        "up": Course(middle.moved(DOWN, 2), DOWN, LEFT, DOWN, beyond - 3, far - 3, ROW, y),
        "down": Course(
            middle.moved(UP, 2), UP, RIGHT, UP, x - 2, max(extent.row, x + STRIP), ROW, y
        ),
    }
