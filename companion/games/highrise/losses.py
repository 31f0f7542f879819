"""Games of Highrise of which entries are lost: they count on with what is said afterwards."""

from companion.core.seats import Seat
from companion.games.entries import Blocked, Dealt, Held, HeldPips, Passed, WentOut
from companion.games.game import Entry, Rule
from companion.games.highrise.board import HighriseBoard, HighriseState, round_of
from companion.games.highrise.entries import BasementFilled, Built, DrewOne
from companion.games.round import Round, Stage, ended_unseen


def after_loss(state: HighriseState, seat: Seat | None) -> HighriseState:
    """The game after lost entries: nobody knows how the building stands, nor how many spacers are
    left; `seat`, who comes next as far as is known, is to move."""
    now = state.board.round
    if now is None or state.finished:
        return state
    if seat and now.playing:
        now = now._replace(to_move=seat)
    return _with(state, now)


def led_up_to(state: HighriseState, entry: Entry, deal: Rule[HighriseBoard]) -> HighriseState:
    """Where the game may have stood at an entry that it refuses (see Game.led_up_to). A deal tells
    that the hand before it was over, a holding how that ended, a basement or a turn that a hand was
    dealt and whose turn it was. `deal`: how the game deals."""
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
    """The hand with that seat to move; a new one, where the one before is over."""
    if round_of(state).stage is Stage.OVER:
        state = deal(state, Dealt())
    now = round_of(state)
    return _with(
        state,
        now._replace(stage=Stage.PLAY, to_move=seat, out=None, confirmed=False, out_said=False),
    )


def _with(state: HighriseState, now: Round) -> HighriseState:
    """The state with the hand changed, and a building of which nothing is known."""
    board = state.board._replace(round=now, layouts=None, spacers=None, drew=False, scored=None)
    return state._replace(board=board, to_move=now.to_move if now.playing else None)
