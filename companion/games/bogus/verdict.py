"""Bogus play settled by proof: what the entries say of a draw or pass.

A seat that draws or passes while it holds a playable tile makes a bogus play (RULES: High Five 18).
What a seat held nobody entered; but what it laid and showed later, the draws it made in between,
and where all other tiles are, often leave no choice. Over all deals that agree with what was
entered (evidence.py, consistent_deals.py) it is

* *proven*, if in every one the seat held a matching tile at that moment,
* *excluded*, if in none,
* *possible*, else; or where the ends are not known, tiles were miscounted, or the table insisted.

Pips and answers to the call for Big 6 are no evidence.
"""

from itertools import islice

from companion.games.bogus.aftermath import (
    Aftermath,
    aftermath_of,
    came_out,
    can_be_clear,
    has_any_deal,
    may_have_held,
    paths,
)
from companion.games.bogus.consistent_deals import Moment
from companion.games.bogus.evidence import Evidence
from companion.games.entries import Drew, Laid
from companion.games.game import VerdictKind
from companion.games.line.hand import Grounds, Hand, Turn, Verdict
from companion.games.line.line import TILE_SET

MOST_PATHS = 16
"""Tiles are named where a hand can have gone on in at most so many ways."""


def judge(hand: Hand, turn: Turn) -> Verdict:
    """The verdict on one draw or pass of the hand, by the rules that it is played by: where these
    have changed since, `hand.rules` says which count."""
    assert not isinstance(turn.did, Laid)
    found = _at_once(hand, turn)
    if found is PROVEN:
        return _proof(hand, turn)
    return _open(hand, turn) if found is None else found


def proven_turns(hand: Hand) -> list[Turn]:
    """The draws and passes whose bogus play is proven, without anybody's asking; first to last."""
    return [turn for turn in hand.turns if is_proven(hand, turn)]


def is_proven(hand: Hand, turn: Turn) -> bool:
    """Whether the verdict on that turn is `proven`; quicker than the verdict."""
    found = None if isinstance(turn.did, Laid) else _at_once(hand, turn)
    return found is not None and found.kind is VerdictKind.PROVEN


def newly_proven(before: Hand | None, hand: Hand) -> list[Turn]:
    """The turns whose bogus play the last entry has made provable, first to last; `before` is the
    hand as it was then."""
    last, evidence = hand.last, hand.evidence
    if last is None or evidence is None:
        return []
    if before is not None and before.evidence is not None and before.last is not None:
        known = before.evidence.proven
        if evidence.proven is known or evidence.proven.keys() == known.keys():
            new = before.last.number < last.number and is_proven(hand, last)
            return [last] if new else []
        told = {turn.number for turn in proven_turns(before)}
        return [turn for turn in proven_turns(hand) if turn.number not in told]
    return proven_turns(hand)


PROVEN = Verdict(VerdictKind.PROVEN)
"""Proven by the deals: by which tiles is still to be found."""


def _at_once(hand: Hand, turn: Turn) -> Verdict | None:
    """The verdict as far as it is known without a look at what may have been held."""
    evidence = hand.evidence
    if evidence is None or (hand.rules < 2 and any(evidence.known.blank)):
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.DOUBTFUL)
    if turn.noticed and (hand.rules >= 2 or isinstance(turn.did, Drew)):
        return Verdict(VerdictKind.PROVEN, grounds=Grounds.NOTICED)
    if turn.moment is None:
        return Verdict(VerdictKind.EXCLUDED, grounds=Grounds.RETURNED)
    if hand.rules < 2 and not evidence.histories:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    if not evidence.given_up and not evidence.any_deal:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.CONTRADICTION)
    if turn.moment in evidence.proven:
        return PROVEN
    unknown = evidence.given_up or evidence.watched[turn.moment].since.lost
    return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN) if unknown else None


def _evidence(hand: Hand, turn: Turn) -> tuple[Evidence, Moment]:
    assert hand.evidence is not None, "without it the verdict is known at once"
    assert turn.moment is not None, "a draw that went back alone is judged by that"
    return hand.evidence, turn.moment


def _open(hand: Hand, turn: Turn) -> Verdict:
    """The verdict where it is not proven."""
    evidence, moment = _evidence(hand, turn)
    tiles = may_have_held(aftermath_of(evidence, moment))
    if not tiles:
        return Verdict(
            VerdictKind.EXCLUDED, grounds=Grounds.RETURNED if turn.returned else Grounds.ELSEWHERE
        )
    known = evidence.known
    kept_back = known.blank[moment.seat] and not tiles & known.shown[moment.seat]
    return Verdict(
        VerdictKind.POSSIBLE,
        tuple(TILE_SET.tiles_in(tiles)),
        Grounds.FEWER if kept_back else Grounds.OPEN,
    )


def _proof(hand: Hand, turn: Turn) -> Verdict:
    """How it is proven, as of now; where that is too much to tell, as it was when it became so."""
    evidence, moment = _evidence(hand, turn)
    for known in (evidence, evidence.proven[moment]):
        if known.given_up:
            continue
        found = list(islice(paths(aftermath_of(known, moment)), MOST_PATHS + 1))
        proofs = [_proof_on(path) for path in found if has_any_deal(path)]
        if proofs and len(found) <= MOST_PATHS:
            tiles = {tile for mask, _ in proofs for tile in TILE_SET.tiles_in(mask)}
            grounds = proofs[0][1] if len(set(proofs)) == 1 else Grounds.WHICHEVER
            return Verdict(VerdictKind.PROVEN, tuple(sorted(tiles)), grounds)
    return Verdict(VerdictKind.PROVEN, grounds=Grounds.WHICHEVER)


def _proof_on(path: Aftermath) -> tuple[int, Grounds]:
    """The tiles that prove it, and how: one tile that can't have come later; several that can't
    all have; or, when nearly every tile is known, whichever tile it was."""
    later = came_out(path)
    for tile in later:
        if not can_be_clear(path, tile):
            return tile, Grounds.DEADLINE
    if later and not can_be_clear(path, sum(later)):
        return sum(later), Grounds.DRAWS
    return may_have_held(path), Grounds.EXHAUSTED
