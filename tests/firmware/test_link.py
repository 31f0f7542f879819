"""The keypad's side of the link, event by event, by the table in PROTOCOL.md."""

import pytest

from companion.devices.link.messages import FROM_HOST, FROM_KEYPAD, parse, unpack
from companion.devices.link.session import BadFrame, FrameReader, encode_frame
from seat_keypad import messages
from seat_keypad.buzzer import Buzzer
from seat_keypad.light import Light
from seat_keypad.link import GREETED, OPEN, REFUSED_HOST, SHUT, Link
from seat_keypad.messages import Identity
from seat_keypad.presses import PLACES, Presses
from tests.firmware.keypad import Pwm

SERIAL, BOOT = bytes.fromhex("e6614103e7452d2f"), bytes.fromhex("00112233445566a1")
HELLO = "hello protocol=1.0 session=5eed0001"


class Bench:
    """A keypad's link with a host; messages are written in their readable form."""

    def __init__(self) -> None:
        self.now = 1000
        self.presses = Presses()
        self.colours = Pwm(), Pwm(), Pwm()
        self.light = Light(*self.colours, False, self.now)
        who = Identity(SERIAL, BOOT, 3)
        self.link = Link(who, self.presses, self.light, Buzzer(None), lambda: 100_000, self.now)

    def say(self, *told: str) -> list[str]:
        """Sends these messages from the host; returns the keypad's answers."""
        for one in told:
            for byte in encode_frame(parse(one, FROM_HOST).pack()):
                self.link.hear(byte, self.now)
        return self.heard()

    def wait(self, ms: int) -> list[str]:
        """Lets time pass; returns the messages that the keypad sends meanwhile."""
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
            writer.drop_sent()
        contents = FrameReader().feed(bytes(sent))
        assert not any(isinstance(content, BadFrame) for content in contents)
        return [
            str(unpack(content, FROM_KEYPAD))
            for content in contents
            if content is not BadFrame.FRAME
        ]

    def open(self) -> "Bench":
        self.say(HELLO, "ack boot=66a1 seq=0")
        assert self.link.state == OPEN
        return self

    @property
    def colour(self) -> tuple[int, ...]:
        return tuple(pin.duty for pin in self.colours)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def hello(session: str = "5eed0001", first: int = 1, queued: int = 0, dropped: int = 0) -> str:
    firmware = ".".join(map(str, messages.FIRMWARE))
    return (
        f"hello protocol=1.0 session={session} firmware={firmware} can=keys+rgb "
        f"serial={SERIAL.hex()} boot={BOOT.hex()} first={first} queued={queued} dropped={dropped}"
    )


def press(seq: int, key: str, age: int = 0) -> str:
    return f"press boot=66a1 seq={seq} key={key} held=0 age={age}ms"


def test_a_keypad_sends_hello_once_and_then_waits(bench: Bench) -> None:
    assert bench.heard() == [hello("00000000")]
    assert bench.wait(5000) == []
    assert bench.link.state == SHUT


def test_the_shortest_exchange_of_the_protocol(bench: Bench) -> None:
    bench.heard()
    assert bench.say(HELLO) == [hello()]
    assert bench.link.state == GREETED
    assert bench.say("ack boot=66a1 seq=0") == []
    assert bench.press("5") == [press(1, "5")]
    assert bench.say("ack boot=66a1 seq=1") == []
    assert bench.wait(3000) == []


def test_presses_wait_for_the_link_and_are_sent_with_their_age(bench: Bench) -> None:
    bench.say(HELLO)
    assert bench.press("1") == []
    bench.wait(30)
    assert bench.press("2") == []
    assert bench.say("ack boot=66a1 seq=0") == [press(1, "1", age=30), press(2, "2")]


def test_unacknowledged_presses_are_sent_again_in_order(bench: Bench) -> None:
    bench.open()
    bench.press("12")
    assert bench.wait(249) == []
    assert bench.wait(1) == [press(1, "1", 250), press(2, "2", 250)]
    bench.say("ack boot=66a1 seq=1")
    assert bench.wait(250) == [press(2, "2", 500)]
    assert bench.say("ping token=7") == [
        "pong token=7 boot=66a1 queued=1 seat=0 show=off bad=0 resent=3 free=100000"
    ]


def test_an_ack_restarts_the_timer(bench: Bench) -> None:
    bench.open()
    bench.press("12")
    assert bench.wait(200) == []
    bench.say("ack boot=66a1 seq=1")
    assert bench.wait(200) == []
    bench.say("ack boot=66a1 seq=1")  # takes nothing
    assert bench.wait(49) == []
    assert bench.wait(1) == [press(2, "2", 450)]


def test_an_age_beyond_the_limit_is_sent_as_the_limit(bench: Bench) -> None:
    bench.say(HELLO)
    bench.press("1")
    for _ in range(8):
        bench.wait(9000)
        bench.say(HELLO)
    assert bench.say("ack boot=66a1 seq=0") == [press(1, "1", 65535)]


def test_a_new_session_drops_the_queue_and_reports_it(bench: Bench) -> None:
    bench.open()
    bench.press("12")
    answer = bench.say("hello protocol=1.0 session=5eed0002")
    assert answer == [hello("5eed0002", first=3, dropped=2)]
    shown = set()
    for _ in range(30):
        bench.wait(100)
        shown.add(bench.colour)
    assert shown >= {(65535, 0, 0), (65535, 65535, 65535)}, "red and white in turn"
    bench.say("ack boot=66a1 seq=0")
    assert bench.press("3") == [press(3, "3")]


def test_the_same_session_keeps_the_queue(bench: Bench) -> None:
    bench.open()
    bench.press("12")
    assert bench.say(HELLO) == [hello(queued=2)]
    assert bench.wait(499) == []
    assert bench.wait(1) == [hello(queued=2)], "it asks until it is welcome"
    assert bench.say("ack boot=66a1 seq=1") == [press(2, "2", 500)]


def test_messages_for_another_start_of_the_keypad_are_ignored(bench: Bench) -> None:
    bench.open()
    bench.press("1")
    assert bench.say("ack boot=0bad seq=1") == []
    assert bench.wait(250) == [press(1, "1", 250)]
    bench.say(HELLO, "ack boot=0bad seq=0")
    assert bench.link.state == GREETED


def test_an_ack_above_every_press_number_counts_only_when_the_link_opens(bench: Bench) -> None:
    bench.say(HELLO)
    bench.press("1")
    assert bench.say("ack boot=66a1 seq=40") == [press(41, "1")]
    bench.say("ack boot=66a1 seq=99")
    assert bench.press("2") == [press(42, "2")]


def test_an_overflow_is_sent_once_it_is_the_oldest(bench: Bench) -> None:
    bench.open()
    assert len(bench.press("0" * (PLACES + 4))) == PLACES - 1
    assert bench.say(f"ack boot=66a1 seq={PLACES - 1}") == [
        f"overflow boot=66a1 seq={PLACES} lost=5"
    ]
    assert bench.press("1") == [press(PLACES + 1, "1")]


def test_another_major_version_is_refused_with_a_red_light(bench: Bench) -> None:
    bench.open()
    bench.press("1")
    assert bench.say("hello protocol=2.0 session=5eed0001") == [hello(queued=1)]
    assert bench.link.state == REFUSED_HOST
    assert bench.press("2") == []
    assert bench.say("ack boot=66a1 seq=1", "light show=turn") == []
    bench.wait(1000)
    assert bench.colour[0] > 0
    assert bench.colour[1:] == (0, 0)
    assert bench.say(HELLO) == [hello(queued=1)], "2 counted as nothing"


def test_the_light_changes_when_an_incompatible_host_is_gone(
    bench: Bench,
) -> None:
    bench.say("hello protocol=2.0 session=5eed0001")
    bench.wait(1000)
    assert bench.colour == (0x30 * 257, 0, 0)
    bench.wait(10_000)
    seen = set()
    for _ in range(5000):
        bench.wait(1)
        seen.add(bench.colour)
    assert seen == {(0, 0, 0), (0x18 * 257,) * 3}


def test_a_later_minor_version_is_accepted_by_the_keypad(bench: Bench) -> None:
    bench.say("hello protocol=1.9 session=5eed0001", "ack boot=66a1 seq=0")
    assert bench.link.state == OPEN


def test_ten_seconds_of_silence_close_the_link(bench: Bench) -> None:
    bench.open()
    bench.wait(9000)
    assert bench.say("ping token=1")
    bench.wait(9999)
    assert bench.link.state == OPEN
    bench.wait(1)
    assert bench.link.state == SHUT
    assert bench.press("1") == []
    assert bench.say("ping token=1") == [hello(queued=1)]
    assert bench.say("ping token=1") == [], "not more often than every half second"
    bench.wait(500)
    assert bench.say("ack boot=0bad seq=0") == [hello(queued=1)]


def test_an_ack_reopens_a_link_closed_by_silence(bench: Bench) -> None:
    """The host has the link open, and would answer every hello with another ack."""
    bench.open()
    bench.wait(10_000)
    bench.press("1")
    assert bench.say("ack boot=66a1 seq=0") == [press(1, "1")]
    assert bench.link.state == OPEN


def test_an_ack_before_any_hello_opens_nothing(bench: Bench) -> None:
    bench.heard()
    bench.wait(500)
    assert bench.say("ack boot=66a1 seq=9") == [hello("00000000")]
    assert bench.link.state == SHUT


def test_pings_of_another_version_are_answered_at_a_limited_rate(
    bench: Bench,
) -> None:
    bench.open()
    bench.say("hello protocol=2.0 session=5eed0001")
    told = [line for _ in range(99) for line in (*bench.say("ping token=1"), *bench.wait(100))]
    assert 10 <= len(told) <= 20
    assert bench.link.state == REFUSED_HOST
    bench.wait(100)
    assert bench.link.state == SHUT


def test_the_light_shows_the_state_sent_by_the_host(bench: Bench) -> None:
    bench.open()
    bench.say("seat number=1 colour=00ff80", "light show=turn")
    bench.wait(20)
    assert bench.colour == (0, 65535, 0x80 * 257)
    bench.say("light show=seat")
    bench.wait(20)
    assert bench.colour == (0, 15 * 257, 8 * 257)
    bench.say("light show=refused")
    bench.wait(20)
    assert bench.colour == (65535, 0, 0)
    bench.wait(500)
    assert bench.colour == (0, 15 * 257, 8 * 257), "as before"
    bench.say("light show=asleep")
    bench.wait(20)
    assert bench.colour == (0, 0, 0)
    bench.press("5")
    bench.wait(20)
    assert bench.colour == (0, 15 * 257, 8 * 257), "a key lights it up for a moment"
    bench.wait(500)
    assert bench.colour == (0, 0, 0)


def test_the_light_blinks_red_for_an_unacknowledged_press(bench: Bench) -> None:
    bench.press("5")
    bench.wait(20)
    assert bench.colour == (65535, 0, 0)


def test_damaged_frames_are_counted_and_ignored(bench: Bench) -> None:
    bench.open()
    for byte in b"~garbage~\x03\x04~":
        bench.link.hear(byte, bench.now)
    (pong,) = bench.say("ping token=2")
    assert "bad=2 " in pong
    assert bench.press("1") == [press(1, "1")]
