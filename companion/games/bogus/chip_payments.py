"""Payments in chips, by which High Five is won (RULES: High Five 11, 12 and 21)."""

from companion.core.seats import BySeat, Seat
from companion.games.bogus.board import HighFiveState
from companion.games.game import Effect, Payment, Why
from companion.games.line import play

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
    """So many points of the payer's chips go to the seat that it pays (negative: come back).
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


def nothing_told_yet(state: HighFiveState) -> HighFiveState:
    """The state at the beginning of an entry that moves nothing on the table."""
    effect = Effect(hand=play.number_of_hand(state))
    return state._replace(board=state.board.cleared(), effect=effect)
