"""Calls of bogus play: the hand in which they are made, the open claim, how claims were ruled, and
who may call whom.

Each move of a watched hand may show which seat got which tile when (evidence.py). What that proves
about a draw or pass is its verdict (verdict.py). How calls are made and settled: call_rules.py."""

import traceback
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, places_to_payer
from companion.games.bogus.evidence import Evidence, dealt
from companion.games.chips import Chips
from companion.games.entries import Drew, Held, HeldPips, Passed, Returned, WentOut
from companion.games.game import AnyState, Entry, Payment, State
from companion.games.line.hand import BIG_6, Hand, MomentOfPlay, Moved, Turn
from companion.games.line.line import Laid
from companion.games.round import NOTHING, Holding, RoundNotice, Stage
from companion.games.tiles import Tile


class VerdictKind(StrEnum):
    """The verdict of the record on a claim of bogus play."""

    PROVEN = "proven"
    POSSIBLE = "possible"
    EXCLUDED = "excluded"


class Grounds(StrEnum):
    """The reason for a verdict."""

    DEADLINE = "deadline"
    """Proven: a tile that the seat laid or showed later can't have been drawn later."""
    DRAWS = "draws"
    """Proven: several tiles that the seat laid or showed later can't all have been drawn later."""
    EXHAUSTED = "exhausted"
    """Proven: too few tiles that don't fit are left."""
    WHICHEVER = "whichever"
    """Proven, but which tiles prove it depends on how the hand was played."""
    NOTICED = "noticed"
    """Proven: a tile that was drawn by mistake had gone back in the same go."""
    RETURNED = "returned"
    """Excluded: the drawn tile went back."""
    ELSEWHERE = "elsewhere"
    """Excluded: all tiles that fit were elsewhere."""
    OPEN = "open"
    """Possible: the seat may have held one of the tiles."""
    FEWER = "fewer"
    """Possible: the seat showed fewer tiles than were counted."""
    DOUBTFUL = "doubtful"
    """Possible: tiles were miscounted, or the table insisted."""
    UNTOLD = "untold"
    """Possible: from there on only scores were entered."""
    UNKNOWN = "unknown"
    """Possible: what fitted is not known."""
    CONTRADICTION = "contradiction"
    """Possible: no deal explains the entries."""
    FAULT = "fault"
    """Possible: the search for proofs has failed."""
    STILL_HELD = "still-held"
    """Proven: a tile that the seat still holds would have fitted."""
    NOT_HELD = "not-held"
    """Excluded: no tile that the seat still holds would have fitted at any of its passes."""
    NOT_SHOWN = "not-shown"
    """Possible: the seat has not shown its tiles, which decide."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the record on a draw or pass, and the reason.

    `tiles`: the tiles that prove it, or that would decide it if they were shown. `grounds` are for
    the sentences that explain it (presentation/line/sayings.py).
    """

    kind: VerdictKind
    tiles: tuple[Tile, ...] = ()
    grounds: Grounds | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """An open claim of bogus play against `accused` for turn `turn` of the hand, and the record's
    verdict on it. `turn` is None for a turn that was not entered, as in hands of which only scores
    are."""

    accused: Seat
    by: Seat
    turn: int | None
    verdict: Verdict
    shown: Holding | None = None
    off_table: int | None = None
    """The pips of all tiles that are not on the table, if they were counted for this claim."""
    overruled: bool = False
    """The table has ruled it bogus against the record; only the holding is still to be shown."""


class RulingResult(StrEnum):
    """Whether a claim was right."""

    BOGUS = "bogus"
    CLEAR = "clear"


class RuledBy(StrEnum):
    """Who closed a claim."""

    RECORD = "record"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a claim of bogus play was closed; `turn` as in Claim."""

    seat: Seat
    turn: int | None
    verdict: VerdictKind
    result: RulingResult
    by: RuledBy
    tiles: tuple[str, ...] = ()


class WatchedHand(NamedTuple):
    """A hand in which bogus plays can be called, and what was found out and claimed of it."""

    hand: Hand
    rules: int
    """The version of the rules by which its disputes are judged."""
    evidence: Evidence | None
    """What can be proven; None once tiles were miscounted or the table has insisted: nothing can be
    proven then."""
    unshown: Evidence | None
    """What can be proven without the holdings that were shown in calls while the hand went on. It
    is all that is left if these turn out to be wrong. None if nothing is known without them, as
    they have ruled lines out."""
    claim: Claim | None = None
    """The claim that waits for its ruling."""
    calls: frozenset[tuple[Seat, Seat]] = frozenset()
    """(caller, accused) of every claim of the hand. If it turns out that the accused can't have
    held what it showed, the claims against it are dropped here: their callers may call again."""
    cleared: tuple[tuple[Seat, int], ...] = ()
    """(accused, turn) of every claim for an entered turn that was ruled clear."""
    showed: frozenset[Seat] = frozenset()
    """The seats that have shown their holdings while the hand went on, as long as these may be
    right."""
    fault: str = ""
    """Why the search for proofs has failed; empty: it has not."""
    bogus: Seat | None = None
    """Whose bogus play ended the hand."""
    paid: tuple[Payment, ...] = ()
    """What the end of the hand paid; a bogus ruling replaces it."""
    ruled_bogus: tuple[int, ...] = ()
    """The turns that were ruled bogus without ending the hand."""
    still_held: bool = False
    """Whether a bogus play counts only if a tile that fitted is still held at the hand's end."""

    def turn(self, number: int | None) -> Turn | None:
        """The turn of that number; None if a claim names none."""
        return None if number is None else self.hand.turn(number)

    def was_ruled_bogus(self, turn: Turn) -> bool:
        """Whether that turn was ruled bogus without ending the hand."""
        return turn.number in self.ruled_bogus

    def holding(self, seat: Seat) -> Holding | None:
        """What the seat showed in the claim or at the hand's end; None if that is not known."""
        claim = self.claim
        if claim is not None and claim.shown is not None and seat == claim.accused:
            return claim.shown
        now = self.hand.round
        return NOTHING if now.out == seat else now.shown[seat]


# ---------------------------------------------------------------- what a move shows


def watch(hand: Hand, each: int, rules: int) -> WatchedHand:
    """A hand that was dealt just now, `each` tiles to a seat."""
    evidence = dealt(len(hand.round.seats), each)
    return WatchedHand(hand, rules, evidence, evidence)


def follow(watched: WatchedHand, moved: Moved, entry: Entry) -> WatchedHand:
    """The hand after a move, with what the move shows about which seat got which tile when. If that
    search fails, the move counts all the same, and nothing can be proven any more."""
    if watched.evidence is None:
        return WatchedHand(moved.hand, watched.rules, None, None, *watched[4:])
    if moved.hand.round.scores_only and not _miscounted(moved):
        return watched._replace(hand=moved.hand)
    try:
        return _followed(watched, watched.evidence, moved, entry)
    except Exception as fault:
        failed = WatchedHand(moved.hand, watched.rules, None, None, *watched[4:])
        return failed._replace(fault=describe_fault(fault))


def describe_fault(fault: Exception) -> str:
    """What has failed, and where, in one line."""
    at = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{fault!r} in {at.name}, line {at.lineno}"


def _followed(watched: WatchedHand, evidence: Evidence, moved: Moved, entry: Entry) -> WatchedHand:
    hand, after = _hand_and_evidence_after(evidence, watched.hand, moved, entry)
    unshown = after
    if isinstance(entry, Held) and watched.hand.round.playing:
        watched = watched._replace(showed=watched.showed | {entry.seat})
        all_kept = len(moved.kept) == len(watched.hand.line.possible)
        unshown = watched.unshown if all_kept else None
    elif watched.showed:
        unshown = (
            watched.unshown
            and _hand_and_evidence_after(watched.unshown, watched.hand, moved, entry)[1]
        )
    # Constructed at every entry: `_replace` would take three times as long.
    followed = WatchedHand(hand, watched.rules, after, unshown, *watched[4:])
    judged_anew = watched.showed and watched.rules >= 2
    return _without_what_was_shown(followed, entry) if judged_anew else followed


def _hand_and_evidence_after(
    evidence: Evidence, before: Hand, moved: Moved, entry: Entry
) -> tuple[Hand, Evidence | None]:
    """The hand, and what is known after an entry."""
    after = _evidence_after(evidence, before, moved, entry)
    if after is not None and isinstance(entry, Drew | Returned | Passed):
        return _at_this_moment(moved.hand, after)
    return moved.hand, after


def _without_what_was_shown(watched: WatchedHand, entry: Entry) -> WatchedHand:
    """The hand judged without the holdings that were shown in it, if they leave no deal that
    explains the move: their seats may then be called again. The hand stays as it is if the move
    can't be explained without these holdings either."""
    evidence, unshown = watched.evidence, watched.unshown
    moved = isinstance(entry, Laid | Drew | Returned | Passed)
    if evidence is None or not moved or evidence.given_up or evidence.any_deal:
        return watched
    if unshown is not None and not unshown.given_up and not unshown.any_deal:
        return watched
    calls = frozenset(call for call in watched.calls if call[1] not in watched.showed)
    evidence = unshown or evidence
    return watched._replace(evidence=evidence, unshown=evidence, calls=calls, showed=frozenset())


def _evidence_after(
    evidence: Evidence, before: Hand, moved: Moved, entry: Entry
) -> Evidence | None:
    """What is known after an entry; None if nothing can be proven any more."""
    now = moved.hand.round
    if isinstance(entry, WentOut | Held | HeldPips):
        return _evidence_after_the_end(evidence, before, moved, entry)
    if _miscounted(moved):
        return None
    match entry:
        case Laid():
            if entry.insisted:
                return None
            tile = entry.tile.bit if entry.tile else 0
            return evidence.laid(now.place_of(entry.seat), moved.hand.line, moved.ways, tile)
        case Drew():
            return evidence.drew(now.place_of(entry.seat), entry.number)
        case Returned():
            tile = entry.tile.bit if entry.tile else 0
            assert before.last is not None and isinstance(before.last.did, Drew), "it was drawn"
            seat, stay = now.place_of(entry.seat), before.last.did.number - 1
            return evidence.returned(seat, tile, stay, moved.hand.line, moved.kept)
    return evidence


def _miscounted(moved: Moved) -> bool:
    return any(notice.kind is RoundNotice.COUNT_DOUBTFUL for notice in moved.effect.notices)


def _evidence_after_the_end(
    evidence: Evidence, before: Hand, moved: Moved, entry: WentOut | Held | HeldPips
) -> Evidence | None:
    """What is known after an out or a shown holding, also of one with fewer tiles than were
    counted."""
    seat, counted = before.round.place_of(entry.seat), before.round.held[entry.seat]
    if isinstance(entry, WentOut):
        return evidence.short(seat, counted)
    if isinstance(entry, HeldPips):
        return evidence
    fewer, tiles = counted - len(entry.tiles), [tile.bit for tile in entry.tiles]
    if fewer < 0:
        return None
    return evidence.showed(seat, tiles, fewer, moved.hand.line, moved.kept)


def _at_this_moment(hand: Hand, evidence: Evidence) -> tuple[Hand, Evidence]:
    """The hand and its evidence with the moment of the last turn, a draw or pass. The moment of a
    draw is just before its last tile, which the seat did not hold yet."""
    turn = hand.last
    assert turn is not None, "a turn was just taken"
    drawn = isinstance(turn.did, Drew)
    if isinstance(turn.did, Drew) and turn.did.number == turn.returned:
        return hand._replace(last=replace(turn, moment=None)), evidence
    seat, known = hand.round.place_of(turn.seat), evidence.known
    moment = MomentOfPlay(seat, known.lays, known.places[seat] - drawn)
    hand = hand._replace(last=replace(turn, moment=moment))
    return hand, evidence.watch(moment, hand.line)


# ---------------------------------------------------------------- the board


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
        return RuleError("No hand is dealt yet: nobody can be called")
    if by == accused:
        return RuleError("{accused} can't call {accused}: who calls?", accused=accused)
    if named and by in state.side_of(accused):
        return RuleError("{by} can't call its own side", by=by)
    if watched.bogus is not None:
        return RuleError("{bogus}'s bogus play ended this hand: deal the next", bogus=watched.bogus)
    if (by, accused) in watched.calls:
        return RuleError(
            "{by} has already called {accused} in this hand: only once a hand",
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
