"""The combinations in two columns, as every screen of this game shows them: each with its key. The
chosen one is lit."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from companion.console.frame import WIDTH, Canvas
from companion.core.keys import DIGITS, Key
from companion.core.words import listed, phrase
from companion.games.high_five_tiles.combinations import Combination

LADDER = tuple(Combination)
"""From the lowest to the highest."""
HIGH_FIVE = len(LADDER) - 1
KEYS: Mapping[Key, int] = MappingProxyType(dict(zip((*DIGITS, Key.BOGUS), range(11), strict=True)))
"""Which key means which place of the ladder."""
SHORT: Mapping[Combination, str] = MappingProxyType({Combination.THREE_OF_A_KIND: phrase("three")})
"""What stands in the narrow column; in full where it is alone."""

ROWS, RIGHT_X = 6, 55
"""Lines of the ladder; where its right column begins."""
CELL_X, CELL_PAGE = RIGHT_X, 6
"""The place that the right column leaves free."""


def place_of(number: int) -> tuple[int, int, int]:
    """The column of pixels, the page and the width of that place of the ladder; the one after the
    last is the free one."""
    x, width = (0, RIGHT_X - 1) if number < ROWS else (RIGHT_X, WIDTH - RIGHT_X)
    return x, 1 + number % ROWS, width


def label(combination: Combination) -> str:
    """As it stands in its column."""
    return SHORT.get(combination, combination.words)


def draw_ladder(canvas: Canvas, text: Callable[[int], str], lit: int | None) -> None:
    """`text` of each place; the one that is lit as far as its text goes."""
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
    """The free place, to the right of it."""
    line = canvas.fitted(text, WIDTH - CELL_X - 2)
    canvas.text(CELL_X + 1, 8 * CELL_PAGE, line)
    if lit:
        canvas.invert(CELL_X, CELL_PAGE, canvas.width(line) + 2)


def draw_bar(canvas: Canvas, left: str, right: str = "") -> None:
    """The lit line at the top: whose turn, and what is counted."""
    canvas.right(WIDTH - 1, 0, right)
    canvas.text(2, 0, left, room=WIDTH - canvas.width(right) - 8)
    canvas.invert(0, 0, WIDTH)
