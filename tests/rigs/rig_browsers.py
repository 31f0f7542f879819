"""The table in other browsers than Chromium: Firefox, and WebKitGTK, whose engine is Safari's. Both
are Debian's own, driven by the protocols that they bring: WebDriver BiDi and WebDriver. Needs
firefox-esr, webkit2gtk-driver and xvfb."""

import asyncio
import base64
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen

import aiohttp
import pytest

from companion.core.values import Json
from tests.waiting import WAIT_S, wait_until
from tests.web.in_browser import Site
from tests.web.live import keep

WIDTH, HEIGHT = 390, 720
BEGUN = "hand\nAnna 6-6"
FIREFOX_PREFS = 'user_pref("remote.active-protocols", 1);\n'
"""WebDriver BiDi alone."""


class Browser(Protocol):
    """One page in a browser."""

    def open(self, address: str) -> None: ...

    def run(self, script: str) -> Any:
        """Returns the value of a JavaScript expression in the page."""

    def picture(self) -> bytes: ...


class WebKit:
    """WebKitGTK by WebDriver. Source: W3C, WebDriver."""

    def __init__(self, port: int) -> None:
        self._at = f"http://127.0.0.1:{port}/session"
        wanted: Json = {"capabilities": {"alwaysMatch": {}}}
        self._at += f"/{self._ask('POST', '', wanted)['sessionId']}"
        self._ask("POST", "/window/rect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT})

    def _ask(self, method: str, path: str, said: object = None) -> Any:
        body = None if said is None else json.dumps(said).encode()
        request = Request(self._at + path, body, {"Content-Type": "application/json"})
        request.method = method
        with urlopen(request, timeout=WAIT_S) as answer:
            return json.load(answer)["value"]

    def open(self, address: str) -> None:
        self._ask("POST", "/url", {"url": address})

    def run(self, script: str) -> Any:
        return self._ask("POST", "/execute/sync", {"script": f"return {script};", "args": []})

    def picture(self) -> bytes:
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def close(self) -> None:
        self._ask("DELETE", "")


class Firefox:
    """Firefox by WebDriver BiDi. Source: W3C, WebDriver BiDi."""

    def __init__(self, port: int) -> None:
        self._loop = asyncio.new_event_loop()
        self._number, self._page = 0, ""
        self._loop.run_until_complete(self._connect(f"http://127.0.0.1:{port}/session"))
        self._ask("session.new", capabilities={})
        self._page = self._ask("browsingContext.create", type="tab")["context"]
        size = {"width": WIDTH, "height": HEIGHT}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)

    async def _connect(self, at: str) -> None:
        self._session = aiohttp.ClientSession()
        self._line = await self._session.ws_connect(at, max_msg_size=0)

    def _ask(self, method: str, **params: Any) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(self._say(method, params), WAIT_S))

    async def _say(self, method: str, params: object) -> Any:
        self._number += 1
        await self._line.send_json({"id": self._number, "method": method, "params": params})
        while (told := await self._line.receive_json()).get("id") != self._number:
            pass
        assert told["type"] == "success", told
        return told["result"]

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def run(self, script: str) -> Any:
        told = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify({script} ?? null)",
            target={"context": self._page},
            awaitPromise=True,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    def picture(self) -> bytes:
        told = self._ask("browsingContext.captureScreenshot", context=self._page)
        return base64.b64decode(told["data"])

    def close(self) -> None:
        self._loop.run_until_complete(self._session.close())
        self._loop.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextmanager
def started(command: list[str], port: int, home: Path) -> Iterator[None]:
    """Runs a program until the end; it answers at that port."""
    program = shutil.which(command[0])
    assert program, f"{command[0]} is missing: sudo apt install firefox-esr webkit2gtk-driver xvfb"
    home.mkdir(exist_ok=True)
    environment = {**os.environ, "HOME": str(home), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    with (
        (home / "log").open("w") as log,
        subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        ) as process,
    ):
        try:
            wait_until(lambda: answers(port))
            yield
        finally:
            os.killpg(process.pid, 15)


@pytest.fixture(params=["Firefox", "WebKitGTK"])
def browser_of_debian(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Browser]:
    port, home = free_port(), tmp_path / "home"
    if request.param == "Firefox":
        profile = home / "profile"
        profile.mkdir(parents=True)
        (profile / "user.js").write_text(FIREFOX_PREFS)
        command = ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile)]
        with started([*command, f"--remote-debugging-port={port}"], port, home):
            one = Firefox(port)
            yield one
            one.close()
    else:
        command = ["xvfb-run", "-a", "-s", f"-screen 0 {WIDTH}x{HEIGHT + 100}x24"]
        with started([*command, "WebKitWebDriver", f"--port={port}"], port, home):
            other = WebKit(port)
            yield other
            other.close()


def until(browser: Browser, script: str) -> None:
    """Waits until an expression is true in the page."""
    wait_until(lambda: browser.run(script))


def tap_until(browser: Browser, place: str, script: str) -> None:
    """Taps repeatedly until something is true, as a tap too soon after the table has moved on
    doesn't count."""
    end = time.monotonic() + WAIT_S
    while not browser.run(script):
        assert time.monotonic() < end, script
        browser.run(f"document.querySelector('{place}')?.click()")
        time.sleep(0.2)


def says(place: str, text: str) -> str:
    """The script that returns whether that place contains the text."""
    return f"!!document.querySelector('{place}')?.textContent.includes({json.dumps(text)})"


def test_a_turn_on_a_phone_appears_on_the_tv(
    browser_of_debian: Browser, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """The phone of Ben lays 6-3, and the TV's page shows it: the same scores in another browser."""
    page = browser_of_debian
    path = tmp_path / "record.db"
    keep(path, BEGUN, "Anna Ben")
    site = Site(path)
    try:
        page.open(f"{site.url}/#sesame")
        ben = (
            "[...document.querySelectorAll('button')].find((one) => one.innerText.trim() === 'Ben')"
        )
        until(page, f"!!{ben}")
        page.run(f"{ben}.click()")
        until(page, "!!document.querySelector('[data-tile=\"6-3\"]')")
        tap_until(page, '[data-tile="6-3"]', says("#meaning", "Ben lays 6-3"))
        (tmp_path / "turn.png").write_bytes(page.picture())
        tap_until(page, "#ok", says("#entries", "6-3"))
        until(page, says("#payments", "15"))
        (tmp_path / "laid.png").write_bytes(page.picture())
        assert not page.run("document.documentElement.scrollWidth > innerWidth")
        page.open(f"{site.url}/tv#to-watch")
        until(page, says("#payments", "15"))
        (tmp_path / "tv.png").write_bytes(page.picture())
    finally:
        site.close()
