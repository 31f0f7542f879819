# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The pictures of the cases: what their display and keys show, as a file for OpenSCAD."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from PIL import Image

from companion.devices.board import MatrixKeys, load_board
from hw.parts import CASE

FILE = CASE / "screen.scad"
SHOWN = Path(__file__).parents[1] / "tests" / "screens" / "turn_preview.png"
"""The screen that the tests compare: a turn whose tile was entered."""
_HEAD = """\
// SPDX-License-Identifier: CERN-OHL-P-2.0
// Generated from boards/keypad-4x4.toml and a screen of the program by `make guide`.
"""


def screen_scad() -> str:
    """The text of screen.scad: `lit`, runs of the display's lit pixels, each [x, y, length], y
    downward; `legends`, the keys' words, row after row from the front."""
    with Image.open(SHOWN) as image:
        bits = image.convert("1").tobytes()
        size = image.size
    rows = [bits[at : at + size[0] // 8] for at in range(0, len(bits), size[0] // 8)]
    lit = [[x, y, long] for y, row in enumerate(rows) for x, long in _lit_runs(row)]
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, MatrixKeys)
    words = [[key.value for key in row] for row in reversed(keys.layout)]
    values = {"pixels": size, "lit": lit, "legends": words}
    return _HEAD + "".join(f"{name} = {json.dumps(value)};\n" for name, value in values.items())


def _lit_runs(row: bytes) -> Iterator[tuple[int, int]]:
    """The runs of lit pixels of a row of eight pixels a byte: each its start and its length."""
    pixels = "".join(f"{byte:08b}" for byte in row)
    at = 0
    for pixel, run in groupby(pixels):
        long = len([*run])
        if pixel == "1":
            yield at, long
        at += long
