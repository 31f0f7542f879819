"""The page of a federation's season, and the form for it, in a real browser."""

from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_page import Open
from tests.club.hub.test_federated_season import FRIDAY, SHIP, League, season
from tests.club.hub.test_federated_season import league as league  # noqa: PLC0414  # a fixture
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414

PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def site(league: League, tmp_path_factory: pytest.TempPathFactory) -> ClubSite:
    return ClubSite(league.hub, tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_the_season_of_one_club(site: ClubSite, opened: Open, scheme: str) -> None:
    tab = opened("/", "watch", viewport=PHONE, color_scheme=scheme)
    tab.goto(f"{site.url}/season")
    assert tab.locator("tbody tr").count() == 16
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(tab) == []
    tab.click(f'.choices a:text-is("{SHIP}")')
    tab.wait_for_selector(f'.choices a[aria-current]:text-is("{SHIP}")', timeout=WAIT_MS)
    assert {*tab.locator("tbody th .over").all_inner_texts()} == {SHIP}


def test_the_form_offers_the_events_of_all_clubs(
    league: League, site: ClubSite, opened: Open
) -> None:
    organiser = Visitor(league.hub, "keep")
    tab: Any = opened("/event", "keep", viewport=PHONE)
    tab.wait_for_selector("#season .button", timeout=WAIT_MS)
    assert violations(tab) == []
    tab.select_option("#season select", "Winter")
    names = tab.locator("#season .tick:has(:checked)").all_inner_texts()
    assert names == ["Second", "First"] * 2
    tab.uncheck(f'#season input[value="1 {league.identity(FRIDAY)}"]')
    tab.click("#season .button")
    tab.wait_for_selector("#answer >> text=The season is saved", timeout=WAIT_MS)
    (kept,) = organiser.ask("/api/season")[1]["seasons"]
    refs = kept["divisions"][0]["events"]
    assert (kept["season"], kept["best"]) == (3, 2)
    assert sorted((one["event"], one["club"]) for one in refs) == sorted([
        (2, league.identity(FRIDAY)),
        (1, league.identity(SHIP)),
        (2, league.identity(SHIP)),
    ])  # fmt: skip
    assert organiser.ask("/api/season", season(league, best=2))[0] == 200
