"""The hand that a screen of a line game is about."""

from companion.games.game import State
from companion.games.line.hand import Hand, LineBoard


def hand_of(state: State[LineBoard]) -> Hand:
    """The hand being played, or the last one."""
    assert state.board.hand is not None, "shown only once a hand is dealt"
    return state.board.hand
