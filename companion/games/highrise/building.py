"""The building of Highrise: every layout that the plays of a hand allow, if its basement is known.

The entry of a play names what the tile covers, not where it is, so a play may fit several places.
Every layout that fits is kept, and a play is refused only if it fits in none of them. Layouts that
look the same from above (halves, levels and tiles) count as one, because no later play can
distinguish them.

The result of a play is read from the building or, if that is not known, from the entry.
"""

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.values import dataclass
from companion.core.words import listed, phrase
from companion.games.game import AmbiguousEntry, Choice
from companion.games.highrise.entries import (
    COLUMNS,
    WILD,
    Halves,
    TileStacked,
    format_half,
    format_halves,
)

ROWS = 2
SPACERS = 12
"""[2] The number of spacers in a hand."""


def _neighbouring_fields() -> Iterator[tuple[int, int]]:
    """All pairs of neighbouring fields, the lower number first. The number of a field is row *
    COLUMNS + column."""
    for place in range(ROWS * COLUMNS):
        if (place + 1) % COLUMNS:
            yield place, place + 1
        if place < COLUMNS:
            yield place, place + COLUMNS


NEIGHBOURS = tuple(_neighbouring_fields())
EITHER_WAY = (*NEIGHBOURS, *((beside, at) for at, beside in NEIGHBOURS))


class FieldTop(NamedTuple):
    """A field as seen from above: the half on it, its level (0 in the basement), and the number of
    its tile: 0 to 7 in the basement, from 8 for the tiles played on it."""

    half: int
    level: int
    tile: int


class Place(NamedTuple):
    """The place of a play: the fields of its first and second half; its level; and which half (0 or
    1) has a spacer under it, None if neither has."""

    fields: tuple[int, int]
    level: int
    lifted: int | None


class Result(NamedTuple):
    """The result of a play: the halves that it covers, in the order of its own halves; its level;
    and the covered half that a spacer lifts (None if no spacer is used)."""

    on: Halves
    level: int
    spacer: int | None

    def entry_for(self, built: TileStacked) -> TileStacked:
        """Returns the entry of a play, completed with the covered halves, level and spacer of this
        result."""
        return TileStacked(built.seat, built.halves, *self)


def values(halves: Halves, on: Halves) -> tuple[int, int]:
    """[3] Returns the values of a tile's `halves` when it covers the halves `on`: their own pips. A
    wild half has the value of the half that it covers, or 7 on another wild half."""
    first, second = (
        covered if half == WILD else half for half, covered in zip(halves, on, strict=True)
    )
    return first, second


def matches(half: int, covered: int) -> bool:
    """[2, 3] Whether a half may cover another: they are equal, or one of them is wild."""
    return half == covered or WILD in (half, covered)


@dataclass(frozen=True, slots=True)
class Layout:
    """One possible layout of the building. `places`: the place of each play, for one way to build
    this layout."""

    tops: tuple[FieldTop, ...]
    places: tuple[Place, ...] = field(default=(), compare=False)

    @classmethod
    def basement(cls, tiles: Iterable[Halves]) -> "Layout":
        """The layout with only the basement: a tile in each column, its first half in the upper
        row."""
        rows = zip(*tiles, strict=True)
        return cls(tuple(FieldTop(half, 0, at) for row in rows for at, half in enumerate(row)))

    def plays(self, halves: Halves, *, spacer: bool) -> Iterator[tuple[Result, Place]]:
        """[2] Every place where a tile may be played, with the result of the play. `spacer`:
        whether a spacer may be used."""
        one, other = halves
        fits_one = [matches(one, top.half) for top in self.tops]
        fits_other = [matches(other, top.half) for top in self.tops]
        for fields in NEIGHBOURS if one == other else EITHER_WAY:
            at, beside = fields
            if not (fits_one[at] and fits_other[beside]):
                continue
            first, second = self.tops[at], self.tops[beside]
            apart = first.level - second.level
            if first.tile != second.tile and abs(apart) <= int(spacer):
                lifted = None if not apart else int(apart > 0)
                place = Place(fields, max(first.level, second.level) + 1, lifted)
                yield self._result(halves, place), place

    def _result(self, halves: Halves, place: Place) -> Result:
        first, second = (self.tops[each].half for each in place.fields)
        spacer = None if place.lifted is None else (first, second)[place.lifted]
        on = (first, second)
        if halves[0] == halves[1]:
            on = min(on), max(on)
        return Result(on, place.level, spacer)

    def after(self, halves: Halves, place: Place) -> "Layout":
        """The layout after a tile is played at that place."""
        tops, number = [*self.tops], COLUMNS + len(self.places)
        for half, at in zip(halves, place.fields, strict=True):
            tops[at] = FieldTop(half, place.level, number)
        return Layout(tuple(tops), (*self.places, place))


Layouts = tuple[Layout, ...]
Ways = dict[Result, list[tuple[Layout, Place]]]
"""The possible results of a play, each with the layouts and places that lead to it."""


def ways_of(layouts: Layouts, halves: Halves, *, spacer: bool) -> Ways:
    """Every possible result of playing this tile in any of the layouts: lower levels first, and
    plays without a spacer first."""
    found: Ways = {}
    for layout in layouts:
        for result, place in layout.plays(halves, spacer=spacer):
            found.setdefault(result, []).append((layout, place))
    order = sorted(found, key=lambda it: (it.level, it.spacer is not None, it.on, it.spacer or 0))
    return {result: found[result] for result in order}


def ways_as_entered(ways: Ways, built: TileStacked) -> Ways:
    """The ways that agree with the entry. An entry with a level but no spacer means that none was
    used."""
    return {
        result: places
        for result, places in ways.items()
        if built.on in (None, result.on)
        and built.level in (None, result.level)
        and (built.spacer == result.spacer or (built.spacer is None and built.level is None))
    }


def layouts_after(places: Iterable[tuple[Layout, Place]], halves: Halves) -> Layouts:
    """Every layout after playing the tile at one of these places, without duplicates."""
    return tuple(dict.fromkeys(layout.after(halves, place) for layout, place in places))


# ---------------------------------------------------------------- the result of a play


class PlayScored(NamedTuple):
    """The score of a play: its halves with their values, its level, and the points."""

    halves: Halves
    values: tuple[int, int]
    level: int

    @classmethod
    def of(cls, built: TileStacked, result: Result) -> "PlayScored":
        """The score of a play with this result."""
        return cls(built.halves, values(built.halves, result.on), result.level)

    @property
    def points(self) -> int:
        """[3] The sum of the two halves' values, times the level."""
        return sum(self.values) * self.level


def play_in_known_building(
    layouts: Layouts, spacers: int | None, built: TileStacked
) -> tuple[Result, Layouts]:
    """The result of a play, and the building after it. Raises RuleError if the play is impossible
    as entered, AmbiguousEntry if it may have several results."""
    ways = ways_of(layouts, built.halves, spacer=spacers != 0)
    fitting = ways_as_entered(ways, built)
    if not fitting:
        raise _explain_refusal(layouts, built, ways)
    if len(fitting) > 1:
        choices = tuple(
            Choice(result.entry_for(built), PlayScored.of(built, result)) for result in fitting
        )
        raise AmbiguousEntry(
            "{tile} fits {places}: say which",
            choices,
            tile=format_halves(built.halves),
            places=listed(map(_result_in_words, fitting), phrase(", or ")),
        )
    result, places = next(iter(fitting.items()))
    return result, layouts_after(places, built.halves)


def _explain_refusal(layouts: Layouts, built: TileStacked, ways: Ways) -> RuleError:
    """The error that explains why a play is impossible as entered."""
    tile = format_halves(built.halves)
    if ways:
        places = listed(map(_result_in_words, [*ways][:3]), phrase(", or "))
        if len(ways) > 3:
            return RuleError(
                "{tile} can't be laid there: it fits {places}, or elsewhere",
                tile=tile,
                places=places,
            )
        return RuleError("{tile} can't be laid there: it fits {places}", tile=tile, places=places)
    if ways_of(layouts, built.halves, spacer=True):
        return RuleError(
            "{tile} fits only with a spacer, and all {spacers} are used",
            tile=tile,
            spacers=SPACERS,
        )
    return RuleError(
        "{tile} fits nowhere: no two halves of different tiles match it on one level", tile=tile
    )


def _result_in_words(result: Result) -> str:
    """A result in the tally's words: “on 4 3 level 1”."""
    halves = " ".join(map(format_half, result.on))
    if result.spacer is None:
        return phrase("on {halves} level {level}", halves=halves, level=result.level)
    return phrase(
        "on {halves} level {level} spacer {half}",
        halves=halves,
        level=result.level,
        half=format_half(result.spacer),
    )


def play_in_unknown_building(spacers: int | None, built: TileStacked) -> Result:
    """The result of a play in an unknown building, for which the entry's halves and level are
    trusted. Raises RuleError if too little was entered, or if the rules don't allow the play."""
    tile, level = format_halves(built.halves), built.level
    if level is None:
        raise RuleError(
            "The basement was not entered: say the level, as in {tile} level 1", tile=tile
        )
    if built.on is None and WILD in built.halves:
        raise RuleError(
            "The basement was not entered: say what {tile} covers, as in on 4 3", tile=tile
        )
    on = built.on or built.halves
    for half, covered in zip(built.halves, on, strict=True):
        if not matches(half, covered):
            raise RuleError(
                "{half} can't cover {covered}", half=format_half(half), covered=format_half(covered)
            )
    if built.spacer is not None:
        _refuse_spacer(spacers, built.spacer, built.on or (*built.halves, WILD), level)
    return Result(on, level, built.spacer)


def _refuse_spacer(left: int | None, lifted: int, covered: tuple[int, ...], level: int) -> None:
    """Raises RuleError if no spacer can lift that half."""
    if left == 0:
        raise RuleError("All {spacers} spacers of this hand are used", spacers=SPACERS)
    if level < 2:
        raise RuleError("A spacer lifts a half to a higher one: such a play is on level 2 at least")
    if lifted not in covered:
        raise RuleError(
            "This tile covers no {half} that a spacer could lift", half=format_half(lifted)
        )
