"""The keypad's side of the link, event by event, as the table in PROTOCOL.md has it."""

import pytest
from seat_keypad import messages
from seat_keypad.buzzer import Buzzer
from seat_keypad.light import Light
from seat_keypad.link import GREETED, OPEN, REFUSED_HOST, SHUT, Link
from seat_keypad.messages import Identity
from seat_keypad.presses import PLACES, Presses

from companion.link.framing import Reader
from companion.link.messages import from_keypad, parse, to_bytes

SERIAL, BOOT = bytes.fromhex("e6614103e7452d2f"), bytes.fromhex("00112233445566a1")
HELLO = "hello protocol=1.0 session=5eed0001"


class Pwm:
    """A pin that remembers how it was set."""

    def __init__(self) -> None:
        self.duty = 0

    def duty_u16(self, value: int) -> None:
        self.duty = value

    def freq(self, hertz: int) -> None:
        pass


class Bench:
    """A keypad's link with a host who speaks in the readable form."""

    def __init__(self) -> None:
        self.now = 1000
        self.presses = Presses()
        self.colours = Pwm(), Pwm(), Pwm()
        self.light = Light(*self.colours, False, self.now)
        who = Identity(SERIAL, BOOT, 3)
        self.link = Link(
            who, self.presses, self.light, Buzzer(None), lambda: 100_000, self.now
        )

    def say(self, *told: str) -> list[str]:
        """The host says that; what the keypad answers."""
        for one in told:
            for byte in to_bytes(parse(one)):
                self.link.hear(byte, self.now)
        return self.heard()

    def wait(self, ms: int) -> list[str]:
        """Time goes by; what the keypad says meanwhile."""
        found = []
        for _ in range(ms):
            self.now += 1
            found += self.heard()
        return found

    def press(self, letters: str) -> list[str]:
        for letter in letters:
            self.presses.put(ord(letter), False, self.now)
            self.link.pressed(self.now)
        return self.heard()

    def heard(self) -> list[str]:
        self.link.step(self.now)
        self.light.step(self.now)
        writer, sent = self.link.writer, bytearray()
        while writer.waiting:
            sent.append(writer.peek())
            writer.gone()
        return [str(message) for message in Reader(from_keypad).feed(bytes(sent))]

    def open(self) -> "Bench":
        self.say(HELLO, "ack boot=66a1 seq=0")
        assert self.link.state == OPEN
        return self

    @property
    def colour(self) -> tuple[int, ...]:
        return tuple(pin.duty for pin in self.colours)
