"""On the smallest phones nothing lies outside the screen, and the drawing can be read."""

from pathlib import Path
from typing import Any

import pytest

from companion.presentation.drawing.svg import UNIT
from tests.web.in_browser import WAIT_MS, Site, Viewer, until_drawn
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_one_screen import NAMES, SMALL, TURNS, bottom


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", TURNS)
def test_no_key_is_outside_a_screen_of_320_pixels(browser: Any, tmp_path: Path, name: str) -> None:
    players, text = TURNS[name]
    seats = NAMES[: players[-1]]
    keep(tmp_path / "narrow.db", text.format(*seats), " ".join(seats), name=name)
    site = Site(tmp_path / "narrow.db")
    viewer = Viewer(browser, site, path="/", viewport={"width": 320, "height": 640})
    viewer.tab.wait_for_selector("#asked:not(:empty)")
    viewer.tab.wait_for_selector("#picker:visible, #rows:visible, #halves:visible")
    until_drawn(viewer.tab)
    assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= 320
    assert bottom(viewer, "#acts") <= 640
    viewer.context.close()
    site.close()


LONG_LINE = "hand lead {0}\n" + "\n".join(
    f"{{{number % 2}}} {lay}"
    for number, lay in enumerate(
        ("2-2", "3-2 @left", "3-1 @left", "4-2 @right", "4-4 @right", "5-4 @right", "5-1 @left")
    )
)


HALF_TILE = 15
"""The least pixels for half a tile of a line of seven tiles, beside a payment."""


def test_on_the_smallest_phone_a_line_uses_the_available_width(
    browser: Any, tmp_path: Path
) -> None:
    """As there is only a strip between scores and keys, the line is drawn in one row."""
    seats = NAMES[:2]
    keep(tmp_path / "line.db", LONG_LINE.format(*seats), " ".join(seats))
    site = Site(tmp_path / "line.db")
    viewer = Viewer(browser, site, path="/", viewport=SMALL)
    viewer.tab.wait_for_selector("#keyed:not([hidden])")
    viewer.tab.wait_for_selector("#board svg")
    until_drawn(viewer.tab)
    assert bottom(viewer, ".paid") > 0
    scale = viewer.tab.evaluate("document.querySelector('#board svg').getScreenCTM().a")
    assert 2 * UNIT * scale >= HALF_TILE
    viewer.context.close()
    site.close()


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
STATES = {
    "a turn": (LONG_LINE, None),
    "a tile for two ends": ("hand\n{0} 6-6\n{1} 6-3\n{0} 6-4", "4-3"),
    "a tile that doesn't fit": ("hand\n{0} 6-6\n{1} 6-3", "5-5"),
    "a dispute": ("hand\n{0} 6-6\n{1} draw\nbogus {1} by {0}", None),
}


@pytest.mark.parametrize("state", STATES)
def test_at_200_percent_nothing_covers_a_tile(browser: Any, tmp_path: Path, state: str) -> None:
    seats, (text, tile) = NAMES[:2], STATES[state]
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
    assert viewer.tab.evaluate(COVERED, "#tiles button") == []
    assert viewer.tab.evaluate("document.documentElement.scrollWidth") <= LOW["width"]
    viewer.context.close()
    site.close()
