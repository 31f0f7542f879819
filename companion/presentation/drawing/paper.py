"""The paper that a picture is drawn on: its shape, and which part of the table it shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from companion.presentation.language import ENGLISH, Language


@dataclass(frozen=True, slots=True)
class Paper:
    """The shape that a drawing has to fill, as width to height, Paper(16, 9), and the language of
    its words. Its size on a screen is up to the page that shows it. Raises ValueError if a side is
    not positive."""

    width: float
    height: float
    language: Language = ENGLISH

    def __post_init__(self) -> None:
        if self.width <= 0 or self.height <= 0:
            raise ValueError("a paper has a width and a height")

    @property
    def upright(self) -> bool:
        """Whether the paper is higher than wide."""
        return self.height > self.width

    @property
    def length(self) -> float:
        """The longer side, in lengths of the shorter one."""
        longer, shorter = max(self.width, self.height), min(self.width, self.height)
        return longer / shorter


class Bounds(NamedTuple):
    """A rectangle by its sides. x grows to the right, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The distance from the left to the right side."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The distance from top to bottom."""
        return self.bottom - self.top

    def grown(self, by: float) -> "Bounds":
        """The rectangle, larger by that much on each side."""
        return Bounds(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def holds(self, other: "Bounds") -> bool:
        """Whether the whole of `other` is in this rectangle."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def joined(self, other: "Bounds") -> "Bounds":
        """The smallest rectangle that holds both."""
        return Bounds(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


ROOM = 1.15
"""How much a newly chosen window shows, as a multiple of what it must: with room for the next
tiles."""


def around(bounds: Bounds, paper: Paper, least: float = 0) -> Bounds:
    """The smallest part of the table that fills the paper with `bounds` in its middle; its shorter
    side is `least` or more."""
    shorter = min(paper.width, paper.height)
    wide, high = paper.width / shorter, paper.height / shorter
    side = max(least, bounds.width / wide, bounds.height / high)
    x, y = (bounds.left + bounds.right) / 2, (bounds.top + bounds.bottom) / 2
    wide, high = side * wide / 2, side * high / 2
    return Bounds(x - wide, y - high, x + wide, y + high)


def window(needed: Iterable[Bounds], paper: Paper, least: float) -> Bounds:
    """The part of the table that the paper shows. `needed`: what must be seen at first, and after
    each addition. The window stays in its place as long as it shows all that is needed. Then it
    grows, never shrinks, and what is needed is in its middle. Its shorter side is `least` or more.
    Raises ValueError if `needed` is empty."""
    seen = None
    for bounds in needed:
        if seen is None or not seen.holds(bounds):
            with_room = bounds.grown((ROOM - 1) / 2 * max(bounds.width, bounds.height))
            before = min(seen.width, seen.height) if seen else least
            seen = around(with_room, paper, before)
    if seen is None:
        raise ValueError("there is nothing to be seen")
    return seen
