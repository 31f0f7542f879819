"""Counts that players call aloud (option `called`; RULES: All Fives 4). Nobody is told a count
until it is called. A score that is not called is lost, or goes to the opponent who says “muggins”.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.games.entry import Effect, Entry, Held, HeldPips, Payment, TimeUp, WentOut
from companion.games.game import Rule, State
from companion.games.line.game import B, ends_counted, number_of_hand, points_of, seat_to_move
from companion.games.line.hand import EndsCounted, hand_of
from companion.games.line.line import Laid
from companion.games.line.points import decided
from companion.games.options import OFF
from companion.games.penalties import (
    Called,
    CountCalled,
    Muggins,
    NotCalled,
    Penalty,
    Ruled,
    WrongCount,
)


@dataclass(frozen=True)
class CalledCounts(Generic[B]):
    """The rules for what is said of the last lay's count, in games that write points down."""

    worth: Callable[[State[B], Seat, int], int]
    """The points that a seat gets for a score, which is the last argument."""

    @property
    def rules(self) -> Mapping[type[Entry], Rule[B]]:
        """What each entry does."""
        return {CountCalled: count_called, NotCalled: not_called, Muggins: self.muggins}

    def muggins(self, state: State[B], said: Muggins) -> State[B]:
        """An opponent who called the score first scores it instead; it may be too little for that
        side's first score. Raises RuleError if muggins is not played, if the caller is of the same
        side, or if the lay scored nothing, for example a five that was too little for the first
        score of the seat that laid it."""
        if state.options["called"] != "muggins":
            raise RuleError("Muggins is not played here: option called muggins")
        lost, layer = last_score(state, said), state.effect.seat
        if layer is not None and said.seat in state.side_of(layer):
            raise RuleError("{seat} can't say muggins to its own side", seat=said.seat)
        score = points_of(hand_of(state))
        state = said_of_last_lay(state)
        if lost is None:
            return state
        moves = {lost.to: -lost.points, said.seat: self.worth(state, said.seat, score)}
        for seat in sorted(moves, key=state.seats.order.index):
            state = state.scoring(seat, moves[seat], Penalty.MUGGINS)
        return decided(state)


def count_called(state: State[B], called: CountCalled) -> State[B]:
    """The count was called in time: it stays, and may be told. Raises RuleError unless that seat
    has just laid."""
    if state.options["called"] == OFF or ends_counted(state) is None:
        raise RuleError("A count is called after a lay: not now")
    if called.seat != state.effect.seat:
        raise RuleError("{seat} laid last: only {seat} calls that count", seat=state.effect.seat)
    return said_of_last_lay(state)


def not_called(state: State[B], said: NotCalled) -> State[B]:
    """A score that was not called aloud in time doesn't count, even if it won the game. Raises
    RuleError unless that seat has just scored by a lay."""
    if state.options["called"] == OFF:
        raise RuleError("Here counts are told, not called: nothing is lost")
    lost = last_score(state, said)
    if said.seat != state.effect.seat:
        raise RuleError("{seat} laid last: only {seat} calls that count", seat=state.effect.seat)
    state = said_of_last_lay(state)
    if lost is None:
        return state
    return decided(state.scoring(said.seat, -lost.points, Penalty.NOT_CALLED))


def last_score(state: State[B], said: Entry) -> Payment | None:
    """The score of the last entry, a lay; None if nobody may know its count yet. Raises RuleError
    if there is no score."""
    counted, scored = ends_counted(state), state.effect.payments
    if counted is None or (counted.count is not None and not scored):
        raise RuleError(
            "“{said}” follows a lay that scores: it can't be said now", said=said.words[0]
        )
    return scored[0] if scored else None


def said_of_last_lay(state: State[B]) -> State[B]:
    """The state at the beginning of an entry about the last lay: its effect names the hand and the
    seat that laid, and nothing else."""
    effect = Effect(hand=number_of_hand(state), seat=state.effect.seat)
    return state._replace(board=state.board.with_hand(hand_of(state)), effect=effect)


def known_at_once(before: State[B], after: State[B], entry: Entry, rule: Rule[B]) -> State[B]:
    """The state after `entry` as people may know it. If players call the counts, the count of a lay
    and what it scores or wins stay unknown until the call is entered or the next player acts. An
    entry in between (`_in_between`) changes the known state as well as the whole one. Once the game
    is over, everything is known."""
    if before.held_back is not None and _in_between(after, entry):
        known = rule(before.as_shown, entry)
        return after if after.winners or known.winners else known._replace(held_longer=True)
    before = before.whole
    asked, hand = isinstance(entry, Laid) and entry.count is None, after.board.hand
    if not asked or hand is None or not hand.counts_called:
        return after
    line = replace(hand.line, known_count=None, parts=())
    hand = hand._replace(line=line)
    effect = replace(after.effect, points=0, payments=(), reason=EndsCounted(line.known_ends, None))
    board, mover = after.board.with_hand(hand), seat_to_move(before, hand)
    return before._replace(board=board, to_move=mover, effect=effect)


def _in_between(after: State[B], entry: Entry) -> bool:
    """Whether `entry` is neither a turn nor about the count. It says that the time is up, that a
    seat has a wrong number of tiles or that the seat which laid last is out, or it belongs to a
    dispute in a hand that goes on."""
    hand = after.board.hand
    match entry:
        case TimeUp() | WrongCount() | Called() | Ruled():
            return True
        case Held() | HeldPips():
            return hand is not None and hand.round.playing
        case WentOut():
            return hand is not None and hand.round.laid_last == entry.seat
    return False


def refuse(state: State[B], entry: Entry, refuse_else: Callable[[State[B], Entry], None]) -> None:
    """Raises RuleError for an entry that is not allowed now, as `refuse_else` does. A game won by
    a count is not won until it is known if that count was called: so entries about the count are
    allowed, and the refusal of any other entry asks for one."""
    to_call = state.options["called"] != OFF and ends_counted(state) is not None
    if state.winners and to_call and isinstance(entry, CountCalled | NotCalled | Muggins):
        return
    try:
        refuse_else(state, entry)
    except RuleError as refused:
        if not state.winners or not to_call:
            raise
        seat = state.effect.seat
        asked = RuleError("{seat} wins by this count: say first if it was called", seat=seat)
        raise asked from refused
