"""The pages of what was played, from records to HTML: every link leads somewhere, every figure is
as it was counted, and people who are hidden appear nowhere."""

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from companion.app.catalog import CATALOG
from companion.games.game import AnyState
from companion.players.figure_words import figure_over, figure_value
from companion.players.figures import Selection, figures_of
from companion.players.pages import pictures
from companion.players.pages.archive import Archive
from companion.players.pages.document import ROOT
from companion.presentation.drawing.paper import Paper
from companion.presentation.drawing.race import draw_race
from companion.presentation.language import Language
from companion.record.journal import Journal
from companion.record.rows import Hidden, Renamed, Row, Setting, Undo
from companion.record.settings import names_for_stars
from companion.record.store.reader import Reader
from tests.catalog import GAMES
from tests.made_up import MADE_UP, english
from tests.players.builder import at
from tests.players.evening_kept import Clock, history, keep_game, kept, rows_of
from tests.record.test_anonymous import lossy

LINK = re.compile(r'<a\b[^>]*?\bhref="([^"]+)"')
TAG = re.compile(r"<[^>]+>")
SHEET = re.compile(rf"{ROOT}/\d+")
MARKUP = "<b>&amp;{0}%said%\u05d0"


def linked(page: str) -> list[str]:
    """The addresses below /evenings that a page links to."""
    found = map(html.unescape, LINK.findall(page))
    return [address for address in found if address.startswith(ROOT)]


def got(archive: Archive, address: str) -> str | None:
    parts = urlsplit(address)
    return archive.page(parts.path, dict(parse_qsl(parts.query)))


def words_of(page: str) -> str:
    return html.unescape(TAG.sub(" ", page))


def crawled(archive: Archive) -> dict[str, str]:
    """Every page that links lead to from the first one; of the moments of a game, only one."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    waiting = [ROOT]
    while waiting:
        address = waiting.pop().split("#")[0]
        one = address.split("?entry")[0]
        if one in seen:
            continue
        seen.add(one)
        page = got(archive, address)
        assert page is not None, address
        found[address] = page
        waiting += linked(page)
    return found


@pytest.fixture
def archive(path: Path) -> Archive:
    return Archive(path, CATALOG, lambda: at(22, 8))


def keep(path: Path, *rows: Row, game: int = 0) -> None:
    with kept(path, Clock(at(21, 8))) as store:
        for row in rows:
            store.keep(game, row)


def test_every_link_leads_to_a_page_and_every_moment_is_there(path: Path, archive: Archive) -> None:
    found = crawled(archive)
    assert {f"{ROOT}/1", f"{ROOT}/3", f"{ROOT}/player?name=Ada"} <= found.keys()
    assert {urlsplit(address).path for address in found} >= {f"{ROOT}/game/{n}" for n in (1, 2, 3)}
    entries = {game.number: game.entries for game in history(path).games}
    moments = [
        (int(number), int(entry))
        for page in found.values()
        for number, entry in re.findall(rf'{ROOT}/game/(\d+)\?entry=(\d+)"', page)
    ]
    assert moments
    assert all(0 < entry <= entries[number] for number, entry in moments)


def test_all_evenings_and_players_are_listed(archive: Archive) -> None:
    page = archive.page(ROOT, {})
    assert page is not None
    words = " ".join(words_of(page).split())
    assert "Ada 3 " in words and "Bo 3 " in words and "Cy 1 " in words
    assert words.index("8 November") < words.index("1 November 2 games")
    assert "Show ratings" in words
    rated = archive.page(ROOT, {"ratings": "1"})
    assert rated is not None and "Hide ratings" in rated


def test_a_player_has_each_figure_as_it_was_counted(path: Path, archive: Archive) -> None:
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


def test_all_games_are_those_with_as_many_players(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.players.pages.player.NEWEST", 0)
    page = archive.page(f"{ROOT}/player", {"name": "Ada", "players": "2"})
    assert page is not None and f"{ROOT}/player?name=Ada&players=2&all=1" in linked(page)
    page = archive.page(f"{ROOT}/player", {"name": "Ada"})
    assert page is not None and f"{ROOT}/player?name=Ada&all=1" in linked(page)


def test_an_evening_tells_its_games_wins_and_figures(path: Path, archive: Archive) -> None:
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
def test_what_is_not_there_is_none(archive: Archive, where: str, asked: dict[str, str]) -> None:
    assert archive.page(where, asked) is None


def test_who_is_hidden_stands_nowhere_and_the_page_of_a_game_has_the_colour(tmp_path: Path) -> None:
    path, clock = tmp_path / "record.db", Clock(at(20))
    with kept(path, clock) as store:
        for seed in (1, 2):
            keep_game(store, clock, rows_of(seed, ("Ada", "Bo", "Cy"))[:5])
    archive = Archive(path, CATALOG)
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(2)
    assert journal is not None and "Cy" in journal.opened.seats
    stars = dict(names_for_stars(2, reversed([*journal.newest_first()])))
    lays = [place for place, entry in enumerate(journal.entries) if str(entry).startswith("Cy ")]
    keep(path, Setting(f"star.{stars[lays[0]]}", "on"))
    for address in (ROOT, f"{ROOT}/1", f"{ROOT}/player?name=Ada", f"{ROOT}/game/2"):
        assert "Cy" in words_of(got(archive, address) or ""), address
    keep(path, Renamed("Cy", "Cyrus"), Hidden("Cyrus"))
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


def test_a_game_with_lost_rows_and_somebody_hidden_has_its_page(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    lossy(path)
    keep(path, Hidden("Bo"))
    page = got(Archive(path, CATALOG), f"{ROOT}/game/1")
    assert page and "Blue" in page and "Ada" in page
    assert "Rows of the record are lost here" in page
    assert not re.search(r"\bBo\b", page)


def test_a_game_is_looked_at_by_colours_or_by_names_and_stays_at_its_moment(
    path: Path, archive: Archive
) -> None:
    named = got(archive, f"{ROOT}/game/1")
    called = got(archive, f"{ROOT}/game/1?colours=1&entry=5")
    assert named and called
    assert "Ada" in named and f'href="{ROOT}/game/1?colours=1"' in named
    assert not re.search(r"\b(Ada|Bo)\b", called) and f'href="{ROOT}/game/1"' in called
    assert '"begin_at":5' in called


def test_where_nobody_is_named_there_is_no_other_way_to_see_a_game(tmp_path: Path) -> None:
    with kept(tmp_path / "record.db", Clock(at(20))) as store:
        keep_game(store, Clock(at(20)), rows_of(1, ("Red", "Blue"))[:3])
    page = got(Archive(tmp_path / "record.db", CATALOG), f"{ROOT}/game/1")
    assert page and "By colours" not in page


def test_a_star_leads_to_its_moment_as_long_as_it_stands(path: Path, archive: Archive) -> None:
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(1)
    assert journal is not None
    stars = dict(names_for_stars(1, reversed([*journal.newest_first()])))
    keep(path, Setting(f"star.{stars[4]}", "on"), Setting("star.1.1.1.Ada 9-9", "on"))
    page = archive.page(f"{ROOT}/2", {})
    assert page is not None
    (marked,) = re.findall(r'<ul class="stars">(.*?)</ul>', page)
    assert re.findall(r'href="([^"]+)"', marked) == [f"{ROOT}/game/1?entry=5"]
    keep(path, Setting(f"star.{stars[4]}", "off"))
    page = archive.page(f"{ROOT}/2", {})
    assert page is not None and "stars" not in page


def test_each_game_of_an_evening_has_its_race_and_a_star_what_lay_there(
    path: Path, archive: Archive
) -> None:
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(1)
    assert journal is not None
    stars = dict(names_for_stars(1, reversed([*journal.newest_first()])))
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


def test_of_an_evening_five_or_six_figures_are_seen_and_the_others_unfold(archive: Archive) -> None:
    for number in (1, 3):
        page = archive.page(f"{ROOT}/{number}", {})
        assert page is not None
        (figures,) = re.findall(r'<section id="(?:high-five|five-up)".*?</section>', page)
        plain, _, more = figures.partition("<details>")
        assert 4 <= plain.count('<th scope="row">') - 2 <= 6, "and over how much: lays, hands"
        assert "hands dominoed" in plain and "hands blocked" not in plain
        assert "hands blocked" in more and "may come to more than 100 %" in more


def test_a_race_is_drawn_once_until_its_game_changes(
    path: Path, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(journal: Journal[object], language: Language, height: float) -> str:
        drawn.append(journal.opened.game)
        return draw_race(journal, language, height=height)

    monkeypatch.setattr(pictures, "draw_race", draw)
    for _ in range(2):
        archive.page(f"{ROOT}/1", {})
    assert len(drawn) == 2, "two games"
    keep(path, Undo(), game=2)
    archive.page(f"{ROOT}/1", {})
    assert len(drawn) == 3
    keep(path, Renamed("Cy", "Cyrus"))
    assert "Cyrus" in (archive.page(f"{ROOT}/1", {}) or "")


def test_on_paper_the_heading_has_the_year(archive: Archive, path: Path) -> None:
    page = archive.page(f"{ROOT}/1", {})
    assert page is not None
    assert '<span class="on-paper">The evening of 1 November 2026</span>' in page
    later = Archive(path, CATALOG, lambda: at(22, 8) + 90 * 86400).page(f"{ROOT}/1", {})
    assert later is not None and "<h1>The evening of 1 November 2026</h1>" in later


def test_names_are_text_whatever_they_look_like(tmp_path: Path) -> None:
    path, clock = tmp_path / "record.db", Clock(at(20))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(1, (MARKUP, "Bo_Li"))[:6])
    archive = Archive(path, CATALOG)
    for address, page in crawled(archive).items():
        assert MARKUP not in page, address
        if "/game/" not in address:
            assert "Bo_Li" not in words_of(page)
    told = archive.page(f"{ROOT}/player", {"name": MARKUP})
    assert told is not None and f"<h1>{html.escape(MARKUP)}</h1>" in told
    assert "Bo Li" in words_of(told)


def test_partners_have_one_score_on_the_sheet_of_an_evening(tmp_path: Path) -> None:
    kept_record = Path(__file__).parents[2] / "kept" / "format-3" / "all-fives" / "record.db"
    archive = Archive(Path(shutil.copyfile(kept_record, tmp_path / "record.db")), CATALOG)
    first = got(archive, ROOT) or ""
    sheets = [got(archive, address) or "" for address in linked(first) if SHEET.fullmatch(address)]
    assert sheets
    words = " ".join(" ".join(map(words_of, sheets)).split())
    assert "Ann & Åsa 100 , Bob B & 李 40" in words
    assert "Åsa 100 , Bob B 40" not in words


def test_games_without_a_set_clock_are_of_an_unknown_date(tmp_path: Path) -> None:
    path, clock = tmp_path / "record.db", Clock(0.0)
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(1, ("Ada", "Bo")))
        keep_game(store, clock, rows_of(2, ("Ada", "Bo")))
    archive = Archive(path, CATALOG)
    for address in (ROOT, f"{ROOT}/1", f"{ROOT}/player?name=Ada", f"{ROOT}/game/2"):
        page = got(archive, address)
        assert page is not None and "date unknown" in page


def test_what_was_kept_since_is_on_the_next_page(path: Path, archive: Archive) -> None:
    before = archive.page(ROOT, {})
    clock = Clock(at(22, 8))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(7, ("Ada", "Dee"))[:3])
    after = archive.page(ROOT, {})
    assert before is not None and after is not None
    assert "Dee" not in before and "Dee" in after
    assert "Left unfinished" not in before and "Left unfinished" in after


def test_before_the_first_game_it_says_so(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "record.db", CATALOG)
    page = archive.page(ROOT, {})
    assert page is not None and "No game yet" in page


def test_how_much_is_counted_is_told(path: Path, archive: Archive) -> None:
    told: list[float] = []
    tell: Callable[[float], None] = told.append
    archive.page(ROOT, {}, tell)
    assert told == sorted(told)
    assert all(0 <= done <= 1 for done in told)


def test_no_english_is_left_on_the_pages_of_an_evening(path: Path, archive: Archive) -> None:
    """The pages are in a made-up language, whose letters are other ones."""
    known = {"Ada", "Bo", "Cy", "BG", "Stats"}  # people, and a program
    for address in (f"{ROOT}/1", f"{ROOT}/3", ROOT, f"{ROOT}/player?name=Ada"):
        parts = urlsplit(address)
        page = archive.page(parts.path, dict(parse_qsl(parts.query)), language=MADE_UP)
        assert page is not None
        shown = re.sub(r"<(style|script)\b.*?</\1>", " ", page, flags=re.DOTALL)
        labels = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', shown)
        left = {word for text in (words_of(shown), *labels) for word in english(text)}
        assert left <= known, address
