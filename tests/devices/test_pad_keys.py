"""The keys of number pads as the kernel reports them: which key each is, and which count as
nothing."""

import pytest

from companion.core.keys import SIXTEEN, Key
from companion.devices.gpio.debounce import Edge
from companion.devices.pads.pad_keys import (
    DOUBLE_S,
    KEYBOARD_CODES,
    MAX_KEYS_PER_SECOND,
    PAD_CODES,
    QUIET_S,
    TAP_S,
    PadKeys,
    is_keyboard,
    is_number_pad,
)

NUMLOCK, KP0, KP7, HOME, PLUS, ENTER = 69, 82, 71, 102, 78, 96
DOWN, UP, REPEATED = 1, 0, 2


class TypingHand:
    """Somebody's hand on a pad; `after` and `before` are seconds between its moves."""

    def __init__(self) -> None:
        self.keys, self.now = PadKeys(PAD_CODES), 100.0
        self.edges: list[Edge] = []

    def move(self, code: int, value: int, after: float = 0.0) -> "TypingHand":
        self.now += after
        self.edges += self.keys.feed(code, value, self.now)
        return self

    def tap(self, code: int, down_s: float = 0.08, before: float = 0.1) -> "TypingHand":
        return self.move(code, DOWN, before).move(code, UP, down_s)

    def wait(self, seconds: float) -> "TypingHand":
        self.now += seconds
        self.edges += self.keys.advance(self.now)
        return self

    @property
    def typed(self) -> str:
        return "".join(edge.key.value for edge in self.edges if edge.down)


def test_a_pad_with_seventeen_keys_has_every_key_of_the_box() -> None:
    pad = {69, 98, 55, 74, 71, 72, 73, 78, 75, 76, 77, 79, 80, 81, 82, 83, 96}
    assert len(pad) == 17
    assert {PAD_CODES[code] for code in pad if code in PAD_CODES} == set(SIXTEEN)


def test_every_code_exists_in_the_kernels_header() -> None:
    most = 0x2FF  # KEY_MAX: a device with a key above it can't be made
    assert min(KEYBOARD_CODES) > 0 and max(KEYBOARD_CODES) <= most


@pytest.mark.parametrize(
    ("code", "key"),
    [
        (79, "1"), (107, "1"), (2, "1"),
        (82, "0"), (110, "0"), (11, "0"),
        (76, "5"), (6, "5"),
        (96, "OK"), (28, "OK"),
        (14, "BACK"), (83, "BACK"), (121, "BACK"), (51, "BACK"), (111, "BACK"),
        (78, "DRAW"), (74, "PASS"), (55, "BOGUS"), (98, "MENU"),
    ],
)  # fmt: skip
def test_each_code_means_its_key_of_the_box(code: int, key: str) -> None:
    assert TypingHand().tap(code).wait(1).typed == key


def test_num_lock_is_ignored() -> None:
    hand = TypingHand()
    for code in (KP7, HOME, KP0):
        hand.tap(NUMLOCK, 0.001, 0.1).tap(code, 0.05, 0.001).tap(NUMLOCK, 0.001, 0.001)
    assert hand.wait(1).typed == "770"
    assert [edge.down for edge in hand.edges] == [True, False] * 3


def test_the_kernels_repeats_are_ignored() -> None:
    hand = TypingHand().move(PLUS, DOWN)
    for _ in range(50):
        hand.move(PLUS, REPEATED, 0.03)
    hand.move(PLUS, UP)
    assert [(edge.key, edge.down) for edge in hand.edges] == [(Key.DRAW, True), (Key.DRAW, False)]


@pytest.mark.parametrize("between", [0.001, 0.008, 0.02, 0.025])
@pytest.mark.parametrize("zeros", [2, 3])
def test_the_key_00_does_nothing(between: float, zeros: int) -> None:
    hand = TypingHand().tap(KP7)
    for _ in range(zeros):
        hand.tap(KP0, between, between)
    hand.wait(1).tap(ENTER)
    assert hand.typed == "7OK"


@pytest.mark.parametrize("down_s", [0.004, 0.02, 0.03, 0.05, 0.3])
@pytest.mark.parametrize("pause", [0.08, 0.2])
def test_two_zeros_pressed_by_a_finger_are_two_presses(down_s: float, pause: float) -> None:
    hand = TypingHand().tap(KP0, down_s).tap(KP0, down_s, pause).wait(1)
    assert hand.typed == "00"
    assert [edge.down for edge in hand.edges] == [True, False] * 2


def test_a_zero_is_reported_late_with_the_time_of_its_press() -> None:
    hand = TypingHand().move(KP0, DOWN)
    begun = hand.now
    assert hand.keys.wake_at == pytest.approx(begun + TAP_S)
    assert hand.wait(TAP_S).edges == [Edge(Key.D0, True, begun)]
    hand = TypingHand().tap(KP0, 0.01)
    assert hand.keys.wake_at == pytest.approx(hand.now - 0.01 + DOUBLE_S)


def test_a_zero_is_reported_before_a_key_that_follows_quickly() -> None:
    hand = TypingHand().tap(KP0, 0.02).tap(ENTER, 0.05, 0.06)
    assert hand.typed == "0OK"


def test_release_releases_every_key_that_is_down() -> None:
    hand = TypingHand().move(KP7, DOWN).move(PLUS, DOWN, 0.1).move(KP0, DOWN, 0.1).wait(0.1)
    released = hand.keys.release(hand.now)
    assert {(edge.key, edge.down) for edge in released} == {
        (Key.D7, False), (Key.DRAW, False), (Key.D0, False)
    }  # fmt: skip
    assert hand.keys.release(hand.now) == []


def test_a_release_without_a_press_is_ignored() -> None:
    assert TypingHand().move(ENTER, UP).move(KP0, UP).wait(1).edges == []


def test_a_flood_of_events_is_ignored_until_it_ends() -> None:
    hand = TypingHand()
    for _ in range(2000):
        hand.tap(KP7, 0.0005, 0.0005)
    assert hand.keys.flooded
    assert len(hand.typed) <= MAX_KEYS_PER_SECOND
    assert not hand.edges[-1].down, "nothing stays down"
    before = len(hand.typed)
    hand.tap(ENTER, 0.05, 0.2)
    assert len(hand.typed) == before
    hand.tap(ENTER, 0.05, QUIET_S)
    assert hand.typed[before:] == "OK"
    assert not hand.keys.flooded


def test_fast_typing_is_not_taken_for_a_flood() -> None:
    hand = TypingHand()
    for _ in range(200):
        hand.tap(KP7, 0.015, 0.015)
    assert hand.typed == "7" * 200


def test_pads_and_keyboards_are_distinguished() -> None:
    pad = [69, *sorted(PAD_CODES)]
    assert is_keyboard(pad) and is_number_pad(pad, "HCT USB Entry")
    full = [*range(1, 100), *range(100, 112)]
    assert is_keyboard(full) and not is_number_pad(full, "Dell KB216")
    assert is_number_pad(full, "SEM USB Keypad"), "it only says that it has letters"
    assert not is_keyboard([272, 273, 274]), "a mouse"
    assert not is_keyboard([113, 114, 115, 116]), "the volume keys of a keyboard"


def test_a_keyboard_has_arrows_and_letters() -> None:
    keys = PadKeys(KEYBOARD_CODES)
    told = [edge for code in (103, 108, 105, 106, 32, 25, 48, 50, 28)
            for edge in keys.feed(code, DOWN, 1.0)]  # fmt: skip
    assert [edge.key.value for edge in told] == [
        "UP", "DOWN", "LEFT", "RIGHT", "DRAW", "PASS", "BOGUS", "MENU", "OK"
    ]  # fmt: skip
