"""OLED panels with an SSD1306, SSD1309, SH1106 or SH1107 controller, which are sent only the
changed parts of a picture; their I²C or SPI bus; and a panel that shows pictures both on the page
and on a screen.

luma's own display() sends the whole picture, which takes a tenth of a second on a slow bus. Here
luma provides only the bytes that initialise the panel. The picture is sent as runs of changed
columns, page by page. All four controllers can address such runs, but the SSD1306 and SSD1309 only
in page mode, which luma doesn't use.

luma would control the SPI and reset lines through RPi.GPIO, which doesn't support the Pi 5. This
module controls them through the pin factory of the keys, which supports every Pi."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep
from typing import Any, Protocol

from companion.console.frame import PAGES, WIDTH, Frame, changed_runs
from companion.console.screen_saver import PanelFrame
from companion.devices.display.drivers import CONTROLLERS, Display

OFF, ON, CONTRAST, PAGE, COLUMN_HIGH = 0xAE, 0xAF, 0x81, 0xB0, 0x10


class Panel(Protocol):
    """A display that shows pictures. Every method may raise OSError or luma's Error."""

    def open(self) -> None:
        """Opens the display, or opens it again after an error. Its contents are unknown
        afterwards."""

    def show(self, picture: PanelFrame) -> None:
        """Shows the picture."""

    def close(self) -> None:
        """Releases the bus."""


class Bus(Protocol):
    """A bus, with the methods of luma's serial interface."""

    def command(self, *command: int) -> None:
        """Sends command bytes."""

    def data(self, data: list[int]) -> None:
        """Sends bytes of a picture."""

    def cleanup(self) -> None:
        """Releases the bus."""


class _RecordingBus:
    """Stands in for a bus, and records the commands with which a driver initialises its panel."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        self.commands.append(command)

    def data(self, data: list[int]) -> None:
        """Does nothing: the initialisation includes no picture."""

    def cleanup(self) -> None:
        """Does nothing: luma calls this when the process ends, after the panel was closed."""


class UnknownChipError(OSError):
    """The installed luma doesn't support the display's controller. `remedy`: what to do."""

    remedy = (
        "the Debian package has no newer one: take a display with an ssd1306, ssd1309 or sh1106, "
        "or start the companion from its source by make run"
    )


def init_commands(chip: str) -> list[tuple[int, ...]]:
    """Returns the commands with which luma initialises this chip, except those that would be
    visible on a working panel: those that switch it off, or on before there is a picture, and those
    that change its brightness. Raises UnknownChipError."""
    from luma.oled import __version__, device

    if not hasattr(device, chip):
        raise UnknownChipError(f"luma.oled {__version__} can't drive an {chip}, 3.11 can")
    nothing: Callable[..., None] = lambda *_: None  # noqa: E731
    driver = type("Silent", (getattr(device, chip),), {"display": nothing, "show": nothing})
    notes = _RecordingBus()
    driver(notes, width=WIDTH, height=CONTROLLERS[chip].rows).persist = True
    first, *others = notes.commands
    rest = [command for command in others if command[0] != CONTRAST]
    return [first[1:] if first[0] == OFF else first, *rest]


class LumaPanel:
    """A panel with the controller `chip`, on a bus that may fail and be opened again. `open_bus`
    opens the bus, and may raise OSError, luma's or gpiozero's errors. `offset`: the column at which
    the visible part begins, if it isn't the chip's default."""

    def __init__(self, chip: str, open_bus: Callable[[], Bus], offset: int | None = None) -> None:
        self._open_bus, self._chip = open_bus, CONTROLLERS[chip]
        self._offset = self._chip.offset if offset is None else offset
        self._start = [*init_commands(chip), *self._chip.after]
        self._bus: Any = None
        self._shown: PanelFrame | None = None

    def open(self) -> None:
        self._bus, self._shown = self._open_bus(), None

    def show(self, picture: PanelFrame) -> None:
        """Sends what differs from the picture on the panel, or the whole picture if that is
        unknown."""
        before, self._shown = self._shown, None
        if before is None or before.renewal != picture.renewal:
            self._initialise(picture)
        else:
            self._send_changes(before, picture)
        self._shown = picture

    def _initialise(self, picture: PanelFrame) -> None:
        """Initialises the panel and draws the whole picture."""
        for command in self._start:
            self._bus.command(*command)
        self._bus.command(*self._chip.rows_down(picture.down), CONTRAST, picture.contrast)
        for page in range(self._chip.rows // 8):
            if self._chip.first_page <= page < self._chip.first_page + PAGES:
                self._send(picture.frame, page - self._chip.first_page, 0, WIDTH - 1)
            else:
                self._write(page, 0, bytes(WIDTH))
        self._bus.command(ON if picture.contrast else OFF)

    def _send_changes(self, before: PanelFrame, after: PanelFrame) -> None:
        for page in range(PAGES):
            for first, last in changed_runs(before.frame, after.frame, page):
                self._send(after.frame, page, first, last)
        if before.down != after.down:
            self._bus.command(*self._chip.rows_down(after.down))
        if before.contrast != after.contrast:
            lit = (CONTRAST, after.contrast, ON)
            self._bus.command(*(lit if after.contrast else (OFF,)))

    def _send(self, frame: Frame, page: int, first: int, last: int) -> None:
        pixels = frame.pixels[page * WIDTH + first : page * WIDTH + last + 1]
        self._write(page + self._chip.first_page, first, pixels)

    def _write(self, page: int, first: int, pixels: bytes) -> None:
        """Sends bytes for one page of the panel, starting at the visible column `first`."""
        at = first + self._offset
        self._bus.command(PAGE | page, at & 0x0F, COLUMN_HIGH | at >> 4)
        self._bus.data(list(pixels))

    def close(self) -> None:
        bus, self._bus, self._shown = self._bus, None, None
        if bus:
            bus.cleanup()


# ---------------------------------------------------------------- bus

RESET_S = 0.001
"""The length of a reset, and of the pause after it, in seconds. Source: SSD1306 data sheet, 8.9: at
least 3 µs each."""


def panel_of(display: Display, open_bus: Callable[[], Bus]) -> LumaPanel:
    """Returns the panel for a display, on the bus that `open_bus` opens. Raises
    UnknownChipError."""
    offset = None if display.offset < 0 else display.offset
    return LumaPanel(display.driver, open_bus, offset)


def bus_of(display: Display, factory: Any) -> Callable[[], Bus]:
    """Returns the function that opens the display's bus. `factory`: the pin factory for SPI's lines
    or for a reset pin (None if the display needs neither)."""
    if display.interface == "spi":
        return lambda: open_spi(display, factory)
    return lambda: open_i2c(display, factory)


def open_i2c(display: Display, factory: Any = None, smbus: Any = None) -> Bus:
    """Opens the I²C bus, and resets the display if it has a reset pin. Raises OSError, gpiozero's
    errors, or luma's Error if there is no such bus. `smbus`: a bus that is already open, or None to
    open the system's."""
    lines = OutputLines(factory)
    try:
        if display.reset_pin is not None:
            reset(lines, display.reset_pin)
        return _I2c(display, lines, smbus)
    except Exception:
        lines.close()
        raise


def does_answer(node: Path, address: int, open_smbus: Any = None) -> bool:
    """Returns whether a display answers at `address` on the I²C bus `node`. `open_smbus`: the
    function that opens the bus (None for the system's)."""
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
    """Pulls the reset pin low for a moment; afterwards it stays high."""
    lines.setup(pin, OutputLines.OUT)
    for level in (OutputLines.LOW, OutputLines.HIGH):
        lines.output(pin, level)
        sleep(RESET_S)


def open_spi(display: Display, factory: Any, spidev: Any = None) -> Bus:
    """Opens the SPI bus, and resets the display. Raises OSError, luma's or gpiozero's errors.
    `spidev`: a SpiDev that is not open yet (None for the system's)."""
    lines = OutputLines(factory)
    try:
        return _Spi(display, lines, spidev or _open_spidev())
    except Exception:
        lines.close()
        raise


def _open_spidev() -> Any:
    try:
        import spidev  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise OSError("Python's spidev is missing: sudo apt install python3-spidev") from error
    return spidev.SpiDev()


class OutputLines:
    """Output pins with the RPi.GPIO methods that luma calls."""

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
        while self._lines:
            self._lines.popitem()[1].close()


class _I2c:
    """luma's I²C, which also releases the reset line."""

    def __init__(self, display: Display, lines: OutputLines, smbus: Any) -> None:
        from luma.core.interface.serial import i2c

        self._lines = lines
        self._i2c = i2c(bus=smbus, port=display.bus, address=display.address)
        self.command: Callable[..., None] = self._i2c.command
        self.data: Callable[[list[int]], None] = self._i2c.data

    def cleanup(self) -> None:
        try:
            self._i2c.cleanup()
        finally:
            self._lines.close()


class _Spi:
    """luma's SPI, which also releases its lines."""

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
        try:
            self._spi.cleanup()
        finally:
            self._lines.close()


# ---------------------------------------------------------------- page and screen


class PageAndScreen:
    """Shows each picture on the page and on the screen.

    The first failure of the screen is reported on standard error. The screen is tried again
    whenever the picture is renewed; the page works on meanwhile."""

    def __init__(self, page: Panel, screen: Panel) -> None:
        self._page, self._screen = page, screen
        self._works = self._reported = False
        self._renewal = -1

    def open(self) -> None:
        """Opens the page's panel, and raises its errors. The screen is opened by `show`."""
        self._page.open()

    def show(self, picture: PanelFrame) -> None:
        """Shows the picture on the page, and on the screen if that can be opened."""
        self._page.show(picture)
        try:
            if not self._works and picture.renewal != self._renewal:
                self._renewal = picture.renewal
                self._screen.open()
                self._works = True
            if self._works:
                self._screen.show(picture)
        except OSError as error:
            self._works = False
            self._screen.close()
            if not self._reported:
                self._reported = True
                print(
                    f"No picture on HDMI ({error}); the page has it.", file=sys.stderr, flush=True
                )

    def close(self) -> None:
        self._screen.close()
        self._works = False
        self._page.close()
