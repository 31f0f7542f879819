"""The places of the tiles and open ends of a line of play on a paper.

On paper of the same shape a tile keeps its place when others are laid after it. On a paper higher
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
"""The number of lines, beginnings of lines included, whose places are cached: those of a hand or
two."""


class EndOfArm(NamedTuple):
    """The end of an arm, which the next tile will join: `at` is the middle of the free edge,
    `heading` the direction in which the arm goes on."""

    at: Vector
    heading: Vector


class LineLayout(NamedTuple):
    """How the tiles lie, in the order of the line's tiles, and where each arm ends."""

    lies: tuple[Lie, ...]
    ends: dict[ArmName, EndOfArm]

    def growing(self) -> Iterator[Bounds]:
        """The rectangles that the tiles cover together after each lay; with no tile, the led tile's
        place."""
        whole = Bounds(-2, -1, 2, 1)
        if not self.lies:
            yield whole
        for number, lie in enumerate(self.lies):
            box = Bounds(*lie.box)
            whole = whole.joined(box) if number else box
            yield whole


def lay_out(line: LineOfPlay, paper: Paper) -> LineLayout:
    """The layout of a line on this paper; the tiles are laid one after the other."""
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
    """How the tiles lie and how the arms go on. The result is cached, so nobody may change it. A
    tile never moves others, so each is laid on the cached result for the tiles before it."""
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
    """How far the arms run straight on that paper, chosen so that in most games the tiles are drawn
    as large as possible: `row` is 23 on a square and 27 on 16:9, on which an arm at a spinner's end
    turns after two tiles."""
    row = 4 * min(max(round(4 * paper.length), 6), 12) - 1
    return Extent(row, max(round((row + 4) / paper.length) - 9, 7))
