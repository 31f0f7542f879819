"""The board of a game in which a bogus play can be called."""

from dataclasses import dataclass
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, places_to_payer
from companion.games.bogus.verdict import proven_turns
from companion.games.bogus.watched_hand import Claim, Ruling, VerdictKind, WatchedHand
from companion.games.chips import Chips
from companion.games.game import AnyState, State
from companion.games.line.hand import BIG_6, Hand, Turn
from companion.games.round import Stage

NEVER_THE_PARTNER = 3
"""The version of the rules from which a call without a caller is never the accused's partner's.
Before it, the caller was the seat that the accused would pay in a game with chips."""


class CallsBoard(NamedTuple):
    """The hand being played, and the one before it as long as a bogus play in that one can still be
    called; the chips; and what the last entry meant for calls of bogus play."""

    chips: Chips | None = None
    """None if points are written down."""
    watched: WatchedHand | None = None
    """The hand being played, or the one that was settled last."""
    before: WatchedHand | None = None
    next_lead: str | None = BIG_6
    """Who leads the next hand: a seat, or BIG_6. None while a hand is played."""
    misdrew: frozenset[Seat] = frozenset()
    """Seats that have paid for a misdraw in this hand."""
    ruling: Ruling | None = None
    """How the last entry closed a claim."""
    disputed: State["CallsBoard"] | None = None
    """If the record closed a claim with the last entry: the state in which that claim is still
    open."""
    charged: BySeat[int] | None = None
    """Points that were taken off each seat as penalties; None if payments are made in chips."""

    @property
    def hand(self) -> Hand | None:
        """The hand being played, or the one that was settled last."""
        return self.watched.hand if self.watched is not None else None

    @property
    def open_to_calls(self) -> WatchedHand | None:
        """The hand in which a bogus play can be called: the last one until the first tile of the
        next hand is laid, then that next one (high_five.py, rule 18)."""
        return self.before if self.before is not None else self.watched

    @property
    def caller(self) -> Seat | None:
        """The seat whose call is open, or was closed by the record with the last entry."""
        called = self.open_to_calls
        if called is not None and called.claim is not None:
            return called.claim.by
        return self.disputed.board.caller if self.disputed is not None else None

    def with_watched(self, watched: WatchedHand) -> "CallsBoard":
        """The board with that hand in play, and without what the last entry meant. The hand before
        it is kept until a tile of the new one is laid."""
        before = self.before if watched.hand.round.stage is Stage.LEAD else None
        charged = self.charged
        return CallsBoard(
            self.chips, watched, before, self.next_lead, self.misdrew, charged=charged
        )

    def with_called(self, watched: WatchedHand) -> "CallsBoard":
        """The board with that hand in place of the one that is `open_to_calls`."""
        if self.before is None:
            return self._replace(watched=watched, disputed=None)
        return self._replace(before=watched, disputed=None)

    def with_hand(self, hand: Hand) -> "CallsBoard":
        assert self.watched is not None, "a hand was dealt"
        return self.with_watched(self.watched._replace(hand=hand))

    def cleared(self) -> "CallsBoard":
        """The board without what the last entry meant for calls."""
        return self._replace(ruling=None, disputed=None)

    def with_next_lead(self, lead: str | None) -> "CallsBoard":
        return self._replace(next_lead=lead)

    def after_loss(self, hand: Hand) -> "CallsBoard":
        """The board after lost entries: nothing can be proven in either hand."""
        assert self.watched is not None, "a hand was dealt"
        watched = self.watched._replace(hand=hand, evidence=None)
        before = self.before._replace(evidence=None) if self.before is not None else None
        return self._replace(watched=watched, before=before, disputed=None)


CallsState = State[CallsBoard]


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim, and the hand as it was when the claim was judged."""

    watched: WatchedHand
    claim: Claim

    @property
    def hand(self) -> Hand:
        return self.watched.hand

    @property
    def turn(self) -> Turn | None:
        """The draw or pass that the claim is about; None if it was not entered."""
        return self.watched.turn(self.claim.turn)

    @property
    def known(self) -> bool:
        return self.watched.holding(self.claim.accused) is not None


def board_of(state: AnyState) -> CallsBoard | None:
    """The board, in a game in which a bogus play can be called."""
    board = state.board
    return board if isinstance(board, CallsBoard) else None


def chips_of(state: AnyState) -> Chips | None:
    """The chips, in a game that is paid in them."""
    board = board_of(state)
    return board.chips if board is not None else None


def ruling_of(state: AnyState) -> Ruling | None:
    """How the last entry closed a claim; None if it did not."""
    board = board_of(state)
    return board.ruling if board is not None else None


def hand_in_question(state: AnyState) -> Hand | None:
    """The hand in which a holding is shown now: that of an open claim, else the one being played.
    Only in games with a line."""
    board = board_of(state)
    called = board.open_to_calls if board is not None else None
    hand: Hand | None = called.hand if called is not None else state.board.hand
    return hand


def judged_claim(state: AnyState) -> JudgedClaim | None:
    """The claim that is open, or that the record closed with the last entry."""
    board = board_of(state)
    called = board.open_to_calls if board else None
    if called is not None and called.claim is not None:
        return JudgedClaim(called, called.claim)
    if board is None or board.ruling is None or board.disputed is None:
        return None
    return judged_claim(board.disputed)


def verdict_of(state: AnyState) -> VerdictKind | None:
    """The verdict of the record on the claim that is open, or that the last entry closed."""
    judged, ruling = judged_claim(state), ruling_of(state)
    if judged is not None:
        return judged.claim.verdict.kind
    return ruling.verdict if ruling is not None else None


def proven(state: AnyState) -> tuple[Turn, ...]:
    """The bogus plays that the record proves and that somebody may still call, the latest first."""
    board = board_of(state)
    called = board.open_to_calls if board else None
    if called is None or called.bogus is not None or called.claim is not None:
        return ()
    proven_now = {turn.number for turn in proven_turns(called)}
    return tuple(turn for turn in turns_to_call(state) if turn.number in proven_now)


# ---------------------------------------------------------------- who may call whom


def may_call(state: AnyState, accused: Seat) -> tuple[Seat, ...]:
    """The seats that may still call the accused in the hand that is open to calls, the
    `usual_caller` first; () if nobody may."""
    usual = usual_caller(state, accused)
    seats = sorted(state.seats, key=lambda seat: seat != usual)
    return tuple(seat for seat in seats if why_not_call(state, accused, seat) is None)


def turns_to_call(state: AnyState, by: Seat | None = None) -> tuple[Turn, ...]:
    """The draws and passes that the seat `by` (None: anybody) may call, the latest first, without
    those that were ruled bogus already."""
    board = board_of(state)
    watched = board.open_to_calls if board is not None else None
    turns = watched.hand.draws_and_passes[::-1] if watched is not None else ()
    callers = {turn.seat: may_call(state, turn.seat) for turn in turns}
    return tuple(
        turn
        for turn in turns
        if watched is not None
        and not watched.was_ruled_bogus(turn)
        and (by in callers[turn.seat] or (by is None and callers[turn.seat]))
    )


def why_not_call(
    state: AnyState, accused: Seat, by: Seat, *, named: bool = True
) -> RuleError | None:
    """Why the seat `by` may not call the accused; None if it may. A seat can't call its own side, a
    hand that a bogus play has ended, or the same seat twice in a hand. `named`: the call names its
    caller; if it doesn't, old games may have made the partner of the accused the caller."""
    board = board_of(state)
    watched = board.open_to_calls if board is not None else None
    if watched is None:
        return RuleError("No hand is dealt yet: nobody can be bogus")
    if by == accused:
        return RuleError("{accused} can't call {accused}: who calls?", accused=accused)
    if named and by in state.side_of(accused):
        return RuleError("{by} can't call its own side", by=by)
    if watched.bogus is not None:
        return RuleError(
            "{bogus} was bogus in this hand: it is over, deal the next", bogus=watched.bogus
        )
    if (by, accused) in watched.calls:
        return RuleError(
            "{by} has called {accused} in this hand already: only once a hand",
            by=by,
            accused=accused,
        )
    return None


def usual_caller(state: AnyState, accused: Seat) -> Seat:
    """The seat that calls if a call names no caller: the one that the accused pays or, where points
    are written down, the next seat of another side."""
    chips = chips_of(state)
    if chips is not None:
        return chips.payee_of(accused)
    if state.rules < NEVER_THE_PARTNER:
        return state.seats.moved(accused, places_to_payer(len(state.seats)))
    later = (state.seats.moved(accused, places) for places in range(1, len(state.seats)))
    return next(seat for seat in later if seat not in state.side_of(accused))
