"""Keys wired straight to GPIO pins and ground, by gpiozero.

`DigitalInputDevice` and not `Button`: every Button has a thread that wakes ten times a second. And
no `bounce_time`: it means another thing on every pin backend (see debounce.py). The callbacks share
one thread of the backend's, so they only say which key, which way and when.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gpiozero import DigitalInputDevice

from companion.devices.debounce import Edge
from companion.keys import Key


class Keypad:
    """Watches the pins and calls `put` with every raw edge, from the pin backend's thread.

    `factory` is a gpiozero pin factory (None: gpiozero's own choice), `clock` gives monotonic
    seconds. Raises gpiozero's errors when a pin can't be had.
    """

    def __init__(
        self,
        pins: Mapping[Key, int],
        put: Callable[[Edge], None],
        clock: Callable[[], float],
        factory: Any = None,
    ) -> None:
        self._put, self._clock = put, clock
        self._devices: list[DigitalInputDevice] = []
        try:
            for key, pin in pins.items():
                device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
                self._devices.append(device)
                device.when_activated = partial(self._changed, key, True)
                device.when_deactivated = partial(self._changed, key, False)
        except Exception:
            self.close()
            raise

    def _changed(self, key: Key, down: bool) -> None:
        self._put(Edge(key, down, self._clock()))

    def close(self) -> None:
        """Gives the pins back."""
        while self._devices:
            self._devices.pop().close()
