"""The round's clock on a TV: the time left of a round, at the upper right corner of the picture. It
is drawn over a finished picture, so each second costs only a few letters."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from companion.tv.drawing import font
from companion.tv.letters import Area, fitted
from companion.tv.style import palette

LETTERS: Final = 0.05
"""The size of the clock's letters as a part of the picture's shorter side: read at eight metres."""
WIDEST: Final = 0.5
"""The clock's width as a part of the width that may be drawn on, at most."""


class ShownClock(NamedTuple):
    """A moment of the clock: `left_s` seconds are left; 0: the time is up."""

    left_s: int

    def said(self, words: Mapping[str, str]) -> str:
        """The text on the clock, from the page's `words`."""
        if not self.left_s:
            return words["round.up"]
        minutes, seconds = divmod(self.left_s, 60)
        return words["round.left"].format(minutes=minutes, seconds=f"{seconds:02}")


def clock_area(whole: Area, unit: float) -> Area:
    """The clock's place in `whole`, the area that may be drawn on; `unit`: the picture's shorter
    side, in pixels."""
    left = whole.right - whole.width * WIDEST
    return whole._replace(left=left, bottom=whole.top + unit * LETTERS * 1.3)


def with_clock(
    picture: Image.Image, place: Area, clock: ShownClock, words: Mapping[str, str]
) -> Image.Image:
    """A copy of the picture with the clock in that place."""
    shown = picture.copy()
    said, size = fitted(clock.said(words), place.width, place.height / 1.3)
    colour = palette()["text" if clock.left_s else "alarm"]
    middle = (place.top + place.bottom) / 2
    ImageDraw.Draw(shown).text((place.right, middle), said, colour, font(size), "rm")
    return shown
