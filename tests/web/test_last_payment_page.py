"""The last tile of a game is paid with everything that the payer has left: all pages show why it is
less than the score, and who won; in real browsers."""

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
