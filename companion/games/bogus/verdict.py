"""Bogus play settled by proof: what the entries say of a draw or pass.

A seat that draws or passes while it holds a playable tile makes a bogus play (high_five.py, 18).
Nobody enters what a seat holds; but what it lays and shows later, its draws in between, and where
all other tiles are, often leave no choice. Of all deals that agree with what was entered
(evidence.py, consistent_deals.py), look at the tiles that the seat held at that moment. The bogus
play is

* *proven*, if the seat held a matching tile in every deal,
* *excluded*, if it held one in no deal,
* *possible* otherwise, and if the ends are not known, tiles were miscounted, or the table insisted.

Pips and answers to the call for Big 6 are no evidence.
"""

from itertools import islice

from companion.games.bogus.aftermath import (
    FILLING,
    Aftermath,
    aftermath_of,
    came_out,
    can_be_clear,
    has_any_deal,
    may_have_held,
    paths,
)
from companion.games.bogus.evidence import Evidence
from companion.games.bogus.watched_hand import Grounds, Verdict, VerdictKind, WatchedHand
from companion.games.entries import Drew
from companion.games.line.hand import MomentOfPlay, Turn
from companion.games.line.laid import Laid
from companion.games.line.line import TILE_SET

MOST_PATHS = 16
"""A proof names tiles only if the hand can have gone on in at most so many ways."""

MOST_PROOF_STEPS = 12_000
"""A proof names tiles only if they are found by following up at most so many cases: more would take
too long at the table. What is proven stays so without them."""


def judge(watched: WatchedHand, turn: Turn | None) -> Verdict:
    """The verdict on one draw or pass of the hand (None: on one that was not entered), by the
    version of the rules in `watched.rules`. If the search for it fails by a fault of the program,
    the verdict is `POSSIBLE`, so that nobody is held up."""
    if turn is None:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNTOLD)
    assert not isinstance(turn.did, Laid)
    try:
        return _judged(watched, turn)
    except Exception:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.FAULT)


def _judged(watched: WatchedHand, turn: Turn) -> Verdict:
    known = _without_looking_at_deals(watched, turn)
    if known is not None:
        return known
    if _proven_by_deals(watched, turn):
        return _proof(watched, turn)
    return _not_proven(watched, turn)


def is_proven(watched: WatchedHand, turn: Turn) -> bool:
    """Whether the verdict on that turn is `PROVEN`; quicker than the verdict."""
    if isinstance(turn.did, Laid):
        return False
    try:
        known = _without_looking_at_deals(watched, turn)
        return known.kind is VerdictKind.PROVEN if known else _proven_by_deals(watched, turn)
    except Exception:
        return False


def proven_turns(watched: WatchedHand) -> list[Turn]:
    """The draws and passes that are proven bogus, called or not; first to last."""
    return [turn for turn in watched.hand.turns if is_proven(watched, turn)]


def newly_proven(before: WatchedHand | None, watched: WatchedHand) -> list[Turn]:
    """The turns whose bogus play the last entry has made provable, first to last. `before` is the
    hand before that entry; None: all that are proven are new."""
    last, evidence = watched.hand.last, watched.evidence
    if last is None or evidence is None:
        return []
    if before is None or before.evidence is None or before.hand.last is None:
        return proven_turns(watched)
    if evidence.proven.keys() == before.evidence.proven.keys():
        new = before.hand.last.number < last.number and is_proven(watched, last)
        return [last] if new else []
    announced = {turn.number for turn in proven_turns(before)}
    return [turn for turn in proven_turns(watched) if turn.number not in announced]


def _without_looking_at_deals(watched: WatchedHand, turn: Turn) -> Verdict | None:
    """The verdict, if no deal need be looked at for it; else None."""
    evidence = watched.evidence
    if watched.fault:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.FAULT)
    if evidence is None or (watched.rules < 2 and any(evidence.known.blank)):
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.DOUBTFUL)
    known = watched.hand.round.turns_before_scores
    if known is not None and turn.number > known:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNTOLD)
    if turn.noticed and (watched.rules >= 2 or isinstance(turn.did, Drew)):
        return Verdict(VerdictKind.PROVEN, grounds=Grounds.NOTICED)
    if turn.moment is None:
        return Verdict(VerdictKind.EXCLUDED, grounds=Grounds.RETURNED)
    if watched.rules < 2 and not evidence.histories:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    if not evidence.given_up and not evidence.any_deal:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.CONTRADICTION)
    return None


def _proven_by_deals(watched: WatchedHand, turn: Turn) -> bool:
    """Whether no deal is left in which that turn was no bogus play."""
    evidence, moment = _evidence(watched, turn)
    return moment in evidence.proven


def _evidence(watched: WatchedHand, turn: Turn) -> tuple[Evidence, MomentOfPlay]:
    assert watched.evidence is not None, "without it the verdict is known at once"
    assert turn.moment is not None, "a draw that went back alone is judged by that"
    return watched.evidence, turn.moment


def _not_proven(watched: WatchedHand, turn: Turn) -> Verdict:
    """The verdict if the deals don't prove a bogus play."""
    evidence, moment = _evidence(watched, turn)
    if evidence.given_up or evidence.watched[moment].since.lost:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    tiles = may_have_held(aftermath_of(evidence, moment))
    if tiles is None:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    if not tiles:
        grounds = Grounds.RETURNED if turn.returned else Grounds.ELSEWHERE
        return Verdict(VerdictKind.EXCLUDED, grounds=grounds)
    known = evidence.known
    kept_back = known.blank[moment.seat] and not tiles & known.shown[moment.seat]
    grounds = Grounds.FEWER if kept_back else Grounds.OPEN
    return Verdict(VerdictKind.POSSIBLE, tuple(TILE_SET.tiles_in(tiles)), grounds)


def _proof(watched: WatchedHand, turn: Turn) -> Verdict:
    """How the bogus play is proven by what is known now or, if that is too much to say, by what was
    known when it was first proven."""
    evidence, moment = _evidence(watched, turn)
    left = MOST_PROOF_STEPS
    for known in (evidence, evidence.proven[moment]):
        if known.given_up:
            continue
        found = list(islice(paths(aftermath_of(known, moment)), MOST_PATHS + 1))
        left -= sum(map(_steps_of_proof, found))
        if len(found) > MOST_PATHS or left < 0:
            continue
        if proofs := [_proof_on(path) for path in found if has_any_deal(path)]:
            tiles = {tile for mask, _ in proofs for tile in TILE_SET.tiles_in(mask)}
            grounds = proofs[0][1] if len(set(proofs)) == 1 else Grounds.WHICHEVER
            return Verdict(VerdictKind.PROVEN, tuple(sorted(tiles)), grounds)
    return Verdict(VerdictKind.PROVEN, grounds=Grounds.WHICHEVER)


def _steps_of_proof(path: Aftermath) -> int:
    """How many cases are followed up at most to find the tiles that prove a bogus play on a path:
    its cases never become more."""
    checks = 2 + len(came_out(path))
    return checks * sum(map(len, path.deals)) * (len(path.steps) + FILLING)


def _proof_on(path: Aftermath) -> tuple[int, Grounds]:
    """The tiles that prove the bogus play, and how: one tile that can't have come later; several
    that can't all have; or, when nearly every tile is known, whichever tile it was."""
    later = came_out(path)
    for tile in later:
        if not can_be_clear(path, tile):
            return tile, Grounds.DEADLINE
    if later and not can_be_clear(path, sum(later)):
        return sum(later), Grounds.DRAWS
    return may_have_held(path) or 0, Grounds.EXHAUSTED
