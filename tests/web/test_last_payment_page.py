"""Payments on phones and the TV, in real browsers: the last tile of a game is paid with everything
that the payer has left, and all pages show why it is less than the score, and who won; a waiting
phone shows a payment large only until the next entry."""

from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import ok, phone, tap
from tests.web.test_table_page import DESKTOP, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

BEFORE = ["hand", "Lies 6-6", "Tom 6-1", "Lies 6-2", "Tom 1-3", "chips Tom 145 agreed"]
LAST = "6-5"


def test_phones_and_tv_explain_the_reduced_payment_and_name_the_winner(view: View) -> None:
    view("\n".join(BEFORE), seats="Tom Lies", options={"deal": 3})
    winner, loser = phone(view, who="Lies"), phone(view, who="Tom")
    tv = view(None, path="/tv", viewport=DESKTOP)
    tap(winner, f'[data-tile="{LAST}"]')
    ok(winner)
    winner.tab.wait_for_selector("#asked:text-is('You won, Lies')", timeout=WAIT_MS)
    loser.tab.wait_for_selector("#asked:text-is('Lies won')", timeout=WAIT_MS)
    assert not loser.tab.locator("#holds").is_visible(), "nothing is asked any more"
    paid = loser.tab.inner_text("#payments .pays")
    assert paid == "You pay Lies 5: all that was left"
    assert winner.tab.inner_text("#payments .pays") == "Tom pays you 5: all that was left"
    tv.tab.wait_for_selector(
        "#payments >> text=Tom pays Lies 5: all that was left", state="attached", timeout=WAIT_MS
    )
    entry = loser.tab.inner_text("#entries li:not(.hand) >> nth=0")
    assert "Tom pays Lies 5: all that was left" in entry


def test_a_waiting_phone_shows_a_payment_small_after_the_next_entry(view: View) -> None:
    anna = phone(view, "hand\nAnna 6-6", seats="Anna Ben Cleo", who="Anna")
    ben, cleo = phone(view, who="Ben"), phone(view, who="Cleo")
    tap(ben, '[data-tile="6-3"]')
    ok(ben)
    anna.tab.wait_for_selector("body.waits #paid:not(.past)", timeout=WAIT_MS)
    assert anna.tab.inner_text("#payments .pays") == "You pay Ben 15"
    large = anna.tab.locator("#paid").bounding_box()
    tap(cleo, '[data-tile="6-4"]')
    ok(cleo)
    ben.tab.wait_for_selector("body.waits #paid.past", timeout=WAIT_MS)
    small = ben.tab.locator("#paid").bounding_box()
    assert ben.tab.inner_text("#paid").split("\n\n") == ["Anna pays you 15", "6-3: 12+3 = 15"]
    assert 0 < small["height"] < 0.7 * large["height"]
