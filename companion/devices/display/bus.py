"""The display's bus, as luma wants it: I²C, or SPI with its lines on GPIO pins; both with a reset.

By itself luma would use RPi.GPIO for these lines, which doesn't know the Pi 5; the pins that the
keys use know every Pi.
"""

from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any

from companion.devices.board import Display
from companion.devices.display.panel import Bus, LumaPanel

RESET_S = 0.001
"""How long a reset lasts, and how long the display rests after it.
Source: SSD1306 data sheet, 8.9: at least 3 µs each."""


def panel_of(display: Display, open_bus: Callable[[], Bus]) -> LumaPanel:
    """The panel of a display, on the bus that `open_bus` opens. Raises UnknownChipError."""
    offset = None if display.offset < 0 else display.offset
    return LumaPanel(display.driver, open_bus, offset)


def bus_of(display: Display, factory: Any) -> Callable[[], Bus]:
    """The function that opens the display's bus. `factory`: the pin factory for SPI's lines or for
    a reset pin (None: the display needs neither)."""
    if display.interface == "spi":
        return lambda: open_spi(display, factory)
    return lambda: open_i2c(display, factory)


def open_i2c(display: Display, factory: Any = None, smbus: Any = None) -> Bus:
    """Opens I²C, and resets the display if it has a pin for that. Raises OSError, gpiozero's
    errors, or luma's Error if there is no such bus. `smbus`: a bus that is open already (None: the
    system's)."""
    lines = OutputLines(factory)
    try:
        if display.reset_pin is not None:
            reset(lines, display.reset_pin)
        return _I2c(display, lines, smbus)
    except Exception:
        lines.close()
        raise


def answers(node: Path, address: int, open_smbus: Any = None) -> bool:
    """Whether a display answers at `address` of the I²C bus `node`. `open_smbus`: the function that
    opens the bus (None: the system's)."""
    if open_smbus is None:
        import smbus2

        open_smbus = smbus2.SMBus
    try:
        with open_smbus(str(node)) as bus:
            bus.read_byte(address)
    except OSError:
        return False
    return True


def reset(lines: "OutputLines", pin: int) -> None:
    """Pulls the reset pin low for a moment; it stays high from then on."""
    lines.setup(pin, OutputLines.OUT)
    for level in (OutputLines.LOW, OutputLines.HIGH):
        lines.output(pin, level)
        sleep(RESET_S)


def open_spi(display: Display, factory: Any, spidev: Any = None) -> Bus:
    """Opens SPI, and resets the display. Raises OSError, luma's or gpiozero's errors. `spidev`: a
    SpiDev that is not open yet (None: the system's)."""
    lines = OutputLines(factory)
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


class OutputLines:
    """Output lines with the methods of RPi.GPIO that luma calls."""

    OUT, LOW, HIGH = 0, 0, 1

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._lines: dict[int, Any] = {}

    def setup(self, pin: int, _way: int) -> None:
        """Makes the pin an output, low at first."""
        self._lines[pin] = line = self._factory.pin(pin)
        line.output_with_state(0)

    def output(self, pin: int, value: int) -> None:
        """Sets the pin low (0) or high (1)."""
        self._lines[pin].state = value

    def close(self) -> None:
        """Gives the pins back."""
        while self._lines:
            self._lines.popitem()[1].close()


class _I2c:
    """luma's I²C; it also gives the reset line back."""

    def __init__(self, display: Display, lines: OutputLines, smbus: Any) -> None:
        from luma.core.interface.serial import i2c

        self._lines = lines
        self._i2c = i2c(bus=smbus, port=display.bus, address=display.address)
        self.command: Callable[..., None] = self._i2c.command
        self.data: Callable[[list[int]], None] = self._i2c.data

    def cleanup(self) -> None:
        """Lets go of bus and line."""
        try:
            self._i2c.cleanup()
        finally:
            self._lines.close()


class _Spi:
    """luma's SPI; it also gives its lines back."""

    def __init__(self, display: Display, lines: OutputLines, spidev: Any) -> None:
        from luma.core.interface.serial import spi

        self._lines = lines
        self._spi = spi(
            spi=spidev,
            gpio=lines,
            port=display.bus,
            device=display.select,
            bus_speed_hz=display.hertz,
            gpio_DC=display.dc,
            gpio_RST=display.reset_pin,
        )
        self.command: Callable[..., None] = self._spi.command
        self.data: Callable[[list[int]], None] = self._spi.data

    def cleanup(self) -> None:
        """Lets go of bus and lines."""
        try:
            self._spi.cleanup()
        finally:
            self._lines.close()
