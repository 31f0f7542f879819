"""The whole program with its page, and pages in a real browser that connect to it."""

import os
import time
from contextlib import AbstractContextManager, closing
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from companion.console.frame import BoxPicture
from companion.console.screen_saver import PanelFrame
from companion.core.keys import Key
from companion.devices.display.virtual import VIRTUAL_PINS, Fingers, VirtualPanel
from companion.devices.gpio.keypad import DirectKeypad
from companion.web.access import AccessCodes
from tests.browser import WAIT_MS as WAIT_MS  # noqa: PLC0414  # for the tests beside it
from tests.chromium import CHROMIUM
from tests.web.live import LiveTable
from tests.web.visits import LOCAL

EARLY = datetime(2026, 1, 1, tzinfo=UTC)
pytestmark = pytest.mark.browser
in_every_run = [pytest.mark.browser, pytest.mark.smoke]
"""The marks of the few browser tests that `make test` runs."""

if not os.environ.get("CI"):
    pytest.importorskip("playwright", reason="the extra “browser” is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed", allow_module_level=True)


class Site(LiveTable):
    """The whole program with its page, its display and its keys."""

    pace_s = (0.01, 0.035)
    words = AccessCodes("sesame", "to-watch", "to-keep")

    def __init__(self, path: Path, port: int = 0, **more: Any) -> None:
        self._fingers = Fingers(VIRTUAL_PINS)
        super().__init__(path, port, **more)

    def move(self, key: Key, down: bool) -> None:
        self._fingers.move(key, down)

    def draw(self, show: BoxPicture) -> None:
        self.frame = show.frame
        self.panel.show(PanelFrame(show.frame))

    @cached_property
    def panel(self) -> VirtualPanel:
        """The display that the page shows."""
        return VirtualPanel(self.page.publish)

    def keys(self) -> AbstractContextManager[object]:
        return closing(
            DirectKeypad(VIRTUAL_PINS, self.table.events.put, time.monotonic, self._fingers.factory)
        )

    def close(self) -> None:
        super().close()
        self._fingers.close()


def stop_clock(tab: Any) -> None:
    """Stops the page's clock: from now on only the test moves it."""
    tab.clock.install(time=EARLY)
    tab.clock.pause_at(EARLY + timedelta(days=1))


def let_in(context: Any, port: int) -> None:
    """Gives a browser the cookie of the machine of the table at that port."""
    at = {"url": f"http://127.0.0.1:{port}", "httpOnly": True, "sameSite": "Strict"}
    context.add_cookies([{"name": LOCAL.cookie_name, "value": LOCAL.cookie, **at}])


SURE_MS = 500
"""After this many milliseconds of the page's clock, a tap counts for what is under the finger now
(SURE_MS and SEEN_MS of keying.js)."""


def until_taps_count(tab: Any) -> None:
    """Waits until a tap counts for what the page shows now."""
    tab.evaluate("(ms) => new Promise((done) => setTimeout(done, ms))", SURE_MS)


def until_drawn(tab: Any) -> None:
    """Waits until a change has been laid out, as a drawing is fitted to the remaining space one
    frame later."""
    tab.evaluate(
        """() => new Promise((done) => {
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
        })"""
    )


class Viewer:
    """A page in a browser that the table's own machine has let in; keeps all complaints of the
    browser."""

    def __init__(self, browser: Any, site: Site, **more: Any) -> None:
        self.site = site
        size = more.pop("viewport", {"width": 1000, "height": 900})
        path = more.pop("path", "/box")
        self.context = browser.new_context(viewport=size, **more)
        let_in(self.context, site.port)
        self.tab = self.context.new_page()
        self.complaints: list[str] = []
        self.tab.on("console", self._heard)
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.tab.goto(f"http://127.0.0.1:{site.port}{path}")
        self.until_state("connected")

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def until_state(self, name: str) -> None:
        self.tab.wait_for_selector(f'[data-state="{name}"]', timeout=WAIT_MS)

    def open_entry(self, entry: str) -> None:
        """Opens an entry of the list, named by its words. The page refuses a tap in a line while it
        has no connection."""
        done = "() => answer.textContent || opened.checkVisibility()"
        opened = self.tab.locator("#opened:not([hidden]) #opened-said", has_text=entry)
        while not opened.count():
            self.until_state("connected")
            self.until_answered()
            self.tab.evaluate("answer.textContent = ''")  # only a refusal may end the wait
            self.tab.locator("#entries .said", has_text=entry).first.tap(timeout=WAIT_MS)
            self.tab.wait_for_function(done, timeout=WAIT_MS)

    def until_answered(self) -> None:
        """Waits for the answer to the last proposal. The table's news may come before it, and until
        then the page takes nothing else."""
        answered = "() => sessionStorage.getItem('pending') === null"
        self.tab.wait_for_function(answered, timeout=WAIT_MS)

    def until_shown(self, *, other_than: list[str]) -> list[str]:
        """Waits until the page shows another picture, the display's newest one; returns its
        rows."""
        rows: list[str] = other_than
        for _ in range(WAIT_MS // 20):
            rows = self.seen()
            if rows != other_than and rows == self.site.frame.rows():
                return rows
            self.tab.wait_for_timeout(20)
        raise AssertionError("the picture did not change")

    def seen(self) -> list[str]:
        """The rows of the display as the page draws it, read back from the middle of each pixel."""
        rows: list[str] = self.tab.evaluate(
            """() => {
              const canvas = document.querySelector("#oled");
              const scale = canvas.width / 128, pen = canvas.getContext("2d");
              const data = pen.getImageData(0, 0, canvas.width, canvas.height).data;
              const lit = (x, y) => data[4 * (Math.floor((y + 0.5) * scale) * canvas.width
                                              + Math.floor((x + 0.5) * scale))] > 100;
              const range = (n) => [...Array(n).keys()];
              return range(64).map((y) => range(128).map((x) => (lit(x, y) ? "#" : ".")).join(""));
            }"""
        )
        return rows

    def after(self, act: Any, *more: Any, **named: Any) -> list[str]:
        """Does something that changes the display; returns the picture after it."""
        before = self.seen()
        act(*more, **named)
        return self.until_shown(other_than=before)
