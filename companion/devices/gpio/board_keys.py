"""The key field of a board, of whichever kind it is."""

from collections.abc import Callable
from typing import Any

from companion.core.clock import Clock
from companion.devices.board import Direct, Matrix
from companion.devices.gpio.debounce import Edge
from companion.devices.gpio.keypad import DirectKeypad
from companion.devices.gpio.matrix import MatrixKeypad


def open_keys(
    keys: Direct | Matrix,
    put: Callable[[Edge], None],
    clock: Clock,
    factory: Any,
) -> DirectKeypad | MatrixKeypad:
    """Watches the keys from now on. DirectKeypad says what `put`, `clock` and `factory` are, and
    what is raised."""
    if isinstance(keys, Direct):
        return DirectKeypad(keys.pins, put, clock, factory)
    from companion.devices.display.wires import (
        open_wires,  # loads what only a matrix keypad needs
    )

    keypad = MatrixKeypad(keys, open_wires(keys, factory), put, clock)
    keypad.start()
    return keypad
