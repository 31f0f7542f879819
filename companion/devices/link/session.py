"""The host's side of the link to the keypad on one port, without I/O: bytes and the time in, events
and bytes out.

The states are those in the table of firmware/PROTOCOL.md, “The host”:

    GREETING  sends hello until a keypad answers it with the same session
    OPEN      takes presses in the order of their numbers, once each, and acknowledges them
    MISMATCH  the keypad uses another version of the protocol

Nothing here waits or reads a clock: call `receive` with received bytes and `advance` at the time
`wake_at`, and write what `to_send` returns.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Final

from companion.core.keys import PressId
from companion.devices.link.events import (
    KeypadArrived,
    KeypadLeft,
    KeyPressed,
    LinkEvent,
    PressesLost,
    VersionMismatch,
)
from companion.devices.link.keypad_registry import MAX_WAITING, Keypad, KeypadRegistry
from companion.devices.link.messages import (
    FROM_KEYPAD,
    PROTOCOL,
    Ack,
    HostHello,
    KeypadHello,
    Message,
    Overflow,
    Ping,
    Pong,
    Pressed,
    UnreadableError,
    unpack,
)

# ---------------------------------------------------------------- frames

FLAG: Final = 0x7E
ESCAPE: Final = 0x7D
TURN: Final = 0x20
"""An escaped byte is sent XORed with this value; every byte below this value is escaped."""
CONTENT_MAX: Final = 64
FRAME_MAX: Final = 2 * (CONTENT_MAX + 2) + 2
"""The bytes of the longest possible frame on the wire, with every byte escaped."""

_START, _END, _GOOD = 0xFFFF, 0xFFFF, 0xF0B8
_FLAG = bytes((FLAG,))
_ON_THE_WIRE = tuple(
    bytes((ESCAPE, byte ^ TURN) if byte < TURN or byte in (FLAG, ESCAPE) else (byte,))
    for byte in range(256)
)
"""The bytes sent for each byte of a frame's content and CRC."""


def _crc_table() -> tuple[int, ...]:
    values = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ 0x8408 if value & 1 else value >> 1
        values.append(value)
    return tuple(values)


_TABLE = _crc_table()


class BadFrame(Enum):
    """A frame that could not be read."""

    FRAME = "bad"


def _continue_crc(crc: int, data: bytes | bytearray) -> int:
    for byte in data:
        crc = crc >> 8 ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc


def crc16(data: bytes) -> int:
    """Returns the CRC-16/X-25 of the data."""
    return _continue_crc(_START, data) ^ _END


def encode_frame(content: bytes) -> bytes:
    """Returns the frame with this content (1 to CONTENT_MAX bytes) as it is sent. Raises
    ValueError."""
    if not 0 < len(content) <= CONTENT_MAX:
        raise ValueError(f"a frame holds 1 to {CONTENT_MAX} bytes, not {len(content)}")
    sent = [_ON_THE_WIRE[byte] for byte in content + crc16(content).to_bytes(2, "little")]
    return b"".join((_FLAG, *sent, _FLAG))


class FrameReader:
    """Splits received bytes into frames."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._escaped = False
        self._bad = False
        self._begun = False
        """Whether the flag that begins a frame was received."""

    def feed(self, data: bytes) -> list[bytes | BadFrame]:
        """Returns the contents of the frames that these bytes complete, with a BadFrame for each
        unreadable one."""
        found: list[bytes | BadFrame] = []
        content = self._content
        for byte in data:
            if byte == FLAG:
                if content or self._bad or self._escaped:
                    found.append(self._end_frame())
                self._begun, self._bad, self._escaped = True, False, False
                content.clear()
            elif self._bad:
                continue
            elif byte < TURN or len(content) == CONTENT_MAX + 2:
                self._bad = True
            elif self._escaped:
                content.append(byte ^ TURN)
                self._escaped = False
            elif byte == ESCAPE:
                self._escaped = True
            else:
                content.append(byte)
        return found

    def _end_frame(self) -> bytes | BadFrame:
        content = self._content
        good = self._begun and not self._bad and not self._escaped and len(content) > 2
        if not good or _continue_crc(_START, content) != _GOOD:
            return BadFrame.FRAME
        return bytes(content[:-2])


# ---------------------------------------------------------------- claims
# Decides which keypad a port may claim to have.
#
# A port may name another keypad only after its first one has been silent for a while, and a keypad
# may not restart all the time. Otherwise a device could claim one keypad after the other: each
# would take memory, be looked up in the record, and be announced on the display.


CHANGE_S: Final = 1.0
"""The minimum number of seconds between two starts of a keypad, or between hellos that name
different versions of the protocol; a real keypad takes longer."""


class PortClaims:
    """Decides which keypad's hello is plausible on one port. Times are monotonic seconds.
    `silence_s`: how long a keypad must have been silent before another one may use the port."""

    def __init__(self, silence_s: float) -> None:
        self._silence_s = silence_s
        self._hello: KeypadHello | None = None
        self._changed_at = -math.inf

    def is_plausible(self, hello: KeypadHello, now: float, heard_at: float) -> bool:
        """Returns whether the port can really have the keypad that sent `hello`. `heard_at`: when
        something was last received on the port."""
        before = self._hello
        if before is None:
            return True
        if hello.serial != before.serial:
            return now >= heard_at + self._silence_s
        return _start_of(hello) == _start_of(before) or now >= self._changed_at + CHANGE_S

    def note(self, hello: KeypadHello, now: float) -> None:
        """Notes that the keypad that sent `hello` is on this port from `now` on."""
        if self._hello is None or _start_of(hello) != _start_of(self._hello):
            self._changed_at = now
        self._hello = hello


def _start_of(hello: KeypadHello) -> tuple[bytes, bytes, int]:
    return hello.serial, hello.boot, hello.protocol[0]


# ---------------------------------------------------------------- session

HELLO_S: Final = 0.5
EAGER_S: Final = 5.0
"""Seconds for which hello is sent every HELLO_S; after that it is sent at the time of the pings."""
BEAT_S: Final = 4.0
"""Seconds between pings. All links ping at the same time, so that the program wakes up only once
for all of them."""
SILENCE_S: Final = 10.0
HERE_S: Final = 2.0
"""Seconds for which a keypad counts as here after it was heard."""


class LinkState(Enum):
    """The states of a link, as in the table of firmware/PROTOCOL.md."""

    GREETING = "greeting"
    OPEN = "open"
    MISMATCH = "mismatch"


class Link:
    """The link on a port that was opened at `now`. Times are monotonic seconds."""

    def __init__(self, registry: KeypadRegistry, now: float) -> None:
        self._registry = registry
        self._reader = FrameReader()
        self._out = bytearray()
        self.state = LinkState.GREETING
        self._keypad: Keypad | None = None
        self._boot = b""
        self._claims = PortClaims(SILENCE_S)
        self.displaced = False
        """Whether the keypad is on another port now, so that this port must be closed."""
        self._since = self._heard_at = now
        self._hello_at = -math.inf
        self._hello_due: float | None = now
        self._beat_due = _next_beat_at(now)
        self._ping: tuple[int, float] | None = None
        self._token = 0
        self._owes_ack = False
        self._welcomed = False
        """Whether a welcome was sent that the keypad hasn't confirmed yet with a press or pong."""
        self._bad = 0
        """Unreadable frames that were received before the keypad identified itself."""
        self.advance(now)

    # ------------------------------------------------------------ input from the port

    def receive(self, data: bytes, now: float) -> list[LinkEvent]:
        """Takes received bytes; returns the resulting events."""
        events: list[LinkEvent] = []
        for content in self._reader.feed(data):
            try:
                if isinstance(content, BadFrame):
                    self._count_bad()
                elif message := unpack(content, FROM_KEYPAD):
                    if isinstance(message, KeypadHello) and not self._claims.is_plausible(
                        message, now, self._heard_at
                    ):
                        continue
                    self._heard_at = now
                    if does := _MESSAGE_HANDLERS.get((self.state, type(message))):
                        events += does(self, message, now)
            except UnreadableError:
                self._count_bad()
        if self._owes_ack:
            self._acknowledge()
        self._greet_if_due(now)
        return events

    def advance(self, now: float) -> list[LinkEvent]:
        """Performs what is due by `now`: sends hello or a ping, and reports the keypad as gone if
        it was silent for too long. Returns the events."""
        events: list[LinkEvent] = []
        if self.state is not LinkState.GREETING and now >= self._heard_at + SILENCE_S:
            events += self._report_left()
            self._return_to_greeting(now)
        if now >= self._beat_due:
            self._beat_due = _next_beat_at(now)
            self._check_beat(now)
        self._greet_if_due(now)
        return events

    @property
    def wake_at(self) -> float:
        """The time at which to call `advance` next."""
        return self._beat_due if self._hello_due is None else min(self._beat_due, self._hello_due)

    def is_here(self, now: float) -> bool:
        """Returns whether the link is open and the keypad was heard a moment ago."""
        return self.state is LinkState.OPEN and now <= self._heard_at + HERE_S

    def was_heard_since(self, at: float) -> bool:
        """Returns whether something was received since `at`; True if the link isn't open, because
        no ping is sent then."""
        return self.state is not LinkState.OPEN or self._heard_at >= at

    @property
    def answered(self) -> bool:
        """Whether the keypad has identified itself and, if its version is compatible, answered a
        ping."""
        trips = self._keypad.figures.round_trips if self._keypad else ()
        return self.state is LinkState.MISMATCH or bool(trips)

    def to_send(self) -> bytes:
        """Returns the bytes to write to the port, each only once."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def abandon(self) -> list[LinkEvent]:
        """Abandons the link, because the port is gone. Returns the events."""
        events = list(self._report_left())
        if self._keypad and self._keypad.link is self:
            self._keypad.link = None
        return events

    # ------------------------------------------------------------ requests of the host

    def acknowledge(self, boot: int) -> None:
        """Sends an ack after a press was settled, if the press was made since the keypad's latest
        start (`boot`)."""
        if self.state is LinkState.OPEN and boot == int.from_bytes(self._boot):
            self._acknowledge()

    def send(self, *messages: Message) -> None:
        """Sends messages that need no answer if the link is open; otherwise drops them."""
        if self.state is LinkState.OPEN:
            self._put(*messages)

    def ask(self, now: float) -> None:
        """Sends an extra ping at once if the link is open."""
        if self.state is LinkState.OPEN:
            self._send_ping(now)

    # ------------------------------------------------------------ hello

    def _handle_hello(self, hello: KeypadHello, now: float) -> Iterator[LinkEvent]:
        """Handles the keypad's hello, and yields the resulting events."""
        if hello.protocol[0] != PROTOCOL[0]:
            yield from self._report_left()
            self._register(hello, now)
            self._hello_due = None
            if self.state is not LinkState.MISMATCH:
                self.state = LinkState.MISMATCH
                yield VersionMismatch(hello.serial.hex(), hello.protocol[0] > PROTOCOL[0])
        elif hello.session != self._registry.session:
            self._return_to_greeting(now)
        else:
            yield from self._open_link(hello, now)

    def _open_link(self, hello: KeypadHello, now: float) -> Iterator[LinkEvent]:
        serial, boot = hello.serial.hex(), int.from_bytes(hello.boot)
        before = self._registry.keypads.get(serial)
        was_here = before is not None and before.announced
        restarted = before is not None and before.hello.boot != hello.boot
        fresh = not self._registry.has_start(serial, boot)
        numbers = self._registry.numbers(serial, boot)
        numbers.received = max(numbers.received, hello.first - 1)
        if self._keypad and self._keypad.serial != serial:
            yield from self._report_left()
        keypad = self._register(hello, now)
        if self._welcomed and now >= self._hello_at + HELLO_S:
            self._say_hello(now)
        keypad.announced, self.state, self._hello_due = True, LinkState.OPEN, None
        self._welcomed = True
        self._acknowledge()
        self._check_beat(now)
        if not was_here or restarted:
            dropped = hello.dropped if fresh else 0
            yield KeypadArrived(serial, before is not None, restarted, dropped)

    def _register(self, hello: KeypadHello, now: float) -> Keypad:
        """Returns the keypad that sent `hello`, now registered on this port only."""
        keypad = self._registry.register(hello.serial.hex(), hello)
        if keypad.link is not None and keypad.link is not self:
            keypad.link.displaced = True
        keypad.link = self
        keypad.figures.bad += self._bad
        self._keypad, self._boot, self._bad = keypad, hello.boot, 0
        self._claims.note(hello, now)
        return keypad

    def _report_left(self) -> Iterator[LinkEvent]:
        if self._keypad and self._keypad.link is self and self._keypad.announced:
            self._keypad.announced = False
            yield KeypadLeft(self._keypad.serial)

    # ------------------------------------------------------------ presses

    def _handle_press(self, press: Pressed | Overflow, now: float) -> Iterator[LinkEvent]:
        """Accepts a press or an overflow if its number is the next one and not too many are
        waiting; yields the resulting events."""
        if self._is_of_another_start(press.boot, now):
            return
        self._welcomed = False
        assert self._keypad is not None
        boot, serial = int.from_bytes(self._boot), self._keypad.serial
        numbers, figures = self._registry.numbers(serial, boot), self._keypad.figures
        self._owes_ack = True
        if press.seq != numbers.received + 1 or self._keypad.waiting >= MAX_WAITING:
            figures.repeated += press.seq <= numbers.received
            return
        numbers.received = press.seq
        self._keypad.waiting += 1
        source = PressId(serial, boot, press.seq)
        if isinstance(press, Overflow):
            figures.lost += press.lost
            yield PressesLost(source, press.lost)
        else:
            figures.presses += 1
            yield KeyPressed(source, press.key, bool(press.held), now - press.age / 1000)

    def _acknowledge(self) -> None:
        assert self._keypad is not None
        numbers = self._registry.numbers(self._keypad.serial, int.from_bytes(self._boot))
        self._put(Ack(self._boot[-2:], numbers.taken))
        self._owes_ack = False

    def _is_of_another_start(self, tag: bytes, now: float) -> bool:
        """Returns whether a message with this `tag` is from another start of the keypad's program.
        If so, the keypad has restarted, and the link goes back to sending hello."""
        other = tag != self._boot[-2:]
        if other:
            self._owes_ack = False
            self._return_to_greeting(now)
        return other

    # ------------------------------------------------------------ pings

    def _check_beat(self, now: float) -> None:
        if self.state is LinkState.MISMATCH:
            self._hello_due = now
        if self.state is LinkState.OPEN and self._keypad:
            self._put(self._keypad.seat, self._keypad.light)
            self._send_ping(now)

    def _send_ping(self, now: float) -> None:
        self._token = (self._token + 1) % 65536
        self._ping = self._token, now
        self._put(Ping(self._token))

    def _handle_pong(self, pong: Pong, now: float) -> Iterator[LinkEvent]:
        """Handles the answer to a ping, and yields the resulting events."""
        if self._is_of_another_start(pong.boot, now) or self._keypad is None:
            return
        self._welcomed = False
        self._keypad.figures.count(pong)
        if self._ping and pong.token == self._ping[0]:
            self._keypad.figures.round_trips.append(now - self._ping[1])
            self._ping = None
        yield from ()

    # ------------------------------------------------------------ helpers

    def _return_to_greeting(self, now: float) -> None:
        """Goes back to sending hello, but at most once in HELLO_S."""
        if self.state is not LinkState.GREETING:
            self.state, self._since, self._ping = LinkState.GREETING, now, None
            self._welcomed = False
        self._hello_due = max(now, self._hello_at + HELLO_S)

    def _greet_if_due(self, now: float) -> None:
        if self._hello_due is None or now < self._hello_due:
            return
        self._say_hello(now)
        eager = now < self._since + EAGER_S
        self._hello_due = now + HELLO_S if eager else _next_beat_at(now)
        if self.state is LinkState.MISMATCH:
            self._hello_due = None

    def _say_hello(self, now: float) -> None:
        self._put(HostHello(PROTOCOL, self._registry.session))
        self._hello_at = now

    def _count_bad(self) -> None:
        if self._keypad:
            self._keypad.figures.bad += 1
        else:
            self._bad += 1

    def _put(self, *messages: Message) -> None:
        for message in messages:
            self._out += encode_frame(message.pack())


def _next_beat_at(now: float) -> float:
    return (math.floor(now / BEAT_S) + 1) * BEAT_S


_MessageHandler = Callable[..., Iterator[LinkEvent]]
_MESSAGE_HANDLERS: Mapping[tuple[LinkState, type[Message]], _MessageHandler] = {
    (LinkState.GREETING, KeypadHello): Link._handle_hello,
    (LinkState.OPEN, KeypadHello): Link._handle_hello,
    (LinkState.MISMATCH, KeypadHello): Link._handle_hello,
    (LinkState.OPEN, Pressed): Link._handle_press,
    (LinkState.OPEN, Overflow): Link._handle_press,
    (LinkState.OPEN, Pong): Link._handle_pong,
}
"""The handler for each state and kind of message; all others are ignored."""
