# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Writes a file for OpenSCAD with the display's picture and the keys' words, for the pictures of
the cases."""

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from PIL import Image

from companion.devices.board import MatrixKeys, load_board
from hw.parts import CASE

FILE = CASE / "screen.scad"
SHOWN = Path(__file__).parents[1] / "tests" / "screens" / "turn_preview.png"
"""The screen in the pictures, which is one of the tests' stored screens: a turn whose tile has been
entered."""
_HEAD = """\
// SPDX-License-Identifier: CERN-OHL-P-2.0
// Generated from boards/keypad-4x4.toml and a screen of the program by `make guide`.
"""


def screen_scad() -> str:
    """Returns the text of screen.scad. `lit` has the runs of lit pixels on the display, each as [x,
    y, length], with y counted downwards; `legends` has the keys' words, row by row from the
    front."""
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
    """Yields the start and the length of each run of lit pixels in a row with eight pixels per
    byte."""
    pixels = "".join(f"{byte:08b}" for byte in row)
    at = 0
    for pixel, run in groupby(pixels):
        long = len([*run])
        if pixel == "1":
            yield at, long
        at += long
