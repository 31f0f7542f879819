"""What a game with a line of play tells of a moment besides what every game does."""

from typing import Any

from companion.games.game import AnyState
from companion.telling.line_drawing import draw_line
from companion.telling.line_of_hand import line_of
from companion.telling.paper import Paper

Json = dict[str, Any]


class LinePicture:
    """High Five and Five Up: open ends, their count, chips and rulings."""

    def game_json(self, state: AnyState) -> Json:
        """`stock`: by seat, what is left of its own chips; None in a game without chips."""
        chips = state.chips
        return {"stock": {seat: chips.left(seat) for seat in state.seats} if chips else None}

    def entry_json(self, state: AnyState) -> Json:
        """`ends` and `count`, and `ruling` on the line that closed a claim (docs/tally.md)."""
        effect = state.effect
        found: Json = {
            "ends": None if effect.ends is None else list(effect.ends),
            "count": effect.count,
        }
        if ruling := effect.ruling:
            found["ruling"] = {
                "seat": ruling.seat,
                "turn": ruling.turn,
                "verdict": ruling.verdict,
                "result": ruling.result,
                "by": ruling.by,
                "tiles": list(ruling.tiles),
            }
        return found

    def reason(self, state: AnyState) -> str:
        """The count with its terms: “10+0 = 10”."""
        effect = state.effect
        if effect.count is None:
            return ""
        sum_of = "+".join(map(str, effect.parts))
        return f"{sum_of} = {effect.count}" if len(effect.parts) > 1 else f"{effect.count}"

    def ruling(self, state: AnyState) -> str:
        """How a claim was closed."""
        ruling = state.effect.ruling
        if ruling is None:
            return ""
        return f"{ruling.seat} is {ruling.result} by the {ruling.by} ({ruling.verdict})"

    def draw(self, state: AnyState, paper: Paper) -> str:
        """The line of play as SVG that stands alone."""
        return draw_line(line_of(state.board.hand), paper, stand_alone=True)
