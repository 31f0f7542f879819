"""The part of the page below a phone's first screen: one key scrolls there, one back, and the page
returns to the first screen by itself if somebody has to act. Also what a seat's phone offers for
other seats that have phones."""

from pathlib import Path
from typing import Any

import pytest

from companion.record.rows import Setting
from companion.record.store.store import Store
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.web.in_browser import Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep

SMALL = {"width": 360, "height": 640}
GAME = "hand lead Anna\nAnna 5-5\nBen draw\nBen 5-0"
SEATS = "Anna Ben Cleo"
BELOW = ("#who", '[data-panel="chips"]', '[data-panel="race"]', '[data-panel="help"]')
IS_FREE = """(what) => {
  const one = document.querySelector(what);
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
LARGE = 1500
"""The least area of a tile in pixels; tiles once were 44×24."""


def sits(browser: Any, site: Site, seat: str) -> Viewer:
    """A phone's page for that seat."""
    phone = Viewer(browser, site, path="/", viewport=SMALL, has_touch=True, is_mobile=True)
    phone.tab.select_option("#who", f"seat {seat}")
    phone.tab.evaluate("scrollTo(0, 0)")
    phone.tab.wait_for_selector("body:not(.below)")
    return phone


def is_in_sight(phone: Viewer, what: str) -> bool:
    box = phone.tab.locator(what).bounding_box()
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= SMALL["height"]


def until_on_top(phone: Viewer) -> None:
    phone.tab.wait_for_function("() => scrollY === 0")


def test_one_key_opens_the_part_below_the_first_screen_and_one_closes_it(
    browser: Any, tmp_path: Path
) -> None:
    keep(tmp_path / "game.db", GAME, SEATS)
    site = Site(tmp_path / "game.db")
    phone = sits(browser, site, "Cleo")
    assert is_in_sight(phone, "#see-more")
    phone.tab.tap("#see-more")
    phone.tab.wait_for_selector("body.below")
    for what in BELOW:
        phone.tab.locator(what).scroll_into_view_if_needed()
        assert phone.tab.evaluate(IS_FREE, what), f"the key back is over {what}"
    phone.tab.tap("#to-turn")
    until_on_top(phone)
    phone.context.close()
    site.close()


def test_the_page_returns_to_the_first_screen_if_somebody_has_to_act(
    browser: Any, tmp_path: Path
) -> None:
    """It returns after a correction, to show which chips to move; but not in the middle of an
    entry."""
    keep(tmp_path / "game.db", f"{GAME}\nCleo 5-4\nAnna pass", SEATS)
    site = Site(tmp_path / "game.db")
    anna, ben = sits(browser, site, "Anna"), sits(browser, site, "Ben")
    anna.tab.locator("#entries button.said", has_text="Ben lays 5-0").tap()
    anna.tab.tap("#other-tile")
    anna.tab.tap('#other-tiles [data-tile="5-3"]')
    anna.tab.tap('#ok:not([aria-disabled="true"])')
    anna.tab.wait_for_selector("#due", state="visible")
    until_on_top(anna)
    ben.tab.evaluate("scrollTo(0, 300)")
    ben.tab.locator("#entries button.said", has_text="Anna lays 5-5").tap()
    anna.tab.tap("#take-back")
    anna.tab.tap('#ok:not([aria-disabled="true"])')
    anna.tab.wait_for_selector("#due", state="hidden")
    assert ben.tab.evaluate("scrollY") > 0
    anna.context.close()
    ben.context.close()
    site.close()


def test_a_tile_is_large_enough_to_be_read(browser: Any, tmp_path: Path) -> None:
    keep(tmp_path / "game.db", GAME, SEATS)
    site = Site(tmp_path / "game.db")
    phone = sits(browser, site, "Cleo")
    bone = phone.tab.locator('#tiles [data-tile="6-4"] .bone').bounding_box()
    assert bone is not None and bone["width"] * bone["height"] >= LARGE
    rows = phone.tab.evaluate(
        "[...document.querySelectorAll('#tiles .tile')].map((key) => key.offsetTop)"
    )
    begins = [rows.index(top) for top in sorted(set(rows))]
    assert begins == [0, 7, 14, 21], "each high half begins a row"
    phone.context.close()
    site.close()


@pytest.mark.parametrize("keypads", ["turn", "anyone"])
def test_only_seats_that_this_phone_may_key_for_are_offered_as_scorers(
    browser: Any, tmp_path: Path, keypads: str
) -> None:
    """A seat with a phone keys its own score. If the house rules let anybody key for it, each name
    leads to its scores."""
    record = tmp_path / "game.db"
    keep(record, "hand lead Anna\nAnna points 10", SEATS)
    with Store.open(record, GAMES) as store:
        store.keep(BOX, Setting("keypads", keypads))
    site = Site(tmp_path / "game.db")
    anna, ben = sits(browser, site, "Anna"), sits(browser, site, "Ben")
    anna.tab.wait_for_selector("#acts .act.out")
    names = anna.tab.locator("#whose .choice").all_inner_texts()
    assert names == (["Anna", "Cleo"] if keypads == "turn" else ["Anna", "Ben", "Cleo"])
    for name in names:
        anna.tab.locator("#whose .choice", has_text=name).tap()
        anna.tab.wait_for_selector(f'#whose [aria-pressed="true"] >> text={name}')
        assert anna.tab.is_visible("#quick .digit")
        assert f"{name} is out" in anna.tab.locator("#acts .act.out").all_inner_texts()
    anna.context.close()
    ben.context.close()
    site.close()


def test_a_seat_with_a_phone_is_not_offered_for_its_turn(browser: Any, tmp_path: Path) -> None:
    keep(tmp_path / "game.db", "hand lead Ben", SEATS, name="high-five-tiles")
    site = Site(tmp_path / "game.db")
    anna, ben = sits(browser, site, "Anna"), sits(browser, site, "Ben")
    ben.tab.wait_for_selector("#acts .one-tile", state="visible")
    anna.tab.wait_for_selector("#acts .one-tile", state="hidden")
    anna.context.close()
    ben.context.close()
    site.close()


def test_other_orders_of_seats_are_offered_before_the_game(browser: Any, tmp_path: Path) -> None:
    keep(tmp_path / "game.db", "", SEATS)
    site = Site(tmp_path / "game.db")
    phone = sits(browser, site, "Anna")
    phone.tab.tap('[data-panel="rules"]')
    phone.tab.tap('#panel .act >> text="Order: Anna, Cleo, Ben"')
    phone.tab.tap('#ok:not([aria-disabled="true"])')
    phone.tab.wait_for_selector(".seat:nth-child(2) .who >> text=Cleo")
    phone.context.close()
    site.close()


def test_the_bogus_key_is_visible_before_anything_can_be_called(
    browser: Any, tmp_path: Path
) -> None:
    """Applies only to games in which a bogus play can be called."""
    for name, is_called in (("high-five", True), ("five-up", False)):
        keep(tmp_path / f"{name}.db", "hand lead Anna\nAnna 5-5", SEATS, name=name)
        site = Site(tmp_path / f"{name}.db")
        phone = sits(browser, site, "Ben")
        phone.tab.wait_for_selector("#acts .draw")
        assert phone.tab.is_visible("#call") == is_called
        if is_called:
            assert is_in_sight(phone, "#call") and is_in_sight(phone, "#see-more")
            phone.tab.tap("#call", force=True)
            said = "Nobody else has drawn or passed in this hand"
            phone.tab.wait_for_selector(f'#answer >> text="{said}"')
        phone.context.close()
        site.close()
