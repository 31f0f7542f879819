"""Names on the pages of past games: hidden, replaced with colours, or looking like markup."""

import html
import re
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.players.pages.archive import Archive
from companion.players.pages.document import ROOT
from companion.record.rows import PlayerHidden, PlayerRenamed, Setting, Undo
from companion.record.settings import possible_stars
from companion.record.store.reader import Reader
from companion.web.export.html_file import game_page
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.evening_kept import Clock, keep_game, kept, rows_of
from tests.players.pages.visiting import crawled, got, keep, words_of
from tests.record.test_anonymous import lossy

MARKUP = "<b>&amp;{0}%said%\u05d0"


def test_pages_show_hidden_people_only_by_their_colour(tmp_path: Path) -> None:
    path, clock = tmp_path / "record.db", Clock(at(20))
    with kept(path, clock) as store:
        for seed in (1, 2):
            keep_game(store, clock, rows_of(seed, ("Ada", "Bo", "Cy"))[:5])
    archive = Archive(path, CATALOG, game_page)
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(2)
    assert journal is not None and "Cy" in journal.opened.seats
    stars = dict(possible_stars(2, reversed([*journal.newest_first()])))
    lays = [place for place, entry in enumerate(journal.entries) if str(entry).startswith("Cy ")]
    keep(path, Setting(f"star.{stars[lays[0]]}", "on"))
    for address in (ROOT, f"{ROOT}/1", f"{ROOT}/player?name=Ada", f"{ROOT}/game/2"):
        assert "Cy" in words_of(got(archive, address) or ""), address
    keep(path, PlayerRenamed("Cy", "Cyrus"), PlayerHidden("Cyrus"))
    pages = crawled(archive)
    for address, page in pages.items():
        # The game's own script speaks of nobody; its data are JSON within the page.
        assert not re.search(r"\bCy(rus)?\b", words_of(page)), address
    remembered = pages[f"{ROOT}/1"]
    colour = next(journal.colours[seat] for seat in journal.opened.seats if seat == "Cy")
    assert f"{colour} lays " in words_of(remembered) or f"{colour} draws" in words_of(remembered)
    assert archive.page(f"{ROOT}/player", {"name": "Cyrus"}) is None
    keep(path, Undo())
    assert archive.page(f"{ROOT}/player", {"name": "Cyrus"}) is not None


def test_a_game_with_lost_rows_and_a_hidden_player_still_has_a_page(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    lossy(path)
    keep(path, PlayerHidden("Bo"))
    page = got(Archive(path, CATALOG, game_page), f"{ROOT}/game/1")
    assert page and "Blue" in page and "Ada" in page
    assert "Entries are lost here" in page
    assert not re.search(r"\bBo\b", page)


def test_a_game_switches_between_colours_and_names_at_the_same_moment(
    path: Path, archive: Archive
) -> None:
    named = got(archive, f"{ROOT}/game/1")
    called = got(archive, f"{ROOT}/game/1?colours=1&entry=5")
    assert named and called
    assert "Ada" in named and f'href="{ROOT}/game/1?colours=1"' in named
    assert not re.search(r"\b(Ada|Bo)\b", called) and f'href="{ROOT}/game/1"' in called
    assert '"begin_at":5' in called


def test_a_game_without_names_offers_no_other_view(tmp_path: Path) -> None:
    with kept(tmp_path / "record.db", Clock(at(20))) as store:
        keep_game(store, Clock(at(20)), rows_of(1, ("Red", "Blue"))[:3])
    page = got(Archive(tmp_path / "record.db", CATALOG, game_page), f"{ROOT}/game/1")
    assert page and "By colours" not in page


def test_names_that_look_like_markup_are_shown_as_text(tmp_path: Path) -> None:
    path, clock = tmp_path / "record.db", Clock(at(20))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(1, (MARKUP, "Bo_Li"))[:6])
    archive = Archive(path, CATALOG, game_page)
    for address, page in crawled(archive).items():
        assert MARKUP not in page, address
        if "/game/" not in address:
            assert "Bo_Li" not in words_of(page)
    told = archive.page(f"{ROOT}/player", {"name": MARKUP})
    assert told is not None and f"<h1>{html.escape(MARKUP)}</h1>" in told
    assert "Bo Li" in words_of(told)
