"""A device that claims to be a keypad can neither fill the memory or the display, nor hold up the
record, nor take another seat's turn."""

from companion.core.keys import Key
from companion.devices.link.events import KeyPressed, LinkEvent, PressesLost
from companion.devices.link.keypad_registry import (
    MAX_KEYPADS,
    MAX_STARTS,
    MAX_WAITING,
    KeypadRegistry,
)
from companion.devices.link.messages import FROM_HOST, Ack, KeypadHello, Message, Overflow, Pressed
from companion.devices.link.session import CHANGE_S, SILENCE_S, Link, LinkState, encode_frame
from tests.devices.link.test_messages import read

SESSION = bytes.fromhex("5eed0001")
INVENTED = 35_000
PRESSES = 10_000


class Port:
    """A port of a host; `asked`: how often its record was asked."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.asked = 0
        self.registry = KeypadRegistry(SESSION, self._committed)
        self.link = Link(self.registry, self.now)
        self.told: list[LinkEvent] = []

    def _committed(self, _keypad: str, _boot: int) -> int:
        self.asked += 1
        return 0

    def hears(self, *messages: Message) -> list[LinkEvent]:
        data = b"".join(encode_frame(one.pack()) for one in messages)
        told = self.link.receive(data, self.now)
        self.told += told
        self.said = self.link.to_send()
        return told

    def hello(self, serial: int = 1, boot: int = 1, major: int = 1) -> list[LinkEvent]:
        who = (1, 0, 0), 3, serial.to_bytes(8), boot.to_bytes(8)
        return self.hears(KeypadHello((major, 0), SESSION, *who, 1, 0, 0))  # type: ignore[arg-type]


def presses(count: int, boot: int = 1, first: int = 1) -> list[Message]:
    tag = boot.to_bytes(8)[-2:]
    return [Pressed(tag, seq, Key.OK, 0, 0) for seq in range(first, first + count)]


def test_a_flood_of_presses_waits_at_the_keypad() -> None:
    port = Port()
    port.hello()
    told = port.hears(*presses(PRESSES))
    assert len(told) == MAX_WAITING
    assert port.hears(*presses(PRESSES)) == []
    for event in told:
        assert isinstance(event, KeyPressed)
        port.registry.settle(event.source)
    assert read([port.link.to_send()], FROM_HOST)[-1] == str(Ack(b"\0\1", MAX_WAITING))
    assert len(port.hears(*presses(PRESSES))) == MAX_WAITING, "and goes on from there"


def test_lost_presses_and_restarts_do_not_raise_the_limit_of_waiting_presses() -> None:
    port = Port()
    port.hello()
    tag = bytes((0, 1))
    told = port.hears(*(Overflow(tag, seq, 1) for seq in range(1, 99)))
    assert len(told) == MAX_WAITING
    assert isinstance(told[0], PressesLost)
    port.now += CHANGE_S
    port.hello(boot=2)
    assert port.hears(*presses(99, boot=2)) == []


def test_a_port_cannot_claim_two_keypads_at_once() -> None:
    port = Port()
    for serial in range(1, INVENTED):
        port.hello(serial)
        port.now += 0.0002
    assert len(port.registry.keypads) == port.asked == len(port.told) == 1


def test_only_a_limited_number_of_absent_keypads_is_remembered() -> None:
    port = Port()
    for serial in range(1, 50 * MAX_KEYPADS):
        port.link = Link(port.registry, port.now)
        port.hello(serial)
        port.link.abandon()
    assert len(port.registry.keypads) <= MAX_KEYPADS + 1
    assert len(port.registry._numbers) <= MAX_KEYPADS + 1


def test_a_keypad_that_keeps_restarting_is_not_reported_each_time() -> None:
    port = Port()
    for boot in range(1, INVENTED):
        port.hello(boot=boot)
        port.now += 0.0002
    assert port.asked <= 8
    assert len(port.told) <= 8
    assert len(port.registry._numbers) <= MAX_STARTS


def test_versions_that_keep_changing_are_not_reported_each_time() -> None:
    port = Port()
    for at in range(INVENTED):
        port.hello(major=1 + at % 2)
        port.now += 0.0002
    assert len(port.told) <= 2 * 8


def test_after_silence_a_port_may_have_another_keypad() -> None:
    port = Port()
    port.hello(1)
    port.now += SILENCE_S - 0.1
    port.hello(2)
    assert list(port.registry.keypads) == [(1).to_bytes(8).hex()]
    port.now += 0.1
    port.link.advance(port.now)
    port.hello(2)
    assert port.link.state is LinkState.OPEN
    assert len(port.registry.keypads) == 2


def test_settling_a_press_of_a_forgotten_keypad_does_nothing() -> None:
    port = Port()
    port.hello()
    (event,) = port.hears(*presses(1))
    assert isinstance(event, KeyPressed)
    port.registry.keypads.clear()
    port.registry._numbers.clear()
    port.registry.settle(event.source)
    assert port.asked == 1
