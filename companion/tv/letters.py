"""Words in a place on a TV's picture: as large as asked for, smaller where they are long, and at
last shortened with “…”; never broken inside a word."""

from typing import Final, NamedTuple

from PIL import ImageDraw

from companion.tv.drawing import font
from companion.tv.style import Colour

SMALLEST: Final = 0.62
"""How much smaller than asked for letters may be before words are shortened."""
LEADING: Final = 1.22
"""From one line of words to the next, in sizes of its letters."""


class Area(NamedTuple):
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From side to side."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    def inner(self, by: float, down: float | None = None) -> "Area":
        """The area with `by` less at the left and right, and `down` less above and below (None: as
        much)."""
        down = by if down is None else down
        return Area(self.left + by, self.top + down, self.right - by, self.bottom - down)

    def rows(self, many: int, gap: float) -> list["Area"]:
        """As many equal parts, one below the other."""
        high = (self.height - gap * (many - 1)) / many
        tops = [self.top + at * (high + gap) for at in range(many)]
        return [Area(self.left, top, self.right, top + high) for top in tops]

    def columns(self, many: int, gap: float) -> list["Area"]:
        """As many equal parts, side by side."""
        wide = (self.width - gap * (many - 1)) / many
        lefts = [self.left + at * (wide + gap) for at in range(many)]
        return [Area(left, self.top, left + wide, self.bottom) for left in lefts]


def fitted(words: str, width: float, size: float) -> tuple[str, int]:
    """The words as they fit on a line of that width, and the size of their letters."""
    for smaller in range(round(size), max(1, round(size * SMALLEST)) - 1, -1):
        if font(smaller).getlength(words) <= width:
            return words, smaller
    smallest = max(1, round(size * SMALLEST))
    kept = words
    while kept and font(smallest).getlength(f"{kept.rstrip()}…") > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…", smallest


def lines_of(words: str, width: float, size: int) -> list[str]:
    """The words on as many lines as they take."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font(size).getlength(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def wrapped(words: str, box: Area, size: float) -> tuple[list[str], int]:
    """The words on lines that fit into the box, and the size of their letters: as large as may be,
    `size` at most. What doesn't fit even then is shortened."""
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


def write(draw: ImageDraw.ImageDraw, box: Area, words: str, size: float, colour: Colour) -> float:
    """Writes the words from the box's left upper corner on, and gives where they end below."""
    lines, letters = wrapped(words, box, size)
    top = box.top
    for line in lines:
        draw.text((box.left, top + letters * LEADING / 2), line, colour, font(letters), "lm")
        top += letters * LEADING
    return top
