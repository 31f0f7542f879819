"""The 28 tiles of a double-six set.

A tile has two halves of 0 to 6 pips; `Tile(2, 5)` and `Tile(5, 2)` are the same tile. Sets of tiles
are kept as bit masks (bit `tile.bit`), because a line of play may have thousands of explanations.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

from companion.errors import EntryError

MAX_PIPS = 6


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One domino, the lower half first: 0 <= low <= high <= 6."""

    low: int
    high: int
    bit: int = field(init=False, compare=False, repr=False)
    """This tile's bit in a mask."""

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= MAX_PIPS:
            raise ValueError(f"no such tile: {self.low}-{self.high}")
        before = self.low * (MAX_PIPS + 1) - self.low * (self.low - 1) // 2
        object.__setattr__(self, "bit", 1 << before + self.high - self.low)

    @classmethod
    def of(cls, a: int, b: int) -> "Tile":
        """The tile with these two halves, in either order."""
        return BY_PIPS[a, b] if (a, b) in BY_PIPS else cls(min(a, b), max(a, b))

    @classmethod
    def parse(cls, text: str) -> "Tile":
        """Reads `5-6`; raises EntryError."""
        return cls.of(*parse_halves(text))

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"

    @property
    def pips(self) -> int:
        """Both halves together."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        """Both halves alike."""
        return self.low == self.high

    def has(self, pips: int) -> bool:
        """Whether a half shows this many pips."""
        return pips in (self.low, self.high)

    def other(self, pips: int) -> int:
        """The half that is not matched when `pips` is: 5-6 joined by its 5 leaves 6."""
        return self.high if pips == self.low else self.low


def parse_halves(text: str) -> tuple[int, int]:
    """Reads `A-B` and keeps the order in which it was said; raises EntryError."""
    halves = text.split("-")
    if len(halves) != 2 or not all(
        half.isdecimal() and half.isascii() and len(half) < 4 for half in halves
    ):
        raise EntryError(f"{text[:40]} is not a tile: write both halves, as in 5-6")
    a, b = int(halves[0]), int(halves[1])
    if max(a, b) > MAX_PIPS:
        raise EntryError(f"{text} is not in a double-six set: halves go from 0 to {MAX_PIPS}")
    return a, b


TILES = tuple(Tile(low, high) for low in range(MAX_PIPS + 1) for high in range(low, MAX_PIPS + 1))
BY_PIPS = {(a, b): t for t in TILES for a, b in ((t.low, t.high), (t.high, t.low))}
ALL = (1 << len(TILES)) - 1


def mask_of(tiles: Iterable[Tile]) -> int:
    """These tiles as a mask."""
    return sum({tile.bit for tile in tiles})


def tiles_in(mask: int) -> Iterator[Tile]:
    """The tiles of a mask, lowest first."""
    return (tile for tile in TILES if mask & tile.bit)


@cache
def suit(pips: int) -> int:
    """The seven tiles that show `pips`, as a mask."""
    return mask_of(tile for tile in TILES if tile.has(pips))
