"""Calls of bogus play: the hand in which they are made, the open claim, the rulings, and who may
call whom.

Each move of a watched hand may reveal which seat got which tile when (evidence.py). The verdict on
a draw or pass follows from that (verdict.py). call_rules.py has the rules for making and settling
calls."""

import traceback
from enum import StrEnum
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.seats import BySeat, Seat, places_to_payer
from companion.core.values import dataclass, quick_to_replace
from companion.games.bogus.plain_hand import HandEvidence, plain_hand
from companion.games.chips import Chips
from companion.games.entries import (
    HoldingShown,
    PipsShown,
    TileReturned,
    TilesDrawn,
    TurnPassed,
    WentOut,
)
from companion.games.game import AnyState, Entry, Payment, State
from companion.games.line.hand import BIG_6, Hand, MoveResult, Turn
from companion.games.line.line import TilePlayed
from companion.games.round import NOTHING, Holding, RoundNotice, Stage
from companion.games.tiles import Tile


class VerdictKind(StrEnum):
    """What the record proves about a claim of bogus play."""

    PROVEN = "proven"
    POSSIBLE = "possible"
    EXCLUDED = "excluded"


class Grounds(StrEnum):
    """The reason for a verdict."""

    DEADLINE = "deadline"
    """Proven: a tile that the seat played or showed later can't have been drawn since."""
    DRAWS = "draws"
    """Proven: several tiles that the seat played or showed later can't all have been drawn
    since."""
    EXHAUSTED = "exhausted"
    """Proven: there are too few tiles that don't fit."""
    WHICHEVER = "whichever"
    """Proven, but which tiles prove it depends on how the hand was played."""
    NOTICED = "noticed"
    """Proven: the seat had given back a tile, drawn by mistake, earlier in the same turn."""
    RETURNED = "returned"
    """Excluded: the drawn tile went back."""
    ELSEWHERE = "elsewhere"
    """Excluded: all tiles that fitted were elsewhere."""
    OPEN = "open"
    """Possible: the seat may have held one of the tiles."""
    FEWER = "fewer"
    """Possible: the seat showed fewer tiles than were counted."""
    DOUBTFUL = "doubtful"
    """Possible: tiles were miscounted, or the table insisted."""
    UNTOLD = "untold"
    """Possible: only scores were entered from that turn on."""
    UNKNOWN = "unknown"
    """Possible: it is not known which tiles fitted."""
    CONTRADICTION = "contradiction"
    """Possible: no deal explains the entries."""
    FAULT = "fault"
    """Possible: the search for proofs has failed."""
    STILL_HELD = "still-held"
    """Proven: a tile that the seat still holds would have fitted."""
    NOT_HELD = "not-held"
    """Excluded: no tile that the seat still holds would have fitted at any of its passes."""
    NOT_SHOWN = "not-shown"
    """Possible: the seat's tiles would decide, but it has not shown them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of the record on a draw or pass, and the reason.

    `tiles`: the tiles that prove it, or that would decide it if they were shown. `grounds`: the
    reason, for the sentences that explain it (presentation/line/sayings.py).
    """

    kind: VerdictKind
    tiles: tuple[Tile, ...] = ()
    grounds: Grounds | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """An open claim of bogus play against `accused` for turn `turn` of the hand, with the record's
    verdict on it. `turn` is None for a turn that was not entered, as in a hand for which only
    scores are entered."""

    accused: Seat
    by: Seat
    turn: int | None
    verdict: Verdict
    shown: Holding | None = None
    off_table: int | None = None
    """The pips of all tiles that are not on the table, if they were counted for this claim."""
    overruled: bool = False
    """Whether the table has ruled it bogus against the record; only the holding still has to be
    shown."""


class RulingResult(StrEnum):
    """Whether a claim was right."""

    BOGUS = "bogus"
    CLEAR = "clear"


class RuledBy(StrEnum):
    """Whose ruling closed a claim."""

    RECORD = "record"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling that closed a claim of bogus play. `turn` is the number of the turn in the hand,
    None if the turn was not entered."""

    seat: Seat
    turn: int | None
    verdict: VerdictKind
    result: RulingResult
    by: RuledBy
    tiles: tuple[str, ...] = ()


@quick_to_replace
class WatchedHand(NamedTuple):
    """A hand in which bogus plays can be called, with its evidence, claims and rulings."""

    hand: Hand
    rules: int
    """The version of the rules for judging its disputes."""
    evidence: HandEvidence | None
    """What can be proven; None once tiles were miscounted or the table has insisted, as nothing can
    be proven then."""
    unshown: HandEvidence | None
    """The evidence without the holdings shown in calls during the hand, in case they prove wrong.
    None if those holdings have excluded possible lines, so that nothing is known without them."""
    claim: Claim | None = None
    """The open claim, which waits for its ruling."""
    calls: frozenset[tuple[Seat, Seat]] = frozenset()
    """(caller, accused) for every claim in the hand. If the holding that an accused seat showed
    proves wrong, the claims against it are removed here, so that the callers may call again."""
    cleared: tuple[tuple[Seat, int], ...] = ()
    """(accused, turn) for every claim about an entered turn that was ruled clear."""
    showed: frozenset[Seat] = frozenset()
    """The seats that have shown their holdings during the hand, except those whose holdings proved
    wrong."""
    fault: str = ""
    """Why the search for proofs failed; empty if it didn't."""
    bogus: Seat | None = None
    """The seat whose bogus play ended the hand."""
    paid: tuple[Payment, ...] = ()
    """The payments for the end of the hand, which a bogus ruling replaces."""
    ruled_bogus: tuple[int, ...] = ()
    """The turns that were ruled bogus without ending the hand."""
    still_held: bool = False
    """Whether a bogus play counts only if the seat still holds a tile that fitted at the hand's
    end."""

    def turn(self, number: int | None) -> Turn | None:
        """The turn with that number; None if `number` is None."""
        return None if number is None else self.hand.turn(number)

    def was_ruled_bogus(self, turn: Turn) -> bool:
        """Whether that turn was ruled bogus without ending the hand."""
        return turn.number in self.ruled_bogus

    def holding(self, seat: Seat) -> Holding | None:
        """The seat's holding as shown in the claim or at the hand's end; None if it is not
        known."""
        claim = self.claim
        if claim is not None and claim.shown is not None and seat == claim.accused:
            return claim.shown
        now = self.hand.round
        return NOTHING if now.out == seat else now.shown[seat]


# ---------------------------------------------------------------- what a move shows


# Made once: `A | B` makes a new type at each entry.
_WITHOUT_PLAY = (TilesDrawn, TileReturned, TurnPassed)
_AT_THE_END = (WentOut, HoldingShown, PipsShown)


def watch(hand: Hand, each: int, rules: int) -> WatchedHand:
    """A hand that was just dealt, with `each` tiles for every seat."""
    evidence = plain_hand(len(hand.round.seats), each)
    return WatchedHand(hand, rules, evidence, evidence)


def follow(watched: WatchedHand, moved: MoveResult, entry: Entry) -> WatchedHand:
    """The hand after a move, with the evidence that the move adds. If the search for proofs fails,
    the move counts all the same, but nothing can be proven any more."""
    if watched.evidence is None:
        return WatchedHand(moved.hand, watched.rules, None, None, *watched[4:])
    if moved.hand.round.scores_only and not _is_count_doubtful(moved):
        return watched._replace(hand=moved.hand)
    try:
        return _with_move(watched, watched.evidence, moved, entry)
    except Exception as fault:
        failed = WatchedHand(moved.hand, watched.rules, None, None, *watched[4:])
        return failed._replace(fault=describe_fault(fault))


def describe_fault(fault: Exception) -> str:
    """The error and its place in the program, in one line."""
    at = traceback.extract_tb(fault.__traceback__)[-1]
    return f"{fault!r} in {at.name}, line {at.lineno}"


def _with_move(
    watched: WatchedHand, evidence: HandEvidence, moved: MoveResult, entry: Entry
) -> WatchedHand:
    hand, after = _hand_and_evidence_after(evidence, watched.hand, moved, entry)
    unshown = after
    if isinstance(entry, HoldingShown) and watched.hand.round.playing:
        watched = watched._replace(showed=watched.showed | {entry.seat})
        all_kept = len(moved.kept) == len(watched.hand.line.possible)
        unshown = watched.unshown if all_kept else None
    elif watched.showed:
        unshown = (
            watched.unshown
            and _hand_and_evidence_after(watched.unshown, watched.hand, moved, entry)[1]
        )
    # Made for every entry: `_replace` would take three times as long.
    followed = WatchedHand(hand, watched.rules, after, unshown, *watched[4:])
    judged_anew = watched.showed and watched.rules >= 2
    return _drop_contradicted_holdings(followed, entry) if judged_anew else followed


def _hand_and_evidence_after(
    evidence: HandEvidence, before: Hand, moved: MoveResult, entry: Entry
) -> tuple[Hand, HandEvidence | None]:
    """The hand and its evidence after an entry."""
    after = _evidence_after(evidence, before, moved, entry)
    if after is not None and isinstance(entry, _WITHOUT_PLAY):
        return _watch_last_turn(moved.hand, after)
    return moved.hand, after


def _drop_contradicted_holdings(watched: WatchedHand, entry: Entry) -> WatchedHand:
    """The hand without the evidence of shown holdings, if they contradict the move: no deal
    explains both. The seats that showed them may then be called again. Unchanged if no deal
    explains the move even without the holdings."""
    evidence, unshown = watched.evidence, watched.unshown
    moved = isinstance(entry, (TilePlayed, *_WITHOUT_PLAY))
    if evidence is None or not moved or evidence.given_up or evidence.any_deal:
        return watched
    if unshown is not None and not unshown.given_up and not unshown.any_deal:
        return watched
    calls = frozenset(call for call in watched.calls if call[1] not in watched.showed)
    evidence = unshown or evidence
    return watched._replace(evidence=evidence, unshown=evidence, calls=calls, showed=frozenset())


def _evidence_after(
    evidence: HandEvidence, before: Hand, moved: MoveResult, entry: Entry
) -> HandEvidence | None:
    """The evidence after an entry; None if nothing can be proven any more."""
    now = moved.hand.round
    if isinstance(entry, _AT_THE_END):
        return _evidence_after_the_end(evidence, before, moved, entry)
    if _is_count_doubtful(moved):
        return None
    match entry:
        case TilePlayed():
            if entry.insisted:
                return None
            tile = entry.tile.bit if entry.tile else 0
            return evidence.after_play(now.place_of(entry.seat), moved.hand.line, moved.ways, tile)
        case TilesDrawn():
            return evidence.after_draw(now.place_of(entry.seat), entry.number)
        case TileReturned():
            tile = entry.tile.bit if entry.tile else 0
            assert before.last is not None and isinstance(before.last.did, TilesDrawn), (
                "it was drawn"
            )
            seat, stay = now.place_of(entry.seat), before.last.did.number - 1
            return evidence.after_return(seat, tile, stay, moved.hand.line, moved.kept)
    return evidence


def _is_count_doubtful(moved: MoveResult) -> bool:
    notices = moved.effect.notices
    return bool(notices) and any(one.kind is RoundNotice.COUNT_DOUBTFUL for one in notices)


def _evidence_after_the_end(
    evidence: HandEvidence,
    before: Hand,
    moved: MoveResult,
    entry: WentOut | HoldingShown | PipsShown,
) -> HandEvidence | None:
    """The evidence after a seat went out or showed its holding, even one with fewer tiles than were
    counted."""
    seat, counted = before.round.place_of(entry.seat), before.round.held[entry.seat]
    if isinstance(entry, WentOut):
        return evidence.with_fewer_tiles(seat, counted)
    if isinstance(entry, PipsShown):
        return evidence
    fewer, tiles = counted - len(entry.tiles), [tile.bit for tile in entry.tiles]
    if fewer < 0:
        return None
    return evidence.after_showing(seat, tiles, fewer, moved.hand.line, moved.kept)


def _watch_last_turn(hand: Hand, evidence: HandEvidence) -> tuple[Hand, HandEvidence]:
    """Makes the evidence watch the hand's last turn, a draw or pass; returns hand and evidence. A
    draw is judged just before its last tile, which the seat did not hold yet."""
    turn = hand.last
    assert turn is not None, "a turn was just taken"
    drawn = isinstance(turn.did, TilesDrawn)
    if isinstance(turn.did, TilesDrawn) and turn.did.number == turn.returned:
        return hand._replace(last=turn.at(None)), evidence
    moment = evidence.moment_of(hand.round.place_of(turn.seat), drawn)
    hand = hand._replace(last=turn.at(moment))
    return hand, evidence.watch(moment, hand.line)


# ---------------------------------------------------------------- the board


NEVER_THE_PARTNER = 3
"""The first version of the rules in which a call that names no caller is never attributed to the
accused's partner. Before, the caller was the seat that the accused would pay in a game with
chips."""


@quick_to_replace
class CallsBoard(NamedTuple):
    """The hand being played, and the previous one as long as a bogus play in it can be called; the
    chips; and the last entry's effects on calls."""

    chips: Chips | None = None
    """The chips; None if points are written down."""
    watched: WatchedHand | None = None
    """The hand being played or, between hands, the last one."""
    before: WatchedHand | None = None
    next_lead: str | None = BIG_6
    """The leader of the next hand: a seat, or BIG_6. None while a hand is being played."""
    misdraw_payers: frozenset[Seat] = frozenset()
    """Seats that have paid for a misdraw in this hand."""
    ruling: Ruling | None = None
    """The ruling by which the last entry closed a claim."""
    disputed: State["CallsBoard"] | None = None
    """The state in which the claim is still open, if the record closed one with the last entry;
    otherwise None."""
    charged: BySeat[int] | None = None
    """The points subtracted from each seat as penalties; None if payments are made in chips."""

    @property
    def hand(self) -> Hand | None:
        """The hand being played or, between hands, the last one."""
        return self.watched.hand if self.watched is not None else None

    @property
    def open_to_calls(self) -> WatchedHand | None:
        """The hand in which bogus plays can be called: the previous hand until the first tile of
        the present one is played, then the present one (high_five.py, rule 18)."""
        return self.before if self.before is not None else self.watched

    @property
    def caller(self) -> Seat | None:
        """The caller of the open claim, or of the claim that the record closed with the last entry;
        None if there is neither."""
        called = self.open_to_calls
        if called is not None and called.claim is not None:
            return called.claim.by
        return self.disputed.board.caller if self.disputed is not None else None

    def with_watched(self, watched: WatchedHand) -> "CallsBoard":
        """The board with that hand in play, and without the last entry's effects. The previous
        hand is kept until the first tile of this one is played."""
        before = self.before if watched.hand.round.stage is Stage.LEAD else None
        charged = self.charged
        return CallsBoard(
            self.chips, watched, before, self.next_lead, self.misdraw_payers, charged=charged
        )

    def with_called(self, watched: WatchedHand) -> "CallsBoard":
        """The board with the hand `open_to_calls` replaced."""
        if self.before is None:
            return self._replace(watched=watched, disputed=None)
        return self._replace(before=watched, disputed=None)

    def with_hand(self, hand: Hand) -> "CallsBoard":
        assert self.watched is not None, "a hand was dealt"
        return self.with_watched(self.watched._replace(hand=hand))

    def cleared(self) -> "CallsBoard":
        """The board without the last entry's effects on calls."""
        return self._replace(ruling=None, disputed=None)

    def with_next_lead(self, lead: str | None) -> "CallsBoard":
        return self._replace(next_lead=lead)

    def after_loss(self, hand: Hand) -> "CallsBoard":
        """The board after entries were lost: nothing can be proven in either hand."""
        assert self.watched is not None, "a hand was dealt"
        watched = self.watched._replace(hand=hand, evidence=None)
        before = self.before._replace(evidence=None) if self.before is not None else None
        return self._replace(watched=watched, before=before, disputed=None)


CallsState = State[CallsBoard]


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim, with the hand at the time when it was judged."""

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
    """The board of a game in which bogus plays can be called; None in other games."""
    board = state.board
    return board if isinstance(board, CallsBoard) else None


def chips_of(state: AnyState) -> Chips | None:
    """The chips of a game that is played for chips; None in other games."""
    board = board_of(state)
    return board.chips if board is not None else None


def ruling_of(state: AnyState) -> Ruling | None:
    """The ruling by which the last entry closed a claim; None if it closed none."""
    board = board_of(state)
    return board.ruling if board is not None else None


def hand_in_question(state: AnyState) -> Hand | None:
    """The hand of which a holding is shown now: that of the open claim, or else the one being
    played. Only for games with a line of play."""
    board = board_of(state)
    called = board.open_to_calls if board is not None else None
    hand: Hand | None = called.hand if called is not None else state.board.hand
    return hand


def judged_claim(state: AnyState) -> JudgedClaim | None:
    """The open claim, or the one that the record closed with the last entry; None if there is
    none."""
    board = board_of(state)
    called = board.open_to_calls if board else None
    if called is not None and called.claim is not None:
        return JudgedClaim(called, called.claim)
    if board is None or board.ruling is None or board.disputed is None:
        return None
    return judged_claim(board.disputed)


def verdict_of(state: AnyState) -> VerdictKind | None:
    """The record's verdict on the open claim, or on the one that the last entry closed; None if
    there is none."""
    judged, ruling = judged_claim(state), ruling_of(state)
    if judged is not None:
        return judged.claim.verdict.kind
    return ruling.verdict if ruling is not None else None


# ---------------------------------------------------------------- who may call whom


def may_call(state: AnyState, accused: Seat) -> tuple[Seat, ...]:
    """The seats that may still call the accused, in the hand that is open to calls; the
    `usual_caller` first. () if there is none."""
    usual = usual_caller(state, accused)
    seats = sorted(state.seats, key=lambda seat: seat != usual)
    return tuple(seat for seat in seats if why_not_call(state, accused, seat) is None)


def turns_to_call(state: AnyState, by: Seat | None = None) -> tuple[Turn, ...]:
    """The draws and passes that the seat `by` (None for any seat) may call, the latest first,
    without those already ruled bogus."""
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
    """Returns why the seat `by` may not call the accused; None if it may. A seat can't call its own
    side, call in a hand that a bogus play has ended, or call the same seat twice in a hand.
    `named`: whether the call names its caller; if not, the caller may be the accused's partner, as
    in games begun under older rules."""
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
    """Returns the caller of a call that names none: the seat that the accused pays or, where points
    are written down, the next seat of another side."""
    chips = chips_of(state)
    if chips is not None:
        return chips.payee_of(accused)
    if state.rules < NEVER_THE_PARTNER:
        return state.seats.moved(accused, places_to_payer(len(state.seats)))
    later = (state.seats.moved(accused, places) for places in range(1, len(state.seats)))
    return next(seat for seat in later if seat not in state.side_of(accused))
