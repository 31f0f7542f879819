"""The whole program with its page, and pages in a real browser that look at it."""

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.app.open_games import open_games
from companion.console.frame import Show
from companion.core.club import ClubRequest
from companion.devices.display.screen_saver import PanelFrame
from companion.devices.display.virtual import VIRTUAL_PINS, Fingers, VirtualPanel
from companion.devices.gpio.debounce import Timing
from companion.devices.gpio.keypad import DirectKeypad
from companion.devices.voice.clips import Clips
from companion.presentation.language import ENGLISH, Language
from companion.presentation.unfinished import read_unfinished
from companion.record.store.store import Store
from companion.table.events import Command
from companion.table.loop import Table
from companion.table.outputs import Outputs
from companion.table.proposals import Request
from companion.web.access import AccessRules
from companion.web.address import listen
from companion.web.codes import Codes, SecretWords
from companion.web.page import Page
from tests.catalog import GAMES
from tests.chromium import CHROMIUM
from tests.web.visits import LOCAL

WAIT_MS = 30_000
EARLY = datetime(2026, 1, 1, tzinfo=UTC)
pytestmark = pytest.mark.browser
in_every_run = [pytest.mark.browser, pytest.mark.smoke]
"""The marks of the few files in a browser that `make test` runs."""

if not os.environ.get("CI"):
    pytest.importorskip("playwright", reason="the extra “browser” is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed", allow_module_level=True)


class Site:
    """The whole program with its page, in threads of the test, with the record in a file."""

    def __init__(
        self,
        path: Path,
        port: int = 0,
        *,
        lan: bool = False,
        language: Language = ENGLISH,
        clips: Callable[[str], Clips] | None = None,
    ) -> None:
        self._path, self._language = path, language
        self.access_rules = AccessRules(
            Codes(SecretWords("sesame", "to-watch", "to-keep")), open_to_all=lan, local=LOCAL
        )
        listening = listen("127.0.0.1", port)
        self.port = listening.getsockname()[1]
        self._fingers = Fingers(VIRTUAL_PINS)
        self._page = Page(0.01, 0.035)
        self.club: list[ClubRequest] = []
        """The requests to the club."""
        self._panel = VirtualPanel(self._page.publish)
        self._page.start(
            listening,
            self.access_rules,
            self._fingers.move,
            self._type_letter,
            self._propose,
            ask_club=self._ask_club,
            read=lambda: read_unfinished(path, GAMES, open_games(path)),
            past=(sys.executable, "-m", "companion.app.past", str(path)),
            games=CATALOG,
            language=language,
            clips=clips,
        )
        assert self._page.wait_until_ready(WAIT_MS / 1000)
        self._ready = Event()
        self._thread = Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(WAIT_MS / 1000)

    def _type_letter(self, letter: str) -> bool:
        return self.table.type_letter(letter)

    def _propose(self, request: Request) -> None:
        self.table.events.put(request)

    def _ask_club(self, request: ClubRequest) -> None:
        self.table.events.put(request)

    def _run(self) -> None:
        import time

        with Store.open(self._path, GAMES) as store:
            self.table = Table(
                store,
                CATALOG,
                Outputs(
                    self._draw,
                    tell=self._page.tell,
                    ask_club=self.club.append,
                    tell_club=self._page.tell_club,
                ),
                time.monotonic,
                Timing(hold_s=0.3),
                language=self._language,
            )
            keypad = DirectKeypad(
                VIRTUAL_PINS, self.table.events.put, time.monotonic, self._fingers.factory
            )
            self._ready.set()
            self.table.run()
            keypad.close()

    def _draw(self, show: Show) -> None:
        self.frame = show.frame
        self._panel.show(PanelFrame(show.frame))

    def close(self) -> None:
        self.table.events.put(Command.STOP)
        self._thread.join()
        self._page.stop()
        self._fingers.close()


def stop_clock(tab: Any) -> None:
    """Stops the page's time: from now on only the test moves it."""
    tab.clock.install(time=EARLY)
    tab.clock.pause_at(EARLY + timedelta(days=1))


def let_in(context: Any, port: int) -> None:
    """Gives a browser the cookie of the machine of the table at that port."""
    at = {"url": f"http://127.0.0.1:{port}", "httpOnly": True, "sameSite": "Strict"}
    context.add_cookies([{"name": LOCAL.cookie_name, "value": LOCAL.cookie, **at}])


class Viewer:
    """A page in a browser that the table's own machine has let in, with all of its complaints."""

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

    def until_answered(self) -> None:
        """Waits for the answer to what was proposed last. The table's news may come before it, and
        until then the page takes nothing else."""
        answered = "() => sessionStorage.getItem('pending') === null"
        self.tab.wait_for_function(answered, timeout=WAIT_MS)

    def until_shown(self, *, other_than: list[str]) -> list[str]:
        """Waits until the page shows another picture, the display's newest one; gives its rows."""
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
        """Does something that changes the display; gives the picture after it."""
        before = self.seen()
        act(*more, **named)
        return self.until_shown(other_than=before)
