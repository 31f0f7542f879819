"""The firmware's own keypad on CPython, used like the model
(tests/devices/link/keypad.py): bytes in, bytes out, and time as seconds that the test counts."""

import copy
from typing import TypeVar

from companion.core.keys import Key
from companion.devices.link.messages import KEY_CODES, Message
from companion.devices.link.session import FLAG, encode_frame
from seat_keypad import messages
from seat_keypad.buzzer import Buzzer
from seat_keypad.light import Light
from seat_keypad.link import Link
from seat_keypad.messages import Identity
from seat_keypad.presses import Presses

VERSION = 1, 0, 0
"""The version of the keypad in the vectors and of the model, whichever version the firmware now
has."""
LETTERS = {key: code for code, key in KEY_CODES.items()}

T = TypeVar("T")


def twin(one: T) -> T:
    """A shallow copy as copy.copy makes it, only faster."""
    if not hasattr(one, "__dict__"):
        return copy.copy(one)
    other = object.__new__(type(one))
    other.__dict__.update(one.__dict__)
    return other


class Pwm:
    """A pin that remembers how it was set."""

    def __init__(self) -> None:
        self.duty = 0

    def duty_u16(self, value: int) -> None:
        self.duty = value

    def freq(self, hertz: int) -> None:
        pass


def no_heap() -> int:
    """The free bytes of the heap: 0, as in the model, which has no heap."""
    return 0


class FirmwareKeypad:
    """The firmware's keypad from one start to the next; it starts at `now`."""

    def __init__(self, now: float, serial: bytes, boot: bytes) -> None:
        messages.FIRMWARE = VERSION
        self._now = round(now * 1000)
        self.presses = Presses()
        self.colours = Pwm(), Pwm(), Pwm()
        self.light = Light(*self.colours, False, self._now)
        who = Identity(serial, boot, 3)
        self.link = Link(who, self.presses, self.light, Buzzer(None), no_heap, self._now)

    def copied(self) -> "FirmwareKeypad":
        """A copy that goes on by itself; no frame may be half read or half sent."""
        other = twin(self)
        presses = other.presses = twin(self.presses)
        for array in ("_letters", "_marks", "_values"):
            setattr(presses, array, getattr(self.presses, array)[:])
        other.light = twin(self.light)
        link = other.link = twin(self.link)
        link._presses, link._light, link._session = presses, other.light, link._session[:]
        return other

    def press(self, key: Key, held: bool = False) -> None:
        """Presses a key now."""
        self.presses.put(LETTERS[key], held, self._now)
        self.link.pressed(self._now)
        self.link.step(self._now)

    def receive(self, data: bytes) -> None:
        """Takes bytes from the host."""
        for byte in data:
            self.link.hear(byte, self._now)
            if byte == FLAG:
                self.link.step(self._now)

    def hear(self, message: Message) -> None:
        """Takes a message from the host."""
        self.receive(encode_frame(message.pack()))

    def advance(self, now: float) -> None:
        """Advances the time to `now`."""
        self._now = round(now * 1000)
        self.link.step(self._now)

    def to_send(self) -> bytes:
        """Returns the new bytes for the host."""
        writer, sent = self.link.writer, bytearray()
        peek, gone = writer.peek, writer.drop_sent
        for _ in range(writer.waiting):
            sent.append(peek())
            gone()
        return bytes(sent)
