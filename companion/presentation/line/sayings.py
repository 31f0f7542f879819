"""Sentences for games with a line of play: the entries, in full and for a small display; why points
were won; questions; disputes, and the evidence about a bogus play."""

from collections.abc import Iterable, Mapping
from typing import Final

from companion.core.seats import Seat, display_name
from companion.core.values import Json
from companion.core.words import AND, Sentence, listed, mark, ordinal, phrase
from companion.games.bogus.calls import (
    Grounds,
    JudgedClaim,
    Ruling,
    RulingResult,
    Verdict,
    VerdictKind,
    board_of,
    judged_claim,
    ruling_of,
)
from companion.games.entries import (
    AGREED,
    COUNTED,
    BogusCalled,
    CallRuled,
    ChipsAudited,
    ChipsCorrected,
    CountCalled,
    CountNotCalled,
    HandDealt,
    HandRedealt,
    HoldingShown,
    Misdraw,
    MugginsCalled,
    PipsShown,
    PointsScored,
    TileReturned,
    TilesDrawn,
    TimeUp,
    TotalPipsShown,
    TurnPassed,
    WrongTileCount,
)
from companion.games.game import AnyState, Entry, Payment, State
from companion.games.line.game import LineGame, ends_counted
from companion.games.line.hand import BIG_6, EndsCounted, Hand, LineBoard, LinePaymentReason, Turn
from companion.games.line.line import TilePlayed
from companion.games.round import Stage
from companion.games.settlement import HandEnding
from companion.games.tiles import Tile
from companion.presentation.sayings import (
    VOICE,
    common_entry_in_short,
    describe_common_entry,
    say,
    say_with_words,
    short,
    without_seat,
    words_of,
)

# ---------------------------------------------------------------- evidence


EVIDENCE: Final[Mapping[Grounds, str]] = {
    Grounds.DEADLINE: mark(
        "If the entries are right: {seat} held {tiles} when {when}: it has come out since, "
        "and was not drawn since."
    ),
    Grounds.DRAWS: mark(
        "If the entries are right: {seat} had {tiles} after {when}, with {draws} since: "
        "one of them was held then."
    ),
    Grounds.EXHAUSTED: mark(
        "If the entries are right: When {when}, {seat} held a tile that fits: there were "
        "too few others for that hand."
    ),
    Grounds.WHICHEVER: mark(
        "If the entries are right: When {when}, {seat} held a tile that fits, whichever "
        "tiles were laid."
    ),
    Grounds.NOTICED: mark(
        "If the entries are right: {seat} gave a tile back as drawn by mistake, and then {again}."
    ),
    Grounds.RETURNED: mark(
        "If the entries are right: The tile that {seat} drew went back in time: that is forgiven."
    ),
    Grounds.ELSEWHERE: mark(
        "If the entries are right: When {when}, {seat} can't have held a tile that fits: "
        "all of those were on the table, were shown, or came later."
    ),
    Grounds.DOUBTFUL: mark(
        "Tiles were miscounted in this hand, or the table insisted on a play: nothing can "
        "be proven."
    ),
    Grounds.UNTOLD: mark(
        "Only scores were entered then: nothing can be proven, so the table rules."
    ),
    Grounds.UNKNOWN: mark(
        "If the entries are right: The line was entered by count: what fitted then is not known."
    ),
    Grounds.FEWER: mark(
        "If the entries are right: {seat} showed fewer tiles than were counted: one "
        "that fits may be among the others."
    ),
    Grounds.CONTRADICTION: mark(
        "The entries of this hand contradict each other: no deal explains them all."
    ),
    Grounds.FAULT: mark(
        "The search for proofs has failed: nothing more can be proven about this hand."
    ),
    Grounds.OPEN: mark("If the entries are right: {seat} may have held {tiles} when {when}."),
    Grounds.STILL_HELD: mark(
        "If the entries are right: {seat} still holds {tiles}, which fitted when {when}."
    ),
    Grounds.NOT_HELD: mark(
        "If the entries are right: No tile that {seat} still holds fitted at any pass."
    ),
    Grounds.NOT_SHOWN: mark("The tiles that {seat} still holds decide it: show them."),
}
DISCREET: Final[Mapping[Grounds, str]] = {
    Grounds.OPEN: mark(
        "If the entries are right: {seat} may have held a tile that fits when {when}."
    ),
    Grounds.DEADLINE: mark("If the entries are right: {seat} held a tile that fits when {when}."),
    Grounds.DRAWS: mark("If the entries are right: {seat} held a tile that fits when {when}."),
}
"""Sentences without the names of tiles, for tiles that were shown only in a claim."""

DOUBTS: Final = (
    mark("A tile that would fit has not been laid, and the boneyard is empty"),
    mark("The tiles {seats} showed don't match what was laid and drawn"),
    mark("No deal fits all entries of hand {hand}"),
)
"""Contradictions that the rules report, worded for the beginning of a sentence."""


def _time_of_turn(hand: Hand, turn: Turn) -> str:
    """Returns when a draw or pass happened: “drawing on the 4th go”."""
    which = ordinal(hand.table_turn_number(turn))
    if isinstance(turn.did, TilesDrawn):
        return phrase("drawing on the {which} turn", which=which)
    return phrase("passing on the {which} turn", which=which)


def turn_in_words(hand: Hand, turn: Turn) -> str:
    """Returns the draw or pass with the open ends at the time: “draw on 3 6”. Further draws in the
    same turn are numbered: “2nd draw on 3 6”."""
    ends = " ".join(map(str, turn.before or ()))
    doing = _turn_kind(hand, turn)
    if ends:
        return phrase("{doing} on {ends}", doing=doing, ends=ends)
    return phrase("{doing}, ends unknown", doing=doing)


def past_turn_in_words(hand: Hand, turn: Turn) -> str:
    """Returns the draw or pass for reading aloud: “passed on a 6”, “drew again on 3 and 6”."""
    ends, done = sorted(set(turn.before or ())), _past_turn_kind(hand, turn)
    if not ends:
        return phrase("{doing}, ends unknown", doing=done)
    if len(ends) == 1:
        return phrase("{done} on a {end}", done=done, end=ends[0])
    return phrase("{done} on {ends}", done=done, ends=listed(map(str, ends), last=AND))


def _past_turn_kind(hand: Hand, turn: Turn) -> str:
    if not isinstance(turn.did, TilesDrawn):
        return phrase("passed")
    if turn.did.number > 1:
        return phrase("drew {number}", number=turn.did.number)
    return phrase("drew again") if _count_earlier_draws(hand, turn) else phrase("drew")


def _count_earlier_draws(hand: Hand, turn: Turn) -> int:
    """Returns how often the seat had already drawn in that turn."""
    before = 0
    for each in reversed(hand.turns[: turn.number - 1]):
        if each.seat != turn.seat or isinstance(each.did, TilePlayed):
            break
        before += 1
    return before


def _turn_kind(hand: Hand, turn: Turn) -> str:
    before = _count_earlier_draws(hand, turn)
    if not isinstance(turn.did, TilesDrawn):
        return phrase("pass")
    if turn.did.number > 1:
        return phrase("draw of {number}", number=turn.did.number)
    return phrase("{which} draw", which=ordinal(before + 1)) if before else phrase("draw")


def claim_in_words(found: JudgedClaim) -> str:
    """Returns a claim's accusation: “Blue's 4th go: draw on 3 6”, or “Blue's draw or pass” if that
    was not entered."""
    if found.turn is None:
        return phrase(
            "{seat}'s {deed}",
            seat=display_name(found.claim.accused),
            deed=claimed_turn_in_words(found),
        )
    return accusation(found.hand, found.turn)


def claimed_turn_in_words(found: JudgedClaim) -> str:
    """Returns the draw or pass that a claim is about: “draw on 3 6”, or “draw or pass” if it was
    not entered."""
    return phrase("draw or pass") if found.turn is None else turn_in_words(found.hand, found.turn)


def accusation(hand: Hand, turn: Turn) -> str:
    """Returns the accusation about this draw or pass: “Blue's 4th go: draw on 3 6”."""
    which, doing = ordinal(hand.table_turn_number(turn)), turn_in_words(hand, turn)
    return phrase(
        "{seat}'s {which} turn: {doing}", seat=display_name(turn.seat), which=which, doing=doing
    )


def hand_goes_on(hand_number: int, now: AnyState) -> bool:
    """Returns whether that hand is still being played."""
    hand: Hand | None = now.board.hand
    if hand is None or now.finished:
        return False
    return hand.round.number == hand_number and hand.round.playing


def withholds_tiles(found: JudgedClaim, now: AnyState) -> bool:
    """Returns whether a verdict's tiles are withheld because they may be known only from a holding
    shown in a claim. They are withheld while the hand goes on, until all of them are on the
    table."""
    watched, claim = found.watched, found.claim
    if not (watched.showed or claim.shown) or not hand_goes_on(watched.hand.round.number, now):
        return False
    laid = watched.hand.line.laid_for_sure
    return not all(tile.bit & laid for tile in claim.verdict.tiles)


def claim_evidence(found: JudgedClaim, now: AnyState) -> str:
    """Returns the evidence for a claim's verdict, leaving out tiles that are withheld `now`."""
    if found.turn is None:
        return phrase(EVIDENCE[Grounds.UNTOLD])
    return evidence_in_words(
        found.hand, found.turn, found.claim.verdict, discreet=withholds_tiles(found, now)
    )


def evidence_in_words(hand: Hand, turn: Turn, verdict: Verdict, *, discreet: bool = False) -> str:
    """Returns the evidence for a verdict, as one or two sentences. `discreet`: whether to name no
    tiles, because they were shown only for the claim."""
    grounds = verdict.grounds or Grounds.OPEN
    return phrase(
        DISCREET.get(grounds, EVIDENCE[grounds]) if discreet else EVIDENCE[grounds],
        seat=display_name(turn.seat),
        tiles=", ".join(map(str, verdict.tiles)),
        when=_time_of_turn(hand, turn),
        draws=_draws_since_in_words(hand, turn),
        again=phrase("drew again") if isinstance(turn.did, TilesDrawn) else phrase("passed"),
    )


def _draws_since_in_words(hand: Hand, turn: Turn) -> str:
    """Returns, in words, how many tiles the seat has drawn from the judged draw on, without tiles
    that were returned."""
    draws = sum(
        each.did.number - each.returned
        for each in hand.turns[turn.number - 1 :]
        if each.seat == turn.seat and isinstance(each.did, TilesDrawn)
    )
    if draws > 1:
        return phrase("{draws} draws", draws=draws)
    return phrase("one draw") if draws else phrase("no draw")


# ---------------------------------------------------------------- entries


REASONS: Final = {AGREED: phrase("agreed"), COUNTED: phrase("counted")}
"""Words for the reasons that the box records when chips are corrected."""


def is_hidden_holding(entry: Entry, state: AnyState, now: AnyState | None = None) -> bool:
    """Returns whether the entry before `state` shows a holding that is withheld `now` (None for
    `state`), because it was shown in a claim and the hand goes on."""
    if not isinstance(entry, HoldingShown | PipsShown):
        return False
    return hand_goes_on(state.effect.hand, state if now is None else now)


def describe_entry(entry: Entry, state: AnyState, now: AnyState | None = None) -> Json:
    """Returns an entry as a sentence. `state`: the state after the entry. `now`: the current state
    (None for `state`); what people may not know yet in it is left out."""
    match entry:
        case TilePlayed():
            return _describe_play(entry)
        case PointsScored():
            return say("entry.scores", seat=entry.seat, points=entry.points)
        case HandRedealt():
            return say("entry.dealt-again")
        case TilesDrawn(number=1):
            return say("entry.draws", seat=entry.seat)
        case TilesDrawn():
            return say("entry.draws-some", seat=entry.seat, number=entry.number)
        case TileReturned(tile=None):
            return say("entry.returns", seat=entry.seat)
        case TileReturned():
            return say("entry.returns-tile", seat=entry.seat, tile=entry.tile)
        case Misdraw():
            return say("entry.misdraws", seat=entry.seat)
        case CountCalled():
            return say("entry.calls-count", seat=entry.seat)
        case CountNotCalled():
            return say("entry.not-called", seat=entry.seat)
        case MugginsCalled():
            return say("entry.muggins", seat=entry.seat)
        case WrongTileCount():
            return say("entry.wrong-count", seat=entry.seat)
        case TimeUp():
            return say("entry.time-up")
        case HoldingShown() | PipsShown() if is_hidden_holding(entry, state, now):
            return say("entry.shows-hidden", seat=entry.seat)
        case BogusCalled(by=None):
            return say("entry.called", seat=entry.accused)
        case BogusCalled():
            return say("entry.calls", by=entry.by, seat=entry.accused)
        case CallRuled():
            return say(f"entry.rules-{'bogus' if entry.bogus else 'clear'}", seat=entry.accused)
        case ChipsCorrected():
            reason = REASONS.get(entry.reason, entry.reason)
            more = {"points": f"{entry.points:+}", "reason": reason}
            return say("entry.corrects", seat=entry.stock_of, **more)
        case ChipsAudited():
            return say("entry.counts-chips", seat=entry.stock_of, points=entry.points)
    return describe_common_entry(entry)


def _describe_play(laid: TilePlayed) -> Json:
    if laid.halves is not None:
        words = words_of("entry.lays", seat=laid.seat, tile=_tile_higher_first(laid.halves))
        return say_with_words(
            words, "entry.lays", seat=laid.seat, tile=_tile_as_entered(laid.halves)
        )
    if laid.ends is not None:
        return say("entry.lays-ends", seat=laid.seat, ends=laid.ends)
    return say("entry.lays-count", seat=laid.seat, count=laid.count)


def _tile_higher_first(halves: tuple[int, int]) -> str:
    """Returns the tile as people always see it, higher half first."""
    return _tile_as_entered((max(halves), min(halves)))


def _tile_as_entered(halves: tuple[int, int]) -> str:
    """Returns the tile as it was entered, which is what programs get."""
    return f"{halves[0]}-{halves[1]}"


def describe_reason(entry: Entry, state: AnyState) -> Json | None:
    """Returns the reason for the points of the entry before `state`: the count with its terms or,
    at a hand's end, the pips. Returns None if there is none."""
    effect, ends = state.effect, ends_counted(state)
    if ends is not None and ends.count is not None:
        terms, count = list(ends.parts), ends.count
        sum_ = "+".join(map(str, terms))
        halves = entry.halves if isinstance(entry, TilePlayed) else None
        if len(terms) < 2:
            return say("reason.count-one", count=count)
        if halves is None:
            return say_with_words(
                f"{sum_} = {count}", "reason.count-plain", terms=terms, count=count
            )
        words = f"{_tile_higher_first(halves)}: {sum_} = {count}"
        return say_with_words(
            words, "reason.count", tile=_tile_as_entered(halves), terms=terms, count=count
        )
    ends_hand = [paid for paid in effect.payments if isinstance(paid.why, HandEnding)]
    if isinstance(entry, HoldingShown | PipsShown | TotalPipsShown) and ends_hand:
        pips, points = settled_pips(state, ends_hand[0]), effect.points
        return say("reason.pip" if pips == 1 else "reason.pips", pips=pips, points=points)
    return None


def settled_pips(state: AnyState, payment: Payment) -> int:
    """Returns the pips that are paid for at a hand's end."""
    hand: Hand = state.board.hand
    now = hand.round
    if "rounding" not in state.options:
        return abs(payment.points)
    side = state.side_of(payment.to)
    losers = [seat for seat in now.seats if seat not in side and payment.payer in (None, seat)]
    held = {seat: shown.pips for seat, shown in now.shown.items() if shown is not None}
    pips = sum(held.get(seat, 0) for seat in losers)
    if payment.why is HandEnding.BLOCKED and state.options.get("block") == "difference":
        own = side if state.options["block-by"] == "side" else (payment.to,)
        pips -= sum(held.get(seat, 0) for seat in own)
    return pips


# ---------------------------------------------------------------- what is asked


def waits_for(game: object, state: AnyState) -> Json:
    """Returns the sentence about the entry that the record waits for."""
    board, hand = board_of(state), state.board.hand
    called_in = board.open_to_calls if board is not None else None
    if called_in is not None and (claim := called_in.claim) is not None:
        proven = claim.overruled or claim.verdict.kind is VerdictKind.PROVEN
        return say("asks.holding" if proven else "asks.claim", seat=claim.accused)
    if hand is None:
        return say("asks.deal-first")
    if hand.round.ended:
        needed: Iterable[Seat] = game.seats_to_show(state) if isinstance(game, LineGame) else ()
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


def visible_tiles(found: JudgedClaim, now: AnyState) -> tuple[Tile, ...]:
    """Returns the tiles of a claim's verdict; none if they are withheld `now`."""
    return () if withholds_tiles(found, now) else found.claim.verdict.tiles


def claim_json(state: AnyState) -> Json | None:
    """Returns the claim that is open or that the last entry closed: who called whom, about which
    turn, the verdict, and its evidence. None without such a claim."""
    found = judged_claim(state)
    if found is None:
        return None
    hand, claim, turn = found.hand, found.claim, found.turn
    verdict, by, seat = claim.verdict, claim.by, claim.accused
    tiles = list(visible_tiles(found, state))
    doing = claimed_turn_in_words(found)
    grounds = verdict.grounds.value if verdict.grounds else "open"
    evidence: dict[str, object] = {"seat": seat, "tiles": tiles, "turn": claim.turn}
    go = hand.table_turn_number(turn) if turn is not None else None
    evidence |= {"go": go, "deed": doing}
    which = None if go is None else ordinal(go)
    charge = "claim" if turn is not None else "claim.turn-not-entered"
    parts = {"by": by, "seat": seat, "turn": claim.turn, "which": which, "doing": doing}
    charge_words = words_of(charge, **parts)
    if turn is not None:
        read = {
            "which": _ordinal(hand.table_turn_number(turn)),
            "doing": past_turn_in_words(hand, turn),
        }
        charge_words = words_of(charge, **(parts | read))
    return {
        "by": by,
        "accused": seat,
        "turn": claim.turn,
        "ends": None if turn is None or turn.before is None else list(turn.before),
        "open": ruling_of(state) is None,
        "charge": say_with_words(charge_words, charge, **parts),
        "verdict": say(f"verdict.{verdict.kind.value}"),
        "tiles": [str(tile) for tile in tiles],
        "evidence": say_with_words(claim_evidence(found, state), f"evidence.{grounds}", **evidence),
        "shown": claim.shown is not None,
    }


def _ordinal(number: int) -> Sentence:
    """Returns “first” to “tenth”, then “11th”."""
    key = f"voice.ordinal-{number}"
    return words_of(key) if key in VOICE else ordinal(number)


def ruling_json(ruling: Ruling, now: AnyState) -> Json:
    """Returns how a claim was closed. While the hand goes on, no tile is named."""
    clear = ruling.result is RulingResult.CLEAR
    playing = hand_goes_on(now.effect.hand, now)
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


# ---------------------------------------------------------------- short words


FACE_DOWN = "●●"
"""Stands for a tile, or for pips, that only some players have seen."""


def entry_in_short(entry: Entry, state: State[LineBoard]) -> str:
    """Returns an entry for a small display; `state` is the one after it. Tiles that were shown in a
    call stay hidden while the hand goes on."""
    match entry:
        case BogusCalled(by=None):
            return short("called", seat=entry.accused)
        case BogusCalled():
            return short("calls", by=entry.by, seat=entry.accused)
        case CallRuled():
            return short("bogus" if entry.bogus else "clear", seat=entry.accused)
        case TileReturned(tile=None):
            return short("returned", seat=entry.seat)
        case TileReturned():
            return short("returned-tile", seat=entry.seat, tile=entry.tile)
        case HandDealt():
            return short("dealt")
        case TilesDrawn(number=1):
            return short("draws", seat=entry.seat)
        case TilesDrawn():
            return short("draws-some", seat=entry.seat, number=entry.number)
        case TurnPassed():
            return short("passes", seat=entry.seat)
        case Misdraw():
            paid = state.effect.payments[-1]
            return short("misdraws", seat=entry.seat, to=paid.to, points=paid.points)
        case CountCalled():
            return short("count-called", seat=entry.seat)
        case CountNotCalled():
            return short("not-called", seat=entry.seat)
        case MugginsCalled():
            return short("muggins", seat=entry.seat)
        case WrongTileCount():
            return short("wrong-count", seat=entry.seat)
        case TimeUp():
            return short("time-up")
        case HoldingShown(tiles=()) if is_hidden_holding(entry, state):
            return short("showed-nothing", seat=entry.seat)
        case HoldingShown() if is_hidden_holding(entry, state):
            return short("showed", seat=entry.seat, tiles=" ".join([FACE_DOWN] * len(entry.tiles)))
        case PipsShown() if is_hidden_holding(entry, state):
            return short("showed-pips", seat=entry.seat, pips=FACE_DOWN)
        case TotalPipsShown():
            return short("pips-together", pips=entry.pips)
    return common_entry_in_short(entry)


def reason_in_short(entry: Entry, state: State[LineBoard], payment: Payment) -> str:
    """Returns the reason for a payment: “6-3: 12+3 = 15”, “out: 12 → 10”."""
    counted = ends_counted(state)
    if isinstance(entry, TilePlayed) and counted and payment.why is LinePaymentReason.COUNT:
        return _with_capped_points(_count_in_short(entry, counted), payment)
    owed = payment.owed or payment.points
    if isinstance(entry, HoldingShown | PipsShown | TotalPipsShown) and isinstance(
        payment.why, HandEnding
    ):
        pips = settled_pips(state, payment)
        return _with_capped_points(
            short("for-pips", why=payment.why, pips=pips, points=owed), payment
        )
    return _with_capped_points(short("for", why=payment.why, points=owed), payment)


def _with_capped_points(reason: str, payment: Payment) -> str:
    """Returns the reason, with the points actually paid added if the payer had too few."""
    if not payment.owed:
        return reason
    return short("count-capped", reason=reason, points=payment.points)


def _count_in_short(laid: TilePlayed, ends: EndsCounted) -> str:
    terms = "+".join(map(str, ends.parts)) if len(ends.parts) > 1 else ""
    sum_ = short("count-terms" if terms else "count-one", terms=terms, count=ends.count)
    if laid.tile is None:
        return sum_
    tile = f"{laid.halves[0]}-{laid.halves[1]}" if laid.halves else without_seat(laid)
    return short("count", tile=tile, sum=sum_)
