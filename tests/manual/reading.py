"""Reads a frame as somebody at the table does: is this written there?"""

from functools import lru_cache

from companion.console.frame import HEIGHT, Frame
from companion.console.glyphs import GAP, text_strip, text_width

MARGIN = {".": 2, "#": 1}
"""Columns of the ground, dark or lit, that part words and numbers. A lit bar may end close to its
words."""


def reads(frame: Frame, text: str) -> bool:
    """Whether the text stands there: in one of the fonts, perhaps in capitals, lit or dark, and
    perhaps broken between words."""
    if any(_stands(frame, each) for each in {text, text.upper()}):
        return True
    words = text.split(" ")
    return any(
        _stands(frame, " ".join(words[:at])) and reads(frame, " ".join(words[at:]))
        for at in range(len(words) - 1, 0, -1)
    )


def _stands(frame: Frame, text: str) -> bool:
    return any(
        _found(_framed(frame, ground), _rows(text, font, ground))
        for ground in MARGIN
        for font in GAP
    )


@lru_cache(maxsize=256)
def _framed(frame: Frame, ground: str) -> tuple[str, ...]:
    """Its rows, as if that ground went on at the sides."""
    edge = ground * MARGIN[ground]
    return tuple(f"{edge}{row}{edge}" for row in frame.rows())


@lru_cache(maxsize=1024)
def _rows(text: str, font: str, ground: str) -> tuple[str, ...]:
    """The text on that ground as rows of # and dots, with the margin that parts it from others."""
    strip, edge, width = text_strip(text, font), ground * MARGIN[ground], text_width(text, font)
    ink = "#" if ground == "." else "."
    rows = (
        "".join(ink if page[x] >> bit & 1 else ground for x in range(width))
        for page in strip.pages
        for bit in range(8)
    )
    return tuple(f"{edge}{row}{edge}" for row in rows if ink in row)


def _found(rows: tuple[str, ...], sought: tuple[str, ...]) -> bool:
    """Whether the small picture lies anywhere in the large one."""
    for y in range(HEIGHT - len(sought) + 1):
        x = rows[y].find(sought[0])
        while x >= 0:
            if all(rows[y + n].startswith(row, x) for n, row in enumerate(sought)):
                return True
            x = rows[y].find(sought[0], x + 1)
    return False
