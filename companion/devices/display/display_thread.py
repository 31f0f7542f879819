"""The display's thread, which draws the newest frame with the current brightness and shift.

A mailbox holds one frame. The loop puts its newest frame there and never waits for the bus; a frame
that wasn't drawn in time is replaced, not queued.

A display that fails is at once opened, initialised and drawn again, because interference on a wire
usually spoils only one transfer. If that fails too, the thread tries again whenever there is a new
frame, or else after increasingly long pauses. Scoring continues meanwhile."""

from collections.abc import Callable
from threading import Condition
from time import sleep

from companion.console.frame import Frame
from companion.console.screen_saver import DIMMED, DisplayLook, PanelFrame
from companion.core.threads import NamedThread
from companion.devices.display.panel import Panel

RETRY_S = (1.0, 2.0, 5.0)
"""Pauses between attempts to reach a failing display, in seconds; the last one repeats."""
LAST_TRIES, LAST_PAUSE_S = 8, 0.1
"""How often drawing the last picture is tried, and the seconds between the attempts. One attempt
may not be enough, because a circuit board's power key blocks the bus while it is pressed."""


PATIENCE_S = 0.8
"""How long `stop` waits for the display, in seconds. A hanging transfer may delay the process by
another second, and the service promises to end within two."""


class Oled:
    """Draws frames on a panel in its own thread. `report` is called in that thread with a line of
    text when the display fails and when it works again."""

    def __init__(self, panel: Panel, report: Callable[[str], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._frame: Frame | None = None
        self._look = DisplayLook()
        self._fresh = self._stopping = False
        self._shown: PanelFrame | None = None
        self._failures = 0
        self._thread = NamedThread("display", self._run)

    def start(self) -> None:
        self._thread.start()

    def show(self, frame: Frame) -> None:
        """Puts a frame into the mailbox, replacing one that is still there."""
        with self._news:
            self._frame, self._fresh = frame, True
            self._news.notify()

    def look(self, look: DisplayLook) -> None:
        """Sets the brightness and shift of the newest frame and all later ones."""
        with self._news:
            self._look, self._fresh = look, True
            self._news.notify()

    def stop(self, last: Frame | None = None, wait_s: float = PATIENCE_S) -> None:
        """Draws `last`, or the frame in the mailbox if `last` is None; then closes the panel, which
        goes on showing that frame, and ends the thread. Before `last` is drawn, the panel is
        initialised again, because it may be in any state by now. Gives up after `wait_s` seconds if
        the bus hangs."""
        with self._news:
            if last is not None:
                renewal = self._look.renewal + 1
                self._frame = last
                self._look = self._look._replace(contrast=DIMMED, renewal=renewal)
            self._stopping = True
            self._news.notify()
        self._thread.join(wait_s)

    def _run(self) -> None:
        stopping = False
        while not stopping:
            with self._news:
                self._news.wait_for(lambda: self._fresh or self._stopping, self._pause_s())
                frame, look, self._fresh = self._frame, self._look, False
                stopping = self._stopping
            if frame is not None and (picture := look.of(frame)) != self._shown:
                worked = not self._failures
                self._draw(picture)
                if stopping and worked:
                    self._draw_last_picture(picture)
        self._close()

    def _draw_last_picture(self, picture: PanelFrame) -> None:
        """Tries repeatedly to draw the last picture on a display that has worked until now."""
        for _ in range(LAST_TRIES - 1):
            if not self._failures:
                return
            sleep(LAST_PAUSE_S)
            self._draw(picture)

    def _pause_s(self) -> float | None:
        """Returns how many seconds to wait for a new frame before trying a failing display again;
        None if the display works."""
        return RETRY_S[min(self._failures, len(RETRY_S)) - 1] if self._failures else None

    def _draw(self, picture: PanelFrame) -> None:
        """Draws the picture, trying a second time at once if that fails."""
        error = self._try_to_draw(picture) and self._try_to_draw(picture)
        if error is not None:
            if not self._failures:
                self._report(f"The display does not answer ({error}); the keys go on working.")
            self._failures += 1
            return
        if self._failures:
            self._report("The display is back.")
        self._failures = 0

    def _try_to_draw(self, picture: PanelFrame) -> Exception | None:
        """Draws the picture, after opening the panel if its contents are unknown. If this fails,
        closes the panel and returns the exception; otherwise returns None."""
        try:
            if self._shown is None:
                self._panel.open()
            self._panel.show(picture)
        except Exception as error:  # whatever the libraries raise, the thread must live
            self._shown = None
            self._close()
            return error
        self._shown = picture
        return None

    def _close(self) -> None:
        try:
            self._panel.close()
        except Exception as error:
            self._report(f"The display could not be closed ({error}).")
