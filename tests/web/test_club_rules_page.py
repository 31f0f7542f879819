"""All Fives under a club's rules, on phones: a disputed draw, from the call to its penalty."""

from pathlib import Path
from typing import Any

from tests.web.in_browser import WAIT_MS, Site, Viewer, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_keying_games import until_said
from tests.web.test_keying_page import TOUCH, ok, tap, until_entries

DRAWN = "hand lead Red\nRed 6-6\nBlue draw"


def phone(browser: Any, site: Site, seat: str) -> Viewer:
    viewer = Viewer(browser, site, path="/", **TOUCH)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    until_taps_count(viewer.tab)
    viewer.tab.select_option("#who", f"seat {seat}")
    viewer.tab.wait_for_timeout(300)
    return viewer


def test_a_draw_is_disputed_by_championship_rules_and_its_penalty_deducted(
    browser: Any, tmp_path: Path
) -> None:
    keep(tmp_path / "record.db", DRAWN, name="all-fives", set="R")
    site = Site(tmp_path / "record.db")
    red, blue = phone(browser, site, "Red"), phone(browser, site, "Blue")
    tap(red, "#call")
    until_said(red, "Red calls Blue bogus")
    assert "30" not in red.tab.inner_text("#meaning"), "nothing is said of the verdict"
    ok(red)
    blue.tab.wait_for_selector("#claim", state="visible", timeout=WAIT_MS)
    for tile in ("6-5", "5-4", "5-2", "4-4", "4-2", "2-2", "1-1", "1-0"):
        tap(blue, f'#tiles [data-tile="{tile}"]')
    tap(blue, "#holds")
    until_said(blue, "Blue has shown tiles")
    ok(blue)
    until_entries(blue, 5)
    tap(blue, ".act.rule-bogus")
    until_said(blue, "The table rules: Blue made a bogus play")
    ok(blue)
    until_entries(blue, 6)
    assert blue.tab.locator(".seat .score").all_inner_texts() == ["0", "-30"]
    red.tab.wait_for_selector("#asked >> text=Blue's turn", timeout=WAIT_MS)
    for viewer in (red, blue):
        assert not viewer.complaints
        viewer.context.close()
    site.close()
