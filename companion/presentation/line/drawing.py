"""The drawing of the line of play: faces with pips, doubles across, the open ends marked with their
pips, the latest tile with a bright rim. A caption below the tiles says what the record doesn't
know."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Final, NamedTuple

from companion.core.words import listed, mark, phrase
from companion.games.line.line import ON_ARM
from companion.games.tiles import Tile
from companion.presentation.drawing.svg import (
    DOWN,
    LEFT,
    RIGHT,
    UNIT,
    UP,
    Bounds,
    Paper,
    Vector,
    coordinate,
    face,
    halo,
    number_of_tiles,
    rectangle,
    svg_drawing,
    text_at,
    unplaced_sentence,
    window,
)
from companion.presentation.line.line_of_play import (
    ARM_NAMES,
    OPPOSITE,
    ArmName,
    LineOfPlay,
    OpenEnd,
    PlayedTile,
)

# ---------------------------------------------------------------- courses of the arms
# The arms are straight as long as there is room, then they turn a corner. Lengths are in quarters
# of a tile: a tile is 4 long and 2 wide, a double is 2 along the line and 4 across. x grows to the
# right, y downwards; the led tile's middle is (0, 0).
#
# Each arm owns a part of the table that no other arm enters, so it never has to avoid others. Each
# part is a strip, bounded on the left, on the right and either above or below; in the fourth
# direction it has no end. There the arm goes to and fro in rows, each at least ROW from the one
# before. So an arm always has room, and a tile's place depends only on the tiles played before it:
# nothing is moved later.
#
# Before there is a spinner, the left arm owns the lower left and the right arm the upper right. A
# spinner can be played at either end, so these two arms turn widely and leave room on both sides of
# their course. Once it is played, its arms share its own arm's part and the free space beside it.


LONG, WIDE = 4, 2
"""A tile's length and width, in quarters of its length."""
GAP = 1
"""The least distance between tiles that are not neighbours in the line."""
ROW = WIDE + GAP + WIDE
"""The least distance between the middles of two rows; a double reaches 2 to either side."""
NARROW_ROW = ROW - 1
"""The least distance between the middles of two rows if one of them has no doubles."""
RESERVE = 5
"""The length kept free at the end of a row: for a double, and then a corner with a double
across."""
STRIP = 18
"""The distance from a spinner's middle to the far side of a strip. Its rows are 15 long, the
shortest in which an arm can always turn back."""
NO_END = 1 << 20


class Placement(NamedTuple):
    """The place of a tile: its middle, and the direction from its inner to its outer half."""

    middle: Vector
    direction: Vector

    @property
    def box(self) -> tuple[int, int, int, int]:
        """The sides of the rectangle that the tile covers: left, top, right, bottom."""
        x, y = self.middle
        half_wide, half_high = (2, 1) if self.direction.y == 0 else (1, 2)
        return x - half_wide, y - half_high, x + half_wide, y + half_high


class ArmCourse(NamedTuple):
    """The course of an arm from its end on. `at` is the middle of the edge that its next tile will
    touch, `heading` the arm's direction there.

    Rows are between `left` and `right`. An arm that leaves a row goes in the direction `drift`
    until its distance from that row is `apart`, and then starts the next row in the direction
    `onward`. `row` is the y of the latest row."""

    at: Vector
    heading: Vector
    onward: Vector
    drift: Vector
    left: int
    right: int
    apart: int = ROW
    row: int = 0
    broad: bool = False
    """Whether the latest row has a double across it."""

    @property
    def in_row(self) -> bool:
        """Whether the arm is in a row, not between two rows."""
        return self.heading.y == 0

    @property
    def half_turned(self) -> "ArmCourse":
        """The course after half a turn around the led tile."""
        return ArmCourse(
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

    def place(self, crosswise: bool) -> "tuple[Placement, ArmCourse]":
        """Returns the place of the next tile, and the course after it. A double is never put in a
        corner."""
        heading = self.heading
        if crosswise:
            middle = self.at.moved(heading, 1)
            onward = self._replace(at=self.at.moved(heading, WIDE), broad=True)
            return Placement(middle, heading.quarter), onward
        if not self._must_turn():
            middle = self.at.moved(heading, 2)
            return Placement(middle, heading), self._replace(at=self.at.moved(heading, LONG))
        if self.in_row:
            apart = max(self.apart, ROW if self.broad else NARROW_ROW)
            turned = self._replace(
                heading=self.drift, onward=heading.back, row=self.at.y, apart=apart
            )
        else:
            turned = self._replace(heading=self.onward, apart=0, broad=False)
        corner = self.at.moved(heading, 1)
        placed = Placement(corner.moved(turned.heading, 1), turned.heading)
        return placed, turned._replace(at=corner.moved(turned.heading, 3))

    def _must_turn(self) -> bool:
        if self.in_row:
            room = self.right - self.at.x if self.heading == RIGHT else self.at.x - self.left
            return room < LONG + RESERVE
        return abs(self.at.y - self.row) + 1 >= self.apart


Courses = dict[ArmName, ArmCourse]


class Extent(NamedTuple):
    """How far arms run straight, in quarters of a tile. `row`: along the line, to either side of
    the led tile; `column`: from the line to the first row of an arm that starts at the spinner's
    end."""

    row: int
    column: int


def place_led_tile(crosswise: bool, extent: Extent) -> tuple[Placement, Courses]:
    """Returns the place of the led tile, and the courses of the arms that it opens."""
    if crosswise:
        start = _right_course_before_spinner(extent)
        came, other = start._replace(at=Vector(-1, 0)), start._replace(at=Vector(1, 0))
        return Placement(Vector(0, 0), UP), courses_around_spinner(came, other.half_turned, extent)
    right = _right_course_before_spinner(extent)
    return Placement(Vector(0, 0), RIGHT), {"right": right, "left": right.half_turned}


def _right_course_before_spinner(extent: Extent) -> ArmCourse:
    """Returns the right arm's course from a led tile that isn't a double."""
    apart = max(extent.column + 2, STRIP - 2)
    return ArmCourse(Vector(2, 0), RIGHT, LEFT, UP, -NO_END, extent.row, apart)


def place_spinner(courses: Courses, arm: ArmName, extent: Extent) -> tuple[Placement, Courses]:
    """Returns the place of a spinner that is played on `arm` of a line without one, and the four
    courses after it."""
    placed, _ = courses[arm].place(crosswise=True)
    if arm == "right":
        return placed, courses_around_spinner(courses["right"], courses["left"], extent)
    turned = courses_around_spinner(
        courses["left"].half_turned, courses["right"].half_turned, extent
    )
    return placed, {OPPOSITE[name]: course.half_turned for name, course in turned.items()}


def courses_around_spinner(came: ArmCourse, other: ArmCourse, extent: Extent) -> Courses:
    """Returns the four courses around a spinner at the end of the right arm, whose course is
    `came`; `other` is the left arm's course. `up` is to the left when looking along the right arm
    to the spinner."""
    middle = came.at.moved(came.heading, 1)
    around = {
        RIGHT: _courses_from_first_row,
        UP: _courses_from_column,
        LEFT: _courses_from_second_row,
    }[came.heading]
    return around(middle, other, extent)


def _left_course_limited(other: ArmCourse, limit: int) -> ArmCourse:
    """Returns the left arm's course, limited so that it doesn't go to the right of `limit`, unless
    it is there already."""
    beyond = other.at.x + LONG + RESERVE + GAP + WIDE if other.heading == RIGHT else limit
    return other._replace(right=max(limit, beyond), apart=NARROW_ROW)


def _courses_from_first_row(middle: Vector, other: ArmCourse, extent: Extent) -> Courses:
    x, far = middle.x, max(extent.row, middle.x + STRIP)
    left = _left_course_limited(other, x - 3)
    below = max(x - 2, left.right + GAP)
    column = extent.column if below == x - 2 else LONG + WIDE
    return {
        "left": left,
        "right": ArmCourse(middle.moved(RIGHT, 1), RIGHT, LEFT, UP, x + 3, far),
        "up": ArmCourse(middle.moved(UP, 2), UP, LEFT, UP, -extent.row, x + 2, extent.column),
        "down": ArmCourse(
            middle.moved(DOWN, 2), DOWN, RIGHT, DOWN, below, max(far, below + STRIP), column
        ),
    }


def _courses_from_column(middle: Vector, other: ArmCourse, extent: Extent) -> Courses:
    x, y = middle
    # A row this near to the first row must not collide with the left arm's doubles there.
    nearest = -extent.row if -y >= ROW else -1
    column = max(extent.column + y, ROW)
    return {
        "left": _left_course_limited(other, x),
        "right": ArmCourse(middle.moved(UP, 1), UP, RIGHT, UP, x - 2, x + STRIP, column, y),
        "up": ArmCourse(middle.moved(LEFT, 2), LEFT, RIGHT, UP, nearest, x - 3),
        "down": ArmCourse(middle.moved(RIGHT, 2), RIGHT, LEFT, DOWN, x + 3, x + 3 + STRIP),
    }


def _courses_from_second_row(middle: Vector, other: ArmCourse, extent: Extent) -> Courses:
    x, y = middle
    far = min(-extent.row, x - STRIP)
    # Between the two rows there is room for one more; only beyond them may the arm turn.
    beyond = far - STRIP
    return {
        "left": _left_course_limited(other, extent.row),
        "right": ArmCourse(middle.moved(LEFT, 1), LEFT, RIGHT, UP, far, x - 3),
        "up": ArmCourse(middle.moved(DOWN, 2), DOWN, LEFT, DOWN, beyond - 3, far - 3, ROW, y),
        "down": ArmCourse(
            middle.moved(UP, 2), UP, RIGHT, UP, x - 2, max(extent.row, x + STRIP), ROW, y
        ),
    }


# ---------------------------------------------------------------- words
# What the drawing shows, in words, for people who can't see it.


NOTHING_LAID, NO_TILE = (
    mark("The line of play: nothing is laid yet"),
    mark("No tile is on the table."),
)
SCORES_ONLY = mark("Only scores are entered in this hand: the line of play is not known.")
TITLE = mark("The line of play: {tiles}, {count}")
COUNT, NO_COUNT = mark("count {count}"), mark("count not known")
LED, LED_SPINNER = mark("Led: {tile}."), mark("Led: {tile}, the spinner.")
ARM = mark("{arm}: {tiles}.")
SPINNER = mark("{tile}, the spinner")
NOT_KNOWN = mark("a tile that is not known")
OPEN = mark("Open: {ends}.")
END, DOUBLE, UNCOUNTED = (
    mark("{pips} {arm}"),
    mark("{pips} twice {arm}"),
    mark("{pips} {arm}, which counts nothing"),
)
END_NOT_KNOWN = mark("one not known {arm}")
LAST = mark("Laid last: {tile} {arm}.")
LAST_LED = mark("Laid last: {tile}.")
SAID_ENDS = mark("Open ends: {ends}.")
NAMES: dict[ArmName, str] = {
    "left": mark("Left"),
    "right": mark("Right"),
    "up": mark("Up"),
    "down": mark("Down"),
}


def line_title(line: LineOfPlay) -> str:
    """Returns the number of tiles in the line, and the count, as the drawing's title."""
    number = len(line.tiles) + line.unplaced
    if not number:
        return phrase(NOTHING_LAID)
    count = phrase(NO_COUNT) if line.count is None else phrase(COUNT, count=line.count)
    return phrase(TITLE, tiles=number_of_tiles(number), count=count)


def line_in_words(line: LineOfPlay) -> str:
    """Returns sentences that describe the drawing: the led tile, each arm's tiles outwards, the
    open ends, the tile played last."""
    return listed(_line_sentences(line), " ") or phrase(NO_TILE)


def unplaced_words(line: LineOfPlay) -> tuple[str, ...]:
    """Returns sentences about what can't be drawn; none if the whole line is known."""
    ends = " ".join(map(str, line.said_ends or ()))
    said = phrase(SAID_ENDS, ends=ends) if ends else ""
    return tuple(filter(None, (unplaced_sentence(line.unplaced), said)))


def _line_sentences(line: LineOfPlay) -> Iterator[str]:
    if line.tiles:
        led = line.tiles[0]
        yield phrase(LED_SPINNER if led.spinner else LED, tile=_tile_in_words(led))
    for arm in ARM_NAMES:
        tiles = [
            phrase(SPINNER, tile=_tile_in_words(tile)) if tile.spinner else _tile_in_words(tile)
            for tile in line.tiles
            if tile.arm == arm
        ]
        if tiles:
            yield phrase(ARM, arm=phrase(NAMES[arm]), tiles=listed(tiles))
    if line.open_ends:
        yield phrase(OPEN, ends=listed(map(_end_in_words, line.open_ends)))
    yield from unplaced_words(line)
    if line.latest is not None:
        last = line.tiles[line.latest]
        where = ON_ARM[last.arm] if last.arm else ""
        yield phrase(LAST if where else LAST_LED, tile=_tile_in_words(last), arm=where)


def _tile_in_words(tile: PlayedTile) -> str:
    if tile.inner is None and tile.outer is None:
        return phrase(NOT_KNOWN)
    return "-".join("?" if half is None else str(half) for half in (tile.inner, tile.outer))


def _end_in_words(end: OpenEnd) -> str:
    if end.pips is None:
        return phrase(END_NOT_KNOWN, arm=ON_ARM[end.arm])
    words = (UNCOUNTED, END, DOUBLE)[end.times]
    return phrase(words, pips=end.pips, arm=ON_ARM[end.arm])


# ---------------------------------------------------------------- layout
# The places of the tiles and open ends of a line of play on a paper.
#
# On paper of the same shape a tile keeps its place when others are laid after it. On a paper higher
# than wide the whole line is turned by a quarter: its left arm runs to the top.


LINES_KNOWN: Final = 64
"""The number of lines whose tiles' places are cached, enough for a hand or two; each beginning of a
line counts."""


class EndOfArm(NamedTuple):
    """The end of an arm, where the next tile goes: `at` is the middle of the free edge, `heading`
    the direction in which the arm continues."""

    at: Vector
    heading: Vector


class LineLayout(NamedTuple):
    """The places of the line's tiles, in the order of play, and the end of each arm."""

    placements: tuple[Placement, ...]
    ends: dict[ArmName, EndOfArm]

    def bounds_after_each_play(self) -> Iterator[Bounds]:
        """Yields the rectangle around all tiles after each play; without tiles, the led tile's
        place."""
        whole = Bounds(-2, -1, 2, 1)
        if not self.placements:
            yield whole
        for number, placed in enumerate(self.placements):
            box = Bounds(*placed.box)
            whole = whole.joined(box) if number else box
            yield whole


def lay_out(line: LineOfPlay, paper: Paper) -> LineLayout:
    """Returns the layout of a line on this paper."""
    placements, courses = _place_tiles(line.tiles, _extent_on(paper))
    ends = {arm: EndOfArm(course.at, course.heading) for arm, course in courses.items()}
    if not paper.upright:
        return LineLayout(placements, ends)
    return LineLayout(
        tuple(Placement(placed.middle.quarter, placed.direction.quarter) for placed in placements),
        {arm: EndOfArm(end.at.quarter, end.heading.quarter) for arm, end in ends.items()},
    )


@lru_cache(LINES_KNOWN)
def _place_tiles(
    tiles: tuple[PlayedTile, ...], extent: Extent
) -> tuple[tuple[Placement, ...], Courses]:
    """Returns the places of the tiles, and the courses after them. The result is cached and must
    not be changed. Placing a tile never moves others, so each call continues from the cached result
    for all tiles but the last."""
    if not tiles:
        return (), {}
    *before, tile = tiles
    placements, courses = _place_tiles((*before,), extent)
    if tile.arm is None:
        placed, courses = place_led_tile(tile.crosswise, extent)
    elif tile.spinner:
        placed, courses = place_spinner(courses, tile.arm, extent)
    else:
        placed, course = courses[tile.arm].place(tile.crosswise)
        courses = {**courses, tile.arm: course}
    return (*placements, placed), courses


def _extent_on(paper: Paper) -> Extent:
    """Returns how far arms run straight on that paper. With these lengths most games fill the paper
    with tiles as large as possible: `row` is 23 on a square and 27 on 16:9, on which an arm at a
    spinner's end turns after two tiles."""
    row = 4 * min(max(round(4 * paper.aspect_ratio), 6), 12) - 1
    return Extent(row, max(round((row + 4) / paper.aspect_ratio) - 9, 7))


# ---------------------------------------------------------------- drawing

MARGIN = 2.9
"""The margin around the tiles, with room for the marks of open ends, in quarters of a tile."""
MIN_SIDE = 20.0
"""The shortest side of the part of the table that a square paper shows, in quarters of a tile."""
MARK = 1.05
"""Half the width of an open end's mark."""
BAND = 30
"""The font size below the tiles is the paper's mean side divided by this."""
TILES_BAND = 0.2
"""The fraction of the paper's height for the tiles below the line."""
LINE = 1.35
"""The line height of text, as a multiple of the font size."""

LETTER_WIDTH = 0.58
"""The width of a letter, as a fraction of the font size."""
LETTERS_ACROSS = 30
"""The fewest letters per line for a text in place of a line of play, which limits its font size."""
DRAWINGS_KNOWN: Final = 4
"""The number of cached drawings: the line doesn't change while players draw and pass."""


def draw_line(
    line: LineOfPlay, paper: Paper, *, stand_alone: bool = False, lit: Sequence[Tile] = ()
) -> str:
    """Returns the line as SVG that fills a paper of that shape. Tiles in `lit` have a bright
    rim."""
    return _draw_cached(line, paper, stand_alone, (*lit,))


@lru_cache(DRAWINGS_KNOWN)
def _draw_cached(line: LineOfPlay, paper: Paper, stand_alone: bool, lit: tuple[Tile, ...]) -> str:
    layout = lay_out(line, paper)
    parts = [
        _draw_tile(tile, placed) for tile, placed in zip(line.tiles, layout.placements, strict=True)
    ]
    if line.latest is not None:
        parts.append(halo(Bounds(*layout.placements[line.latest].box)))
    parts += _draw_lit_tiles(line, layout, lit)
    parts += [_draw_open_end(end, layout.ends[end.arm]) for end in line.open_ends]
    if not line.tiles:
        parts += _draw_without_tiles(line)
    least = MIN_SIDE / paper.aspect_ratio**0.5
    needed = (bounds.grown(MARGIN) for bounds in layout.bounds_after_each_play())
    seen, caption = _window_and_caption(unplaced_words(line), needed, paper, least)
    drawn = "".join([*parts, *caption])
    return svg_drawing(
        drawn,
        seen,
        line_title(line),
        line_in_words(line),
        stand_alone=stand_alone,
        language=paper.language,
    )


def draw_proof(line: LineOfPlay, paper: Paper, tiles: Sequence[Tile]) -> str:
    """Returns the line at a disputed draw or pass, for a page. Below it are the tiles that fitted
    then, in a group with the CSS class `lit`."""
    layout = lay_out(line, paper)
    parts = [
        _draw_tile(tile, placed) for tile, placed in zip(line.tiles, layout.placements, strict=True)
    ]
    parts += [_draw_open_end(end, layout.ends[end.arm]) for end in line.open_ends]
    needed = [[*layout.bounds_after_each_play()][-1].grown(MARGIN)]
    band = paper.height * TILES_BAND if tiles else 0.0
    seen = window(
        needed, Paper(paper.width, paper.height - band), MIN_SIDE / paper.aspect_ratio**0.5
    )
    scale = seen.width / paper.width
    parts.append(_draw_tiles_below(tiles, seen, band * scale))
    seen = seen._replace(bottom=seen.bottom + band * scale)
    title, text = line_title(line), line_in_words(line)
    return svg_drawing(
        "".join(parts), seen, title, text, stand_alone=False, language=paper.language
    )


def _draw_tiles_below(tiles: Sequence[Tile], above: Bounds, high: float) -> str:
    """Returns a row of tiles in a band of height `high` below `above`, at most as wide as that, all
    in quarters of a tile."""
    large = min(high / 3, 2.0, above.width / (5 * max(len(tiles), 1) + 1))
    first = -2.5 * (len(tiles) - 1)
    drawn = "".join(
        f'<g transform="translate({coordinate((first + 5 * at) * UNIT)} 0)">'
        f"{face(tile.low, tile.high, Vector(1, 0))}{halo(Bounds(-2, -1, 2, 1))}</g>"
        for at, tile in enumerate(tiles)
    )
    x, y = (above.left + above.right) / 2, above.bottom + 0.4 * high
    at = f"{coordinate(x * UNIT)} {coordinate(y * UNIT)}"
    return f'<g class="lit" transform="translate({at}) scale({coordinate(large)})">{drawn}</g>'


def _draw_lit_tiles(line: LineOfPlay, layout: LineLayout, lit: Sequence[Tile]) -> list[str]:
    halves = [{tile.low, tile.high} for tile in lit]
    return [
        f'<g class="lit">{halo(Bounds(*placed.box))}</g>'
        for tile, placed in zip(line.tiles, layout.placements, strict=True)
        if {tile.inner, tile.outer} in halves
    ]


def draw_scores_only(paper: Paper, *, stand_alone: bool = False) -> str:
    """Returns, as SVG, the text that is shown in place of the line if only scores are entered."""
    said = phrase(SCORES_ONLY)
    lines = _break_into_lines(paper.language.translate(said), paper)
    wide, high = max(map(len, lines)) * LETTER_WIDTH / 2, len(lines) * LINE / 2
    least = LETTERS_ACROSS * LETTER_WIDTH * min(paper.height / paper.width, 1)
    seen = window([Bounds(-wide, -high, wide, high)], paper, least)
    drawn = "".join(
        text_at("words", 0, ((at + 0.5) * LINE - high) * UNIT, UNIT, words)
        for at, words in enumerate(lines)
    )
    return svg_drawing(drawn, seen, said, said, stand_alone=stand_alone, language=paper.language)


def _break_into_lines(text: str, paper: Paper) -> list[str]:
    """Returns the text, broken into lines so that its letters are as large as possible."""
    found = (wrap(text, most) for most in (80, 40, 28, 20))

    def letters(lines: list[str]) -> float:
        return min(
            paper.width / (max(map(len, lines)) * LETTER_WIDTH), paper.height / (len(lines) * LINE)
        )

    return max(found, key=letters)


def _draw_without_tiles(line: LineOfPlay) -> list[str]:
    """Returns the parts of a drawing without tiles: the place of the first tile, or the open ends
    as they were entered if tiles are on the table."""
    if not line.unplaced:
        return [rectangle("outline", (0, 0), 4 * UNIT, 2 * UNIT, 3.5)]
    ends = line.said_ends or ()
    return [
        _draw_mark("mark", (2.4 * at - 1.2 * (len(ends) - 1)) * UNIT, 0, str(pips))
        for at, pips in enumerate(ends)
    ]


def _draw_tile(tile: PlayedTile, placed: Placement) -> str:
    x, y = placed.middle.x * UNIT, placed.middle.y * UNIT
    pin = '<circle class="pin" r="2.6"/>' if tile.spinner else ""
    shown = face(tile.inner, tile.outer, placed.direction)
    return f'<g transform="translate({x} {y})">{shown}{pin}</g>'


def _draw_open_end(end: OpenEnd, at: EndOfArm) -> str:
    """Returns the mark of an open end with the pips to match; an exposed double has one mark beside
    each half."""
    heading, across = at.heading, at.heading.quarter
    x, y = at.at.x + 1.35 * heading.x, at.at.y + 1.35 * heading.y
    name = "mark" if end.times and end.pips is not None else "hollow"
    words = "?" if end.pips is None else str(end.pips)
    marks = "".join(
        _draw_mark(name, (x + by * across.x) * UNIT, (y + by * across.y) * UNIT, words)
        for by in ((-1.1, 1.1) if end.times == 2 else (0.0,))
    )
    return f'<g data-arm="{end.arm}">{marks}</g>'


def _draw_mark(name: str, x: float, y: float, words: str) -> str:
    circle = f'cx="{coordinate(x)}" cy="{coordinate(y)}" r="{coordinate(MARK * UNIT)}"'
    return f'<circle class="{name}" {circle}/>{text_at("pips-to-match", x, y, 15, words)}'


def _window_and_caption(
    sentences: tuple[str, ...], needed: Iterable[Bounds], paper: Paper, least: float
) -> tuple[Bounds, list[str]]:
    """Returns the part of the table to show, and the caption in a band below the tiles."""
    if not sentences:
        return window(needed, paper, least), []
    letters = (paper.width * paper.height) ** 0.5 / BAND
    lines = [
        line
        for words in sentences
        for line in wrap(paper.language.translate(words), int(paper.width / letters / LETTER_WIDTH))
    ]
    band = (len(lines) + 0.5) * LINE * letters
    tiles = window(needed, Paper(paper.width, paper.height - band), least)
    scale = tiles.width / paper.width
    x, size = (tiles.left + tiles.right) / 2, letters * scale
    caption = [
        text_at("words", x * UNIT, (tiles.bottom + at * LINE * size) * UNIT, size * UNIT, words)
        for at, words in enumerate(lines)
    ]
    return tiles._replace(bottom=tiles.bottom + band * scale), caption
