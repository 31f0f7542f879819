"""Boards as data: which key hangs on which pin, and what the display is; read by board_file.py."""

from collections.abc import Iterable, Iterator, Mapping

from companion.core.keys import Key
from companion.core.toml_file import Allowed
from companion.core.values import dataclass

GPIO = range(28)
SCREEN = "framebuffer"
_SPI_RESET = 25
SIDES = ("left", "right")
_I2C_PINS = {0: (0, 1), 1: (2, 3)}
_SPI_PINS = {0: (9, 10, 11), 1: (19, 20, 21)}
_SELECT_PINS = {(0, 0): 8, (0, 1): 7, (1, 0): 18, (1, 1): 17, (1, 2): 16}


@dataclass(frozen=True, slots=True)
class Display:
    """The display. `address` is for I²C; `select`, `dc` and `hertz` are for SPI."""

    driver: str = "ssd1306"
    interface: str = "i2c"
    bus: int = 1
    address: int = 0x3C
    select: int = 0
    dc: int = 24
    reset: int = -1
    """The GPIO of its reset pin; -1: 25 on SPI, and none on I²C, where most have no such pin."""
    hertz: int = 8_000_000
    offset: int = -1
    """The column at which the glass begins; -1: as usual with that driver."""
    rotate: int = 0
    """Quarter turns, 0 or 2."""
    contrast: int = 30

    @property
    def pins(self) -> Iterator[tuple[str, int]]:
        """The GPIO pins that the display takes, each as (its name for messages, its number)."""
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
        """Whether the display is a screen on HDMI, which takes no pins and no bus."""
        return self.driver == SCREEN

    @property
    def node(self) -> str:
        """The name in /dev of the device by which programs reach the display."""
        if self.on_screen:
            return "fb0"
        return f"i2c-{self.bus}" if self.interface == "i2c" else f"spidev{self.bus}.{self.select}"

    @property
    def reset_pin(self) -> int | None:
        """The GPIO that resets the display; None: none does."""
        if self.reset >= 0:
            return self.reset
        return _SPI_RESET if self.interface == "spi" else None


DISPLAY_ALLOWED: Mapping[str, Allowed] = {
    "driver": ("ssd1306", "ssd1309", "sh1106", "sh1107", SCREEN),
    "interface": ("i2c", "spi"),
    "bus": range(32),
    "address": range(0x08, 0x78),
    "select": range(3),
    "dc": GPIO,
    "reset": range(-1, 28),
    "hertz": (500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000),
    "offset": range(-1, 5),
    "rotate": (0, 2),
    "contrast": range(1, 256),
}


@dataclass(frozen=True, slots=True)
class Direct:
    """Each key between its own pin and ground."""

    pins: Mapping[Key, int]
    joystick: str = ""
    """The side of the display on which the joystick is when its text is upright: left or right;
    empty: there is no joystick, or the file doesn't say."""

    @property
    def keys(self) -> Iterable[Key]:
        """The keys of the board."""
        return self.pins


@dataclass(frozen=True, slots=True)
class Matrix:
    """Each key between a row and a column; `layout` has a list of keys for each row."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    layout: tuple[tuple[Key, ...], ...]

    @property
    def keys(self) -> Iterable[Key]:
        """The keys of the board."""
        return (key for row in self.layout for key in row)


BUZZERS = ("active", "passive")


@dataclass(frozen=True, slots=True)
class Buzzer:
    """A buzzer on the GPIO `pin`. Active: it sounds by itself while the pin is high; passive: it
    sounds while the pin is switched on and off."""

    pin: int
    kind: str = "passive"


@dataclass(frozen=True, slots=True)
class Board:
    """A key field and a display, and a buzzer if there is one."""

    keys: Direct | Matrix
    display: Display
    buzzer: Buzzer | None = None
