"""The kinds of fields that messages are made of: each as bytes and as readable text.

They are those in the table of firmware/PROTOCOL.md. Reading a field raises ValueError if it can't
have that value.
"""

from collections.abc import Callable
from enum import Enum, IntFlag
from typing import Annotated, Any

from companion.core.keys import SIXTEEN, Key
from companion.core.values import dataclass


class Shown(Enum):
    """What a keypad's light shows."""

    OFF = "off"
    SEAT = "seat"
    TURN = "turn"
    PAYS = "pays"
    REFUSED = "refused"
    """Shown for half a second; then the light shows what it showed before."""
    ASLEEP = "asleep"
    CLAIM = "claim"
    """OK on this keypad claims a seat."""
    MISMATCH = "mismatch"
    """The versions of the two sides don't go together."""


class KeypadSound(Enum):
    """The sounds of a keypad's buzzer."""

    TURN = "turn"
    REFUSED = "refused"
    LOST = "lost"


class Can(IntFlag):
    """What a keypad has: keys, a light with colours, a buzzer."""

    KEYS = 1
    RGB = 2
    BUZZER = 4


@dataclass(frozen=True, slots=True)
class FieldKind:
    """A kind of field: its name in the protocol and its size in bytes; `pack` and `unpack` make
    bytes of a value and back, `write` and `read` its readable text."""

    name: str
    size: int
    pack: Callable[[Any], bytes]
    unpack: Callable[[bytes], Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _number(name: str, size: int, top: int | None = None, unit: str = "") -> FieldKind:
    highest = 256**size - 1 if top is None else top

    def checked(value: int) -> int:
        if not 0 <= value <= highest:
            raise ValueError(f"{value} is not from 0 to {highest}")
        return value

    return FieldKind(
        name,
        size,
        lambda value: checked(value).to_bytes(size, "little"),
        lambda raw: checked(int.from_bytes(raw, "little")),
        lambda value: f"{value}{unit}",
        lambda text: checked(int(text.removesuffix(unit))),
    )


def _hex(name: str, size: int) -> FieldKind:
    def checked(value: bytes) -> bytes:
        if len(value) != size:
            raise ValueError(f"{value.hex()} has not {size} bytes")
        return value

    return FieldKind(
        name, size, checked, checked, bytes.hex, lambda text: checked(bytes.fromhex(text))
    )


def _dotted(name: str, size: int) -> FieldKind:
    def read(text: str) -> tuple[int, ...]:
        return tuple(bytes(int(part) for part in text.split(".")))

    return FieldKind(name, size, bytes, tuple, lambda value: ".".join(map(str, value)), read)


def _choice(name: str, codes: dict[int, Any]) -> FieldKind:
    numbers = {value: code for code, value in codes.items()}

    def unpack(raw: bytes) -> Any:
        if raw[0] not in codes:
            raise ValueError(f"{raw[0]} is no {name}")
        return codes[raw[0]]

    kind = type(next(iter(numbers)))
    return FieldKind(
        name,
        1,
        lambda value: bytes((numbers[value],)),
        unpack,
        lambda value: str(value.value),
        kind,
    )


def _caps_text(caps: Can) -> str:
    return "+".join(one.name.lower() for one in Can if one in caps and one.name) or "-"


def _read_caps(text: str) -> Can:
    names = [] if text == "-" else text.upper().split("+")
    return Can(sum(Can[name] for name in names))


_CAPS = FieldKind(
    "caps",
    1,
    lambda caps: bytes((caps,)),
    lambda raw: Can(raw[0] & 7),
    _caps_text,
    _read_caps,
)
_LETTERS = dict(zip(SIXTEEN[10:], "KBDP!M", strict=True))
KEY_CODES = {ord(_LETTERS.get(key, key.value)): key for key in SIXTEEN}

U8 = Annotated[int, _number("u8", 1)]
U16 = Annotated[int, _number("u16", 2)]
U32 = Annotated[int, _number("u32", 4)]
HeldLong = Annotated[int, _number("u8", 1, top=1)]
Ms = Annotated[int, _number("ms", 2, unit="ms")]
ProtocolVersion = Annotated[tuple[int, ...], _dotted("version", 2)]
Release = Annotated[tuple[int, ...], _dotted("release", 3)]
Id4 = Annotated[bytes, _hex("id4", 4)]
Id8 = Annotated[bytes, _hex("id8", 8)]
Tag = Annotated[bytes, _hex("tag", 2)]
Rgb = Annotated[bytes, _hex("rgb", 3)]
Caps = Annotated[Can, _CAPS]
KeyField = Annotated[Key, _choice("key", dict(KEY_CODES))]
LightField = Annotated[Shown, _choice("light", dict(enumerate(Shown)))]
SoundField = Annotated[KeypadSound, _choice("sound", dict(enumerate(KeypadSound)))]
