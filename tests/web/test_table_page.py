"""The table's page in a real browser, on the whole program: it shows the stored entries."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep

PHONE = {"width": 360, "height": 780}
TABLET = {"width": 768, "height": 1024}
DESKTOP = {"width": 1920, "height": 1080}

View = Callable[..., Viewer]


@pytest.fixture
def view(tmp_path: Path, browser: Any) -> Iterator[View]:
    """Opens a page on a record of a game with these entries."""
    sites: list[Site] = []
    viewers: list[Viewer] = []

    def opened(text: str | None, path: str = "/", seats: str = "Red Blue", **more: Any) -> Viewer:
        clips, options = more.pop("clips", None), more.pop("options", {})
        if not sites:
            record = tmp_path / "record.db"
            if text is not None:
                keep(record, text, seats, **options)
            sites.append(Site(record, clips=clips))
        viewer = Viewer(browser, sites[0], path=path, **more)
        viewers.append(viewer)
        viewer.tab.wait_for_selector('body:not([data-asked=""])', timeout=WAIT_MS)
        return viewer

    yield opened
    for viewer in viewers:
        viewer.context.close()
    for site in sites:
        site.close()
    assert [viewer.complaints for viewer in viewers] == [[] for _ in viewers]


LAYS = "hand\nRed 6-6\nBlue 6-3"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP])
def test_the_table_is_shown_at_any_size(view: View, size: Any) -> None:
    tab = view(LAYS, viewport=size).tab
    assert tab.locator(".score").all_inner_texts() == ["0", "15"]
    assert tab.inner_text("#asked") == "Red's turn"
    assert tab.inner_text("#number") == "15"
    assert tab.inner_text("#payments").startswith("Red pays Blue 15")
    assert tab.inner_text("#reason") == "6-3: 12+3 = 15"
    assert tab.locator(".seat.to-move .who").inner_text() == "Red"
    assert "2 tiles, count 15" in tab.locator("#board svg title").inner_html()
    assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_key_pressed_on_the_box_changes_the_table_page(view: View) -> None:
    viewer = view(LAYS, viewport=DESKTOP)
    for key in ("6", "4", "Enter"):
        viewer.tab.keyboard.press(key)
    viewer.tab.wait_for_selector("#number:text-is('7')", timeout=WAIT_MS)
    assert viewer.tab.inner_text("#entries li:first-child .said") == "Red lays 6-4"
    assert viewer.tab.inner_text("#sentence").startswith("Red lays six-four")


def test_all_pages_see_a_row_entered_on_one(view: View) -> None:
    box, phone = view(LAYS, viewport=DESKTOP), view(LAYS, viewport=PHONE)
    tv = view(LAYS, path="/tv", viewport=DESKTOP)
    for key in ("6", "4", "Enter"):
        box.tab.keyboard.press(key)
    for viewer in (phone, tv):
        viewer.tab.wait_for_selector("#number:text-is('7')", timeout=WAIT_MS)


def test_a_phone_ignores_key_presses_and_opens_the_box_with_a_tap(view: View) -> None:
    viewer = view(LAYS, viewport=PHONE)
    assert not viewer.tab.locator(".box").is_visible()
    before = viewer.site.frame
    viewer.tab.keyboard.press("6")
    viewer.tab.get_by_role("link", name="The box and its keys").click()
    viewer.until_state("connected")
    assert viewer.site.frame == before
    viewer.tab.get_by_role("link", name="The table").click()
    viewer.tab.wait_for_selector(".seat", timeout=WAIT_MS)


def test_without_a_game_the_page_shows_how_to_begin(view: View) -> None:
    tab = view(None, viewport=PHONE).tab
    assert tab.inner_text("#welcome h2") == "Who's playing?"
    assert tab.get_by_role("button", name="Start a game").is_visible()


def test_names_are_text_and_never_markup(view: View) -> None:
    evil = "<img/src=x/onerror=alert(1)> <b>Bob</b>"
    tab = view("hand\n<b>Bob</b> 5-5", viewport=PHONE, seats=evil).tab
    names = tab.locator(".who").all_inner_texts()
    assert names == ["<img/src=x/onerror=alert(1)>", "<b>Bob</b>"]
    assert tab.locator("b", has_text="Bob").count() == 0
    assert tab.locator("img").count() == 0


def test_a_dispute_is_shown_with_its_evidence(view: View) -> None:
    claim = "hand\nBlue 6-6\nRed 6-3\nBlue draw\nBlue pass\nRed 6-1\nbogus Blue by Red"
    for path in ("/", "/tv"):
        tab = view(claim, path=path, viewport=DESKTOP).tab
        assert tab.inner_text("#charge").startswith("Red calls Blue bogus: second turn")
        assert tab.inner_text("#verdict") == "Possible: the record leaves it open"
        assert "may have held" in tab.inner_text("#evidence")


def test_a_page_that_lost_the_table_shows_when_that_happened(view: View) -> None:
    viewer = view(LAYS, viewport=PHONE)
    viewer.context.set_offline(True)
    viewer.tab.evaluate("dispatchEvent(new Event('hashchange'))")
    viewer.until_state("lost")
    assert "Not connected since " in viewer.tab.inner_text("#link")
    viewer.complaints.clear()
    viewer.context.set_offline(False)
    viewer.until_state("connected")
    assert viewer.tab.inner_text("#link") == ""
    viewer.complaints.clear()


def test_a_new_payment_is_large_on_the_tv(view: View) -> None:
    box, tv = view(LAYS, viewport=DESKTOP), view(LAYS, path="/tv", viewport=DESKTOP)
    assert not tv.tab.locator("#paid").is_visible()
    for key in ("6", "4", "Enter", "6", "1", "Enter", "6", "2", "Enter"):
        box.tab.keyboard.press(key)
    tv.tab.wait_for_selector("#paid >> text=Blue pays Red 10", timeout=WAIT_MS)
    assert tv.tab.locator("#paid").is_visible()
