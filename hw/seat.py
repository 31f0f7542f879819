# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The keypad at a seat, as seat-keypad.toml describes it."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.core.keys import Key
from companion.devices.board import MatrixKeys

FILE = Path(__file__).parent / "seat-keypad.toml"


@dataclass(frozen=True, slots=True)
class SeatLight:
    """A light of three colours, each with its GP number. `ohms`: the resistor in each colour's
    wire; `common`: the kind of the fourth leg (anode or cathode)."""

    red: int
    green: int
    blue: int
    common: str
    ohms: int


@dataclass(frozen=True, slots=True)
class SeatKeypad:
    """The parts wired to the Pico, by GP numbers."""

    keys: MatrixKeys
    light: SeatLight
    buzzer: int

    @property
    def pins(self) -> Iterator[int]:
        """The GP numbers of all pins that are used."""
        yield from (*self.keys.rows, *self.keys.columns)
        yield from (self.light.red, self.light.green, self.light.blue, self.buzzer)


def load_seat_keypad() -> SeatKeypad:
    """Reads seat-keypad.toml. Raises KeyError or ValueError if it is invalid."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    keys = told["keys"]
    layout = tuple(tuple(Key(word) for word in row) for row in keys["layout"])
    matrix = MatrixKeys(tuple(keys["rows"]), tuple(keys["columns"]), layout)
    return SeatKeypad(matrix, SeatLight(**told["light"]), told["buzzer"]["pin"])
