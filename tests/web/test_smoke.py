"""Each page and each panel of a table opens in a browser and shows its main content, in one size
and one language. Their other functions in a browser are tested in the whole run (`make test-all`).
"""

import pytest

from tests.web.in_browser import WAIT_MS, in_every_run
from tests.web.test_panels_page import VIEWS, opened
from tests.web.test_table_page import LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

pytestmark = in_every_run

PAGES = {
    "/": "#board svg",
    "/box": "#oled",
    "/tv": "#board svg",
    "/overlay": ".who >> nth=1",
    "/evenings": "main",
    "/help/high-five": "main h2 >> nth=0",
}
"""The content to look for on each page."""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_every_route_shows_its_content(view: View, path: str) -> None:
    viewer = view(LAYS)
    viewer.tab.goto(viewer.tab.url.rstrip("/") + path)
    viewer.tab.wait_for_selector(PAGES[path], timeout=WAIT_MS)


def test_each_panel_opens_and_a_tile_is_keyed(view: View) -> None:
    viewer = view(LAYS, viewport=PHONE, has_touch=True)
    for name in VIEWS:
        opened(viewer, name)
    viewer.tab.tap('[data-tile="6-4"]')
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    viewer.tab.tap("#ok")
    viewer.tab.wait_for_selector("#entries li:first-child >> text=Red lays 6-4", timeout=WAIT_MS)
