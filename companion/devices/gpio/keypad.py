"""Keys wired straight to GPIO pins and ground, by gpiozero's pins.

Pins and not `Button`: every Button has a thread that wakes ten times a second. And `bounce` isn't
used: it means something else on every pin backend (see debounce.py). The callbacks share one thread
of the backend, so they only report which key, which way and when.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.core.clock import Clock
from companion.core.keys import Key
from companion.devices.board import Direct, Matrix
from companion.devices.gpio.debounce import Edge

if TYPE_CHECKING:
    from companion.devices.gpio.matrix import MatrixKeypad


class DirectKeypad:
    """Watches the pins and calls `put` with every raw edge, from the pin backend's thread; first
    with an edge for each key that is down already.

    `factory` is a gpiozero pin factory (see pins.py), `clock` returns monotonic seconds; a factory
    with `times_edges` returns the times of edges itself, more exactly. Raises gpiozero's errors, or
    OSError, when a pin can't be had.
    """

    def __init__(
        self,
        pins: Mapping[Key, int],
        put: Callable[[Edge], None],
        clock: Clock,
        factory: Any,
    ) -> None:
        self._put, self._clock = put, clock
        self._times_edges = getattr(factory, "times_edges", False)
        self._pins: list[Any] = []
        self._callbacks: list[Callable[[float, int], None]] = []
        """The callbacks, kept here because the pins have only weak references to them."""
        try:
            for key, number in pins.items():
                self._watch(key, factory.pin(number))
        except Exception:
            self.close()
            raise

    def _watch(self, key: Key, pin: Any) -> None:
        def changed(ticks: float, level: int) -> None:
            self._put(Edge(key, not level, ticks if self._times_edges else self._clock()))

        self._pins.append(pin)
        self._callbacks.append(changed)
        pin.input_with_pull("up")
        pin.edges = "both"
        pin.when_changed = changed
        if not pin.state:
            self._put(Edge(key, True, self._clock(), found=True))

    def close(self) -> None:
        while self._pins:
            self._pins.pop().close()


# ---------------------------------------------------------------- board keys
# The key field of a board, of whichever kind it is.


def open_keys(
    keys: Direct | Matrix,
    put: Callable[[Edge], None],
    clock: Clock,
    factory: Any,
) -> "DirectKeypad | MatrixKeypad":
    """Watches the keys from now on. DirectKeypad says what `put`, `clock` and `factory` are, and
    what is raised."""
    if isinstance(keys, Direct):
        return DirectKeypad(keys.pins, put, clock, factory)
    # Loaded here: only a matrix keypad needs it.
    from companion.devices.gpio.matrix import MatrixKeypad, open_wires

    keypad = MatrixKeypad(keys, open_wires(keys, factory), put, clock)
    keypad.start()
    return keypad
