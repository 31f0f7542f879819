"""From a call of bogus play to its ruling, and what that pays (high_five.py, rule 18)."""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.games import settlement
from companion.games.bogus import claim as claims
from companion.games.bogus.board import HighFiveState
from companion.games.bogus.chip_payments import PENALTY, Penalty, move_chips, nothing_told_yet, pay
from companion.games.bogus.claim import RuledBy
from companion.games.bogus.watched_hand import Claim, WatchedHand
from companion.games.entries import Held, HeldPips
from companion.games.line import play
from companion.games.penalties import Called, Ruled


def call(state: HighFiveState, called: Called) -> HighFiveState:
    """[18] A seat is called bogus; the record may close the claim at once."""
    watched = state.board.open_to_calls
    if watched is None:
        raise RuleError("No hand is dealt yet: nobody can be bogus")
    by = called.by or state.seats.payee_of(called.accused)
    watched, effect = claims.open_claim(watched, called, by)
    board = state.board.cleared().with_called(watched)
    return closed_by_record(state._replace(board=board, effect=effect))


def show(
    state: HighFiveState, called: WatchedHand, claim: Claim, shown: Held | HeldPips
) -> HighFiveState:
    """[18] The accused shows what it holds; that may close the claim."""
    watched, effect = claims.show(called, claim, shown)
    board = state.board.cleared().with_called(watched)
    state = state._replace(board=board, effect=effect)
    return closed_by_record(state.noticing(*claims.announced(called, watched)))


def closed_by_record(state: HighFiveState) -> HighFiveState:
    """The claim closed by the record, if it can be; or by the table's earlier ruling."""
    watched = state.board.open_to_calls
    bogus = claims.outcome(watched) if watched is not None else None
    if bogus is None or watched is None or watched.claim is None:
        return state
    by = RuledBy.TABLE if watched.claim.overruled else RuledBy.RECORD
    closed = close_claim(state, bogus, by)
    return closed._replace(board=closed.board._replace(disputed=state))


def rule(state: HighFiveState, ruled: Ruled) -> HighFiveState:
    """[18] The table rules on an open claim, or overrules the record where the house lets it: what
    the record's ruling paid goes back, and before a bogus play is paid the holding is shown."""
    disputed = overruled_by(state, ruled)
    claimed = state if disputed is None else disputed
    watched = claimed.board.open_to_calls
    may_overrule = state.options["table-overrules"] == "on"
    claim = claims.refuse_against(watched.claim if watched else None, ruled, may_overrule)
    claimed = nothing_told_yet(claimed)
    claimed = claimed._replace(effect=replace(claimed.effect, about=claim.turn))
    if disputed is None:
        return close_claim(claimed, ruled.bogus, RuledBy.TABLE)
    if ruled.bogus and watched is not None and watched.holding(claim.accused) is None:
        waiting = watched._replace(claim=replace(claim, overruled=True))
        after = claimed._replace(board=claimed.board.with_called(waiting))
    else:
        after = close_claim(claimed, ruled.bogus, RuledBy.TABLE)
    back = tuple(replace(paid, points=-paid.points) for paid in state.effect.payments)
    effect = replace(after.effect, payments=(*back, *after.effect.payments))
    return after._replace(effect=effect)


def overruled_by(state: HighFiveState, ruled: Ruled) -> HighFiveState | None:
    """The state with a claim open again that the record closed with the last entry, where the table
    may overrule the record; else None."""
    ruling, called = state.board.ruling, state.board.open_to_calls
    if state.options["table-overrules"] != "on" or ruling is None:
        return None
    if (ruling.seat, ruling.by) != (ruled.accused, RuledBy.RECORD):
        return None
    return state.board.disputed if called is None or called.claim is None else None


def close_claim(state: HighFiveState, bogus: bool, by: RuledBy) -> HighFiveState:
    """[18] Bogus: the hand is over, what its end paid is replaced by the penalty, and the
    non-offender leads any tile next. Clear: the hand goes on where it was, and the house may have
    set a price on a wrong call."""
    called = state.board.open_to_calls
    assert called is not None, "called only while a claim is open"
    assert called.claim is not None, "called only while a claim is open"
    claim, undone = called.claim, called.paid
    closed, ruling = claims.close(called, bogus, by)
    state = state._replace(board=state.board.with_called(closed)._replace(ruling=ruling))
    state = state._replace(effect=replace(state.effect, hand=closed.hand.round.number))
    state = state.noticing(*claims.judged_otherwise(closed, ruling))
    if not bogus:
        cost = int(state.options["wrong-call"])
        return pay(state, state.seats.payee_of(claim.by), cost, Penalty.WRONG_CALL)
    holding = called.holding(claim.accused)
    assert holding is not None, "without it no claim is closed so"
    state = leads_after_bogus(state, state.seats.payee_of(claim.accused))
    for payment in undone:
        assert payment.payer is not None, "chips were paid by a seat"
        left = state.board.chips.won_from(payment.payer)
        state = move_chips(state, payment.payer, -min(payment.points, left), payment.why)
    pips = settlement.rounded(holding.pips, up=play.rounds_up(state.options))
    free = state.seats.payee_of(claim.accused)
    return pay(state, free, max(PENALTY, pips), Penalty.BOGUS)


def leads_after_bogus(state: HighFiveState, free: Seat) -> HighFiveState:
    """[18] The non-offender leads any tile next: the hand that was dealt meanwhile, or the next."""
    board = state.board
    if board.before is None or board.watched is None:
        return state._replace(board=board._replace(next_lead=free), to_move=None)
    hand = board.watched.hand
    dealt = hand._replace(round=hand.round._replace(lead=free, to_move=free), big_6=False)
    watched = board.watched._replace(hand=dealt)
    return state._replace(board=board._replace(watched=watched), to_move=free)


def refuse_after_win(state: HighFiveState) -> None:
    """[18] A game won by a count stays won; one won by the bonus of a hand's end can still be
    called. Raises RuleError."""
    if not state.winners:
        raise RuleError("The game was ended: nobody can be called now")
    watched = state.board.watched
    bonus = watched is not None and any(paid.to == state.winner for paid in watched.paid)
    if not bonus or state.board.before is not None:
        raise RuleError("{winner} won by a score: a game won so stays won", winner=state.winner)
