"""The browser that pages are tested in (chromium.py).

One browser serves all files of a process that need it: to start one takes as long as a test. It
ends before other tests run, since playwright keeps an event loop in the thread of the tests, where
theirs would find it.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tests.chromium import CHROMIUM


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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The browser, without pages that another file left open. If there is none the test is skipped,
    but not in CI."""
    if not os.environ.get("CI"):
        pytest.importorskip("playwright", reason="the extra “browser” is not installed")
        if CHROMIUM is None:
            pytest.skip("chromium is not installed")
    browser = _shared.get()
    yield browser
    for context in browser.contexts:
        context.close()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Ends the browser if the next file doesn't begin with it."""
    if nextitem is None or (
        nextitem.path != item.path and "browser" not in getattr(nextitem, "fixturenames", ())
    ):
        _shared.end()
