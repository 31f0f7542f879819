"""Where each tile of a line of play lies on a paper, and where its open ends are.

A tile keeps its place when others are laid after it, on paper of the same shape. On a paper higher
than wide the whole line is turned by a quarter: its left arm runs to the top.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from companion.presentation.drawing.paper import Bounds, Paper
from companion.presentation.drawing.vector import Vector
from companion.presentation.line.courses import Courses, Extent, Lie, lay_spinner, led
from companion.presentation.line.line_of_play import ArmName, LaidTile, LineOfPlay

LINES_KNOWN: Final = 64
"""Beginnings of lines whose places are kept: those of a hand or two."""


class EndOfArm(NamedTuple):
    """Where the next tile of an arm will join: the middle of the free edge, and the direction in
    which the arm goes on."""

    at: Vector
    heading: Vector


class LineLayout(NamedTuple):
    """How each tile lies, in the order of the line's tiles, and where each arm ends."""

    lies: tuple[Lie, ...]
    ends: dict[ArmName, EndOfArm]

    def growing(self) -> Iterator[Bounds]:
        """What the tiles cover together, after each of them; before the lead, its place."""
        whole = Bounds(-2, -1, 2, 1)
        if not self.lies:
            yield whole
        for number, lie in enumerate(self.lies):
            box = Bounds(*lie.box)
            whole = whole.joined(box) if number else box
            yield whole


def lay_out(line: LineOfPlay, paper: Paper) -> LineLayout:
    """Lays the tiles one after the other."""
    lies, courses = _lay_all(line.tiles, _extent_on(paper))
    ends = {arm: EndOfArm(course.at, course.heading) for arm, course in courses.items()}
    if not paper.upright:
        return LineLayout(lies, ends)
    return LineLayout(
        tuple(Lie(lie.middle.quarter, lie.direction.quarter) for lie in lies),
        {arm: EndOfArm(end.at.quarter, end.heading.quarter) for arm, end in ends.items()},
    )


@lru_cache(LINES_KNOWN)
def _lay_all(tiles: tuple[LaidTile, ...], extent: Extent) -> tuple[tuple[Lie, ...], Courses]:
    """How the tiles lie and how the arms go on, which nobody may change. No tile moves the others,
    so one more is laid at what is known of those before it."""
    if not tiles:
        return (), {}
    *before, tile = tiles
    lies, courses = _lay_all((*before,), extent)
    if tile.arm is None:
        lie, courses = led(tile.crosswise, extent)
    elif tile.spinner:
        lie, courses = lay_spinner(courses, tile.arm, extent)
    else:
        lie, course = courses[tile.arm].lay(tile.crosswise)
        courses = {**courses, tile.arm: course}
    return (*lies, lie), courses


def _extent_on(paper: Paper) -> Extent:
    """How far arms run straight on that paper, so that the tiles of most games are largest: 23
    along a square, 27 along 16:9, where an arm at a spinner's end turns after two tiles."""
    row = 4 * min(max(round(4 * paper.length), 6), 12) - 1
    return Extent(row, max(round((row + 4) / paper.length) - 9, 7))
