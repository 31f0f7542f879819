"""The parts of every drawing, as SVG: the paper, the part of the table that it shows, tile faces,
text fitted into a line, and the SVG element with its text alternative and style.

UNIT is a quarter of a tile's length, so a half is 20 by 20."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import combining, east_asian_width

from companion.core.values import dataclass
from companion.core.words import counted, mark, phrase, without_marks
from companion.presentation.language import ENGLISH, Language

# ---------------------------------------------------------------- paper


@dataclass(frozen=True, slots=True)
class Paper:
    """The shape of a drawing as a ratio of width to height, such as Paper(16, 9), and the language
    of its words. The page that shows the drawing sets its size. Raises ValueError if a side is not
    positive."""

    width: float
    height: float
    language: Language = ENGLISH

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError("a paper has a width and a height")

    @property
    def upright(self) -> bool:
        return self.height > self.width

    @property
    def aspect_ratio(self) -> float:
        """The longer side divided by the shorter one."""
        longer, shorter = max(self.width, self.height), min(self.width, self.height)
        return longer / shorter


class Bounds(NamedTuple):
    """A rectangle given by its sides. x grows to the right, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    def grown(self, by: float) -> "Bounds":
        """Returns the rectangle extended by that much on each side."""
        return Bounds(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def contains(self, other: "Bounds") -> bool:
        """Returns whether `other` is completely inside this rectangle."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def joined(self, other: "Bounds") -> "Bounds":
        """Returns the smallest rectangle around both."""
        return Bounds(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


ROOM = 1.15
"""A new window is this many times as large as what it must show, to leave room for the next
tiles."""


def window_around(bounds: Bounds, paper: Paper, least: float = 0) -> Bounds:
    """Returns the smallest part of the table that fills the paper, is centred on `bounds`, and
    whose shorter side is at least `least`."""
    shorter = min(paper.width, paper.height)
    wide, high = paper.width / shorter, paper.height / shorter
    side = max(least, bounds.width / wide, bounds.height / high)
    x, y = (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2
    wide, high = side * wide / 2, side * high / 2
    return Bounds(x - wide, y - high, x + wide, y + high)


def window(needed: Iterable[Bounds], paper: Paper, least: float) -> Bounds:
    """Returns the part of the table that the paper shows. `needed`: what has to be visible at first
    and after each play. The window stays in its place as long as it shows all that is needed; after
    that it is enlarged, never shrunk, and centred again. Its shorter side is at least `least`.
    Raises ValueError if `needed` is empty."""
    seen = None
    for bounds in needed:
        if seen is None or not seen.contains(bounds):
            with_room = bounds.grown((ROOM - 1) / 2 * max(bounds.width, bounds.height))
            before = min(seen.width, seen.height) if seen else least
            seen = window_around(with_room, paper, before)
    if seen is None:
        raise ValueError("there is nothing to be seen")
    return seen


# ---------------------------------------------------------------- vector
# Places and directions on the table: x grows to the right, y downwards.


class Vector(NamedTuple):
    """A place on the table, or a direction as a vector of length 1. x grows to the right, y
    downwards."""

    x: int
    y: int

    def moved(self, heading: "Vector", by: int) -> "Vector":
        """Returns the place at distance `by` in that direction."""
        return Vector(self.x + heading.x * by, self.y + heading.y * by)

    @property
    def back(self) -> "Vector":
        """The opposite direction; for a place, its reflection in the middle of the led tile."""
        return Vector(-self.x, -self.y)

    @property
    def quarter(self) -> "Vector":
        """The vector turned a quarter clockwise: right becomes down, up becomes right."""
        return Vector(-self.y, self.x)


LEFT, RIGHT, UP, DOWN = Vector(-1, 0), Vector(1, 0), Vector(0, -1), Vector(0, 1)


# ---------------------------------------------------------------- faces

UNIT = 10
HALF = 2 * UNIT
MAX_DOTS = 9
"""The most pips that are drawn as dots; larger numbers are numerals."""

Half = int | str | None
"""What a half of a tile shows: its pips or a letter; None if it is not known."""

PIP_STEP = 5
"""The distance between neighbouring pips."""

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
"""The positions of the pips on a half, by their number, in steps along and across the tile."""


def coordinate(value: float) -> str:
    """Returns a length or coordinate for SVG, rounded to a tenth: 3, 2.5, -0.3."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text


def rectangle(
    name: str, middle: tuple[float, float], width: float, height: float, corner: float
) -> str:
    """Returns a rectangle around `middle`, with the CSS class `name`; `corner` is the radius of its
    corners."""
    left, top = coordinate(middle[0] - width / 2), coordinate(middle[1] - height / 2)
    size = f'width="{coordinate(width)}" height="{coordinate(height)}"'
    return f'<rect class="{name}" x="{left}" y="{top}" {size} rx="{coordinate(corner)}"/>'


def text_at(name: str, x: float, y: float, size: float, words: str) -> str:
    """Returns text centred at (x, y), assuming letters 0.7 of the font size high."""
    at = f'x="{coordinate(x)}" y="{coordinate(y + 0.35 * size)}" font-size="{coordinate(size)}"'
    return f'<text class="{name}" {at}>{escape(words)}</text>'


def text_from(name: str, x: float, y: float, size: float, words: str) -> str:
    """Returns text that begins at x and is centred vertically at y."""
    return text_at(f"{name} start", x, y, size, words)


@lru_cache(maxsize=2048)
def face(first: Half, second: Half, direction: Vector) -> str:
    """Returns the face of a tile centred at (0, 0); `direction` points from its first half to its
    second. If both halves are unknown, returns the back with a “?”."""
    wide, high = (2 * HALF, HALF) if direction.y == 0 else (HALF, 2 * HALF)
    shade = rectangle("shade", (0.7, 1.2), wide - 1, high - 1, 3.5)
    if first is None and second is None:
        back = rectangle("back", (0, 0), wide - 1, high - 1, 3.5)
        return f"{shade}{back}{text_at('unknown', 0, 0, 14, '?')}"
    bar = direction.quarter
    cut = f"M{7 * bar.x} {7 * bar.y}L{-7 * bar.x} {-7 * bar.y}"
    x, y = direction.x * UNIT, direction.y * UNIT
    return (
        f"{shade}{rectangle('face', (0, 0), wide - 1, high - 1, 3.5)}"
        f'<path class="bar" d="{cut}"/>'
        f"{half_face(first, direction, (-x, -y))}{half_face(second, direction, (x, y))}"
    )


def half_face(half: Half, direction: Vector, middle: tuple[float, float]) -> str:
    """Returns the pips, numeral or letter of a half centred at `middle`; “?” if it is not known."""
    x, y = middle
    if half is None:
        return text_at("pale", x, y, 13, "?")
    if isinstance(half, str) or half > MAX_DOTS:
        return text_at("numeral", x, y, 12, str(half))
    if half == 0:
        return ""
    across = direction.quarter
    dots = (
        f"M{coordinate(x + PIP_STEP * (a * across.x + b * direction.x))}"
        f" {coordinate(y + PIP_STEP * (a * across.y + b * direction.y))}h0"
        for b, a in PATTERNS[half]
    )
    return f'<path class="pips" d="{"".join(dots)}"/>'


# ---------------------------------------------------------------- words


WIDE: Final = "MWmw@%"
"""Letters about 1.6 times as wide as usual in bold."""
NOT_PLACED = mark("{tiles} whose place is not known.")


def number_of_tiles(number: int) -> str:
    """Returns “no tile”, “1 tile” or “12 tiles”."""
    return counted("1 tile", "{number} tiles", number) if number else phrase("no tile")


def unplaced_sentence(number: int) -> str:
    """Returns the sentence about tiles whose place isn't in the record; empty for 0 tiles."""
    return phrase(NOT_PLACED, tiles=number_of_tiles(number)) if number else ""


def shortened(words: str, letters: float) -> str:
    """Returns the words, cut off with “…” if they are wider than `letters` average letters."""
    return (
        words if _width_in_letters(words) <= letters else f"{_longest_prefix(words, letters - 1)}…"
    )


def wrapped(words: str, letters: float) -> list[str]:
    """Returns the words in lines of at most `letters` average letters. Only a word longer than a
    line is broken."""
    lines = list[str]()
    for word in words.split():
        rest = word
        if lines and _width_in_letters(f"{lines[-1]} {word}") <= letters:
            lines[-1] += f" {word}"
            continue
        while _width_in_letters(rest) > letters:
            lines.append(_longest_prefix(rest, letters) or rest[0])
            rest = rest[len(lines[-1]) :]
        lines += [rest] if rest else []
    return lines


def _longest_prefix(words: str, letters: float) -> str:
    """Returns the longest beginning of the words that is at most `letters` average letters wide."""
    end = 0
    while end < len(words) and _width_in_letters(words[: end + 1]) <= letters:
        end += 1
    return words[:end]


def _width_in_letters(words: str) -> float:
    """Returns the width of the words in average letters, with East Asian letters counted twice."""
    return sum(map(_letter_width, words))


@cache
def _letter_width(letter: str) -> float:
    if not without_marks(letter) or combining(letter):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1.6 if letter in WIDE else 1


# ---------------------------------------------------------------- the SVG element


LONGEST = 960
"""The longer side of a stand-alone drawing in pixels, unless its viewer sets another size."""


@cache
def style() -> str:
    """Returns the style sheet of all drawings, to be included in a page."""
    return (Path(__file__).parent / "style.css").read_text("utf-8")


@cache
def plain_style() -> str:
    """Returns the style sheet in light colours, for renderers that know neither custom properties
    nor media rules. They use the fixed value before each custom property."""
    without_media = re.sub(r"^@media.*?^}\n?", "", style(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"[\w-]+: var\([^)]*\);|--[\w-]+: [^;]*;", "", without_media)


@cache
def _compact_style() -> str:
    """Returns the style sheet without its opening comment and extra white space, to be embedded in
    drawings."""
    bare = style().split("*/", 1)[1]
    return "".join(line.strip() for line in bare.splitlines())


def halo(bounds: Bounds) -> str:
    """Returns the bright rim around a part of the table, given in quarters of a tile, such as the
    tile played last."""
    left, top, right, bottom = (side * UNIT for side in bounds)
    middle = (left + right) / 2, (top + bottom) / 2
    return rectangle("halo", middle, right - left + 1, bottom - top + 1, 4)


def svg_drawing(
    drawn: str,
    seen: Bounds,
    title: str,
    text: str,
    *,
    stand_alone: bool,
    language: Language = ENGLISH,
) -> str:
    """Returns an SVG element with the elements in `drawn`. `seen`: the part of the table that it
    shows, in quarters of a tile. `title` and its text alternative `text` are translated into
    `language`. With `stand_alone` the style sheet is embedded; otherwise the page has to have
    it."""
    left, top, width, height = (value * UNIT for value in (*seen[:2], seen.width, seen.height))
    box = " ".join(map(coordinate, (left, top, width, height)))
    table = rectangle("table", (left + width / 2, top + height / 2), width - 2, height - 2, 12)
    title, text = (escape(language.translate(one)) for one in (title, text))
    words = f"<title>{title}</title><desc>{text}</desc>"
    if not stand_alone:
        return f'<svg class="drawing" role="img" viewBox="{box}">{words}{table}{drawn}</svg>'
    scale = LONGEST / max(width, height)
    size = f'width="{round(width * scale)}" height="{round(height * scale)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" {size}'
        f' viewBox="{box}">{words}<style>{_compact_style()}</style>{table}{drawn}</svg>\n'
    )
