"""The displays that a board may have: their drivers, and the settings of `[display]`.

A driver from luma needs one line in CONTROLLERS. Any other driver needs a name like SCREEN, and a
class with the methods of `Panel` (panel.py), chosen in `_open_panel` (app/hardware.py)."""

from collections.abc import Iterator, Mapping

from companion.core.toml_file import Allowed
from companion.core.values import dataclass

FIRST_ROW = 0x40
FIRST_OF_MANY = 0xDC
"""The command that sets the first row of a panel with more than 64 rows; the row follows as a
separate byte."""
PICTURE_ROWS = 64
"""The number of rows in a picture (console/frame.py)."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A display controller. `offset`: the column of its memory at which the visible part begins;
    `after`: the commands that it needs after those of luma; `rows`: the number of visible rows, in
    the middle of which the picture is shown."""

    offset: int
    after: tuple[tuple[int, ...], ...]
    rows: int = PICTURE_ROWS

    @property
    def first_page(self) -> int:
        """The number of the page (eight rows of the panel) at which the picture begins."""
        return (self.rows - PICTURE_ROWS) // 16

    def rows_down(self, rows: int) -> tuple[int, ...]:
        """Returns the command that shifts the whole picture down by `rows`, with the lowest rows
        wrapping to the top. The panel does the shifting, so this costs only a byte or two."""
        start = -rows % self.rows
        return (FIRST_ROW | start,) if self.rows == PICTURE_ROWS else (FIRST_OF_MANY, start)


CONTROLLERS = {
    "ssd1306": Controller(0, ((0x20, 0x02),)),  # page mode
    "ssd1309": Controller(0, ((0x20, 0x02),)),
    "sh1106": Controller(2, ()),  # it has no other mode
    "sh1107": Controller(0, (), 128),
}


# ---------------------------------------------------------------- settings


SCREEN = "framebuffer"
_SPI_RESET = 25
_I2C_PINS = {0: (0, 1), 1: (2, 3)}
_SPI_PINS = {0: (9, 10, 11), 1: (19, 20, 21)}
_SELECT_PINS = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}


@dataclass(frozen=True, slots=True)
class Display:
    """The settings of a display. `address` is for I²C; `select`, `dc` and `hertz` are for SPI."""

    driver: str = "ssd1306"
    interface: str = "i2c"
    bus: int = 1
    address: int = 0x3C
    select: int = 0
    dc: int = 24
    reset: int = -1
    """The GPIO number of the reset pin; -1 means 25 on SPI, and none on I²C, where most displays
    have no such pin."""
    hertz: int = 8_000_000
    offset: int = -1
    """The column at which the visible part begins; -1 for the driver's default."""
    rotate: int = 0
    """The rotation in quarter turns: 0 or 2."""
    contrast: int = 30

    @property
    def pins(self) -> Iterator[tuple[str, int]]:
        """The GPIO pins that the display uses: the name of each for error messages, and its
        number."""
        if self.on_screen:
            return
        if self.interface == "i2c":
            yield from (("the display's I²C bus", pin) for pin in _I2C_PINS.get(self.bus, ()))
            if self.reset_pin is not None:
                yield "[display] reset", self.reset_pin
            return
        yield from (("the display's SPI bus", pin) for pin in _SPI_PINS.get(self.bus, ()))
        if (select := _SELECT_PINS.get((self.bus, self.select))) is not None:
            yield "the display's select", select
        yield from (("[display] dc", self.dc), ("[display] reset", self.reset_pin or 0))

    @property
    def on_screen(self) -> bool:
        """Whether the display is an HDMI screen, which uses no pins and no bus."""
        return self.driver == SCREEN

    @property
    def node(self) -> str:
        """The name in /dev of the device that controls the display."""
        if self.on_screen:
            return "fb0"
        return f"i2c-{self.bus}" if self.interface == "i2c" else f"spidev{self.bus}.{self.select}"

    @property
    def reset_pin(self) -> int | None:
        """The GPIO number of the reset pin; None if there is none."""
        if self.reset >= 0:
            return self.reset
        return _SPI_RESET if self.interface == "spi" else None


DISPLAY_ALLOWED: Mapping[str, Allowed] = {
    "driver": (*CONTROLLERS, SCREEN),
    "interface": ("i2c", "spi"),
    "bus": range(32),
    "address": range(0x08, 0x78),
    "select": range(3),
    "dc": range(28),
    "reset": range(-1, 28),
    "hertz": (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000),
    "offset": range(-1, 5),
    "rotate": (0, 2),
    "contrast": range(1, 256),
}
