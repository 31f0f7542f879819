"""Why a lay was refused, in words that a player understands, and the likeliest cause.

A wrong key is found quickest when the box says which one it may have been: an exposed double that
was keyed once, or an earlier lay that, had it been another, would explain what lies there now.
"""

from dataclasses import replace

from companion.core.errors import RuleError
from companion.core.words import OR, listed, ordinal, phrase
from companion.games.line.candidate_lines import (
    NOTHING_LAID,
    CandidateLines,
    Lay,
    any_lay,
    none_makes,
    refuse_unexplained,
)
from companion.games.line.hand import Hand, Turn
from companion.games.line.laid import Laid
from companion.games.line.line import Ends

SEARCHED = 4
BRANCHES = 100
"""An earlier lay is suspected only if at most SEARCHED lines led to it, and while at most BRANCHES
follow from it. After lays entered by count there are more: the search would take too long, and name
too much."""

GIVEN_UP = CandidateLines(possible=())


def explain_refusal(hand: Hand, laid: Laid, said: Lay) -> RuleError:
    """The refusal of a lay that no line explains."""
    if laid.tile is None:
        return _unexplained(hand, said)
    tile = laid.tile
    if hand.line.laid_for_sure & tile.bit:
        return _lies_already(hand, laid)
    if hand.line.ways(replace(said, arm=None, ends=None, count=None)):
        return _fits_otherwise(hand, said)
    if said.double:
        return RuleError("The highest double is led: {tile} is not a double", tile=tile)
    open_pips = hand.line.open_pips()
    if not open_pips:
        return RuleError("{tile} fits in no line that what was entered leaves possible", tile=tile)
    return RuleError(
        "{tile} doesn't fit: the open ends are {ends}",
        tile=tile,
        ends=", ".join(map(str, open_pips)),
    )


def _lies_already(hand: Hand, laid: Laid) -> RuleError:
    for turn in hand.turns:
        if isinstance(turn.did, Laid) and turn.did.tile == laid.tile:
            return RuleError(
                "{tile} is on the table already: {seat} laid it on the {which} go",
                tile=laid.tile,
                seat=turn.seat,
                which=ordinal(hand.go_of(turn)),
            )
    return RuleError("{tile} is on the table already", tile=laid.tile)


def _fits_otherwise(hand: Hand, said: Lay) -> RuleError:
    """The refusal of a tile that fits, but not with the arm, the ends or the count that were
    said."""
    ways = hand.line.ways(replace(said, ends=None, count=None))
    tile = said.tile
    if not ways:
        assert said.arm is not None
        return RuleError(
            "{tile} doesn't fit on the {arm}: it fits elsewhere", tile=tile, arm=said.arm.value
        )
    makes = sorted({(way.line.ends, way.line.open_count) for way in ways})[:3]
    right = listed((what_it_makes(hand, ends, count) for ends, count in makes), OR)
    return RuleError("{tile} makes {right}: look at the ends again", tile=tile, right=right)


def what_it_makes(hand: Hand, ends: Ends, count: int) -> str:
    """“5 5 0 = 10”: the open ends and their count; only the ends if players call the counts."""
    said = " ".join(map(str, ends))
    return said if hand.counts_called else f"{said} = {count}"


def _unexplained(hand: Hand, said: Lay) -> RuleError:
    doubles = [pips for pips in sorted(set(said.ends or ())) if _explained_twice(hand, said, pips)]
    if doubles:
        which = listed(doubles, phrase(" or the "))
        return RuleError("Is the {which} an open double? Key an open double twice", which=which)
    culprit = _culprit(hand, said) if said.ends is not None else None
    if culprit is None:
        return refuse_unexplained(said)
    what = str(culprit.did).removeprefix(f"{culprit.seat} ")
    return RuleError(
        "{wrong}. It would fit if {seat}'s {lay} ({which} go) was another lay",
        wrong=none_makes(said),
        seat=culprit.seat,
        lay=what,
        which=ordinal(hand.go_of(culprit)),
    )


def _explained_twice(hand: Hand, said: Lay, pips: int) -> bool:
    """Whether a tile makes these ends with one more end of `pips`."""
    twice = tuple(sorted((*(said.ends or ()), pips)))
    return bool(hand.line.ways(replace(said, ends=twice, count=None)))


def _culprit(hand: Hand, said: Lay) -> Turn | None:
    """The latest lay that, had it been another one, would explain this lay, with the later lays as
    they are; None if there is none."""
    lays = [turn for turn in hand.turns if isinstance(turn.did, Laid)]
    known, lines = NOTHING_LAID, []
    for turn in lays:
        lines.append(known)
        known = _relay(known, turn)
    for at in reversed(range(len(lays))):
        if len(lines[at].possible) > SEARCHED:
            continue
        line = any_lay(lines[at])
        for turn in lays[at + 1 :]:
            line = _relay(line, turn) if len(line.possible) <= BRANCHES else GIVEN_UP
        if line.ways(said):
            return lays[at]
    return None


def _relay(line: CandidateLines, turn: Turn) -> CandidateLines:
    """The line with a lay of this hand laid again."""
    did = turn.did
    assert isinstance(did, Laid)
    said = Lay(did.halves, did.arm, did.ends, did.count)
    return line.after(line.ways(said), said)
