"""A keypad whose keys connect rows and columns; it is scanned only while a key is down.

At rest all rows are low, and the first key that goes down pulls its column low. The pin backend
reports that edge, so no polling is needed. Then a separate thread scans row by row until all keys
are up. If nothing changes for long it scans slowly, since a key may be stuck for the whole evening.
Three keys at the corners of a rectangle make the fourth seem to be down too (a ghost). As long as
such a rectangle is closed, its keys that were up before are ignored.

The wires are GPIO pins. Any pin factory can access them one by one; the kernel's own interface
accesses all rows, or all columns, at once. A row is driven low or released, but never driven high,
because two keys that are down in one column would connect a high row to a low one. When a row is
released, its columns take a while to rise; a reading taken sooner would mistake a key of that row
for one of the next row.
"""

import sys
import time
from collections.abc import Callable
from itertools import combinations
from threading import Event
from typing import Any, Protocol

from companion.core.clock import Clock
from companion.core.threads import NamedThread
from companion.devices.board import MatrixKeys
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.gpio_chip import FALLING, INPUT, OPEN_DRAIN, OUTPUT, PULL_UP, RISING
from companion.devices.gpio.pins import KernelFactory

SCAN_S = 0.001
"""Seconds between scans; short compared with the debounce time."""
CALM_S = 3.0
"""Seconds without a change after which a key that is down is probably not being pressed."""
CALM_SCAN_S = 0.02
"""Seconds between scans after that; short compared with a press."""

Contact = tuple[int, int]
"""The row and column of a key, counted from 0."""


class Wires(Protocol):
    """The rows and columns of a keypad, as GPIO lines."""

    def pull_low(self, rows: tuple[int, ...]) -> None:
        """Pulls these rows low, releases the others, and waits until the columns have settled."""

    def low(self) -> frozenset[int]:
        """Returns the columns that are low."""

    def watch(self, touched: Callable[[], None] | None) -> None:
        """Calls `touched` whenever a column changes; None stops watching."""

    def close(self) -> None:
        """Releases the pins."""


def ghost_candidates(closed: frozenset[Contact]) -> frozenset[Contact]:
    """Returns the contacts that may be ghosts: the corners of every rectangle whose four corners
    seem closed."""
    columns: dict[int, set[int]] = {}
    for row, column in closed:
        columns.setdefault(row, set()).add(column)
    return frozenset(
        (row, column)
        for one, other in combinations(columns, 2)
        if len(shared := columns[one] & columns[other]) > 1
        for row in (one, other)
        for column in shared
    )


def without_ghosts(before: frozenset[Contact], closed: frozenset[Contact]) -> frozenset[Contact]:
    """Returns the contacts of the keys that are really down, given those that were (`before`) and
    those that seem closed now (`closed`)."""
    return (closed - ghost_candidates(closed)) | (closed & before)


class Scanner:
    """Scans the matrix, and reports keys that go down or up. It has no thread: the caller calls
    `step`."""

    def __init__(
        self, matrix: MatrixKeys, wires: Wires, put: Callable[[Edge], None], clock: Clock
    ) -> None:
        self._matrix, self._wires = matrix, wires
        self._put, self._clock = put, clock
        self._all = tuple(range(len(matrix.rows)))
        self._down: frozenset[Contact] = frozenset()
        self._changed_at = clock()
        wires.pull_low(self._all)

    def step(self, found: bool = False) -> bool:
        """Scans once and reports changes. Returns whether a key is down, so that another scan is
        needed. `found`: whether this is the first scan, in which keys that are down have not been
        pressed just now."""
        closed = set()
        for row in self._all:
            self._wires.pull_low((row,))
            closed |= {(row, column) for column in self._wires.low()}
        self._wires.pull_low(self._all)
        now, before = self._clock(), self._down
        self._down = without_ghosts(before, frozenset(closed))
        for row, column in sorted(before ^ self._down):
            key = self._matrix.layout[row][column]
            self._put(Edge(key, (row, column) in self._down, now, found))
            self._changed_at = now
        return bool(closed) or bool(self._wires.low())

    @property
    def pause_s(self) -> float:
        """Seconds to wait before the next scan."""
        calm = self._clock() - self._changed_at >= CALM_S
        return CALM_SCAN_S if calm else SCAN_S


class MatrixKeypad:
    """A keypad that is scanned in a thread while a key is down. Raises gpiozero's errors if a pin
    is not available."""

    def __init__(
        self, matrix: MatrixKeys, wires: Wires, put: Callable[[Edge], None], clock: Clock
    ) -> None:
        self._wires = wires
        self._scanner = Scanner(matrix, wires, put, clock)
        self._touched, self._stop = Event(), Event()
        self._thread = NamedThread("keypad", self._run)

    def start(self) -> None:
        """Starts watching, and reports keys that are already down."""
        self._scanner.step(found=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._watch()
        except OSError as error:
            reason = error.strerror or error
            print(f"The keypad is not heard any more ({reason}): start the companion again.",
                  file=sys.stderr, flush=True)  # fmt: skip

    def _watch(self) -> None:
        while not self._stop.is_set():
            self._wires.watch(self._touched.set)
            # A key that went down before the watch began gives no edge.
            if self._wires.low() or self._touched.wait():
                # A scan itself causes edges on the columns of keys that are down: ignore them.
                self._wires.watch(None)
                self._touched.clear()
                while self._scanner.step() and not self._stop.wait(self._scanner.pause_s):
                    pass

    def close(self) -> None:
        """Ends the thread and releases the pins."""
        self._stop.set()
        self._touched.set()
        if self._thread.is_alive():
            self._thread.join(1.0)
        self._wires.close()


SETTLE_S = 30e-6
"""The longest time in which a column rises: the Pi's pull-up, up to 65 kΩ, has to charge the wire,
up to 0.2 nF. Source for the pull-up: BCM2835 ARM Peripherals. Measured: 10 to 16 µs."""

Settle = Callable[[], None]


def settle() -> None:
    """Waits for the columns to rise. It loops without sleeping, because a sleep takes several times
    as long."""
    until = time.perf_counter() + SETTLE_S
    while time.perf_counter() < until:
        pass


class PinWires:
    """Rows and columns on gpiozero's pins. Raises gpiozero's errors if a pin is not available."""

    def __init__(self, matrix: MatrixKeys, factory: Any, settle: Settle = settle) -> None:
        self._factory, self._settle = factory, settle
        self._pins: list[Any] = []
        try:
            self._rows = [self._open_pin(number) for number in matrix.rows]
            self._columns = [self._open_pin(number) for number in matrix.columns]
            for pin in self._columns:
                pin.edges = "both"
        except Exception:
            self.close()
            raise

    def _open_pin(self, number: int) -> Any:
        pin = self._factory.pin(number)
        pin.input_with_pull("up")
        self._pins.append(pin)
        return pin

    def pull_low(self, rows: tuple[int, ...]) -> None:
        """Pulls these rows low, releases the others, and waits until the columns have settled."""
        for at, pin in enumerate(self._rows):
            if at not in rows and pin.function != "input":
                pin.input_with_pull("up")
        for at in rows:
            if self._rows[at].function != "output":
                self._rows[at].output_with_state(0)
        self._settle()

    def low(self) -> frozenset[int]:
        """Returns the columns that are low."""
        return frozenset(at for at, pin in enumerate(self._columns) if not pin.state)

    def watch(self, touched: Callable[[], None] | None) -> None:
        """Calls `touched` whenever a column changes; None stops watching."""
        self._changed = touched and (lambda *_: touched())  # the pins keep only a weak reference
        for pin in self._columns:
            pin.when_changed = self._changed

    def close(self) -> None:
        while self._pins:
            self._pins.pop().close()


class KernelWires:
    """Rows and columns as two kernel requests. A scan then takes only nine short calls. Few calls
    are better, because after each one the loop may take over the processor to draw. Raises
    ChipError if a line is not available."""

    def __init__(self, matrix: MatrixKeys, factory: KernelFactory, settle: Settle = settle) -> None:
        self._watch, self._settle = factory.watch, settle
        self._count = len(matrix.columns)
        self._all_rows = (1 << len(matrix.rows)) - 1
        self._rows = factory.chip.lines(
            matrix.rows, OUTPUT | OPEN_DRAIN | PULL_UP, self._all_rows
        )  # fmt: skip
        try:
            self._columns = factory.chip.lines(matrix.columns, INPUT | PULL_UP)
        except OSError:
            self._rows.close()
            raise
        self._watched = False

    def pull_low(self, rows: tuple[int, ...]) -> None:
        """Pulls these rows low, releases the others, and waits until the columns have settled."""
        self._rows.set(self._all_rows & ~sum(1 << row for row in rows))
        self._settle()

    def low(self) -> frozenset[int]:
        """Returns the columns that are low."""
        high = self._columns.values
        return frozenset(at for at in range(self._count) if not high >> at & 1)

    def watch(self, touched: Callable[[], None] | None) -> None:
        """Calls `touched` whenever a column changes; None stops watching."""
        if self._watched:
            self._watch.remove(self._columns)
        self._watched = touched is not None
        if touched is None:
            self._columns.configure(INPUT | PULL_UP)
            return
        self._columns.configure(INPUT | PULL_UP | RISING | FALLING)
        self._watch.add(self._columns, lambda _: touched())

    def close(self) -> None:
        if self._watched:
            self._watch.remove(self._columns)
        self._columns.close()
        self._rows.close()


def open_wires(matrix: MatrixKeys, factory: Any) -> PinWires | KernelWires:
    """Returns the matrix's wires on the pins of this factory."""
    if isinstance(factory, KernelFactory):
        return KernelWires(matrix, factory)
    return PinWires(matrix, factory)
