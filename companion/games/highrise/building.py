"""The building of Highrise: every layout that the plays of a hand allow, once the basement is told.

Who lays a tile says what it covers, not where: the same play may fit several places. So every
layout that fits is kept, and a play is refused only where none of them carries it. Layouts that
show the same halves, levels and tiles from above are one: nothing that follows tells them apart.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from companion.games.highrise.entries import COLUMNS, WILD, Built, Halves

ROWS = 2
SPACERS = 12
"""[2] Spacers in a hand."""


def _neighbours() -> Iterator[tuple[int, int]]:
    """Every two fields beside each other, the lower number first: row * COLUMNS + column."""
    for place in range(ROWS * COLUMNS):
        if (place + 1) % COLUMNS:
            yield place, place + 1
        if place < COLUMNS:
            yield place, place + COLUMNS


NEIGHBOURS = tuple(_neighbours())


class Top(NamedTuple):
    """What a field shows from above: a half, its level (0 in the basement), and whose tile it is:
    the basement's are 0 to 7, those of the plays are counted on from 8."""

    half: int
    level: int
    tile: int


class Place(NamedTuple):
    """Where a play lies: the fields of its first and its second half, its level, and which of the
    two halves (0 or 1) a spacer lifts."""

    fields: tuple[int, int]
    level: int
    lifted: int | None


class Result(NamedTuple):
    """What a play comes to: the halves that it covers, in the order of its own; its level; and the
    half that a spacer lifts."""

    on: Halves
    level: int
    spacer: int | None

    def said(self, built: Built) -> Built:
        """The play with all of this said."""
        return Built(built.seat, built.halves, *self)


def values(halves: Halves, on: Halves) -> tuple[int, int]:
    """[3] What the halves of a tile count on those that they cover: their own pips; a wild one what
    it covers, on a wild one 7."""
    first, second = (
        covered if half == WILD else half for half, covered in zip(halves, on, strict=True)
    )
    return first, second


def matches(half: int, covered: int) -> bool:
    """[2, 3] Whether a half may cover another: the same number, or one of them wild."""
    return half == covered or WILD in (half, covered)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way in which the building may stand. `places`: where each play lies, in one of the ways
    in which it can have come to look like this."""

    tops: tuple[Top, ...]
    places: tuple[Place, ...] = field(default=(), compare=False)

    @classmethod
    def basement(cls, tiles: Iterable[Halves]) -> "Layout":
        """The ground: a tile each column, its first half in the upper row."""
        rows = zip(*tiles, strict=True)
        return cls(tuple(Top(half, 0, at) for row in rows for at, half in enumerate(row)))

    def plays(self, halves: Halves, *, spacer: bool) -> Iterator[tuple[Result, "Layout"]]:
        """[2] Every play of a tile, and the building after it; `spacer`: one may be used."""
        ways = NEIGHBOURS
        if halves[0] != halves[1]:
            ways = tuple(chain(NEIGHBOURS, ((b, a) for a, b in NEIGHBOURS)))
        for fields in ways:
            first, second = (self.tops[each] for each in fields)
            apart = first.level - second.level
            if first.tile == second.tile or abs(apart) > int(spacer):
                continue
            if matches(halves[0], first.half) and matches(halves[1], second.half):
                lifted = None if not apart else int(apart > 0)
                place = Place(fields, max(first.level, second.level) + 1, lifted)
                yield self._result(halves, place), self._after(halves, place)

    def _result(self, halves: Halves, place: Place) -> Result:
        first, second = (self.tops[each].half for each in place.fields)
        spacer = None if place.lifted is None else (first, second)[place.lifted]
        on = (first, second)
        if halves[0] == halves[1]:
            on = min(on), max(on)
        return Result(on, place.level, spacer)

    def _after(self, halves: Halves, place: Place) -> "Layout":
        tops, number = [*self.tops], COLUMNS + len(self.places)
        for half, at in zip(halves, place.fields, strict=True):
            tops[at] = Top(half, place.level, number)
        return Layout(tuple(tops), (*self.places, place))


Layouts = tuple[Layout, ...]
Ways = dict[Result, Layouts]
"""The results that a play may have, each with the layouts after it."""


def ways_of(layouts: Layouts, halves: Halves, *, spacer: bool) -> Ways:
    """Every result that laying this tile can have in one of the layouts."""
    found: dict[Result, dict[Layout, None]] = {}
    for layout in layouts:
        for result, after in layout.plays(halves, spacer=spacer):
            found.setdefault(result, {})[after] = None
    return {result: tuple(after) for result, after in sorted(found.items(), key=_in_order)}


def _in_order(way: tuple[Result, object]) -> tuple[object, ...]:
    """Higher levels later, a play without a spacer first."""
    result = way[0]
    return result.level, result.spacer is not None, result.on, result.spacer or 0


def as_said(ways: Ways, built: Built) -> Ways:
    """Those ways that agree with what was said. Where a level is said, no spacer means none."""
    return {
        result: after
        for result, after in ways.items()
        if built.on in (None, result.on)
        and built.level in (None, result.level)
        and (built.spacer == result.spacer or (built.spacer is None and built.level is None))
    }
