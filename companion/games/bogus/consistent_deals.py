"""The deals that agree with what was entered of a hand: which seat got which tile, and when.

A *place* is one tile that a seat got: dealt, or drawn later. A seat's places are numbered from 0 in
the order of time; a draw whose tile went back fills none. A *deal* puts one tile of the set into
every place; all other tiles are in the boneyard. It agrees with the entries if

* a tile that a seat laid or showed is in one of the places which that seat had then, and
* a tile that was seen going back to the boneyard is in no place which anybody had then.

So each known tile may be in a run of its seat's places: from some place on, up to the last one that
the seat had when the tile was laid or shown. Known tiles are put into places as they come to light,
each into the earliest free one of its run. That leaves the latest places free, which is best for
every tile that comes to light later: if any deal agrees, this finds one, and no other way to fill
the places need be looked at.

A *moment* is a draw or pass which may be proven to be a bogus play. Suppose that the seat held no
tile that fitted then. In such a deal, every fitting tile that it lays or shows later was got after
the moment: the tile's run begins with the places got since. The places from before that are left
free hold unknown tiles, so there must be as many unknown tiles that did not fit.

If only the open ends or the count were said, several lines of play are possible, and one line may
have come about in several ways. Of each line the *cases* are kept that differ in what matters from
here on: which tiles fitted at the moment, and which places are taken.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple

from companion.games.line.hand import MomentOfPlay
from companion.games.line.line import TILE_SET

SEAT_BITS = 32
"""Bits for the places of one seat, which never has more of them than the set has tiles."""

SEAT_MASK = (1 << SEAT_BITS) - 1

ALL = TILE_SET.all

FITTED_BITS = ALL.bit_length()

MOST_CASES = 16
"""More cases of one line are not kept apart: what they have in common is kept instead. That can
lose a proof, never make a false one. (In 1,000 random hands by count there were 8 at most.)"""

Case = int
"""The tiles that fitted at the moment, in the low FITTED_BITS bits, and above them, in SEAT_BITS
bits for each seat, the places taken."""

Cases = tuple[Case, ...]
CasesOfLines = tuple[Cases, ...]
"""The cases of each possible line."""


NO_MOMENT = MomentOfPlay(-1, 0, 0)
"""No moment: all deals count, whatever was held."""


class Known(NamedTuple):
    """What is known of a hand, whichever of the possible lines is the real one. Seats are numbered
    in turn order, a tile is a bit, a set of tiles a mask."""

    places: tuple[int, ...]
    """How many tiles each seat got."""
    laid: tuple[int, ...]
    """The tiles that lie in each possible line. If the lines were given up: one line, with the
    tiles that lie there for sure."""
    lays: int
    """How many tiles were laid."""
    shown: tuple[int, ...]
    """The tiles that each seat showed."""
    back: Mapping[int, tuple[int, ...]]
    """Each tile that was seen going back, and how many places each seat had then."""
    blank: tuple[int, ...]
    """By how many the tiles that each seat showed are fewer than its places. Either it kept tiles
    back, or it never had them."""

    @property
    def boneyard(self) -> int:
        """How many tiles are in nobody's places."""
        return ALL.bit_count() - sum(self.places)

    @property
    def seen(self) -> int:
        """The tiles that any seat showed."""
        return reduce(or_, self.shown)


def fitted(case: Case) -> int:
    """The tiles that fitted at the moment."""
    return case & ALL


def places_of(taken: int, seat: int) -> int:
    """The seat's own part of the places taken."""
    return taken >> SEAT_BITS * seat & SEAT_MASK


def put_in(taken: int, seat: int, first: int, end: int) -> int | None:
    """The places taken once the seat's earliest free one among `first` to `end` - 1 is taken, too;
    None if none of them is free."""
    free = ~places_of(taken, seat) >> first << first
    place = free & -free
    return taken | place << SEAT_BITS * seat if place < 1 << end else None


def first_place(known: Known, seat: int, tile: int) -> int:
    """The first place of a seat in which `tile` can be: 0 or, for a tile that went back, the first
    one that was got since."""
    back = known.back.get(tile)
    return back[seat] if back else 0


def _put(known: Known, moment: MomentOfPlay, cases: Cases, seat: int, tile: int) -> Cases:
    """The cases with one more tile in a place of the seat, without those that have no place for
    it."""
    first, end = first_place(known, seat, tile), 1 << known.places[seat]
    later = max(first, moment.places) if seat == moment.seat else first
    shift = FITTED_BITS + SEAT_BITS * seat
    found = []
    for case in cases:
        least = later if case & tile else first
        free = ~(case >> shift & SEAT_MASK) >> least << least
        place = free & -free
        if place < end:
            found.append(case | place << shift)
    return tuple(found)


# ---------------------------------------------------------------- what comes to light


class LaidStep(NamedTuple):
    """A seat laid a tile. `origins`: for each line possible afterwards, the lines that can have
    been before, each with the tile laid (0: not known)."""

    seat: int
    origins: tuple[tuple[tuple[int, int], ...], ...]

    def apply(self, known: Known, moment: MomentOfPlay, table: CasesOfLines) -> CasesOfLines:
        """The cases after this step."""
        own = known.shown[self.seat]
        others = known.seen & ~own
        made: dict[tuple[Cases, int], Cases] = {}
        merged: dict[tuple[Cases, ...], Cases] = {}

        def after(before: int, tile: int) -> Cases:
            cases = table[before]
            found = made.get((cases, tile))
            if found is None:
                found = () if tile & others else cases
                # A tile that is not known may be one that was shown, and has its place already.
                if cases and not (tile & own if tile else own & ~known.laid[before]):
                    found = _put(known, moment, found, self.seat, tile)
                made[cases, tile] = found
            return found

        result = []
        for origins in self.origins:
            if len(origins) == 1:
                result.append(after(*origins[0]))
                continue
            parts = tuple({after(*origin) for origin in origins})
            if parts not in merged:
                merged[parts] = distinct(case for cases in parts for case in cases)
            result.append(merged[parts])
        return tuple(result)


class ShownStep(NamedTuple):
    """A seat showed all its tiles. `kept`: the lines that are still possible."""

    seat: int
    tiles: tuple[int, ...]
    kept: tuple[int, ...]

    def new(self, known: Known) -> tuple[int, ...]:
        """The tiles that the seat had not shown before."""
        return tuple(tile for tile in self.tiles if not tile & known.shown[self.seat])

    def apply(self, known: Known, moment: MomentOfPlay, table: CasesOfLines) -> CasesOfLines:
        """The cases after this step."""
        others, new = known.seen & ~known.shown[self.seat], self.new(known)
        shown = sum(self.tiles)
        made: dict[Cases, Cases] = {(): ()}
        for cases in {table[at] for at in self.kept}:
            possible = () if any(tile & others for tile in new) else cases
            for tile in new:
                possible = _put(known, moment, possible, self.seat, tile)
            made[cases] = possible
        return tuple(made[() if shown & known.laid[at] else table[at]] for at in self.kept)


class ReturnedStep(NamedTuple):
    """A tile went back into the boneyard, and was seen (0: not said which). `kept`: the lines that
    are still possible."""

    tile: int
    kept: tuple[int, ...]

    def apply(self, known: Known, _moment: MomentOfPlay, table: CasesOfLines) -> CasesOfLines:
        """The cases after this step: none if the tile lies, or if a seat has shown that it holds
        it."""
        seen = known.seen
        return tuple(() if self.tile & (seen | known.laid[at]) else table[at] for at in self.kept)


DealStep = LaidStep | ShownStep | ReturnedStep


# ---------------------------------------------------------------- few cases


def distinct(cases: Iterable[Case]) -> Cases:
    """The cases without any from which nothing can follow that can't follow from another one, too.
    If more than MOST_CASES are left, the last ones are merged into what they have in common."""
    few: list[Case] = []
    for case in sorted(set(cases)):
        if not any(_leaves_as_much_open(other, case) for other in few):
            few = [other for other in few if not _leaves_as_much_open(case, other)]
            few.append(case)
    while len(few) > MOST_CASES:
        few.append(_common(few.pop(), few.pop()))
    return tuple(few)


def _leaves_as_much_open(case: Case, other: Case) -> bool:
    """Whether anything that can still follow from `other` can follow from `case` as well: no more
    tiles fitted, and no later places are taken."""
    if fitted(case) & ~fitted(other):
        return False
    ours, theirs = case >> FITTED_BITS, other >> FITTED_BITS
    return ours == theirs or _earliest(ours, theirs) == ours


def _common(case: Case, other: Case) -> Case:
    """A case from which everything can follow that can follow from either."""
    both = fitted(case) & fitted(other)
    return _earliest(case >> FITTED_BITS, other >> FITTED_BITS) << FITTED_BITS | both


def _earliest(taken: int, other: int) -> int:
    """For each seat as many places as either has, each the earlier one of the two."""
    result = 0
    for shift in range(0, max(taken, other).bit_length(), SEAT_BITS):
        ours, theirs = bits(taken >> shift), bits(other >> shift)
        for one, two in zip(ours, theirs, strict=True):
            result |= min(one, two) << shift
    return result


def bits(taken: int) -> Iterator[int]:
    """The places of one seat, each as its bit, the earliest first."""
    taken &= SEAT_MASK
    while taken:
        yield taken & -taken
        taken &= taken - 1
