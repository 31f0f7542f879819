"""The pages of past games, from records to HTML: every link leads somewhere, and every figure is as
it was counted."""

import html
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from companion.app.catalog import CATALOG
from companion.players.pages.archive import Archive
from companion.players.pages.document import ROOT
from companion.players.player_figures import Selection, figure_over, figure_value, figures_of
from companion.web.export.html_file import game_page
from tests.made_up import MADE_UP, english
from tests.players.builder import at
from tests.players.evening_kept import Clock, history, keep_game, kept, rows_of
from tests.players.pages.visiting import crawled, got, linked, words_of


def test_every_link_leads_to_a_page_and_to_an_existing_entry(path: Path, archive: Archive) -> None:
    found = crawled(archive)
    assert {f"{ROOT}/1", f"{ROOT}/3", f"{ROOT}/player?name=Ada"} <= found.keys()
    assert {urlsplit(address).path for address in found} >= {f"{ROOT}/game/{n}" for n in (1, 2, 3)}
    entries = {game.number: game.entries for game in history(path).games}
    moment_links = [
        (int(number), int(entry))
        for page in found.values()
        for number, entry in re.findall(rf'{ROOT}/game/(\d+)\?entry=(\d+)"', page)
    ]
    assert moment_links
    assert all(0 < entry <= entries[number] for number, entry in moment_links)


def test_all_evenings_and_players_are_listed(archive: Archive) -> None:
    page = archive.page(ROOT, {})
    assert page is not None
    words = " ".join(words_of(page).split())
    assert "Ada 3 " in words and "Bo 3 " in words and "Cy 1 " in words
    assert words.index("8 November") < words.index("1 November 2 games")
    assert "Show ratings" in words
    rated = archive.page(ROOT, {"ratings": "1"})
    assert rated is not None and "Hide ratings" in rated


def test_a_players_page_shows_all_figures(path: Path, archive: Archive) -> None:
    told = history(path)
    for many in (None, 2, 3):
        asked = {"name": "Ada"} | ({"players": str(many)} if many else {})
        page = archive.page(f"{ROOT}/player", asked)
        assert page is not None
        found = figures_of(
            "Ada", told.games, told.people, Selection(players=many), CATALOG.statistics
        )
        cells = [*re.findall(r"<td><b>([^<]+)</b><span class=\"over\">(.*?)</span>", page)]
        told_cells = [(html.unescape(value), words_of(over).strip()) for value, over in cells]
        assert sorted(told_cells) == sorted(
            (figure_value(figure), figure_over(figure))
            for one in found
            for figure in one.figures
            if figure.value is not None
        )
        for against in (other for one in found for other in one.against):
            assert f">{against.won}</td><td>{against.paid}</td>" in page


def test_the_link_to_all_games_keeps_the_filter_by_player_count(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.players.pages.player.NEWEST", 0)
    page = archive.page(f"{ROOT}/player", {"name": "Ada", "players": "2"})
    assert page is not None and f"{ROOT}/player?name=Ada&players=2&all=1" in linked(page)
    page = archive.page(f"{ROOT}/player", {"name": "Ada"})
    assert page is not None and f"{ROOT}/player?name=Ada&all=1" in linked(page)


@pytest.mark.parametrize(
    ("where", "asked"),
    [
        (f"{ROOT}/4", {}),
        (f"{ROOT}/game/4", {}),
        (f"{ROOT}/player", {"name": "Nobody"}),
        (f"{ROOT}/player", {}),
        (f"{ROOT}/game/999999999", {}),
        (f"{ROOT}/x", {}),
    ],
)
def test_an_unknown_address_has_no_page(
    archive: Archive, where: str, asked: dict[str, str]
) -> None:
    assert archive.page(where, asked) is None


def test_games_without_a_set_clock_have_an_unknown_date(tmp_path: Path) -> None:
    path, clock = tmp_path / "record.db", Clock(0.0)
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(1, ("Ada", "Bo")))
        keep_game(store, clock, rows_of(2, ("Ada", "Bo")))
    archive = Archive(path, CATALOG, game_page)
    for address in (ROOT, f"{ROOT}/1", f"{ROOT}/player?name=Ada", f"{ROOT}/game/2"):
        page = got(archive, address)
        assert page is not None and "date unknown" in page


def test_a_later_page_includes_new_rows(path: Path, archive: Archive) -> None:
    before = archive.page(ROOT, {})
    clock = Clock(at(22, 8))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(7, ("Ada", "Dee"))[:3])
    after = archive.page(ROOT, {})
    assert before is not None and after is not None
    assert "Dee" not in before and "Dee" in after
    assert "Left unfinished" not in before and "Left unfinished" in after


def test_a_page_without_games_has_a_message(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "record.db", CATALOG, game_page)
    page = archive.page(ROOT, {})
    assert page is not None and "No game yet" in page


def test_progress_of_counting_is_reported(path: Path, archive: Archive) -> None:
    told: list[float] = []
    tell: Callable[[float], None] = told.append
    archive.page(ROOT, {}, tell)
    assert told == sorted(told)
    assert all(0 <= done <= 1 for done in told)


def test_no_english_is_left_on_the_pages_of_an_evening(path: Path, archive: Archive) -> None:
    """The pages use a simulated language with letters of its own."""
    known = {"Ada", "Bo", "Cy", "BG", "Stats"}  # people, and a program
    for address in (f"{ROOT}/1", f"{ROOT}/3", ROOT, f"{ROOT}/player?name=Ada"):
        parts = urlsplit(address)
        page = archive.page(parts.path, dict(parse_qsl(parts.query)), language=MADE_UP)
        assert page is not None
        shown = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
        labels = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', shown)
        left = {word for text in (words_of(shown), *labels) for word in english(text)}
        assert left <= known, address
