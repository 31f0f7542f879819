"""Checking people in at the organiser's desk, as people type and make mistakes."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.waiting import wait_until
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414

Open = Callable[..., Any]
NAMES = ("Anna Moor", "Anna Reed", "José Núñez", "Zoë Vale")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        yield made


@pytest.fixture
def desk(site: ClubSite, opened: Open) -> tuple[Any, Callable[[], list[str]], Callable[[], int]]:
    """The organiser's page of an event at which NAMES are expected; functions that return who is
    here, and the number of all players."""
    organiser = Visitor(site.hub, "keep")
    _, made = organiser.ask("/api/events", {"name": "Door", "format": "tables", "seed": "x"})
    path = f"/api/events/{made['number']}"
    people = {"after": 1, "text": "\n".join(NAMES), "kind": "listed"}
    assert organiser.ask(f"{path}/people", people)[0] == 200

    def players() -> Any:
        return organiser.ask(path)[1]["event"]

    def here() -> list[str]:
        event = players()
        return [one["name"] for one in event["players"] if one["id"] not in event.get("out", [])]

    tab = opened(f"/event/{made['number']}", "keep")
    tab.wait_for_selector("#rows .row:nth-child(4)", timeout=WAIT_MS)
    return tab, here, lambda: len(players()["players"])


def found_for(tab: Any, text: str) -> list[str]:
    """The names that the search finds."""
    tab.fill("#find", text)
    names: list[str] = tab.locator("#rows .player").all_inner_texts()
    return names


def test_the_search_needs_no_accents_and_no_order_of_words(desk: Any) -> None:
    tab, _, _ = desk
    assert found_for(tab, "jose nun") == ["José Núñez"]
    assert found_for(tab, "ZOE") == ["Zoë Vale"]
    assert found_for(tab, "reed anna") == ["Anna Reed"]
    assert found_for(tab, "anna") == ["Anna Moor", "Anna Reed"]


def test_enter_checks_in_the_only_person_found_and_adds_nobody(desk: Any) -> None:
    tab, here, number = desk
    tab.fill("#find", "anna m")
    tab.press("#find", "Enter")
    wait_until(lambda: here() == ["Anna Moor"])
    tab.wait_for_selector('#rows .tick[aria-checked="true"]', timeout=WAIT_MS)
    assert tab.input_value("#find") == ""
    # Enter again never checks somebody out, and is no choice among several people.
    for text in ("anna m", "Anna Moor", "anna"):
        tab.fill("#find", text)
        tab.press("#find", "Enter")
        assert tab.input_value("#find") == text
    tab.fill("#find", "Anna Vale")
    tab.press("#find", "Enter")
    wait_until(lambda: here() == ["Anna Moor", "Anna Vale"])
    assert number() == len(NAMES) + 1
    # A new person whose name is part of another's is added with the key.
    tab.fill("#find", "Anna")
    tab.click('#check-in .button:text-is("Add Anna")')
    wait_until(lambda: here() == ["Anna Moor", "Anna Vale", "Anna"])
    # What is in the field is replaced by the next name.
    tab.fill("#find", "zoe")
    tab.click("#rows .tick")
    wait_until(lambda: "Zoë Vale" in here())
    tab.click("#find")
    tab.keyboard.type("jose")
    assert tab.input_value("#find") == "jose"


def test_a_name_that_was_added_by_mistake_can_be_removed(desk: Any) -> None:
    tab, here, number = desk
    tab.fill("#find", "Anm")
    tab.press("#find", "Enter")
    wait_until(lambda: here() == ["Anm"])
    tab.click('.filter:text-is("Here 1")', timeout=WAIT_MS)
    tab.click('#rows .row .tick:has-text("Anm")')
    wait_until(lambda: here() == [])
    tab.click("#rows .dots")
    assert violations(tab) == []
    tab.click('#rows .tray .act:text-is("Won’t come")')
    tab.click('#rows .tray .act.careful:text-is("Take Anm off the list?")')
    wait_until(lambda: number() == len(NAMES))
    tab.wait_for_selector('#people :text-is("Anm")', state="detached", timeout=WAIT_MS)
