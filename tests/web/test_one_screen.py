"""On a phone that keys, all that one's turn needs stands on its one screen, whatever is played."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.live import keep
from tests.web.test_browser import Site, Viewer

pytestmark = pytest.mark.browser

PHONES = ((360, 640), (390, 844), (430, 932))
"""Width and height, from the smallest to the largest."""
LINE = "hand lead {0}\n{0} 5-5\n{1} 5-0"
TURNS = {
    "high-five": (range(2, 5), LINE),
    "five-up": (range(2, 5), LINE),
    "all-fives": (range(2, 5), LINE),
    "high-fives": (range(2, 9), "hand lead {0}\ntableau 5-5 5-6 5-7 5-8 5-9"),
    "highrise": (range(2, 5), "hand lead {0}\n{0} draw"),
    "high-five-tiles": (range(2, 5), "hand lead {0}\n{0} row pair laid 3"),
}
NAMES = ("Anna", "Ben", "Cleo", "Wilhelmina", "Edwin", "Fanny", "Gus", "Hanna")
NEEDED = ("#seats", "#asked", "#board svg", "#picker, #rows", "#acts", "#take-back")


def bottom(viewer: Viewer, what: str) -> float:
    """How far down the lowest of these reaches, in pixels; 0 where none is seen."""
    found: float = viewer.tab.evaluate(
        "what => Math.max(0, ...[...document.querySelectorAll(what)].map("
        "one => one.getBoundingClientRect().bottom))",
        what,
    )
    return found


@pytest.mark.parametrize("size", PHONES, ids=str)
@pytest.mark.parametrize("name", TURNS)
def test_nothing_that_a_turn_needs_lies_below_the_fold(
    browser: Any, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    players, text = TURNS[name]
    for number in {players[0], players[-1]}:
        seats = NAMES[:number]
        record = tmp_path / f"{number}.db"
        keep(record, text.format(*seats), " ".join(seats), name=name)
        site = Site(record)
        viewer = Viewer(browser, site, path="/", viewport={"width": size[0], "height": size[1]})
        viewer.tab.wait_for_selector("#keyed:not([hidden])")
        viewer.tab.wait_for_selector("#asked:not(:empty)")
        for what in NEEDED:
            assert bottom(viewer, what) <= size[1], f"{what} of {number}"
        assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= size[0]
        viewer.context.close()
        site.close()


def test_who_may_key_plays_again_by_one_large_key(browser: Any, tmp_path: Path) -> None:
    ends = "blocked\nAnna pips 3\nBen pips 160"
    text = f"hand lead Anna\nAnna 5-5\n{ends}\nhand lead Anna\nAnna 5-5\n{ends}"
    keep(tmp_path / "won.db", text, "Anna Ben", name="five-up")
    site = Site(tmp_path / "won.db")
    viewer = Viewer(browser, site, path="/", viewport={"width": 360, "height": 640})
    again = viewer.tab.locator("#again")
    again.wait_for(state="visible")
    assert bottom(viewer, "#again") <= 640
    again.click()
    viewer.tab.wait_for_selector("#meaning >> text=Five Up")
    viewer.tab.locator("#ok").click()
    again.wait_for(state="hidden")
    assert viewer.tab.inner_text("#asked") == "Deal the first hand"
    viewer.context.close()
    site.close()
