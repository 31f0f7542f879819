"""Number pads that are plugged in, typed on and pulled out: on fakes that give the kernel's
events."""

import pytest

from companion.core.keys import Press, is_pad, pad_id
from companion.devices.gpio.debounce import Timing
from companion.devices.link.events import KeypadArrived, KeypadLeft, News
from companion.devices.pads.input_devices import id_of, list_pads
from companion.devices.pads.number_pads import NumberPads
from tests.devices.pad_desk import (
    DOWN,
    ENTER,
    FULL,
    KP0,
    KP5,
    KP7,
    LEFT_PAD,
    LEFT_PORT,
    PLUS,
    REPEATED,
    RIGHT_PAD,
    RIGHT_PORT,
    UP,
    Desk,
    made,
    pad,
)
from tests.devices.pad_desk import desks as desks  # noqa: PLC0414  # a fixture
from tests.fake_pads import PAD, FakeDevices, FakePad
from tests.waiting import wait_until


def test_a_pad_is_grabbed_and_its_presses_are_unique(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    assert one.grabbed
    assert desk.news == [KeypadArrived(LEFT_PAD)]
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


def test_a_pad_can_be_plugged_unplugged_and_plugged_again(desks: list[Desk]) -> None:
    desk, one = made(desks), pad()
    desk.devices.plug(one)
    desk.look()
    assert desk.news == [KeypadArrived(LEFT_PAD)]
    one.pull()
    desk.wait(0.1)
    assert desk.news[1:] == [KeypadLeft(LEFT_PAD)]
    again = pad()
    desk.devices.plug(again)
    desk.look().tap(again, KP7)
    assert desk.news[2:] == [KeypadArrived(LEFT_PAD, again=True)]
    assert desk.typed == "7"


def test_unplugging_a_hub_removes_both_its_pads(desks: list[Desk]) -> None:
    one, other = pad(), pad(RIGHT_PORT)
    desk = made(desks, one, other)
    one.move(PLUS, DOWN, desk.now)
    desk.wait(0.1)
    one.pull()
    other.pull()
    desk.wait(3)
    assert desk.news[2:] == [KeypadLeft(LEFT_PAD), KeypadLeft(RIGHT_PAD)]
    assert [press.repeated for press in desk.presses] == [False], "nothing goes on"


def test_unplugging_a_pad_releases_its_keys(desks: list[Desk]) -> None:
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


def test_identical_pads_are_identified_by_their_ports(
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


def test_a_held_pad_key_repeats_at_the_boxs_rate(desks: list[Desk]) -> None:
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


def test_a_flood_of_events_is_ignored_and_reported_once(desks: list[Desk]) -> None:
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


def test_a_flooding_pad_costs_little_and_works_again_afterwards(
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
    assert desk.news[-1] == KeypadLeft(LEFT_PAD)


def test_lost_kernel_events_release_all_keys(desks: list[Desk]) -> None:
    one = pad()
    desk = made(desks, one)
    one.move(PLUS, DOWN, desk.now)
    desk.wait(0.1)
    one.drop(desk.now)
    desk.wait(2)
    assert [press.repeated for press in desk.presses] == [False]


# ---------------------------------------------------------------- names and lists


def test_a_pads_id_is_its_port_or_its_own_address() -> None:
    assert id_of(pad()) == LEFT_PAD
    bluetooth = FakePad("BT Keypad", "b8:27:eb:00:00:01", unique="aa:bb:cc:dd:ee:ff", bus=5)
    assert id_of(bluetooth) == "pad-aa-bb-cc-dd-ee-ff"
    assert id_of(FakePad("Nowhere", "", PAD)) == "pad-Nowhere"
    assert is_pad(pad_id("1/2 3")) and "/" not in pad_id("1/2 3")
    assert not is_pad("e6614103e7452d2f")


def test_pads_are_listed_with_and_without_a_table(desks: list[Desk]) -> None:
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
    assert [told["keypad"] for told in list_pads(devices)] == [RIGHT_PAD]


def test_the_thread_grabs_and_releases_pads() -> None:
    heard: list[Press | News] = []
    devices, one = FakeDevices(), pad()
    devices.plug(one)
    pads = NumberPads(heard.append, print, devices)
    pads.start()
    wait_until(lambda: heard)
    pads.close()
    assert heard == [KeypadArrived(LEFT_PAD)]
    assert not one.open


@pytest.mark.parametrize("code", [KP5, KP0])
@pytest.mark.parametrize("release_s", [0.025, 0.06])
def test_a_key_that_chatters_on_release_is_pressed_once(
    desks: list[Desk], code: int, release_s: float
) -> None:
    worn = pad()
    desk = made(desks, worn, timing=Timing(release_s=release_s))
    for apart_s in (0.0, 0.015, release_s - 0.005):
        desk.heard.clear()
        start = desk.now
        for at, value in ((0.0, DOWN), (0.08, UP), (0.08 + apart_s, DOWN), (0.085 + apart_s, UP)):
            desk.wait(start + at - desk.now)
            worn.move(code, value, desk.now)
        desk.wait(0.5)
        assert len(desk.typed) == 1, f"the second one after {apart_s} s"


@pytest.mark.parametrize("code", [KP5, KP0])
def test_two_quick_taps_are_two_presses(desks: list[Desk], code: int) -> None:
    one = pad()
    desk = made(desks, one)
    for value in (DOWN, UP, DOWN, UP):
        one.move(code, value, desk.now)
        desk.wait(0.05)
    assert len(desk.wait(0.5).typed) == 2
