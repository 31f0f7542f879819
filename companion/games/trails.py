"""How the line came about: which tile each lay was, and what each draw or pass faced.

The worlds of a line (worlds.py) are told apart only as far as later lays need it. A dispute asks
for more: which seat laid which tile when. Entered by tile there is one trail; entered by ends there
are few; past LIMIT they are given up, and nothing is proven in that hand any more.
"""

from typing import NamedTuple

from companion.games.worlds import Lay, World, Worlds
from companion.tiles import Tile, tiles_in

LIMIT = 16
"""More trails than this are not kept: by ends there were four at most in 150 random games, and by
count it bounds the time of a lay (see `make bench`)."""


class Trail(NamedTuple):
    """One way in which the hand may have gone so far."""

    world: World
    laid: tuple[Tile, ...] = ()
    """The tile of each lay, in order."""
    faced: tuple[int, ...] = ()
    """For each draw or pass, in order, the tiles that matched an open end then, as a mask."""


FIRST_TRAILS = (Trail((None, 0)),)

Trails = tuple[Trail, ...]


def after_lay(trails: Trails, lay: Lay, line: Worlds) -> Trails:
    """Each trail with every lay that agrees with what was said; mirror images once. `line` is what
    is known of the line after it."""
    if line.lost:
        return ()
    if len(trails) == 1 and len(line.possible) == 1:
        (trail,), (after,) = trails, line.possible
        (tile,) = tiles_in(after[1] & ~trail.world[1]) if lay.tile is None else (lay.tile,)
        return (Trail(after, (*trail.laid, tile), trail.faced),)
    found = []
    for trail in trails:
        for way in Worlds((trail.world,)).ways(lay):
            found.append(Trail(way.after, (*trail.laid, way.tile), trail.faced))
        if len(found) > LIMIT:
            return ()
    return tuple(found)


def after_no_lay(trails: Trails) -> Trails:
    """Each trail with what a draw or pass faced."""
    return tuple(
        trail._replace(faced=(*trail.faced, trail.world[0].suits if trail.world[0] else 0))
        for trail in trails
    )


def without(trails: Trails, tiles: int) -> Trails:
    """The trails in which none of these tiles lies."""
    return tuple(trail for trail in trails if not trail.world[1] & tiles)
