"""Words in a place on a TV's picture: as large as asked for, smaller if they are long, and at last
shortened with “…”. Lines are never broken inside a word."""

from typing import Final, NamedTuple

from PIL import ImageDraw, features

from companion.core.words import without_marks
from companion.web.tv.drawing import font
from companion.web.tv.style import Colour

SMALLEST: Final = 0.62
"""The factor by which letters may be smaller than asked for before words are shortened."""
LEADING: Final = 1.22
"""The distance from one line of words to the next, in sizes of its letters."""
ORDERS_LETTERS: Final = features.check("raqm")
"""Whether Pillow puts letters in the order in which they are read; else it draws sign after sign,
even signs that have no width."""


class Area(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Pixels from side to side."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Pixels from top to bottom."""
        return self.bottom - self.top

    def inner(self, by: float, down: float | None = None) -> "Area":
        """The area without `by` pixels at the left and at the right, and without `down` pixels
        above and below (None: `by` there, too)."""
        down = by if down is None else down
        return Area(self.left + by, self.top + down, self.right - by, self.bottom - down)

    def rows(self, many: int, gap: float) -> list["Area"]:
        """The area in `many` equal parts, one below the other, with `gap` pixels between."""
        high = (self.height - gap * (many - 1)) / many
        tops = [self.top + at * (high + gap) for at in range(many)]
        return [Area(self.left, top, self.right, top + high) for top in tops]

    def columns(self, many: int, gap: float) -> list["Area"]:
        """The area in `many` equal parts, side by side, with `gap` pixels between."""
        wide = (self.width - gap * (many - 1)) / many
        lefts = [self.left + at * (wide + gap) for at in range(many)]
        return [Area(left, self.top, left + wide, self.bottom) for left in lefts]


def fitted(words: str, width: float, size: float) -> tuple[str, int]:
    """The words as they fit on one line of that width, and the size of their letters: `size` at
    most. If they don't fit even with the smallest letters, the words are shortened."""
    words = _drawable(words)
    for smaller in range(round(size), max(1, round(size * SMALLEST)) - 1, -1):
        if font(smaller).getlength(words) <= width:
            return words, smaller
    smallest = max(1, round(size * SMALLEST))
    kept = words
    while kept and font(smallest).getlength(f"{kept.rstrip()}…") > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…", smallest


def lines_of(words: str, width: float, size: int) -> list[str]:
    """The words on as many lines as they need; a word wider than `width` stays whole."""
    lines = [""]
    for word in _drawable(words).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font(size).getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def wrapped(words: str, box: Area, size: float) -> tuple[list[str], int]:
    """The words on lines that fit into the box, and the size of their letters: as large as
    possible, `size` at most. Lines that don't fit even with the smallest letters are shortened."""
    smallest = max(1, round(size * SMALLEST))
    for smaller in range(round(size), smallest - 1, -1):
        lines = lines_of(words, box.width, smaller)
        fits = all(font(smaller).getlength(line) <= box.width for line in lines)
        if fits and len(lines) * smaller * LEADING <= box.height:
            return lines, smaller
    lines = lines_of(words, box.width, smallest)
    room = max(1, int(box.height / (smallest * LEADING)))
    if len(lines) > room:
        lines = [*lines[: room - 1], " ".join(lines[room - 1 :])]
    return [fitted(line, box.width, smallest / SMALLEST)[0] for line in lines], smallest


def _drawable(words: str) -> str:
    return words if ORDERS_LETTERS else without_marks(words)


def write(draw: ImageDraw.ImageDraw, box: Area, words: str, size: float, colour: Colour) -> float:
    """Writes the words from the box's upper left corner on; gives the y at which they end."""
    lines, letters = wrapped(words, box, size)
    top = box.top
    for line in lines:
        draw.text((box.left, top + letters * LEADING / 2), line, colour, font(letters), "lm")
        top += letters * LEADING
    return top
