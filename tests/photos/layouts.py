"""Arrangements of tiles: a line of play that wraps, a handful face up, a rack. One unit is the
width of a tile; y grows towards the photographer."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from random import Random

Tile = tuple[int, int]
DOUBLE_SIX: tuple[Tile, ...] = tuple((high, low) for high in range(7) for low in range(high + 1))


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile and the place of its middle. At `angle` 0 it is parallel to x, with its first number
    on the left."""

    tile: Tile
    x: float
    y: float
    angle: float

    @property
    def name(self) -> str:
        """The tile as the record writes it."""
        return f"{max(self.tile)}-{min(self.tile)}"

    def corners(self, length: float = 2.0) -> list[tuple[float, float]]:
        """Returns its four corners in order around it; `length` is that of the tile."""
        along, across = (cos(self.angle), sin(self.angle)), (-sin(self.angle), cos(self.angle))
        return [
            (
                self.x + a * length / 2 * along[0] + b / 2 * across[0],
                self.y + a * length / 2 * along[1] + b / 2 * across[1],
            )
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]


def legal_line(random: Random, most: int) -> list[Tile]:
    """Tiles of one set in the order of a line, each with its matching number first."""
    left = list(DOUBLE_SIX)
    random.shuffle(left)
    line = [left.pop()]
    while len(line) < most:
        fits = [tile for tile in left if line[-1][1] in tile]
        if not fits:
            break
        tile = fits[0]
        left.remove(tile)
        line.append(tile if tile[0] == line[-1][1] else tile[::-1])
    return line


def line(random: Random, tiles: Sequence[Tile], wide: float, gap: float) -> list[Placed]:
    """Arranges these tiles as a line that turns when it is `wide` units long. Doubles are placed
    crosswise; gaps are up to `gap` units, and the tiles are slightly askew."""
    placed: list[Placed] = []
    x = y = 0.0
    heading = 0
    down = 0
    for tile in tiles:
        along = _step(heading)
        turns = (
            (x > wide and heading == 0)
            or (x < -0.5 and heading == 2)
            or (heading == 1 and down > 1)
        )
        if turns and tile[0] != tile[1] and placed and placed[-1].tile[0] != placed[-1].tile[1]:
            new = 1 if heading != 1 else (2 if x > wide / 2 else 0)
            side = _step(new)
            x, y = x + along[0] * 0.5, y + along[1] * 0.5
            middle = (x + side[0] * 0.5, y + side[1] * 0.5)
            x, y = x + side[0] * 1.5, y + side[1] * 1.5
            heading, down = new, 0
        else:
            size = 1.0 if tile[0] == tile[1] else 2.0
            middle = (x + along[0] * size / 2, y + along[1] * size / 2)
            x, y = x + along[0] * size, y + along[1] * size
        down += heading == 1
        across = tile[0] == tile[1]
        angle = heading * pi / 2 + (pi / 2 if across else 0) + random.gauss(0, 0.02)
        shift = random.uniform(0, gap)
        after = _step(heading)
        x, y = x + after[0] * shift, y + after[1] * shift
        placed.append(Placed(tile, *middle, angle))
    return placed


def _step(heading: int) -> tuple[float, float]:
    return [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)][heading]


def handful(random: Random, many: int) -> list[Placed]:
    """Arranges the tiles of a hand face up on the table, in rows, in any direction, some askew."""
    tiles = random.sample(DOUBLE_SIX, many)
    columns = random.choice([2, 3, 4])
    upright = random.random() < 0.5
    wide, high = (1.3, 2.4) if upright else (2.4, 1.3)
    return [
        Placed(
            tile if random.random() < 0.5 else tile[::-1],
            place % columns * wide + random.uniform(-0.08, 0.08),
            place // columns * high + random.uniform(-0.08, 0.08),
            (pi / 2 if upright else 0) + random.gauss(0, 0.08),
        )
        for place, tile in enumerate(tiles)
    ]


def rack(random: Random, many: int) -> list[Placed]:
    """Arranges tiles that stand beside each other, touching and slightly fanned."""
    tiles, fan = random.sample(DOUBLE_SIX, many), random.choice([0.0, 0.0, 0.03, 0.06])
    placed = []
    for place, tile in enumerate(tiles):
        turned = (place - (many - 1) / 2) * fan
        x = (place - (many - 1) / 2) * random.uniform(1.02, 1.05)
        placed.append(Placed(tile, x, abs(turned) * 1.5, pi / 2 + turned + random.gauss(0, 0.008)))
    return placed


def turned(placed: list[Placed], by: float) -> list[Placed]:
    """All tiles, turned by the angle `by` around the origin."""
    return [
        Placed(
            one.tile,
            one.x * cos(by) - one.y * sin(by),
            one.x * sin(by) + one.y * cos(by),
            one.angle + by,
        )
        for one in placed
    ]
