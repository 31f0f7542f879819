"""The surfaces under the tiles: pictures of table tops, made of noise."""

from collections.abc import Callable
from typing import Final

import numpy as np
from PIL import Image

from tests.photos.looks import Pixels

Draw = np.random.Generator


def smooth(random: Draw, size: tuple[int, int], cells: tuple[float, float]) -> Pixels:
    """Returns smooth noise from 0 to 1. `cells`: how many cells it has across and down."""
    wide, high = size
    across, down = max(2, round(cells[0])), max(2, round(cells[1]))
    coarse = Image.fromarray(random.random((down, across), np.float32), "F")
    fine = np.asarray(coarse.resize(size, Image.Resampling.BICUBIC), np.float32)
    assert fine.shape == (high, wide)
    clipped: Pixels = np.clip(fine, 0, 1).astype(np.float32)
    return clipped


def _wood(random: Draw, size: tuple[int, int]) -> Pixels:
    wide, high = size
    rings = smooth(random, size, (2, 9)) * 18 + np.linspace(0, 25, high, dtype=np.float32)[:, None]
    grain = 0.5 + 0.5 * np.sin(rings * 2.2)
    fibre = smooth(random, size, (wide / 160, high / 2.5))
    amount = (0.6 * grain + 0.4 * fibre)[..., None]
    dark, light = _two_of(random, _WOODS)
    mixed: Pixels = dark + (light - dark) * amount
    return mixed


def _cloth(random: Draw, size: tuple[int, int]) -> Pixels:
    wide, high = size
    (colour,) = random.choice(np.asarray(_CLOTHS, np.float32), 1) / 255
    weave = smooth(random, size, (wide / 3, high / 3))[..., None]
    woven: Pixels = (colour * (0.85 + 0.3 * weave)).astype(np.float32)
    return woven


def _checks(random: Draw, size: tuple[int, int]) -> Pixels:
    wide, high = size
    cell = int(random.integers(30, 120))
    across, down = np.arange(wide) // cell % 2, np.arange(high) // cell % 2
    amount = (across[None, :] + down[:, None])[..., None].astype(np.float32) / 2
    dark, light = _two_of(random, _CHECKS)
    return (light + (dark - light) * amount).astype(np.float32)


def _stone(random: Draw, size: tuple[int, int]) -> Pixels:
    wide, high = size
    cells = [(wide / 300, high / 300), (wide / 60, high / 60), (wide / 6, high / 6)]
    clouds = sum(
        (
            smooth(random, size, one) * part
            for one, part in zip(cells, (0.5, 0.3, 0.2), strict=True)
        ),
        np.zeros((high, wide), np.float32),
    )
    dark, light = _two_of(random, _STONES)
    return dark + (light - dark) * clouds[..., None]


def _plain(random: Draw, size: tuple[int, int]) -> Pixels:
    wide, high = size
    (colour,) = random.choice(np.asarray(_PLAINS, np.float32), 1) / 255
    return np.broadcast_to(colour, (high, wide, 3)).astype(np.float32)


def _two_of(
    random: Draw, pairs: list[tuple[tuple[int, int, int], tuple[int, int, int]]]
) -> tuple[Pixels, Pixels]:
    pair = np.asarray(pairs[int(random.integers(len(pairs)))], np.float32) / 255
    return pair[0], pair[1]


_WOODS: Final = [
    ((96, 60, 34), (150, 104, 64)),
    ((150, 108, 66), (196, 156, 108)),
    ((52, 34, 24), (88, 60, 42)),
    ((176, 144, 104), (214, 188, 150)),
]
_CLOTHS: Final = [(28, 92, 56), (120, 28, 36), (40, 56, 110), (196, 190, 178), (84, 84, 88)]
_CHECKS: Final = [
    ((170, 40, 44), (232, 226, 218)),
    ((60, 90, 150), (228, 228, 226)),
    ((110, 110, 104), (190, 186, 176)),
]
_STONES: Final = [
    ((110, 108, 104), (190, 188, 184)),
    ((40, 42, 46), (96, 98, 102)),
    ((150, 130, 110), (206, 192, 176)),
]
_PLAINS: Final = [(226, 224, 220), (60, 62, 66), (148, 120, 90), (120, 146, 160), (24, 24, 26)]

TABLES: Final[dict[str, Callable[[Draw, tuple[int, int]], Pixels]]] = {
    "wood": _wood,
    "cloth": _cloth,
    "checks": _checks,
    "stone": _stone,
    "plain": _plain,
}
"""The kinds of table top by name; each function draws one of a size in pixels."""
