"""Payments in chips, by which High Five is won (high_five.py, rules 11, 12 and 21)."""

from companion.core.seats import BySeat, Seat
from companion.games.bogus.board import HighFiveState
from companion.games.game import Effect, Payment, Why
from companion.games.line import play
from companion.games.line.game import Scoring

PENALTY = 50
"""Points for a misdraw, and the least for a bogus play."""


class Penalty(Why):
    """What is paid for besides counts and the ends of hands."""

    MISDRAW = "misdraw"
    BOGUS = "bogus"
    WRONG_CALL = "wrong-call"
    CORRECTION = "correction"
    """As agreed at the table."""


def pay(state: HighFiveState, seat: Seat, points: int, why: Why) -> HighFiveState:
    """[11] `seat` is paid by its payer, [12] from the payer's own stock, [21] capped at what is
    left of it; having won all of it wins the game at once."""
    payer = state.seats.payer_of(seat)
    state = state.worth(points) if points else state
    return move_chips(state, payer, min(points, state.board.chips.left(payer)), why)


def move_chips(state: HighFiveState, payer: Seat, points: int, why: Why) -> HighFiveState:
    """Moves these points in the payer's chips to the seat that it pays (negative: back again).
    Decides the game."""
    if not points:
        return state
    seats = state.seats
    chips, exchange = state.board.chips.pay(payer, points)
    scores = BySeat.make(seats, lambda seat: chips.won_from(seats.payer_of(seat)))
    state = state._replace(board=state.board._replace(chips=chips), scores=scores)
    return decided(state.paying(Payment(payer, seats.payee_of(payer), points, why, exchange)))


def decided(state: HighFiveState) -> HighFiveState:
    """[21] The seat that has won all of its payer's chips has won; a correction may unmake it."""
    chips = state.board.chips
    full = [seat for seat in state.seats if chips.left(state.seats.payer_of(seat)) == 0]
    if state.winner in full:
        return state
    if full:
        return state._replace(winners=(full[0],), to_move=None)
    if not state.winners:
        return state
    resumed = state._replace(winners=())
    return resumed._replace(to_move=play.to_move(resumed, state.board.hand))


def keep_what_was_paid(state: HighFiveState) -> HighFiveState:
    """[14] What the end of a hand paid is kept: a bogus ruling replaces it."""
    watched = state.board.watched
    assert watched is not None, "a hand was settled"
    watched = watched._replace(paid=state.effect.payments)
    return state._replace(board=state.board._replace(watched=watched))


def to_win(state: HighFiveState, seat: Seat) -> int:
    """[21] Points left in the stock of the seat's payer."""
    return state.board.chips.left(state.seats.payer_of(seat))


CHIPS = Scoring(pay, keep_what_was_paid, to_win, lambda state: state.board.chips)
"""Each seat is paid in chips of its payer's colour."""


def nothing_told_yet(state: HighFiveState) -> HighFiveState:
    """The state at the beginning of an entry that moves nothing on the table."""
    effect = Effect(hand=play.number_of_hand(state))
    return state._replace(board=state.board.cleared(), effect=effect)
