"""After a correction, in real browsers: all phones and the TV show which chips go back, until one
phone confirms that they were moved."""

import time
from contextlib import closing
from pathlib import Path

from companion.record.rows import Undo
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_keying_page import ok, phone, tap
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

SMALL = {"width": 360, "height": 640}
BELOW = "document.querySelector('#take-back').getBoundingClientRect().bottom - innerHeight"


def test_all_pages_show_the_chips_until_somebody_confirms(view: View) -> None:
    red, blue = phone(view, "hand\nRed 6-6\nBlue 6-3\nRed 6-4", "Red"), phone(view, who="Blue")
    blue.tab.set_viewport_size(SMALL)
    tv = view(None, path="/tv")
    red.open_entry("Blue lays 6-3")
    tap(red, "#other-tile")
    tap(red, '#other-tiles [data-tile="6-1"]')
    ok(red)
    for viewer in (red, blue, tv):
        viewer.tab.wait_for_selector("#due-moves >> text=Blue gives Red back 15", timeout=WAIT_MS)
        viewer.tab.wait_for_selector("#due-moves >> text=Blue pays Red 5", timeout=WAIT_MS)
        assert not viewer.tab.locator("#paid").is_visible(), "it is told once what is paid"
    assert not tv.tab.locator("#due-done").count()
    assert blue.tab.evaluate(BELOW) <= 0, "the turn's keys stay on the screen"
    tap(blue, "#due-done")
    for viewer in (red, blue, tv):
        viewer.tab.wait_for_selector("#due", state="hidden", timeout=WAIT_MS)
        assert not viewer.tab.locator("#paid").is_visible(), "nobody is invited to pay twice"


def test_a_watching_page_offers_no_confirmation(view: View) -> None:
    red = phone(view, "hand\nRed 6-6\nBlue 6-3")
    watcher = phone(view)
    watcher.tab.select_option("#who", "watcher")
    tap(red, "#take-back")
    ok(red)
    watcher.tab.wait_for_selector("#due", state="visible", timeout=WAIT_MS)
    assert not watcher.tab.locator("#due-done").is_visible()


def test_after_a_restart_pages_ask_whether_the_chips_were_moved(view: View, tmp_path: Path) -> None:
    keep(tmp_path / "record.db", "hand\nRed 6-6\nBlue 6-3")
    with closing(Store.open(tmp_path / "record.db", GAMES, time.time)) as store:
        store.keep(1, Undo())
    red, tv = phone(view, None, "Red"), view(None, path="/tv")
    for viewer in (red, tv):
        viewer.tab.wait_for_selector("#due-moves >> text=Blue gives Red back 15", timeout=WAIT_MS)
        assert viewer.tab.inner_text("#due-title") == "Chips moved already?"
    tap(red, "#due-done")
    for viewer in (red, tv):
        viewer.tab.wait_for_selector("#due", state="hidden", timeout=WAIT_MS)
    tap(red, '[data-tile="6-3"]')
    ok(red)
    tap(red, "#take-back")
    ok(red)
    red.tab.wait_for_selector("#due-title >> text=Now move these chips", timeout=WAIT_MS)
