"""What a play of Highrise comes to: read out of the building, or as it was said."""

from typing import NamedTuple

from companion.core.errors import RuleError
from companion.core.words import listed, phrase
from companion.games.entry import Choice, Unclear
from companion.games.highrise.building import (
    SPACERS,
    Layouts,
    Result,
    Ways,
    as_said,
    layouts_after,
    matches,
    values,
    ways_of,
)
from companion.games.highrise.entries import WILD, Built, Halves, format_half, format_halves


class PlayScored(NamedTuple):
    """What a play came to: its halves with their values, its level, and the points."""

    halves: Halves
    values: tuple[int, int]
    level: int

    @classmethod
    def of(cls, built: Built, result: Result) -> "PlayScored":
        """What a play with this result scores."""
        return cls(built.halves, values(built.halves, result.on), result.level)

    @property
    def points(self) -> int:
        """[3] (half + half) × level."""
        return sum(self.values) * self.level


def lay_on(layouts: Layouts, spacers: int | None, built: Built) -> tuple[Result, Layouts]:
    """What a play comes to, and the building after it. Raises RuleError if it can't be laid as it
    was said, Unclear if it may have several results."""
    ways = ways_of(layouts, built.halves, spacer=spacers != 0)
    fitting = as_said(ways, built)
    if not fitting:
        raise _refusal(layouts, built, ways)
    if len(fitting) > 1:
        choices = tuple(
            Choice(result.said(built), PlayScored.of(built, result)) for result in fitting
        )
        raise Unclear(
            "{tile} fits {places}: say which",
            choices,
            tile=format_halves(built.halves),
            places=listed(map(_words, fitting), phrase(", or ")),
        )
    result, places = next(iter(fitting.items()))
    return result, layouts_after(places, built.halves)


def _refusal(layouts: Layouts, built: Built, ways: Ways) -> RuleError:
    """The refusal that says why a play can't be laid as it was said."""
    tile = format_halves(built.halves)
    if ways:
        places = listed(map(_words, [*ways][:3]), phrase(", or "))
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


def _words(result: Result) -> str:
    """A result in words of the tally: “on 4 3 level 1”."""
    halves = " ".join(map(format_half, result.on))
    if result.spacer is None:
        return phrase("on {halves} level {level}", halves=halves, level=result.level)
    return phrase(
        "on {halves} level {level} spacer {half}",
        halves=halves,
        level=result.level,
        half=format_half(result.spacer),
    )


def lay_unseen(spacers: int | None, built: Built) -> Result:
    """A play in a building that is not known: what it covers and its level are taken as said.
    Raises RuleError if too little was said, or the rules don't allow it."""
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
