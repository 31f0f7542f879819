"""A browser that walks through the pages of a table or a hub below a path of a site, behind a proxy
with TLS."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.starting import certificate, documented, free_port, proxy
from tests.web.in_browser import WAIT_MS

NAME = "club.localhost"
"""Chromium looks up all names below localhost on its own machine."""
TABLE_PAGES = ("", "box", "tv", "overlay", "evenings", "help/high-five", "help/de/lesson")


@contextmanager
def behind_nginx(place: Path, server: str, path: str = "/table") -> Iterator[str]:
    """Runs nginx with the documented configuration of a table or hub, which listens at the address
    `server`, below a path of a site; yields the site's address."""
    own, private = certificate(place)
    port = free_port()
    ours = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "server_name club.example": f"server_name {NAME}",
        "/etc/ssl/club.pem": str(own),
        "/etc/ssl/club.key": str(private),
        "http://127.0.0.1:8055": server,
        "location /table/": f"location {path}/",
        "X-Forwarded-Prefix /table": f"X-Forwarded-Prefix {path}",
    }
    with proxy(place, documented(2, ours), port):
        yield f"https://{NAME}:{port}"


class Walk:
    """A phone that has come in with this access code at `url`, whose `path` is the table's or
    hub's."""

    def __init__(self, browser: Any, word: str, url: str, path: str = "/table") -> None:
        self.root = f"{url}{path}"
        self._above, self._path = url, path
        self.context = browser.new_context(
            viewport={"width": 390, "height": 780}, ignore_https_errors=True, locale="en-GB"
        )
        self.tab = self.context.new_page()
        self.wrong: list[str] = []
        """What the browser complained of, and answers that were no pages or not below the path."""
        self.tab.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.tab.on("console", self._heard)
        self.tab.on("response", self._answered)
        self.tab.on("websocket", lambda socket: self._asked(socket.url.replace("ws", "http", 1)))
        self.tab.goto(f"{self.root}/#{word}")
        self.until_connected()

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.wrong.append(message.text)

    def _answered(self, response: Any) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.status} {response.url}")
        self._asked(response.url)

    def _asked(self, url: str) -> None:
        if not url.startswith((f"{self.root}/", "data:", "blob:")):
            self.wrong.append(f"outside: {url}")

    def until_connected(self) -> None:
        self.tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)

    def everywhere(self, pages: Sequence[str], connected: Sequence[str]) -> None:
        """Opens these pages, of which some are `connected` to the server, and requests every link
        on them that stays on the site."""
        for page in pages:
            self.tab.goto(f"{self.root}/{page}")
            self.tab.wait_for_load_state()
            if page in connected:
                self.until_connected()
            hrefs = self.tab.eval_on_selector_all(
                "a[href]",
                "all => all.filter((one) => !one.closest('[hidden]')).map((one) => one.href)",
            )
            for href in sorted({one.partition("#")[0] for one in hrefs}):
                if href.startswith(self._above):
                    self._asked(f"{href}/")
                    self.tab.evaluate("async (href) => { await fetch(href); }", href)

    def in_german(self) -> None:
        """Switches a table to another language, which reloads the page with its scripts."""
        self.tab.goto(f"{self.root}/")
        self.until_connected()
        with self.tab.expect_navigation():
            self.tab.evaluate(
                """() => {
                  const chosen = document.querySelector("select#language");
                  chosen.value = "de";
                  chosen.dispatchEvent(new Event("change"));
                }"""
            )
        self.until_connected()
        assert self.tab.evaluate("document.documentElement.lang") == "de"
        paths = {one["name"]: one["path"] for one in self.context.cookies()}
        assert paths == {"language": f"{self._path}/", "word": f"{self._path}/evenings"}

    def invitation(self) -> str:
        """The invitation's address on the page."""
        self.tab.goto(f"{self.root}/")
        self.until_connected()
        found: str = self.tab.evaluate(
            """() => new Promise((done) => {
              const scheme = location.protocol.replace("http", "ws");
              const socket = new WebSocket(`${scheme}//${location.host}WAY/live`);
              const word = JSON.parse(localStorage.getItem("WAYword"));
              socket.onopen = () => {
                socket.send(JSON.stringify({ n: 0, hello: word }));
                socket.send(JSON.stringify({ n: 1, invite: true }));
              };
              socket.onmessage = ({ data }) => {
                const said = typeof data === "string" ? JSON.parse(data) : {};
                if ("invite" in said) done(said.invite?.address ?? said.why);
              };
            })""".replace("WAY", self._path)
        )
        return found
