"""The tableau of High Fives: the tiles in it, as far as known, and the possible captures."""

from collections.abc import Iterable
from itertools import combinations

from companion.core.errors import RuleError
from companion.core.values import dataclass
from companion.games.high_fives.entries import Pair, TilePutDown
from companion.games.tiles import Tile, mask_of

OPENING = 5
"""The number of tiles turned face up before the first hand."""


def points_of(tile: Tile) -> int:
    """[5] The points of a tile: 1 for a double, plus a fifth of its pips if they are a positive
    multiple of five, so 5-5 has 3."""
    return tile.is_double + (tile.pips // 5 if tile.pips % 5 == 0 else 0)


def match(one: Tile, other: Tile) -> bool:
    """[3] Whether two tiles share a half."""
    return one.has(other.low) or one.has(other.high)


@dataclass(frozen=True, slots=True)
class KnownTiles:
    """The tiles of the game, as far as the record knows them. `places`: the places of the tableau;
    a tile keeps its place until it is taken, and None is a place that is free again. Unless the
    tableau is `known`, no tile is certain to be there.
    """

    places: tuple[Tile | None, ...] = ()
    latest: int | None = None
    """The place of the tile that the last turn left in the tableau."""
    known: bool = True
    seen: int = 0
    """The mask of all tiles that were played, captured or turned up."""
    captured: int = 0
    """The mask of all tiles that players have won."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles in the tableau; () if it is not known."""
        return tuple(tile for tile in self.places if tile)

    @property
    def points(self) -> int | None:
        """The points in the tableau; None if it is not known."""
        return sum(map(points_of, self.tiles)) if self.known else None

    def turned_up(self, tiles: Iterable[Tile]) -> "KnownTiles":
        """The tiles after more were turned face up; raises RuleError for a tile that was seen
        before."""
        places, added = [*self.places], [*tiles]
        for tile in added:
            self._refuse_seen(tile)
            if None in places:
                places[places.index(None)] = tile
            else:
                places.append(tile)
        seen = self.seen | mask_of(added)
        return KnownTiles(tuple(places), None, self.known, seen, self.captured)

    def put(self, put: TilePutDown) -> "KnownTiles":
        """The tiles after a turn; raises RuleError for a turn that the record excludes, unless the
        entry insists."""
        if not put.insisted:
            self._refuse_impossible(put)
        taken = set(put.captured)
        seen = self.seen | put.tile.bit | mask_of(taken)
        captured = self.captured | mask_of(taken)
        if put.insisted or not self.known:
            return KnownTiles((), None, known=False, seen=seen, captured=captured)
        places = [None if tile in taken else tile for tile in self.places]
        if put.takes:
            return KnownTiles(tuple(places), None, True, seen, captured)
        if None not in places:
            places.append(None)
        at = places.index(None)
        places[at] = put.tile
        return KnownTiles(tuple(places), at, True, seen, captured)

    def lost(self) -> "KnownTiles":
        """Returns the tiles without the tableau, which isn't known any more; the tiles seen so far
        stay known."""
        return KnownTiles((), None, known=False, seen=self.seen, captured=self.captured)

    def _refuse_impossible(self, put: TilePutDown) -> None:
        self._refuse_seen(put.tile)
        if put.takes:
            self._refuse_pair(put.tile, put.takes)
            self._refuse_absent(put.takes)
        if put.pair:
            self._refuse_pair(*put.pair)
            for tile in put.pair:
                self._refuse_absent(tile)

    def _refuse_seen(self, tile: Tile) -> None:
        if self.captured & tile.bit:
            raise RuleError("{tile} was already captured: look at the tile again", tile=tile)
        if self.known and tile in self.places:
            raise RuleError("{tile} is already in the tableau: look at the tile again", tile=tile)
        if self.seen & tile.bit:
            raise RuleError(
                "{tile} was already laid or turned up: look at the tile again", tile=tile
            )

    def _refuse_absent(self, tile: Tile) -> None:
        if self.captured & tile.bit:
            raise RuleError("{tile} was already captured: it isn't in the tableau", tile=tile)
        if self.known and tile not in self.places:
            raise RuleError("{tile} isn't in the tableau", tile=tile)

    def _refuse_pair(self, one: Tile, other: Tile) -> None:
        if not match(one, other):
            raise RuleError(
                "{one} and {other} aren't a pair: they share no half", one=one, other=other
            )


# ---------------------------------------------------------------- what a turn can take


def captures_of(table: KnownTiles, tile: Tile) -> tuple[Tile, ...]:
    """The tiles of the tableau that `tile` can capture, those with the most points first."""
    found = (other for other in table.tiles if other != tile and match(tile, other))
    return tuple(sorted(found, key=lambda other: (-points_of(other), other)))


def pairs_in(table: KnownTiles, besides: Tile | None = None) -> tuple[Pair, ...]:
    """The matching pairs in the tableau that don't include the tile `besides`, those with the most
    points first."""
    lying = combinations(sorted(table.tiles), 2)
    found = (pair for pair in lying if besides not in pair and match(*pair))
    return tuple(sorted(found, key=lambda pair: (-total_points(pair), pair)))


def total_points(tiles: Iterable[Tile]) -> int:
    return sum(map(points_of, tiles))
