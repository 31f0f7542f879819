"""The end of a game on a phone: who won and “Play again” are in sight without scrolling, on the
phones of losers and bystanders too."""

from pathlib import Path
from typing import Any

import pytest

from tests.web.in_browser import WAIT_MS, Site, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep

WON = "hand lead Maximilian\nMaximilian 5-5\nblocked\nMaximilian pips 3\nAlexandra_Eva pips 160"
SEATS = "Maximilian Alexandra_Eva"
SIZES = ((320, 480), (360, 560), (375, 553), (640, 360), (844, 390))
SEEN = """(what) => {
  const { top, bottom, left, right, width } = document.querySelector(what).getBoundingClientRect();
  return width > 0 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_winner_and_the_key_to_play_again_are_in_sight(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    keep(tmp_path / "won.db", WON, SEATS)
    site = Site(tmp_path / "won.db")
    viewport = {"width": size[0], "height": size[1]}
    for seat in ("Alexandra_Eva", ""):
        viewer = Viewer(browser, site, path="/", viewport=viewport)
        viewer.tab.wait_for_selector("#again:not([hidden])", timeout=WAIT_MS)
        viewer.tab.wait_for_selector("#win:not([hidden])", timeout=WAIT_MS)
        viewer.tab.evaluate(
            """(seat) => {
              const who = document.getElementById("who");
              who.value = seat;
              who.dispatchEvent(new Event("change"));
            }""",
            f"seat {seat}" if seat else "",
        )
        viewer.tab.wait_for_function("() => document.querySelector('#asked').textContent")
        assert viewer.tab.locator("#asked").inner_text().startswith("Maximilian won")
        for what in ("#asked", "#again"):
            assert viewer.tab.evaluate(SEEN, what), (what, seat)
        viewer.context.close()
    site.close()


STAR = "(one) => getComputedStyle(one, '::before').content"


@pytest.mark.parametrize(("end", "star"), [("end", "none"), (WON.partition("\n")[2], '"★')])
def test_only_a_game_that_somebody_won_has_a_star(
    browser: Any, tmp_path: Path, end: str, star: str
) -> None:
    keep(tmp_path / "over.db", f"hand lead Maximilian\n{end}", SEATS)
    site = Site(tmp_path / "over.db")
    phone = Viewer(browser, site, path="/", viewport={"width": 360, "height": 740})
    phone.tab.wait_for_selector("#again:not([hidden])", timeout=WAIT_MS)
    assert phone.tab.eval_on_selector("#asked", STAR).startswith(star)
    tv = Viewer(browser, site, path="/tv", viewport={"width": 1920, "height": 1080})
    tv.tab.wait_for_selector(".step", timeout=WAIT_MS)
    assert tv.tab.eval_on_selector('.step[data-place="1"] .sign', STAR).startswith(star)
    for page in (phone, tv):
        page.context.close()
    site.close()
