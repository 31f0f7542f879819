"""Where a game of Highrise stands."""

from typing import NamedTuple

from companion.games.game import State
from companion.games.highrise.building import SPACERS, Layouts
from companion.games.highrise.entries import Halves
from companion.games.highrise.laying import PlayScored
from companion.games.round import Round


class HighriseBoard(NamedTuple):
    """The hand being played, or the last one."""

    round: Round | None = None
    basement: tuple[Halves, ...] | None = None
    layouts: Layouts | None = None
    """Every way in which the building may stand; None if that is not known, for example because the
    basement was not entered."""
    laid: tuple[Halves, ...] = ()
    """The tiles laid in this hand, in order."""
    lying: int = 0
    """All tiles that lie in the building for sure, as a mask."""
    spacers: int | None = SPACERS
    """Spacers left in this hand; None if that is not known."""
    drew: bool = False
    """Whether the seat to move has drawn."""
    scored: PlayScored | None = None
    """What the last entry scored, if it laid a tile."""


HighriseState = State[HighriseBoard]


def round_of(state: HighriseState) -> Round:
    """The hand being played, or the last one."""
    assert state.board.round is not None, "apply() lets only a deal through before a hand"
    return state.board.round
