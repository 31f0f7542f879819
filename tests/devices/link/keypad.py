"""A seat keypad as the section “The keypad” of firmware/PROTOCOL.md describes it, for tests that
press its keys and damage its cable. It does no I/O; time comes in as an argument, as in the
firmware's link."""

import math
from dataclasses import dataclass, field
from enum import Enum

from companion.core.keys import Key
from companion.devices.link.messages import (
    FROM_HOST,
    PROTOCOL,
    Ack,
    Beep,
    HostHello,
    KeypadFeature,
    KeypadHello,
    LightState,
    Message,
    Overflow,
    Ping,
    Pong,
    Pressed,
    SetLight,
    SetSeat,
    UnreadableError,
    unpack,
)
from companion.devices.link.session import BadFrame, FrameReader, encode_frame

PLACES = 32
RESEND_S, HELLO_S, SILENCE_S, SHOWN_S = 0.25, 0.5, 10.0, 3.0
SERIAL = bytes.fromhex("e6614103e7452d2f")


class State(Enum):
    SHUT = "shut"
    GREETED = "greeted"
    OPEN = "open"
    REFUSED = "refused"


@dataclass(slots=True)
class QueuePlace:
    """A place in the queue: a press or, if `key` is None, presses that were lost."""

    key: Key | None
    held: bool
    at: float
    lost: int = 0
    under_way: bool = False
    was_sent: bool = False


@dataclass
class ModelKeypad:
    """A keypad from one start to the next; it starts at `now`."""

    now: float
    boot: bytes = bytes.fromhex("00112233445566a1")
    serial: bytes = SERIAL
    protocol: tuple[int, ...] = PROTOCOL
    first: int = 1
    state: State = State.SHUT
    session: bytes = bytes(4)
    dropped: int = 0
    shows: LightState = LightState.OFF
    refusals: int = 0
    seat: int = 0
    bad: int = 0
    resent: int = 0
    beeps: list[Beep] = field(default_factory=list)
    queue: list[QueuePlace] = field(default_factory=list)
    dropped_until: float = -math.inf
    thrown_away: set[int] = field(default_factory=set)
    """The numbers of the presses that a new session dropped."""

    def __post_init__(self) -> None:
        self._reader = FrameReader()
        self._out = bytearray()
        self._hello_at = self._heard_at = self.now
        self._sent_at = math.inf
        self._hello()

    # ------------------------------------------------------------ fingers

    def press(self, key: Key, held: bool = False) -> int | None:
        """Presses a key now. Returns the press's number; None if the press is lost."""
        if self.state is State.REFUSED:
            return None
        number = None
        last = self.queue[-1] if self.queue else None
        if last and last.key is None and not last.was_sent:
            last.lost = min(last.lost + 1, 65535)
        elif len(self.queue) == PLACES - 1:
            self.queue.append(QueuePlace(None, False, self.now, lost=1))
        else:
            self.queue.append(QueuePlace(key, held, self.now))
            number = self.first + len(self.queue) - 1
        self._send_new()
        return number

    @property
    def says_dropped(self) -> bool:
        """Returns whether its light shows that presses were dropped."""
        return self.now < self.dropped_until

    # ------------------------------------------------------------ link

    def receive(self, data: bytes) -> None:
        """Takes bytes from the host."""
        for content in self._reader.feed(data):
            try:
                if isinstance(content, BadFrame):
                    self.bad += 1
                elif message := unpack(content, FROM_HOST):
                    if isinstance(message, HostHello) or self.state is not State.REFUSED:
                        self._heard_at = self.now
                    self._on(message)
            except UnreadableError:
                self.bad += 1

    def advance(self, now: float) -> None:
        """Advances the time to `now`."""
        self.now = now
        if self.state is not State.SHUT and now >= self._heard_at + SILENCE_S:
            self._to(State.SHUT)
        if self.state is State.GREETED and now >= self._hello_at + HELLO_S:
            self._hello()
        if self.state is State.OPEN and now >= self._sent_at + RESEND_S:
            for one in self.queue:
                self.resent += one.under_way
                one.under_way = False
            self._send_new()

    def to_send(self) -> bytes:
        """Returns the new bytes for the host."""
        out = bytes(self._out)
        self._out.clear()
        return out

    def _on(self, message: Message) -> None:
        if isinstance(message, HostHello):
            self._greeted(message)
        elif self.state is State.REFUSED:
            if isinstance(message, Ping):
                self._ask()
        elif isinstance(message, Ack):
            self._acknowledged(message)
        elif isinstance(message, SetSeat):
            self.seat = message.number
        elif isinstance(message, SetLight):
            self.refusals += message.show is LightState.REFUSED
            self.shows = self.shows if message.show is LightState.REFUSED else message.show
        elif isinstance(message, Beep):
            self.beeps.append(message)
        elif isinstance(message, Ping):
            self._ponged(message)

    def _greeted(self, hello: HostHello) -> None:
        if hello.protocol[0] != self.protocol[0]:
            self._to(State.REFUSED)
            self.shows = LightState.MISMATCH
        else:
            if hello.session != self.session:
                self._drop()
                self.session = hello.session
            self._to(State.GREETED)
        self._hello()

    def _drop(self) -> None:
        self.dropped = sum(one.lost or 1 for one in self.queue)
        self.thrown_away |= {self.first + at for at, one in enumerate(self.queue) if one.key}
        self.first += len(self.queue)
        self.queue.clear()
        if self.dropped:
            self.dropped_until = self.now + SHOWN_S

    def _acknowledged(self, ack: Ack) -> None:
        if ack.boot == self.boot[-2:] and self.session != bytes(4):
            self._settle(ack)
        elif self.state is State.SHUT:
            self._ask()

    def _settle(self, ack: Ack) -> None:
        if ack.seq < self.first + len(self.queue):
            gone = max(ack.seq + 1 - self.first, 0)
            del self.queue[:gone]
            self.first += gone
            self._sent_at = self.now if gone else self._sent_at
        elif self.state is not State.OPEN:
            self.first = ack.seq + 1
        if self.state is not State.OPEN:
            self._to(State.OPEN)
        self._send_new()

    def _ponged(self, ping: Ping) -> None:
        if self.state is State.SHUT:
            self._ask()
            return
        if self.state is State.GREETED:
            self._hello()
            return
        queued, boot = len(self.queue), self.boot[-2:]
        bad, resent = self.bad % 65536, self.resent % 65536
        self._put(Pong(ping.token, boot, queued, self.seat, self.shows, bad, resent, 0))

    def _to(self, state: State) -> None:
        self.state = state
        for one in self.queue:
            one.under_way = False

    def _ask(self) -> None:
        """Sends hello to a host that considers the link open, at most every half second."""
        if self.now >= self._hello_at + HELLO_S:
            self._hello()

    def _hello(self) -> None:
        self._hello_at = self.now
        can = KeypadFeature.KEYS | KeypadFeature.RGB
        queued = len(self.queue)
        told = self.session, (1, 0, 0), can, self.serial, self.boot, self.first, queued
        self._put(KeypadHello(self.protocol, *told, self.dropped))

    def _send_new(self) -> None:
        """Sends every place of the queue that is not under way; an overflow only if it is the
        oldest."""
        if self.state is not State.OPEN:
            return
        if not any(one.under_way for one in self.queue):
            self._sent_at = self.now
        for at, one in enumerate(self.queue):
            if one.key is None and at > 0 and not one.was_sent:
                break
            if not one.under_way:
                self._send(self.first + at, one)

    def _send(self, seq: int, one: QueuePlace) -> None:
        one.under_way = one.was_sent = True
        if one.key is None:
            self._put(Overflow(self.boot[-2:], seq, one.lost))
            return
        age = min(round((self.now - one.at) * 1000), 65535)
        self._put(Pressed(self.boot[-2:], seq, one.key, int(one.held), age))

    def _put(self, message: Message) -> None:
        self._out += encode_frame(message.pack())
