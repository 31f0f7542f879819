"""Old evenings in a real browser: players find them from the table, no rule of axe is broken, an
evening fits one sheet of paper, and viewers learn why they can't see them."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from companion.record.rows import Setting
from companion.record.settings import possible_stars
from companion.record.store.reader import Reader
from companion.web.export.pictures import WIDTH
from tests.catalog import GAMES
from tests.players.builder import at
from tests.players.evening_kept import Clock, keep_game, kept, record, rows_of
from tests.web.accessibility import violations
from tests.web.export.test_html_file import END, FACE, TABLE
from tests.web.in_browser import WAIT_MS, Site
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import DESKTOP, PHONE

PAGES = (
    "/evenings?ratings=1",
    "/evenings/1",
    "/evenings/player?name=Ada",
    "/evenings/game/3?entry=9",
)

FOUR = ("Ada", "Bo", "Cy", "Uncle_Joe")
KEPT = "to-keep"
"""The access code of a phone that stays let in on other evenings, when the play code has ended."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A record of three games on two evenings, with a star, and an evening of eight games. No page
    is open without an access code."""
    path = record(tmp_path_factory.mktemp("past") / "record.db")
    with Reader.open(path, GAMES) as reader:
        journal = reader.game(1)
        assert journal is not None
        stars = dict(possible_stars(1, reversed([*journal.newest_first()])))
    with kept(path, Clock(at(21, 8))) as store:
        store.keep(0, Setting(f"star.{stars[9]}", "on"))
    usual_evening(path)
    site = Site(path)
    yield site
    site.close()


def usual_evening(path: Path) -> None:
    """Adds an evening to a record: four players, eight games of two kinds, four stars."""
    clock = Clock(at(20, 15))
    with kept(path, clock) as store:
        for seed in range(1, 9):
            name = "five-up" if seed > 6 else "high-five"
            number = keep_game(store, clock, rows_of(seed, FOUR, name))
            journal = store.game(number)
            assert journal is not None
            stars = dict(possible_stars(number, reversed([*journal.newest_first()])))
            if seed <= 4:
                most = max(range(20), key=lambda place: journal.states[place].effect.points)
                store.keep(0, Setting(f"star.{stars[most]}", "on"))


def come_in(browser: Any, site: Site, word: str, **more: Any) -> Any:
    """A tab with the table's page, let in with that access code."""
    context = browser.new_context(**more)
    tab = context.new_page()
    tab.goto(f"http://127.0.0.1:{site.port}/#{word}")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    return tab


def until_made(tab: Any) -> None:
    """Waits until a page is made: until then it shows its progress, and reloads by itself."""
    tab.wait_for_selector("section, ol", timeout=3 * WAIT_MS, state="attached")


def saved(tab: Any) -> Any:
    """Saves the picture of the moment that is shown; returns it, once its colours are checked."""
    with tab.expect_download(timeout=3 * WAIT_MS) as found:
        tab.click("#save")
    with Image.open(found.value.path()) as picture:
        assert (picture.format, picture.width) == ("PNG", WIDTH)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or []}
        assert {TABLE, FACE, END} <= colours
        return picture.convert("RGB")


def test_a_player_goes_from_the_table_to_a_moment_and_back(browser: Any, site: Site) -> None:
    tab = come_in(browser, site, KEPT, viewport=PHONE)
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.click("#menu")
    tab.click("#past")
    until_made(tab)
    tab.click('a:has-text("1 November")')
    until_made(tab)
    tab.click(".stars a")
    tab.wait_for_selector("html[data-state=shown]", timeout=3 * WAIT_MS)
    assert re.search(r"\b10 of \d+$", tab.inner_text("#where"))
    assert tab.locator('#marks [data-kind="star"]').count() == 1
    tab.keyboard.press("ArrowRight")
    assert re.search(r"\b11 of \d+$", tab.inner_text("#where"))
    named = saved(tab)
    tab.click("text=By colours")
    tab.wait_for_selector('html[data-state=shown] a:has-text("By names")', timeout=3 * WAIT_MS)
    assert re.search(r"\b11 of \d+$", tab.inner_text("#where")), "the same moment"
    assert not re.search(r"\b(Ada|Bo)\b", tab.inner_text("body"))
    called = saved(tab)
    assert called.size == named.size
    assert ImageChops.difference(called, named).getbbox(), "others' names are on it"
    tab.click(".ways a >> nth=0")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    assert complaints == []
    tab.context.close()


def test_a_watcher_finds_no_link_and_gets_an_explanation(browser: Any, site: Site) -> None:
    tab = come_in(browser, site, "to-watch")
    assert tab.is_hidden("#past")
    tab.goto(f"http://127.0.0.1:{site.port}/evenings")
    assert "connect to the table" in tab.inner_text("main")
    assert violations(tab) == []
    tab.context.close()


@pytest.mark.sampled(1, of="scheme")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits(browser: Any, site: Site, scheme: str) -> None:
    tab = come_in(browser, site, KEPT, color_scheme=scheme)
    for path in PAGES:
        tab.goto(f"http://127.0.0.1:{site.port}{path}")
        until_made(tab)
        for size in (PHONE, DESKTOP):
            tab.set_viewport_size(size)
            assert tab.evaluate("document.documentElement.scrollWidth") <= size["width"]
            assert violations(tab) == [], path
    tab.context.close()


def test_without_a_script_everything_but_the_game_is_there(browser: Any, site: Site) -> None:
    tab = come_in(browser, site, KEPT)
    cookies = tab.context.cookies()
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(cookies)
    bare = context.new_page()
    bare.goto(f"http://127.0.0.1:{site.port}/evenings")
    until_made(bare)
    bare.click("text=Ada >> nth=0")
    until_made(bare)
    assert bare.locator("svg.chart circle, svg.bar").count() > 0
    for one in (context, tab.context):
        one.close()


def test_an_evening_is_one_sheet_of_paper(browser: Any, site: Site, tmp_path: Path) -> None:
    tab = come_in(browser, site, KEPT, color_scheme="dark")
    tab.goto(f"http://127.0.0.1:{site.port}/evenings/4")
    until_made(tab)
    assert tab.locator(".games .drawing").count() == 8
    assert tab.locator(".stars .drawing").count() == 4
    for paper in ("A4", "Letter"):
        sheet = tmp_path / f"{paper}.pdf"
        tab.pdf(path=sheet, format=paper, prefer_css_page_size=False)
        assert len(re.findall(rb"/Type\s*/Page\b", sheet.read_bytes())) == 1, paper
    tab.emulate_media(media="print")
    assert tab.is_hidden(".ways")
    colour = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == "rgb(255, 255, 255)", "dark pages cost ink"
    tab.context.close()
