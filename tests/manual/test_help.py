"""The page's help has the manual's texts, with all its pictures and chapters."""

import os
import re
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

import pytest

from companion.core.languages import OWN_NAMES
from tests.catalog import GAMES
from tests.manual import help, renew
from tests.manual.book import CHAPTERS, LANGUAGES, chapters_in
from tests.manual.card import LESSON, TITLES, path_of
from tests.manual.help import PLACE, found, pages


def test_the_help_has_the_pages_of_the_manual() -> None:
    assert {path: path.read_text("utf-8") for path in found()} == pages()


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


def named() -> dict[str, str]:
    """The text of each page, by its address below that of the help."""
    return {str(path.relative_to(PLACE).with_suffix("")): text for path, text in pages().items()}


def test_every_target_of_a_link_in_the_help_exists() -> None:
    told = named()
    for name, text in told.items():
        for picture in re.findall(r'<img src="([^"]+)"', text):
            assert (PLACE / dirname(name) / picture).is_file(), picture
        for link in re.findall(r'<a href="(?!https?:)([^"]+)"', text):
            page, _, anchor = unquote(link).partition("#")
            led = normpath(join(dirname(name), page)) if page else name
            assert led in told, f"{name}: {link}"
            assert not anchor or f'id="{anchor}"' in told[led], f"{name}: {link}"
        assert "<script" not in text and "style=" not in text


def test_a_game_s_chapter_leads_to_its_card_and_every_page_to_the_first() -> None:
    told = {name: text for name, text in named().items() if "/" not in name}
    for game in GAMES:
        card = path_of(game).stem
        assert f'href="{card}"' in told[game] and f'href="{card}"' in told["manual"]
    assert all('href="manual"' in text for name, text in told.items() if name != "manual")


def test_the_script_lists_the_translated_chapters() -> None:
    """Its script names the languages that have all chapters, and the chapters that all have."""
    script = (PLACE.parent / "static" / "panel_views.js").read_text("utf-8")
    found = re.search(r'WHOLE = \[ENGLISH, (.*?)\], FIRST = \["manual", (.*?)\];', script)
    assert found
    whole, first = ({*re.findall(r'"([\w-]+)"', each)} for each in found.groups())
    assert whole == {each for each in LANGUAGES if chapters_in(each).keys() == CHAPTERS.keys()}
    assert all(first == {*chapters_in(each)} for each in {*LANGUAGES} - whole)


def test_each_language_has_every_card_and_the_lesson_which_lead_to_each_other() -> None:
    assert {*LANGUAGES} == {*OWN_NAMES} - {"en"}
    names = [*(path_of(game).stem for game in TITLES), LESSON]
    told = named()
    for language in LANGUAGES:
        for name in names:
            text = told[f"{language}/{name}"]
            assert f'<html lang="{language}">' in text
            assert [each for each in names if f'href="{each}"' not in text] == [name]
