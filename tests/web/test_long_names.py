"""Long names on the pages of evenings, players and games, and on the table's panels: they are never
broken inside a word, and nothing is wider than the phone."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_one_screen import BROKEN, LONG

OTHER = "Maximilianwilhelmsburger"
NAMES = (LONG, OTHER, "Cleo")
WON = f"hand lead {LONG}\n{LONG} 5-5\nblocked\n{LONG} pips 3\n{OTHER} pips 160\nCleo pips 90"
SIZES = ((360, 640), (430, 932), (1366, 768))
PAGES = (
    "/evenings?ratings=1",
    "/evenings/1",
    f"/evenings/player?name={LONG}",
    "/evenings/game/1?entry=4",
)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_old_evenings_break_no_name_inside_a_word(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    keep(tmp_path / "long.db", WON, " ".join(NAMES), name="five-up")
    site = Site(tmp_path / "long.db")
    viewport = {"width": size[0], "height": size[1]}
    viewer = Viewer(browser, site, path="/", viewport=viewport)
    for page in PAGES:
        viewer.tab.goto(f"http://127.0.0.1:{site.port}{page}")
        # Until it is made, the page says so and comes back by itself.
        viewer.tab.get_by_text(LONG).first.wait_for(timeout=WAIT_MS)
        for name in (LONG, OTHER):
            assert viewer.tab.evaluate(BROKEN, name) == [], page
        assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= size[0], page
    viewer.context.close()
    site.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_panels_and_the_win_break_no_name_inside_a_word(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    keep(tmp_path / "won.db", WON, " ".join(NAMES), name="high-five")
    site = Site(tmp_path / "won.db")
    viewport = {"width": size[0], "height": size[1]}
    viewer = Viewer(browser, site, path="/", viewport=viewport)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    for panel in ("chips", "race", "rules", "new", "games"):
        viewer.tab.locator(f'.views [data-panel="{panel}"]').click(timeout=WAIT_MS)
        viewer.tab.wait_for_selector("#panel > *", timeout=WAIT_MS)
        for name in (LONG, OTHER):
            assert viewer.tab.evaluate(BROKEN, name) == [], panel
        assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= size[0], panel
    viewer.context.close()
    site.close()
