"""Keys wired directly between GPIO pins and ground, using gpiozero's pins.

It uses pins and not `Button`, because every Button has a thread that wakes up ten times per second.
It doesn't use the pins' `bounce`, which means something different on each pin backend; debounce.py
does the debouncing. The callbacks share one thread of the backend, so they only report which key
moved, in which direction, and when."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.core.clock import Clock
from companion.core.keys import Key
from companion.devices.board import DirectKeys, MatrixKeys
from companion.devices.gpio.debounce import Edge

if TYPE_CHECKING:
    from companion.devices.gpio.matrix import MatrixKeypad


class DirectKeypad:
    """Watches the pins and calls `put` with every raw edge, in the pin backend's thread. The first
    edges are those of keys that are already down.

    `factory` is a gpiozero pin factory (see pins.py). `clock` returns monotonic seconds; a factory
    with `times_edges` provides more exact times itself. Raises gpiozero's errors, or OSError, if a
    pin is not available."""

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
# The keypad of a board, of either kind.


def open_keys(
    keys: DirectKeys | MatrixKeys,
    put: Callable[[Edge], None],
    clock: Clock,
    factory: Any,
) -> "DirectKeypad | MatrixKeypad":
    """Starts watching the keys and returns the keypad. The arguments and errors are those of
    DirectKeypad."""
    if isinstance(keys, DirectKeys):
        return DirectKeypad(keys.pins, put, clock, factory)
    # Loaded here: only a matrix keypad needs it.
    from companion.devices.gpio.matrix import MatrixKeypad, open_wires

    keypad = MatrixKeypad(keys, open_wires(keys, factory), put, clock)
    keypad.start()
    return keypad
