"""Sitting down in browsers: one phone starts a game, others take seats, and key for them."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.seats import deal, give_names, open_table
from tests.web.test_accessible import violations
from tests.web.test_home_page import SIZES, fits

PHONE = {"width": 360, "height": 640}
SEATS = "#sit .place"


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
