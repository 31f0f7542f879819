"""The display: a thread with a one-frame mailbox, and luma devices that can be opened again.

The loop puts its newest frame into the mailbox and never waits for the bus; a frame that was not
drawn in time is replaced, not queued. A display that fails is opened, initialised and drawn
completely again, as soon as there is a new frame and else after a growing pause. Scoring goes on.
"""

from collections.abc import Callable
from threading import Condition, Thread
from typing import Any, Protocol

from luma.core.error import Error as LumaError

from companion.console.frame import Frame

RETRY_S = (1.0, 2.0, 5.0)
"""Pauses between attempts to reach a display that fails; the last one repeats."""


class Panel(Protocol):
    """Something that shows pictures; every method may raise OSError or luma's Error."""

    def open(self) -> None:
        """Finds the display and initialises it, also after an error."""

    def display(self, image: Any) -> None:
        """Draws a whole 1-bit Pillow image."""

    def close(self) -> None:
        """Lets go of the bus."""


class Oled:
    """Draws frames on a panel from a thread of its own. `report` gets a line when the display fails
    and when it is back; it is called from that thread."""

    def __init__(self, panel: Panel, report: Callable[[str], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._mailbox: Frame | None = None
        self._stopping = False
        self._shown: Frame | None = None
        self._failures = 0
        self._thread = Thread(target=self._run, name="display", daemon=True)

    def start(self) -> None:
        """Starts to draw."""
        self._thread.start()

    def show(self, frame: Frame) -> None:
        """Leaves a frame in the mailbox; one that still lies there is thrown away."""
        with self._news:
            self._mailbox = frame
            self._news.notify()

    def stop(self, wait_s: float = 1.0) -> None:
        """Draws what lies in the mailbox, closes the panel and ends the thread; gives up after
        `wait_s` if the bus hangs."""
        with self._news:
            self._stopping = True
            self._news.notify()
        self._thread.join(wait_s)

    def _run(self) -> None:
        frame: Frame | None = None
        stopping = False
        while not stopping:
            with self._news:
                self._news.wait_for(lambda: self._mailbox or self._stopping, self._pause())
                frame, self._mailbox = self._mailbox or frame, None
                stopping = self._stopping
            if frame is not None and frame != self._shown:
                self._draw(frame)
        self._close()

    def _pause(self) -> float | None:
        """How long to wait for news: for ever, unless the display must be tried again."""
        return RETRY_S[min(self._failures, len(RETRY_S)) - 1] if self._failures else None

    def _draw(self, frame: Frame) -> None:
        """Draws the frame, after (re)opening the panel where nothing is known to be shown."""
        try:
            if self._shown is None:
                self._panel.open()
            self._panel.display(frame.to_image())
        except (OSError, LumaError) as error:
            if not self._failures:
                self._report(f"The display does not answer ({error}); the keys go on working.")
            self._failures, self._shown = self._failures + 1, None
            self._close()
            return
        if self._failures:
            self._report("The display is back.")
        self._failures, self._shown = 0, frame

    def _close(self) -> None:
        try:
            self._panel.close()
        except (OSError, LumaError) as error:
            self._report(f"The display could not be closed ({error}).")


class Bus(Protocol):
    """What luma calls a serial interface."""

    def command(self, *command: int) -> None:
        """Sends command bytes."""

    def data(self, data: list[int]) -> None:
        """Sends bytes of the picture."""

    def cleanup(self) -> None:
        """Lets go of the bus."""


class _Wire:
    """The serial interface that a luma device keeps for good, whatever bus is behind it now.

    Without a bus it takes notes instead. That gives the bytes by which the driver initialises its
    panel, without any display being there.
    """

    def __init__(self) -> None:
        self.bus: Bus | None = None
        self.notes: list[Callable[[Bus], None]] = []

    def command(self, *command: int) -> None:
        if self.bus:
            self.bus.command(*command)
        else:
            self.notes.append(lambda bus: bus.command(*command))

    def data(self, data: list[int]) -> None:
        if self.bus:
            self.bus.data(data)
        else:
            kept = list(data)
            self.notes.append(lambda bus: bus.data(kept))

    def cleanup(self) -> None:
        """luma calls this when the process ends; the panel has been closed by then."""


class LumaPanel:
    """A luma.oled device on a bus that may come and go.

    `driver` is a class such as luma's ssd1306, made once (each luma device registers itself to be
    called at exit, so making a new one for every attempt would pile them up). `open_bus` may raise.
    """

    def __init__(self, driver: Callable[..., Any], open_bus: Callable[[], Bus], rotate: int = 0):
        self._wire, self._open_bus = _Wire(), open_bus
        self._device = driver(self._wire, width=128, height=64, rotate=rotate)
        self._device.persist = True
        self._start, self._wire.notes = self._wire.notes, []

    def open(self) -> None:
        """Opens the bus and sends the whole initialisation."""
        bus = self._open_bus()
        for send in self._start:
            send(bus)
        self._wire.bus = bus

    def display(self, image: Any) -> None:
        """Draws a whole picture."""
        self._device.display(image)

    def close(self) -> None:
        """Lets go of the bus."""
        bus, self._wire.bus, self._wire.notes = self._wire.bus, None, []
        if bus:
            bus.cleanup()
