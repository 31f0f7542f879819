# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The size of the letters on each display, and the distance from which they can be read."""

import math
import tomllib
from collections.abc import Iterable

from companion.console.frame import HEIGHT, Canvas
from hw.parts import CASE
from hw.tables import markdown

NAMES = {"oled096": "0.96 inch", "oled13": "1.3 inch, **recommended**", "oled242": "2.42 inch"}
FONTS = ("small", "caps", "big")
EASY, BARELY = 20.0, 10.0
"""The angles, in minutes of arc, under which a letter can be read with ease, and with effort.
Source: ISO 9241-303: 20 to 22 are preferred, 16 is the least; sharp eyes read letters of 5."""


def rows_of(font: str) -> int:
    """Returns the height of a font's digits, in pixels."""
    canvas = Canvas()
    canvas.text(0, 0, "0", font)
    return sum("#" in row for row in canvas.frame().rows())


def letter_mm(display: str, font: str) -> float:
    """Returns the height of a digit, in millimetres, on one of the displays in case/parts.toml."""
    told = tomllib.loads((CASE / "parts.toml").read_text(encoding="utf-8"))
    return float(told[display]["view"][1]) / HEIGHT * rows_of(font)


def distance_m(letter: float, minutes: float) -> float:
    """Returns the distance, in metres, at which a letter `letter` millimetres high appears under an
    angle of `minutes` minutes of arc."""
    return letter / 1000 / math.tan(math.radians(minutes / 60))


def display_table(names: Iterable[str] = NAMES) -> str:
    """Returns a Markdown table of these displays and the sizes of their letters."""
    head = (
        "display",
        "small text",
        "with ease from",
        "barely from",
        "names and keyed digits",
        "with ease from",
    )
    return markdown(head, (_row(display) for display in names))


def _row(display: str) -> tuple[str, ...]:
    small, caps = letter_mm(display, "small"), letter_mm(display, "caps")
    metres = (distance_m(small, EASY), distance_m(small, BARELY), distance_m(caps, EASY))
    easy, barely, far = (f"{metre:.1f} m" for metre in metres)
    return NAMES[display], f"{small:.1f} mm", easy, barely, f"{caps:.1f} mm", far
