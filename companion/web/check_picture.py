"""Draws a check of the box as a picture: a table of its parts, to send to somebody who can help."""

import platform
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from io import BytesIO
from typing import Any, Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont

from companion.core.version import VERSION

FONT: Final = "DejaVuSans-Bold.ttf"
"""The font, the same as the TV's."""
WIDTH: Final = 1080
EDGE: Final = 40
LEFT: Final = 400
"""The column of pixels where the findings begin."""
SIZE, SMALL, LARGE = 30, 26, 44
LEADING: Final = 1.35
PAPER, INK, GREY = "#fffaf0", "#241a12", "#6b5d4f"
COLOURS: Final[Mapping[str, str]] = {
    "ok": "#1d6b35",
    "not tried": GREY,
    "warning": "#8a5a00",
    "fault": "#a3191f",
}
"""The colour of each kind of result, with enough contrast to the background."""


@lru_cache(maxsize=8)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font at `size` pixels. Raises OSError if it isn't installed."""
    return ImageFont.truetype(FONT, size)


class PlacedText(NamedTuple):
    """A text in the picture, with the pixels to the `left` of it and the pixels `down` to the next
    text."""

    left: int
    words: str
    size: int
    colour: str
    down: int


def draw_check(parts: Mapping[str, Any], words: Mapping[str, str]) -> bytes:
    """A PNG of the findings of `companion check --json`. Raises OSError if the font isn't
    installed."""
    lines = [*_lines(parts, words)]
    height = sum(line.down for line in lines) + 2 * EDGE
    image = Image.new("RGB", (WIDTH, height), PAPER)
    draw, top = ImageDraw.Draw(image), EDGE
    for left, text, size, colour, down in lines:
        draw.text((left, top), text, fill=colour, font=font(size))
        top += down
    found = BytesIO()
    image.save(found, "PNG", optimize=True)
    return found.getvalue()


def _lines(parts: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[PlacedText]:
    now = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    yield PlacedText(EDGE, words["check.title"], LARGE, INK, round(LARGE * LEADING))
    yield PlacedText(EDGE, f"table companion {VERSION}, {now}", SMALL, GREY, round(SMALL * 1.8))
    for part, told in parts.items():
        for at, one in enumerate(told["findings"]):
            if at == 0:
                name = words.get(f"check.part-{part}", part)
                yield PlacedText(EDGE, _shorten(name, LEFT - EDGE - 10, SIZE), SIZE, INK, 0)
            colour = COLOURS.get(one["result"], INK)
            result = words.get(f"check.is-{one['result'].replace(' ', '-')}", one["result"])
            yield PlacedText(LEFT, result, SIZE, colour, round(SIZE * LEADING))
            for text in _wrap_text(one["found"], SMALL):
                yield PlacedText(LEFT, text, SMALL, INK, round(SMALL * LEADING))
            for text in _wrap_text(f"→ {one['remedy']}" if one["remedy"] else "", SMALL):
                yield PlacedText(LEFT, text, SMALL, colour, round(SMALL * LEADING))
            yield PlacedText(LEFT, "", SMALL, INK, round(SMALL * 0.6))
    yield PlacedText(EDGE, platform.platform(terse=True), SMALL, GREY, round(SMALL * LEADING))


def _wrap_text(text: str, size: int) -> Iterator[str]:
    """The text in lines that fit beside the parts' names; a word that is too long for a line is cut
    off."""
    line, room = "", WIDTH - LEFT - EDGE
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and font(size).getlength(longer) > room:
            yield line
            longer = word
        line = _shorten(longer, room, size)
    if line:
        yield line


def _shorten(text: str, room: float, size: int) -> str:
    if font(size).getlength(text) <= room:
        return text
    while text and font(size).getlength(f"{text}…") > room:
        text = text[:-1]
    return f"{text}…"
