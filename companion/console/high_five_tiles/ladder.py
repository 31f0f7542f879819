"""The ladder of combinations in two columns, as the screens of this game show it. The chosen
combination is lit."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from companion.console.frame import WIDTH, Canvas
from companion.core.keys import DIGITS, Key
from companion.core.words import listed, phrase
from companion.games.high_five_tiles.combinations import Combination

LADDER = tuple(Combination)
"""The combinations from the lowest to the highest."""
HIGH_FIVE = len(LADDER) - 1
KEYS: Mapping[Key, int] = MappingProxyType(dict(zip((*DIGITS, Key.BOGUS), range(11), strict=True)))
"""The place in the ladder, from 0, that each key means."""
SHORT: Mapping[Combination, str] = MappingProxyType({Combination.THREE_OF_A_KIND: phrase("three")})
"""Short names for the narrow columns; elsewhere combinations have their full names."""

ROWS, RIGHT_X = 6, 55
"""Lines of the ladder, and the column of pixels at which its right half begins."""
CELL_X, CELL_PAGE = RIGHT_X, 6
"""The free place at the end of the right column: its column of pixels, and its page."""


def place_of(number: int) -> tuple[int, int, int]:
    """The column of pixels, the page, and the width in pixels of a place of the ladder. The place
    after the last one is the free place."""
    x, width = (0, RIGHT_X - 1) if number < ROWS else (RIGHT_X, WIDTH - RIGHT_X)
    return x, 1 + number % ROWS, width


def label(combination: Combination) -> str:
    """The combination's name as it stands in its column."""
    return SHORT.get(combination, combination.words)


def draw_ladder(canvas: Canvas, text: Callable[[int], str], lit: int | None) -> None:
    """Draws the ladder: `text` gives the line of each place, and the place `lit` is lit as far as
    its line goes."""
    for number in range(len(LADDER)):
        x, page, width = place_of(number)
        line = canvas.fitted(text(number), width)
        canvas.text(x + 1, 8 * page, line)
        if number == lit:
            canvas.invert(x, page, min(canvas.width(line) + 2, WIDTH - x))


@cache
def key_and_name(number: int) -> str:
    """“6 full house”, “BOGUS High Five”"""
    key = "BOGUS" if number == HIGH_FIVE else str(number)
    return listed([key, label(LADDER[number])], " ")


def draw_cell(canvas: Canvas, text: str, *, lit: bool = False) -> None:
    """Draws a text at the free place of the ladder; `lit`: inverted."""
    line = canvas.fitted(text, WIDTH - CELL_X - 2)
    canvas.text(CELL_X + 1, 8 * CELL_PAGE, line)
    if lit:
        canvas.invert(CELL_X, CELL_PAGE, canvas.width(line) + 2)


def draw_bar(canvas: Canvas, left: str, right: str = "") -> None:
    """Draws the lit line at the top: `left`, such as whose turn it is; `right`, what is counted."""
    canvas.right(WIDTH - 1, 0, right)
    canvas.text(2, 0, left, room=WIDTH - canvas.width(right) - 8)
    canvas.invert(0, 0, WIDTH)
