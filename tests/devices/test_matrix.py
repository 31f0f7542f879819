"""A matrix keypad: keys are found by scanning, there is no scanning while no key is down, and
ghosts are ignored."""

import errno
from collections.abc import Callable
from itertools import combinations
from queue import Queue

import pytest

from companion.core.keys import Key
from companion.devices.board import MatrixKeys, load_board
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.matrix import (
    CALM_S,
    CALM_SCAN_S,
    SCAN_S,
    MatrixKeypad,
    Scanner,
    ghost_candidates,
)
from tests.waiting import WAIT_S


def keypad() -> MatrixKeys:
    keys = load_board("keypad-4x4").keys
    assert isinstance(keys, MatrixKeys)
    return keys


class FakeWires:
    """Rows and columns as copper: all that closed keys connect to a low row is low."""

    def __init__(self, matrix: MatrixKeys) -> None:
        self._places = {
            key: (row, column)
            for row, keys in enumerate(matrix.layout)
            for column, key in enumerate(keys)
        }
        self._closed: set[tuple[int, int]] = set()
        self._pulled: tuple[int, ...] = ()
        self._touched: Callable[[], None] | None = None
        self.slips_in: Key | None = None
        """A key that goes down just before the columns are watched again."""
        self.scans = 0
        self.open = True

    def press(self, *keys: Key) -> None:
        self._move(self._closed | {self._places[key] for key in keys})

    def release(self, *keys: Key) -> None:
        self._move(self._closed - {self._places[key] for key in keys})

    def _move(self, closed: set[tuple[int, int]]) -> None:
        """Sets which keys are closed; reports it if that changes a column while columns are
        watched."""
        before, self._closed = self.low(), closed
        if self._touched and self.low() != before:
            self._touched()

    def pull_low(self, rows: tuple[int, ...]) -> None:
        self._pulled = rows
        self.scans += 1

    def low(self) -> frozenset[int]:
        rows, columns, before = set(self._pulled), set[int](), -1
        while len(rows) + len(columns) != before:
            before = len(rows) + len(columns)
            columns |= {column for row, column in self._closed if row in rows}
            rows |= {row for row, column in self._closed if column in columns}
        return frozenset(columns)

    def watch(self, touched: Callable[[], None] | None) -> None:
        if touched and self.slips_in:
            self.press(self.slips_in)
            self.slips_in = None
        self._touched = touched

    def close(self) -> None:
        self.open = False


class Desk:
    """A scanner on fake wires, and the edges that it reported."""

    def __init__(self) -> None:
        self.wires = FakeWires(keypad())
        self.edges: list[Edge] = []
        self.now = 5.0
        self.scanner = Scanner(keypad(), self.wires, self.edges.append, lambda: self.now)

    def told(self, found: bool = False) -> list[tuple[Key, bool]]:
        """The edges that one scan reports, as (key, down)."""
        self.edges.clear()
        self.scanner.step(found)
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
def test_any_two_keys_down_together_are_found(one: Key, other: Key) -> None:
    desk = Desk()
    desk.wires.press(one)
    desk.told()
    desk.wires.press(other)
    assert desk.told() == [(other, True)]


def test_ghosts_are_never_reported() -> None:
    desk = Desk()
    desk.wires.press(Key.D1)
    desk.told()
    desk.wires.press(Key.D2)
    desk.told()
    desk.wires.press(Key.D4)  # now 5 seems closed, too
    assert desk.told() == []
    desk.wires.release(Key.D1)
    assert desk.told() == [(Key.D1, False), (Key.D4, True)]


def test_a_key_hidden_by_a_ghost_is_reported_when_the_rectangle_opens() -> None:
    desk = Desk()
    desk.wires.press(Key.D1, Key.D2)
    desk.told()
    desk.wires.press(Key.D4)
    assert desk.told() == []
    desk.wires.release(Key.D2)
    assert desk.told() == [(Key.D2, False), (Key.D4, True)]


def test_three_keys_without_a_rectangle_are_all_reported() -> None:
    desk = Desk()
    desk.wires.press(Key.D1, Key.D5, Key.D9)
    assert {key for key, _ in desk.told()} == {Key.D1, Key.D5, Key.D9}


def test_a_key_that_is_down_at_the_start_is_found_but_not_pressed() -> None:
    wires, edges = FakeWires(keypad()), Queue[Edge]()
    wires.press(Key.D5)
    field = MatrixKeypad(keypad(), wires, edges.put, lambda: 5.0)
    field.start()
    assert edges.get(timeout=WAIT_S) == Edge(Key.D5, True, 5.0, found=True)
    wires.press(Key.D7)
    assert edges.get(timeout=WAIT_S) == Edge(Key.D7, True, 5.0)
    field.close()


def test_a_key_pressed_as_scanning_ends_is_not_lost() -> None:
    wires, edges = FakeWires(keypad()), Queue[Edge]()
    wires.slips_in = Key.OK
    field = MatrixKeypad(keypad(), wires, edges.put, lambda: 5.0)
    field.start()
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, True, 5.0)
    field.close()


def test_a_stuck_key_slows_scanning_until_something_changes() -> None:
    desk = Desk()
    desk.wires.press(Key.D5)
    desk.told(found=True)
    assert desk.scanner.pause_s == SCAN_S
    desk.now += CALM_S
    assert desk.scanner.pause_s == CALM_SCAN_S
    for key in (Key.D8, Key.D6, Key.MENU):  # in its column, in its row, elsewhere
        desk.wires.press(key)
        assert desk.told() == [(key, True)]
        assert desk.scanner.pause_s == SCAN_S
        desk.wires.release(key)
        assert desk.told() == [(key, False)]


def test_a_stuck_key_and_two_others_make_no_ghost_press() -> None:
    desk = Desk()
    desk.wires.press(Key.D5)
    desk.told(found=True)
    desk.wires.press(Key.D6)
    assert desk.told() == [(Key.D6, True)]
    desk.wires.press(Key.D8)  # now 9 seems closed, too
    assert desk.told() == []
    desk.wires.release(Key.D6)
    assert desk.told() == [(Key.D6, False), (Key.D8, True)]


def test_ghost_candidates_are_the_corners_of_closed_rectangles() -> None:
    assert ghost_candidates(frozenset({(0, 0), (0, 1), (1, 0)})) == frozenset()
    square = frozenset({(0, 0), (0, 1), (1, 0), (1, 1)})
    assert ghost_candidates(square | {(3, 3)}) == square


def test_the_matrix_is_scanned_only_while_a_key_is_down() -> None:
    wires, edges = FakeWires(keypad()), Queue[Edge]()
    field = MatrixKeypad(keypad(), wires, edges.put, lambda: 5.0)
    field.start()
    wires.press(Key.OK)
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, True, 5.0)
    wires.release(Key.OK)
    assert edges.get(timeout=WAIT_S) == Edge(Key.OK, False, 5.0)
    while wires._touched is None:
        pass
    scans = wires.scans
    wires.press(Key.D1)
    assert edges.get(timeout=WAIT_S) == Edge(Key.D1, True, 5.0)
    assert wires.scans > scans
    field.close()
    assert not wires.open
    assert edges.empty()


def test_a_chip_that_vanishes_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    class Gone(FakeWires):
        def pull_low(self, rows: tuple[int, ...]) -> None:
            if self.scans > len(keypad().rows) + 1:
                raise OSError(errno.ENODEV, "No such device")
            super().pull_low(rows)

    wires, edges = Gone(keypad()), Queue[Edge]()
    field = MatrixKeypad(keypad(), wires, edges.put, lambda: 5.0)
    field.start()
    wires.press(Key.OK)
    field._thread.join(WAIT_S)
    field.close()
    assert capsys.readouterr().err == (
        "The keypad is not heard any more (No such device): start the companion again.\n"
    )
    assert not wires.open
