"""The keypad on gpiozero's mock pins: raw edges with their times, and nothing more."""

import threading
from collections.abc import Iterator

import pytest

from companion.devices.debounce import Edge
from companion.devices.keypad import Keypad
from companion.devices.virtual import Fingers
from companion.keys import Key

PINS = {Key.D1: 4, Key.OK: 17}


class Bench:
    """Two keys on mock pins and a clock that the test sets."""

    def __init__(self) -> None:
        self.now = 10.0
        self.edges: list[Edge] = []
        self.fingers = Fingers(PINS)
        self.keypad = Keypad(PINS, self.edges.append, lambda: self.now, self.fingers.factory)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.keypad.close()
    bench.fingers.close()


def test_each_edge_is_told_with_its_time(bench: Bench) -> None:
    bench.fingers.move(Key.OK, True)
    bench.now = 10.5
    bench.fingers.move(Key.OK, False)
    assert bench.edges == [Edge(Key.OK, True, 10.0), Edge(Key.OK, False, 10.5)]


def test_nothing_is_told_before_a_key_moves(bench: Bench) -> None:
    assert bench.edges == []


def test_it_starts_no_thread() -> None:
    before = threading.active_count()
    bench = Bench()
    assert threading.active_count() == before
    bench.keypad.close()


def test_a_closed_keypad_gives_its_pins_back(bench: Bench) -> None:
    bench.keypad.close()
    bench.fingers.move(Key.OK, True)
    assert bench.edges == []
    again = Keypad(PINS, bench.edges.append, lambda: 1.0, bench.fingers.factory)
    bench.fingers.move(Key.D1, True)
    again.close()
    assert bench.edges == [Edge(Key.D1, True, 1.0)]


def test_a_pin_used_twice_gives_all_others_back(bench: Bench) -> None:
    bench.keypad.close()
    with pytest.raises(Exception, match="already in use"):
        Keypad({Key.D2: 5, Key.D3: 5}, print, lambda: 0.0, bench.fingers.factory)
    Keypad({Key.D2: 5}, print, lambda: 0.0, bench.fingers.factory).close()


def test_a_key_that_the_box_lacks_is_an_error(bench: Bench) -> None:
    with pytest.raises(KeyError):
        bench.fingers.move(Key.MENU, True)
