"""The devices that are used as number pads, and the message about one that isn't available."""

import pytest

from companion.core.keys import Key
from companion.devices.link.events import KeypadArrived, KeypadLeft
from tests.devices.pad_desk import ENTER, FULL, KP7, LEFT_PAD, RIGHT_PORT, Desk, made, pad
from tests.devices.pad_desk import desks as desks  # noqa: PLC0414  # a fixture
from tests.fake_pads import FakePad


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
def test_a_full_keyboard_is_used_only_without_a_pad_or_if_configured(
    desks: list[Desk], take: str, wired: bool, with_pad: bool, taken: bool
) -> None:
    keyboard, one = FakePad("Dell KB216", RIGHT_PORT, FULL), pad()
    desk = made(desks, keyboard, *([one] if with_pad else []), take=take, wired=wired)
    assert keyboard.grabbed is taken
    assert one.grabbed is with_pad
    if taken:
        desk.tap(keyboard, 103)
        assert desk.presses[-1].key is Key.UP


def test_a_keyboard_is_used_once_the_only_pad_is_gone(desks: list[Desk]) -> None:
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


def test_two_devices_of_one_pad_count_as_one_pad(desks: list[Desk]) -> None:
    one, other = pad(), pad("usb-0000:01:00.0-1.3/input1")
    desk = made(desks, one, other)
    assert desk.news == [KeypadArrived(LEFT_PAD)]
    desk.tap(one, KP7).tap(other, ENTER)
    assert len({press.source for press in desk.presses}) == 2
    one.pull()
    desk.wait(0.1)
    assert len(desk.news) == 1
    other.pull()
    desk.wait(0.1)
    assert desk.news[-1] == KeypadLeft(LEFT_PAD)


def test_a_pad_grabbed_by_another_program_is_reported_once_and_used_when_free(
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
    assert desk.news == [KeypadArrived(LEFT_PAD)]


def test_a_missing_permission_is_reported(desks: list[Desk]) -> None:
    desk = made(desks)
    desk.devices.denied = True
    desk.devices.plug(pad())
    desk.look().look()
    assert desk.said and "Permission denied" in desk.said[0]
