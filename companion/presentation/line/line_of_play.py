"""The line of play as plain data: what a drawing needs to know, for any game with a line.

Tiles are in the order in which they were laid, each with its arm. What the record leaves open is
None, or counted in `unplaced`. The rules are not here: the game says which ends are open, and what
they add to the count."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

ArmName = Literal["left", "right", "up", "down"]
"""An arm, as the tally calls it: seen from the spinner; without one, from the led tile."""

ARM_NAMES: tuple[ArmName, ...] = ("left", "right", "up", "down")
OPPOSITE: dict[ArmName, ArmName] = {"left": "right", "right": "left", "up": "down", "down": "up"}


@dataclass(frozen=True, slots=True)
class LaidTile:
    """A tile as it lies in the line.

    `inner` is the pips of the half by which it joins the line, `outer` those of the half that it
    leaves open; the led tile has its left half in `inner`. A half is None if the record doesn't
    tell it. `arm` is the arm on which it was laid, None for the led tile alone.
    """

    inner: int | None
    outer: int | None
    arm: ArmName | None = None
    spinner: bool = False

    def __post_init__(self) -> None:
        if self.spinner and self.inner != self.outer:
            raise ValueError("only a double is a spinner")

    @property
    def crosswise(self) -> bool:
        """Whether it is known to be a double, which lies across the line."""
        return self.spinner or (self.inner is not None and self.inner == self.outer)


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place where a tile may be laid next. `pips`: the pips to match, None if the record doesn't
    tell them; `times`: how often they count now: twice for an exposed double, not at all for an end
    of the spinner that nothing was laid on."""

    arm: ArmName
    pips: int | None
    times: int = 1

    def __post_init__(self) -> None:
        if self.times not in (0, 1, 2):
            raise ValueError("an end is counted once, twice or not at all")


@dataclass(frozen=True, slots=True)
class LineOfPlay:
    """What lies on the table, as far as it is known.

    `count`: the sum of the open ends, None if it is not known. `latest`: the place in `tiles` of
    the tile laid last, None if the record doesn't tell where that tile lies. `unplaced`: the number
    of tiles that lie in places not known. `said_ends`: the open ends as players read them off, an
    exposed double twice, if the ends are known but not their arms. Raises ValueError if the tiles
    can't lie as given.
    """

    tiles: tuple[LaidTile, ...] = ()
    open_ends: tuple[OpenEnd, ...] = ()
    count: int | None = None
    latest: int | None = None
    unplaced: int = 0
    said_ends: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.latest is not None and not 0 <= self.latest < len(self.tiles):
            raise ValueError("the latest tile is none of these")
        if unknown := {end.arm for end in self.open_ends} - {*arms_of(self.tiles)}:
            raise ValueError(f"there is no arm {unknown.pop()} in this line")
        outer: dict[ArmName, int | None] = {}
        for number, tile in enumerate(self.tiles):
            if (tile.arm is None) != (number == 0):
                raise ValueError("the led tile, and no other, is on no arm")
            if tile.arm is None:
                outer = dict.fromkeys(arms_of([tile]), tile.outer)
                outer["left"] = tile.inner
                continue
            if tile.arm not in outer:
                raise ValueError(f"there is no arm {tile.arm} yet")
            if None not in (outer[tile.arm], tile.inner) and outer[tile.arm] != tile.inner:
                raise ValueError(f"a {tile.inner} is joined to a {outer[tile.arm]}")
            outer[tile.arm] = tile.outer
            if tile.spinner:
                if "up" in outer:
                    raise ValueError("there is one spinner only")
                outer |= {"up": tile.outer, "down": tile.outer}


def arms_of(tiles: Sequence[LaidTile]) -> tuple[ArmName, ...]:
    """The arms of a line of these tiles: none before the lead, two before a spinner, then four."""
    if any(tile.spinner for tile in tiles):
        return ARM_NAMES
    return ARM_NAMES[:2] if tiles else ()
