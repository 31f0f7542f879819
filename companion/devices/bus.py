"""The display's bus, as luma wants it: I²C, or SPI with its two lines on GPIO pins.

luma would take RPi.GPIO for those lines, which knows no Pi 5; the keys' pins know all.
"""

from collections.abc import Callable
from typing import Any

from companion.devices.board import Display
from companion.devices.panel import Bus, LumaPanel


def panel_of(display: Display, open_bus: Callable[[], Bus]) -> LumaPanel:
    """The panel of a display, on a bus that is opened so."""
    offset = None if display.offset < 0 else display.offset
    return LumaPanel(display.driver, open_bus, offset)


def bus_of(display: Display, factory: Any) -> Callable[[], Bus]:
    """What opens the display's bus. `factory`: the pins that SPI needs (I²C: None)."""
    if display.interface == "spi":
        return lambda: open_spi(display, factory)
    return lambda: open_i2c(display)


def open_i2c(display: Display) -> Bus:
    """Raises OSError or luma's Error where there is no such bus."""
    from luma.core.interface.serial import i2c

    bus: Bus = i2c(port=display.bus, address=display.address)
    return bus


def open_spi(display: Display, factory: Any, spidev: Any = None) -> Bus:
    """Resets the display besides. Raises OSError, luma's or gpiozero's errors. `spidev`: a SpiDev
    that is not open yet (None: the system's)."""
    lines = Lines(factory)
    try:
        return _Spi(display, lines, spidev or _spidev())
    except Exception:
        lines.close()
        raise


def _spidev() -> Any:
    try:
        import spidev  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise OSError("Python's spidev is missing: sudo apt install python3-spidev") from error
    return spidev.SpiDev()


class Lines:
    """Output lines, in the words of RPi.GPIO that luma speaks."""

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._lines: dict[int, Any] = {}

    def setup(self, pin: int, _way: int) -> None:
        """The pin becomes an output."""
        self._lines[pin] = line = self._factory.pin(pin)
        line.output_with_state(0)

    def output(self, pin: int, value: int) -> None:
        """Low or high."""
        self._lines[pin].state = value

    def close(self) -> None:
        """Gives the pins back."""
        while self._lines:
            self._lines.popitem()[1].close()


class _Spi:
    """luma's SPI, which gives its lines back, too."""

    def __init__(self, display: Display, lines: Lines, spidev: Any) -> None:
        from luma.core.interface.serial import spi

        self._lines = lines
        self._spi = spi(
            spi=spidev,
            gpio=lines,
            port=display.bus,
            device=display.select,
            bus_speed_hz=display.hertz,
            gpio_DC=display.dc,
            gpio_RST=display.reset,
        )
        self.command: Callable[..., None] = self._spi.command
        self.data: Callable[[list[int]], None] = self._spi.data

    def cleanup(self) -> None:
        """Lets go of bus and lines."""
        try:
            self._spi.cleanup()
        finally:
            self._lines.close()
