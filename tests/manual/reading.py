"""Finds texts in a frame, as a person would read them."""

from collections.abc import Iterator
from functools import lru_cache

from companion.console.fonts import GAP, text_strip, text_width
from companion.console.frame import HEIGHT, Frame

MARGIN = {".": 2, "#": 1}
"""For dark and for lit ground: the columns of it that part words and numbers. A lit bar may end
close to its words."""
DOTS = {
    ground: [
        bytes(ord(ink if byte >> bit & 1 else ground) for byte in range(256)) for bit in range(8)
    ]
    for ground, ink in (".#", "#.")
}
"""For each ground and each row of a page: how each byte, a column of eight pixels, looks in that
row."""

Place = tuple[int, int]
"""The row and the column at which a text begins, with the empty rows above its letters."""


def reads(frame: Frame, text: str, after: Place = (-HEIGHT, 0)) -> bool:
    """Whether the text is on the display, after the place `after`: in any of the fonts, perhaps in
    capitals, lit or dark, and perhaps wrapped between words."""
    words = text.split(" ")
    return any(
        at == len(words) or reads(frame, " ".join(words[at:]), place)
        for at in range(len(words), 0, -1)
        for place in _places(frame, " ".join(words[:at]))
        if place > after
    )


def in_a_line(frame: Frame, text: str) -> bool:
    """Whether the text is on the display in a single line."""
    return bool(_places(frame, text))


@lru_cache(maxsize=4096)
def _places(frame: Frame, text: str) -> tuple[Place, ...]:
    """The places at which the text is found in a single line."""
    return tuple(
        place
        for each in sorted({text, text.upper()})
        for ground in MARGIN
        for font in GAP
        for place in _found(_framed(frame, ground), *_rows(each, font, ground))
    )


@lru_cache(maxsize=256)
def _framed(frame: Frame, ground: str) -> tuple[str, ...]:
    """The frame's rows, with a margin in the background colour at both sides."""
    edge = ground * MARGIN[ground]
    return tuple(f"{edge}{row}{edge}" for row in frame.rows())


@lru_cache(maxsize=1024)
def _rows(text: str, font: str, ground: str) -> tuple[int, tuple[str, ...]]:
    """The number of empty rows above the text, and its other rows as # and dots, with a margin that
    separates it from other words."""
    strip, edge, width = text_strip(text, font), ground * MARGIN[ground], text_width(text, font)
    ink = "#" if ground == "." else "."
    rows = [page[:width].translate(row).decode() for page in strip.pages for row in DOTS[ground]]
    inked = [y for y, row in enumerate(rows) if ink in row]
    return inked[0], tuple(f"{edge}{row}{edge}" for row in rows[inked[0] : inked[-1] + 1])


def _found(rows: tuple[str, ...], above: int, sought: tuple[str, ...]) -> Iterator[Place]:
    """The places at which the rows `sought` are found in `rows`, with the empty rows `above`."""
    for y in range(HEIGHT - len(sought) + 1):
        x = rows[y].find(sought[0])
        while x >= 0:
            if all(rows[y + n].startswith(row, x) for n, row in enumerate(sought)):
                yield y - above, x
            x = rows[y].find(sought[0], x + 1)
