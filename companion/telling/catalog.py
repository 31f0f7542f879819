"""Which game is drawn how."""

from collections.abc import Callable, Mapping

from companion.games.game import AnyState
from companion.telling.line_drawing import draw_line
from companion.telling.line_of_hand import line_of
from companion.telling.paper import Paper

Draw = Callable[[AnyState, Paper], str]
"""Draws what lies on the table as SVG that stands alone."""


def _draw_line(state: AnyState, paper: Paper) -> str:
    return draw_line(line_of(state.board.hand), paper, stand_alone=True)


PICTURES: Mapping[str, Draw] = {"high-five": _draw_line, "five-up": _draw_line}
"""By the game's name; a game that is not here is told in words alone."""
