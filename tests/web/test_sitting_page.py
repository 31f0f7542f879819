"""Sitting down in browsers: one phone starts a game, others take seats, and key for them."""

import time
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.core.clock import BREAK_S
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.seats import NAME, deal, give_names, open_table
from tests.web.test_home_page import SIZES, fits, overlap

PHONE = {"width": 360, "height": 640}
SEATS = "#sit .place"
LONG_NAMES = (
    *("Bartholomew Finn", "Wilhelmina Rose", "Maximilian Alex", "Konstantina Eve"),
    *("Jo", "Old Tom", "Granny Margaret", "Liesbeth"),
)


def starts(browser: Any, site: Site, players: int) -> Viewer:
    """The page on which somebody starts a game for that many."""
    starter = Viewer(browser, site, path="/", viewport=PHONE)
    open_table(starter.tab, players)
    return starter


def names_on(tab: Any) -> list[str]:
    """The names on the seats that the starter sees, in turn order."""
    found: list[str] = tab.locator("#panel .place .who").all_inner_texts()
    return found


def joins(browser: Any, site: Site, name: str, seat: int) -> Viewer:
    """A phone that takes this seat under that name."""
    phone = Viewer(browser, site, path="/", viewport=PHONE)
    phone.tab.wait_for_selector(SEATS, timeout=WAIT_MS)
    phone.tab.wait_for_selector("#sit input:focus", timeout=WAIT_MS)
    phone.tab.keyboard.type(name)
    phone.tab.click(f"{SEATS} >> nth={seat - 1}")
    phone.tab.wait_for_selector(f'#sit .own >> text="{name}"', timeout=WAIT_MS)
    return phone


def test_phones_take_seats_and_key_for_them_once_the_game_begins(
    browser: Any, tmp_path: Path
) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 4)
    jo, old_tom = joins(browser, site, "Jo", 3), joins(browser, site, "Old Tom", 2)
    give_names(starter.tab, ("Granny Margaret", "Max"))
    max_ = Viewer(browser, site, path="/", viewport=PHONE)
    max_.tab.click(f'{SEATS} >> text="Max"', timeout=WAIT_MS)  # whose name was typed already
    max_.tab.wait_for_selector('#sit .own >> text="Max"', timeout=WAIT_MS)
    jo.tab.wait_for_selector(f'{SEATS} >> text="Granny Margaret"', timeout=WAIT_MS)
    deal(starter.tab)
    for phone, seat in ((jo, "Jo"), (old_tom, "Old_Tom"), (max_, "Max")):
        phone.tab.wait_for_selector("#seats li", timeout=WAIT_MS)
        phone.tab.wait_for_function(
            "(seat) => document.querySelector('#who').value === `seat ${seat}`",
            arg=seat,
            timeout=WAIT_MS,
        )
        assert phone.tab.is_hidden("#sit")
    for phone in (starter, jo, old_tom, max_):
        assert phone.complaints == []
        phone.context.close()
    site.close()


def test_a_tv_uses_its_whole_width_to_show_who_sits_down(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    size = {"width": 1920, "height": 1080}
    tv = Viewer(browser, site, path="/tv", viewport=size)
    starter = starts(browser, site, 4)
    tv.tab.wait_for_selector("#sit-seats .place", timeout=WAIT_MS)
    sit = tv.tab.locator("#sit").bounding_box()
    seats = tv.tab.locator("#sit-seats").bounding_box()
    assert sit["x"] + sit["width"] > 0.95 * size["width"]
    assert seats["width"] > size["width"] / 2
    for page in (tv, starter):
        page.context.close()
    site.close()


def test_a_second_phone_with_the_same_name_is_asked_who_it_is(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 3)
    anna = joins(browser, site, "Anna", 1)
    other = Viewer(browser, site, path="/", viewport=PHONE)
    other.tab.wait_for_selector(f'{SEATS} >> text="Anna"', timeout=WAIT_MS)
    other.tab.fill("#sit input", "anna")
    other.tab.click("#sit .main")
    question = "#sit >> text=Anna is at this table already. Is that you?"
    other.tab.wait_for_selector(question, timeout=WAIT_MS)
    assert not other.tab.locator("#sit .own").count()
    other.tab.keyboard.type("Anna B")  # the name that was typed is selected
    other.tab.wait_for_selector(question, state="hidden", timeout=WAIT_MS)
    other.tab.keyboard.press("Enter")
    other.tab.wait_for_selector('#sit .own >> text="Anna B"', timeout=WAIT_MS)
    assert names_on(starter.tab) == ["Anna", "Anna B", "Free seat"]
    second = Viewer(browser, site, path="/", viewport=PHONE)
    second.tab.wait_for_selector(f'{SEATS} >> text="Anna B"', timeout=WAIT_MS)
    second.tab.fill("#sit input", "Anna")
    second.tab.keyboard.press("Enter")
    second.tab.click("#sit >> text=Yes, it's me", timeout=WAIT_MS)
    second.tab.wait_for_selector('#sit .own >> text="Anna"', timeout=WAIT_MS)
    assert names_on(starter.tab) == ["Anna", "Anna B", "Free seat"]
    for page in (starter, anna, other, second):
        assert page.complaints == []
        page.context.close()
    site.close()


def test_a_mistyped_name_is_corrected_before_the_deal(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 2)
    give_names(starter.tab, ("Tom",))
    jo = joins(browser, site, "Joo", 2)
    jo.tab.click("#sit >> text=Change my name")
    assert jo.tab.input_value("#sit input") == "Joo"
    jo.tab.fill("#sit input", "Tom")
    jo.tab.keyboard.press("Enter")
    jo.tab.wait_for_selector("#sit >> text=Tom is at this table already", timeout=WAIT_MS)
    jo.tab.fill("#sit input", "Jo")
    jo.tab.keyboard.press("Enter")
    jo.tab.wait_for_selector('#sit .own >> text="Jo"', timeout=WAIT_MS)
    assert names_on(starter.tab) == ["Tom", "Jo"]
    deal(starter.tab)
    is_jo = "() => document.querySelector('#who').value === 'seat Jo'"
    jo.tab.wait_for_function(is_jo, timeout=WAIT_MS)
    for page in (starter, jo):
        assert page.complaints == []
        page.context.close()
    site.close()


def test_moving_frees_a_seat_and_a_taken_seat_is_refused(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 3)
    jo = joins(browser, site, "Jo", 1)
    jo.tab.click(f"{SEATS} >> nth=1")
    jo.tab.wait_for_selector(f'{SEATS}.own[data-seat="2"]', timeout=WAIT_MS)
    assert names_on(starter.tab) == ["Free seat", "Jo", "Free seat"]
    jo.tab.reload()
    jo.tab.wait_for_selector(f'{SEATS}.own[data-seat="2"]', timeout=WAIT_MS)
    starter.tab.click("#menu")  # nobody sits down any more
    jo.tab.wait_for_selector("#welcome", state="visible", timeout=WAIT_MS)
    for phone in (starter, jo):
        phone.context.close()
    site.close()


@pytest.mark.sampled(1, of="players")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_seats_are_visible_in_every_window_and_accessible(
    browser: Any, tmp_path: Path, players: int, scheme: str
) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, players)
    phone = Viewer(browser, site, path="/", color_scheme=scheme)
    phone.tab.wait_for_selector(SEATS, timeout=WAIT_MS)
    phone.tab.wait_for_selector(f'#sit .around[data-many="{players}"]', timeout=WAIT_MS)
    for width, height in SIZES:
        phone.tab.set_viewport_size({"width": width, "height": height})
        assert fits(phone.tab, f"#sit input, {SEATS}"), f"{width}x{height}"
        assert phone.tab.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(phone.tab) == []
    assert violations(starter.tab) == []
    for one in (starter, phone):
        assert one.complaints == []
        one.context.close()
    site.close()


def test_a_name_tapped_at_a_full_table_shows_how_to_free_a_seat(
    browser: Any, tmp_path: Path
) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 2)
    give_names(starter.tab, ("Anna", "Ben"))
    starter.tab.click('#panel .known [data-name="Blue"]')
    starter.tab.wait_for_selector("#panel .notice >> text=Every seat is taken", timeout=WAIT_MS)
    assert names_on(starter.tab) == ["Anna", "Ben"]
    starter.tab.locator("#panel .place").first.click()
    starter.tab.click("#panel >> text=Free the seat")
    starter.tab.wait_for_selector("#panel .notice", state="hidden", timeout=WAIT_MS)
    starter.tab.click('#panel .known [data-name="Blue"]')
    assert names_on(starter.tab) == ["Blue", "Ben"]
    starter.tab.click('#panel .known [data-name="Red"]')
    starter.tab.wait_for_selector("#panel .notice >> text=Every seat is taken", timeout=WAIT_MS)
    starter.tab.click('#panel .known [data-name="Blue"]')
    starter.tab.wait_for_selector("#panel .notice", state="hidden", timeout=WAIT_MS)
    assert starter.complaints == []
    starter.context.close()
    site.close()


def test_two_taps_or_a_drag_swap_two_seats(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 4)
    give_names(starter.tab, ("Anna", "Ben", "Cleo"))
    seat = starter.tab.locator("#panel .place")
    seat.nth(0).click()
    starter.tab.wait_for_selector("#panel >> text=Anna changes places", timeout=WAIT_MS)
    seat.nth(1).click()
    assert names_on(starter.tab) == ["Ben", "Anna", "Cleo", "Free seat"]
    seat.nth(2).drag_to(seat.nth(3))
    assert names_on(starter.tab) == ["Ben", "Anna", "Free seat", "Cleo"]
    seat.nth(1).focus()
    starter.tab.keyboard.press("Enter")
    seat.nth(2).focus()
    starter.tab.keyboard.press("Enter")
    assert names_on(starter.tab) == ["Ben", "Free seat", "Anna", "Cleo"]
    assert starter.complaints == []
    starter.context.close()
    site.close()


def test_a_colour_that_somebody_has_is_not_offered(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 3)
    jo, tom = joins(browser, site, "Jo", 1), joins(browser, site, "Tom", 2)
    tom.tab.click("#sit .hue >> text=Yellow", timeout=WAIT_MS)
    jo.tab.wait_for_selector("#sit .hue >> text=Yellow", state="detached", timeout=WAIT_MS)
    assert jo.tab.locator("#sit .hue").all_inner_texts() == ["Red", "Blue", "Green"]
    give_names(starter.tab, ("Anna",))
    deal(starter.tab)
    jo.tab.wait_for_selector("#seats li", timeout=WAIT_MS)
    colours = "(found) => found.map((one) => one.dataset.colour)"
    assert jo.tab.locator("#seats .seat").evaluate_all(colours) == ["red", "yellow", "blue"]
    for phone in (starter, jo, tom):
        assert phone.complaints == []
        phone.context.close()
    site.close()


def test_a_known_name_is_found_whatever_its_capitals(browser: Any, tmp_path: Path) -> None:
    """Otherwise one person would be two in the statistics."""
    keep(tmp_path / "old.db", "hand", "Anna Ben McKay", at=time.time() - 2 * BREAK_S)
    site = Site(tmp_path / "old.db")
    starter = starts(browser, site, 3)
    starter.tab.fill(NAME, "mckay")
    starter.tab.press(NAME, "Enter")
    starter.tab.wait_for_selector('#panel .place .who >> text="McKay"', timeout=WAIT_MS)
    phone = Viewer(browser, site, path="/", viewport=PHONE)
    phone.tab.wait_for_selector("#sit input:focus", timeout=WAIT_MS)
    phone.tab.keyboard.type("ANNA")
    phone.tab.click(f"{SEATS} >> nth=1")
    phone.tab.wait_for_selector('#sit .own >> text="Anna"', timeout=WAIT_MS)
    assert names_on(starter.tab)[:2] == ["McKay", "Anna"]
    for page in (starter, phone):
        assert page.complaints == []
        page.context.close()
    site.close()


def test_one_tap_seats_the_same_people_as_last_time(browser: Any, tmp_path: Path) -> None:
    names = ("Anna", "Ben", "Cleo")
    colours = (("colours", "Green Red Blue"),)
    old = time.time() - 2 * BREAK_S
    keep(tmp_path / "old.db", "hand", " ".join(names), at=old, words=colours)
    site = Site(tmp_path / "old.db")
    starter = starts(browser, site, 4)
    starter.tab.click("#panel .last")
    starter.tab.wait_for_selector('#panel .around[data-many="3"]', timeout=WAIT_MS)
    assert names_on(starter.tab) == list(names)
    hues = "(found) => found.map((one) => one.dataset.colour)"
    assert starter.tab.locator("#panel .place").evaluate_all(hues) == ["green", "red", "blue"]
    deal(starter.tab)
    starter.tab.wait_for_selector("#seats li", timeout=WAIT_MS)
    starter.context.close()
    site.close()


def test_a_phone_that_comes_back_after_the_deal_has_its_seat(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db")
    starter = starts(browser, site, 2)
    jo = joins(browser, site, "Jo", 1)
    jo.tab.goto("about:blank")
    give_names(starter.tab, ("Tom",))
    deal(starter.tab)
    starter.tab.wait_for_selector("#seats li", timeout=WAIT_MS)
    jo.tab.goto(f"http://127.0.0.1:{site.port}/")
    is_jo = "() => document.querySelector('#who').value === 'seat Jo'"
    jo.tab.wait_for_function(is_jo, timeout=WAIT_MS)
    for phone in (starter, jo):
        phone.context.close()
    site.close()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_table_of_any_size_fits_the_starters_window(
    browser: Any, tmp_path: Path, players: int
) -> None:
    site = Site(tmp_path / "none.db")
    starter = Viewer(browser, site, path="/", viewport=PHONE, color_scheme="dark")
    open_table(starter.tab, players, game="high-fives" if players > 4 else "")
    give_names(starter.tab, LONG_NAMES[:players])
    for width, height in SIZES:
        starter.tab.set_viewport_size({"width": width, "height": height})
        assert starter.tab.evaluate("document.documentElement.scrollWidth") <= width
        boxes = [one.bounding_box() for one in starter.tab.locator("#panel .place").all()]
        assert not any(overlap(*pair) for pair in combinations(boxes, 2)), f"{width}x{height}"
        assert all(one["height"] >= 44 for one in boxes)
    assert violations(starter.tab) == []
    starter.context.close()
    site.close()
