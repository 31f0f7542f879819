"""Details noticed in a real evening: names of tiles, chips as chips, long names on a TV, evenings
on a narrow phone, and links that are easy to tap."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep

ELSE, LONG = "Maximilian_Wolf", "Grandmother_Elisabeth_Maria"
TEXT = f"hand lead {LONG}\n{LONG} 6-6\n{ELSE} 3-6\nCleo 6-4"
NARROW = {"width": 360, "height": 640}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    keep(tmp_path / "details.db", TEXT, f"{LONG} {ELSE} Cleo Dan")
    site = Site(tmp_path / "details.db")
    yield site
    site.close()


def test_a_phone_names_tiles_one_way_and_draws_chips(browser: Any, site: Site) -> None:
    viewer = Viewer(browser, site, path="/", viewport=NARROW)
    tab = viewer.tab
    tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    entry = tab.locator("#entries .said", has_text="Maximilian")
    assert entry.inner_text() == "Maximilian Wolf lays 6-3"
    assert tab.locator("#entries .unbroken", has_text="6-3").count()
    chips = tab.locator("#payments .pieces")
    assert chips.get_attribute("aria-label") == "10 + 5"
    assert chips.locator(".chip").all_inner_texts() == ["10", "5"]
    entry.click()
    tab.click("#other-tile")
    tab.wait_for_selector("#other-tiles .tile", timeout=WAIT_MS)
    assert (
        tab.locator('#other-tiles [data-tile="0-0"]').get_attribute("aria-label") == "double blank"
    )
    viewer.context.close()


def test_a_single_seat_is_not_offered_for_choice(browser: Any, site: Site) -> None:
    viewer = Viewer(browser, site, path="/", viewport=NARROW)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    assert viewer.tab.locator("#whose .choice").count() != 1
    assert viewer.tab.locator("#whose").is_visible() == bool(
        viewer.tab.locator("#whose .choice").count()
    )
    viewer.context.close()


def test_a_tv_shows_a_long_name_whole(browser: Any, site: Site) -> None:
    viewer = Viewer(browser, site, path="/tv", viewport={"width": 1280, "height": 720})
    name = viewer.tab.locator(".name", has_text="Elisabeth")
    name.wait_for(timeout=WAIT_MS)
    assert "long" in str(name.get_attribute("class"))
    who = name.locator(".who")
    assert who.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert who.evaluate("(one) => one.scrollHeight <= one.clientHeight + 4")
    viewer.context.close()


def test_evenings_fit_a_narrow_phone(browser: Any, site: Site) -> None:
    viewer = Viewer(browser, site, path="/", viewport=NARROW)
    viewer.tab.goto(f"http://127.0.0.1:{site.port}/evenings")
    viewer.tab.get_by_text("Maximilian").first.wait_for(timeout=WAIT_MS)
    tables = viewer.tab.locator(".scrolls")
    wide = "(all) => all.map((one) => one.scrollWidth - one.clientWidth)"
    assert max(tables.evaluate_all(wide)) <= 0
    high = "(all) => all.map((one) => one.getBoundingClientRect().height)"
    assert min(viewer.tab.locator("a").evaluate_all(high)) >= 24
    viewer.context.close()
