"""Payments in chips, by which High Five is won (high_five.py, rules 11, 12 and 21)."""

from companion.core.seats import BySeat, Seat
from companion.games import settlement
from companion.games.bogus.board import CallsState
from companion.games.bogus.calls import RuledOn, keep_what_was_paid
from companion.games.bogus.watched_hand import Claim
from companion.games.chips import Chips
from companion.games.entry import Payment, Why
from companion.games.line.game import Scoring, seat_to_move
from companion.games.penalties import Penalty

PENALTY = 50
"""Points for a misdraw, and the least for a bogus play."""


def chips(state: CallsState) -> Chips:
    """All chips on the table."""
    assert state.board.chips is not None, "it is paid in chips"
    return state.board.chips


def pay(state: CallsState, seat: Seat, points: int, why: Why) -> CallsState:
    """[11] `seat` is paid by its payer, [12] from the payer's own stock, [21] capped at what is
    left of it. A seat that has won all of its payer's stock wins the game at once."""
    payer = chips(state).payer_of(seat)
    state = state.worth(points) if points else state
    left = chips(state).left(payer)
    return move_chips(state, payer, min(points, left), why, points if points > left else 0)


def move_chips(state: CallsState, payer: Seat, points: int, why: Why, owed: int = 0) -> CallsState:
    """Points of the payer's chips go to the seat that it pays (negative: they come back). Decides
    the game. `owed`: what the payer would have paid with more chips; 0: no more."""
    if not points:
        return state
    left, exchange = chips(state).pay(payer, points)
    scores = BySeat.make(state.seats, lambda seat: left.won_from(left.payer_of(seat)))
    state = state._replace(board=state.board._replace(chips=left), scores=scores)
    return decided(state.paying(Payment(payer, left.payee_of(payer), points, why, exchange, owed)))


def decided(state: CallsState) -> CallsState:
    """[21] A seat that has won all of its payer's chips has won the game; a correction may unmake
    the win."""
    full = [seat for seat in state.seats if to_win(state, seat) == 0]
    if state.winner in full:
        return state
    if full:
        return state._replace(winners=(full[0],), to_move=None)
    if not state.winners:
        return state
    resumed = state._replace(winners=())
    return resumed._replace(to_move=seat_to_move(resumed, state.board.hand))


def to_win(state: CallsState, seat: Seat) -> int:
    """[21] Points left in the stock of the seat's payer."""
    now = chips(state)
    return now.left(now.payer_of(seat))


CHIPS = Scoring(pay, keep_what_was_paid, to_win, chips=chips)
"""Each seat is paid in chips of its payer's colour."""


# ---------------------------------------------------------------- what a ruling pays


def pay_bogus(state: CallsState, ruled: RuledOn) -> CallsState:
    """[18] The penalty is 50 or the pips that the accused holds, rounded, whichever is more. It
    replaces what the hand's end paid."""
    assert ruled.holding is not None, "without it no claim is closed so"
    for payment in ruled.paid:
        assert payment.payer is not None, "chips were paid by a seat"
        left = chips(state).won_from(payment.payer)
        state = move_chips(state, payment.payer, -min(payment.points, left), payment.why)
    pips = settlement.rounded(ruled.holding.pips, str(state.options["rounding"]))
    free = chips(state).payee_of(ruled.claim.accused)
    return pay(state, free, max(PENALTY, pips), Penalty.BOGUS)


def pay_wrong_call(state: CallsState, claim: Claim) -> CallsState:
    """[18] The caller pays what a wrong call costs (option `wrong-call`; 0: nothing) to the seat
    that it normally pays."""
    cost = int(state.options["wrong-call"])
    return pay(state, chips(state).payee_of(claim.by), cost, Penalty.WRONG_CALL)
