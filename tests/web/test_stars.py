"""Stars on a page: a tap marks an entry, another tap takes the mark away, and the evening's end
shows the stars."""

from pathlib import Path

import aiohttp
import pytest

from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.live import LiveTable, Phone, keep
from tests.web.test_table_page import LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

ENDS = "hand\nRed 5-5\nBlue 5-0"
STAR = "1.1.1.Blue 6-3"


def test_a_star_is_kept_and_does_not_affect_entries_of_others(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", LAYS)
    table = LiveTable(tmp_path / "record.db")

    async def visit(session: aiohttp.ClientSession) -> None:
        anna = await Phone.come(table, session, "a", {"name": "scorekeeper"})
        ben = await Phone.come(table, session, "b", {"name": "seat", "seat": "Blue"})
        tip = anna.stands["keys"]["tip"]
        answer = await ben.keys(f"on {STAR}", deed="remember")
        assert answer["counted"]
        await anna.until(lambda: anna.stands["moment"]["latest"][0]["star"]["on"])
        assert anna.stands["keys"]["tip"] == tip
        assert (await anna.keys("Red 6-4"))["counted"]
        # What is starred stays itself when the table has moved on.
        assert (await ben.keys(f"off {STAR}", deed="remember", tip=tip))["counted"]
        await anna.until(lambda: not anna.stands["moment"]["latest"][1]["star"]["on"])
        assert not (await ben.keys("on what?", deed="remember"))["counted"]

    try:
        table.visit(visit)
    finally:
        table.close()


def test_watchers_cannot_set_stars(tmp_path: Path) -> None:
    keep(tmp_path / "record.db", LAYS)
    table = LiveTable(tmp_path / "record.db")

    async def visit(session: aiohttp.ClientSession) -> None:
        watcher = await Phone.come(table, session, "a", {"name": "watcher"})
        answer = await watcher.keys(f"on {STAR}", deed="remember")
        assert answer["said"]["key"] == "answer.only-watching"

    try:
        table.visit(visit)
    finally:
        table.close()


def opened(view: View, text: str) -> Viewer:
    viewer = view(text, viewport=PHONE)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    return viewer


@pytest.mark.browser
def test_one_tap_marks_and_another_unmarks_and_the_focus_stays(view: View) -> None:
    viewer = opened(view, LAYS)
    tab = viewer.tab
    star = "Remember this: Blue lays 6-3"
    for pressed in (False, True):
        key = tab.get_by_role("button", name=star, pressed=pressed)
        box = key.bounding_box(timeout=WAIT_MS)
        assert min(box["width"], box["height"]) >= 44
        key.focus()
        tab.keyboard.press("Enter")
        after = tab.get_by_role("button", name=star, pressed=not pressed)
        after.wait_for(timeout=WAIT_MS)
        viewer.until_answered()
        assert after.evaluate("(key) => key === document.activeElement")
    assert not tab.locator("#opened").is_visible()


@pytest.mark.browser
def test_a_chosen_tile_stays_while_a_star_is_set(view: View) -> None:
    viewer = opened(view, LAYS)
    tab = viewer.tab
    tab.get_by_role("button", name="six-four, fits").click()
    tab.get_by_text("6-4: 3+4 = 7").wait_for(timeout=WAIT_MS)
    tab.get_by_role("button", name="Remember this: Red lays 6-6").click()
    tab.get_by_role("button", name="Remember this: Red lays 6-6", pressed=True).wait_for()
    viewer.until_answered()
    assert tab.get_by_role("button", name="OK").is_enabled()
    assert tab.get_by_text("6-4: 3+4 = 7").is_visible()


@pytest.mark.browser
def test_the_end_of_the_evening_shows_the_stars_on_the_tv_too(view: View) -> None:
    over = f"{ENDS}\nend Red leaves"
    viewer, tv = opened(view, over), view(over, path="/tv").tab
    tab = viewer.tab
    assert not tab.get_by_role("region", name="Moments to remember").is_visible()
    tab.get_by_role("button", name="Remember this: Blue lays 5-0").click()
    for page in (tab, tv):
        marked = page.get_by_role("region", name="Moments to remember")
        marked.get_by_text("Blue lays 5-0").wait_for(timeout=WAIT_MS)
        assert marked.get_by_text("Red pays Blue 10").is_visible()
    viewer.until_answered()
    tab.get_by_role("button", name="Remember this: Blue lays 5-0", pressed=True).click()
    tv.get_by_role("region", name="Moments to remember").wait_for(state="hidden", timeout=WAIT_MS)
