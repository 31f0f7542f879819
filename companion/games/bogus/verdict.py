"""The verdict on a draw or pass: whether it was a bogus play.

A seat that draws or passes while it holds a playable tile makes a bogus play (high_five.py, 18).
What a seat holds is not entered; but what it lays and shows later, its draws in between, and where
all other tiles are, often leave only one possibility. The verdict depends on the tiles that the
seat held at that moment in the deals that agree with the entries (evidence.py). The bogus play is

* *proven*, if the seat held a matching tile in every deal,
* *excluded*, if it held one in no deal,
* *possible* otherwise, and also if the ends are not known, tiles were miscounted, or the table
  insisted.

Pips and answers to the call for Big 6 are no evidence."""

from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from operator import or_
from typing import NamedTuple

from companion.games.bogus.calls import (
    Grounds,
    Verdict,
    VerdictKind,
    WatchedHand,
    board_of,
    turns_to_call,
)
from companion.games.bogus.evidence import (
    FITTED_BITS,
    NO_MOMENT,
    CasesOfLines,
    DealStep,
    Evidence,
    KnownFacts,
    PlayStep,
    ReturnStep,
    ShowingStep,
    can_be_filled,
    earliest_place,
    has_deal,
    with_place_taken,
)
from companion.games.entries import TilesDrawn
from companion.games.game import AnyState
from companion.games.line.hand import MomentOfPlay, Turn
from companion.games.line.line import TILE_SET, TilePlayed
from companion.games.tiles import mask_of

# ---------------------------------------------------------------- aftermath
# How a hand went on after a draw or pass, and the tiles that the seat may have held then.


CHOSEN = -1


class Aftermath(NamedTuple):
    """The facts that came to light after a moment of play. For each line that was possible then,
    `fits` has the tiles that fitted, and `deals` the cases of taken places. `since`: the facts
    known then; `now`: those known now."""

    moment: MomentOfPlay
    fits: tuple[int, ...]
    deals: CasesOfLines
    since: KnownFacts
    steps: tuple[tuple[KnownFacts, DealStep], ...]
    """Each step, with the facts known before it."""
    now: KnownFacts
    shown: tuple[int, ...]
    """All tiles that the seat has shown in the hand, in the order in which it showed them."""

    @property
    def shown_before(self) -> tuple[int, ...]:
        """For each line possible at the moment, the tiles that the seat had shown but not
        played."""
        shown = self.since.shown[self.moment.seat]
        return tuple(shown & ~laid for laid in self.since.laid)


def aftermath_of(evidence: Evidence, moment: MomentOfPlay) -> Aftermath:
    """The facts that came to light since that moment."""
    since, steps, shown = evidence.watched[moment].since, [], list[int]()
    for after in evidence.history:
        assert after.before is not None and after.step is not None, "so is history made"
        if after.depth > since.depth:
            steps.append((after.before.known, after.step))
        if isinstance(after.step, ShowingStep) and after.step.seat == moment.seat:
            shown += after.step.tiles
    fits = evidence.watched[moment].fits
    return Aftermath(
        moment, fits, since.deals, since.known, tuple(steps), evidence.known, tuple(shown)
    )


def single_paths(aftermath: Aftermath) -> Iterator[Aftermath]:
    """Each way in which the hand may have gone on, as an aftermath whose steps have one line and
    one tile each."""
    for at in range(len(aftermath.now.laid)):
        laid = (aftermath.now.laid[at],)
        for line, steps in _lines_leading_to(aftermath, at):
            yield aftermath._replace(
                fits=(aftermath.fits[line],),
                deals=(aftermath.deals[line],),
                since=aftermath.since._replace(laid=(aftermath.since.laid[line],)),
                steps=steps,
                now=aftermath.now._replace(laid=laid),
            )


KnownSteps = tuple[tuple[KnownFacts, DealStep], ...]


def _lines_leading_to(aftermath: Aftermath, at: int) -> Iterator[tuple[int, KnownSteps]]:
    """The lines at the moment that lead to the present line `at`, each with the steps between."""
    found: list[tuple[int, KnownSteps]] = [(at, ())]
    while found:
        line, steps = found.pop()
        if len(steps) == len(aftermath.steps):
            yield line, steps
            continue
        known, step = aftermath.steps[-1 - len(steps)]
        if not isinstance(step, PlayStep):
            before = step.kept[line]
            then = known._replace(laid=(known.laid[before],))
            found.append((before, ((then, step._replace(kept=(0,))), *steps)))
            continue
        for before, tile in reversed(step.origins[line]):
            then = known._replace(laid=(known.laid[before],))
            single = PlayStep(step.seat, (((0, tile),),))
            found.append((before, ((then, single), *steps)))


def can_be_clear(aftermath: Aftermath, fits: int) -> bool:
    """Whether the seat may have held none of the tiles `fits` (a mask) at the moment."""
    table: CasesOfLines = tuple(
        () if held & fits else tuple(case | fits for case in cases)
        for held, cases in zip(aftermath.shown_before, aftermath.deals, strict=True)
    )
    for known, step in aftermath.steps:
        table = step.apply(known, {aftermath.moment: table})[aftermath.moment]
    return has_deal(aftermath.now, aftermath.moment, table)


def has_any_deal(aftermath: Aftermath) -> bool:
    """Whether any deal agrees with the facts."""
    table = aftermath.deals
    for known, step in aftermath.steps:
        table = step.apply(known, {NO_MOMENT: table})[NO_MOMENT]
    return has_deal(aftermath.now, NO_MOMENT, table)


def revealed_tiles(aftermath: Aftermath) -> list[int]:
    """Returns, for a single path, the seat's tiles that fitted at the moment and came to light
    later: first the tiles that it showed, then those that it played, in order of time."""
    tiles = list(aftermath.shown)
    for _, step in aftermath.steps:
        if isinstance(step, PlayStep) and step.seat == aftermath.moment.seat:
            tiles.append(step.origins[0][0][1])
    later = aftermath.fits[0] & ~aftermath.since.laid[0]
    return [tile for tile in dict.fromkeys(tiles) if tile & later]


# ---------------------------------------------------------------- what may have been held

HeldCase = tuple[int, int, int]
"""A case in which the seat held a tile that fitted: the tiles that fitted; the taken places,
including the held tile's; and the first place in which that tile can be, or CHOSEN once it has come
to light."""

HeldCases = dict[HeldCase, int]
"""For each case, the tiles (a mask) that may be the held one."""


MAX_STEPS = 12_000
"""The maximum number of cases examined for one answer, so that players don't wait too long. (6,500
answers about random hands entered by count took at most 8,400, in 11 ms.)"""

FILLING = 4
"""The number of steps counted for one check that all places can be filled."""


def may_have_held(aftermath: Aftermath) -> int | None:
    """The fitting tiles (a mask) that the seat held in at least one deal; None if finding out takes
    more than MAX_STEPS."""
    lines = [_cases_at_moment(aftermath, at) for at in range(len(aftermath.fits))]
    left = MAX_STEPS
    for known, step in aftermath.steps:
        left -= _count_cases(step, lines)
        if left < 0:
            return None
        lines = _cases_after_step(known, aftermath.moment.seat, step, lines)
    held = 0
    for laid, holdings in zip(aftermath.now.laid, lines, strict=True):
        for tiles, steps in _find_held_tiles(aftermath, laid, holdings, held):
            held, left = held | tiles, left - steps
            if left < 0:
                return None
    return held


def _cases_at_moment(aftermath: Aftermath, at: int) -> HeldCases:
    """Returns the cases of the line numbered `at`, at the time of the draw or pass in question
    (`aftermath.moment`). The tile that the seat may have held takes one of its places of that time,
    unless the seat had already shown it."""
    seat, places = aftermath.moment.seat, aftermath.moment.places
    fits, shown = aftermath.fits[at], aftermath.shown_before[at] & aftermath.fits[at]
    firsts = {0} | {back[seat] for back in aftermath.since.back.values() if back[seat] < places}
    found: HeldCases = {}
    for case in aftermath.deals[at]:
        taken = case >> FITTED_BITS
        if shown:
            found[fits, taken, CHOSEN] = shown
        for first in firsts:
            kept = with_place_taken(taken, seat, first, places)
            if kept is not None:
                found[fits, kept, first] = 0
    return found


def _count_cases(step: DealStep, lines: list[HeldCases]) -> int:
    """Returns how many cases the next step examines: each case of a line counts once for each line
    that follows from it, and once more for each tile shown."""
    if isinstance(step, PlayStep):
        return sum(len(lines[before]) for origins in step.origins for before, _ in origins)
    each = 1 + len(step.tiles) if isinstance(step, ShowingStep) else 1
    return each * sum(len(lines[at]) for at in step.kept)


def _cases_after_step(
    known: KnownFacts, seat: int, step: DealStep, lines: list[HeldCases]
) -> list[HeldCases]:
    """The cases of each line after the next step."""
    if isinstance(step, ReturnStep):
        gone = step.tile & known.seen
        return [{} if gone else lines[at] for at in step.kept]
    others = known.seen & ~known.shown[step.seat]
    if isinstance(step, ShowingStep):
        new = step.new(known)
        if any(tile & others for tile in new):
            return [{} for _ in step.kept]
        return [_cases_after_tiles(known, seat, step.seat, new, lines[at]) for at in step.kept]
    own = known.shown[step.seat]
    after = []
    for origins in step.origins:
        merged: HeldCases = defaultdict(int)
        for before, tile in origins:
            known_already = tile & own if tile else own & ~known.laid[before]
            holdings = {} if tile & others else lines[before]
            if not known_already:
                holdings = _cases_after_tiles(known, seat, step.seat, (tile,), holdings)
            for held, tiles in holdings.items():
                merged[held] |= tiles
        after.append(dict(merged))
    return after


def _cases_after_tiles(
    known: KnownFacts, seat: int, whose: int, tiles: tuple[int, ...], holdings: HeldCases
) -> HeldCases:
    """The cases after these tiles of the seat `whose` came to light. Each takes a place of its own,
    except the held tile, which already has one."""
    found: HeldCases = defaultdict(int)
    for (fits, taken, first), which in holdings.items():
        put = _place_all(known, whose, tiles, taken)
        if put is not None:
            found[fits, put, first] |= which
        if first == CHOSEN or whose != seat:
            continue
        for tile in tiles:
            others = tuple(each for each in tiles if each != tile)
            fitting = tile & fits if tile else fits
            put = _place_all(known, whose, others, taken)
            if fitting and put is not None and earliest_place(known, whose, tile) == first:
                found[fits, put, CHOSEN] |= fitting
    return dict(found)


def _place_all(known: KnownFacts, seat: int, tiles: tuple[int, ...], taken: int) -> int | None:
    """The places taken after placing these tiles, or None if one doesn't fit."""
    now: int | None = taken
    for tile in tiles:
        if now is not None:
            now = with_place_taken(now, seat, earliest_place(known, seat, tile), known.places[seat])
    return now


def _find_held_tiles(
    aftermath: Aftermath, laid: int, holdings: HeldCases, tiles: int
) -> Iterator[tuple[int, int]]:
    """Checks for one tile after another whether the seat can have held it in a complete deal. After
    each check it yields the mask of the tiles found so far, and the number of steps that the check
    took. `tiles`: the mask of those found before. Tiles that have not come to light are checked as
    well."""
    now, seat = aftermath.now, aftermath.moment.seat
    for (fits, taken, first), which in holdings.items():
        if first == CHOSEN:
            if which & ~tiles and can_be_filled(now, NO_MOMENT, laid, taken << FITTED_BITS):
                tiles |= which
            yield tiles, FILLING
            continue
        unknown = fits & ~laid & ~now.seen & ~tiles
        for tile in (each.bit for each in TILE_SET.tiles_in(unknown)):
            if earliest_place(now, seat, tile) != first:
                continue
            without = now._replace(back={each: at for each, at in now.back.items() if each != tile})
            if can_be_filled(without, NO_MOMENT, laid, taken << FITTED_BITS):
                tiles |= tile
            yield tiles, FILLING


# ---------------------------------------------------------------- verdict

MAX_PATHS = 16
"""A proof names tiles only if the hand can have gone on in at most this many ways."""

MAX_PROOF_STEPS = 12_000
"""A proof names tiles only if finding them takes examining at most this many cases, so that it
doesn't take too long at the table. A proof is valid without named tiles."""


def judge(watched: WatchedHand, turn: Turn | None) -> Verdict:
    """The verdict on a draw or pass of the hand (None for one that was not entered), by the version
    of the rules in `watched.rules`. If a program fault stops the search, the verdict is `POSSIBLE`,
    so that the game can go on."""
    if turn is None:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNTOLD)
    assert not isinstance(turn.did, TilePlayed)
    try:
        judged = _judge_by_tiles_held if watched.still_held else _judge_by_deals
        return judged(watched, turn)
    except Exception:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.FAULT)


def _judge_by_deals(watched: WatchedHand, turn: Turn) -> Verdict:
    known = _judge_without_deals(watched, turn)
    if known is not None:
        return known
    if _is_proven_by_deals(watched, turn):
        return _find_proof(watched, turn)
    return _judge_unproven(watched, turn)


def _judge_by_tiles_held(watched: WatchedHand, turn: Turn) -> Verdict:
    """The verdict if only tiles that the seat still holds count. The shown tiles prove the bogus
    play if at least one of them fits in each line that was possible then, and exclude it if none
    fits in any."""
    known = _judge_without_deals(watched, turn)
    if known is not None:
        return known
    holding = watched.holding(turn.seat)
    if holding is None or holding.tiles is None:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.NOT_SHOWN)
    evidence, moment = _evidence_and_moment(watched, turn)
    fits = evidence.watched[moment].fits if moment in evidence.watched else ()
    if not fits:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    held = mask_of(holding.tiles)
    if all(held & each for each in fits):
        tiles = reduce(or_, fits) & held
        return Verdict(VerdictKind.PROVEN, tuple(TILE_SET.tiles_in(tiles)), Grounds.STILL_HELD)
    if any(held & each for each in fits) or evidence.watched[moment].since.lost:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    if evidence.known.unshown[moment.seat]:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.FEWER)
    return Verdict(VerdictKind.EXCLUDED, grounds=Grounds.NOT_HELD)


def is_proven(watched: WatchedHand, turn: Turn) -> bool:
    """Whether the verdict on that turn is `PROVEN`; faster than `judge`."""
    if isinstance(turn.did, TilePlayed):
        return False
    if watched.still_held:
        return judge(watched, turn).kind is VerdictKind.PROVEN
    try:
        known = _judge_without_deals(watched, turn)
        return known.kind is VerdictKind.PROVEN if known else _is_proven_by_deals(watched, turn)
    except Exception:
        return False


def proven_turns(watched: WatchedHand) -> list[Turn]:
    """The draws and passes that are proven bogus, called or not, in order."""
    return [turn for turn in watched.hand.turns if is_proven(watched, turn)]


def newly_proven(before: WatchedHand | None, watched: WatchedHand) -> list[Turn]:
    """The turns that the last entry has proven bogus, in order. `before`: the hand before that
    entry, None if there was none, so that every proven turn is new."""
    last, evidence = watched.hand.last, watched.evidence
    if last is None or evidence is None or watched.still_held:
        return []
    if before is None or before.evidence is None or before.hand.last is None:
        return proven_turns(watched)
    if evidence.proven.keys() == before.evidence.proven.keys():
        new = before.hand.last.number < last.number and is_proven(watched, last)
        return [last] if new else []
    announced = {turn.number for turn in proven_turns(before)}
    return [turn for turn in proven_turns(watched) if turn.number not in announced]


def _judge_without_deals(watched: WatchedHand, turn: Turn) -> Verdict | None:
    """The verdict, if it can be given without examining deals; otherwise None."""
    evidence = watched.evidence
    if watched.fault:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.FAULT)
    if evidence is None or (watched.rules < 2 and any(evidence.unshown)):
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.DOUBTFUL)
    known = watched.hand.round.turns_before_scores
    if known is not None and turn.number > known:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNTOLD)
    if turn.noticed and (watched.rules >= 2 or isinstance(turn.did, TilesDrawn)):
        return Verdict(VerdictKind.PROVEN, grounds=Grounds.NOTICED)
    if turn.moment is None:
        return Verdict(VerdictKind.EXCLUDED, grounds=Grounds.RETURNED)
    if watched.rules < 2 and not evidence.histories:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    if not evidence.given_up and not evidence.any_deal:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.CONTRADICTION)
    return None


def _is_proven_by_deals(watched: WatchedHand, turn: Turn) -> bool:
    """Whether there is no deal left in which that turn was not a bogus play."""
    assert watched.evidence is not None, "without it the verdict is known at once"
    return turn.moment in watched.evidence.proven


def _evidence_and_moment(watched: WatchedHand, turn: Turn) -> tuple[Evidence, MomentOfPlay]:
    assert watched.evidence is not None, "without it the verdict is known at once"
    assert turn.moment is not None, "a draw that went back alone is judged by that"
    return watched.evidence.examined, turn.moment


def _judge_unproven(watched: WatchedHand, turn: Turn) -> Verdict:
    """The verdict when the deals don't prove a bogus play."""
    evidence, moment = _evidence_and_moment(watched, turn)
    if evidence.given_up or evidence.watched[moment].since.lost:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    tiles = may_have_held(aftermath_of(evidence, moment))
    if tiles is None:
        return Verdict(VerdictKind.POSSIBLE, grounds=Grounds.UNKNOWN)
    if not tiles:
        grounds = Grounds.RETURNED if turn.returned else Grounds.ELSEWHERE
        return Verdict(VerdictKind.EXCLUDED, grounds=grounds)
    known = evidence.known
    kept_back = known.unshown[moment.seat] and not tiles & known.shown[moment.seat]
    grounds = Grounds.FEWER if kept_back else Grounds.OPEN
    return Verdict(VerdictKind.POSSIBLE, tuple(TILE_SET.tiles_in(tiles)), grounds)


def _find_proof(watched: WatchedHand, turn: Turn) -> Verdict:
    """The proof of the bogus play from the facts known now or, if that takes too long, from those
    known when it was first proven."""
    evidence, moment = _evidence_and_moment(watched, turn)
    left = MAX_PROOF_STEPS
    for known in (evidence, evidence.proven[moment]):
        if known.given_up:
            continue
        found = list(islice(single_paths(aftermath_of(known, moment)), MAX_PATHS + 1))
        left -= sum(map(_steps_of_proof, found))
        if len(found) > MAX_PATHS or left < 0:
            continue
        if proofs := [_find_proof_on_path(path) for path in found if has_any_deal(path)]:
            tiles = {tile for mask, _ in proofs for tile in TILE_SET.tiles_in(mask)}
            grounds = proofs[0][1] if len(set(proofs)) == 1 else Grounds.WHICHEVER
            return Verdict(VerdictKind.PROVEN, tuple(sorted(tiles)), grounds)
    return Verdict(VerdictKind.PROVEN, grounds=Grounds.WHICHEVER)


def _steps_of_proof(path: Aftermath) -> int:
    """An upper limit for the cases examined to find the tiles of a proof. `path` comes from
    `single_paths`, so the number of cases never grows along it."""
    checks = 2 + len(revealed_tiles(path))
    return checks * sum(map(len, path.deals)) * (len(path.steps) + FILLING)


def _find_proof_on_path(path: Aftermath) -> tuple[int, Grounds]:
    """The tiles that prove the bogus play, and the grounds: one tile that can't have been drawn
    later; several that can't all have been; or any tile that the seat may have held, when nearly
    all are known."""
    later = revealed_tiles(path)
    for tile in later:
        if not can_be_clear(path, tile):
            return tile, Grounds.DEADLINE
    if later and not can_be_clear(path, sum(later)):
        return sum(later), Grounds.DRAWS
    return may_have_held(path) or 0, Grounds.EXHAUSTED


def proven(state: AnyState) -> tuple[Turn, ...]:
    """The proven bogus plays that can still be called, the latest first."""
    board = board_of(state)
    called = board.open_to_calls if board else None
    if called is None or called.bogus is not None or called.claim is not None:
        return ()
    proven_now = {turn.number for turn in proven_turns(called)}
    return tuple(turn for turn in turns_to_call(state) if turn.number in proven_now)
