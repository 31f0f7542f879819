# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The wiring, derived from the TOML files of the boards and of the seat keypad.

A harness is one computer and the looms connected to it. Drawings (drawing.py) and tables
(tables.py) are made from it, so that each pin is written down once.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.keys import Key
from companion.devices.board import Board, DirectKeys, MatrixKeys, load_board
from companion.devices.display.drivers import Display
from hw.pins import PI, PICO, Header, Pin
from hw.seat import SeatKeypad, load_seat_keypad

RIBBON = ("BN", "RD", "OG", "YE", "GN", "BU", "VT", "GY", "WH")
"""The colours of a ribbon of jumper wires in its own order, by IEC 60757. The tenth colour, black,
is kept for ground."""
GROUND, POWER = "BK", "RD"

_ON_I2C = ("SDA", "SCL")
_ON_SPI = ("MISO", "MOSI", "SCLK", "CS", "DC", "RESET")
_COLOURS = {"SDA": "BU", "SCL": "YE", "MOSI": "BU", "SCLK": "YE", "CS": "OG", "DC": "GN",
            "RESET": "WH"}  # fmt: skip

TITLES = {
    "keypad-4x4": "Matrix keypad and display",
    "keys-16": "Sixteen keys and display",
    "waveshare-1.3-hat": "Waveshare 1.3inch OLED HAT",
    "adafruit-bonnet": "Adafruit 128x64 OLED Bonnet",
}
PLUGGED = ("waveshare-1.3-hat", "adafruit-bonnet")
"""Boards that are pushed onto the header, so that they need no wires."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from a pin of the computer to a pin of the part. `ohms`: the resistor in it; 0 for
    none."""

    start: Pin
    colour: str
    end: Pin
    ohms: int = 0


@dataclass(frozen=True, slots=True)
class Loom:
    """The wires to one part. `numbered`: whether the part's contacts have numbers instead of
    names."""

    part: str
    wires: tuple[Wire, ...]
    note: str = ""
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Harness:
    """All wires of one computer. `plugged`: whether the board is plugged directly onto the header,
    without wires."""

    name: str
    title: str
    header: Header
    looms: tuple[Loom, ...]
    plugged: bool = False

    @property
    def wires(self) -> Iterator[Wire]:
        """All wires, loom by loom."""
        return (wire for loom in self.looms for wire in loom.wires)


def board_harness(name: str) -> Harness:
    """Returns the wiring of the board with that name in hw/boards."""
    board = load_board(name)
    title = TITLES.get(name, name)
    if name in PLUGGED:
        loom = Loom(title, tuple(_plugged_wires(board)), numbered=True)
        return Harness(name, title, PI, (loom,), plugged=True)
    keys = (
        _direct_loom(board.keys)
        if isinstance(board.keys, DirectKeys)
        else _matrix_loom(board.keys, PI)
    )
    return Harness(name, title, PI, (_display_loom(board.display), keys))


def seat_harness() -> Harness:
    """Returns the wiring of the keypad at a seat."""
    seat = load_seat_keypad()
    looms = (_matrix_loom(seat.keys, PICO), *_light_and_buzzer(seat))
    return Harness("seat-keypad", "Keypad at a seat", PICO, looms)


def harnesses() -> tuple[Harness, ...]:
    """Returns every harness of the project."""
    return (*(board_harness(name) for name in TITLES), seat_harness())


# ---------------------------------------------------------------- the looms


def _display_signals(display: Display) -> Iterator[tuple[str, int]]:
    """Yields each signal of the display with its GPIO number. MISO is left out, because a display
    never sends anything on SPI."""
    names = _ON_I2C if display.interface == "i2c" else _ON_SPI
    if display.interface == "i2c" and display.reset_pin is not None:
        names = (*names, "RESET")
    for name, (_, gpio) in zip(names, display.pins, strict=True):
        if name != "MISO":
            yield name, gpio


def _display_loom(display: Display) -> Loom:
    """Returns the display's wires: power, ground and the bus. The contacts have the names that are
    printed on the display."""
    told = [(name, PI.pin(gpio), _COLOURS[name]) for name, gpio in _display_signals(display)]
    ground = PI.ground_near(max(pin.number for _, pin, _ in told))
    told = [("GND", ground, GROUND), ("VCC", PI.power, POWER), *reversed(told)]
    wires = tuple(
        Wire(start, colour, Pin(place, name))
        for place, (name, start, colour) in enumerate(told, start=1)
    )
    note = "Go by the words on yours: some have VCC first."
    return Loom("OLED display, I²C", wires, note)


def _matrix_loom(keys: MatrixKeys, header: Header) -> Loom:
    """Returns the keypad's wires: a strip of eight in the ribbon's order, rows first."""
    rows = [f"row {place}: {_legends(row)}" for place, row in enumerate(keys.layout, start=1)]
    columns = [
        f"column {place}: {_legends(column)}"
        for place, column in enumerate(zip(*keys.layout, strict=True), start=1)
    ]
    ends = zip((*keys.rows, *keys.columns), (*rows, *columns), strict=True)
    wires = tuple(
        Wire(header.pin(gpio), RIBBON[place % len(RIBBON)], Pin(place + 1, label))
        for place, (gpio, label) in enumerate(ends)
    )
    note = "Contacts from the left, looked at from the front."
    return Loom("4×4 matrix keypad", wires, note, numbered=True)


def _direct_loom(keys: DirectKeys) -> Loom:
    """Returns the keys' wires: one to a leg of each key, and one that joins the other legs of all
    keys."""
    signals = [
        Wire(PI.pin(gpio), RIBBON[place % len(RIBBON)], Pin(place + 1, f"key {key.value}"))
        for place, (key, gpio) in enumerate(keys.pins.items())
    ]
    ground = Wire(PI.ground_near(40), GROUND, Pin(len(signals) + 1, "the other leg of every key"))
    note = "One black wire goes from key to key."
    return Loom("Sixteen keys", (*signals, ground), note)


def _light_and_buzzer(seat: SeatKeypad) -> Iterator[Loom]:
    light = seat.light
    colours = (("red", light.red, "RD"), ("green", light.green, "GN"), ("blue", light.blue, "BU"))
    ground = PICO.ground_near(PICO.pin(light.red).number)
    wires = [
        Wire(PICO.pin(gpio), colour, Pin(place, name), light.ohms)
        for place, (name, gpio, colour) in enumerate(colours, start=1)
    ]
    last = Wire(ground, GROUND, Pin(4, f"common {light.common}, the longest leg"))
    note = f"{light.ohms} Ω in each colour's wire; a module has them on board."
    yield Loom("RGB LED", (*wires, last), note)
    pin = PICO.pin(seat.buzzer)
    earth = PICO.ground_near(pin.number, frozenset({ground.number}))
    both = (Wire(pin, "YE", Pin(1, "+")), Wire(earth, GROUND, Pin(2, "−")))
    yield Loom("Passive buzzer (if wanted)", both)


def _plugged_wires(board: Board) -> Iterator[Wire]:
    """Yields a wire for each pin that a ready-made board uses, to the pin with the same number on
    the board's socket."""
    assert isinstance(board.keys, DirectKeys), "no ready-made board has a matrix"
    uses = [
        *_display_signals(board.display),
        *((_key_label(key), at) for key, at in board.keys.pins.items()),
    ]
    powers = (("power", PI.power), ("ground", PI.ground_near(PI.power.number)))
    pins = (*powers, *((what, PI.pin(gpio)) for what, gpio in uses))
    for what, pin in sorted(pins, key=lambda one: one[1].number):
        yield Wire(pin, "", Pin(pin.number, what))


def _key_label(key: Key) -> str:
    return f"key {key.value}"


def _legends(keys: tuple[Key, ...]) -> str:
    return " ".join(key.value for key in keys)
