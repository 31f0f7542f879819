"""A matrix keypad: found by scanning, at rest without any, and no ghost is believed."""

from collections.abc import Callable
from itertools import combinations
from queue import Queue

import pytest
from gpiozero.pins.mock import MockFactory

from companion.devices.board import Matrix, load_board
from companion.devices.debounce import Edge
from companion.devices.matrix import GpioWires, MatrixKeypad, Scanner, in_rectangles
from companion.keys import Key

WAIT_S = 10


def keypad() -> Matrix:
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, Matrix)
    return keys


class FakeWires:
    """Rows and columns as copper: whatever hangs together through closed keys is low together."""

    def __init__(self, matrix: Matrix) -> None:
        self._places = {
            key: (row, column)
            for row, keys in enumerate(matrix.layout)
            for column, key in enumerate(keys)
        }
        self._closed: set[tuple[int, int]] = set()
        self._pulled: tuple[int, ...] = ()
        self._touched: Callable[[], None] = lambda: None
        self.scans = 0
        self.open = True

    def press(self, *keys: Key) -> None:
        self._closed |= {self._places[key] for key in keys}
        self._touched()

    def release(self, *keys: Key) -> None:
        self._closed -= {self._places[key] for key in keys}
        self._touched()

    def pull(self, rows: tuple[int, ...]) -> None:
        self._pulled = rows
        self.scans += 1

    def low(self) -> frozenset[int]:
        rows, columns, before = set(self._pulled), set[int](), -1
        while len(rows) + len(columns) != before:
            before = len(rows) + len(columns)
            columns |= {column for row, column in self._closed if row in rows}
            rows |= {row for row, column in self._closed if column in columns}
        return frozenset(columns)

    def watch(self, touched: Callable[[], None]) -> None:
        self._touched = touched

    def close(self) -> None:
        self.open = False


class Desk:
    """A scanner on copper, and what it told."""

    def __init__(self) -> None:
        self.wires = FakeWires(keypad())
        self.edges: list[Edge] = []
        self.scanner = Scanner(keypad(), self.wires, self.edges.append, lambda: 5.0)

    def told(self) -> list[tuple[Key, bool]]:
        """What one scan tells."""
        self.edges.clear()
        self.scanner.step()
        return [(edge.key, edge.down) for edge in self.edges]


@pytest.mark.parametrize("key", list(keypad().keys))
def test_every_key_is_found_going_down_and_up(key: Key) -> None:
    desk = Desk()
    desk.wires.press(key)
    assert desk.told() == [(key, True)]
    assert desk.told() == []
    desk.wires.release(key)
    assert desk.told() == [(key, False)]


@pytest.mark.parametrize(("one", "other"), list(combinations(keypad().keys, 2)))
def test_any_two_keys_are_told_apart(one: Key, other: Key) -> None:
    desk = Desk()
    desk.wires.press(one)
    desk.told()
    desk.wires.press(other)
    assert desk.told() == [(other, True)]


def test_a_ghost_is_never_believed() -> None:
    desk = Desk()
    desk.wires.press(Key.D1)
    desk.told()
    desk.wires.press(Key.D2)
    desk.told()
    desk.wires.press(Key.D4)  # now 5 seems closed, too
    assert desk.told() == []
    desk.wires.release(Key.D1)
    assert desk.told() == [(Key.D1, False), (Key.D4, True)]


def test_what_was_hidden_by_a_ghost_is_told_when_the_rectangle_opens() -> None:
    desk = Desk()
    desk.wires.press(Key.D1, Key.D2)
    desk.told()
    desk.wires.press(Key.D4)
    assert desk.told() == []
    desk.wires.release(Key.D2)
    assert desk.told() == [(Key.D2, False), (Key.D4, True)]


def test_three_keys_that_make_no_rectangle_are_all_told() -> None:
    desk = Desk()
    desk.wires.press(Key.D1, Key.D5, Key.D9)
    assert {key for key, _ in desk.told()} == {Key.D1, Key.D5, Key.D9}


def test_rectangles() -> None:
    assert in_rectangles(frozenset({(0, 0), (0, 1), (1, 0)})) == frozenset()
    square = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
    assert in_rectangles(square | {(3, 3)}) == square


def test_it_scans_while_a_key_is_down_and_sleeps_at_rest() -> None:
    wires, edges = FakeWires(keypad()), Queue[Edge]()
    field = MatrixKeypad(keypad(), wires, edges.put, lambda: 5.0)
    field.start()
    wires.press(Key.OK)
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, True, 5.0)
    wires.release(Key.OK)
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, False, 5.0)
    while field._touched.is_set():
        pass
    field.close()
    assert not wires.open
    assert edges.empty()


def test_a_row_is_driven_low_or_let_go_and_never_high() -> None:
    factory, matrix = MockFactory(), keypad()
    wires = GpioWires(matrix, factory)
    rows = [factory.pin(number) for number in matrix.rows]
    wires.pull((0, 1, 2, 3))
    assert [(pin.function, pin.state) for pin in rows] == [("output", 0)] * 4
    wires.pull((2,))
    assert [pin.function for pin in rows] == ["input", "input", "output", "input"]
    assert all(pin.pull == "up" for pin in rows if pin.function == "input")
    wires.close()
    factory.close()


def test_columns_are_read_and_watched() -> None:
    factory, matrix = MockFactory(), keypad()
    wires, touches = GpioWires(matrix, factory), list[None]()
    wires.watch(lambda: touches.append(None))
    assert wires.low() == frozenset()
    factory.pin(matrix.columns[1]).drive_low()
    assert wires.low() == {1}
    assert len(touches) == 1
    wires.close()
    factory.close()
