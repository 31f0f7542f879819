"""The overlay over a video stream: transparent, in three layouts, the same at 720 lines and at
1080, and with the requested delay."""

import io
from itertools import product
from random import Random
from typing import Any

import pytest
from PIL import Image

from companion.core.seats import COLOURS
from tests.random_games import play_game
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture
from tests.web.told_games import CALLED, NAMES, RULED, told, told_game

LAYOUTS = ("bar", "side", "corners")
FULL_HD, HD = {"width": 1920, "height": 1080}, {"width": 1280, "height": 720}
SMALLEST = 0.011
"""The least height of a letter, as a part of the picture's width."""
GIVE = """async (message) => {
  const { showDelayed } = await import(document.querySelector("script").src);
  showDelayed(message);
  await new Promise((done) => setTimeout(done, 50));
  document.body.classList.toggle("fresh", true);
}"""
GIVE_AND_WAIT = """async (message) => {
  const { showDelayed } = await import(document.querySelector("script").src);
  const begun = performance.now();
  showDelayed(message);
  while (![...document.querySelectorAll(".score")].some((one) => one.textContent === "15")) {
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - begun;
}"""
"""Gives the page a message; returns the milliseconds until it is shown."""
SPREAD = """() => {
  const all = (what) => [...document.querySelectorAll(what)].filter((one) => one.offsetParent);
  const panels = all(".seat, .now, .board, .claim, .paid");
  const boxes = panels.map((one) => one.getBoundingClientRect());
  const meets = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const names = (found) => found.map((one) => one.className || one.id);
  const read = all(".name, .score, .more, .asked, #number, #where, .pays, .pieces, #reason");
  return {
    out: names(panels.filter((_, at) => boxes[at].left < 0 || boxes[at].top < 0
      || boxes[at].right > innerWidth || boxes[at].bottom > innerHeight)),
    over: names(panels.filter((_, i) => boxes.some((b, j) => i !== j && meets(boxes[i], b)))),
    spilt: names(panels.filter((one) => one.scrollHeight > one.clientHeight + 1)),
    cut: names(all(".asked").filter((one) => one.scrollHeight > one.clientHeight + 2)),
    flat: names(all(".board").filter((one) => one.clientHeight < innerWidth * 0.08)),
    small: Math.min(...read.filter((one) => one.innerText)
      .map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerWidth,
  };
}"""
GAMES_AND_SEATS = [
    *[("high-five", 2), ("high-five", 4), ("five-up", 3), ("high-five-tiles", 4)],
    *[("high-fives", 5), ("high-fives", 8), ("highrise", 4)],
]


def opened(view: View, layout: str, size: Any = FULL_HD, more: str = "") -> Viewer:
    """The overlay in that layout, at a table where Red has played 6-6."""
    viewer = view("hand\nRed 6-6", path=f"/overlay?layout={layout}{more}", viewport=size)
    viewer.tab.wait_for_selector(".seat", timeout=WAIT_MS)
    return viewer


def spread(viewer: Viewer, message: Any) -> dict[str, Any]:
    """The faults of the panels after that message, while a payment is shown."""
    viewer.tab.evaluate(GIVE, message)
    seen: dict[str, Any] = viewer.tab.evaluate(SPREAD)
    assert seen.pop("small") >= SMALLEST
    return seen


LONG_NAMES = "Anna_Lena Ben Granny_Ann Christopher"
NOTHING_WRONG: dict[str, Any] = {"out": [], "over": [], "spilt": [], "cut": [], "flat": []}


@pytest.mark.sampled(1, of="size")
@pytest.mark.parametrize(("layout", "size"), [*product(LAYOUTS, (FULL_HD, HD))])
def test_nothing_overlaps_or_is_cut_off_in_any_game(view: View, layout: str, size: Any) -> None:
    viewer = opened(view, layout, size)
    for name, number in GAMES_AND_SEATS:
        moments = told_game(name, number)
        for message in (moments[len(moments) // 2], moments[-1]):
            assert spread(viewer, message) == NOTHING_WRONG, (name, number)


FACE = """() => Math.min(...[...document.querySelectorAll(".board .face")].map((one) => {
  const box = one.getBoundingClientRect();
  return Math.min(box.width, box.height);
})) / innerWidth"""
"""The shorter side of the smallest tile as a part of the picture's width."""
SMALLEST_FACE = {"bar": 0.0068, "side": 0.003, "corners": 0.0065}


@pytest.mark.sampled(1, of="size")
@pytest.mark.parametrize(("layout", "size"), [*product(LAYOUTS, (FULL_HD, HD))])
def test_a_line_of_25_or_more_tiles_is_visible_beside_long_names(
    view: View, layout: str, size: Any
) -> None:
    viewer = opened(view, layout, size)
    for seed, length, names in ((8, 58, "Anna_Lena Ben"), (20, 57, LONG_NAMES)):
        called = dict(zip(COLOURS, names.split(), strict=False))
        entries = play_game(Random(seed), len(called))[:length]
        lines = [" ".join(called.get(one, one) for one in str(e).split()) for e, _ in entries]
        message = told("high-five", names, lines)[-1]
        assert len(message["moment"]["table"]["tiles"]) >= 25
        assert spread(viewer, message) == NOTHING_WRONG
        assert viewer.tab.evaluate(FACE) >= SMALLEST_FACE[layout]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_claim_and_its_ruling_are_shown(view: View, layout: str) -> None:
    viewer = opened(view, layout)
    for lines in (CALLED, RULED):
        assert (
            spread(viewer, told("high-five", "Blue Red", lines.splitlines())[-1]) == NOTHING_WRONG
        )
    assert "Red calls Blue bogus" in viewer.tab.inner_text("#charge")


def test_partners_have_one_score(view: View) -> None:
    lines = ["hand lead Granny_Ann", "Granny_Ann 5-5"]
    for layout in LAYOUTS:
        viewer = opened(view, layout)
        message = told("all-fives", " ".join(NAMES[1:5]), lines, "set W", "partners on")[-1]
        assert spread(viewer, message) == NOTHING_WRONG
        assert viewer.tab.locator(".seat .score").count() == 2


@pytest.mark.parametrize("layout", LAYOUTS)
def test_everything_besides_panels_is_transparent(view: View, layout: str) -> None:
    """Holds even if the machine is set to dark mode."""
    viewer = opened(view, layout)
    for scheme in ("light", "dark"):
        viewer.tab.emulate_media(color_scheme=scheme)
        picture = Image.open(io.BytesIO(viewer.tab.screenshot(omit_background=True)))
        assert picture.mode == "RGBA"
        assert picture.getpixel((960, 400)) == (0, 0, 0, 0)
        box = viewer.tab.locator(".now").bounding_box()
        at = int(box["x"]) + 8, int(box["y"] + box["height"] / 2)
        assert picture.getchannel("A").getpixel(at) > 200  # type: ignore[operator]


def test_the_overlay_shows_scores_turn_line_and_payments(view: View) -> None:
    tab = view("hand\nRed 6-6\nBlue 6-3", path="/overlay", viewport=FULL_HD).tab
    tab.wait_for_selector(".seat", timeout=WAIT_MS)
    assert tab.evaluate("document.body.dataset.layout") == "bar"
    assert tab.locator(".score").all_inner_texts() == ["0", "15"]
    assert tab.inner_text("#asked") == "Red's turn"
    assert tab.locator(".seat.to-move .who").inner_text() == "Red"
    assert "2 tiles, count 15" in tab.locator("#board svg title").inner_html()


def test_the_overlay_has_the_requested_delay_even_after_loading(view: View) -> None:
    tab = view("hand\nRed 6-6", path="/overlay?delay=2", viewport=HD).tab
    tab.wait_for_selector(".seat", timeout=WAIT_MS)
    assert tab.evaluate("performance.now()") >= 2000
    assert tab.evaluate(GIVE_AND_WAIT, told_game("high-five", 2)[-1]) >= 2000


@pytest.mark.parametrize("more", ["&delay=x", "&delay=-5", "&layout=constructor&delay="])
def test_invalid_parameters_are_ignored(view: View, more: str) -> None:
    viewer = view("hand\nRed 6-6", path=f"/overlay?{more}", viewport=HD)
    viewer.tab.wait_for_selector(".seat", timeout=WAIT_MS)
    assert viewer.tab.evaluate("document.body.dataset.layout") == "bar"


def test_before_a_game_nothing_is_shown(view: View) -> None:
    viewer = view(None, path="/overlay", viewport=HD)
    picture = Image.open(io.BytesIO(viewer.tab.screenshot(omit_background=True)))
    assert picture.getchannel("A").getextrema() == (0, 0)
