"""Identifies a box's display board by its keys.

A board on SPI can't be detected electrically, as one on I²C can. So if no display answers, the box
waits for the press of a key that only one board has."""

import queue
from collections.abc import Iterable, Iterator, Mapping
from time import monotonic
from typing import Any

from companion.core.keys import Key, Press
from companion.devices.board import DirectKeys, MatrixKeys, known_boards, load_board
from companion.devices.gpio.debounce import Debounce, Edge, Timing
from companion.devices.gpio.keypad import DirectKeypad

SLOW_DEBOUNCE = Timing(contact_s=0.03, release_s=0.03)
"""The debounce timing: slow but reliable, because this press need not be reported quickly."""


def distinguishing_keys() -> Mapping[str, Mapping[Key, int]]:
    """Returns, by the name of each SPI board, the keys on pins where no other board has a key, with
    their pins."""
    boards = {name: load_board(name) for name in known_boards()}
    pins = {}
    for name, board in boards.items():
        if board.display.interface == "spi" and isinstance(board.keys, DirectKeys):
            others = {
                pin
                for other in boards.values()
                if other is not board
                for pin in _grounding_pins(other.keys)
            }
            pins[name] = {k: pin for k, pin in board.keys.pins.items() if pin not in others}
    return pins


def _grounding_pins(keys: DirectKeys | MatrixKeys) -> Iterator[int]:
    """Yields the pins that these keys connect to ground when pressed; none for a matrix, because it
    isn't scanned here."""
    if isinstance(keys, DirectKeys):
        yield from keys.pins.values()


class BoardFinder:
    """Identifies the display board from the GPIO edges of key presses. `feed` and `advance` return
    the board's name, or "" as long as no key press has identified it."""

    def __init__(self) -> None:
        ((self._name, self._keys),) = distinguishing_keys().items()
        self._debounce = Debounce(SLOW_DEBOUNCE)

    @property
    def pins(self) -> Mapping[Key, int]:
        """The pins of the board's keys. All are watched, so that none of them floats."""
        keys = load_board(self._name).keys
        assert isinstance(keys, DirectKeys)
        return keys.pins

    @property
    def wake_at(self) -> float | None:
        """The time at which to call `advance` next; None if only another edge can change
        anything."""
        return self._debounce.wake_at

    def feed(self, edge: Edge) -> str:
        """Takes an edge. Returns the board's name if a press completed by this edge's time
        identifies it, else ""."""
        return self._board_of_presses(self._debounce.feed(edge))

    def advance(self, now: float) -> str:
        """Returns the board's name if a press completed by the time `now` identifies it, else
        ""."""
        return self._board_of_presses(self._debounce.advance(now))

    def _board_of_presses(self, presses: Iterable[Press]) -> str:
        return self._name if any(press.key in self._keys for press in presses) else ""


def wait_for_board(factory: Any) -> str:
    """Waits for the press of a key that only one board has; returns the board's name. Raises the
    errors of DirectKeypad if a pin is not available."""
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    finder, name = BoardFinder(), ""
    keypad = DirectKeypad(finder.pins, edges.put, monotonic, factory)
    try:
        while not name:
            due = finder.wake_at
            try:
                edge = edges.get(timeout=None if due is None else max(0.0, due - monotonic()))
            except queue.Empty:
                name = finder.advance(monotonic())
            else:
                name = finder.feed(edge)
        return name
    finally:
        keypad.close()
