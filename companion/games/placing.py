"""Where each tile may have come from: the places that a hand's tiles can be put in.

A *world* puts every tile of the set in one place: a seat's deal, one of a seat's single draws, or
the boneyard. It has to agree with all that was entered:

* A tile laid or shown by a seat came from its deal, or from one of its draws before that.
* A tile that went back to the boneyard came from no deal and from no earlier draw; the draw that
  it came from fills no place.
* Every place in a hand is filled by one tile, and every other tile is in the boneyard.

So each tile that was laid or shown has a window of time in which its seat must have got it, and the
rest are free. A seat's places in the order of time and windows on them: first come, tightest
deadline first, fills them all if anything does. That makes each question here a single walk.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from companion.seats import Seat

END = 1 << 30
"""Later than any time."""

Window = tuple[int, int, int]
"""A tile was got at a time `from <= t < before`, and left the hand at the third (END: not yet)."""


Span = tuple[int, int]
"""The first two of a window."""


@dataclass(frozen=True, slots=True)
class Question:
    """Did the seat, at time `at`, hold one of the tiles `match`?"""

    seat: Seat
    at: int
    match: int


@dataclass(frozen=True, slots=True)
class Part:
    """What is known of one seat's tiles. `got` lists when it got each of them, ascending: as many
    zeros as it was dealt, then the times of its draws. `windows` has the tiles that it is known to
    have had."""

    got: tuple[int, ...]
    windows: Mapping[int, Window]

    @property
    def mask(self) -> int:
        """The known tiles."""
        return sum(self.windows)


@dataclass(frozen=True, slots=True)
class Places:
    """All that was entered of a hand, as places and windows. A tile is a bit, a set of them a mask.

    `back` has the tiles that were seen going back to the boneyard, with the time, and that nobody
    has laid or shown since. `tiles` is the whole set.
    """

    parts: Mapping[Seat, Part]
    back: Mapping[int, int]
    tiles: int

    @property
    def free(self) -> int:
        """Tiles of which nothing is known."""
        known = sum(self.back)
        for part in self.parts.values():
            known |= part.mask
        return self.tiles & ~known

    @property
    def boneyard(self) -> int:
        """How many tiles are in nobody's places."""
        return self.tiles.bit_count() - sum(len(part.got) for part in self.parts.values())


@dataclass(frozen=True, slots=True)
class Answer:
    """What the worlds say: whether there is any; whether in one of them the seat held no match;
    and the tiles that it held in at least one."""

    any_world: bool
    without: bool
    may_hold: int


NO_WORLD = Answer(False, False, 0)


def ask(places: Places, question: Question) -> Answer:
    """Looks at all worlds at once."""
    any_world, without, may_hold = False, False, 0
    for settled in _settled(places):
        answer = _ask(settled, question)
        any_world |= answer.any_world
        without |= answer.without
        may_hold |= answer.may_hold
    return Answer(any_world, without, may_hold)


def _settled(places: Places) -> Iterator[Places]:
    """Each choice of where the tiles that went back are now: in the boneyard, or drawn again."""
    if not places.back:
        yield places
        return
    (tile, since), *others = places.back.items()
    rest = replace(places, back=dict(others))
    if places.boneyard > 0:
        # In the boneyard it is a tile that the set does not have any more.
        yield from _settled(replace(rest, tiles=rest.tiles & ~tile))
    for seat, part in places.parts.items():
        drawn = replace(part, windows={**part.windows, tile: (since, END, END)})
        yield from _settled(replace(rest, parts={**places.parts, seat: drawn}))


def _ask(places: Places, question: Question) -> Answer:
    if not has_world(places):
        return NO_WORLD
    part = places.parts[question.seat]
    free = places.free
    return Answer(True, may_be_without(part, question, free), _may_hold(part, question, free))


def has_world(places: Places) -> bool:
    """Whether any world agrees with all of it, no tile having gone back."""
    return places.boneyard >= 0 and all(
        _unfilled(part.got, [window[:2] for window in part.windows.values()], 0) is not None
        for part in places.parts.values()
    )


def may_be_without(part: Part, question: Question, free: int) -> bool:
    """Whether the seat can have held no match: then those it had later came later, and free tiles
    that don't match fill what it held."""
    at, match = question.at, question.match
    windows = [
        (start if start > at else at, end) if tile & match and left > at else (start, end)
        for tile, (start, end, left) in part.windows.items()
    ]
    unfilled = _unfilled(part.got, windows, at)
    return unfilled is not None and unfilled <= (free & ~match).bit_count()


def _may_hold(part: Part, question: Question, free: int) -> int:
    """The matches that the seat can have held: got before, and not yet laid."""
    held = 0
    for tile, (start, end, left) in part.windows.items():
        by = min(end, question.at)
        if tile & question.match and left > question.at and _fits(part, tile, (start, by)):
            held |= tile
    free &= question.match
    return held | free if free and _fits(part, 0, (0, question.at)) else held


def _fits(part: Part, tile: int, within: Span) -> bool:
    """Whether `tile` (0: some free tile) can have been got in that time."""
    spans = {known: window[:2] for known, window in part.windows.items()}
    return _unfilled(part.got, [*({**spans, tile: within}).values()], 0) is not None


def _unfilled(got: tuple[int, ...], windows: list[Span], until: int) -> int | None:
    """Puts a tile for each window into the places; None if that can't be done, else how many places
    before `until` are left for other tiles. Tightest deadline first leaves the fewest."""
    windows.sort(reverse=True)
    ready: list[int] = []
    unfilled = 0
    for time in got:
        while windows and windows[-1][0] <= time:
            heappush(ready, windows.pop()[1])
        if ready:
            if heappop(ready) <= time:
                return None
        elif time < until:
            unfilled += 1
    return None if ready or windows else unfilled
