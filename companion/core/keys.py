"""The keys of the box and of the seats, and presses of them.

Sixteen keys: ten digits and OK, BACK, DRAW, PASS, BOGUS, MENU. Boards with a joystick send the
five-way keys instead; the console turns those into the sixteen (see console/console.py).
"""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from companion.core.seats import Seat
from companion.core.values import dataclass


class Key(Enum):
    """A key; its value is its printed label."""

    D0 = "0"
    D1 = "1"
    D2 = "2"
    D3 = "3"
    D4 = "4"
    D5 = "5"
    D6 = "6"
    D7 = "7"
    D8 = "8"
    D9 = "9"
    OK = "OK"
    BACK = "BACK"
    DRAW = "DRAW"
    PASS = "PASS"
    BOGUS = "BOGUS"
    MENU = "MENU"
    UP = "UP"
    DOWN = "DOWN"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    PRESS = "PRESS"

    @property
    def digit(self) -> int | None:
        """The digit's value, or None for a key that is not a digit."""
        return int(self.value) if self.value.isdigit() else None


DIGITS = tuple(key for key in Key if key.digit is not None)
FUNCTIONS = (Key.OK, Key.BACK, Key.DRAW, Key.PASS, Key.BOGUS, Key.MENU)
SIXTEEN = DIGITS + FUNCTIONS
FIVE_WAY = (Key.UP, Key.DOWN, Key.LEFT, Key.RIGHT, Key.PRESS)
TURNED_BY_180: Mapping[Key, Key] = MappingProxyType(
    {Key.UP: Key.DOWN, Key.DOWN: Key.UP, Key.LEFT: Key.RIGHT, Key.RIGHT: Key.LEFT}
)
"""For each direction of the joystick, its meaning on a board that is mounted upside down."""
REPEATING = (Key.UP, Key.DOWN, Key.DRAW, Key.PASS)
"""Keys that repeat while they are held down, on screens where they move a cursor or a list."""


@dataclass(frozen=True, slots=True)
class PressId:
    """The identity of a press on a keypad. No other press ever has it, so each press is counted
    exactly once."""

    keypad: str
    boot: int
    sequence: int

    def __str__(self) -> str:
        return f"{self.keypad}/{self.boot}/{self.sequence}"


_PAD = "pad-"


def pad_id(port: str) -> str:
    """The keypad id of a number pad, made from the port that it is plugged into. A pad without a
    seat works as the box's own keys."""
    return _PAD + "".join(sign if sign.isalnum() or sign in ".-" else "-" for sign in port)


def is_pad(keypad: str) -> bool:
    return keypad.startswith(_PAD)


@dataclass(frozen=True, slots=True)
class Press:
    """One press of a key. A key that stays down makes further presses: one after two seconds
    (`held`) and, for a key of REPEATING, others for as long as it is down (`repeated`).

    `letter`: a character typed on a keyboard to spell a name; `key` then means nothing. `seat`: the
    seat whose keypad sent the press, if any. `source`: the identity of a press from a keypad or
    number pad. `at`: when the key made contact, in monotonic seconds, if the press took some time
    to arrive."""

    key: Key
    seat: Seat | None = None
    source: PressId | None = None
    held: bool = False
    repeated: bool = False
    at: float | None = None
    letter: str = ""
