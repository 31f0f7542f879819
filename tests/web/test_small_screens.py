"""At every size of window all that a turn needs is on the first screen, no key is over another one,
and the line can be read."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.languages import OWN_NAMES
from companion.presentation.drawing.svg import HALF
from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.layouts import LEAST_HALF, SIZES, STATES, State, faults, opened, shown_at
from tests.web.live import keep
from tests.web.test_one_screen import NAMES

CASES = [(name, number) for name, state in STATES.items() for number in state.players]


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "number"), CASES)
def test_the_first_screen_has_all_that_a_turn_needs(
    browser: Any, tmp_path: Path, name: str, number: int
) -> None:
    """With long names, a payment and a notice."""
    state, wrong = STATES[name], dict[tuple[int, int], list[str]]()
    with opened(browser, tmp_path, state, number) as page:
        for size in SIZES:
            shown_at(page, size, state)
            wrong[size] = faults(page)
        assert page.complaints == []
    assert {size: found for size, found in wrong.items() if found} == {}


OUT = "hand lead {0}\n" + "\n{1} pass\n{2} pass\n{3} pass\n".join(
    f"{{0}} {tile}" for tile in ("5-5", "5-0", "5-1", "5-3", "5-4")
)
"""All tiles of the first seat are played."""
MANY_KEYS = {"return": STATES["drawn"], "out": State("high-five", OUT, (4,))}
"""Moments with more or longer keys than others, by one of these keys."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("language", OWN_NAMES)
@pytest.mark.parametrize("act", MANY_KEYS)
def test_many_or_long_keys_make_no_page_wider_in_any_language(
    browser: Any, tmp_path: Path, act: str, language: str
) -> None:
    with opened(browser, tmp_path, MANY_KEYS[act], 4, locale=language) as page:
        for size in ((320, 480), (360, 640), (375, 667)):
            shown_at(page, size, MANY_KEYS[act])
            assert page.tab.is_visible(f"#acts .{act}")
            assert "wider than the window" not in faults(page)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("language", OWN_NAMES)
def test_the_spacers_left_are_readable_on_a_phone(
    browser: Any, tmp_path: Path, language: str
) -> None:
    with opened(browser, tmp_path, STATES["highrise"], 4, locale=language) as page:
        for width in (360, 375):
            page.tab.set_viewport_size({"width": width, "height": 667})
            text = "(one) => [one.clientWidth, one.scrollWidth]"
            wide, needed = page.tab.eval_on_selector("#where", text)
            assert needed <= wide, (width, page.tab.inner_text("#where"))


def test_undo_is_one_row_high_beside_a_column_of_keys(browser: Any, tmp_path: Path) -> None:
    """Before Highrise's first hand there is a key for each player who may lead."""
    keep(tmp_path / "new.db", "", "Anna Ben Cleo Tom", name="highrise")
    site = Site(tmp_path / "new.db")
    page = Viewer(browser, site, path="/", viewport={"width": 360, "height": 740})
    page.tab.wait_for_selector("#acts .deal-lead >> nth=3", timeout=WAIT_MS)
    heights = [
        page.tab.locator(key).bounding_box()["height"] for key in ("#acts .deal", "#take-back")
    ]
    assert heights[1] <= 1.2 * heights[0]
    page.context.close()
    site.close()


LONG_LINE = "hand lead {0}\n" + "\n".join(
    f"{{{number % 2}}} {lay}"
    for number, lay in enumerate(
        ("2-2", "3-2 @left", "3-1 @left", "4-2 @right", "4-4 @right", "5-4 @right", "5-1 @left")
    )
)


LOW = {"width": 320, "height": 400}
"""A page of 640 by 800 pixels at 200 %."""
COVERED = """(what) => {
  const found = [];
  for (let top = 0; top <= document.documentElement.scrollHeight; top += 60) {
    scrollTo(0, top);
    for (const one of document.querySelectorAll(what)) {
      const { left, top, width, height } = one.getBoundingClientRect();
      const x = left + width / 2, y = top + height / 2;
      if (!width || x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
      const there = document.elementFromPoint(x, y);
      if (!one.contains(there)) found.push(`${one.dataset.tile}: ${there?.id} lies over it`);
    }
  }
  return found;
}"""
"""Returns the keys that something covers, at every scroll position of the page."""
HALF_PIXELS = """(half) => {
  const line = document.querySelector("#board svg.drawing");
  const isDrawn = line?.querySelector(".pips") && line.getClientRects().length;
  return isDrawn ? line.getScreenCTM().a * half : null;
}"""
"""Returns how large half a tile of the line is drawn, in pixels; null if no tile is drawn."""


def covered_or_too_small(tab: Any) -> list[str]:
    """What somebody who enlarges the page can't see or hit."""
    found: list[str] = tab.evaluate(COVERED, "#tiles button")
    half = tab.evaluate(HALF_PIXELS, HALF)
    if half is not None and half < LEAST_HALF:
        found.append(f"half a tile has {half:.1f} pixels")
    board = tab.locator("#board")
    if board.is_visible() and not board.bounding_box()["height"]:
        found.append("the line is 0 pixels high")
    if tab.evaluate("document.documentElement.scrollWidth") > LOW["width"]:
        found.append("the page is wider than the window")
    return found


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "number"), CASES)
def test_at_200_percent_every_state_can_be_seen(
    browser: Any, tmp_path: Path, name: str, number: int
) -> None:
    with opened(browser, tmp_path, STATES[name], number) as page:
        shown_at(page, (LOW["width"], LOW["height"]), STATES[name])
        assert covered_or_too_small(page.tab) == []


LOW_STATES = {
    "a turn": (LONG_LINE, None),
    "a tile for two ends": ("hand\n{0} 6-6\n{1} 6-3\n{0} 6-4", "4-3"),
    "a tile that doesn't fit": ("hand\n{0} 6-6\n{1} 6-3", "5-5"),
    "a dispute": ("hand\n{0} 6-6\n{1} draw\nbogus {1} by {0}", None),
}


@pytest.mark.parametrize("state", LOW_STATES)
def test_at_200_percent_nothing_covers_a_tile(browser: Any, tmp_path: Path, state: str) -> None:
    seats, (text, tile) = NAMES[:2], LOW_STATES[state]
    keep(tmp_path / "low.db", text.format(*seats), " ".join(seats))
    site = Site(tmp_path / "low.db")
    viewer = Viewer(browser, site, path="/", viewport=LOW, has_touch=True)
    viewer.tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#board svg", timeout=WAIT_MS)
    if tile:
        viewer.tab.locator(f'#tiles [data-tile="{tile}"]').tap(timeout=WAIT_MS)
        seen = viewer.tab.locator("#choices button").last
        seen.wait_for(timeout=WAIT_MS)
        assert seen.bounding_box()["y"] < LOW["height"], "the answers are out of sight"
    assert viewer.tab.locator("#board").bounding_box()["height"] > 0
    assert covered_or_too_small(viewer.tab) == []
    viewer.context.close()
    site.close()
