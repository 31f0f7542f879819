# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The texts printed on the board: the keys' legends, and notes for soldering."""

from collections.abc import Iterator
from dataclasses import dataclass

from hw.board.layout import LAYOUT, Point, key_centres

NAME = "TABLE COMPANION"
REVISION = "keys-16, rev. 2"


@dataclass(frozen=True, slots=True)
class Text:
    """A text, centred at `where`. `size`: in mm; `turn`: in degrees; `below`: on the lower face."""

    words: str
    where: Point
    size: float = 1.2
    below: bool = False
    turn: float = 0.0


def texts() -> Iterator[Text]:
    """Yields all printed texts except the names of parts."""
    for key, (x, y) in key_centres().items():
        yield Text(key, (x, y + 4.6), 1.8 if len(key) > 1 else 2.4)
    yield from _display()
    yield from _pi()
    power, buzzer, jack = (LAYOUT[one] for one in ("power", "buzzer", "jack"))
    yield Text("POWER", (power["x"], 1.6), 1.2)
    yield Text("BUZZER", (buzzer["centre"][0], buzzer["centre"][1] - 3), 1.2, below=True)
    yield Text("Pi 5: J2", (jack["centre"][0] - 1, jack["centre"][1] - 2.6), 1.0, below=True)


def _display() -> Iterator[Text]:
    x, y = LAYOUT["display"]["header"]
    for column, name in enumerate(("1", "2", "SCL", "SDA")):
        yield Text(name, (x + (column - 1.5) * 2.54, y + 2.2), 0.8)
    yield Text("OLED", (x - 8.5, y), 1.5)
    # The jumpers are on the lower face, so that they are visible with the display mounted.
    for side, pin in ((-6.35, "pin 1"), (6.35, "pin 2")):
        yield Text("A", (x + side - 3.2, y + 5.715), 1.3, below=True)
        yield Text("B", (x + side + 3.2, y + 5.715), 1.3, below=True)
        yield Text(pin, (x + side, y + 8.0), 1.0, below=True)
    lines = (
        "Look at the OLED's first two pins:",
        "GND VCC: bridge both A",
        "VCC GND: bridge both B",
        "with solder, before mounting it.",
    )
    for number, line in enumerate(lines):
        yield Text(line, (x - 12.0, y + 11.4 + 2.1 * number), 1.2, below=True)


def _pi() -> Iterator[Text]:
    x, y = LAYOUT["pi"]["header"]
    yield Text("1", (x + 26.3, y - 1.27), 1.2)
    yield Text("1", (x + 26.3, y - 1.27), 1.2, below=True)
    yield Text("2", (x + 26.3, y + 1.27), 1.2, below=True)
    yield Text("< USB", (6.2, 12.0), 1.5)
    yield Text("USB >", (6.2, 12.0), 1.5, below=True)
    yield Text("Raspberry Pi: here, below the board", (x - 8.5, 6.0), 1.2, below=True)
    yield Text(NAME, (x - 2, 26.0), 2.4, below=True)
    yield Text(REVISION, (x - 2, 29.5), 1.5, below=True)
    yield Text("CERN-OHL-P-2.0", (x - 2, 32.3), 1.2, below=True)
    yield Text("Spacers first, then this side, then the keys.", (x - 3, 36.0), 1.2, below=True)
