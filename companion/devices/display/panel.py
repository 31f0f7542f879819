"""The panel: luma's SSD1306, SSD1309, SH1106 and SH1107, sent only what has changed.

luma's own display() sends the whole picture, a tenth of a second on a slow bus. Here luma gives the
bytes that initialise its panel, and the picture goes out in runs of changed columns, addressed page
by page. All four know such addresses; SSD1306 and SSD1309 only in page mode, while luma sets
another mode.
"""

from collections.abc import Callable
from typing import Any, Protocol

from companion.console.frame import PAGES, WIDTH, Frame, changed_runs
from companion.core.values import dataclass
from companion.devices.display.screen_saver import PanelFrame

OFF, ON, CONTRAST, FIRST_ROW, PAGE, COLUMN_HIGH = 0xAE, 0xAF, 0x81, 0x40, 0xB0, 0x10
FIRST_OF_MANY = 0xDC
"""The command for the first row of a panel with more than 64; the row follows as a byte of its
own."""
HEIGHT = PAGES * 8


class Panel(Protocol):
    """Something that shows pictures; every method may raise OSError or luma's Error."""

    def open(self) -> None:
        """Finds the display, also after an error; from then on nothing is known about what it
        shows."""

    def show(self, picture: PanelFrame) -> None:
        """Makes it show that picture."""

    def close(self) -> None:
        """Lets go of the bus."""


class Bus(Protocol):
    """What luma calls a serial interface."""

    def command(self, *command: int) -> None:
        """Sends command bytes."""

    def data(self, data: list[int]) -> None:
        """Sends bytes of the picture."""

    def cleanup(self) -> None:
        """Lets go of the bus."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A controller. `offset`: the column of its memory at which the glass begins; `after`: the
    commands that it needs after luma's; `rows`: the rows of its glass, with the picture in the
    middle of them."""

    offset: int
    after: tuple[tuple[int, ...], ...]
    rows: int = HEIGHT

    @property
    def first_page(self) -> int:
        """The page at which the picture begins."""
        return (self.rows - HEIGHT) // 16

    def rows_down(self, rows: int) -> tuple[int, ...]:
        """The command that shows everything `rows` rows lower, the lowest ones at the top. The
        panel itself does that, so it costs only one byte or two."""
        start = -rows % self.rows
        return (FIRST_ROW | start,) if self.rows == HEIGHT else (FIRST_OF_MANY, start)


CHIPS = {
    "ssd1306": Controller(0, ((0x20, 0x02),)),  # page mode
    "ssd1309": Controller(0, ((0x20, 0x02),)),
    "sh1106": Controller(2, ()),  # it has no other mode
    "sh1107": Controller(0, (), 128),
}


class _Notes:
    """Stands in for a bus, and keeps the commands by which a driver initialises its panel."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        self.commands.append(command)

    def data(self, data: list[int]) -> None:
        """Does nothing: no picture belongs to the initialisation."""

    def cleanup(self) -> None:
        """Does nothing: luma calls this when the process ends; the panel has been closed by
        then."""


class UnknownChipError(OSError):
    """This luma does not know the display's controller. `remedy`: what to do."""

    remedy = (
        "the Debian package has no newer one: take a display with an ssd1306, ssd1309 or sh1106, "
        "or start the companion from its source by make run"
    )


def luma_start(chip: str) -> list[tuple[int, ...]]:
    """The commands by which luma initialises this chip, without those that a viewer would notice on
    a panel that works: off, on (before there is a picture), and another brightness. Raises
    UnknownChipError."""
    from luma.oled import __version__, device

    if not hasattr(device, chip):
        raise UnknownChipError(f"luma.oled {__version__} can't drive an {chip}, 3.11 can")
    nothing: Callable[..., None] = lambda *_: None  # noqa: E731
    driver = type("Silent", (getattr(device, chip),), {"display": nothing, "show": nothing})
    notes = _Notes()
    driver(notes, width=WIDTH, height=CHIPS[chip].rows).persist = True
    first, *others = notes.commands
    rest = [command for command in others if command[0] != CONTRAST]
    return [first[1:] if first[0] == OFF else first, *rest]


class LumaPanel:
    """A panel with this chip on a bus that may come and go. `open_bus` may raise. `offset`: the
    column at which the glass begins, if it isn't the chip's usual one."""

    def __init__(self, chip: str, open_bus: Callable[[], Bus], offset: int | None = None) -> None:
        self._open_bus, self._chip = open_bus, CHIPS[chip]
        self._offset = self._chip.offset if offset is None else offset
        self._start = [*luma_start(chip), *self._chip.after]
        self._bus: Any = None
        self._shown: PanelFrame | None = None

    def open(self) -> None:
        """Opens the bus."""
        self._bus, self._shown = self._open_bus(), None

    def show(self, picture: PanelFrame) -> None:
        """Sends what differs from what is shown, or the whole picture if that is not known."""
        before, self._shown = self._shown, None
        if before is None or before.renewal != picture.renewal:
            self._begin(picture)
        else:
            self._change(before, picture)
        self._shown = picture

    def _begin(self, picture: PanelFrame) -> None:
        """Initialises the panel and draws everything."""
        for command in self._start:
            self._bus.command(*command)
        self._bus.command(*self._chip.rows_down(picture.down), CONTRAST, picture.contrast)
        for page in range(self._chip.rows // 8):
            if self._chip.first_page <= page < self._chip.first_page + PAGES:
                self._send(picture.frame, page - self._chip.first_page, 0, WIDTH - 1)
            else:
                self._write(page, 0, bytes(WIDTH))
        self._bus.command(ON if picture.contrast else OFF)

    def _change(self, before: PanelFrame, after: PanelFrame) -> None:
        for page in range(PAGES):
            for first, last in changed_runs(before.frame, after.frame, page):
                self._send(after.frame, page, first, last)
        if before.down != after.down:
            self._bus.command(*self._chip.rows_down(after.down))
        if before.contrast != after.contrast:
            lit = (CONTRAST, after.contrast, ON)
            self._bus.command(*(lit if after.contrast else (OFF,)))

    def _send(self, frame: Frame, page: int, first: int, last: int) -> None:
        """Sends one run of columns, both ends included."""
        pixels = frame.pixels[page * WIDTH + first : page * WIDTH + last + 1]
        self._write(page + self._chip.first_page, first, pixels)

    def _write(self, page: int, first: int, pixels: bytes) -> None:
        """Sends bytes for a page of the panel, from column `first` of the glass on."""
        at = first + self._offset
        self._bus.command(PAGE | page, at & 0x0F, COLUMN_HIGH | at >> 4)
        self._bus.data(list(pixels))

    def close(self) -> None:
        """Lets go of the bus."""
        bus, self._bus, self._shown = self._bus, None, None
        if bus:
            bus.cleanup()
