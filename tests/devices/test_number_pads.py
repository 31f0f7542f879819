"""Number pads that are plugged in, typed on and pulled out: on fakes that give the kernel's
events."""

import time
from collections.abc import Iterator

import pytest

from companion.core.keys import Key, Press, is_pad, pad_id
from companion.devices.gpio.debounce import Timing
from companion.devices.pads.fake_pads import PAD, FakeDevices, FakePad
from companion.devices.pads.input_devices import id_of, look_for_pads
from companion.devices.pads.number_pads import LOOK_S, NumberPads
from companion.link.events import Arrived, Left, News

KP7, KP0, PLUS, ENTER = 71, 82, 78, 96
DOWN, UP, REPEATED = 1, 0, 2
FULL = frozenset(range(1, 112))
LEFT_PORT, RIGHT_PORT = "usb-0000:01:00.0-1.3/input0", "usb-0000:01:00.0-1.4/input0"
LEFT_PAD, RIGHT_PAD = "pad-0000-01-00.0-1.3", "pad-0000-01-00.0-1.4"


def pad(port: str = LEFT_PORT, name: str = "HCT USB Entry Keypad") -> FakePad:
    return FakePad(name, port)


class Desk:
    """Pads on a desk; time goes by only in `wait`."""

    def __init__(self, *pads: FakePad, take: str = "auto", wired: bool = True) -> None:
        self.now = 1000.0
        self.devices = FakeDevices()
        for one in pads:
            self.devices.plug(one)
        self.heard: list[Press | News] = []
        self.said: list[str] = []
        self.pads = NumberPads(
            self.heard.append,
            self.said.append,
            self.devices,
            take=take,
            wired=wired,
            timing=Timing(),
            clock=lambda: self.now,
        )
        self.pads.step(0)

    def wait(self, seconds: float) -> "Desk":
        """Lets these seconds go by, in steps as short as a pad's thread may sleep."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + 0.01)
            self.pads.step(0)
        return self

    def look(self) -> "Desk":
        return self.wait(LOOK_S)

    def tap(self, pad: FakePad, *codes: int) -> "Desk":
        for code in codes:
            pad.move(code, DOWN, self.now)
            self.wait(0.06)
            pad.move(code, UP, self.now)
            self.wait(0.06)
        return self

    @property
    def presses(self) -> list[Press]:
        return [one for one in self.heard if isinstance(one, Press)]

    @property
    def news(self) -> list[News]:
        return [one for one in self.heard if not isinstance(one, Press)]

    @property
    def typed(self) -> str:
        return "".join(press.key.value for press in self.presses)


@pytest.fixture
def desks() -> Iterator[list[Desk]]:
    made: list[Desk] = []
    yield made
    for desk in made:
        desk.pads.close()


def made(desks: list[Desk], *pads: FakePad, take: str = "auto", wired: bool = True) -> Desk:
    desks.append(Desk(*pads, take=take, wired=wired))
    return desks[-1]


def test_a_pad_is_ours_alone_and_each_of_its_presses_is_unique(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    assert one.grabbed
    assert desk.news == [Arrived(LEFT_PAD)]
    desk.tap(one, KP7, KP0, ENTER)
    assert desk.typed == "70OK"
    sources = [press.source for press in desk.presses]
    assert len(set(sources)) == 3
    assert [source.sequence for source in sources if source] == [1, 2, 3]
    assert all(source and source.keypad == LEFT_PAD for source in sources)
    assert all(press.at is not None and press.at <= desk.now for press in desk.presses)
    desk.pads.close()
    assert not one.open
    desks.remove(desk)


def test_it_is_hot_plugged_and_pulled_out_and_is_back(desks: list[Desk]) -> None:
    desk, one = made(desks), pad()
    desk.devices.plug(one)
    desk.look()
    assert desk.news == [Arrived(LEFT_PAD)]
    one.pull()
    desk.wait(0.1)
    assert desk.news[1:] == [Left(LEFT_PAD)]
    again = pad()
    desk.devices.plug(again)
    desk.look().tap(again, KP7)
    assert desk.news[2:] == [Arrived(LEFT_PAD, again=True)]
    assert desk.typed == "7"


def test_two_pads_on_one_hub_that_is_unplugged(desks: list[Desk]) -> None:
    one, other = pad(), pad(RIGHT_PORT)
    desk = made(desks, one, other)
    one.move(PLUS, DOWN, desk.now)
    desk.wait(0.1)
    one.pull()
    other.pull()
    desk.wait(3)
    assert desk.news[2:] == [Left(LEFT_PAD), Left(RIGHT_PAD)]
    assert [press.repeated for press in desk.presses] == [False], "nothing goes on"


def test_a_pad_that_is_pulled_out_with_a_key_down_lets_it_go(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    one.move(PLUS, DOWN, desk.now)
    desk.wait(0.8)
    repeats = len(desk.presses)
    assert repeats > 1
    one.pull()
    desk.wait(2)
    assert len(desk.presses) == repeats
    again = pad()
    desk.devices.plug(again)
    desk.look().tap(again, PLUS)
    assert [press.repeated for press in desk.presses[repeats:]] == [False]


def test_two_pads_of_one_kind_are_told_apart_by_their_ports_also_when_they_swap(
    desks: list[Desk],
) -> None:
    one, other = pad(), pad(RIGHT_PORT)
    desk = made(desks, one, other)
    desk.tap(one, KP7).tap(other, KP7)
    assert [press.source and press.source.keypad for press in desk.presses] == [LEFT_PAD, RIGHT_PAD]
    one.pull()
    other.pull()
    desk.wait(0.1)
    one.port, other.port = other.port, one.port
    one.gone = other.gone = False
    one, other = pad(RIGHT_PORT), pad(LEFT_PORT)
    desk.devices.plug(one)
    desk.devices.plug(other)
    desk.look().tap(one, ENTER)
    press = desk.presses[-1]
    assert press.source and press.source.keypad == RIGHT_PAD, "the port is what counts"
    assert len({press.source for press in desk.presses}) == 3


def test_a_key_that_is_held_is_told_and_goes_on_by_our_own_measure(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    one.move(PLUS, DOWN, desk.now)
    for _ in range(100):
        one.move(PLUS, REPEATED, desk.now)
        desk.wait(0.033)
    one.move(PLUS, UP, desk.now)
    desk.wait(1)
    kinds = [(press.held, press.repeated) for press in desk.presses]
    assert kinds[0] == (False, False)
    assert kinds.count((True, False)) == 1
    timing = Timing()
    expected = (3.3 - timing.repeat_after_s) / timing.repeat_s
    assert abs(kinds.count((False, True)) - expected) < 3, "the kernel's own are left out"


def test_a_flood_counts_as_nothing_and_is_said_once(desks: list[Desk]) -> None:
    one, other = pad(), pad(RIGHT_PORT)
    desk = made(desks, one, other)
    for _ in range(300):
        for _ in range(5):
            one.move(KP7, DOWN, desk.now)
            one.move(KP7, UP, desk.now)
        desk.wait(0.01)
    assert desk.said == [
        "“HCT USB Entry Keypad” presses more keys than anybody can: it counts as nothing."
    ]
    assert len(desk.presses) <= 40
    before = len(desk.presses)
    desk.tap(other, ENTER)
    assert desk.typed[before:] == "OK", "the others go on"


def test_a_pad_that_floods_costs_hardly_anything_and_is_a_pad_again_when_it_stops(
    desks: list[Desk],
) -> None:
    one = pad()
    desk = made(desks, one)

    def flood(seconds: int) -> None:
        for at in range(500 * seconds):  # a thousand events a second
            one.move(KP7, at % 2, desk.now)
            desk.now += 0.002
            desk.pads.step(0)

    flood(1)
    before, one.reads = len(desk.presses), 0
    flood(4)
    assert one.reads <= 4 * 5
    assert len(desk.presses) == before
    desk.wait(1.5).tap(one, ENTER)
    assert desk.typed[-2:] == "OK"
    flood(1)
    one.pull()
    desk.wait(1)
    assert desk.news[-1] == Left(LEFT_PAD)


def test_events_that_the_kernel_lost_let_all_keys_go(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    one.move(PLUS, DOWN, desk.now)
    desk.wait(0.1)
    one.drop(desk.now)
    desk.wait(2)
    assert [press.repeated for press in desk.presses] == [False]


# ---------------------------------------------------------------- what is taken


@pytest.mark.parametrize(
    ("take", "wired", "with_pad", "taken"),
    [
        ("auto", True, False, False),
        ("auto", False, False, True),
        ("auto", False, True, False),
        ("pads", False, False, False),
        ("keyboards", True, True, True),
    ],
)
def test_a_full_keyboard_is_taken_only_where_nothing_else_is_there_or_it_is_said(
    desks: list[Desk], take: str, wired: bool, with_pad: bool, taken: bool
) -> None:
    keyboard, one = FakePad("Dell KB216", RIGHT_PORT, FULL), pad()
    desk = made(desks, keyboard, *([one] if with_pad else []), take=take, wired=wired)
    assert keyboard.grabbed is taken
    assert one.grabbed is with_pad
    if taken:
        desk.tap(keyboard, 103)
        assert desk.presses[-1].key is Key.UP


def test_where_the_only_pad_goes_the_keyboard_is_taken(desks: list[Desk]) -> None:
    keyboard, one = FakePad("Dell KB216", RIGHT_PORT, FULL), pad()
    desk = made(desks, keyboard, one, wired=False)
    one.pull()
    desk.look()
    assert keyboard.grabbed


def test_mice_and_volume_keys_are_left_alone(desks: list[Desk]) -> None:
    mouse = FakePad("Mouse", "usb-1", {272, 273})
    volume = FakePad("HCT USB Entry Keypad Consumer Control", "usb-1.3", {113, 114, 115})
    made(desks, mouse, volume)
    assert not (mouse.grabbed or volume.grabbed or mouse.open or volume.open)


def test_a_pad_of_two_devices_is_one(desks: list[Desk]) -> None:
    one, other = pad(), pad("usb-0000:01:00.0-1.3/input1")
    desk = made(desks, one, other)
    assert desk.news == [Arrived(LEFT_PAD)]
    desk.tap(one, KP7).tap(other, ENTER)
    assert len({press.source for press in desk.presses}) == 2
    one.pull()
    desk.wait(0.1)
    assert len(desk.news) == 1
    other.pull()
    desk.wait(0.1)
    assert desk.news[-1] == Left(LEFT_PAD)


def test_one_that_another_program_has_is_told_once_and_taken_when_it_is_free(
    desks: list[Desk],
) -> None:
    one = pad()
    one.busy = True
    desk = made(desks, one)
    assert desk.said == []
    desk.look().look().look()
    assert desk.said == [
        "the number pad on /dev/input/event1 can't be had (Device or resource busy): "
        "is another using it?"
    ]
    one.busy = False
    desk.look()
    assert desk.news == [Arrived(LEFT_PAD)]


def test_without_the_right_it_is_told(desks: list[Desk]) -> None:
    desk = made(desks)
    desk.devices.denied = True
    desk.devices.plug(pad())
    desk.look().look()
    assert desk.said and "Permission denied" in desk.said[0]


# ---------------------------------------------------------------- names and lists


def test_a_pad_is_named_by_its_port_or_its_own_address() -> None:
    assert id_of(pad()) == LEFT_PAD
    bluetooth = FakePad("BT Keypad", "b8:27:eb:00:00:01", unique="aa:bb:cc:dd:ee:ff", bus=5)
    assert id_of(bluetooth) == "pad-aa-bb-cc-dd-ee-ff"
    assert id_of(FakePad("Nowhere", "", PAD)) == "pad-Nowhere"
    assert is_pad(pad_id("1/2 3")) and "/" not in pad_id("1/2 3")
    assert not is_pad("e6614103e7452d2f")


def test_they_are_listed_with_and_without_a_table(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    desk.tap(one, KP7, ENTER)
    (told,) = desk.pads.status()
    assert told == {
        "keypad": LEFT_PAD, "kind": "number pad", "name": "HCT USB Entry Keypad",
        "port": "/dev/input/event1", "here": True, "seat": None, "fits": True, "presses": 2,
    }  # fmt: skip
    one.pull()
    desk.wait(0.1)
    assert desk.pads.status()[0]["here"] is False
    devices = FakeDevices()
    devices.plug(pad(RIGHT_PORT))
    devices.plug(FakePad("Dell KB216", LEFT_PORT, FULL))
    assert [told["keypad"] for told in look_for_pads(devices)] == [RIGHT_PAD]


def test_the_thread_takes_and_lets_go() -> None:
    heard: list[Press | News] = []
    devices, one = FakeDevices(), pad()
    devices.plug(one)
    pads = NumberPads(heard.append, print, devices)
    pads.start()
    end = time.monotonic() + 10
    while not heard and time.monotonic() < end:
        time.sleep(0.001)
    pads.close()
    assert heard == [Arrived(LEFT_PAD)]
    assert not one.open
