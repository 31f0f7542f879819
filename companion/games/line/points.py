"""Points that are written down, of which a target wins (options `target` and `finish-hand`)."""

from typing import Any

from companion.core.seats import Seat
from companion.core.words import phrase
from companion.games.game import State, Why
from companion.games.line import play
from companion.games.line.game import B, Scoring
from companion.games.options import NO_YES, Option, Options
from companion.games.round import Stage
from companion.games.target import Target

FINISH_HAND = Option.words(
    "finish-hand", phrase("The target counts only at a hand's end"), "off", "on"
).with_words(phrase("Hand is finished first"), NO_YES)


def target(options: Options) -> Target:
    """The points that win, at once or, with `finish-hand`, at the hand's end."""
    return Target(int(options["target"]), at_the_hands_end=options["finish-hand"] == "on")


def score(state: State[B], seat: Seat, points: int, why: Why) -> State[B]:
    """The state with these points more for that seat, from nobody."""
    return decided(state.scoring(seat, points, why))


def decided(state: State[B]) -> State[B]:
    """The state in which whoever has most, and the target, has won."""
    over = play.hand_of(state).round.stage is Stage.OVER
    winners = target(state.options).winners(state.scores, state.side_of, hand_over=over)
    return state._replace(winners=winners, to_move=None) if winners else state


def still_needed(state: State[B], seat: Seat) -> int:
    """Points to the target, never below 0."""
    return target(state.options).still_needed(state.scores[seat])


POINTS: Scoring[Any] = Scoring(score, decided, still_needed)
"""Each seat's own points."""
