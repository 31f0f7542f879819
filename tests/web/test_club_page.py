"""Joining a club on a phone in a real browser, and the small sign in the header."""

import pytest

from companion.core.club import Club, ClubRequest, ClubRequestKind
from tests.screens.club_scenes import AWAY, COMPARING, ENDED, FOUND, REACHED
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import TOUCH, phone, tap
from tests.web.test_panels_page import opened
from tests.web.test_table_page import PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture


def told(viewer: Viewer, club: Club, seen: str) -> None:
    viewer.site.table.events.put(club)
    viewer.tab.wait_for_selector(seen, timeout=WAIT_MS)


def until_asked(viewer: Viewer, *requests: ClubRequest) -> None:
    for _ in range(WAIT_MS // 20):
        if viewer.site.club == [*requests]:
            return
        viewer.tab.wait_for_timeout(20)
    raise AssertionError(viewer.site.club)


def test_a_club_is_joined_and_left_on_a_phone(view: View) -> None:
    viewer = phone(view)
    club_key = viewer.tab.locator('nav [data-panel="club"]')
    assert not club_key.is_visible(), "a table without a club's thread"
    told(viewer, Club(), 'nav [data-panel="club"]:visible')
    opened(viewer, "club")
    tap(viewer, "#panel >> text=Look for clubs")
    look = ClubRequest(ClubRequestKind.LOOK)
    until_asked(viewer, look)
    told(viewer, FOUND, "#panel >> text=Join Friday Fives")
    viewer.tab.fill("#panel input", "10.0.0.7")
    viewer.site.table.events.put(Club(FOUND.step))
    viewer.tab.wait_for_timeout(200)
    assert viewer.tab.input_value("#panel input") == "10.0.0.7", "what is typed stays"
    tap(viewer, "#panel [type=submit]")
    join = ClubRequest(ClubRequestKind.JOIN, "10.0.0.7", by_phone=True)
    until_asked(viewer, look, join)
    told(viewer, COMPARING, "#panel >> text=071429")
    told(viewer, REACHED, "#panel >> text=The hub: connected.")
    assert viewer.tab.inner_text("#club-short") == "Club"
    told(viewer, AWAY, "#club-short >> text=Club 14'")
    assert viewer.tab.text_content("#club-long") == "Friday Fives: last contact 14 minutes ago"
    tap(viewer, "#panel >> text=Leave the club")
    until_asked(viewer, look, join)
    tap(viewer, "#panel >> text=Leave it?")
    until_asked(viewer, look, join, ClubRequest(ClubRequestKind.LEAVE))
    told(viewer, ENDED, "#panel >> text=The organiser has sent this box away.")
    viewer.site.table.events.put(Club())
    viewer.tab.wait_for_selector("#club-sign", state="hidden", timeout=WAIT_MS)
    assert viewer.complaints == []


CLUBS = {"found": FOUND, "comparing": COMPARING, "away": AWAY}


@pytest.mark.sampled(1, of="scheme")
@pytest.mark.parametrize("name", CLUBS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_club_page_is_accessible(view: View, name: str, scheme: str) -> None:
    viewer = view("hand\nRed 6-6", **{**TOUCH, "color_scheme": scheme})
    told(viewer, CLUBS[name], 'nav [data-panel="club"]:visible')
    opened(viewer, "club")
    assert violations(viewer.tab) == []
    assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
