"""The one layout of the screens of High Fives, for two seats as for eight.

page 0    SEAT TO ACT, in large capitals   hand 3 of 8
page 1                                       5 to lay
page 2-3  what is keyed, large; beside it, in two small lines, what it would take and its worth
page 4    the tiles that lie there, as far as there is room
page 7    each seat's points, two seats a line; with eight seats, from page 4 on
"""

from typing import NamedTuple

from companion.console.frame import WIDTH, Canvas
from companion.console.in_play import FIRST_SCORES, draw_seats
from companion.core.values import dataclass
from companion.games.high_fives.board import HighFivesState

BESIDE_X = 58
"""Where the two small lines beside what is keyed begin."""


class Beside(NamedTuple):
    """Two small lines beside what is keyed; `paid`: points, lit, at the end of the first line."""

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
    edge = WIDTH - max(map(canvas.width, words.corner)) - 4
    for page, line in enumerate(words.corner):
        canvas.right(WIDTH + 1, 8 * page, line)
    canvas.text(0, 0, canvas.loud(words.head, edge, "caps"), "caps")
    end = canvas.text(0, 16, words.keyed, "caps")
    x = max(BESIDE_X, end + 2) if words.keyed else 0
    beside = words.beside
    room = WIDTH - x - (canvas.width(beside.paid) + 5 if beside.paid else 0)
    end = canvas.text(x, 16, beside.first, room=room)
    canvas.text(x, 24, beside.second, room=WIDTH - x)
    if beside.paid:
        behind = canvas.text(end + 3, 16, beside.paid)
        canvas.invert(end + 2, 2, behind - end - 2)
    if FIRST_SCORES[len(state.seats)] > 4:
        canvas.text(0, 32, words.below, room=WIDTH)
    draw_seats(canvas, state)
