"""The wires of a matrix keypad on GPIO pins: pin by pin with any pin factory, or by two requests
with the kernel's own.

A row is driven low or let go, never high: two keys of one column would short two rows that are
driven against each other. When a row is let go, its columns take a while to rise; a reading taken
sooner would mistake a key of that row for one of the next.
"""

import time
from collections.abc import Callable
from typing import Any

from companion.devices.board import Matrix
from companion.devices.gpio.gpio_chip import FALLING, INPUT, OPEN_DRAIN, OUTPUT, PULL_UP, RISING
from companion.devices.gpio.kernel_pins import KernelFactory

SETTLE_S = 30e-6
"""How long a column takes at most to rise: the Pi's pull-up, up to 65 kΩ, has to charge the wire,
up to 0.2 nF. Source for the pull-up: BCM2835 ARM Peripherals. Measured: 10 to 16 µs."""

Settle = Callable[[], None]


def settle() -> None:
    """Waits for the columns to rise, without sleeping: a sleep takes several times as long."""
    until = time.perf_counter() + SETTLE_S
    while time.perf_counter() < until:
        pass


class PinWires:
    """Rows and columns as gpiozero's pins. Raises gpiozero's errors when a pin can't be had."""

    def __init__(self, matrix: Matrix, factory: Any, settle: Settle = settle) -> None:
        self._factory, self._settle = factory, settle
        self._pins: list[Any] = []
        try:
            self._rows = [self._pin(number) for number in matrix.rows]
            self._columns = [self._pin(number) for number in matrix.columns]
            for pin in self._columns:
                pin.edges = "both"
        except Exception:
            self.close()
            raise

    def _pin(self, number: int) -> Any:
        pin = self._factory.pin(number)
        pin.input_with_pull("up")
        self._pins.append(pin)
        return pin

    def pull(self, rows: tuple[int, ...]) -> None:
        """Pulls these rows low, lets the others go, and waits until the columns have settled."""
        for at, pin in enumerate(self._rows):
            if at not in rows and pin.function != "input":
                pin.input_with_pull("up")
        for at in rows:
            if self._rows[at].function != "output":
                self._rows[at].output_with_state(0)
        self._settle()

    def low(self) -> frozenset[int]:
        """The columns that are low."""
        return frozenset(at for at, pin in enumerate(self._columns) if not pin.state)

    def watch(self, touched: Callable[[], None] | None) -> None:
        """Calls `touched` when a column changes; None: stops watching."""
        self._changed = touched and (lambda *_: touched())  # the pins keep only a weak reference
        for pin in self._columns:
            pin.when_changed = self._changed

    def close(self) -> None:
        """Gives the pins back."""
        while self._pins:
            self._pins.pop().close()


class KernelWires:
    """All rows by one request to the kernel, all columns by another. A scan is then nine short
    calls: the fewer, the better, since after each the loop may take the processor to draw. Raises
    ChipError when a line can't be had."""

    def __init__(self, matrix: Matrix, factory: KernelFactory, settle: Settle = settle) -> None:
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

    def pull(self, rows: tuple[int, ...]) -> None:
        """Pulls these rows low, lets the others go, and waits until the columns have settled."""
        self._rows.set(self._all_rows & ~sum(1 << row for row in rows))
        self._settle()

    def low(self) -> frozenset[int]:
        """The columns that are low."""
        high = self._columns.values
        return frozenset(at for at in range(self._count) if not high >> at & 1)

    def watch(self, touched: Callable[[], None] | None) -> None:
        """Calls `touched` when a column changes; None: stops watching."""
        if self._watched:
            self._watch.remove(self._columns)
        self._watched = touched is not None
        if touched is None:
            self._columns.configure(INPUT | PULL_UP)
            return
        self._columns.configure(INPUT | PULL_UP | RISING | FALLING)
        self._watch.add(self._columns, lambda _: touched())

    def close(self) -> None:
        """Gives the lines back."""
        if self._watched:
            self._watch.remove(self._columns)
        self._columns.close()
        self._rows.close()


def open_wires(matrix: Matrix, factory: Any) -> PinWires | KernelWires:
    """The wires of the matrix on the pins of this factory."""
    if isinstance(factory, KernelFactory):
        return KernelWires(matrix, factory)
    return PinWires(matrix, factory)
