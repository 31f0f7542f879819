"""The one layout of the screens of High Fives, for two seats as for eight.

page 0  SEAT TO ACT       hand 3 of 8
page 1  (caps)              5 to lay
page 2  what is     what it would take
page 3  keyed     and what that is worth
page 4  what lies there, as far as there is room
page 7  each seat's points, two seats a line: from page 4 on with eight
"""

from typing import NamedTuple

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import fitted, text_width
from companion.console.words import scores_of
from companion.core.values import dataclass
from companion.games.high_fives.rules import HighFivesState

COLUMN, SECOND = 60, 66
"""The width of a seat's column, and where the second one begins."""
BESIDE_X = 58
"""Where the two small lines beside what is keyed begin."""
FIRST_SCORES = {2: 7, 3: 6, 4: 6, 5: 5, 6: 5, 7: 4, 8: 4}
"""The page where the points begin, by the number of seats."""


class Beside(NamedTuple):
    """Two small lines beside what is keyed; `paid`: points, lit behind the first."""

    first: str = ""
    second: str = ""
    paid: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The words for each place."""

    head: str
    corner: tuple[str, str] = ("", "")
    keyed: str = ""
    beside: Beside = Beside()
    below: str = ""


def draw_words(canvas: Canvas, state: HighFivesState, words: Words) -> None:
    """Draws a screen of High Fives."""
    edge = WIDTH - max(map(text_width, words.corner)) - 4
    for page, line in enumerate(words.corner):
        canvas.right(WIDTH + 1, 8 * page, line)
    canvas.text(0, 0, fitted(words.head.upper(), edge, "caps"), "caps")
    end = canvas.text(0, 16, words.keyed, "caps")
    x = max(BESIDE_X, end + 2) if words.keyed else 0
    _draw_beside(canvas, words.beside, x)
    if FIRST_SCORES[len(state.seats)] > 4:
        canvas.text(0, 32, fitted(words.below, WIDTH))
    draw_seats(canvas, state)


def _draw_beside(canvas: Canvas, beside: Beside, x: int) -> None:
    room = WIDTH - x - (text_width(beside.paid) + 5 if beside.paid else 0)
    end = canvas.text(x, 16, fitted(beside.first, room))
    canvas.text(x, 24, fitted(beside.second, WIDTH - x))
    if beside.paid:
        behind = canvas.text(end + 3, 16, beside.paid)
        canvas.invert(end + 2, 2, behind - end - 2)


def draw_seats(canvas: Canvas, state: HighFivesState, *, numbered: bool = False) -> int:
    """Each seat with its points, or with its number, two a line, in the lowest lines, who has won
    lit; gives the first of these."""
    top = FIRST_SCORES[len(state.seats)]
    for number, (name, points) in enumerate(scores_of(state)):
        x, y = number % 2 * SECOND, 8 * (top + number // 2)
        if numbered:
            canvas.text(x, y, fitted(f"{number + 1} {name}", COLUMN))
        else:
            start = canvas.right(x + COLUMN, y, str(points))
            canvas.text(x, y, fitted(name, start - x - 3))
        if state.seats.order[number] in state.winners:
            canvas.invert(x, y // 8, COLUMN + 1)
    return top
