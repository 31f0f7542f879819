"""The help of the page: as the manual says it, with every picture and chapter that it names."""

import re
from pathlib import Path

import pytest

from tests.manual.help import PLACE, pages


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_a_page_of_the_help_is_made_of_the_manual_as_it_is(path: Path) -> None:
    """Renew it with: python -m tests.manual.help"""
    assert path.read_text("utf-8") == pages()[path]


def test_no_page_lies_there_unused() -> None:
    assert {*PLACE.glob("*.html")} == set(pages())


def test_what_a_page_leads_to_is_there() -> None:
    for text in pages().values():
        for picture in re.findall(r'<img src="([^"]+)"', text):
            assert (PLACE / picture).is_file(), picture
        for anchor in re.findall(r'<a href="#([^"]+)"', text):
            assert f'id="{anchor}"' in text, anchor
        assert not re.findall(r'<a href="(?!#|https?:)[^"]+"', text)
        assert "<script" not in text and "style=" not in text
