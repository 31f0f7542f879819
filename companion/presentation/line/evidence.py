"""The evidence for or against a bogus play, in sentences that people at the table accept.

Each sentence starts from what was entered; only the players know whether that is right.
"""

from collections.abc import Mapping
from typing import Final

from companion.core.seats import shown
from companion.core.words import AND, listed, mark, ordinal, phrase
from companion.games.bogus.board import JudgedClaim
from companion.games.bogus.verdict import Grounds, Verdict
from companion.games.entry import Drew
from companion.games.game import AnyState
from companion.games.line.hand import Hand, Turn
from companion.games.line.line import Laid

EVIDENCE: Final[Mapping[Grounds, str]] = {
    Grounds.DEADLINE: mark(
        "If the entries are right: {seat} held {tiles} when {when}: it has come out "
        "since, and no draw can have brought it."
    ),
    Grounds.DRAWS: mark(
        "If the entries are right: {seat} had {tiles} after {when}, with {draws} since: "
        "one of them was held then."
    ),
    Grounds.EXHAUSTED: mark(
        "If the entries are right: When {when}, {seat} held a tile that fits: too "
        "few others are left for that hand."
    ),
    Grounds.WHICHEVER: mark(
        "If the entries are right: When {when}, {seat} held a tile that fits, "
        "whichever lays the entries stand for."
    ),
    Grounds.NOTICED: mark(
        "If the entries are right: {seat} gave a tile back as drawn by mistake, and then {again}."
    ),
    Grounds.RETURNED: mark(
        "If the entries are right: The tile that {seat} drew went back in time: that is forgiven."
    ),
    Grounds.ELSEWHERE: mark(
        "If the entries are right: When {when}, {seat} can't have held a tile that "
        "fits: all of those lay there, were shown, or came later."
    ),
    Grounds.DOUBTFUL: mark(
        "Tiles were miscounted in this hand, or the table insisted on a lay: nothing can be proven."
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
"""The sentences that don't name tiles, for tiles that were shown only in a claim."""

DOUBTS: Final = (
    mark("A tile that would fit has not been laid, and the boneyard is empty"),
    mark("What {seats} showed and what was laid and drawn can't both be right"),
    mark("No deal explains all that was entered of hand {hand}"),
)
"""Contradictions that the rules report, in the form that begins a sentence."""


def _moment(hand: Hand, turn: Turn) -> str:
    """The moment of a draw or pass: “drawing on the 4th go”."""
    which = ordinal(hand.go_of(turn))
    if isinstance(turn.did, Drew):
        return phrase("drawing on the {which} go", which=which)
    return phrase("passing on the {which} go", which=which)


def deed(hand: Hand, turn: Turn) -> str:
    """The draw or pass, with the open ends at that moment: “draw on 3 6”. Further draws of the same
    go are numbered: “2nd draw on 3 6”."""
    ends = " ".join(map(str, turn.before or ()))
    doing = _doing(hand, turn)
    if ends:
        return phrase("{doing} on {ends}", doing=doing, ends=ends)
    return phrase("{doing}, ends unknown", doing=doing)


def done_in(hand: Hand, turn: Turn) -> str:
    """The draw or pass, as it is read out: “passed on a 6”, “drew again on 3 and 6”."""
    ends, done = sorted(set(turn.before or ())), _done(hand, turn)
    if not ends:
        return phrase("{doing}, ends unknown", doing=done)
    if len(ends) == 1:
        return phrase("{done} on a {end}", done=done, end=ends[0])
    return phrase("{done} on {ends}", done=done, ends=listed(map(str, ends), last=AND))


def _done(hand: Hand, turn: Turn) -> str:
    if not isinstance(turn.did, Drew):
        return phrase("passed")
    if turn.did.number > 1:
        return phrase("drew {number}", number=turn.did.number)
    return phrase("drew again") if _draws_before(hand, turn) else phrase("drew")


def _draws_before(hand: Hand, turn: Turn) -> int:
    """How often the seat drew before in the same turn."""
    before = 0
    for each in reversed(hand.turns[: turn.number - 1]):
        if each.seat != turn.seat or isinstance(each.did, Laid):
            break
        before += 1
    return before


def _doing(hand: Hand, turn: Turn) -> str:
    before = _draws_before(hand, turn)
    if not isinstance(turn.did, Drew):
        return phrase("pass")
    if turn.did.number > 1:
        return phrase("draw of {number}", number=turn.did.number)
    return phrase("{which} draw", which=ordinal(before + 1)) if before else phrase("draw")


def charge_of(found: JudgedClaim) -> str:
    """The charge of a claim: “Blue's 4th go: draw on 3 6”, or “Blue's draw or pass” if that was not
    entered."""
    if found.turn is None:
        return phrase("{seat}'s {deed}", seat=shown(found.claim.accused), deed=deed_of(found))
    return charge(found.hand, found.turn)


def deed_of(found: JudgedClaim) -> str:
    """The draw or pass that a claim is about: “draw on 3 6”, or “draw or pass” if it was not
    entered."""
    return phrase("draw or pass") if found.turn is None else deed(found.hand, found.turn)


def charge(hand: Hand, turn: Turn) -> str:
    """The charge for this draw or pass: “Blue's 4th go: draw on 3 6”."""
    which, doing = ordinal(hand.go_of(turn)), deed(hand, turn)
    return phrase("{seat}'s {which} go: {doing}", seat=shown(turn.seat), which=which, doing=doing)


def goes_on(hand_number: int, now: AnyState) -> bool:
    """Whether that hand is still being played."""
    hand: Hand | None = now.board.hand
    if hand is None or now.finished:
        return False
    return hand.round.number == hand_number and hand.round.playing


def is_discreet(found: JudgedClaim, now: AnyState) -> bool:
    """Whether the tiles of a verdict are kept back: the hand goes on, and they may be known only
    from a holding shown in a claim. Tiles that are all on the table are never kept back."""
    watched, claim = found.watched, found.claim
    if not (watched.showed or claim.shown) or not goes_on(watched.hand.round.number, now):
        return False
    laid = watched.hand.line.laid_for_sure
    return not all(tile.bit & laid for tile in claim.verdict.tiles)


def evidence_of(found: JudgedClaim, now: AnyState) -> str:
    """The evidence for a claim's verdict, without tiles that are kept back `now`."""
    if found.turn is None:
        return phrase(EVIDENCE[Grounds.UNTOLD])
    return explain(found.hand, found.turn, found.claim.verdict, discreet=is_discreet(found, now))


def explain(hand: Hand, turn: Turn, verdict: Verdict, *, discreet: bool = False) -> str:
    """The evidence for a verdict, as one or two sentences. `discreet`: no tiles are named, because
    they were shown only for the claim."""
    grounds = verdict.grounds or Grounds.OPEN
    return phrase(
        DISCREET.get(grounds, EVIDENCE[grounds]) if discreet else EVIDENCE[grounds],
        seat=shown(turn.seat),
        tiles=", ".join(map(str, verdict.tiles)),
        when=_moment(hand, turn),
        draws=_draws_since(hand, turn),
        again=phrase("drew again") if isinstance(turn.did, Drew) else phrase("passed"),
    )


def _draws_since(hand: Hand, turn: Turn) -> str:
    """The number of tiles that the seat has drawn since the judged draw, this one included, less
    those that went back; in words."""
    draws = sum(
        each.did.number - each.returned
        for each in hand.turns[turn.number - 1 :]
        if each.seat == turn.seat and isinstance(each.did, Drew)
    )
    if draws > 1:
        return phrase("{draws} draws", draws=draws)
    return phrase("one draw") if draws else phrase("no draw")
