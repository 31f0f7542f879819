"""The faces of tiles, as SVG: pips up to nine, numerals above nine, a letter for a wild half.

A quarter of a tile's length is UNIT, so a half is 20 by 20. A face is drawn about its middle; one
of four directions leads from its first to its second half. Pips are turned with the tile, as on a
table; numerals stay upright.
"""

from functools import lru_cache
from html import escape
from typing import NamedTuple

# ---------------------------------------------------------------- vector
# Places and directions on the table: x grows to the right, y downwards.


class Vector(NamedTuple):
    """A place on the table, or a direction on it as a vector of length 1."""

    x: int
    y: int

    def moved(self, heading: "Vector", by: int) -> "Vector":
        """The place `by` further in that direction."""
        return Vector(self.x + heading.x * by, self.y + heading.y * by)

    @property
    def back(self) -> "Vector":
        """The opposite direction; of a place, the place after half a turn about the led tile."""
        return Vector(-self.x, -self.y)

    @property
    def quarter(self) -> "Vector":
        """The vector turned clockwise by a quarter: right becomes down, up becomes right."""
        return Vector(-self.y, self.x)


LEFT, RIGHT, UP, DOWN = Vector(-1, 0), Vector(1, 0), Vector(0, -1), Vector(0, 1)


# ---------------------------------------------------------------- faces

UNIT = 10
HALF = 2 * UNIT
MOST_PIPS = 9
"""The most pips that are drawn; more are a numeral."""

Half = int | str | None
"""What a half shows: pips, a letter, or None if it is not known."""

PIP_STEP = 5
"""The distance from pip to pip."""

_CORNERS = ((-1, -1), (1, 1), (-1, 1), (1, -1))
_ALONG = ((0, -1), (0, 1))
_ACROSS = ((-1, 0), (1, 0))
PATTERNS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 0),),
    _CORNERS[:2],
    (*_CORNERS[:2], (0, 0)),
    _CORNERS,
    (*_CORNERS, (0, 0)),
    (*_CORNERS, *_ALONG),
    (*_CORNERS, *_ALONG, (0, 0)),
    (*_CORNERS, *_ALONG, *_ACROSS),
    (*_CORNERS, *_ALONG, *_ACROSS, (0, 0)),
)
"""For each number of pips, their places on a half, as steps along and across the tile."""


def coordinate(value: float) -> str:
    """A length or coordinate as SVG writes it, to a tenth: 3, 2.5, -0.3."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def rectangle(
    name: str, middle: tuple[float, float], width: float, height: float, corner: float
) -> str:
    """A rectangle of the class `name`, by its middle; `corner` is the radius of its corners."""
    left, top = coordinate(middle[0] - width / 2), coordinate(middle[1] - height / 2)
    size = f'width="{coordinate(width)}" height="{coordinate(height)}"'
    return f'<rect class="{name}" x="{left}" y="{top}" {size} rx="{coordinate(corner)}"/>'


def words_at(name: str, x: float, y: float, size: float, words: str) -> str:
    """Words whose middle is at (x, y). Letters of most fonts are some 0.7 of their size high."""
    at = f'x="{coordinate(x)}" y="{coordinate(y + 0.35 * size)}" font-size="{coordinate(size)}"'
    return f'<text class="{name}" {at}>{escape(words)}</text>'


def start_at(name: str, x: float, y: float, size: float, words: str) -> str:
    """Words that begin at x, their middle line at y."""
    return words_at(f"{name} start", x, y, size, words)


@lru_cache(maxsize=2048)
def face(first: Half, second: Half, direction: Vector) -> str:
    """The face of a tile about (0, 0); `direction` leads from its first half to its second. If
    neither half is known it shows a back with a “?”."""
    wide, high = (2 * HALF, HALF) if direction.y == 0 else (HALF, 2 * HALF)
    shade = rectangle("shade", (0.7, 1.2), wide - 1, high - 1, 3.5)
    if first is None and second is None:
        back = rectangle("back", (0, 0), wide - 1, high - 1, 3.5)
        return f"{shade}{back}{words_at('unknown', 0, 0, 14, '?')}"
    bar = direction.quarter
    cut = f"M{7 * bar.x} {7 * bar.y}L{-7 * bar.x} {-7 * bar.y}"
    x, y = direction.x * UNIT, direction.y * UNIT
    return (
        f"{shade}{rectangle('face', (0, 0), wide - 1, high - 1, 3.5)}"
        f'<path class="bar" d="{cut}"/>'
        f"{half_face(first, direction, (-x, -y))}{half_face(second, direction, (x, y))}"
    )


def half_face(half: Half, direction: Vector, middle: tuple[float, float]) -> str:
    """The pips, numeral or letter of a half, about its `middle`; “?” if it is not known."""
    x, y = middle
    if half is None:
        return words_at("pale", x, y, 13, "?")
    if isinstance(half, str) or half > MOST_PIPS:
        return words_at("numeral", x, y, 12, str(half))
    if half == 0:
        return ""
    across = direction.quarter
    dots = (
        f"M{coordinate(x + PIP_STEP * (a * across.x + b * direction.x))}"
        f" {coordinate(y + PIP_STEP * (a * across.y + b * direction.y))}h0"
        for b, a in PATTERNS[half]
    )
    return f'<path class="pips" d="{"".join(dots)}"/>'
