"""One link, case by case: what each side does in each state, by the tables of PROTOCOL.md."""

import pytest

from companion.core.keys import Key, PressId
from companion.devices.link.events import (
    KeypadArrived,
    KeypadLeft,
    KeyPressed,
    PressesLost,
    VersionMismatch,
)
from companion.devices.link.keypad_registry import KeypadRegistry
from companion.devices.link.messages import FROM_HOST, FROM_KEYPAD, Message, parse
from companion.devices.link.session import (
    BEAT_S,
    CHANGE_S,
    EAGER_S,
    SILENCE_S,
    Link,
    LinkState,
    encode_frame,
)
from tests.devices.link.keypad import PLACES, SERIAL
from tests.devices.link.keypad import State as Side
from tests.devices.link.test_messages import read
from tests.devices.link.world import CALM_S, World

NAME = SERIAL.hex()
SESSION = "5eed0001"
BOOT = "00112233445566a1"
HELLO = (
    f"hello protocol=1.0 session={SESSION} firmware=1.0.0 can=keys+rgb "
    f"serial={NAME} boot={BOOT} first=1 queued=0 dropped=0"
)
T0 = 1001.0


class Host:
    """A host's link that is fed with messages in their readable form."""

    def __init__(self, last_kept_press: int = 0) -> None:
        self.registry = KeypadRegistry(bytes.fromhex(SESSION), lambda _, __: last_kept_press)
        self.link = Link(self.registry, T0)
        self.now = T0

    def hears(self, *texts: str) -> list[object]:
        """The events that the link reports when these messages arrive in one piece."""
        data = b"".join(encode_frame(parse(text, FROM_KEYPAD).pack()) for text in texts)
        return list(self.link.receive(data, self.now))

    def says(self) -> list[str]:
        """The messages that the link sends."""
        return read([self.link.to_send()], FROM_HOST)

    def wait(self, seconds: float) -> list[object]:
        """The events that the link reports within these seconds without input; it is woken only
        when it asks to be."""
        until, told = self.now + seconds, list[object]()
        while self.link.wake_at <= until:
            self.now = max(self.now, self.link.wake_at)
            told += self.link.advance(self.now)
        self.now = until
        return told


@pytest.fixture
def host() -> Host:
    """A host that has greeted its keypad."""
    host = Host()
    assert host.says() == [f"hello protocol=1.0 session={SESSION}"]
    assert host.hears(HELLO) == [KeypadArrived(NAME)]
    host.says()
    return host


def press(seq: int, tag: str = "66a1", key: str = "5", age: int = 0) -> str:
    return f"press boot={tag} seq={seq} key={key} held=0 age={age}ms"


def test_the_example_in_the_protocol_document_works() -> None:
    host = Host()
    host.says()
    host.hears(HELLO)
    said = host.says()
    assert said[0] == "ack boot=66a1 seq=0"
    assert [text.split()[0] for text in said[1:]] == ["seat", "light", "ping"]
    source = PressId(NAME, int(BOOT, 16), 1)
    assert host.hears(press(1, age=3)) == [KeyPressed(source, Key.D5, False, T0 - 0.003)]
    assert host.says() == ["ack boot=66a1 seq=0"]
    host.registry.settle(source)
    assert host.says() == ["ack boot=66a1 seq=1"]


def test_hello_is_sent_often_at_first_and_later_only_with_the_pings() -> None:
    host = Host()
    host.wait(EAGER_S)
    assert 9 <= len(host.says()) <= 12
    host.wait(10 * BEAT_S)
    assert len(host.says()) <= 11


def test_presses_are_accepted_in_order_and_once(host: Host) -> None:
    told = host.hears(press(1), press(1), press(3), press(2), press(1), press(3))
    assert [getattr(one, "source").sequence for one in told] == [1, 2, 3]  # noqa: B009
    assert host.says() == ["ack boot=66a1 seq=0"], "one ack for all"
    assert host.registry.keypads[NAME].figures.repeated == 2


def test_a_press_with_an_unknown_boot_id_makes_the_host_send_hello(host: Host) -> None:
    assert host.hears(press(1, tag="0bad"), press(1)) == []
    assert host.link.state is LinkState.GREETING
    host.wait(0.5)
    assert host.says() == [f"hello protocol=1.0 session={SESSION}"]


def test_a_hello_of_another_session_does_not_open_the_link(host: Host) -> None:
    host.wait(1.0)
    assert host.hears(HELLO.replace(SESSION, "00000000")) == []
    assert host.link.state is LinkState.GREETING
    assert host.says() == [f"hello protocol=1.0 session={SESSION}"]


def test_presses_from_before_the_hosts_start_are_dropped() -> None:
    host = Host()
    assert host.hears(press(1), HELLO.replace("first=1", "first=2"), press(1)) == [
        KeypadArrived(NAME)
    ]
    assert [type(one) for one in host.hears(press(2))] == [KeyPressed]


def test_press_numbers_continue_after_the_last_one_in_the_record() -> None:
    host = Host(last_kept_press=57)
    host.says()
    host.hears(HELLO)
    assert host.says()[0] == "ack boot=66a1 seq=57"
    assert host.hears(press(57)) == []
    assert len(host.hears(press(58))) == 1


def test_a_restarted_keypad_is_reported(host: Host) -> None:
    host.hears(press(1))
    again = HELLO.replace(BOOT, "00112233445577b2").replace("dropped=0", "dropped=2")
    assert host.hears(again) == [], "no keypad starts twice in a moment"
    host.now += CHANGE_S
    assert host.hears(again) == [KeypadArrived(NAME, again=True, restarted=True, dropped=2)]
    assert [type(one) for one in host.hears(press(1, tag="77b2"))] == [KeyPressed]


def test_a_repeated_hello_causes_no_event(host: Host) -> None:
    host.hears(press(1))
    assert host.hears(HELLO, HELLO) == []
    assert [type(one) for one in host.hears(press(1), press(2))] == [KeyPressed]


def test_silence_closes_the_link_and_hello_reopens_it(host: Host) -> None:
    assert host.wait(SILENCE_S - 0.1) == []
    assert host.wait(BEAT_S) == [KeypadLeft(NAME)]
    assert host.link.state is LinkState.GREETING
    assert host.hears(HELLO) == [KeypadArrived(NAME, again=True)]


def test_an_answered_ping_keeps_the_link_open_and_is_timed(host: Host) -> None:
    for _ in range(5):
        assert host.wait(BEAT_S) == []
        (token,) = (text.split("=")[1] for text in host.says() if text.startswith("ping"))
        host.now += 0.002
        pong = f"pong token={token} boot=66a1 queued=0 seat=0 show=off bad=4 resent=5 free=6"
        assert host.hears(pong) == []
    figures = host.registry.keypads[NAME].figures
    assert (figures.bad_there, figures.resent, figures.free) == (4, 5, 6)
    assert len(figures.round_trips) == 5


def test_an_overflow_is_reported_and_settled_like_a_press(host: Host) -> None:
    source = PressId(NAME, int(BOOT, 16), 1)
    assert host.hears("overflow boot=66a1 seq=1 lost=3") == [PressesLost(source, 3)]
    host.registry.settle(source)
    assert host.says()[-1] == "ack boot=66a1 seq=1"


@pytest.mark.parametrize(
    ("protocol", "newer", "sentence"),
    [
        ("2.0", True, "Keypad 2d2f is too new: update this box."),
        ("0.9", False, "Keypad 2d2f is too old: update its firmware."),
    ],
)
def test_another_major_version_is_reported_once(protocol: str, newer: bool, sentence: str) -> None:
    host = Host()
    hello = HELLO.replace("protocol=1.0", f"protocol={protocol}")
    assert host.hears(hello, hello) == [VersionMismatch(NAME, newer)]
    assert host.hears(press(1)) == []
    host.says()
    host.wait(BEAT_S)
    assert host.says() == [f"hello protocol=1.0 session={SESSION}"]
    assert VersionMismatch(NAME, newer).sentence("keypad 2d2f") == sentence


def test_a_later_minor_version_is_accepted() -> None:
    host = Host()
    assert host.hears(HELLO.replace("protocol=1.0", "protocol=1.9")) == [KeypadArrived(NAME)]


def test_unreadable_frames_are_counted_for_their_keypad() -> None:
    host = Host()
    host.link.receive(b"MicroPython v1.25\r\n>>> ", T0)
    host.hears(HELLO)
    host.link.receive(b"~k?~~k?~", T0)
    assert host.registry.keypads[NAME].figures.bad == 3


@pytest.mark.parametrize(
    ("news", "sentence"),
    [
        (KeypadArrived(NAME), ""),
        (KeypadArrived(NAME, again=True), "McRed's keypad is back."),
        (KeypadArrived(NAME, True, True), "McRed's keypad has restarted: check what is keyed."),
        (KeypadArrived(NAME, dropped=1), "A press of McRed's keypad came too early to count."),
        (KeypadArrived(NAME, dropped=3), "3 presses of McRed's keypad came too early to count."),
        (KeypadLeft(NAME), "McRed's keypad is disconnected: check its cable."),
        (
            PressesLost(PressId(NAME, 1, 1), 1),
            "A key press of McRed's keypad was lost: check what is keyed.",
        ),
    ],
)
def test_events_have_sentences_for_people(
    news: KeypadArrived | KeypadLeft | PressesLost, sentence: str
) -> None:
    assert news.sentence("McRed's keypad") == sentence
    assert news.keypad == NAME


# ---------------------------------------------------------------- both sides


def test_an_overflow_comes_in_order_with_the_number_of_lost_presses() -> None:
    world = World()
    world.wait(1.0)
    world.unplug()
    for _ in range(PLACES + 8):
        world.press(Key.D1)
    world.plug()
    world.wait(1.0)
    world.keys("2 OK").wait(CALM_S)
    assert [key.value for key in world.taken] == ["1"] * (PLACES - 1) + ["2", "OK"]
    assert [getattr(one, "lost") for one in world.reported(PressesLost)] == [9]  # noqa: B009
    world.all_accounted()


def test_a_keypad_skips_the_press_numbers_that_the_record_has() -> None:
    world = World()
    world.last_kept_press[NAME, int.from_bytes(world.keypad.boot)] = 500
    world.wait(0.0)
    assert world.keypad.state is Side.OPEN
    assert world.keypad.first == 501


def test_presses_made_while_the_host_hangs_arrive_in_order() -> None:
    world = World(slow_s=9.0)
    world.wait(1.0)
    world.keys("1 2 3 4 5").wait(2 * CALM_S)
    assert world.taken == world.pressed
    world.all_accounted()


def test_only_whole_messages_are_sent() -> None:
    world = World()
    said: list[bytes] = []
    world.to_keypad.damage = lambda piece: (said.append(piece) or piece,)  # type: ignore[func-returns-value]
    world.wait(1.0)
    world.keys("1 2 3").wait(CALM_S)
    found = read(said, FROM_HOST)
    assert "bad" not in found
    assert all(isinstance(parse(text, FROM_HOST), Message) for text in found)
