"""Games of Highrise of which entries are lost: how they go on with what is entered afterwards."""

from companion.core.seats import Seat
from companion.games.entries import Blocked, Dealt, Held, HeldPips, Passed, WentOut
from companion.games.entry import Entry
from companion.games.game import Rule
from companion.games.highrise.board import HighriseBoard, HighriseState, round_of
from companion.games.highrise.entries import BasementFilled, Built, DrewOne
from companion.games.round import Round, Stage, ended_unseen


def after_loss(state: HighriseState, seat: Seat | None) -> HighriseState:
    """The game after lost entries: nobody knows how the building stands, nor how many spacers are
    left; `seat`, which comes next as far as is known, is to move."""
    now = state.board.round
    if now is None or state.finished:
        return state
    if seat and now.playing:
        now = now._replace(to_move=seat)
    return _with(state, now)


def led_up_to(state: HighriseState, entry: Entry, deal: Rule[HighriseBoard]) -> HighriseState:
    """A state in which `entry`, which `state` refuses, may have been made (see Game.led_up_to). A
    deal shows that the hand before it was over. A holding shows how that hand ended. A basement or
    a turn shows that a hand was dealt, a turn also whose it was. `deal`: the game's rule for a
    deal."""
    if state.finished:
        return state
    if state.board.round is None and not isinstance(entry, Dealt):
        state = deal(state, Dealt())
    now = state.board.round
    match entry:
        case Dealt() if now is not None:
            lead = state.seats.right_of(entry.lead) if entry.lead else now.lead
            return _with(state, now._replace(stage=Stage.OVER, lead=lead))
        case BasementFilled() if now is not None and now.turn:
            return deal(_with(state, now._replace(stage=Stage.OVER)), Dealt())
        case Held() | HeldPips() if now is not None and now.stage is not Stage.OVER:
            return _with(state, ended_unseen(now, entry.seat))
        case WentOut():
            now = round_of(state)
            now = now._replace(
                stage=Stage.PLAY, laid_last=entry.seat, confirmed=False, out_said=False
            )
            return _with(state, now)
        case Blocked():
            return _with(
                state, round_of(state)._replace(stage=Stage.PLAY, confirmed=False, out_said=False)
            )
        case Built() | DrewOne() | Passed():
            return _at_turn(state, entry.seat, deal)
    return state


def _at_turn(state: HighriseState, seat: Seat, deal: Rule[HighriseBoard]) -> HighriseState:
    """The state with that seat to move, in a new hand if the last one is over."""
    if round_of(state).stage is Stage.OVER:
        state = deal(state, Dealt())
    now = round_of(state)
    return _with(
        state,
        now._replace(stage=Stage.PLAY, to_move=seat, out=None, confirmed=False, out_said=False),
    )


def _with(state: HighriseState, now: Round) -> HighriseState:
    """The state with the hand changed, and nothing known of the building."""
    board = state.board._replace(round=now, layouts=None, spacers=None, drew=False, scored=None)
    return state._replace(board=board, to_move=now.to_move if now.playing else None)
