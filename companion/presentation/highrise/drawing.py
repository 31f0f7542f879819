"""The building of Highrise seen from above, as data and as a drawing.

The basement is two rows of eight fields: eight tiles side by side, a column each. A tile laid later
covers two neighbouring fields and lies above them. The drawing shows the uppermost half of each
field, and its level in a corner.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.words import listed, mark, phrase
from companion.presentation.drawing.faces import (
    UNIT,
    Half,
    Vector,
    coordinate,
    half_face,
    rectangle,
    words_at,
)
from companion.presentation.drawing.paper import Bounds, Paper, around
from companion.presentation.drawing.svg import halo, svg_drawing
from companion.presentation.words import not_placed, tiles_in_words

COLUMNS, ROWS = 8, 2
FIELD = 2.6
"""A field's side, in quarters of a tile as other drawings have it: it has room for the level."""
WALL, HIGHEST = 0.14, 5
"""How far each level is drawn above the one below it, in quarters of a tile, and the level above
which no tile is drawn higher."""

TITLE = mark("The building: {tiles} above the basement")
COLUMN = mark("Column {number}: {fields}.")
FIELD_WORDS, BASEMENT, NOT_KNOWN = mark("{half} on level {level}"), "{half}", mark("not known")
LAST = mark("Laid last: {tile} on level {level}.")
LIFTED = mark("A spacer lifts the {half}.")


class Field(NamedTuple):
    """A field of the grid: row 0 is the upper one, column 0 the one on the left."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class BuildingTile:
    """A tile of the building: its halves (0 to 6, or `W` for a wild one) and the field of each;
    `level` is 0 in the basement. `lifted` is 0 or 1 if a spacer lifts the first or the second half,
    else None. Raises ValueError if the fields are not neighbours in the grid."""

    halves: tuple[Half, Half]
    fields: tuple[Field, Field]
    level: int = 0
    lifted: int | None = None

    def __post_init__(self) -> None:
        (row, column), (other_row, other_column) = self.fields
        if abs(row - other_row) + abs(column - other_column) != 1:
            raise ValueError("a tile covers two fields beside each other")
        if not all(0 <= r < ROWS and 0 <= c < COLUMNS for r, c in self.fields):
            raise ValueError(f"the building has {ROWS} by {COLUMNS} fields")


@dataclass(frozen=True, slots=True)
class Building:
    """The building: `tiles` in the order in which they were laid. `latest`: the place in `tiles` of
    the tile laid last, None if that tile is not among them; `unplaced`: the number of tiles whose
    place the record doesn't know. Raises ValueError if there is no tile at `latest`."""

    tiles: tuple[BuildingTile, ...] = ()
    latest: int | None = None
    unplaced: int = 0

    def __post_init__(self) -> None:
        if self.latest is not None and not 0 <= self.latest < len(self.tiles):
            raise ValueError("the latest tile is none of these")

    @property
    def tops(self) -> dict[Field, tuple[BuildingTile, int]]:
        """For each field that has a tile, the uppermost one, and which of its halves (0 or 1) lies
        there."""
        found: dict[Field, tuple[BuildingTile, int]] = {}
        for tile in self.tiles:
            for half, field in enumerate(tile.fields):
                if field not in found or found[field][0].level <= tile.level:
                    found[field] = tile, half
        return found


def draw_building(building: Building, paper: Paper, *, stand_alone: bool = False) -> str:
    """The building as SVG that fills a paper of that shape; see `picture` for `stand_alone`. On a
    paper higher than wide it is turned by a quarter: its first column is at the top. On a page each
    field has its number, counted row by row, so that it can be tapped."""
    view = _View(paper.upright)
    ground = [
        view.box("outline", (Field(0, column), Field(1, column)), 0) for column in range(COLUMNS)
    ]
    by_level = sorted(building.tiles, key=lambda tile: tile.level)
    tiles = [part for tile in by_level for part in _tile(tile, view)]
    levels = [_level(field, *top, view) for field, top in building.tops.items()]
    if building.latest is not None:
        latest = building.tiles[building.latest]
        tiles.append(halo(view.bounds(latest.fields, latest.level)))
    corners = (Field(0, 0), Field(ROWS - 1, COLUMNS - 1))
    seen = around(view.bounds(corners, 0).grown(0.9), paper)
    sites = [] if stand_alone else [*_sites(building, view)]
    drawn = "".join([*ground, *tiles, *levels, *sites])
    return svg_drawing(
        drawn,
        seen,
        entitle(building),
        describe(building),
        stand_alone=stand_alone,
        language=paper.language,
    )


class _View(NamedTuple):
    """Computes places for the building drawn with its rows across the paper, or `upright`, turned
    by a quarter."""

    upright: bool

    def spot(self, field: Field, level: int) -> tuple[float, float]:
        """The middle of a field's half on that level, in quarters of a tile."""
        x, y = (field.column + 0.5) * FIELD, (field.row - ROWS / 2 + 0.5) * FIELD
        if self.upright:
            x, y = -y, x
        return x, y - min(level, HIGHEST) * WALL

    def bounds(self, fields: tuple[Field, Field], level: int) -> Bounds:
        """The smallest rectangle round two fields on that level."""
        (x, y), (other_x, other_y) = (self.spot(field, level) for field in fields)
        middles = Bounds(min(x, other_x), min(y, other_y), max(x, other_x), max(y, other_y))
        return middles.grown(FIELD / 2 - 0.05)

    def box(self, name: str, fields: tuple[Field, Field], level: int) -> str:
        """The rectangle round two fields on that level, as SVG of the class `name`."""
        left, top, right, bottom = (side * UNIT for side in self.bounds(fields, level))
        return rectangle(
            name, ((left + right) / 2, (top + bottom) / 2), right - left, bottom - top, 3.5
        )


def _tile(tile: BuildingTile, view: _View) -> Iterator[str]:
    """A tile's wall and its face. The halves are drawn off the middle, so that the corners have
    room for levels."""
    if tile.level:
        yield view.box("wall", tile.fields, min(tile.level, HIGHEST) - 1)
    yield view.box("face", tile.fields, tile.level)
    spots = [view.spot(field, tile.level) for field in tile.fields]
    (x, y), (other_x, other_y) = ((one * UNIT, two * UNIT) for one, two in spots)
    direction = Vector(round((other_x - x) / (FIELD * UNIT)), round((other_y - y) / (FIELD * UNIT)))
    middle, bar = ((x + other_x) / 2, (y + other_y) / 2), direction.quarter
    start, end = (
        f"{coordinate(middle[0] + by * bar.x)} {coordinate(middle[1] + by * bar.y)}"
        for by in (-9, 9)
    )
    yield f'<path class="bar" d="M{start}L{end}"/>'
    for half, (at_x, at_y) in zip(tile.halves, ((x, y), (other_x, other_y)), strict=True):
        yield half_face(half, direction, (at_x - 1.5, at_y + 1.5))


def _sites(building: Building, view: _View) -> Iterator[str]:
    """An invisible rectangle with its number for every field, so that it can be tapped."""
    tops = building.tops
    for number in range(ROWS * COLUMNS):
        field = Field(*divmod(number, COLUMNS))
        x, y = view.spot(field, tops[field][0].level if field in tops else 0)
        side = FIELD * UNIT - 2
        spot = rectangle("site", (x * UNIT, y * UNIT), side, side, 3.5)
        yield f'<g data-field="{number}">{spot}</g>'


def _level(field: Field, tile: BuildingTile, half: int, view: _View) -> str:
    """The level of a field's uppermost half, in the corner; with a brass rim if a spacer is below
    it."""
    if not tile.level:
        return ""
    x, y = (value * UNIT for value in view.spot(field, tile.level))
    x, y = x + 8.2, y - 8.2
    name = "level lifted" if tile.lifted == half else "level"
    circle = f'<circle class="{name}" cx="{coordinate(x)}" cy="{coordinate(y)}" r="4"/>'
    return circle + words_at("level-number", x, y, 6, str(tile.level))


# ---------------------------------------------------------------- in words


def entitle(building: Building) -> str:
    """The drawing's name: how many tiles lie above the basement."""
    number = sum(tile.level > 0 for tile in building.tiles) + building.unplaced
    return phrase(TITLE, tiles=tiles_in_words(number))


def describe(building: Building) -> str:
    """The drawing in sentences: the uppermost halves of each column, from top to bottom, and the
    tile laid last."""
    return listed(_sentences(building), " ")


def _sentences(building: Building) -> Iterator[str]:
    tops = building.tops
    for column in range(COLUMNS):
        fields = [_words(tops.get(Field(row, column))) for row in range(ROWS)]
        yield phrase(COLUMN, number=column + 1, fields=listed(fields))
    if building.unplaced:
        yield not_placed(building.unplaced)
    if building.latest is not None:
        tile = building.tiles[building.latest]
        yield phrase(LAST, tile="-".join(map(str, tile.halves)), level=tile.level)
        if tile.lifted is not None:
            yield phrase(LIFTED, half=tile.halves[tile.lifted])


def _words(top: tuple[BuildingTile, int] | None) -> str:
    if top is None:
        return phrase(NOT_KNOWN)
    tile, half = top
    words = FIELD_WORDS if tile.level else BASEMENT
    return phrase(words, half=tile.halves[half], level=tile.level)
