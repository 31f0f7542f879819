"""The browser that pages are tested in (chromium.py).

One browser serves all files of a process that need it: to start one takes as long as a test. It
ends before other tests run, since playwright keeps an event loop in the thread of the tests, where
theirs would find it.
"""

import os
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import CHROMIUM
from tests.waiting import WAIT_S

WAIT_MS = 1000 * WAIT_S
"""How long a page waits for what it is to wait for, in milliseconds."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser for programs that draw pictures; tests use the fixture `browser`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Shared:
    """The browser of this process, started when it is first needed."""

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._browser: Any = None

    def get(self) -> Any:
        """The browser."""
        if self._browser is None:
            self._browser = self._opened.enter_context(chromium())
        return self._browser

    def end(self) -> None:
        """Ends the browser, if it was started."""
        self._opened.close()
        self._browser = None


_shared = Shared()


class Browser:
    """The browser for one test file: its pages wait up to WAIT_MS, and are closed at the file's
    end."""

    def __init__(self, shared: Any) -> None:
        self._shared = shared

    def new_context(self, **more: Any) -> Any:
        """A profile of its own, without cookies. `more` goes to playwright."""
        context = self._shared.new_context(**more)
        context.set_default_timeout(WAIT_MS)
        return context

    def new_page(self, **more: Any) -> Any:
        """A page in a profile of its own."""
        return self.new_context(**more).new_page()

    def beside(self, *args: str) -> Any:
        """Another browser, started with these arguments; the caller closes it."""
        return self._shared.browser_type.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", *args]
        )

    def trusting(self, certificate: Path) -> Any:
        """Another browser, which trusts the certificate of this file; the caller closes it. One
        that ignores certificate errors begins each request anew as long as another connection has
        one, and gives up after that many: a style sheet is missing then."""
        from cryptography import x509
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
        digest = sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).digest()
        known = b64encode(digest).decode()
        return self.beside(f"--ignore-certificate-errors-spki-list={known}")

    def close(self) -> None:
        """Closes all pages."""
        for context in self._shared.contexts:
            context.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser, without pages that another file left open. If there is none the test is skipped,
    but not in CI."""
    if not os.environ.get("CI"):
        pytest.importorskip("playwright", reason="the extra “browser” is not installed")
        if CHROMIUM is None:
            pytest.skip("chromium is not installed")
    browser = Browser(_shared.get())
    yield browser
    browser.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Ends the browser if the next file doesn't begin with it."""
    if nextitem is None or (
        nextitem.path != item.path and "browser" not in getattr(nextitem, "fixturenames", ())
    ):
        _shared.end()
