"""Home: the page without a game, or before it continues one from another evening."""

import time
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from companion.core.clock import BREAK_S, local_date
from companion.core.languages import OWN_NAMES
from companion.presentation.dates import date_words
from companion.web.server import rest_message
from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Site, Viewer, let_in, stop_clock
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_broadcast import stands
from tests.web.test_one_screen import NAMES

SIZES = ((360, 640), (320, 480), (640, 360), (820, 1180), (1280, 800))
LONG = "Bartholomew_Finn Wilhelmina_Rose Maximilian_Alex Konstantina_Eve"
EVENING = "hand lead {0}\n{0} 5-5\n{1} 5-0"
KEYS = "#menu, .begin button"


def seen(tab: Any, what: str) -> list[dict[str, float]]:
    """The boxes of all visible elements of that kind."""
    found: list[dict[str, float]] = [
        one.bounding_box() for one in tab.locator(what).all() if one.is_visible()
    ]
    return found


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    return all(
        max(one[edge], other[edge]) < min(one[edge] + one[length], other[edge] + other[length])
        for edge, length in (("x", "width"), ("y", "height"))
    )


def fits(tab: Any, what: str) -> bool:
    """Whether all elements are fully inside the window, and none covers another."""
    size, boxes = tab.viewport_size, seen(tab, what)
    inside = all(
        0 <= one["x"] <= size["width"] - one["width"]
        and 0 <= one["y"] <= size["height"] - one["height"]
        for one in boxes
    )
    return inside and not any(overlap(*pair) for pair in combinations(boxes, 2))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_home_is_one_accessible_screen_in_every_window(
    browser: Any, tmp_path: Path, scheme: str
) -> None:
    """Uses a game from another evening of four people with long names, which takes the most
    space."""
    names = LONG.split()
    keep(tmp_path / "old.db", EVENING.format(*names), LONG, at=time.time() - 2 * BREAK_S)
    for site, keys in ((Site(tmp_path / "none.db"), 3), (Site(tmp_path / "old.db"), 3)):
        viewer = Viewer(browser, site, path="/", color_scheme=scheme)
        tab = viewer.tab
        for width, height in SIZES:
            tab.set_viewport_size({"width": width, "height": height})
            tab.wait_for_selector("#welcome .main", timeout=WAIT_MS)
            assert len(seen(tab, KEYS)) == keys
            assert fits(tab, KEYS), f"{width}x{height}"
            assert tab.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(tab) == []
        tab.click("#menu")
        tab.wait_for_selector("#language", state="visible", timeout=WAIT_MS)
        assert violations(tab) == []
        assert viewer.complaints == []
        viewer.context.close()
        site.close()


@pytest.mark.sampled(1, of="name")
@pytest.mark.parametrize("name", OWN_NAMES)
def test_home_fits_the_smallest_phone_in_every_language(
    browser: Any, tmp_path: Path, name: str
) -> None:
    keep(tmp_path / "old.db", EVENING.format(*NAMES), " ".join(NAMES[:4]), at=time.time() - BREAK_S)
    site = Site(tmp_path / "old.db")
    viewer = Viewer(browser, site, path="/", locale=name, viewport={"width": 320, "height": 480})
    viewer.tab.wait_for_selector("#go-on", state="visible", timeout=WAIT_MS)
    assert fits(viewer.tab, f"{KEYS}, #welcome h2")
    viewer.context.close()
    site.close()


def test_a_game_of_another_evening_continues_with_one_tap_or_a_play_elsewhere(
    browser: Any, tmp_path: Path
) -> None:
    keep(tmp_path / "old.db", EVENING.format("Anna", "Ben"), "Anna Ben", at=time.time() - BREAK_S)
    site = Site(tmp_path / "old.db")
    one, other = (Viewer(browser, site, path="/") for _ in range(2))
    for page in (one, other):
        page.tab.wait_for_selector("#go-on", state="visible", timeout=WAIT_MS)
        day = f"{local_date(time.time() - BREAK_S):%A}"
        said = page.tab.inner_text("#go-on")
        assert said.startswith(f"Continue {day}'s game") and "Anna" in said
        assert not page.tab.locator("#seats, #picker, #latest").first.is_visible()
    one.tab.click("#go-on")
    one.tab.wait_for_selector('#tiles [data-tile="5-1"]', timeout=WAIT_MS)
    assert one.tab.is_hidden("#welcome")
    one.tab.locator("#acts button").first.click()
    other.tab.wait_for_selector("#seats", state="visible", timeout=WAIT_MS)
    assert other.tab.is_hidden("#welcome")
    for page in (one, other):
        page.context.close()
    site.close()


def test_a_game_of_this_evening_is_shown_at_once(browser: Any, tmp_path: Path) -> None:
    keep(tmp_path / "now.db", EVENING.format("Anna", "Ben"), "Anna Ben", at=time.time() - 3600)
    site = Site(tmp_path / "now.db")
    viewer = Viewer(browser, site, path="/")
    viewer.tab.wait_for_selector("#seats", state="visible", timeout=WAIT_MS)
    assert viewer.tab.is_hidden("#welcome")
    assert viewer.tab.is_hidden("#menu")
    viewer.context.close()
    site.close()


def test_everything_else_is_in_the_menu_exactly_once(browser: Any, tmp_path: Path) -> None:
    """Without a box, the menu doesn't mention one either."""
    site = Site(tmp_path / "none.db")
    viewer = Viewer(browser, site, path="/", viewport={"width": 1280, "height": 800})
    tab = viewer.tab
    tab.wait_for_selector("#welcome .main", timeout=WAIT_MS)
    found = tab.locator("button:visible, a:visible, select:visible").all_inner_texts()
    assert found == ["", "Start a game", "Watch a demonstration"]
    assert "box" not in tab.inner_text("body")
    tab.click("#menu")
    tab.wait_for_selector("#past", state="visible", timeout=WAIT_MS)
    assert "box" not in tab.inner_text("body")
    for what in (
        "#language",
        "#less-motion",
        '[data-panel="help"]',
        "#invite",
        '.ways [href="/tv"]',
    ):
        assert tab.locator(what).is_visible(), what
    texts = tab.locator("button:visible, a:visible").all_inner_texts()
    assert len(texts) == len(set(texts))
    tab.keyboard.press("Escape")
    tab.wait_for_selector("#welcome", state="visible", timeout=WAIT_MS)
    tab.click("#welcome .main")
    tab.wait_for_selector("#panel form", timeout=WAIT_MS)
    assert not tab.locator("#welcome, .views, .ways").first.is_visible()
    tab.click("#menu")
    tab.wait_for_selector("#welcome", state="visible", timeout=WAIT_MS)
    assert viewer.complaints == []
    viewer.context.close()
    site.close()


def test_a_page_that_asks_for_digits_accepts_typing_at_once(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db", lan=True)
    context = browser.new_context()
    tab = context.new_page()
    tab.goto(f"{site.url}/")
    tab.wait_for_selector("#code:focus", timeout=WAIT_MS)
    assert tab.evaluate(
        "getComputedStyle(document.querySelector('#link')).color"
        " === getComputedStyle(document.body).color"
    ), "red before anything is wrong"
    context.close()
    site.close()


def test_a_game_rests_once_the_evening_is_over_if_the_clock_is_set() -> None:
    friday = 1_796_000_000.0
    played = replace(stands(row=12), played_at=friday)
    assert rest_message(played, None) == rest_message(played, friday + BREAK_S - 1) == {}
    assert rest_message(replace(played, played_at=None), friday + BREAK_S) == {}
    assert rest_message(replace(played, journal=None), friday + BREAK_S) == {}
    found = rest_message(played, friday + BREAK_S)["rests"]
    assert found["row"] == 12
    assert str(found["said"]) == f"Continue {local_date(friday):%A}'s game"
    later = rest_message(played, friday + 10 * 24 * 3600)["rests"]
    assert str(later["said"]) == f"Continue the game of {date_words(friday, friday)}"


def test_a_phone_can_install_the_table_on_its_home_screen(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "none.db", prefix="/table")
    viewer = Viewer(browser, site, path="/table/", locale="de")
    found = viewer.tab.evaluate(
        """async () => {
          const href = document.querySelector("link[rel=manifest]").href;
          const told = await (await fetch(href)).json();
          const icons = told.icons.map((one) => new URL(one.src, href).href);
          const kinds = icons.map(async (icon) => (await fetch(icon)).headers.get("Content-Type"));
          const start = new URL(told.start_url, href).href;
          return [told.lang, told.display, start === location.href, await Promise.all(kinds)];
        }"""
    )
    assert found == ["de", "standalone", True, ["image/svg+xml; charset=utf-8", "image/png"]]
    assert viewer.complaints == []
    viewer.context.close()
    site.close()


LOCKS = """
  window.locks = [];
  const request = async () => {
    const lock = { on: true, async release() { this.on = false; } };
    locks.push(lock);
    return lock;
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request }, configurable: true });
"""
HELD = "(number) => locks.filter((lock) => lock.on).length === number"


def test_the_screen_stays_on_while_people_play(browser: Any, tmp_path: Path) -> None:
    """It may turn off at home, in a hidden tab, and after a long time."""
    keep(tmp_path / "old.db", EVENING.format("Anna", "Ben"), "Anna Ben", at=time.time() - BREAK_S)
    site = Site(tmp_path / "old.db")
    context = browser.new_context()
    let_in(context, site.port)
    context.add_init_script(LOCKS)
    tab = context.new_page()
    stop_clock(tab)
    tab.goto(f"{site.url}/")
    tab.wait_for_selector("#go-on", state="visible", timeout=WAIT_MS)
    assert tab.evaluate(HELD, 0)
    tab.click("#go-on")
    tab.wait_for_function(HELD, arg=1, timeout=WAIT_MS)
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    tab.evaluate(hide, True)
    tab.wait_for_function(HELD, arg=0, timeout=WAIT_MS)
    tab.evaluate(hide, False)
    tab.wait_for_function(HELD, arg=1, timeout=WAIT_MS)
    tab.clock.run_for(21 * 60 * 1000)
    tab.wait_for_function(HELD, arg=0, timeout=WAIT_MS)
    context.close()
    site.close()


PLAYED = """
  delete Navigator.prototype.wakeLock;
  window.videos = [];
  const create = document.createElement;
  document.createElement = function (name) {
    const made = create.call(document, name);
    if (name === "video") videos.push(made);
    return made;
  };
"""
LOADED = "() => window.NoSleep && videos.length === 1"
PLAYS = "(number) => videos.filter((video) => !video.paused).length === number"


def test_without_a_wake_lock_a_video_keeps_the_screen_on_if_somebody_chose_it(
    browser: Any, tmp_path: Path
) -> None:
    """Only on a phone, in play, and from the next tap on; also after the page is loaded again."""
    keep(tmp_path / "now.db", EVENING.format("Anna", "Ben"), "Anna Ben")
    site = Site(tmp_path / "now.db")
    context = browser.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 360, "height": 640}
    )
    let_in(context, site.port)
    context.add_init_script(PLAYED)
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    tab.goto(f"{site.url}/")
    tab.wait_for_selector('body[data-state="connected"]', timeout=WAIT_MS)
    tap = "document.querySelector('#title').click()"
    tab.wait_for_selector("#keep-on:not([hidden])", state="attached", timeout=WAIT_MS)
    tab.evaluate(tap)
    assert tab.evaluate("videos.length") == 0, "nobody chose it"
    tab.evaluate("document.querySelector('#keep-on').click()")
    for _ in range(2):
        tab.wait_for_function(LOADED, timeout=WAIT_MS)
        tab.touchscreen.tap(160, 5)
        tab.wait_for_function(PLAYS, arg=1, timeout=WAIT_MS)
        tab.reload()
    tab.wait_for_function(LOADED, timeout=WAIT_MS)
    tab.touchscreen.tap(160, 5)
    tab.wait_for_function(PLAYS, arg=1, timeout=WAIT_MS)
    tab.evaluate("document.querySelector('#keep-on').click()")
    tab.wait_for_function(PLAYS, arg=0, timeout=WAIT_MS)
    assert complaints == []
    context.close()
    site.close()
