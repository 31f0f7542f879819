"""The photos that the reader is measured on, and what the measuring counts."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.photos.camera import take
from tests.photos.club import GROUNDS, LIGHTS, SETS, scene
from tests.photos.measure import Figures, count
from tests.photos.things import THINGS, scattered

NUMBER = 90_000
"""The number of these photos, which is in no set."""


@pytest.mark.whole
@pytest.mark.parametrize("ground", GROUNDS)
def test_a_simulated_photo_has_whole_tiles_and_is_reproducible(ground: str) -> None:
    light = [*LIGHTS][GROUNDS.index(ground) % len(LIGHTS)]
    made = scene(ground, light, NUMBER)
    photo, corners = take(made.placed, made.look, made.how, made.seed)
    assert len(corners) == len(made.placed) >= 5
    wide, high = photo.size
    assert all(0 <= x <= wide and 0 <= y <= high for tile in corners for x, y in tile)
    again, _ = take(made.placed, made.look, made.how, made.seed)
    assert photo.tobytes() == again.tobytes()


def test_the_tiles_are_a_line_of_one_set() -> None:
    for number in range(NUMBER, NUMBER + 20):
        tiles = [one.tile for one in scene("board", "clear", number).placed]
        assert all(one[1] == other[0] for one, other in pairwise(tiles))
        assert len({tuple(sorted(tile)) for tile in tiles}) == len(tiles)


def test_all_sets_and_all_things_come_up() -> None:
    scenes = [scene(g, light, NUMBER + n) for g in GROUNDS for light in LIGHTS for n in range(3)]
    assert {one.more["set"] for one in scenes} == set(SETS)
    assert {thing for one in scenes for thing in one.how.things} == set(THINGS)


def test_nothing_lies_where_a_tile_will() -> None:
    """Where a tile will be, the ground may be in shadow, but has no object on it."""
    ground, taken = Image.new("RGB", (900, 700), (120, 120, 120)), Image.new("L", (900, 700))
    tiles = (slice(250, 450), slice(200, 700))
    taken.paste(255, (200, 250, 700, 450))
    lies = scattered(ground, taken, [*THINGS, *THINGS], np.random.default_rng(1), 50)
    pixels = np.asarray(lies)
    assert pixels[tiles].max() <= 120
    assert np.ptp(pixels[tiles], axis=2).max() == 0
    assert (np.ptp(pixels, axis=2) > 0).any()


def told(*tiles: tuple[str, bool]) -> dict[str, Any]:
    return {"ms": 10, "tiles": [{"tile": tile, "asks": asks} for tile, asks in tiles]}


def test_each_tile_counts_once() -> None:
    truth = {"tiles": [{"tile": tile} for tile in ("6-6", "6-3", "3-1", "4-1")]}
    figures = Figures()
    seen = told(("6-6", False), ("6-6", False), ("6-3", True), ("5-5", True), ("1-0", False))
    count(figures, truth, seen)
    assert (figures.tiles, figures.read, figures.asked) == (4, 1, 1)
    assert (figures.silent, figures.also_asked) == (2, 1)
