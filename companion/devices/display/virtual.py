"""The virtual box's hardware: keys on gpiozero's mock pins, and a panel that passes its pictures
on.

Everything else is as on a real box: the same DirectKeypad watches the pins, the same debouncing
filters their edges, and the display's own thread draws the pictures."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from gpiozero.pins.mock import MockFactory

from companion.console.frame import Frame
from companion.console.screen_saver import PanelFrame
from companion.core.keys import Key

VIRTUAL_PINS: Mapping[Key, int] = MappingProxyType({key: 2 + at for at, key in enumerate(Key)})
"""The pins of the virtual box. It has every key, including those of a joystick, to behave like
boards with a joystick too."""


class Fingers:
    """Presses keys by pulling mock pins to ground. `factory` is the pin factory for the
    DirectKeypad."""

    def __init__(self, pins: Mapping[Key, int]) -> None:
        self.factory = MockFactory()
        self._pins = {key: self.factory.pin(number) for key, number in pins.items()}

    def move(self, key: Key, down: bool) -> None:
        """Presses or releases the key. Raises KeyError if the box has no such key."""
        pin = self._pins[key]
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def close(self) -> None:
        self.factory.close()


class VirtualPanel:
    """A display that calls `shown` for each picture, with a function that returns the picture's
    bytes: 64 rows of 16 bytes, with the leftmost pixel in the highest bit; then a byte with the
    panel's brightness; then the words on the picture, in UTF-8."""

    def __init__(self, shown: Callable[[Callable[[], bytes]], None]) -> None:
        self._shown = shown

    def open(self) -> None:
        """Does nothing: the display is always there."""

    def close(self) -> None:
        """Does nothing: the last picture stays."""

    def show(self, picture: PanelFrame) -> None:
        """Passes the picture to `shown`, or a blank picture if the panel is off."""
        frame = picture.frame if picture.contrast else Frame.blank()
        self._shown(lambda: frame.packed() + bytes([picture.contrast]) + frame.words.encode())
