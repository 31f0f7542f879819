"""The quick cards agree with the manual. test_printed.py tests that each is one printed page."""

import os
import re
from pathlib import Path

import pytest

from tests.chromium import CHROMIUM
from tests.manual.book import DOCS
from tests.manual.card import TITLES, card, pages_of, path_of, print_pdf

each_card = pytest.mark.parametrize("game", TITLES)


@each_card
def test_a_card_is_made_of_the_manual_as_it_is(game: str) -> None:
    """Renew the card with: python -m tests.manual.card"""
    assert path_of(game).read_text("utf-8") == card(game)


def test_every_card_is_used() -> None:
    assert {*DOCS.glob("quick-card*.html")} == {path_of(game) for game in TITLES}


@each_card
def test_pictures_on_a_card_exist(game: str) -> None:
    shown = re.findall(r'src="([^"]+)"', card(game))
    assert shown
    assert all((DOCS / picture).exists() for picture in shown)


needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed"
)


@pytest.mark.browser
@needs_chromium
def test_a_card_longer_than_a_page_is_reported(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    more = "<body>\n" + "<p>More.</p>\n" * 60
    page.write_text(card("five-up").replace("<body>\n", more), "utf-8")
    print_pdf(page, tmp_path / "long.pdf")
    assert pages_of(tmp_path / "long.pdf") > 1
