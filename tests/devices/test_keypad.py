"""The keypad on gpiozero's mock pins: raw edges with their times."""

import threading
from collections.abc import Iterator
from queue import Queue

import pytest

from companion.core.keys import Key
from companion.devices.display.virtual import Fingers
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.gpio_chip import INPUT, ChipError, find_chip
from companion.devices.gpio.keypad import DirectKeypad
from companion.devices.gpio.pins import KernelFactory
from tests.fake_gpio import FakeGpio
from tests.waiting import WAIT_S

PINS = {Key.D1: 4, Key.OK: 17}


class Bench:
    """Two keys on mock pins and a clock that the test sets."""

    def __init__(self) -> None:
        self.now = 10.0
        self.edges: list[Edge] = []
        self.fingers = Fingers(PINS)
        self.keypad = DirectKeypad(PINS, self.edges.append, lambda: self.now, self.fingers.factory)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.keypad.close()
    bench.fingers.close()


def test_each_edge_is_reported_with_its_time(bench: Bench) -> None:
    bench.fingers.move(Key.OK, True)
    bench.now = 10.5
    bench.fingers.move(Key.OK, False)
    assert bench.edges == [Edge(Key.OK, True, 10.0), Edge(Key.OK, False, 10.5)]


def test_nothing_is_reported_before_a_key_moves(bench: Bench) -> None:
    assert bench.edges == []


def test_a_direct_keypad_starts_no_thread() -> None:
    before = threading.active_count()
    bench = Bench()
    assert threading.active_count() == before
    bench.keypad.close()


def test_a_closed_keypad_releases_its_pins(bench: Bench) -> None:
    bench.keypad.close()
    bench.fingers.move(Key.OK, True)
    assert bench.edges == []
    again = DirectKeypad(PINS, bench.edges.append, lambda: 1.0, bench.fingers.factory)
    bench.fingers.move(Key.D1, True)
    again.close()
    assert bench.edges == [Edge(Key.D1, True, 1.0)]


def test_an_unavailable_pin_releases_all_others() -> None:
    gpio = FakeGpio(lambda: 1.0)
    taken = find_chip(gpio).lines([17], INPUT)
    factory = KernelFactory(find_chip(gpio))
    with pytest.raises(ChipError, match="another program has GPIO 17"):
        DirectKeypad(PINS, print, lambda: 0.0, factory)
    taken.close()
    DirectKeypad(PINS, print, lambda: 0.0, factory).close()
    factory.close()


def test_edges_have_the_kernels_time_if_the_pins_provide_it() -> None:
    gpio, edges = FakeGpio(lambda: 12.5), Queue[Edge]()
    factory = KernelFactory(find_chip(gpio))
    keypad = DirectKeypad(PINS, edges.put, lambda: 99.0, factory)
    gpio.pull(17, 0)
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, True, 12.5)
    gpio.pull(17, None)
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, False, 12.5)
    keypad.close()
    factory.close()


def test_moving_a_missing_key_raises(bench: Bench) -> None:
    with pytest.raises(KeyError):
        bench.fingers.move(Key.MENU, True)


def test_a_key_that_is_already_down_is_reported() -> None:
    gpio, edges = FakeGpio(lambda: 12.5), Queue[Edge]()
    gpio.pull(4, 0)
    factory = KernelFactory(find_chip(gpio))
    keypad = DirectKeypad(PINS, edges.put, lambda: 12.0, factory)
    assert edges.get(timeout=WAIT_S) == Edge(Key.D1, True, 12.0, found=True)
    gpio.pull(4, None)
    assert edges.get(timeout=WAIT_S) == Edge(Key.D1, False, 12.5)
    assert edges.empty()
    keypad.close()
    factory.close()
