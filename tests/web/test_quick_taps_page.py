"""Taps in quick succession, and without a connection, in a real browser: each counts, or the page
shows why it doesn't; and no started entry is lost."""

import pytest

from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import ok, phone, tap, until_entries
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

TAPS = """([what, times]) => {
  for (const ms of times) setTimeout(() => document.querySelector(what).click(), ms);
}"""
SLOWLY = """() => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (text) {
    if (text.includes('"propose"')) setTimeout(() => send.call(this, text), 600);
    else send.call(this, text);
  };
}"""
HELD = """() => {
  const send = WebSocket.prototype.send, held = [];
  WebSocket.prototype.send = function (text) {
    if (window.goOn || !text.includes('"propose"')) send.call(this, text);
    else held.push(() => send.call(this, text));
  };
  window.letGo = () => { window.goOn = true; for (const one of held) one(); };
}"""
"""Holds back all proposals until `letGo`."""
CUT = """() => {
  const send = WebSocket.prototype.send;
  window.cut = true;
  WebSocket.prototype.send = function (text) { if (!window.cut) send.call(this, text); };
}"""
ON_CHANGE = """(what) => new MutationObserver((_, seeing) => {
  seeing.disconnect();
  setTimeout(() => document.querySelector(what).click(), 50);
}).observe(document.getElementById("entries"), { childList: true, subtree: true })"""


def cut(viewer: Viewer) -> None:
    """Cuts the connection before the page notices."""
    viewer.tab.evaluate(CUT)


def connect_again(viewer: Viewer) -> None:
    viewer.until_state("lost")
    viewer.tab.evaluate("window.cut = false")
    viewer.until_state("connected")


def until_answer(viewer: Viewer, words: str) -> None:
    viewer.tab.wait_for_selector(f"#answer >> text={words}", timeout=WAIT_MS)


def said(viewer: Viewer, number: int) -> list[str]:
    return list(viewer.tab.locator("#entries .said").all_inner_texts()[:number])


@pytest.mark.parametrize("times", [(0, 150, 300), (0, 110, 220), (0, 250, 800)], ids=str)
def test_three_draws_in_quick_succession_are_one_entry(view: View, times: tuple[int, ...]) -> None:
    viewer = phone(view)
    viewer.tab.evaluate(TAPS, [".act.draw", times])
    until_answer(viewer, "Red draws 3")
    assert viewer.tab.inner_text(".act.draw") == "Draw 3"
    until_entries(viewer, 4)
    assert said(viewer, 1) == ["Red draws 3 tiles"]
    viewer.tab.wait_for_timeout(900)
    until_entries(viewer, 4)
    assert viewer.tab.inner_text(".act.draw") == "Draw"


def test_draws_that_waited_for_an_answer_are_counted_together(view: View) -> None:
    viewer = phone(view)
    viewer.tab.evaluate(HELD)
    tap(viewer, ".act.draw")
    viewer.tab.wait_for_timeout(900)
    viewer.tab.evaluate(TAPS, [".act.draw", (0, 150)])
    viewer.tab.wait_for_selector('.act.draw[data-waits="2"]', timeout=WAIT_MS)
    viewer.tab.evaluate("window.letGo()")
    until_entries(viewer, 5)
    viewer.tab.wait_for_selector(".act.draw[data-waits]", state="detached", timeout=WAIT_MS)
    assert said(viewer, 2) == ["Red draws 2 tiles", "Red draws"]


def test_tapping_a_tile_ends_the_counting_of_draws(view: View) -> None:
    viewer = phone(view)
    viewer.tab.evaluate(TAPS, [".act.draw", (0, 150)])
    viewer.tab.evaluate(TAPS, ['[data-tile="6-4"]', (300,)])
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    assert said(viewer, 1) == ["Red draws 2 tiles"]
    ok(viewer)
    until_entries(viewer, 5)


LEFT_6 = "hand\nRed 6-6\nBlue draw 8\nBlue 6-5"
"""Entries that leave six of the fourteen tiles in the boneyard."""


def test_quick_draws_stop_at_the_last_tile_and_ask_before_going_beyond(view: View) -> None:
    viewer = phone(view, LEFT_6)
    viewer.tab.evaluate(TAPS, [".act.draw", [110 * tap for tap in range(9)]])
    until_answer(viewer, "Red draws 6: by our count, no more are left")
    until_entries(viewer, 5)
    assert said(viewer, 1) == ["Red draws 6 tiles"]
    viewer.tab.wait_for_timeout(500)
    tap(viewer, ".act.draw")
    until_answer(viewer, "no tile is left to draw")
    viewer.tab.wait_for_selector("#meaning >> text=or there is one too many", timeout=WAIT_MS)
    until_entries(viewer, 5)
    ok(viewer)
    until_entries(viewer, 6)


def test_a_waiting_entry_that_no_longer_fits_is_reported(view: View) -> None:
    """Enters Pass, then Draw for the same seat before the pass is answered."""
    viewer = phone(view)
    viewer.tab.evaluate(SLOWLY)
    viewer.tab.evaluate(TAPS, [".act.pass", (0,)])
    viewer.tab.evaluate(TAPS, [".act.draw", (150,)])
    until_entries(viewer, 4)
    until_answer(viewer, "“Draw” did not count")
    assert said(viewer, 1) == ["Red passes"]


def test_a_tile_tapped_while_waiting_for_an_answer_is_begun_after_it(view: View) -> None:
    viewer = phone(view)
    viewer.tab.evaluate(SLOWLY)
    viewer.tab.evaluate(TAPS, [".act.draw", (0,)])
    viewer.tab.evaluate(TAPS, ['[data-tile="6-4"]', (150,)])
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 5)


def test_two_taps_on_ok_play_once(view: View) -> None:
    viewer = phone(view)
    viewer.tab.evaluate(SLOWLY)
    tap(viewer, '[data-tile="6-4"]')
    viewer.tab.wait_for_selector('#ok:not([aria-disabled="true"])', timeout=WAIT_MS)
    viewer.tab.evaluate(TAPS, ["#ok", (0, 150, 300)])
    until_entries(viewer, 4)
    viewer.tab.wait_for_timeout(900)
    until_entries(viewer, 4)


def test_a_key_that_changed_under_the_finger_says_so(view: View) -> None:
    viewer, other = phone(view), phone(view)
    viewer.tab.evaluate(ON_CHANGE, ".act.pass")
    tap(other, ".act.pass")
    until_entries(viewer, 4)
    until_answer(viewer, "has just changed: tap again")
    until_entries(viewer, 4)


def test_an_entry_begun_offline_can_be_confirmed_after_reconnecting(view: View) -> None:
    viewer = phone(view)
    cut(viewer)
    tap(viewer, '[data-tile="6-4"]')
    connect_again(viewer)
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 4)


def test_an_entry_that_was_previewed_stays_over_a_lost_connection(view: View) -> None:
    viewer = phone(view)
    tap(viewer, '[data-tile="6-4"]')
    viewer.tab.wait_for_selector("#meaning >> text=Red lays 6-4", timeout=WAIT_MS)
    cut(viewer)
    viewer.until_state("lost")
    viewer.tab.locator("#ok").dispatch_event("click")
    until_answer(viewer, "No connection")
    connect_again(viewer)
    ok(viewer)
    until_entries(viewer, 4)


def test_a_draw_that_never_arrived_is_offered_again(view: View) -> None:
    viewer = phone(view)
    cut(viewer)
    tap(viewer, ".act.draw")
    connect_again(viewer)
    until_answer(viewer, "did not count")
    viewer.tab.wait_for_selector("#meaning >> text=Red draws", timeout=WAIT_MS)
    ok(viewer)
    until_entries(viewer, 4)
    assert said(viewer, 1) == ["Red draws"]


def test_digits_typed_without_a_connection_stay(view: View) -> None:
    viewer = phone(view)
    cut(viewer)
    viewer.until_state("lost")
    tap(viewer, ".keying summary")
    viewer.tab.fill("#digits", "15")
    tap(viewer, "#numbers button[type=submit]")
    until_answer(viewer, "No connection")
    assert viewer.tab.input_value("#digits") == "15"
    connect_again(viewer)
    assert viewer.tab.input_value("#digits") == "15"
    tap(viewer, "#numbers button[type=submit]")
    viewer.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
