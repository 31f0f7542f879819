"""The quick card: as the manual says it, and one printed page."""

import os
import re
from pathlib import Path

import pytest

from tests.manual.card import CARD, CHROMIUM, card, pages_of, print_pdf

HERE = CARD.parent


def test_the_card_is_made_of_the_manual_as_it_is() -> None:
    """Renew it with: python -m tests.manual.card"""
    assert CARD.read_text("utf-8") == card()


def test_the_card_shows_pictures_that_are_there() -> None:
    shown = re.findall(r'src="([^"]+)"', card())
    assert shown
    assert all((HERE / picture).exists() for picture in shown)


needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="chromium is not installed"
)


@pytest.mark.browser
@needs_chromium
def test_the_card_is_one_printed_page(tmp_path: Path) -> None:
    print_pdf(CARD, tmp_path / "card.pdf")
    assert pages_of(tmp_path / "card.pdf") == 1


@pytest.mark.browser
@needs_chromium
def test_more_than_a_page_would_be_told(tmp_path: Path) -> None:
    page = tmp_path / "long.html"
    page.write_text(card().replace("<body>\n", "<body>\n" + "<p>More.</p>\n" * 60), "utf-8")
    print_pdf(page, tmp_path / "long.pdf")
    assert pages_of(tmp_path / "long.pdf") > 1
