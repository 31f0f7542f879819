"""A matrix keypad's wires on mock pins and on the kernel's lines: when rows are driven, when
columns are read."""

import time
from collections.abc import Callable, Iterator
from queue import Queue

import pytest
from gpiozero.pins.mock import MockFactory

from companion.core.keys import Key
from companion.devices.board import MatrixKeys, load_board
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.gpio_chip import GET_VALUES, OPEN_DRAIN, OUTPUT, ChipError, find_chip
from companion.devices.gpio.matrix import (
    SETTLE_S,
    KernelWires,
    PinWires,
    Scanner,
    Wires,
    open_wires,
)
from companion.devices.gpio.pins import KernelFactory
from tests.fake_gpio import FakeGpio, FakeLine
from tests.waiting import WAIT_S

RISE_S = 16e-6
"""The longest time that a column was seen to take to rise, in seconds."""


def keypad() -> MatrixKeys:
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, MatrixKeys)
    return keys


class Copper(FakeGpio):
    """The Pi's lines with closed keys between rows and columns. A column is low while one of its
    rows is, and a little longer; each call takes a microsecond."""

    def __init__(self) -> None:
        super().__init__(lambda: self.now)
        self.now = 10.0
        self.calls: list[int] = []
        self.closed: set[tuple[int, int]] = set()
        """(row, column) of the keys that are down, as line numbers."""
        self._low_at: dict[int, float] = {}

    def ioctl(self, fd: int, number: int, data: bytearray) -> None:
        super().ioctl(fd, number, data)
        self.now += 1e-6
        self.calls.append(number)
        for at, line in enumerate(self.lines):
            if line.level == 0:
                self._low_at[at] = self.now

    def level(self, line: FakeLine) -> int:
        column = self.lines.index(line)
        low = any(
            self.lines[row].level == 0 or self.now - self._low_at.get(row, 0) < RISE_S
            for row, its_column in self.closed
            if its_column == column
        )
        return 0 if low else super().level(line)

    def sleep(self) -> None:
        self.now += SETTLE_S


@pytest.fixture
def copper() -> Copper:
    return Copper()


@pytest.fixture
def factory(copper: Copper) -> Iterator[KernelFactory]:
    factory = KernelFactory(find_chip(copper))
    yield factory
    factory.close()


Make = Callable[[MatrixKeys, KernelFactory, Callable[[], None]], Wires]


@pytest.mark.parametrize("make", [PinWires, KernelWires])
@pytest.mark.parametrize("key", list(keypad().keys))
def test_a_slowly_rising_column_causes_no_ghost_in_the_next_row(
    copper: Copper, factory: KernelFactory, make: Make, key: Key
) -> None:
    matrix, edges = keypad(), list[Edge]()
    wires = make(matrix, factory, copper.sleep)
    scanner = Scanner(matrix, wires, edges.append, lambda: copper.now)
    place = next(
        (matrix.rows[row], matrix.columns[keys.index(key)])
        for row, keys in enumerate(matrix.layout)
        if key in keys
    )
    copper.closed.add(place)
    scanner.step()
    scanner.step()
    assert [(edge.key, edge.down) for edge in edges] == [(key, True)]
    wires.close()


def test_all_columns_are_read_with_one_call(copper: Copper, factory: KernelFactory) -> None:
    matrix = keypad()
    wires = KernelWires(matrix, factory, copper.sleep)
    scanner = Scanner(matrix, wires, lambda _: None, lambda: copper.now)
    copper.closed.add((matrix.rows[1], matrix.columns[2]))
    copper.calls.clear()
    scanner.step()
    assert len(copper.calls) == 9
    assert copper.calls.count(GET_VALUES) == 4
    wires.close()


@pytest.mark.parametrize("make", [PinWires, KernelWires])
def test_rows_are_driven_low_or_released_but_never_high(
    copper: Copper, factory: KernelFactory, make: Make
) -> None:
    matrix = keypad()
    wires = make(matrix, factory, copper.sleep)
    rows = [copper.lines[number] for number in matrix.rows]

    def driven() -> list[int]:
        """The levels to which rows are being driven."""
        drives = (row for row in rows if row.flags & OUTPUT)
        return [row.value for row in drives if not (row.flags & OPEN_DRAIN and row.value)]

    assert driven() == []
    wires.pull_low((0, 1, 2, 3))
    assert driven() == [0] * 4
    wires.pull_low((2,))
    assert driven() == [0]
    assert [row.level for row in rows] == [1, 1, 0, 1]
    wires.close()
    assert not any(copper.is_taken(number) for number in (*matrix.rows, *matrix.columns))


@pytest.mark.parametrize("make", [PinWires, KernelWires])
def test_columns_are_read_and_watched(copper: Copper, factory: KernelFactory, make: Make) -> None:
    matrix, touches = keypad(), Queue[None]()
    wires = make(matrix, factory, copper.sleep)
    wires.watch(lambda: touches.put(None))
    assert wires.low() == frozenset()
    copper.pull(matrix.columns[1], 0)
    touches.get(timeout=WAIT_S)
    assert wires.low() == {1}
    wires.watch(None)
    copper.pull(matrix.columns[1], 1)
    wires.watch(lambda: touches.put(None))
    copper.pull(matrix.columns[3], 0)
    touches.get(timeout=WAIT_S)
    assert wires.low() == {3}
    wires.close()
    assert touches.empty()


def test_a_line_in_use_is_named_and_the_others_are_released(
    copper: Copper, factory: KernelFactory
) -> None:
    matrix = keypad()
    other = KernelFactory(find_chip(copper))
    other.pin(matrix.columns[2]).input_with_pull("up")
    with pytest.raises(ChipError, match=f"another program has GPIO {matrix.columns[2]}, which"):
        KernelWires(matrix, factory, copper.sleep)
    assert not copper.is_taken(matrix.rows[0])
    other.close()


def test_the_pin_factory_determines_the_kind_of_wires(factory: KernelFactory) -> None:
    mock = MockFactory()
    for pins, kind in ((mock, PinWires), (factory, KernelWires)):
        wires = open_wires(keypad(), pins)
        assert type(wires) is kind
        wires.pull_low((0,))
        wires.close()
    mock.close()


def test_columns_are_read_after_the_settling_time() -> None:
    from companion.devices.gpio.matrix import settle

    begun = time.perf_counter()
    settle()
    assert time.perf_counter() - begun >= SETTLE_S
