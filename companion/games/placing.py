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

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush

END = 1 << 30
"""Later than any time."""

Item = Hashable
Window = tuple[int, int]
"""A tile was got at a time `from <= t < before`."""


@dataclass(frozen=True, slots=True)
class Question:
    """Did the seat, at time `at`, hold one of the tiles `match`?"""

    seat: str
    at: int
    match: frozenset[Item]


@dataclass(frozen=True, slots=True)
class Places:
    """All that was entered of a hand, as places and windows.

    `got` lists, for each seat, when it got each of its tiles, ascending: as many zeros as it was
    dealt, then the times of its draws. `windows` has the tiles that are known to have been in a
    seat's hand. `back` has the tiles that were seen going back to the boneyard, with the time, and
    that nobody has laid or shown since. `tiles` is the whole set.
    """

    got: Mapping[str, tuple[int, ...]]
    windows: Mapping[str, Mapping[Item, Window]]
    back: Mapping[Item, int]
    tiles: frozenset[Item]

    @property
    def free(self) -> frozenset[Item]:
        """Tiles of which nothing is known."""
        return self.tiles.difference(self.back, *self.windows.values())

    @property
    def boneyard(self) -> int:
        """How many tiles are in nobody's places."""
        return len(self.tiles) - sum(map(len, self.got.values()))


@dataclass(frozen=True, slots=True)
class Answer:
    """What the worlds say: whether there is any; whether in one of them the seat held no match;
    and the tiles that it held in at least one."""

    any_world: bool
    without: bool
    may_hold: frozenset[Item]


def ask(places: Places, question: Question) -> Answer:
    """Looks at all worlds at once."""
    answers = [_ask(settled, question) for settled in _settled(places)]
    answers = [answer for answer in answers if answer.any_world]
    return Answer(
        bool(answers),
        any(answer.without for answer in answers),
        frozenset().union(*(answer.may_hold for answer in answers)),
    )


def _settled(places: Places) -> Iterator[Places]:
    """Each choice of where the tiles that went back are now: in the boneyard, or drawn again."""
    if not places.back:
        yield places
        return
    (tile, since), *others = places.back.items()
    rest = replace(places, back=dict(others))
    if places.boneyard > 0:
        # In the boneyard it is a tile that the set does not have any more.
        yield from _settled(replace(rest, tiles=rest.tiles - {tile}))
    for seat, windows in places.windows.items():
        drawn = {**places.windows, seat: {**windows, tile: (since, END)}}
        yield from _settled(replace(rest, windows=drawn))


def _ask(places: Places, question: Question) -> Answer:
    others = (seat for seat in places.got if seat != question.seat)
    possible = places.boneyard >= 0 and all(
        _unfilled(places.got[seat], list(places.windows[seat].values()), 0) is not None
        for seat in others
    )
    got, windows = places.got[question.seat], places.windows[question.seat]
    if not possible or _unfilled(got, list(windows.values()), 0) is None:
        return Answer(False, False, frozenset())
    return Answer(True, _without(places, question), _may_hold(places, question))


def _without(places: Places, question: Question) -> bool:
    """Whether the seat can have held no match: then those it had later came later, and free tiles
    that don't match fill what it held."""
    got, windows = places.got[question.seat], places.windows[question.seat]
    held_later = [
        (max(start, question.at), end)
        if tile in question.match and end > question.at
        else (start, end)
        for tile, (start, end) in windows.items()
    ]
    unfilled = _unfilled(got, held_later, question.at)
    return unfilled is not None and unfilled <= len(places.free - question.match)


def _may_hold(places: Places, question: Question) -> frozenset[Item]:
    """The matches that the seat can have held: got before, and not yet laid."""
    got, windows = places.got[question.seat], places.windows[question.seat]
    known = [
        tile
        for tile, (start, end) in windows.items()
        if tile in question.match
        and end > question.at
        and _fits(got, windows, tile, start, question)
    ]
    free = places.free & question.match
    return (
        free.union(known) if free and _fits(got, windows, None, 0, question) else frozenset(known)
    )


def _fits(
    got: tuple[int, ...],
    windows: Mapping[Item, Window],
    tile: Item,
    start: int,
    question: Question,
) -> bool:
    """Whether `tile` can have been got before the question's time."""
    return _unfilled(got, [*({**windows, tile: (start, question.at)}).values()], 0) is not None


def _unfilled(got: tuple[int, ...], windows: list[Window], until: int) -> int | None:
    """Puts a tile for each window into the places; None if that can't be done, else how many places
    before `until` are left for other tiles. Tightest deadline first leaves the fewest."""
    waiting, ready, unfilled = sorted(windows, reverse=True), list[int](), 0
    for time in got:
        while waiting and waiting[-1][0] <= time:
            heappush(ready, waiting.pop()[1])
        if ready:
            if heappop(ready) <= time:
                return None
        elif time < until:
            unfilled += 1
    return None if ready or waiting else unfilled
