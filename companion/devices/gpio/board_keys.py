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
    """Watches the keys from now on; see Keypad for what it is given and what it raises."""
    if isinstance(keys, Direct):
        return DirectKeypad(keys.pins, put, clock, factory)
    from companion.devices.display.wires import (
        open_wires,  # which needs what only such a keypad does
    )

    keypad = MatrixKeypad(keys, open_wires(keys, factory), put, clock)
    keypad.start()
    return keypad
