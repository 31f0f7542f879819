# SPDX-License-Identifier: CERN-OHL-P-2.0
"""The positions of the pins with each GPIO number, on the Raspberry Pi's 40-pin header and on the
Pico's edges, as their makers number them."""

from dataclasses import dataclass

# Source: Raspberry Pi documentation, "GPIO and the 40-pin header",
# https://www.raspberrypi.com/documentation/computers/raspberry-pi.html
# Pin 1 is at the end where the SD card is, in the row that is farther from the board's edge.
_PI_GPIO = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18,
    25: 22, 26: 37, 27: 13,
}  # fmt: skip
_PI_GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
_PI_3V3 = (1, 17)
_PI_5V = (2, 4)

# Source: Raspberry Pi, "Pico Datasheet", figure 2,
# https://datasheets.raspberrypi.com/pico/pico-datasheet.pdf
# Pin 1 is beside the USB socket; they are counted round the board.
_PICO_GPIO = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17,
    14: 19, 15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
_PICO_GROUND = (3, 8, 13, 18, 23, 28, 33, 38)


@dataclass(frozen=True, slots=True)
class Pin:
    """A contact: its number on the plug or header, and its name there."""

    number: int
    label: str


@dataclass(frozen=True, slots=True)
class Header:
    """A computer's pins. `gpio`: the position of each pin by its GPIO number; `grounds` and
    `powers`: the positions of the ground pins and of the 3.3 V pins."""

    name: str
    prefix: str
    gpio: dict[int, int]
    grounds: tuple[int, ...]
    powers: tuple[int, ...]

    def pin(self, gpio: int) -> Pin:
        """Returns the pin with that GPIO number. Raises KeyError if there is none."""
        return Pin(self.gpio[gpio], f"{self.prefix}{gpio}")

    def ground_near(self, position: int, taken: frozenset[int] = frozenset()) -> Pin:
        """Returns the ground pin whose position is nearest to `position`, ignoring the positions in
        `taken`."""
        free = (one for one in self.grounds if one not in taken)
        return Pin(min(free, key=lambda one: (abs(one - position), one)), "GND")

    @property
    def power(self) -> Pin:
        """The first 3.3 V pin, which supplies the display."""
        return Pin(self.powers[0], "3V3")


PI = Header("Pi header", "GPIO ", _PI_GPIO, _PI_GROUND, _PI_3V3)
PI_NEVER = _PI_5V
"""The 5 V pins, which would destroy the Pi if they were connected to a GPIO."""
PICO = Header("Pico", "GP", _PICO_GPIO, _PICO_GROUND, (36,))
