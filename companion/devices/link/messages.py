"""The messages of the link, each with a readable form that can be parsed again, and the kinds of
fields that they consist of; see firmware/PROTOCOL.md.

Pressed(boot=b"\xab\x12", seq=17, key=Key.D5, held=0, age=3)
press boot=ab12 seq=17 key=5 held=0 age=3ms

Reading a field raises ValueError if its bytes or its text aren't a valid value.
"""

from collections.abc import Callable, Mapping
from enum import Enum, IntFlag
from functools import cache
from typing import Annotated, Any, ClassVar, Self, get_type_hints

from companion.core.keys import SIXTEEN, Key
from companion.core.values import dataclass


class LightState(Enum):
    """The state that a keypad's light shows."""

    OFF = "off"
    SEAT = "seat"
    TURN = "turn"
    PAYS = "pays"
    REFUSED = "refused"
    """Shown for half a second; then the light returns to what it showed before."""
    ASLEEP = "asleep"
    CLAIM = "claim"
    """OK on this keypad claims a seat."""
    MISMATCH = "mismatch"
    """The versions of the two sides are not compatible."""


class KeypadSound(Enum):
    """The sounds of a keypad's buzzer."""

    TURN = "turn"
    REFUSED = "refused"
    LOST = "lost"


class KeypadFeature(IntFlag):
    """A part of a keypad's hardware: keys, a light with colours, a buzzer."""

    KEYS = 1
    RGB = 2
    BUZZER = 4


@dataclass(frozen=True, slots=True)
class FieldKind:
    """A kind of field: its name in the protocol and its size in bytes. `pack` and `unpack` convert
    a value to bytes and back, `write` and `read` to readable text and back."""

    name: str
    size: int
    pack: Callable[[Any], bytes]
    unpack: Callable[[bytes], Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _number_field(name: str, size: int, top: int | None = None, unit: str = "") -> FieldKind:
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


def _hex_field(name: str, size: int) -> FieldKind:
    def checked(value: bytes) -> bytes:
        if len(value) != size:
            raise ValueError(f"{value.hex()} has not {size} bytes")
        return value

    return FieldKind(
        name, size, checked, checked, bytes.hex, lambda text: checked(bytes.fromhex(text))
    )


def _dotted_field(name: str, size: int) -> FieldKind:
    def read(text: str) -> tuple[int, ...]:
        return tuple(bytes(int(part) for part in text.split(".")))

    return FieldKind(name, size, bytes, tuple, lambda value: ".".join(map(str, value)), read)


def _choice_field(name: str, codes: dict[int, Any]) -> FieldKind:
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


def _features_text(caps: KeypadFeature) -> str:
    return "+".join(one.name.lower() for one in KeypadFeature if one in caps and one.name) or "-"


def _read_features(text: str) -> KeypadFeature:
    names = [] if text == "-" else text.upper().split("+")
    return KeypadFeature(sum(KeypadFeature[name] for name in names))


_CAPS = FieldKind(
    "caps",
    1,
    lambda caps: bytes((caps,)),
    lambda raw: KeypadFeature(raw[0] & 7),
    _features_text,
    _read_features,
)
_LETTERS = dict(zip(SIXTEEN[10:], "KBDP!M", strict=True))
KEY_CODES = {ord(_LETTERS.get(key, key.value)): key for key in SIXTEEN}

U8 = Annotated[int, _number_field("u8", 1)]
U16 = Annotated[int, _number_field("u16", 2)]
U32 = Annotated[int, _number_field("u32", 4)]
HeldLong = Annotated[int, _number_field("u8", 1, top=1)]
Ms = Annotated[int, _number_field("ms", 2, unit="ms")]
ProtocolVersion = Annotated[tuple[int, ...], _dotted_field("version", 2)]
Release = Annotated[tuple[int, ...], _dotted_field("release", 3)]
Id4 = Annotated[bytes, _hex_field("id4", 4)]
Id8 = Annotated[bytes, _hex_field("id8", 8)]
Tag = Annotated[bytes, _hex_field("tag", 2)]
Rgb = Annotated[bytes, _hex_field("rgb", 3)]
FeatureField = Annotated[KeypadFeature, _CAPS]
KeyField = Annotated[Key, _choice_field("key", dict(KEY_CODES))]
LightField = Annotated[LightState, _choice_field("light", dict(enumerate(LightState)))]
SoundField = Annotated[KeypadSound, _choice_field("sound", dict(enumerate(KeypadSound)))]


# ---------------------------------------------------------------- messages

PROTOCOL = (1, 0)
"""The host's version of the protocol: major, minor."""


class UnreadableError(ValueError):
    """A message can't be read: it is too short, or a field has an invalid value."""


class Message:
    """The base of all messages. `code` is the first byte of the content, `word` the name in the
    readable form."""

    __slots__ = ()
    code: ClassVar[int]
    word: ClassVar[str]

    @classmethod
    @cache
    def layout(cls) -> tuple[tuple[str, FieldKind], ...]:
        """Returns the message's fields in order, with their kinds."""
        hints = get_type_hints(cls, include_extras=True)
        return tuple(
            (name, hint.__metadata__[0])
            for name, hint in hints.items()
            if hasattr(hint, "__metadata__")
        )

    def pack(self) -> bytes:
        """Returns the content of the message's frame. Raises ValueError if a value doesn't fit its
        field."""
        packed = [kind.pack(getattr(self, name)) for name, kind in self.layout()]
        return bytes((self.code,)) + b"".join(packed)

    @classmethod
    def unpack(cls, content: bytes) -> Self:
        """Returns the message in a frame's content. Additional bytes, which a later version may
        send, are ignored. Raises UnreadableError."""
        values, at = {}, 1
        for name, kind in cls.layout():
            raw = content[at : at + kind.size]
            if len(raw) < kind.size:
                raise UnreadableError(f"{cls.word} is too short")
            try:
                values[name] = kind.unpack(raw)
            except ValueError as error:
                raise UnreadableError(f"{cls.word}: {name}: {error}") from error
            at += kind.size
        return cls(**values)

    def __str__(self) -> str:
        fields = (f"{name}={kind.write(getattr(self, name))}" for name, kind in self.layout())
        return " ".join((self.word, *fields))


# ---------------------------------------------------------------- to the keypad


@dataclass(frozen=True, slots=True)
class HostHello(Message):
    """The host's hello, which opens the link. `session` is random at each start of the host."""

    code, word = ord("H"), "hello"
    protocol: ProtocolVersion
    session: Id4


@dataclass(frozen=True, slots=True)
class Ack(Message):
    """Reports that the host has processed all presses since the start `boot` up to the number
    `seq`."""

    code, word = ord("A"), "ack"
    boot: Tag
    seq: U32


@dataclass(frozen=True, slots=True)
class SetSeat(Message):
    """Sets the `number` of the keypad's seat (0 for none) and the seat's colour."""

    code, word = ord("S"), "seat"
    number: U8
    colour: Rgb


@dataclass(frozen=True, slots=True)
class SetLight(Message):
    """Sets the state that the light shows until the next such message."""

    code, word = ord("L"), "light"
    show: LightField


@dataclass(frozen=True, slots=True)
class Beep(Message):
    """Plays a sound once."""

    code, word = ord("B"), "beep"
    sound: SoundField


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Checks whether the keypad is connected; the answer is a Pong with the same `token`."""

    code, word = ord("P"), "ping"
    token: U16


# ---------------------------------------------------------------- to the host


@dataclass(frozen=True, slots=True)
class KeypadHello(Message):
    """Identifies the keypad. `first` is the number of the oldest press in its queue or, if that is
    empty, of the next press."""

    code, word = ord("h"), "hello"
    protocol: ProtocolVersion
    session: Id4
    firmware: Release
    can: FeatureField
    serial: Id8
    boot: Id8
    first: U32
    queued: U8
    dropped: U16


@dataclass(frozen=True, slots=True)
class Pressed(Message):
    """A key was pressed `age` milliseconds ago. `held`: whether it had been down for two seconds by
    then."""

    code, word = ord("k"), "press"
    boot: Tag
    seq: U32
    key: KeyField
    held: HeldLong
    age: Ms


@dataclass(frozen=True, slots=True)
class Overflow(Message):
    """`lost` consecutive presses are missing here in the sequence, because the keypad's queue was
    full."""

    code, word = ord("o"), "overflow"
    boot: Tag
    seq: U32
    lost: U16


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The answer to a ping, with the keypad's own figures."""

    code, word = ord("p"), "pong"
    token: U16
    boot: Tag
    queued: U8
    seat: U8
    show: LightField
    bad: U16
    resent: U16
    free: U32


FROM_HOST: tuple[type[Message], ...] = (HostHello, Ack, SetSeat, SetLight, Beep, Ping)
FROM_KEYPAD: tuple[type[Message], ...] = (KeypadHello, Pressed, Overflow, Pong)
_BY_CODE: Mapping[int, type[Message]] = {kind.code: kind for kind in FROM_HOST + FROM_KEYPAD}


def unpack(content: bytes, kinds: tuple[type[Message], ...]) -> Message | None:
    """Returns the message in a frame's content; None if it is not of one of these kinds. Raises
    UnreadableError."""
    kind = _BY_CODE.get(content[0])
    return kind.unpack(content) if kind in kinds and kind is not None else None


def parse(text: str, kinds: tuple[type[Message], ...]) -> Message:
    """Returns the message whose readable form is `text`. Raises UnreadableError if there is none
    among these kinds of messages."""
    word, *named = text.split()
    for kind in kinds:
        if kind.word == word and [part.partition("=")[0] for part in named] == [
            name for name, _ in kind.layout()
        ]:
            texts = (part.partition("=")[2] for part in named)
            try:
                values = {
                    name: how.read(text)
                    for (name, how), text in zip(kind.layout(), texts, strict=True)
                }
            except ValueError as error:
                raise UnreadableError(f"{text}: {error}") from error
            return kind(**values)
    raise UnreadableError(f"there is no message {text}")
