"""The help of the page: as the manual says it, with every picture and chapter that it names."""

import os
import re
from pathlib import Path

import pytest

from tests.catalog import GAMES
from tests.manual import help, renew
from tests.manual.card import path_of
from tests.manual.help import PLACE, pages


def test_the_pages_there_are_those_of_the_manual() -> None:
    assert {path: path.read_text("utf-8") for path in PLACE.glob("*.html")} == pages()


def test_pages_are_renewed_when_one_is_missing_or_the_manual_is_newer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[str] = []
    monkeypatch.setattr(help, "make", lambda: made.append("made"))
    manual, page = tmp_path / "manual.md", tmp_path / "manual.html"
    manual.touch()
    monkeypatch.setattr(renew, "MADE_OF", (manual,))
    monkeypatch.setattr(renew, "PAGES", tmp_path)
    renew.renew()
    assert made == ["made"]
    page.touch()
    renew.renew()
    assert made == ["made"]
    os.utime(manual, ns=(page.stat().st_mtime_ns + 1,) * 2)
    renew.renew()
    assert made == ["made", "made"]


def test_what_a_page_leads_to_is_there() -> None:
    found = {path.stem: text for path, text in pages().items()}
    for name, text in found.items():
        for picture in re.findall(r'<img src="([^"]+)"', text):
            assert (PLACE / picture).is_file(), picture
        for link in re.findall(r'<a href="(?!https?:)([^"]+)"', text):
            page, _, anchor = link.partition("#")
            assert not anchor or f'id="{anchor}"' in found[page or name], f"{name}: {link}"
            assert not page or page in found, f"{name}: {link}"
        assert "<script" not in text and "style=" not in text


def test_a_game_s_chapter_leads_to_its_card_and_every_page_to_the_first() -> None:
    found = {path.stem: text for path, text in pages().items()}
    for game in GAMES:
        card = path_of(game).stem
        assert f'href="{card}"' in found[game] and f'href="{card}"' in found["manual"]
    assert all('href="manual"' in text for name, text in found.items() if name != "manual")
