"""Help on a phone: what to tap, one topic at a time, opened at what is on the screen."""

from typing import Any

import pytest

from companion.core.languages import OWN_NAMES
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import TOUCH, phone, tap
from tests.web.test_panels_page import opened
from tests.web.test_table_page import LAYS, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

SCREEN = 640
"""The height of a phone's window, in pixels."""
OPEN = ".topic[open] summary"


def opens_at(viewer: Any) -> list[str]:
    opened(viewer, "help")
    found: list[str] = viewer.tab.locator(OPEN).all_inner_texts()
    return found


def test_help_opens_at_the_topic_of_the_screen(view: View) -> None:
    viewer = phone(view)
    assert opens_at(viewer) == ["Play a tile"]
    assert violations(viewer.tab) == []
    opened(viewer, "chips")
    viewer.open_entry("Blue lays 6-3")
    assert opens_at(viewer) == ["Correct a mistake"]


def test_before_a_game_help_is_about_sitting_down(view: View) -> None:
    viewer = view(None, **TOUCH)
    tap(viewer, "#menu")
    opened(viewer, "help")
    assert viewer.tab.locator(OPEN).all_inner_texts() == ["Sit down and deal"]
    topics = viewer.tab.locator(".topic summary").all_inner_texts()
    assert "Who pays" not in topics, "there is no game that is played for chips"


def test_help_can_be_searched(view: View) -> None:
    viewer = phone(view)
    opened(viewer, "help")
    viewer.tab.fill("#panel .search", "chips")
    assert viewer.tab.locator(".topic:visible summary").all_inner_texts() == ["Who pays"]
    viewer.tab.fill("#panel .search", "zebra")
    viewer.tab.wait_for_selector("#panel >> text=Nothing about that here.", timeout=WAIT_MS)
    viewer.tab.fill("#panel .search", "")
    assert viewer.tab.locator(".topic:visible").count() == 9


@pytest.mark.sampled(1, of="name")
@pytest.mark.parametrize("name", OWN_NAMES)
def test_a_help_topic_fits_one_screen_and_the_card_two_in_every_language(
    view: View, name: str
) -> None:
    viewer = view(LAYS, viewport={"width": 360, "height": SCREEN}, has_touch=True, locale=name)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    opened(viewer, "help")
    for topic in viewer.tab.locator(".topic").all():
        topic.evaluate("(one) => { one.open = true; }")
        assert topic.bounding_box()["height"] <= SCREEN / 2
    viewer.tab.locator('#panel > [aria-pressed="false"]').tap()
    assert viewer.tab.locator(".topics").bounding_box()["height"] <= 2 * SCREEN
    assert not viewer.tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_help_without_a_box_omits_the_box_s_keys(view: View) -> None:
    viewer = phone(view)
    opened(viewer, "help")
    links = viewer.tab.locator("#panel a").evaluate_all("found => found.map((a) => a.pathname)")
    assert links == ["/help/high-five", "/help/manual"]
    assert "box" not in viewer.tab.inner_text(".topics").lower()
