"""What several games refuse in the same words."""

from collections.abc import Sequence

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.words import AND, listed
from companion.games.entries import Dealt, Ended
from companion.games.entry import Entry


def refuse_outside_a_hand(entry: Entry, *, finished: bool, dealt: bool) -> None:
    """Raises RuleError for an entry of a game that is over, or of a hand before one is dealt."""
    if finished:
        raise RuleError("The game is over: start a new one, or undo")
    if not dealt and not isinstance(entry, Dealt | Ended):
        raise RuleError("No hand is dealt yet: deal first")


def already_won(winners: Sequence[Seat]) -> RuleError:
    """The refusal of an entry in a game that these seats have won."""
    if len(winners) == 1:
        return RuleError("{winner} has won: start a new game, or undo", winner=winners[0])
    won = listed(winners, last=AND)
    return RuleError("{winners} have won: start a new game, or undo", winners=won)


def won_by_score(winners: Sequence[Seat]) -> RuleError:
    """The refusal of a call of bogus play in a game that was won before the end of a hand."""
    if len(winners) == 1:
        return RuleError("{winner} has won by a score: that win stands", winner=winners[0])
    won = listed(winners, last=AND)
    return RuleError("{winners} have won by a score: that win stands", winners=won)


def not_settled(missing: Sequence[Seat]) -> RuleError:
    """The refusal of a deal before the last hand is settled; `missing`: the seats whose holdings
    must be shown first."""
    if missing:
        return RuleError("First show what {seats} holds", seats=listed(missing, last=AND))
    return RuleError("This hand is not over yet")


def not_its_turn(mover: Seat | None, seat: Seat, *, leads: bool) -> RuleError:
    """The refusal of a turn of `seat` while `mover` is to move, or `leads` the hand."""
    if leads:
        return RuleError("{mover} leads, not {seat}", mover=mover, seat=seat)
    return RuleError("{mover} is to move, not {seat}", mover=mover, seat=seat)


def another_leads(leader: object, said: object) -> RuleError:
    """The refusal of a deal that names `said` as the leader of a hand which `leader` leads."""
    return RuleError("{leader} leads this hand, not {said}", leader=leader, said=said)
