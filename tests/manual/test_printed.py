"""The help and the cards in a real browser: each card is one printed page, and no page of the help
is wider than a small phone."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser import browser as browser  # noqa: PLC0414  # a fixture
from tests.manual.book import DOCS, LANGUAGES
from tests.manual.card import LESSON, TITLES, card, pages_of, path_of, sheets
from tests.manual.help import PLACE, pages

pytestmark = pytest.mark.browser
AT = "http://help.test"
STATIC = PLACE.parent / "static"
PAPERS = {"A4": (842, 595), "Letter": (792, 612)}
"""The width and height, in points, of the paper for a card, which is printed across; browsers round
them."""


def address(path: Path) -> str:
    """The address of that page of the help."""
    return f"/help/{path.relative_to(PLACE).with_suffix('')}"


@pytest.fixture(scope="module")
def tab(browser: Any) -> Iterator[Any]:
    """A page on a small phone; the help is at /help, and the cards of docs/ at /docs."""
    context = browser.new_context(viewport={"width": 320, "height": 568})
    found = {address(path): text for path, text in pages().items()}
    found |= {f"/docs/{path_of(game).stem}": card(game) for game in TITLES}
    found |= {f"/docs/{name}": text for name, text in sheets()}

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


def printed(tab: Any, address: str, paper: str, pdf: Path, upright: bool = False) -> int:
    """Prints the page at that address; gives the number of printed pages. Each must be in landscape
    format or, if `upright`, in portrait format."""
    tab.goto(f"{AT}/{address}")
    tab.pdf(path=pdf, format=paper, prefer_css_page_size=True)
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf.read_bytes())
    size = PAPERS[paper][::-1] if upright else PAPERS[paper]
    for box in boxes:
        assert tuple(map(float, box)) == pytest.approx(size, abs=2)
    return pages_of(pdf)


@pytest.mark.sampled(2, of="language")
@pytest.mark.parametrize("language", ["en", *LANGUAGES])
@pytest.mark.parametrize("folder, paper", [("help", "A4"), ("help", "Letter"), ("docs", "A4")])
def test_each_card_is_one_page(
    tab: Any, tmp_path: Path, folder: str, paper: str, language: str
) -> None:
    found = {}
    for game in TITLES:
        name = path_of(game).stem
        if language != "en":
            name = f"{language}/{name}" if folder == "help" else f"{name}-{language}"
        found[game] = printed(tab, f"{folder}/{name}", paper, tmp_path / f"{game}.pdf")
    assert found == dict.fromkeys(TITLES, 1)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lesson_is_one_page_in_each_language(tab: Any, tmp_path: Path, language: str) -> None:
    pdf = tmp_path / "lesson.pdf"
    assert printed(tab, f"docs/{LESSON}-{language}", "A4", pdf, upright=True) == 1


def test_no_page_of_the_help_is_wider_than_a_small_phone(tab: Any) -> None:
    wide = {}
    for path in pages():
        tab.goto(f"{AT}{address(path)}")
        width = tab.evaluate("document.documentElement.scrollWidth")
        if width > 320:
            wide[address(path)] = width
    assert wide == {}
