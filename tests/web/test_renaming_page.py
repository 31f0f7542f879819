"""A misspelt name is tapped at its seat and corrected, in real browsers, while the game goes on."""

from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import TOUCH, ok, phone, tap
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture


def test_a_name_tapped_at_its_seat_is_changed_everywhere(view: View) -> None:
    red = view("hand\nAnan 6-6\nTom 6-3", seats="Anan Tom", **TOUCH)
    red.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    tom, tv = phone(view, None, "Tom"), view(None, path="/tv")
    tap(red, '#seats [data-seat="Anan"]')
    assert red.tab.input_value("#renaming input") == "Anan"
    for key in red.tab.locator("#renaming button").all():
        assert key.bounding_box()["height"] >= 44
    red.tab.fill("#renaming input", "Anna Lou")
    tap(red, "#renaming .act.main")
    red.tab.wait_for_selector("#meaning >> text=games count as Anna Lou's", timeout=WAIT_MS)
    ok(red)
    for viewer in (red, tom, tv):
        viewer.tab.wait_for_selector("#seats >> text=Anna Lou", timeout=WAIT_MS)
    tom.tab.wait_for_selector("#entries >> text=Anna Lou lays 6-6", timeout=WAIT_MS)
    assert "Anan" not in tom.tab.inner_text("#who")
    tom.open_entry("Anna Lou lays 6-6")
    tom.tab.click("#as-text summary")
    assert tom.tab.input_value("#written") == "Anna_Lou 6-6"
    tom.tab.fill("#written", "anna_lou lays 5-5")
    tap(tom, "#as-text [value=change]")
    tom.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
    assert "Anan" not in tom.tab.inner_text("#meaning")


def test_a_player_s_own_phone_offers_to_change_the_name(view: View) -> None:
    view("hand\nAnan 6-6\nTom 6-3", seats="Anan Tom")
    anna = phone(view, None, "Anan")
    tap(anna, "#more >> text=Change my name")
    anna.tab.fill("#renaming input", "Anna")
    tap(anna, "#renaming .act.main")
    ok(anna)
    anna.tab.wait_for_selector("#seats >> text=Anna", timeout=WAIT_MS)
    anna.tab.select_option("#who", "scorekeeper")
    anna.tab.wait_for_selector("#rename", state="hidden", timeout=WAIT_MS)


def test_colours_cannot_be_renamed_and_watchers_rename_nobody(view: View) -> None:
    red = phone(view, "hand\nRed 6-6")
    tap(red, '#seats [data-seat="Red"]')
    assert not red.tab.locator("#renaming input").count()
    red.tab.select_option("#who", "watcher")
    tap(red, '#seats [data-seat="Blue"]')
    assert not red.tab.locator("#renaming input").count()


def test_a_substitute_takes_the_seat_and_all_entries_stay(view: View) -> None:
    red = view("hand\nAnna 6-6\nTom 6-3", seats="Anna Tom", **TOUCH)
    red.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    tap(red, '#seats [data-seat="Tom"]')
    tap(red, "#renaming >> text=Somebody else sits here")  # nobody is named yet: nothing happens
    red.tab.fill("#renaming input", "Eve")
    tap(red, "#renaming >> text=Somebody else sits here")
    red.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
    ok(red)
    red.tab.wait_for_selector("#entries >> text=Eve lays 6-3", timeout=WAIT_MS)
    assert "Tom" not in red.tab.inner_text("#seats")
