"""The pages in a simulated language with other letters: they show no English, and leave space for
texts half as long again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.languages import OWN_NAMES
from tests.made_up import MADE_UP, english
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_aloud import VOICE

PLAYED = "hand\nBlue 6-6\nRed 6-3\nBlue draw\nBlue pass\nRed 6-1\nbogus Blue by Red"
PHONE = {"width": 390, "height": 844}
KNOWN = {"by", "Enter", "Esc", "Backspace", "Space", *english(" ".join(OWN_NAMES.values()))}
"""English words that may stay: keys of a keyboard; a word in an entry as the tally writes it; and
the names of languages."""
READ = """() => {
  const labels = ["aria-label", "title", "placeholder"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name)));
  const texts = [...document.querySelectorAll("body *")].flatMap((one) =>
    [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data)
      .filter(() => !["SCRIPT", "STYLE", "KBD"].includes(one.tagName)));
  return [document.title, ...labels, ...texts];
}"""
WIDER = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A table in the simulated language, with a call to be settled."""
    keep(tmp_path / "record.db", PLAYED, "Red Blue")
    site = Site(tmp_path / "record.db", language=MADE_UP)
    yield site
    site.close()


@pytest.mark.parametrize("path", ["/", "/tv", "/box"])
def test_no_english_is_left_on_a_page(browser: Any, site: Site, path: str) -> None:
    size = PHONE if path == "/" else None
    viewer = Viewer(browser, site, path=path, viewport=size, locale="eo")
    if path != "/box":
        viewer.tab.wait_for_selector('body:not([data-asked=""])', timeout=WAIT_MS)
    found = {word for text in viewer.tab.evaluate(READ) for word in english(text or "")}
    assert found <= KNOWN
    assert viewer.tab.evaluate(WIDER) <= 0
    assert viewer.complaints == []
    viewer.context.close()


def test_no_english_is_left_in_panels(browser: Any, site: Site) -> None:
    viewer = Viewer(browser, site, path="/", viewport=PHONE, locale="eo")
    viewer.tab.add_init_script(VOICE)
    viewer.tab.reload()
    viewer.tab.wait_for_selector('body:not([data-asked=""])', timeout=WAIT_MS)
    opened = 0
    for number in range(viewer.tab.locator(".views button").count()):
        key = viewer.tab.locator(".views button").nth(number)
        if not key.is_visible():
            continue
        key.click()
        opened += 1
        viewer.tab.wait_for_timeout(300)
        found = {word for text in viewer.tab.evaluate(READ) for word in english(text or "")}
        assert found <= KNOWN, number
        assert viewer.tab.evaluate(WIDER) <= 0, number
    assert opened > 3
    viewer.context.close()
