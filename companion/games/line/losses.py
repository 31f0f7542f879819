"""Hands of which entries are lost: how they go on with what is entered afterwards.

Nobody knows then what lies in the line, except for tiles that were entered as tiles. An entry made
before anybody knew of the loss may show that more is missing: the end of a hand, a deal, or whose
turn it was.
"""

from typing import TypeVar

from companion.core.seats import Seat
from companion.games.entries import Dealt, Drew, Held, HeldPips, Passed
from companion.games.entry import Entry
from companion.games.game import Rule, State
from companion.games.line import play
from companion.games.line.hand import BIG_6, Hand, LineBoard, hand_of
from companion.games.line.laid import Laid
from companion.games.line.scored import Scored
from companion.games.round import Stage, ended_unseen

B = TypeVar("B", bound=LineBoard)


def taken_up(hand: Hand, seat: Seat | None) -> Hand:
    """The hand after lost entries; `seat`, which comes next as far as is known, is to move."""
    if hand.round.stage is not Stage.OVER:
        hand = hand._replace(line=hand.line.given_up())
    if not seat or not hand.round.playing:
        return hand
    return hand._replace(round=hand.round._replace(stage=Stage.PLAY, to_move=seat), big_6=False)


def after_loss(state: State[B], seat: Seat | None) -> State[B]:
    """The state after lost entries (see Game.after_loss)."""
    hand = state.board.hand
    if hand is None:
        return state
    state = state._replace(board=state.board.after_loss(taken_up(hand, seat)))
    return state._replace(to_move=seat) if seat and hand.round.playing else state


def led_up_to(state: State[B], entry: Entry, deal: Rule[B]) -> State[B]:
    """A state in which `entry`, which `state` refuses, may have been made (see Game.led_up_to). A
    deal shows that the hand before it was over. A holding shows how that hand ended. A turn shows
    that a hand was dealt, and whose turn it was. `deal`: the game's rule for a deal."""
    state = _stood_at(state, entry, deal)
    hand = state.board.hand
    return state._replace(board=state.board.after_loss(hand)) if hand is not None else state


def _stood_at(state: State[B], entry: Entry, deal: Rule[B]) -> State[B]:
    hand = state.board.hand
    if state.finished:
        return state
    match entry:
        case Dealt() if hand is not None:
            return play.over(state, None, entry.lead or BIG_6)
        case Held() | HeldPips() if hand and (hand.round.playing or hand.round.ended):
            return _with(state, hand._replace(round=ended_unseen(hand.round, entry.seat)))
        case Laid() | Scored() | Drew() | Passed():
            if hand is not None and hand.round.stage is not Stage.OVER:
                return _with(state, _at_turn(hand, entry))
            dealt = hand_of(now := deal(state, Dealt()))
            dealt = dealt._replace(line=dealt.line.given_up())
            return _with(now, _at_turn(dealt, entry))._replace(effect=state.effect)
    return state


def _with(state: State[B], hand: Hand) -> State[B]:
    """The state with the hand changed; what the last entry meant stays."""
    board = state.board.with_hand(hand)
    return state._replace(board=board, to_move=play.to_move(state, hand))


def _at_turn(hand: Hand, turn: Laid | Scored | Drew | Passed) -> Hand:
    """The hand with the seat of that turn to move; what lies in the line is not known, unless the
    turn is the lead."""
    leads = hand.round.stage is Stage.LEAD and isinstance(turn, Laid) and not hand.line.lost
    stage = Stage.LEAD if leads else Stage.PLAY
    line = hand.line if leads else hand.line.given_up(may_be_partial=isinstance(turn, Laid))
    now = hand.round._replace(stage=stage, to_move=turn.seat, out=None, out_said=False)
    return hand._replace(round=now, line=line, big_6=False)
