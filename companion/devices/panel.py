"""The panel: luma's SSD1306 and SH1106, told only what has changed.

luma's own display() sends the whole picture, a tenth of a second on a slow bus. Here luma gives
the bytes that initialise its panel, and the picture goes out in runs of changed columns, addressed
page by page. Both chips know that; the SSD1306 only in page mode, and luma switches it to another.
"""

from collections.abc import Callable
from typing import Any, Protocol

from companion.console.frame import PAGES, WIDTH, Frame, changed_runs
from companion.devices.care import Picture
from companion.values import dataclass

OFF, ON, CONTRAST, FIRST_ROW, PAGE, COLUMN_HIGH = 0xAE, 0xAF, 0x81, 0x40, 0xB0, 0x10
HEIGHT = PAGES * 8


class Panel(Protocol):
    """Something that shows pictures; every method may raise OSError or luma's Error."""

    def open(self) -> None:
        """Finds the display, also after an error; nothing is known about what it shows."""

    def show(self, picture: Picture) -> None:
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
class Chip:
    """A controller: the column at which its glass begins, and what it needs after luma's
    initialisation."""

    offset: int
    after: tuple[tuple[int, ...], ...]


CHIPS = {
    "ssd1306": Chip(0, ((0x20, 0x02),)),  # page mode
    "sh1106": Chip(2, ()),  # it has no other mode
}


class _Notes:
    """In place of a bus: keeps the commands by which a driver initialises its panel."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *command: int) -> None:
        self.commands.append(command)

    def data(self, data: list[int]) -> None:
        """No picture belongs to the initialisation."""

    def cleanup(self) -> None:
        """luma calls this when the process ends; the panel has been closed by then."""


def luma_start(chip: str) -> list[tuple[int, ...]]:
    """The commands by which luma initialises that chip, without those that a viewer would notice on
    a panel that works: off, on before there is a picture, and another brightness."""
    from luma.oled import device

    nothing: Callable[..., None] = lambda *_: None  # noqa: E731
    driver = type("Silent", (getattr(device, chip),), {"display": nothing, "show": nothing})
    notes = _Notes()
    driver(notes, width=WIDTH, height=HEIGHT).persist = True
    first, *others = notes.commands
    rest = [command for command in others if command[0] != CONTRAST]
    return [first[1:] if first[0] == OFF else first, *rest]


class LumaPanel:
    """A panel with that chip on a bus that may come and go. `open_bus` may raise. `offset`: the
    column at which the glass begins, where it is another than usual."""

    def __init__(self, chip: str, open_bus: Callable[[], Bus], offset: int | None = None) -> None:
        self._open_bus = open_bus
        self._offset = CHIPS[chip].offset if offset is None else offset
        self._start = [*luma_start(chip), *CHIPS[chip].after]
        self._bus: Any = None
        self._shown: Picture | None = None

    def open(self) -> None:
        """Opens the bus."""
        self._bus, self._shown = self._open_bus(), None

    def show(self, picture: Picture) -> None:
        """Sends what differs from what is shown; all of it where that is not known."""
        before, self._shown = self._shown, None
        if before is None or before.renewal != picture.renewal:
            self._begin(picture)
        else:
            self._change(before, picture)
        self._shown = picture

    def _begin(self, picture: Picture) -> None:
        """Initialises the panel and draws everything."""
        for command in self._start:
            self._bus.command(*command)
        self._bus.command(*_rows_down(picture.down), CONTRAST, picture.contrast)
        for page in range(PAGES):
            self._send(picture.frame, page, 0, WIDTH - 1)
        self._bus.command(ON if picture.contrast else OFF)

    def _change(self, before: Picture, after: Picture) -> None:
        for page in range(PAGES):
            for first, last in changed_runs(before.frame, after.frame, page):
                self._send(after.frame, page, first, last)
        if before.down != after.down:
            self._bus.command(*_rows_down(after.down))
        if before.contrast != after.contrast:
            lit = (CONTRAST, after.contrast, ON)
            self._bus.command(*(lit if after.contrast else (OFF,)))

    def _send(self, frame: Frame, page: int, first: int, last: int) -> None:
        """One run of columns, both ends included."""
        at = first + self._offset
        self._bus.command(PAGE | page, at & 0x0F, COLUMN_HIGH | at >> 4)
        self._bus.data(list(frame.pixels[page * WIDTH + first : page * WIDTH + last + 1]))

    def close(self) -> None:
        """Lets go of the bus."""
        bus, self._bus, self._shown = self._bus, None, None
        if bus:
            bus.cleanup()


def _rows_down(rows: int) -> tuple[int]:
    """The whole picture that many rows lower, the lowest ones at the top: the panel does that
    itself, so it costs one byte."""
    return (FIRST_ROW | -rows % HEIGHT,)
