"""Each page of a hub opens in a browser and shows its main content. Their other functions in a
browser are tested in the whole run (`make test-all`)."""

import pytest

from tests.club.hub.club_site import ClubSite
from tests.club.hub.test_pages_browser import Open
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.club.hub.test_pages_browser import site as site  # noqa: PLC0414  # a fixture
from tests.web.in_browser import WAIT_MS, in_every_run

pytestmark = in_every_run

PAGES = {
    "/": ".card .points",
    "/organiser": "#open-table .button",
    "/tv": "#board svg",
    "/overlay": ".seat >> nth=0",
    "/event": "#new button",
    "/judge": "main >> text=Table 2",
    "/table/{box}": "#board svg",
    "/games/{box}": ".games a >> nth=0",
}
"""The content to look for on each page."""


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_every_route_shows_its_content(site: ClubSite, opened: Open, path: str) -> None:
    tab = opened("/", "keep")
    tab.goto(site.url + path.format(box=site.box("Table 1")))
    tab.wait_for_selector(PAGES[path], timeout=WAIT_MS)
