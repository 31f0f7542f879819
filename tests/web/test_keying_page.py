"""Entries by touch in a real browser, on the whole program: a tile, an end, OK; and what a page
does without a connection, or after the table has changed."""

from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Viewer, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.phone_pictures import GAME, PICTURES
from tests.web.test_table_page import LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def phone(
    view: View, text: str | None = LAYS, who: str | None = None, seats: str = "Red Blue"
) -> Viewer:
    """A phone's page: that of the seat `who`; None: the scorekeeper's, which is the default on this
    machine."""
    viewer = view(text, seats=seats, **TOUCH)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    # What is tapped in a page's first half second was meant for what stood there before.
    until_taps_count(viewer.tab)
    if who:
        viewer.tab.select_option("#who", f"seat {who}")
        viewer.tab.wait_for_timeout(300)
        assert viewer.tab.input_value("#who") == f"seat {who}"
    return viewer


def tap(viewer: Viewer, what: str) -> None:
    viewer.tab.locator(what).tap(timeout=WAIT_MS)


def until_entries(viewer: Viewer, number: int) -> None:
    """Waits until the list of the latest entries has exactly this many."""
    entry = viewer.tab.locator("#entries li:not(.hand)")
    entry.nth(number - 1).wait_for(state="attached", timeout=WAIT_MS)
    entry.nth(number).wait_for(state="detached", timeout=WAIT_MS)


def ok(viewer: Viewer) -> None:
    """Taps OK once the page shows its effect, and not right after the table has changed."""
    until_taps_count(viewer.tab)
    tap(viewer, '#ok:not([aria-disabled="true"])')


def test_a_tile_and_ok_are_two_taps(view: View) -> None:
    viewer = phone(view)
    tap(viewer, '[data-tile="6-4"]')
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    assert "6-4: 3+4 = 7" in viewer.tab.inner_text("#meaning")
    ok(viewer)
    until_entries(viewer, 4)
    viewer.tab.wait_for_selector("#answer[data-counted=true]")
    assert viewer.tab.inner_text("#entries li:first-child .said") == "Red lays 6-4"
    assert viewer.tab.locator('[data-tile="6-4"]').get_attribute("data-stands") == "laid"
    assert not viewer.tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_if_the_ends_differ_the_end_itself_is_tapped(view: View) -> None:
    viewer = phone(view, f"{LAYS}\nRed 6-4")
    tap(viewer, '[data-tile="4-3"]')
    viewer.tab.wait_for_selector("#choices button", timeout=WAIT_MS)
    assert viewer.tab.locator("#choices button").count() == 2
    tap(viewer, "#board .pick >> nth=0")
    viewer.tab.wait_for_selector("#meaning >> text=Blue lays", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 5)


def test_tapping_an_end_plays_without_ok(view: View) -> None:
    viewer = phone(view, f"{LAYS}\nRed 6-4")
    tap(viewer, '[data-tile="4-3"]')
    viewer.tab.wait_for_selector("#choices button", timeout=WAIT_MS)
    until_taps_count(viewer.tab)
    tap(viewer, "#choices button >> nth=1")
    until_entries(viewer, 5)
    viewer.tab.wait_for_selector("#doing", state="hidden", timeout=WAIT_MS)
    assert viewer.tab.inner_text("#entries li:first-child .said") == "Blue lays 4-3"


def test_an_end_that_just_appeared_under_the_finger_waits_for_ok(view: View) -> None:
    viewer = phone(view, f"{LAYS}\nRed 6-4")
    viewer.tab.evaluate(
        """() => new MutationObserver((_, all) => {
          const key = document.querySelector("#choices button");
          if (key) all.disconnect();
          key?.click();
        }).observe(document.getElementById("choices"), { childList: true, subtree: true })"""
    )
    tap(viewer, '[data-tile="4-3"]')
    viewer.tab.wait_for_selector("#meaning >> text=Blue lays", timeout=WAIT_MS)
    viewer.tab.wait_for_timeout(300)
    until_entries(viewer, 4)
    ok(viewer)
    until_entries(viewer, 5)


def test_one_tap_on_draw_counts_and_a_double_tap_draws_once(view: View) -> None:
    viewer = phone(view)
    until_taps_count(viewer.tab)
    viewer.tab.locator(".act.draw").dblclick()
    until_entries(viewer, 4)
    viewer.tab.wait_for_timeout(300)
    assert viewer.tab.locator("#entries .said").all_inner_texts()[:2] == [
        "Red draws",
        "Blue lays 6-3",
    ]


def test_a_refused_entry_shows_the_reason_and_can_be_changed(view: View) -> None:
    viewer = phone(view)
    tap(viewer, '[data-tile="5-5"]')
    viewer.tab.wait_for_selector("#meaning .refusal", timeout=WAIT_MS)
    assert "5-5 doesn't fit: the open ends are" in viewer.tab.inner_text("#meaning")
    assert not viewer.tab.locator("#ok").is_visible()
    tap(viewer, '[data-tile="6-5"]')
    ok(viewer)
    until_entries(viewer, 4)


def test_a_chosen_tile_stays_when_another_row_comes(view: View) -> None:
    viewer, other = phone(view), phone(view)
    tap(viewer, '[data-tile="6-4"]')
    until_taps_count(other.tab)
    tap(other, ".act.draw")
    until_entries(viewer, 4)
    viewer.tab.wait_for_selector('[data-tile="6-4"][aria-pressed="true"]')
    ok(viewer)
    until_entries(viewer, 5)


def test_a_seat_keys_for_itself_and_not_for_a_seat_with_a_phone(view: View) -> None:
    red, blue = phone(view, who="Red"), phone(view, who="Blue")
    blue.tab.wait_for_selector("#tiles", state="hidden", timeout=WAIT_MS)
    tap(red, '[data-tile="6-4"]')
    ok(red)
    until_entries(blue, 4)
    blue.tab.wait_for_selector("#tiles", state="visible", timeout=WAIT_MS)
    blue.tab.wait_for_selector("#entries li:first-child .by >> text=Red's phone")
    assert blue.tab.locator("#entries .by").count() == 1, "the others nobody in particular keyed"


def test_a_tile_that_does_not_fit_is_played_if_the_table_insists(view: View) -> None:
    viewer = phone(view)
    tap(viewer, '[data-tile="5-4"]')
    viewer.tab.wait_for_selector("#meaning .refusal >> text=doesn't fit", timeout=WAIT_MS)
    tap(viewer, "text=It is on the table anyway")
    viewer.tab.fill("#ends-now", "3 5")
    tap(viewer, ".ends-now >> text=Enter")
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 5-4", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 4)
    viewer.tab.wait_for_selector("#entries .notice >> text=doesn't fit", timeout=WAIT_MS)


def test_an_entry_is_taken_back_on_the_page(view: View) -> None:
    viewer = phone(view)
    tap(viewer, ".keying summary")
    tap(viewer, "#take-back")
    ok(viewer)
    until_entries(viewer, 2)
    viewer.until_answered()
    tap(viewer, "#do-again")
    ok(viewer)
    until_entries(viewer, 3)


def test_an_earlier_entry_is_changed_once_its_chips_are_shown(view: View) -> None:
    viewer = phone(view, f"{LAYS}\nRed 6-4")
    viewer.open_entry("Blue lays 6-3")
    viewer.tab.click("#as-text summary")
    viewer.tab.fill("#written", "Blue 6-1")
    tap(viewer, "text=Make this change")
    viewer.tab.wait_for_selector("#meaning >> text=Blue gives Red back 15", timeout=WAIT_MS)
    assert "Blue: 15 → 0" in viewer.tab.inner_text("#meaning")
    ok(viewer)
    viewer.tab.wait_for_selector("#entries >> text=Blue lays 6-1", timeout=WAIT_MS)
    viewer.until_answered()
    viewer.open_entry("Red lays 6-4")
    tap(viewer, "text=Delete it")
    ok(viewer)
    until_entries(viewer, 3)


def test_an_entry_is_corrected_by_tapping_another_tile_seat_or_a_draw(view: View) -> None:
    viewer = phone(view, f"{LAYS}\nRed 6-4")
    viewer.open_entry("Blue lays 6-3")
    tap(viewer, "#other-tile")
    tap(viewer, '#other-tiles [data-tile="6-1"]')
    ok(viewer)
    viewer.tab.wait_for_selector("#entries >> text=Blue lays 6-1", timeout=WAIT_MS)
    viewer.until_answered()
    viewer.open_entry("Red lays 6-4")
    tap(viewer, "text=Red drew before this")
    ok(viewer)
    viewer.tab.wait_for_selector("#entries >> text=Red draws", timeout=WAIT_MS)
    viewer.until_answered()
    viewer.open_entry("Red lays 6-4")
    viewer.tab.click("#as-text summary")
    viewer.tab.fill("#written", "6-2")
    tap(viewer, "text=Make this change")
    ok(viewer)
    viewer.tab.wait_for_selector("#entries >> text=Red lays 6-2", timeout=WAIT_MS)


def test_without_a_connection_nothing_is_accepted_or_queued(view: View) -> None:
    viewer = phone(view)
    viewer.tab.evaluate("WebSocket.prototype.send = () => {}")
    viewer.until_state("lost")
    assert viewer.tab.locator(".act.draw").get_attribute("aria-disabled") == "true"
    viewer.tab.locator(".act.draw").dispatch_event("click")
    viewer.tab.reload()
    viewer.until_state("connected")
    viewer.tab.wait_for_selector("#entries li", timeout=WAIT_MS)
    until_entries(viewer, 3)


def test_a_lost_answer_is_requested_again_after_a_reload(view: View) -> None:
    viewer = phone(view)
    until_taps_count(viewer.tab)
    viewer.tab.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            send.call(this, text);
            if (text.includes("propose")) this.onmessage = null;
          };
        }"""
    )
    tap(viewer, ".act.draw")
    viewer.tab.wait_for_timeout(900)  # draws that follow each other quickly are one entry
    assert viewer.tab.evaluate("sessionStorage.getItem('pending') !== null")
    viewer.tab.reload()
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
    until_entries(viewer, 4)
    assert viewer.tab.evaluate("sessionStorage.getItem('pending')") is None


def test_a_hand_with_a_dispute_is_entered_on_a_phone_alone(view: View) -> None:
    viewer = phone(view, "hand\nRed 6-6\nBlue draw")
    tap(viewer, "#call")
    viewer.tab.wait_for_selector("#meaning >> text=Red calls Blue bogus", timeout=WAIT_MS)
    assert not viewer.tab.locator("#claim").is_visible()
    ok(viewer)
    viewer.tab.wait_for_selector("#claim", state="visible", timeout=WAIT_MS)
    tap(viewer, '[data-tile="6-1"]')
    tap(viewer, "#holds")
    viewer.tab.wait_for_selector("#meaning >> text=Blue", timeout=WAIT_MS)
    ok(viewer)
    viewer.tab.wait_for_selector("#answer:not(:empty)", timeout=WAIT_MS)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [{"width": 360, "height": 780}, {"width": 768, "height": 1024}])
def test_every_key_is_large_enough_and_has_a_name(view: View, size: Any) -> None:
    viewer = view(LAYS, viewport=size, has_touch=True, is_mobile=True)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    tap(viewer, ".keying summary")
    assert not viewer.tab.evaluate("document.documentElement.scrollWidth > innerWidth")
    for key in viewer.tab.locator(".keying button:visible").all():
        box = key.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert key.get_attribute("aria-label") or key.inner_text()


def test_every_state_shown_in_the_manual_can_be_drawn(view: View) -> None:
    viewer = view(GAME, viewport=PHONE)
    for picture in PICTURES.values():
        for what in picture.taps if picture.text == GAME else ():
            viewer.tab.click(what)
            viewer.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)


CALLED = "hand\nRed 6-6\nBlue draw\nbogus Blue by Red"


def test_the_accused_is_cleared_by_a_tap_on_the_caller_s_phone(view: View) -> None:
    blue, red = phone(view, CALLED, who="Blue"), phone(view, who="Red")
    tap(blue, ".act.rule-clear")
    ok(blue)
    blue.tab.wait_for_selector("#answer >> text=Red is asked to agree", timeout=WAIT_MS)
    assert not blue.tab.locator("#doing").is_visible()
    assert blue.tab.get_attribute("#answer", "data-counted") == "true", "it is no refusal"
    red.tab.wait_for_selector("#agree-asked >> text=Blue asks: is Blue clear?", timeout=WAIT_MS)
    tap(red, "#disagree")
    blue.tab.wait_for_selector("#answer >> text=Red doesn't agree", timeout=WAIT_MS)
    red.tab.wait_for_selector("#agreeing", state="hidden", timeout=WAIT_MS)
    until_entries(blue, 4)
    tap(blue, ".act.rule-clear")
    ok(blue)
    tap(red, "#agree")
    until_entries(blue, 5)
    red.tab.wait_for_selector("#agreeing", state="hidden", timeout=WAIT_MS)


def test_one_phone_asks_whether_all_agree(view: View) -> None:
    keeper = phone(view, CALLED)
    tap(keeper, ".act.rule-clear")
    ok(keeper)
    keeper.tab.wait_for_selector("#answer >> text=All agreed? Then OK", timeout=WAIT_MS)
    until_entries(keeper, 4)
    ok(keeper)
    until_entries(keeper, 5)


def test_if_anybody_may_key_a_phone_keys_for_a_seat_with_its_own(view: View) -> None:
    blue, red = phone(view, LAYS, who="Blue"), phone(view, who="Red")
    assert not blue.tab.locator(".act.draw").is_visible(), "Red keys that"
    assert not blue.tab.locator("#for-other").is_visible()
    tap(red, '[data-panel="rules"]')
    red.tab.select_option('#panel select:has([value="anyone"])', "anyone")
    blue.tab.wait_for_selector("#for-other >> text=Key for Red", timeout=WAIT_MS)
    assert blue.tab.locator("#call, #take-back").count() == 2
    tap(blue, "#for-other")
    tap(blue, '[data-tile="6-4"]')
    blue.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    ok(blue)
    red.tab.wait_for_selector("#news >> text=Blue for Red: lays 6-4", timeout=WAIT_MS)


def test_a_finished_hand_continues_only_after_ok(view: View) -> None:
    """Red has played its last tile, and Blue is asked for its holding; but the counts may be
    wrong."""
    over = "hand\nRed 6-6\nBlue 6-1\nRed 6-2\nBlue 1-3\nRed 3-4"
    view(over, options={"deal": 3})
    viewer = phone(view, over, who="Red")
    viewer.tab.wait_for_selector("#holds", timeout=WAIT_MS)
    assert not viewer.tab.locator("#acts .act.draw, #acts .act.pass").count()
    tap(viewer, "#more-ways summary")
    for name in ("draw", "pass"):
        tap(viewer, f"#more-acts .act.{name}")
        viewer.tab.wait_for_selector("#meaning >> text=This hand is over", timeout=WAIT_MS)
        until_entries(viewer, 6)
        tap(viewer, "#cancel")
    tap(viewer, "#more-acts .act.draw")
    ok(viewer)
    until_entries(viewer, 7)
