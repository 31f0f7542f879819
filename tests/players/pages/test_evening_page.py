"""The page of an evening: its games with their races, its figures, and its starred entries."""

import re
import shutil
from pathlib import Path

import pytest

from companion.app.catalog import CATALOG
from companion.games.game import AnyState
from companion.players.pages import evening
from companion.players.pages.archive import Archive
from companion.players.pages.document import ROOT
from companion.presentation.drawing.race import draw_race
from companion.presentation.drawing.svg import Paper
from companion.presentation.language import Language
from companion.record.journal import Journal
from companion.record.rows import PlayerRenamed, Setting, Undo
from companion.record.settings import possible_stars
from companion.record.store.reader import Reader
from companion.web.export.html_file import game_page
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.evening_kept import history
from tests.players.pages.visiting import got, keep, linked, words_of

SHEET = re.compile(rf"{ROOT}/\d+")


def test_an_evening_shows_its_games_wins_and_figures(path: Path, archive: Archive) -> None:
    told = history(path)
    (first, last) = told.evenings
    for number in (1, 2):
        page = archive.page(f"{ROOT}/{number}", {})
        assert page is not None
        assert "<title>The evening of 1 November</title>" in page and "The evening after" in page
        words = " ".join(words_of(page).split())
        for player, won in first.wins(told.people).items():
            assert f"{player} {won} " in words
        for game in first.games:
            for seat, score in game.scores.items():
                assert f"{seat} {score}" in words
    page = archive.page(f"{ROOT}/3", {})
    assert page is not None and "Five Up" in page and "The evening before" in page
    assert last.games[0].number == 3


def test_a_star_links_to_its_moment_while_it_is_valid(path: Path, archive: Archive) -> None:
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(1)
    assert journal is not None
    stars = dict(possible_stars(1, reversed([*journal.newest_first()])))
    keep(path, Setting(f"star.{stars[4]}", "on"), Setting("star.1.1.1.Ada 9-9", "on"))
    page = archive.page(f"{ROOT}/2", {})
    assert page is not None
    (marked,) = re.findall(r'<ul class="stars">(.*?)</ul>', page)
    assert re.findall(r'href="([^"]+)"', marked) == [f"{ROOT}/game/1?entry=5"]
    keep(path, Setting(f"star.{stars[4]}", "off"))
    page = archive.page(f"{ROOT}/2", {})
    assert page is not None and "stars" not in page


def test_each_game_of_an_evening_has_its_race_and_each_star_a_drawing(
    path: Path, archive: Archive
) -> None:
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(1)
    assert journal is not None
    stars = dict(possible_stars(1, reversed([*journal.newest_first()])))
    drawn = [drawn_of(state) for state in journal.states]
    nothing = drawn.index(drawn_of(journal.start))
    marked = nothing, next(place for place, one in enumerate(drawn) if one != drawn[nothing])
    keep(path, *(Setting(f"star.{stars[place]}", "on") for place in marked))
    page = archive.page(f"{ROOT}/1", {})
    assert page is not None
    (games,) = re.findall(r'<ul class="games chart">(.*?)</ul>', page)
    for number in (1, 2):
        (one,) = re.findall(rf"<li>(<a href=\"{ROOT}/game/{number}\">.*?)</li>", games)
        assert one.count("<svg") == 1 and one.count('class="stair"') == number + 1
    (remembered,) = re.findall(r'<ul class="stars">(.*?)</ul>', page)
    with_it, without = sorted(remembered.split("</li>")[:2], key=len, reverse=True)
    assert "<svg" in with_it
    assert "<svg" not in without, "nothing lay on the table"


def drawn_of(state: AnyState) -> str:
    return CATALOG["high-five"].presentation.draw(state, Paper(16, 9)) or ""


def test_an_evening_shows_five_or_six_figures_and_folds_the_others_away(archive: Archive) -> None:
    for number in (1, 3):
        page = archive.page(f"{ROOT}/{number}", {})
        assert page is not None
        (figures,) = re.findall(r'<section id="(?:high-five|five-up)".*?</section>', page)
        plain, _, more = figures.partition("<details>")
        assert 4 <= plain.count('<th scope="row">') - 2 <= 6, "and over how much: plays, hands"
        assert "hands dominoed" in plain and "hands blocked" not in plain
        assert "hands blocked" in more and "can add up to more than 100 %" in more


def test_a_race_is_drawn_once_until_its_game_changes(
    path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(journal: Journal[object], language: Language, height: float) -> str:
        drawn.append(journal.opened.game)
        return draw_race(journal, language, height=height)

    monkeypatch.setattr(evening, "draw_race", draw)
    for _ in range(2):
        archive.page(f"{ROOT}/1", {})
    assert len(drawn) == 2, "two games"
    keep(path, Undo(), game=2)
    archive.page(f"{ROOT}/1", {})
    assert len(drawn) == 3
    keep(path, PlayerRenamed("Cy", "Cyrus"))
    assert "Cyrus" in (archive.page(f"{ROOT}/1", {}) or "")


def test_on_paper_the_heading_has_the_year(archive: Archive, path: Path) -> None:
    page = archive.page(f"{ROOT}/1", {})
    assert page is not None
    assert '<span class="on-paper">The evening of 1 November 2026</span>' in page
    later = Archive(path, CATALOG, game_page, lambda: at(22, 8) + 90 * 86400).page(f"{ROOT}/1", {})
    assert later is not None and "<h1>The evening of 1 November 2026</h1>" in later


def test_partners_have_one_score_on_the_sheet_of_an_evening(tmp_path: Path) -> None:
    kept_record = Path(__file__).parents[2] / "kept" / "format-3" / "all-fives" / "record.db"
    archive = Archive(
        Path(shutil.copyfile(kept_record, tmp_path / "record.db")), CATALOG, game_page
    )
    first = got(archive, ROOT) or ""
    sheets = [got(archive, address) or "" for address in linked(first) if SHEET.fullmatch(address)]
    assert sheets
    words = " ".join(" ".join(map(words_of, sheets)).split())
    assert "Ann & Åsa 100 , Bob B & 李 40" in words
    assert "Åsa 100 , Bob B 40" not in words
