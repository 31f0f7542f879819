"""Penalties in games that write points down: they come off a score, or go to the other side (RULES:
All Fives 6 and 7).

Options settle them: `could-play` says what it costs a seat to draw or pass when it could play,
`could-play-ends` whether the hand ends with that, `could-play-to` where penalties go, and
`wrong-count` what a wrong number of tiles costs.
"""

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.games import settlement
from companion.games.bogus.board import CallsBoard, CallsState
from companion.games.bogus.claim import (
    CallRules,
    RuledOn,
    begin_watched_hand,
    cleared,
    won_by_bonus,
)
from companion.games.entry import Dealt, Drew, Why
from companion.games.line import points
from companion.games.line.game import HandRules, opponents
from companion.games.line.hand import Moved, Turn
from companion.games.options import OFF
from companion.games.penalties import Called, Penalty, WrongCount


def board(seats: Seats) -> CallsBoard:
    """The board before the first hand: nothing is charged yet."""
    return CallsBoard(charged=BySeat.all(seats, 0))


def begin(state: CallsState, moved: Moved, dealt: Dealt) -> CallsState:
    """A new hand; with the option `could-play` off, no draw or pass in it can be proven bogus."""
    state = begin_watched_hand(state, moved, dealt)
    return state if state.options["could-play"] != OFF else _unproven(state)


def _unproven(state: CallsState) -> CallsState:
    """The state in which nothing can be proven in the hand any more."""
    watched = state.board.watched
    if watched is None:
        return state
    watched = watched._replace(evidence=None, unshown=None)
    return state._replace(board=state.board._replace(watched=watched))


def worth(state: CallsState, seat: Seat, score: int) -> int:
    """What a score comes to as it is written down: 0 if it is too small for a side's first score.
    Penalties that were taken off a side don't make its next score a first one again."""
    charged = state.board.charged
    scored = state.scores[seat] + (charged[seat] if charged else 0)
    first = int(state.options["first-score"])
    return points.in_units(state, score) if scored > 0 or score >= first else 0


def charge(state: CallsState, seat: Seat, penalty: int, why: Why) -> CallsState:
    """The state after a penalty, which comes off the score of the seat's side; that may fall below
    0. With two sides it may go to the other instead (option `could-play-to`)."""
    penalty, others = points.in_units(state, penalty), opponents(state)(seat)
    if state.options["could-play-to"] == "opponent" and state.side_of(others[0]) == others:
        return points.score(state, others[0], penalty, why)
    charged = state.board.charged
    assert charged is not None, "points are written down"
    for each in state.side_of(seat):
        charged = charged.put(each, charged[each] + penalty)
    state = state._replace(board=state.board._replace(charged=charged))
    return points.score(state, seat, -penalty, why)


def could_play(state: CallsState, ruled: RuledOn) -> CallsState:
    """A seat that drew or passed and could play pays by the option `could-play`: 30 points or a
    fifth of the target, or 50 points or the pips that it holds, whichever is more. Pips are not
    rounded: 61 cost 61. Only if a five counts one they become whole fives as at a hand's end: 57
    cost 11 to the nearest, 12 rounded up."""
    if state.options["could-play"] == "30-or-20%":
        penalty = max(30, points.in_points(state, int(state.options["target"])) // 5)
    else:
        held = ruled.holding.pips if ruled.holding else 0
        if points.counts_fives(state):
            held = settlement.rounded(held, str(state.options["rounding"]))
        penalty = max(50, held)
    return charge(state, ruled.claim.accused, penalty, Penalty.BOGUS)


def ends_hand(state: CallsState, turn: Turn | None) -> bool:
    """Whether a bogus play ends the hand, by the option `could-play-ends`: never, always, or only a
    pass. A hand that is no longer being played isn't ended. A `turn` that was not entered (None)
    may have been a draw, so it counts as no pass."""
    called, ends = state.board.open_to_calls, state.options["could-play-ends"]
    if called is None or not called.hand.round.playing or ends == "never":
        return False
    return ends == "always" or (turn is not None and not isinstance(turn.did, Drew))


def call_rules(hand: HandRules[CallsBoard]) -> CallRules:
    """Calls are settled as in High Five 18, by these penalties."""
    return CallRules(
        hand,
        bogus=could_play,
        wrong=lambda state, _claim: state,
        ends_hand=ends_hand,
        leads_after=lambda state, seat: state.seats.left_of(seat),
        keeps_shown=True,
        won_at_the_end=lambda state: points.ends_with_hand(state) or won_by_bonus(state),
        holding_needed=lambda state: state.options["could-play"] == "50-or-holding",
    )


def call(rules: CallRules, state: CallsState, called: Called) -> CallsState:
    """A seat is called bogus. Raises RuleError if the house doesn't settle what that costs (option
    `could-play`)."""
    if state.options["could-play"] == OFF:
        raise RuleError("“Could play” is not settled here: option could-play")
    return rules.call(state, called)


def wrong_count(state: CallsState, found: WrongCount) -> CallsState:
    """The table found that a seat has a wrong number of tiles. The hand goes on, but as nobody
    knows who held what, nothing can be proven in it any more. Raises RuleError if that costs
    nothing (option `wrong-count`)."""
    if state.options["wrong-count"] == OFF:
        raise RuleError("A wrong count costs nothing here: option wrong-count")
    penalty, state = int(state.options["wrong-count"]), _unproven(state)
    return charge(cleared(state), found.seat, penalty, Penalty.WRONG_COUNT)
