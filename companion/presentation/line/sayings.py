"""Sentences about a moment of a game with a line of play: its entries and why they paid, what is
asked, and a dispute with its evidence.

A holding that a seat shows in a claim is evidence; it is not shown to others while the hand may go
on. A verdict is shown only once somebody has called."""

from collections.abc import Iterable
from typing import Final

from companion.core.seats import Seat
from companion.core.values import Json
from companion.core.words import Sentence, ordinal, phrase
from companion.games.bogus.board import JudgedClaim, board_of, judged_claim, ruling_of
from companion.games.bogus.verdict import Ruling, RulingResult, VerdictKind
from companion.games.entry import (
    Drew,
    Entry,
    Held,
    HeldPips,
    Payment,
    PipsTogether,
    Redealt,
    TimeUp,
)
from companion.games.game import AnyState
from companion.games.line.game import LineGame, ends_counted
from companion.games.line.hand import BIG_6, Hand, Scored
from companion.games.line.line import Laid
from companion.games.penalties import (
    AGREED,
    COUNTED,
    Audited,
    Called,
    Corrected,
    CountCalled,
    Misdrew,
    Muggins,
    NotCalled,
    Returned,
    Ruled,
    WrongCount,
)
from companion.games.round import Stage
from companion.games.settlement import HandsEnd
from companion.games.tiles import Tile
from companion.presentation import moment_sayings
from companion.presentation.line.evidence import deed_of, done_in, evidence_of, goes_on, is_discreet
from companion.presentation.sayings import VOICE, said_as, say, words_of

REASONS: Final = {AGREED: phrase("agreed"), COUNTED: phrase("counted")}
"""Words for the reasons that the box writes into the record when chips are corrected."""


def is_hidden(entry: Entry, state: AnyState, now: AnyState | None = None) -> bool:
    """Whether the entry before `state` shows a holding that is kept back `now` (None: at `state`),
    because it was shown in a claim and the hand goes on."""
    if not isinstance(entry, Held | HeldPips):
        return False
    return goes_on(state.effect.hand, state if now is None else now)


def entry_said(entry: Entry, state: AnyState, now: AnyState | None = None) -> Json:
    """The sentence about the entry before `state`, with only what people may know `now` (None: at
    `state`)."""
    match entry:
        case Laid():
            return _lay_said(entry)
        case Scored():
            return say("entry.scores", seat=entry.seat, points=entry.points)
        case Redealt():
            return say("entry.dealt-again")
        case Drew(number=1):
            return say("entry.draws", seat=entry.seat)
        case Drew():
            return say("entry.draws-some", seat=entry.seat, number=entry.number)
        case Returned(tile=None):
            return say("entry.returns", seat=entry.seat)
        case Returned():
            return say("entry.returns-tile", seat=entry.seat, tile=entry.tile)
        case Misdrew():
            return say("entry.misdraws", seat=entry.seat)
        case CountCalled():
            return say("entry.calls-count", seat=entry.seat)
        case NotCalled():
            return say("entry.not-called", seat=entry.seat)
        case Muggins():
            return say("entry.muggins", seat=entry.seat)
        case WrongCount():
            return say("entry.wrong-count", seat=entry.seat)
        case TimeUp():
            return say("entry.time-up")
        case Held() | HeldPips() if is_hidden(entry, state, now):
            return say("entry.shows-hidden", seat=entry.seat)
        case Called(by=None):
            return say("entry.called", seat=entry.accused)
        case Called():
            return say("entry.calls", by=entry.by, seat=entry.accused)
        case Ruled():
            return say(f"entry.rules-{'bogus' if entry.bogus else 'clear'}", seat=entry.accused)
        case Corrected():
            reason = REASONS.get(entry.reason, entry.reason)
            more = {"points": f"{entry.points:+}", "reason": reason}
            return say("entry.corrects", seat=entry.stock_of, **more)
        case Audited():
            return say("entry.counts-chips", seat=entry.stock_of, points=entry.points)
    return moment_sayings.entry_said(entry)


def _lay_said(laid: Laid) -> Json:
    if laid.halves is not None:
        words = words_of("entry.lays", seat=laid.seat, tile=_read(laid.halves))
        return said_as(words, "entry.lays", seat=laid.seat, tile=_as_said(laid.halves))
    if laid.ends is not None:
        return say("entry.lays-ends", seat=laid.seat, ends=laid.ends)
    return say("entry.lays-count", seat=laid.seat, count=laid.count)


def _read(halves: tuple[int, int]) -> str:
    """The tile as people read it everywhere: its higher half first."""
    return _as_said((max(halves), min(halves)))


def _as_said(halves: tuple[int, int]) -> str:
    """The tile in the order in which it was entered, as programs get it."""
    return f"{halves[0]}-{halves[1]}"


def reason_said(entry: Entry, state: AnyState) -> Json | None:
    """Why the entry before `state` was worth its points: the count with its terms, or the pips at a
    hand's end; None if there is nothing to say."""
    effect, ends = state.effect, ends_counted(state)
    if ends is not None and ends.count is not None:
        terms, count = list(ends.parts), ends.count
        sum_ = "+".join(map(str, terms))
        halves = entry.halves if isinstance(entry, Laid) else None
        if len(terms) < 2:
            return say("reason.count-one", count=count)
        if halves is None:
            return said_as(f"{sum_} = {count}", "reason.count-plain", terms=terms, count=count)
        words = f"{_read(halves)}: {sum_} = {count}"
        return said_as(words, "reason.count", tile=_as_said(halves), terms=terms, count=count)
    ends_hand = [paid for paid in effect.payments if isinstance(paid.why, HandsEnd)]
    if isinstance(entry, Held | HeldPips | PipsTogether) and ends_hand:
        pips, points = pips_of(state, ends_hand[0]), effect.points
        return say("reason.pip" if pips == 1 else "reason.pips", pips=pips, points=points)
    return None


def pips_of(state: AnyState, payment: Payment) -> int:
    """The pips that a payment at a hand's end stands for."""
    hand: Hand = state.board.hand
    now = hand.round
    if "rounding" not in state.options:
        return abs(payment.points)
    side = state.side_of(payment.to)
    losers = [seat for seat in now.seats if seat not in side and payment.payer in (None, seat)]
    held = {seat: shown.pips for seat, shown in now.shown.items() if shown is not None}
    pips = sum(held.get(seat, 0) for seat in losers)
    if payment.why is HandsEnd.BLOCKED and state.options.get("block") == "difference":
        own = side if state.options["block-by"] == "side" else (payment.to,)
        pips -= sum(held.get(seat, 0) for seat in own)
    return pips


# ---------------------------------------------------------------- what is asked


def asked_of(game: object, state: AnyState) -> Json:
    """The sentence about what the record waits for."""
    board, hand = board_of(state), state.board.hand
    called_in = board.open_to_calls if board is not None else None
    if called_in is not None and (claim := called_in.claim) is not None:
        proven = claim.overruled or claim.verdict.kind is VerdictKind.PROVEN
        return say("asks.holding" if proven else "asks.claim", seat=claim.accused)
    if hand is None:
        return say("asks.deal-first")
    if hand.round.ended:
        needed: Iterable[Seat] = game.needed(state) if isinstance(game, LineGame) else ()
        return say("asks.show", seat=next(iter(needed), None))
    if hand.round.stage is Stage.OVER:
        lead = state.board.next_lead
        return say("asks.deal") if lead in (None, BIG_6) else say("asks.deal-lead", seat=lead)
    if hand.round.stage is Stage.LEAD:
        if hand.big_6:
            return say("asks.highest-double")
        lead = hand.round.to_move or hand.round.lead
        return say("asks.lead", seat=lead) if lead else say("asks.lead-any")
    if hand.round.scores_only:
        return say("asks.scores")
    return say("asks.turn", seat=state.to_move) if state.to_move else say("asks.tell")


# ---------------------------------------------------------------- a dispute


def tiles_shown_of(found: JudgedClaim, now: AnyState) -> tuple[Tile, ...]:
    """The tiles of a claim's verdict; none if they may not be shown `now`."""
    return () if is_discreet(found, now) else found.claim.verdict.tiles


def claim_json(state: AnyState) -> Json | None:
    """The claim that is open, or that the last entry closed, as JSON: who called whom for what, the
    verdict, and its evidence. None if there is no such claim."""
    found = judged_claim(state)
    if found is None:
        return None
    hand, claim, turn = found.hand, found.claim, found.turn
    verdict, by, seat = claim.verdict, claim.by, claim.accused
    tiles = list(tiles_shown_of(found, state))
    doing = deed_of(found)
    grounds = verdict.grounds.value if verdict.grounds else "open"
    evidence: dict[str, object] = {"seat": seat, "tiles": tiles, "turn": claim.turn}
    go = hand.go_of(turn) if turn is not None else None
    evidence |= {"go": go, "deed": doing}
    which = None if go is None else ordinal(go)
    charge = "claim" if turn is not None else "claim.turn-not-entered"
    parts = {"by": by, "seat": seat, "turn": claim.turn, "which": which, "doing": doing}
    charge_words = words_of(charge, **parts)
    if turn is not None:
        read = {"which": _which_turn(hand.go_of(turn)), "doing": done_in(hand, turn)}
        charge_words = words_of(charge, **(parts | read))
    return {
        "by": by,
        "accused": seat,
        "turn": claim.turn,
        "ends": None if turn is None or turn.before is None else list(turn.before),
        "open": ruling_of(state) is None,
        "charge": said_as(charge_words, charge, **parts),
        "verdict": say(f"verdict.{verdict.kind.value}"),
        "tiles": [str(tile) for tile in tiles],
        "evidence": said_as(evidence_of(found, state), f"evidence.{grounds}", **evidence),
        "shown": claim.shown is not None,
    }


def _which_turn(number: int) -> Sentence:
    """“first” to “tenth”, then “11th”."""
    key = f"voice.ordinal-{number}"
    return words_of(key) if key in VOICE else ordinal(number)


def ruling_json(ruling: Ruling, now: AnyState) -> Json:
    """How a claim was closed, as JSON. While the hand goes on, no tile is named."""
    clear = ruling.result is RulingResult.CLEAR
    playing = goes_on(now.effect.hand, now)
    said = say(f"ruling.{ruling.result.value}-{ruling.by.value}", seat=ruling.seat)
    return {
        "seat": ruling.seat,
        "turn": ruling.turn,
        "verdict": ruling.verdict.value,
        "result": ruling.result.value,
        "by": ruling.by.value,
        "tiles": [] if clear or playing else list(ruling.tiles),
        "said": said,
    }
