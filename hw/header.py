# SPDX-License-Identifier: CERN-OHL-P-2.0
"""Draws a computer's pins as seen from above when wires are plugged in, each pin in the colour of
its wire. The Pico is drawn upside down, as it is in its case."""

from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from hw.pins import PI, PI_NEVER
from hw.tables import COLOUR_NAMES
from hw.wiring import Harness, Wire

_INK, _PAPER, _BOARD, _PIN = "#202020", "white", "#d7e8d8", "#b8b8b8"
_NEVER = "#d00000"
_RGB = {
    "brown": "#8b5a2b", "red": "#e02020", "orange": "#f08000", "yellow": "#f0d000",
    "green": "#20a040", "blue": "#2060e0", "violet": "#9040c0", "grey": "#808080",
    "white": "#ffffff", "black": "#101010",
}  # fmt: skip
_PLUGGED = "#2090a0"
"""The colour of pins that are connected without a wire."""
_ROW, _TOP, _SIDE, _RADIUS = 40, 110, 350, 13
_BETWEEN = {True: 40, False: 200}
"""The distance between the two rows of pins: those of the Pi (True) are side by side, those of the
Pico on its two edges."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A pin in the drawing. `column`: counted from the left; `row`: counted from the top; `colour`:
    the name of the wire's colour, empty if the pin has no wire."""

    number: int
    column: int
    row: int
    label: str = ""
    colour: str = ""


def spots(harness: Harness) -> Iterator[Spot]:
    """Yields all pins of the harness's computer, with their places and colours."""
    wires: dict[int, list[Wire]] = {}
    for wire in harness.wires:
        wires.setdefault(wire.start.number, []).append(wire)
    for number in range(1, 41):
        column, row = place(harness, number)
        here = wires.get(number, [])
        label = " + ".join(f"{wire.start.label}: {_short_label(wire)}" for wire in here)
        if harness.header is PI and number in PI_NEVER:
            label = "5 V: never"
        colour = COLOUR_NAMES.get(here[0].colour, "plugged") if here else ""
        yield Spot(number, column, row, label, colour)


def place(harness: Harness, number: int) -> tuple[int, int]:
    """Returns the column and row of a pin. The Pi's odd pins are on the left, with the microSD card
    at the top. The Pico's first twenty are on the right, because it is upside down with its socket
    at the top."""
    if harness.header is PI:
        return (number + 1) % 2, (number - 1) // 2
    return (1, number - 1) if number <= 20 else (0, 40 - number)


def _short_label(wire: Wire) -> str:
    return wire.end.label.split(":")[0].split(",")[0]


def draw_header(harness: Harness) -> Image.Image:
    """Returns a drawing of all pins of the harness's computer."""
    is_pi = harness.header is PI
    wide = 2 * _SIDE + _BETWEEN[is_pi]
    image = Image.new("RGB", (wide, _TOP + 20 * _ROW + 70), _PAPER)
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype("DejaVuSans.ttf", 17)
    columns = (_SIDE, _SIDE + _BETWEEN[is_pi])
    pen.rounded_rectangle(
        (columns[0] - 24, _TOP - 34, columns[1] + 24, _TOP + 20 * _ROW), 10, fill=_BOARD
    )
    title = "The header from above" if is_pi else "The Pico on its back, pins up"
    pen.text((wide / 2, 20), title, _INK, font, anchor="mm")
    at_top = "↑ the end with the microSD card" if is_pi else "↑ the end with the USB socket"
    pen.text((wide / 2, 54), at_top, _INK, font, anchor="mm")
    if is_pi:
        low = _TOP + 20 * _ROW + 30
        pen.text((columns[0] + 8, low), "← inner row", _INK, font, anchor="rm")
        pen.text((columns[1] - 8, low), "board's edge →", _INK, font, anchor="lm")
    for spot in spots(harness):
        _draw_spot(pen, font, spot, columns[spot.column])
    return image


def _draw_spot(pen: ImageDraw.ImageDraw, font: ImageFont.FreeTypeFont, spot: Spot, x: int) -> None:
    y = _TOP + spot.row * _ROW
    box = (x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS)
    never = spot.label == "5 V: never"
    fill = _RGB.get(spot.colour, _PLUGGED) if spot.colour else _PIN
    shape = pen.rectangle if spot.number == 1 else pen.ellipse
    shape(box, fill=_PAPER if never else fill, outline=_NEVER if never else _INK, width=2)
    if never:
        pen.line((box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4), _NEVER, 3)
        pen.line((box[0] + 4, box[3] - 4, box[2] - 4, box[1] + 4), _NEVER, 3)
    dark = spot.colour in ("black", "blue", "brown", "violet", "red", "green", "grey", "plugged")
    if not never:
        pen.text((x, y), str(spot.number), _PAPER if dark else _INK, font, anchor="mm")
    if spot.label:
        side = -1 if spot.column == 0 else 1
        ink = _NEVER if never else _INK
        anchor = "rm" if side < 0 else "lm"
        pen.text((x + side * 32, y), spot.label, ink, font, anchor=anchor)
