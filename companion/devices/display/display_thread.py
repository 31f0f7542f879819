"""The display's thread: it draws the newest frame in the look that is wanted now. A mailbox holds
one frame.

The loop puts its newest frame into the mailbox and never waits for the bus; a frame that was not
drawn in time is replaced, not queued. A display that fails is opened, initialised and drawn
completely again at once, as a disturbed wire spoils one transfer and not the next. If that fails,
too, it is tried again as soon as there is a new frame, otherwise after a growing pause. Scoring
goes on.
"""

from collections.abc import Callable
from threading import Condition
from time import sleep

from companion.console.frame import Frame
from companion.console.screen_saver import DIMMED, Look, PanelFrame
from companion.core.threads import NamedThread
from companion.devices.display.panel import Panel

RETRY_S = (1.0, 2.0, 5.0)
"""Pauses between attempts to reach a display that fails; the last one repeats."""
LAST_TRIES, LAST_PAUSE_S = 8, 0.1
"""How often the last picture is tried, and the pause between tries: the power key of the circuit
board holds the bus for as long as it is pressed."""


PATIENCE_S = 0.8
"""How long `stop` waits for the display. A transfer that hangs may hold the process for a second
more, and the service promises to be gone after two."""


class Oled:
    """Draws frames on a panel from a thread of its own. `report` gets a line when the display fails
    and when it is back; it is called from that thread."""

    def __init__(self, panel: Panel, report: Callable[[str], None]) -> None:
        self._panel, self._report = panel, report
        self._news = Condition()
        self._frame: Frame | None = None
        self._look = Look()
        self._fresh = self._stopping = False
        self._shown: PanelFrame | None = None
        self._failures = 0
        self._thread = NamedThread("display", self._run)

    def start(self) -> None:
        self._thread.start()

    def show(self, frame: Frame) -> None:
        """Leaves a frame in the mailbox; one that is still there is thrown away."""
        with self._news:
            self._frame, self._fresh = frame, True
            self._news.notify()

    def look(self, look: Look) -> None:
        """Sets how the newest frame is to look from now on."""
        with self._news:
            self._look, self._fresh = look, True
            self._news.notify()

    def stop(self, last: Frame | None = None, wait_s: float = PATIENCE_S) -> None:
        """Draws what is in the mailbox, or `last`, which then stays on the display: the panel is
        initialised again for it, as it may show anything by now. Closes the panel and ends the
        thread. Gives up after `wait_s` if the bus hangs."""
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
                self._news.wait_for(lambda: self._fresh or self._stopping, self._pause())
                frame, look, self._fresh = self._frame, self._look, False
                stopping = self._stopping
            if frame is not None and (picture := look.of(frame)) != self._shown:
                worked = not self._failures
                self._draw(picture)
                if stopping and worked:
                    self._insist(picture)
        self._close()

    def _insist(self, picture: PanelFrame) -> None:
        """Tries the last picture again on a display that has worked until now."""
        for _ in range(LAST_TRIES - 1):
            if not self._failures:
                return
            sleep(LAST_PAUSE_S)
            self._draw(picture)

    def _pause(self) -> float | None:
        """How long to wait for news: without limit, unless the display must be tried again."""
        return RETRY_S[min(self._failures, len(RETRY_S)) - 1] if self._failures else None

    def _draw(self, picture: PanelFrame) -> None:
        """Draws the picture; if that fails, tries again at once."""
        error = self._try(picture) and self._try(picture)
        if error is not None:
            if not self._failures:
                self._report(f"The display does not answer ({error}); the keys go on working.")
            self._failures += 1
            return
        if self._failures:
            self._report("The display is back.")
        self._failures = 0

    def _try(self, picture: PanelFrame) -> Exception | None:
        """Draws the picture; (re)opens the panel first if nothing is known to be shown. Returns why
        that failed, and closes the panel then."""
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
