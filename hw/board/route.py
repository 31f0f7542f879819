# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Routes tracks between pads, on a grid of two layers; the same board always gets the same tracks.

The search is A*, from the cells that a net already has to its next pad. A step costs its length, a
via as much as `VIA_COST` steps, and a step against the layer's preferred direction a bit more (the
upper layer prefers tracks across the board, the lower layer tracks along it). If a net can't be
routed, it moves to the front of the queue, and everything is routed again.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

Cell = tuple[int, int, int]
"""Column, row, layer: 0 is the upper face, 1 the lower."""

VIA_COST = 12.0
AGAINST_GRAIN = 1.2
ROUNDS = 60
_STEPS = tuple((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)


class NoWayError(Exception):
    """A net can't be routed, in any order of the nets that was tried."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a board: cell (0, 0) is at `origin`, and cells are `pitch` mm apart."""

    origin: tuple[float, float]
    pitch: float
    columns: int
    rows: int

    def at(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Returns the position of a cell, in mm."""
        return self.origin[0] + cell[0] * self.pitch, self.origin[1] + cell[1] * self.pitch

    def nearest(self, x: float, y: float) -> tuple[int, int]:
        """Returns the cell that is nearest to a point, given in mm."""
        return round((x - self.origin[0]) / self.pitch), round((y - self.origin[1]) / self.pitch)

    def distances(
        self, shape: Callable[[float, float], float], centre: tuple[float, float], reach: float
    ) -> Iterator[tuple[tuple[int, int], float]]:
        """Yields the cells of the board that may be within `reach` mm of `centre`, with their
        distances from the shape."""
        (left, top), span = self.nearest(*centre), math.ceil(reach / self.pitch) + 1
        for column in range(max(0, left - span), min(self.columns, left + span + 1)):
            for row in range(max(0, top - span), min(self.rows, top + span + 1)):
                yield (column, row), shape(*self.at((column, row)))


@dataclass(frozen=True, slots=True)
class Reach:
    """The distances in mm that must be kept from an obstacle: `track` for the centre of a track,
    `via` for the centre of a via."""

    track: float
    via: float


@dataclass(slots=True)
class Obstacles:
    """The cells that must be kept clear: for each cell and layer, the nets whose copper is too
    near.

    No net may use a cell near the copper of two nets, or near a hole or the edge (which have the
    empty name).
    """

    tracks: dict[Cell, set[str]] = field(default_factory=dict)
    vias: dict[Cell, set[str]] = field(default_factory=dict)

    def add(
        self,
        net: str,
        distances: Iterable[tuple[tuple[int, int], float]],
        layers: Iterable[int],
        reach: Reach,
    ) -> None:
        """Adds an obstacle of `net`. `distances`: the cells near it, each with its distance in
        mm."""
        for cell, distance in distances:
            for layer in layers:
                if distance < reach.track:
                    self.tracks.setdefault((*cell, layer), set()).add(net)
                if distance < reach.via:
                    self.vias.setdefault((*cell, layer), set()).add(net)


@dataclass(slots=True)
class Router:
    """Routes nets one after the other. `taken`: the net of each cell that has a track."""

    grid: Grid
    obstacles: Obstacles
    taken: dict[Cell, str] = field(default_factory=dict)
    drilled: dict[tuple[int, int], str] = field(default_factory=dict)

    def free(self, net: str, cell: Cell) -> bool:
        """Returns whether a track of that net may pass this cell."""
        column, row, _ = cell
        if not (0 <= column < self.grid.columns and 0 <= row < self.grid.rows):
            return False
        if self.taken.get(cell, net) != net or self.obstacles.tracks.get(cell, set()) - {net}:
            return False
        around = ((column + x, row + y) for x, y in (*_STEPS, (0, 0)))
        return all(self.drilled.get(one, net) == net for one in around)

    def may_drill(self, net: str, cell: tuple[int, int]) -> bool:
        """Returns whether a via of that net fits into this cell: clear of everything, on both
        layers."""
        for layer in (0, 1):
            if self.obstacles.vias.get((*cell, layer), set()) - {net}:
                return False
            for x, y in (*_STEPS, (0, 0)):
                if self.taken.get((cell[0] + x, cell[1] + y, layer), net) != net:
                    return False
        far = ((cell[0] + x, cell[1] + y) for x in range(-2, 3) for y in range(-2, 3))
        return all(one not in self.drilled or one == cell for one in far)

    def steps(self, net: str, cell: Cell) -> Iterator[tuple[Cell, float]]:
        """Yields the cells to which a track may continue from this one, and the cost of each
        step."""
        column, row, layer = cell
        for x, y in _STEPS:
            there = (column + x, row + y, layer)
            if not self.free(net, there):
                continue
            if x and y:
                beside = (column + x, row, layer), (column, row + y, layer)
                if not all(self.free(net, one) for one in beside):
                    continue
                yield there, math.sqrt(2)
            else:
                yield there, AGAINST_GRAIN if (y if layer == 0 else x) else 1.0
        other = (column, row, 1 - layer)
        if self.free(net, other) and self.may_drill(net, (column, row)):
            yield other, VIA_COST

    def find_path(self, net: str, starts: Iterable[Cell], goals: set[Cell]) -> list[Cell]:
        """Returns the cheapest path from any start to any goal; empty if there is none."""
        box = (
            min(cell[0] for cell in goals), max(cell[0] for cell in goals),
            min(cell[1] for cell in goals), max(cell[1] for cell in goals),
        )  # fmt: skip

        def left(cell: Cell) -> float:
            """Returns a lower bound for the cost to the nearest goal."""
            x = max(box[0] - cell[0], 0, cell[0] - box[1])
            y = max(box[2] - cell[1], 0, cell[1] - box[3])
            return max(x, y) + (math.sqrt(2) - 1) * min(x, y)

        cost = dict.fromkeys(sorted(starts), 0.0)
        came: dict[Cell, Cell] = {}
        queue = [(left(cell), cell) for cell in cost]
        heapq.heapify(queue)
        done = set()
        while queue:
            _, cell = heapq.heappop(queue)
            if cell in goals:
                way = [cell]
                while way[-1] in came:
                    way.append(came[way[-1]])
                return way[::-1]
            if cell in done:
                continue
            done.add(cell)
            for there, price in self.steps(net, cell):
                total = cost[cell] + price
                if total < cost.get(there, math.inf):
                    cost[there], came[there] = total, cell
                    heapq.heappush(queue, (total + left(there), there))
        return []

    def connect(self, net: str, pads: list[set[Cell]]) -> list[list[Cell]] | None:
        """Joins the pads of a net, each a set of cells. Returns the paths; None if a pad can't be
        reached."""
        joined, rest, ways = set(pads[0]), pads[1:], []
        while rest:
            way = self.find_path(net, joined, set().union(*rest))
            if not way:
                return None
            ways.append(way)
            reached = next(pad for pad in rest if way[-1] in pad)
            rest.remove(reached)
            joined |= reached | set(way)
            for cell in way:
                self.taken[cell] = net
            for one, other in pairwise(way):
                if one[2] != other[2]:
                    self.drilled[one[:2]] = net
                # A diagonal step comes too near to copper in the cells beside it.
                self.taken[one[0], other[1], one[2]] = self.taken[other[0], one[1], one[2]] = net
        return ways


def route(
    grid: Grid, obstacles: Obstacles, nets: Mapping[str, list[set[Cell]]]
) -> dict[str, list[list[Cell]]]:
    """Routes all nets; returns the paths of each. Raises NoWayError if no order was found in which
    all of them can be routed."""

    def span(net: str) -> tuple[int, str]:
        cells = [cell for pad in nets[net] for cell in pad]
        width = max(cell[0] for cell in cells) - min(cell[0] for cell in cells)
        return width + max(cell[1] for cell in cells) - min(cell[1] for cell in cells), net

    order = sorted(nets, key=span)
    for _ in range(ROUNDS):
        router, found = Router(grid, obstacles), {}
        for net in order:
            ways = router.connect(net, nets[net])
            if ways is None:
                order.remove(net)
                order.insert(0, net)
                break
            found[net] = ways
        else:
            return found
    raise NoWayError(f"no way is found for {order[0]}")


def corners(way: list[Cell]) -> list[Cell]:
    """Returns the path's first and last cell, and those between at which its direction changes."""
    kept = way[:1]
    for before, cell, after in zip(way, way[1:], way[2:], strict=False):
        into = tuple(b - a for a, b in zip(before, cell, strict=True))
        out = tuple(b - a for a, b in zip(cell, after, strict=True))
        if into != out:
            kept.append(cell)
    return [*kept, *way[-1:]]
