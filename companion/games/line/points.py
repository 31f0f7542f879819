"""Points that are written down until one side reaches the target (options `target` and
`finish-hand`)."""

from typing import Any

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.games.entries import TimeUp
from companion.games.game import Effect, FinalScores, PaymentReason, State, no_winner, out_of_range
from companion.games.house_rules import Options
from companion.games.line.game import B, Scoring, number_of_hand, seat_to_move
from companion.games.round import Stage
from companion.games.settlement import Target

NO_TARGET = -(10**9)
"""A target below any score, so that the highest score wins."""


def target(options: Options) -> Target:
    """The points that win: at once or, with `finish-hand`, at the hand's end."""
    return Target(int(options["target"]), at_the_hands_end=options.get("finish-hand") == "on")


def score(state: State[B], seat: Seat, points: int, why: PaymentReason) -> State[B]:
    """The state after the seat's side has scored these points, paid by no other seat; decides
    whether that wins the game."""
    return decide_winners(state.scoring(seat, points, why))


def winners(state: State[B]) -> tuple[Seat, ...]:
    """The seats that have won, partners together: those with the highest score, if it has reached
    the target or if the time is up and the hand over. () if there is no winner yet."""
    hand = state.board.hand
    over = hand is None or hand.round.stage is Stage.OVER
    ends = Target(NO_TARGET) if state.time_up and over else target(state.options)
    return ends.winners(state.scores, state.side_of, hand_over=over)


def decide_winners(state: State[B]) -> State[B]:
    """The state with the winners that follow from its scores; they end the game. A penalty, or a
    score that was not called, may undo a win."""
    won = winners(state)
    if won == state.winners or (not won and _is_still_first(state)):
        return state
    mover = None if won else seat_to_move(state._replace(winners=()), state.board.hand)
    return state._replace(winners=won, to_move=mover)


def _is_still_first(state: State[B]) -> bool:
    """Returns whether the winner still has the target and the highest score, even if a penalty has
    raised another side to the same score."""
    won = state.winners
    level = bool(won) and state.scores[won[0]] == max(state.scores.values)
    return level and still_needed(state, won[0]) == 0 and not ends_with_hand(state)


def ends_with_hand(state: State[B]) -> bool:
    """Whether the game is decided only at a hand's end: because of the option `finish-hand` or,
    with a winner below the target, because the time was up."""
    first = state.winners[0] if state.winners else None
    short = first is not None and still_needed(state, first) > 0
    return state.options.get("finish-hand") == "on" or (state.time_up and short)


def end_at_time_up(state: State[B], _said: TimeUp) -> State[B]:
    """Ends the game because the time is up: after the current hand or, between hands, at once.
    While several share the highest score, one more hand is played. Raises RuleError if this was
    already entered."""
    if state.time_up:
        raise RuleError("Time up is already entered")
    effect, hand = Effect(hand=number_of_hand(state)), state.board.hand
    board = state.board.with_hand(hand) if hand is not None else state.board
    return decide_winners(state._replace(board=board, time_up=True, effect=effect))


def still_needed(state: State[B], seat: Seat) -> int:
    """The points still needed for the target, never below 0."""
    return target(state.options).still_needed(state.scores[seat])


FIVE = 5


def counts_fives(state: State[B]) -> bool:
    """Whether every five points count as one, as on a cribbage board (option `unit`)."""
    return state.options.get("unit") == "fives"


def in_units(state: State[B], score: int) -> int:
    """Returns a score as players write it down: divided by five if every five points count as
    one."""
    return score // FIVE if counts_fives(state) else score


def in_points(state: State[B], units: int) -> int:
    """Converts a written-down score back into points of a count: five times `units` if every five
    points count as one."""
    return units * FIVE if counts_fives(state) else units


MAX_POINTS_AT_ONCE = 170
"""Larger than any score from a count or a hand's end: a double-six set has 168 pips."""


def doubt(scores: FinalScores, options: Options, time_left: bool) -> str | None:
    """Returns why these can't be the final scores of a game for points; None if they can. A side
    that reaches the target wins, at once or with the highest score at the end of a hand."""
    goal, at_the_end = int(options["target"]), options["finish-hand"] == "on"
    return out_of_range(
        scores, 0, goal + MAX_POINTS_AT_ONCE * (3 if at_the_end else 1)
    ) or no_winner(scores, goal, time_left=time_left, several=at_the_end)


POINTS: Scoring[Any] = Scoring(score, decide_winners, still_needed)
"""Points that are written down for each seat or side."""
