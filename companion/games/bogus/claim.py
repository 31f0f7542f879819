"""A call of bogus play: opened, judged by the record, closed by a ruling (high_five.py, 18 and 19).

A claim stands against one draw or pass of one hand. The record is asked first (verdict.py): it
closes the claim if the bogus play is excluded, or if it is proven and the holding is known. Else
the accused shows its tiles, which are evidence, or the table rules. While a claim is open nothing
else is entered. Once it is closed the hand goes on exactly where it was, or is over.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from companion.core.errors import RuleError
from companion.core.seats import Seat
from companion.core.words import AND, listed, ordinal, phrase
from companion.games.bogus.verdict import judge, newly_proven
from companion.games.bogus.watched_hand import (
    Claim,
    Grounds,
    Verdict,
    VerdictKind,
    WatchedHand,
    follow,
)
from companion.games.entry import Effect, Entry, Held, HeldPips, Notice, NoticeKind
from companion.games.game import RULES
from companion.games.line import hand as hands
from companion.games.line.hand import LineNotice, Turn
from companion.games.line.line import Laid
from companion.games.penalties import Called, Ruled
from companion.games.round import Holding, Stage


class BogusNotice(NoticeKind):
    """The kinds of notice about the bogus plays of a hand."""

    PROVEN = "bogus-proven"
    """`tiles` prove that `seat` was bogus on `turn`."""
    JUDGED_OTHERWISE = "judged-otherwise"
    """A ruling on `seat` and `turn` stands, though the `verdict` by today's rules is against it."""
    JUDGED_ANEW = "judged-anew"
    """What `seat` showed was wrong: its `turn`, which was ruled clear, has this `verdict` now."""
    NOTHING_PROVABLE = "nothing-provable"
    """The search for proofs has failed by a `fault` of the program: nothing can be proven in this
    `hand` any more."""


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


def refuse_while_open(claim: Claim, entry: Entry) -> None:
    """Raises RuleError for anything but the accused's holding and the ruling."""
    match entry:
        case Ruled(accused) | Held(accused) | HeldPips(accused) if accused == claim.accused:
            return
    raise RuleError(
        "{by} calls {accused} bogus: rule on that first", by=claim.by, accused=claim.accused
    )


def open_claim(watched: WatchedHand, called: Called, by: Seat) -> tuple[WatchedHand, Effect]:
    """The hand with the claim of the seat `by`, and the effect of the call. If the call names no
    turn, the claim is about the latest draw or pass of the accused or, if only scores are entered,
    about one that was not entered. Raises RuleError if the accused can't be called for that."""
    hand, accused = watched.hand, called.accused
    turn = _turn_called(watched, called)
    if turn is not None and watched.paid_for(turn):
        raise RuleError(
            "{accused}'s {which} go was ruled bogus already",
            accused=accused,
            which=ordinal(hand.go_of(turn)),
        )
    turn, verdict = _judged(watched, turn)
    claim = Claim(accused, by, None if turn is None else turn.number, verdict)
    watched = watched._replace(claim=claim, calls=watched.calls | {(by, accused)})
    number = hand.round.number
    if verdict.grounds is Grounds.FAULT and not watched.fault:
        fault = phrase("the verdict can't be found")
        notices = (Notice.of(BogusNotice.NOTHING_PROVABLE, hand=number, fault=fault),)
        return watched, Effect(hand=number, notices=notices)
    if verdict.grounds is not Grounds.CONTRADICTION:
        return watched, Effect(hand=number, about=claim.turn)
    text = phrase("no deal explains all that was entered of hand {hand}", hand=number)
    notice = Notice.of(LineNotice.CONTRADICTION, text=text)
    return watched, Effect(hand=number, notices=(notice,), about=claim.turn)


def _turn_called(watched: WatchedHand, called: Called) -> Turn | None:
    """The draw or pass that the call is about; None if it was not entered. Raises RuleError if the
    accused has no such turn."""
    hand, accused = watched.hand, called.accused
    if called.turn is None and hand.round.scores_only:
        return None
    if called.turn is None:
        latest = hand.latest_draw_or_pass(accused)
        if latest is None:
            raise RuleError(
                "{accused} has neither drawn nor passed here: enter that first", accused=accused
            )
        return latest
    if called.turn > hand.round.turn:
        raise RuleError(
            "There is no turn {called}: the hand has {turns}",
            called=called.turn,
            turns=hand.round.turn,
        )
    turn = hand.turn(called.turn)
    if turn.seat != accused or isinstance(turn.did, Laid):
        raise RuleError(
            "Turn {number} is “{did}”: {accused} neither drew nor passed there",
            number=turn.number,
            did=turn.did,
            accused=accused,
        )
    return turn


_AS_BAD = (VerdictKind.PROVEN, VerdictKind.POSSIBLE, VerdictKind.EXCLUDED)


def _judged(watched: WatchedHand, turn: Turn | None) -> tuple[Turn | None, Verdict]:
    """The verdict on the turn; if the tiles still held decide, on that pass of its seat that they
    speak most against, the turn itself if they speak alike against several."""
    verdict = judge(watched, turn)
    if not watched.still_held or turn is None:
        return turn, verdict
    passes = [each for each in watched.hand.draws_and_passes if each.seat == turn.seat]
    judged = [(turn, verdict), *((each, judge(watched, each)) for each in passes)]
    return min(judged, key=lambda one: _AS_BAD.index(one[1].kind))


def show(watched: WatchedHand, claim: Claim, shown: Held | HeldPips) -> tuple[WatchedHand, Effect]:
    """The hand after the accused shows what it holds, its claim judged again, and the effect of
    that."""
    before = watched.holding(shown.seat)
    moved = hands.show_in_a_call(watched.hand, shown, before, watched.rules)
    watched = follow(watched, moved, shown)
    watched = watched._replace(claim=replace(claim, shown=Holding.of(shown)))
    turn, verdict = _judged(watched, watched.turn(claim.turn))
    number = None if turn is None else turn.number
    claim = replace(claim, turn=number, shown=Holding.of(shown), verdict=verdict)
    return watched._replace(claim=claim), replace(moved.effect, about=claim.turn)


def outcome(watched: WatchedHand, *, holding_needed: bool) -> bool | None:
    """How the record closes the open claim: True for bogus, False for not bogus, None if it can't
    close it, or none is open."""
    claim = watched.claim
    if claim is None:
        return None
    if not claim.overruled:
        if claim.verdict.kind is VerdictKind.POSSIBLE:
            return None
        if claim.verdict.kind is VerdictKind.EXCLUDED:
            return False
    known = watched.holding(claim.accused) is not None
    return True if known or not holding_needed else None


def refuse_against(claim: Claim | None, ruled: Ruled, may_overrule: bool) -> Claim:
    """The claim that is ruled on. Raises RuleError for a ruling that the table can't give."""
    if claim is None:
        raise RuleError("Nobody has called {accused}: call first, then rule", accused=ruled.accused)
    if claim.verdict.kind == _against(ruled.bogus) and not may_overrule:
        raise RuleError(
            "The record has {verdict} it: the table can't rule otherwise",
            verdict=claim.verdict.kind,
        )
    return claim


def _against(bogus: bool) -> VerdictKind:
    """The verdict that contradicts such a ruling."""
    return VerdictKind.EXCLUDED if bogus else VerdictKind.PROVEN


def close(watched: WatchedHand, bogus: bool, by: RuledBy) -> tuple[WatchedHand, Ruling]:
    """The hand with its open claim closed, `by` the record or the table, and that ruling; the play
    of the hand stays as it is."""
    claim = watched.claim
    assert claim is not None, "called only while a claim is open"
    tiles = tuple(str(tile) for tile in claim.verdict.tiles)
    result = RulingResult.BOGUS if bogus else RulingResult.CLEAR
    ruling = Ruling(claim.accused, claim.turn, claim.verdict.kind, result, by, tiles)
    if claim.turn is None:
        return watched._replace(claim=None), ruling
    if bogus:
        ruled = (*watched.ruled_bogus, claim.turn)
        return watched._replace(claim=None, ruled_bogus=ruled), ruling
    cleared = (*watched.cleared, (claim.accused, claim.turn))
    return watched._replace(claim=None, cleared=cleared), ruling


def hand_over(
    watched: WatchedHand, accused: Seat, winner: Seat, holding: Holding | None
) -> WatchedHand:
    """The hand as ended by a ruling against the accused, which had that `holding`; `winner` leads
    next."""
    now = watched.hand.round
    now = now._replace(stage=Stage.OVER, winner=winner, shown=now.shown.put(accused, holding))
    hand = watched.hand._replace(round=now)
    return watched._replace(hand=hand, bogus=accused, paid=(), ruled_bogus=())


def judged_otherwise(watched: WatchedHand, ruling: Ruling) -> tuple[Notice, ...]:
    """The notice, if it is so, that by today's rules the record would be against the ruling, which
    stands all the same."""
    if watched.rules == RULES or ruling.turn is None:
        return ()
    against = _against(ruling.result is RulingResult.BOGUS)
    today = judge(watched._replace(rules=RULES), watched.hand.turn(ruling.turn))
    if today.kind != against or ruling.verdict == against:
        return ()
    fields = {"seat": ruling.seat, "turn": ruling.turn, "verdict": today.kind}
    return (Notice.of(BogusNotice.JUDGED_OTHERWISE, **fields),)


def announced(before: WatchedHand, watched: WatchedHand) -> tuple[Notice, ...]:
    """The notices about bogus plays that the last entry gives: of plays that it has made provable,
    and of earlier claims that it has judged anew. `before` is the hand before that entry."""
    if watched.fault and not before.fault:
        number = watched.hand.round.number
        return (Notice.of(BogusNotice.NOTHING_PROVABLE, hand=number, fault=watched.fault),)
    return (*_judged_anew(before, watched), *_proven_now(before, watched))


def _judged_anew(before: WatchedHand, watched: WatchedHand) -> tuple[Notice, ...]:
    """The notices that a shown holding has turned out to be wrong, and of the new verdicts on the
    turns of its seat that were ruled clear."""
    wrong = before.showed - watched.showed
    if not wrong:
        return ()
    seats = listed((seat for seat in watched.hand.round.seats if seat in wrong), last=AND)
    text = phrase(
        "what {seats} showed and what was laid and drawn can't both be right", seats=seats
    )
    return (
        Notice.of(LineNotice.CONTRADICTION, text=text),
        *(
            Notice.of(
                BogusNotice.JUDGED_ANEW,
                seat=seat,
                turn=turn,
                verdict=judge(watched, watched.hand.turn(turn)).kind,
            )
            for seat, turn in watched.cleared
            if seat in wrong
        ),
    )


def _proven_now(before: WatchedHand, watched: WatchedHand) -> tuple[Notice, ...]:
    return tuple(
        Notice.of(
            BogusNotice.PROVEN,
            seat=turn.seat,
            turn=turn.number,
            tiles=[str(tile) for tile in judge(watched, turn).tiles],
        )
        for turn in newly_proven(before, watched)
    )
