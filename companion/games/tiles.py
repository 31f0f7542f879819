"""Sets of dominoes: their tiles, reading and naming them, and masks of them.

A tile has two halves; `2-5` and `5-2` are the same tile. A set has every pair of halves once, from
0 pips up to its highest, and perhaps wild halves, `W`. Several tiles are a bit mask (bit
`tile.bit`), which is fast enough for the thousands of lines of play that may be possible.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from companion.core.errors import EntryError
from companion.core.values import dataclass

WILD = "W"
"""The letter for a wild half."""


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One domino, the lower half first: 0 <= low <= high. Only a TileSet creates tiles; its
    `tile()` returns them. A wild half is also a number, one more than the highest pips of its set,
    and counts that many pips in a holding (7 in Highrise)."""

    low: int
    high: int
    bit: int = field(compare=False, repr=False)
    """This tile's bit in a mask of its set."""
    name: str = field(compare=False, repr=False)
    """The tile as players write it: 5-6, 3-W."""

    def __str__(self) -> str:
        return self.name

    @property
    def pips(self) -> int:
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        return self.low == self.high

    def has(self, half: int) -> bool:
        return half in (self.low, self.high)

    def other(self, half: int) -> int:
        """The half that stays open when the tile is joined by `half`: for 5-6 joined by its 5, the
        6."""
        return self.high if half == self.low else self.low


@dataclass(frozen=True, slots=True)
class TileSet:
    """All tiles with halves of 0 to `highest` pips; with `wilds`, also tiles with wild halves."""

    name: str
    highest: int
    wilds: bool = False
    tiles: tuple[Tile, ...] = field(init=False, compare=False, repr=False)
    """All tiles, ordered by their lower half and then the higher one."""
    by_halves: Mapping[tuple[int, int], Tile] = field(init=False, compare=False, repr=False)
    """Each tile by its halves in either order."""
    all: int = field(init=False, compare=False, repr=False)
    """The mask of all tiles."""
    suits: tuple[int, ...] = field(init=False, compare=False, repr=False)
    """For each half, the mask of the tiles with it."""

    def __post_init__(self) -> None:
        names = self.halves
        pairs = [(low, high) for low in range(len(names)) for high in range(low, len(names))]
        tiles = tuple(
            Tile(low, high, 1 << at, f"{names[low]}-{names[high]}")
            for at, (low, high) in enumerate(pairs)
        )
        both = {(a, b): t for t in tiles for a, b in ((t.low, t.high), (t.high, t.low))}
        suits = tuple(mask_of(t for t in tiles if t.has(half)) for half in range(len(names)))
        for attribute, value in (
            ("tiles", tiles), ("by_halves", both), ("all", mask_of(tiles)), ("suits", suits),
        ):  # fmt: skip
            object.__setattr__(self, attribute, value)

    def __len__(self) -> int:
        return len(self.tiles)

    @property
    def halves(self) -> tuple[str, ...]:
        """The text of every half, in the order of the numbers that stand for them."""
        pips = tuple(str(each) for each in range(self.highest + 1))
        return (*pips, WILD) if self.wilds else pips

    @property
    def pips(self) -> int:
        return sum(tile.pips for tile in self.tiles)

    def tile(self, a: int, b: int) -> Tile:
        """The tile with these two halves, in either order; raises KeyError if there is none."""
        return self.by_halves[a, b]

    def parse(self, text: str) -> Tile:
        """Reads `5-6`; raises EntryError."""
        return self.by_halves[self.parse_halves(text)]

    def parse_halves(self, text: str) -> tuple[int, int]:
        """Reads `A-B`, with `W` or `w` for a wild half, and keeps the order of the halves. Raises
        EntryError."""
        halves = text.upper().split("-")
        if len(halves) != 2 or not all(map(self._could_be_half, halves)):
            raise EntryError("{text} is not a tile: write both halves, as in 5-6", text=text[:40])
        a, b = (self.highest + 1 if each == WILD else int(each) for each in halves)
        if any(each != WILD and int(each) > self.highest for each in halves):
            raise EntryError(
                "{text} is not in a {set} set: halves go from 0 to {highest}",
                text=text,
                set=self.name,
                highest=self.highest,
            )
        return a, b

    def _could_be_half(self, text: str) -> bool:
        if text == WILD:
            return self.wilds
        return text.isdecimal() and text.isascii() and len(text) < 4

    def tiles_in(self, mask: int) -> Iterator[Tile]:
        """The tiles of a mask, lowest first."""
        return (tile for tile in self.tiles if mask & tile.bit)


def mask_of(tiles: Iterable[Tile]) -> int:
    """The mask of these tiles of one set."""
    return sum({tile.bit for tile in tiles})


DOUBLE_SIX = TileSet("double-six", 6)
"""The double-six set, of 28 tiles."""
