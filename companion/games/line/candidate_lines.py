"""Every line of play that what was entered leaves possible.

A lay may be entered as the tile, as the open ends or as the count alone. After each entry the lines
that explain it are kept: after a lay entered by tile there is one, after a lay entered by count
there may be hundreds. Later entries decide between these lines. Nobody is asked unless the lines
differ in the count, which is what scores. Past LIMIT lines, or once the table insists on something
that no line explains, the lines are given up: then only what was said last is known.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.games.line.line import TILE_SET, Arm, Ends, Line
from companion.games.tiles import Tile

BY_HALVES = TILE_SET.by_halves

LIMIT = 600
"""More lines than this are not kept: it bounds the time of a lay by count (see `make bench`)."""

CandidateLine = tuple[Line | None, int]
"""A possible line (None: nothing laid yet) and the tiles that lie in it, as a mask."""


@dataclass(frozen=True, slots=True)
class Lay:
    """What was said of a lay; None: not said. `double`: only a double may lead."""

    halves: tuple[int, int] | None = None
    arm: Arm | None = None
    ends: Ends | None = None
    count: int | None = None
    double: bool = False

    @property
    def tile(self) -> Tile | None:
        """The tile; None if it was not said."""
        return BY_HALVES[self.halves] if self.halves else None

    @property
    def says_count(self) -> bool:
        """Whether the count was said, so that more lines would teach nothing."""
        return self.ends is not None or self.count is not None


Origin = tuple[int, int]
"""The line before a lay, by its place among the possible lines, and the bit of the tile laid."""


class WayToLay(NamedTuple):
    """One way to lay: the candidate before, the arm (None: led), the tile, and the line after. Lays
    that make the same line are one way; `origins` has all of them."""

    candidate: CandidateLine
    arm: Arm | None
    tile: Tile
    line: Line
    origins: list[Origin]

    @property
    def after(self) -> CandidateLine:
        """The candidate with the tile laid."""
        return self.line, self.candidate[1] | self.tile.bit


@dataclass(frozen=True, slots=True)
class CandidateLines:
    """What is known of the line. If `possible` is empty, only the ends or the count said last."""

    possible: tuple[CandidateLine, ...] = ((None, 0),)
    known_ends: Ends | None = None
    known_count: int | None = None
    parts: tuple[int, ...] = ()
    said: int = 0
    """Tiles that were entered as tiles, as a mask."""
    may_be_partial: bool = False
    """Whether the next lay may leave out its ends and its count: it was entered by somebody who
    knew the line, which is lost now."""
    two_ends: bool = False
    """Whether the line has two ends only, as no double is a spinner."""

    @property
    def lost(self) -> bool:
        """Whether the lines were given up."""
        return not self.possible

    @property
    def single(self) -> Line | None:
        """The line, if only one is possible; else None."""
        return self.possible[0][0] if len(self.possible) == 1 else None

    @property
    def laid_for_sure(self) -> int:
        """Tiles that lie in every possible line, as a mask."""
        if self.lost:
            return self.said
        mask = self.possible[0][1]
        for _, laid in self.possible:
            mask &= laid
        return mask

    @property
    def nothing_fits(self) -> bool:
        """Whether no tile that is not laid yet matches any place, whichever line it is."""
        return not self.lost and all(
            line is not None and not line.suits & ~laid for line, laid in self.possible
        )

    def without(self, tiles: int) -> tuple[int, ...]:
        """The places in `possible` of the lines in which none of these `tiles` (a mask) lies."""
        return tuple(at for at, (_, laid) in enumerate(self.possible) if not laid & tiles)

    def only(self, kept: tuple[int, ...]) -> "CandidateLines":
        """Only the candidates at the places `kept`; without any, the lines are given up."""
        if len(kept) == len(self.possible):
            return self
        return replace(self, possible=tuple(self.possible[at] for at in kept))

    def ways(self, lay: Lay) -> list[WayToLay]:
        """Every way to lay that agrees with all that was said, mirror images once."""
        found: dict[tuple[object, ...], WayToLay] = {}
        lays: dict[Line | None, list[tuple[Arm | None, Tile, Line]]] = {}
        for at, candidate in enumerate(self.possible):
            line, laid = candidate
            if line not in lays:
                lays[line] = list(_lays(line, lay, self.two_ends))
            for arm, tile, after in lays[line]:
                if laid & tile.bit:
                    continue
                key, origin = (after.form, laid | tile.bit), (at, tile.bit)
                way = found.get(key)
                if way is None:
                    found[key] = WayToLay(candidate, arm, tile, after, [origin])
                elif origin not in way.origins:
                    way.origins.append(origin)
            if len(found) > LIMIT and lay.says_count:
                break
        return list(found.values())

    def after(self, ways: Iterable[WayToLay], lay: Lay) -> "CandidateLines":
        """What is known once a tile was laid in one of these `ways`."""
        ways = list(ways)
        said = self.said | (lay.tile.bit if lay.tile else 0)
        if len(ways) == 1:
            line = ways[0].line
            found = (ways[0].after,)
            return CandidateLines(
                found, line.ends, line.open_count, line.parts, said, two_ends=self.two_ends
            )
        ends = {way.line.ends for way in ways}
        counts = {way.line.open_count for way in ways}
        parts = {way.line.parts for way in ways}
        return CandidateLines(
            tuple(way.after for way in ways) if len(ways) <= LIMIT else (),
            ends.pop() if len(ends) == 1 else None,
            counts.pop() if len(counts) == 1 else None,
            parts.pop() if len(parts) == 1 else (),
            said,
            two_ends=self.two_ends,
        )

    def given_up(self, may_be_partial: bool = False) -> "CandidateLines":
        """What is known once the lines are given up: only which tiles were entered as tiles."""
        return CandidateLines(
            (), said=self.said, may_be_partial=may_be_partial, two_ends=self.two_ends
        )

    def trusting(self, lay: Lay) -> "CandidateLines":
        """What is known after a lay for which there is only the table's word."""
        count = sum(lay.ends) if lay.ends is not None else lay.count
        said = self.said | (lay.tile.bit if lay.tile else 0)
        ends = lay.ends
        return CandidateLines((), ends, count, ends or (), said, two_ends=self.two_ends)

    def open_pips(self) -> tuple[int, ...]:
        """The halves that a tile may match next, as far as all lines agree; ascending."""
        pips = [{place.pips for place in line.places} for line, _ in self.possible if line]
        return tuple(sorted(set.intersection(*pips))) if pips else ()

    def uncounted_pips(self) -> tuple[tuple[int, bool], ...]:
        """The halves besides the known ends that a tile may match next, ascending; with each,
        whether all lines agree. Nothing is counted there: they are the spinner's free places once
        its sides are covered. Empty if the lines were given up."""
        pips = {place.pips for line, _ in self.possible if line for place in line.places}
        sure = self.open_pips()
        return tuple(
            (each, each in sure) for each in sorted(pips.difference(self.known_ends or ()))
        )


def _lays(line: Line | None, lay: Lay, two_ends: bool) -> Iterator[tuple[Arm | None, Tile, Line]]:
    """The arms and tiles that agree with all that was said, even tiles that lie already, and the
    line after each."""
    for arm, tile in _candidates(line, lay):
        after = line.lay(arm, tile) if line and arm else _led(lay, tile, two_ends)
        if lay.ends is None or after.ends == lay.ends:
            yield arm, tile, after


def _led(lay: Lay, tile: Tile, two_ends: bool) -> Line:
    """The line after this lead. A led 6-4 shows 6 on the left if it was said in this order."""
    return Line.led(*(lay.halves or (tile.low, tile.high)), two_ends=two_ends)


def _candidates(line: Line | None, lay: Lay) -> Iterator[tuple[Arm | None, Tile]]:
    """Arms and tiles that agree with the tile, the arm and the count that were said."""
    count = lay.count if lay.ends is None else sum(lay.ends)
    if lay.count not in (None, count):
        return
    if line is None:
        for tile in (lay.tile,) if lay.tile else TILE_SET.tiles:
            if tile.pips == (tile.pips if count is None else count) and (
                tile.is_double or not lay.double
            ):
                yield None, tile
        return
    for arm, pips, rest, on_spinner in line.places:
        if lay.arm not in (None, arm):
            continue
        if lay.halves is not None:
            tile = BY_HALVES[lay.halves]
            adds = 2 * pips if tile.is_double else tile.other(pips)
            if tile.has(pips) and count in (None, rest + adds):
                yield arm, tile
            continue
        assert count is not None
        if 0 <= count - rest <= TILE_SET.highest and count - rest != pips:
            yield arm, BY_HALVES[pips, count - rest]
        if count - rest == 2 * pips and not on_spinner:
            yield arm, BY_HALVES[pips, pips]


NOTHING_LAID = CandidateLines()
NOTHING_LAID_WITHOUT_SPINNER = CandidateLines(two_ends=True)


def any_lay(candidates: CandidateLines) -> CandidateLines:
    """What is known after a lay of which nothing was said."""
    if candidates.lost:
        return candidates
    counts = range(49)
    ways = [way for count in counts for way in candidates.ways(Lay(count=count))]
    return candidates.after(ways, Lay())


def refuse_unexplained(lay: Lay) -> RuleError:
    """The plain refusal of ends or a count that no tile explains."""
    if lay.ends is not None:
        return RuleError("{wrong}: look again", wrong=none_makes(lay))
    return RuleError("{wrong}: add the ends up again", wrong=none_makes(lay))


def none_makes(lay: Lay) -> RuleError:
    """What is wrong with a lay that no tile explains, without what to do about it."""
    if lay.ends is not None:
        return RuleError("No tile makes the ends {ends}", ends=" ".join(map(str, lay.ends)))
    return RuleError("No tile makes the count {count}", count=lay.count)
