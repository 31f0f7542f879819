"""The courses of the line's arms: straight as long as there is room, then round a corner.

Lengths are in quarters of a tile: a tile is 4 long and 2 wide, a double lies 2 along the line and 4
across. x grows to the right, y downwards; the led tile's middle is (0, 0).

Each arm owns a part of the table that no other arm enters, so it never has to look where others
lie. Each part is a strip, bounded on the left, on the right and either above or below; in the
fourth direction it has no end. There the arm runs to and fro in rows, each at least ROW from the
one before. So an arm always has room, and a tile's place follows from the tiles laid before it
alone: nothing is moved later.

Before there is a spinner, the left arm owns the lower left and the right arm the upper right. A
spinner may be laid at either end, so these two arms turn widely and leave room on both sides of
their course. Once it is laid, its arms share the part of the arm on which it lies, and the free
space beside it.
"""

from typing import NamedTuple

from companion.presentation.drawing.faces import DOWN, LEFT, RIGHT, UP, Vector
from companion.presentation.line.line_of_play import OPPOSITE, ArmName

LONG, WIDE = 4, 2
"""A tile's length and width, in quarters of its length."""
GAP = 1
"""The least distance between tiles that don't follow each other in the line."""
ROW = WIDE + GAP + WIDE
"""The least distance of two rows, from middle to middle: doubles reach 2 to either side of a
row."""
NARROW_ROW = ROW - 1
"""The least distance of a row from a row in which no double lies."""
RESERVE = 5
"""The length kept free at a row's end: for a double, and behind it the corner with a double
across."""
STRIP = 18
"""The distance from a spinner's middle to the far side of a strip. Rows in it are 15 long, the
least length at which an arm can always turn back."""
NO_END = 1 << 20


class Lie(NamedTuple):
    """How a tile lies: its middle, and the direction from its inner to its outer half."""

    middle: Vector
    direction: Vector

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The sides of the rectangle that the tile covers: left, top, right, bottom."""
        x, y = self.middle
        half_wide, half_high = (2, 1) if self.direction.y == 0 else (1, 2)
        return x - half_wide, y - half_high, x + half_wide, y + half_high


class Course(NamedTuple):
    """How an arm goes on: `at` is the middle of the edge that its next tile will join, `heading`
    the direction in which it runs.

    Rows run between `left` and `right`. An arm that leaves a row runs in the direction `drift`
    until it is `apart` from that row, then in the next row in the direction `onward`. `row` is the
    y of the latest row.
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
        """Whether the arm runs in a row, not from one row to the next."""
        return self.heading.y == 0

    @property
    def half_turned(self) -> "Course":
        """The course after half a turn about the led tile."""
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
    """How far arms run straight, in quarters of a tile. `row`: along the line, to either side of
    the led tile; `column`: from the line to where an arm at one of the spinner's ends turns into
    its first row."""

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
    """The right arm's course from a led tile that is no double."""
    apart = max(extent.column + 2, STRIP - 2)
    return Course(Vector(2, 0), RIGHT, LEFT, UP, -NO_END, extent.row, apart)


def lay_spinner(courses: Courses, arm: ArmName, extent: Extent) -> tuple[Lie, Courses]:
    """How a spinner lies that is laid on `arm` of a line without one, and the four courses from
    then on."""
    lie, _ = courses[arm].lay(crosswise=True)
    if arm == "right":
        return lie, spin(courses["right"], courses["left"], extent)
    turned = spin(courses["left"].half_turned, courses["right"].half_turned, extent)
    return lie, {OPPOSITE[name]: course.half_turned for name, course in turned.items()}


def spin(came: Course, other: Course, extent: Extent) -> Courses:
    """The four courses round a spinner that is laid at `came`, the right arm's end; `other` is the
    left arm's course. `up` is to the left of somebody who walks along the right arm towards the
    spinner."""
    middle = came.at.moved(came.heading, 1)
    around = {RIGHT: _in_first_row, UP: _in_column, LEFT: _in_second_row}[came.heading]
    return around(middle, other, extent)


def _kept_left_of(other: Course, limit: int) -> Course:
    """The left arm's course from now on: it doesn't go to the right of `limit`, unless it is there
    already."""
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
    # A row as near as this to the first one must not meet doubles that the left arm lays there.
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
