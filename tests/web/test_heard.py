"""A whole hand with a dispute, played without seeing the page: every key is found through its role
and name, and events are read where a screen reader reads them."""

import re
from typing import Any

from tests.web.in_browser import WAIT_MS, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture


def expect(element: Any) -> Any:
    """Playwright's waiting `expect` for this element. It is imported here because not every machine
    has it."""
    from playwright.sync_api import expect

    return expect(element)


HALVES = ("blank", "one", "two", "three", "four", "five", "six")


def called(tile: str) -> str:
    """The name of a tile's key, as players name the tile: 6-6 is the double six."""
    first, second = (HALVES[int(half)] for half in tile.split("-"))
    return f"double {first}" if first == second else f"{first}-{second}"


class Listener:
    """A user with a screen reader and a keyboard, who knows only roles and names."""

    def __init__(self, tab: Any) -> None:
        self.tab = tab
        self.happened = tab.get_by_role("status", name="What happened")

    def press(self, name: str, role: str = "button") -> None:
        """Presses the element with this name and role, as soon as it can be pressed."""
        key = self.tab.get_by_role(role, name=re.compile(f"^{re.escape(name)}(,|$)"))
        expect(key).to_be_visible(timeout=WAIT_MS)
        expect(key).not_to_have_attribute("aria-disabled", "true", timeout=WAIT_MS)
        key.focus()
        self.tab.keyboard.press("Enter")

    def is_told(self, sentence: str) -> None:
        expect(self.happened).to_have_text(re.compile(sentence), timeout=WAIT_MS)
        # What is pressed within half a second was meant for what stood there before.
        until_taps_count(self.tab)

    def lays(self, tile: str, told: str) -> None:
        self.press(called(tile))
        self.ok(told)

    def ok(self, told: str) -> None:
        self.press("OK")
        self.is_told(told)

    def drawing(self) -> Any:
        return self.tab.get_by_role("img", name="The line of play")


def test_a_hand_with_a_dispute_is_played_through_the_accessibility_tree_alone(view: View) -> None:
    tab = view("", viewport=PHONE).tab
    hears = Listener(tab)
    hears.is_told("^Deal the first hand$")
    hears.press("The tiles are dealt")
    hears.is_told("^A hand is dealt; The highest double leads$")
    hears.press("Blue")
    hears.lays("6-6", "^Blue lays double six, count 12; Red's turn$")
    hears.lays("6-3", "^Red lays six-three, count 15, Blue pays Red 15; Blue's turn$")
    hears.press("Draw")
    hears.is_told("^Blue draws; Blue's turn$")
    hears.press("Pass")
    hears.is_told("^Blue passes, .*; Red's turn$")
    hears.press(called("6-1"))
    hears.ok("^Red lays six-one, count 4; Blue's turn$")
    expect(hears.drawing()).to_have_accessible_name("The line of play: 3 tiles, count 4")
    expect(hears.drawing()).to_have_accessible_description(
        re.compile("^Led: double six, the spinner. Left: .* Open: .* Laid last: six-one ")
    )
    hears.press("BOGUS")
    hears.ok("^Red calls Blue bogus, Possible: .*; Blue is called bogus: what does Blue hold\\?$")
    told = tab.get_by_role("region", name="Bogus play")
    expect(told.get_by_role("heading")).to_have_text(re.compile("^Red calls Blue bogus: second"))
    for tile in ("6-5", "5-4", "5-2", "4-4", "4-2", "2-2", "1-1"):
        hears.press(called(tile))
    hears.press("Shows: 6-5 5-4 5-2 4-4 4-2 2-2 1-1")
    hears.ok("Blue pays Red 50, .*Blue made a bogus play: .*; Deal the next hand: Red leads$")
    expect(tab.get_by_role("list", name="Scores")).to_contain_text("65")  # it counts up
    scores = tab.get_by_role("list", name="Scores").aria_snapshot()
    said = re.findall(r'- paragraph: "?(Red|Blue|[0-9]+)"?$', scores, re.MULTILINE)
    assert said == ["Red", "65", "Blue", "0"]
    latest = tab.get_by_role("list", name="Latest entries").get_by_role("listitem")
    assert "Blue shows 5-6, 4-5" in latest.first.aria_snapshot()
