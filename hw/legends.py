# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Draws legends for clear keycaps, and labels for those keys of a matrix keypad or a number pad
that have something else printed on them. Both are on one SVG page, to be printed in true size and
cut out.

Every word can be read from 0.3 m: its capitals are at least as high as the guide's table of
displays requires for that distance.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor
from pathlib import Path

from companion.devices.board import MatrixKeys, load_board
from hw.tables import relabelled_keys

FILE = Path(__file__).parent / "legends.svg"
PAGE = (210, 297)
CAP = (12.0, 12.0)
"""The size of the paper under a clear 1u keycap, in mm: caps on sale have room for 11.5 to 13."""
LABEL = (10.0, 6.0)
"""The size of the sticky labels in bom.csv, in mm."""
SETS = 5
"""The number of sets of labels: one for the box and one for each of four seats."""
RULER = 100
_LEFT, _GAP = 15.0, 2.0
NUMBER_PAD_SAYS = "Labels for a number pad: Enter, Backspace (or comma), +, −, * and /"
READABLE = 1.8
"""The minimum height of a capital, in millimetres."""
CAPITAL = 0.716
"""The height of a capital as a fraction of the font's size (Arial; DejaVu Sans 0.729)."""
BESIDE = 0.8
"""Millimetres left free on both sides of a word together."""
_WIDTHS = {
    "A": 0.774, "B": 0.762, "C": 0.734, "D": 0.83, "E": 0.683, "G": 0.821, "K": 0.775,
    "M": 0.995, "N": 0.837, "O": 0.85, "P": 0.733, "R": 0.77, "S": 0.72, "U": 0.812, "W": 1.103,
}  # fmt: skip
_DIGIT = 0.696
"""The widths of bold letters as fractions of the font's size (DejaVu Sans; other fonts are
narrower)."""
NUMBER_PAD = ("OK", "BACK", "DRAW", "PASS", "BOGUS", "MENU")
"""What the keys Enter, Backspace, +, -, * and / mean (docs/manual/keypads.md)."""


def legends_svg() -> str:
    """Returns the page of legends and labels, as SVG."""
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, MatrixKeys)
    lines = [*_draw_ruler(20.0)]
    lines += _draw_text(_LEFT, 34, 4, "Legends for clear keycaps: cut along the lines", "start")
    for row, words in enumerate(keys.layout):
        lines += _draw_row(38 + row * (CAP[1] + _GAP), CAP, [key.value for key in words])
    lines += _draw_text(_LEFT, 106, 4, "Labels for a matrix keypad: one row for each", "start")
    labels = [word for _, word in relabelled_keys(keys)]
    for at in range(SETS):
        lines += _draw_row(110 + at * (LABEL[1] + _GAP), LABEL, labels)
    lines += _draw_text(_LEFT, 158, 4, NUMBER_PAD_SAYS, "start")
    for at in range(SETS):
        lines += _draw_row(162 + at * (LABEL[1] + _GAP), LABEL, NUMBER_PAD)
    width, height = PAGE
    body = "".join(f"{line}\n" for line in lines)
    return (
        "<!-- SPDX-License-Identifier: CERN-OHL-P-2.0 -->\n"
        "<!-- Generated from boards/keypad-4x4.toml by `make guide`: change it there. -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Arial, sans-serif">\n'
        f"{body}</svg>\n"
    )


def _draw_ruler(y: float) -> Iterator[str]:
    words = f"Print at 100 %: this line is {RULER} mm long"
    yield from _draw_text(_LEFT, y - 4, 4, words, "start")
    yield (
        f'<path d="M{_LEFT:g} {y - 2:g}v4M{_LEFT:g} {y:g}h{RULER}m0 -2v4" fill="none" '
        'stroke="black" stroke-width="0.3"/>'
    )


def _draw_row(y: float, size: tuple[float, float], words: Sequence[str]) -> Iterator[str]:
    width, height = size
    for column, word in enumerate(words):
        x = _LEFT + column * (width + _GAP)
        yield (
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="white" '
            'stroke="black" stroke-width="0.1"/>'
        )
        room = width - BESIDE
        wide = sum(_WIDTHS.get(letter, _DIGIT) for letter in word)
        least = ceil(100 * READABLE / CAPITAL) / 100
        letter_size = max(least, floor(100 * min(height * 0.6, room / wide)) / 100)
        # A word that would be too wide at a readable size is drawn narrower, in any font.
        narrow = room if wide * letter_size > room else None
        yield from _draw_text(
            x + width / 2, y + height / 2 + letter_size * 0.36, letter_size, word, "middle", narrow
        )


def _draw_text(  # noqa: PLR0917  # as SVG has them
    x: float, y: float, size: float, words: str, anchor: str, width: float | None = None
) -> Iterator[str]:
    weight = ' font-weight="bold"' if anchor == "middle" else ""
    fits = f' textLength="{width:g}" lengthAdjust="spacingAndGlyphs"' if width else ""
    yield (
        f'<text x="{x:g}" y="{y:.4g}" font-size="{size:.3g}" text-anchor="{anchor}"{weight}{fits}>'
        f"{words}</text>"
    )
