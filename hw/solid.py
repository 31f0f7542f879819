# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Checks whether the solid in an STL file can be printed: closed, in one piece, and small
enough."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

BED_MM = 200.0
"""A small printer's bed is at least this wide and deep, and it prints at least this high."""

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Solid:
    """The triangles of a surface, each counter-clockwise as seen from outside."""

    triangles: tuple[Triangle, ...]

    @property
    def corners(self) -> tuple[Point, Point]:
        """The two opposite corners of the solid's bounding box with the lowest and the highest
        coordinates, in millimetres."""
        points = [point for triangle in self.triangles for point in triangle]
        low, high = (tuple(pick(p[i] for p in points) for i in range(3)) for pick in (min, max))
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    @property
    def size(self) -> Point:
        """Width, depth and height in millimetres."""
        low, high = self.corners
        return high[0] - low[0], high[1] - low[1], high[2] - low[2]


def read_stl(path: Path) -> Solid:
    """Reads a text STL file. Raises ValueError if it isn't one."""
    points: list[Point] = []
    for line in path.read_text(encoding="ascii").splitlines():
        match line.split():
            case ["vertex", x, y, z]:
                points.append((float(x), float(y), float(z)))
    if not points or len(points) % 3:
        raise ValueError(f"{path.name} has {len(points)} corners, not three a triangle")
    at = iter(points)
    return Solid(tuple(zip(at, at, at, strict=True)))


def faults(solid: Solid) -> list[str]:
    """Returns the reasons why the solid can't be printed, each in a few words; an empty list if it
    can be."""
    found = []
    edges = Counter(edge for triangle in solid.triangles for edge in _edges(triangle))
    open_edges = sum(1 for a, b in edges if edges[a, b] != 1 or edges[b, a] != 1)
    if open_edges:
        found.append(f"its surface isn't closed: {open_edges} edges don't join two triangles")
    if (pieces := _pieces(solid.triangles)) != 1:
        found.append(f"it is in {pieces} pieces")
    if _volume(solid.triangles) <= 0:
        found.append("it is inside out")
    if any(length > BED_MM for length in solid.size):
        size = " × ".join(f"{length:.0f}" for length in solid.size)
        found.append(f"it is {size} mm, larger than {BED_MM:.0f} mm")
    return found


def _edges(triangle: Triangle) -> Iterable[tuple[Point, Point]]:
    a, b, c = triangle
    return (a, b), (b, c), (c, a)


def _pieces(triangles: Iterable[Triangle]) -> int:
    """Returns the number of separate surfaces. A hollow inside a part would count as one too, but
    no part has any."""
    chief: dict[Point, Point] = {}

    def find(point: Point) -> Point:
        while (above := chief.setdefault(point, point)) != point:
            chief[point] = chief[above]
            point = above
        return point

    for a, b, c in triangles:
        chief[find(a)] = find(b)
        chief[find(b)] = find(c)
    return sum(1 for point in chief if find(point) == point)


def _volume(triangles: Iterable[Triangle]) -> float:
    return sum(
        ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        for (ax, ay, az), (bx, by, bz), (cx, cy, cz) in triangles
    )
