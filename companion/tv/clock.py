"""The round's clock on a TV: what is left of the time of an evening's round, at the picture's right
upper corner. It is drawn over a picture that is there, so each second costs a few letters."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from companion.tv.drawing import font
from companion.tv.letters import Area, fitted
from companion.tv.style import palette

LETTERS: Final = 0.05
"""Size of its letters, of the picture's shorter side: read at eight metres."""
WIDEST: Final = 0.5
"""What it takes of the picture's width at most."""


class ShownClock(NamedTuple):
    """What the clock says: so many seconds are left, 0: the time is up."""

    left_s: int

    def said(self, words: Mapping[str, str]) -> str:
        """What it says, in the words of the page."""
        if not self.left_s:
            return words["round.up"]
        minutes, seconds = divmod(self.left_s, 60)
        return words["round.left"].format(minutes=minutes, seconds=f"{seconds:02}")


def clock_area(whole: Area, unit: float) -> Area:
    """The clock's place in what may be drawn on; `unit`: the picture's shorter side."""
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
