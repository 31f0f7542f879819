"""Five Up, as played on rubl.com: points instead of chips, and no bogus play.

Numbers in brackets are those of RULES.md, section 2.
"""

from dataclasses import replace
from typing import ClassVar

from companion.games.game import (
    BIG_6,
    Payment,
    Why,
)
from companion.games.line.hand import Hand, Stage
from companion.games.line_game import (
    FIRST_SCORE,
    LEAVE,
    ROUNDING,
    LineGame,
    Table,
    paid,
    pips_of,
    rounded,
)
from companion.games.options import (
    NO_YES,
    Option,
)
from companion.seats import Seat


class FiveUp(LineGame):
    """The rules of Five Up."""

    name = "five-up"
    title = "Five Up"
    options = (
        Option.number("deal", "Tiles dealt to each player", lambda _: 7,
                      lambda seats: (7, 9) if seats < 4 else (7,)).with_words("Tiles each"),
        Option.number("target", "Points that win", lambda _: 250, lambda _: range(100, 501),
                      lambda _: range(100, 501, 50)).with_words("Points to win"),
        Option.words("start", "Who leads after a dominoed hand", "winner", "rotate")
              .with_words("Next lead", {"winner": "the winner", "rotate": "rotates"}),
        Option.words("finish-hand", "The target counts only at a hand's end", "off", "on")
              .with_words("Hand is finished first", NO_YES),
        LEAVE,
        ROUNDING,
        FIRST_SCORE,
    )  # fmt: skip

    def next_lead(self, state: Table, hand: Hand, winner: Seat | None) -> str:
        """[2] The winner leads any tile, after a block the highest double; or the start rotates,
        after a block too."""
        if state.options["start"] == "rotate" and hand.lead:
            return state.seats.left_of(hand.lead)
        return winner if winner and hand.out else BIG_6

    def holders(self, state: Table, out: Seat) -> tuple[Seat, ...]:
        """[5] All the others' holdings count."""
        return tuple(seat for seat in state.seats if seat != out)

    def worth(self, state: Table, hand: Hand, winner: Seat) -> int:
        """[5] All other holdings added up, then rounded once."""
        others = (seat for seat in state.seats if seat != winner)
        return rounded(sum(pips_of(hand.shown[seat]) for seat in others), state.options)

    def pay(self, state: Table, seat: Seat, points: int, why: Why) -> Table:
        """[6] Points are written down; the first to the target wins, at once or, with
        `finish-hand`, as the highest at the hand's end."""
        if points:
            state = state._replace(scores=state.scores.put(seat, state.scores[seat] + points))
            state = paid(state, Payment(None, seat, points, why))
            effect = replace(state.effect, points=points)
            state = state._replace(effect=effect)
        return self._won(state, seat)

    def settle(self, state: Table) -> Table:
        """The end of the hand; a hand that paid nobody may still end the game."""
        settled = super().settle(state)
        return self._won(settled, max(settled.seats, key=lambda seat: settled.scores[seat]))

    def _won(self, state: Table, seat: Seat) -> Table:
        finish = state.options["finish-hand"] == "on"
        if state.winner is not None:
            return state
        if finish and self.hand(state).stage is not Stage.OVER:
            return state
        best = max(state.scores.values)
        leaders = [at for at, score in state.scores.items() if score == best]
        winner = leaders[0] if finish and len(leaders) == 1 else None if finish else seat
        if winner is None or state.scores[winner] < int(state.options["target"]):
            return state
        return state._replace(winners=(winner,), next_lead=None, to_move=None)

    def shuffler(self, _state: Table, /) -> Seat | None:
        """The rules do not say who shuffles."""
        return None

    def to_win(self, state: Table, seat: Seat) -> int | None:
        """Points to the target, never below 0."""
        return max(int(state.options["target"]) - state.scores[seat], 0)

    rules: ClassVar = LineGame.shared
