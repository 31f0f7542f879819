"""The help and the cards in a real browser: each card is one printed page, and no page of the help
is wider than a small phone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import browser as browser  # noqa: PLC0414  # a fixture
from tests.manual.book import DOCS
from tests.manual.card import TITLES, card, pages_of, path_of
from tests.manual.help import PLACE, pages

pytestmark = pytest.mark.browser
AT = "http://help.test"
STATIC = PLACE.parent / "static"
PAPERS = {"A4": (842, 595), "Letter": (792, 612)}
"""Wide and high, in points, as a card lies on it; browsers round them."""


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    """A small phone's page that finds the help under /help, and the cards of docs/ under /docs."""
    context = browser.new_context(viewport={"width": 320, "height": 568})
    found = {f"/help/{path.stem}": text for path, text in pages().items()}
    found |= {f"/docs/{path_of(game).stem}": card(game) for game in TITLES}

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix(AT)
        if path in found:
            route.fulfill(body=found[path], content_type="text/html; charset=utf-8")
        else:
            folder, _, name = path.lstrip("/").partition("/")
            route.fulfill(path=DOCS / name if name else STATIC / folder)

    context.route(f"{AT}/**", answer)
    yield context.new_page()
    context.close()


def printed(tab: Any, address: str, paper: str, pdf: Path) -> int:
    """On how many pages it comes out; each lies across."""
    tab.goto(f"{AT}/{address}")
    tab.pdf(path=pdf, format=paper, prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf.read_bytes())
    for box in boxes:
        assert tuple(map(float, box)) == pytest.approx(PAPERS[paper], abs=2)
    return pages_of(pdf)


@pytest.mark.parametrize("folder, paper", [("help", "A4"), ("help", "Letter"), ("docs", "A4")])
def test_each_card_is_one_page(tab: Any, tmp_path: Path, folder: str, paper: str) -> None:
    found = {
        game: printed(tab, f"{folder}/{path_of(game).stem}", paper, tmp_path / f"{game}.pdf")
        for game in TITLES
    }
    assert found == dict.fromkeys(TITLES, 1)


def test_no_page_of_the_help_is_wider_than_a_small_phone(tab: Any) -> None:
    wide = {}
    for path in pages():
        tab.goto(f"{AT}/help/{path.stem}")
        width = tab.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[path.stem] = width
    assert wide == {}
