"""The keyboard on the table's page: a whole hand is played with it alone, with at most six presses
a play; and where the focus is. The page's clock is stopped, so that no key comes too early or too
late."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer, stop_clock
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_accessible import BASEMENT
from tests.web.test_keying_page import until_entries
from tests.web.test_table_page import DESKTOP, LAYS, TABLET, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

MOST = 6
"""The most presses for a play."""
LATER_MS = 1_000
"""After this time a page takes typed keys as meant for what it shows, and enters draws."""
ASKED = "#choices button:focus, #whose button:focus, #ok:focus"
"""Where the focus is if the typed keys leave a question open."""
HAND = [
    (["6", "6", "Enter", "Enter"], "Red lays 6-6"),
    (["6", "3", "Enter"], "Blue lays 6-3"),
    (["6", "4", "Enter"], "Red lays 6-4"),
    (["4", "3", "r", "Enter"], "Blue lays 4-3"),
    (["d"], "Red draws"),
    (["6", "1", "Enter"], "Red lays 6-1"),
    (["3", "3", "Enter"], "Blue lays 3-3"),
    (["d"], "Red draws"),
    (["p"], "Red passes"),
    (["1", "1", "Enter"], "Blue lays 1-1"),
    (["3", "2", "Enter", "ArrowDown", "Enter"], "Red lays 3-2"),
    (["2", "2", "Enter"], "Blue lays 2-2"),
    (["2", "1", "@", "u", "Enter"], "Red lays 2-1"),
    (["2", "0", "Enter", "Enter"], "Blue lays 2-0"),
    (["d"], "Red draws"),
    (["p"], "Red passes"),
    (["0", "0", "Enter"], "Blue lays 0-0"),
]
"""The keys pressed for each play of a hand, and the text of the newest entry after them."""
HELD = ["65", "55", "54", "51", "41"]
"""The tiles that Red has left."""


def by_keys(view: View, text: str | None = "hand", **more: object) -> Viewer:
    """A scorekeeper's page whose clock only the test moves."""
    viewer = view(text, **{"viewport": TABLET, **more})
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    stop_clock(viewer.tab)
    later(viewer)
    return viewer


def later(viewer: Viewer) -> None:
    viewer.tab.clock.run_for(LATER_MS)


def press(viewer: Viewer, *keys: str) -> None:
    for key in keys:
        viewer.tab.keyboard.press(key)


def until_newest(viewer: Viewer, said: str) -> None:
    """Waits until the newest entry has this text, and the page accepts the next one."""
    newest = viewer.tab.locator("#entries li:first-child .said", has_text=said)
    newest.wait_for(timeout=WAIT_MS)
    viewer.until_answered()
    later(viewer)


def until_focus(viewer: Viewer, what: str) -> None:
    viewer.tab.wait_for_selector(f"{what}:focus", timeout=WAIT_MS)


def play(viewer: Viewer, keys: list[str], said: str) -> None:
    """Presses keys, each once the page shows the effect of the one before."""
    assert len(keys) <= MOST
    for place, key in enumerate(keys):
        if place and keys[place - 1] == "Enter":  # the page has asked something
            viewer.tab.wait_for_selector(ASKED, timeout=WAIT_MS)
            later(viewer)
        press(viewer, key)
    later(viewer)
    until_newest(viewer, said)


@pytest.mark.smoke
def test_ok_moves_the_focus_to_the_next_play_and_escape_back(view: View) -> None:
    viewer = by_keys(view, LAYS)
    viewer.tab.focus('[data-tile="6-3"]')
    press(viewer, "ArrowLeft", "Enter")
    until_focus(viewer, '#ok:not([aria-disabled="true"])')
    press(viewer, "Escape")
    until_focus(viewer, '[data-tile="6-4"]')
    press(viewer, "ArrowRight", "ArrowRight", "Enter")
    until_focus(viewer, "#ok")
    press(viewer, "Enter")
    until_newest(viewer, "Red lays 6-2")
    until_focus(viewer, '#tiles [data-stands="fits"]')


def test_an_arm_can_be_typed_in_full(view: View) -> None:
    viewer = by_keys(view, f"{LAYS}\nRed 6-4")
    press(viewer, *"43@right", "Enter")
    later(viewer)
    until_newest(viewer, "Blue lays 4-3")


def test_a_hand_is_played_by_keyboard_alone(view: View) -> None:
    viewer = by_keys(view)
    for keys, said in HAND:
        play(viewer, keys, said)
    for tile in HELD:
        press(viewer, *tile, "Enter")
        viewer.tab.wait_for_selector("#holds:focus >> text=" + "-".join(tile), timeout=WAIT_MS)
    press(viewer, "Enter")
    until_focus(viewer, "#ok")
    later(viewer)
    press(viewer, "Enter")
    until_focus(viewer, "#acts .deal")


def test_undo_and_a_bogus_call_wait_for_ok(view: View) -> None:
    viewer = by_keys(view, f"{LAYS}\nRed draw")
    press(viewer, "b")
    until_focus(viewer, "#ok")
    press(viewer, "Escape", "u")
    until_focus(viewer, "#ok")
    until_entries(viewer, 4)
    later(viewer)
    press(viewer, "Enter")
    until_newest(viewer, "Blue lays 6-3")


def test_help_lists_the_keys_and_escape_leads_back(view: View) -> None:
    viewer = by_keys(view, LAYS)
    viewer.tab.focus('[data-tile="6-4"]')
    press(viewer, "?")
    viewer.tab.wait_for_selector("#panel:focus >> text=6 5 Enter lays 6-5", timeout=WAIT_MS)
    press(viewer, "Escape")
    until_focus(viewer, '[data-tile="6-4"]')
    viewer.tab.wait_for_selector("#panel", state="hidden", timeout=WAIT_MS)


def test_letters_and_digits_do_nothing_if_switched_off_or_in_a_field(view: View) -> None:
    viewer = by_keys(view, LAYS)
    viewer.tab.click("#more-ways summary")
    viewer.tab.focus("#digits")
    press(viewer, "6", "u", "d")
    assert (viewer.tab.input_value("#digits"), viewer.tab.inner_text("#answer")) == ("6ud", "")
    viewer.tab.focus("#call")
    press(viewer, "?")
    viewer.tab.uncheck("#use-keyboard")
    viewer.tab.focus("#call")
    press(viewer, "?", "6", "u", "d")
    later(viewer)
    assert viewer.tab.inner_text("#answer") == ""
    assert viewer.tab.is_hidden("#doing")
    assert viewer.tab.is_visible("#panel"), "? closed the help"
    viewer.tab.check("#use-keyboard")
    viewer.tab.focus("#call")
    press(viewer, "6", "4", "Backspace", "1", "Enter")
    later(viewer)
    until_newest(viewer, "Red lays 6-1")


def test_the_tiles_are_one_tab_stop_and_the_focus_is_never_trapped(view: View) -> None:
    viewer = by_keys(view, LAYS)
    assert viewer.tab.locator("#tiles button[tabindex='0']").count() == 1
    viewer.tab.focus("#keying")
    stops = list[str]()
    for _ in range(60):
        press(viewer, "Tab")
        stops.append(
            viewer.tab.evaluate("document.activeElement.id || document.activeElement.dataset.tile")
        )
        if viewer.tab.evaluate("document.activeElement === document.body"):
            break
    else:
        raise AssertionError(f"Tab never leaves the page: {stops}")
    assert len([stop for stop in stops if stop and "-" in stop and stop[0].isdigit()]) == 1
    viewer.tab.focus('[data-tile="6-0"]')
    press(viewer, "ArrowDown", "ArrowLeft", "ArrowUp")
    assert viewer.tab.evaluate("document.activeElement.dataset.tile") == "6-1"


@pytest.mark.parametrize(
    ("game", "seats", "text", "typed", "said"),
    [
        (
            "high-fives",
            "Red Blue",
            "hand lead Red\ntableau 0-1 1-2 7-7 8-9 10-15",
            "8-7",
            "7-7: 4 points",
        ),
        ("highrise", "Red Blue", BASEMENT, "w3", "on 6 and W, level 1: 9 points"),
    ],
)
def test_tiles_of_other_sets_can_be_typed(  # noqa: PLR0917 - a game with what is typed in it
    browser: Any, tmp_path: Path, game: str, seats: str, text: str, typed: str, said: str
) -> None:
    keep(tmp_path / "record.db", text, seats, name=game)
    site = Site(tmp_path / "record.db")
    viewer = Viewer(browser, site, path="/", viewport=TABLET)
    try:
        viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
        press(viewer, *typed, "Enter")
        viewer.tab.wait_for_selector("#doing:not([hidden]) #meaning li", timeout=WAIT_MS)
        assert viewer.tab.locator("#doing .refusal").count() == 0
        assert said in viewer.tab.inner_text("#doing")
    finally:
        viewer.context.close()
        site.close()
    assert viewer.complaints == []


def test_keys_typed_beside_the_box_go_to_it_unless_the_tiles_have_the_focus(view: View) -> None:
    viewer = by_keys(view, LAYS, viewport=DESKTOP)
    press(viewer, "6", "4")
    assert viewer.tab.inner_text("#answer") == ""
    viewer.tab.focus('[data-tile="6-4"]')
    press(viewer, "6", "4")
    assert viewer.tab.inner_text("#answer") == "64"
