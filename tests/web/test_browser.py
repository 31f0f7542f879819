"""The page in a real browser, on the whole program: keys pressed there reach the game, and it shows
the display pixel for pixel."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.console.screen_saver import PanelFrame
from companion.console.screens.menu import Menu
from companion.console.screens.set_up import SpellName
from tests.web.in_browser import WAIT_MS, Site, Viewer, let_in
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path / "record.db")
    yield site
    site.close()


@pytest.fixture
def viewer(browser: Any, site: Site) -> Iterator[Viewer]:
    viewer = Viewer(browser, site)
    yield viewer
    viewer.context.close()
    assert viewer.complaints == []


def test_the_display_is_shown_pixel_for_pixel(viewer: Viewer) -> None:
    assert viewer.seen() == viewer.site.frame.rows()
    assert any("#" in row for row in viewer.seen())


def test_a_game_is_started_by_mouse_and_by_keyboard(viewer: Viewer) -> None:
    viewer.after(viewer.tab.click, '[data-key="1"]')
    viewer.after(viewer.tab.keyboard.press, "2")
    viewer.after(viewer.tab.keyboard.press, "1")
    viewer.after(viewer.tab.click, '[data-key="OK"]')
    back = viewer.after(viewer.tab.keyboard.press, "Backspace")
    assert viewer.after(viewer.tab.keyboard.press, "Escape") != back


def test_a_name_is_typed_on_the_keyboard(viewer: Viewer) -> None:
    for key in ("1", "2", "2"):
        viewer.after(viewer.tab.keyboard.press, key)
    for letter in "Bo Damp":
        viewer.after(viewer.tab.keyboard.press, "Space" if letter == " " else letter)
    viewer.after(viewer.tab.keyboard.press, "Backspace")
    viewer.after(viewer.tab.keyboard.press, "Enter")
    screen = viewer.site.table.box.console.screen
    assert isinstance(screen, SpellName)
    assert screen.seat.named == ("Bo_Dam",)


def test_a_letter_typed_outside_a_name_acts_as_a_key(viewer: Viewer) -> None:
    for key in ("1", "2", "1", "Enter", "Enter"):
        viewer.after(viewer.tab.keyboard.press, key)
    viewer.after(viewer.tab.keyboard.press, "m")
    assert isinstance(viewer.site.table.box.console.screen, Menu)


def test_signs_of_a_number_pad_stand_for_missing_keys(viewer: Viewer) -> None:
    viewer.tab.evaluate(
        """() => {
          window.pressed = [];
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) {
            const { key, down } = JSON.parse(text);
            if (down) pressed.push(key);
            send.call(this, text);
          };
        }"""
    )
    for key in ("+", "-", "*", "/", ",", "NumpadDecimal", "NumpadAdd"):
        viewer.tab.keyboard.press(key)
    expected = ["DRAW", "PASS", "BOGUS", "MENU", "BACK", "BACK", "DRAW"]
    assert viewer.tab.evaluate("pressed") == expected


def test_the_picture_is_as_bright_as_the_panel(viewer: Viewer) -> None:
    def bright() -> float:
        style: str = viewer.tab.locator("#oled").evaluate("(one) => one.style.filter")
        return float(style.removeprefix("brightness(").removesuffix(")"))

    seen = []
    for contrast in (30, 90, 255):
        viewer.site.panel.show(PanelFrame(viewer.site.frame, contrast=contrast))
        expected = round(0.7 + 0.3 * (contrast / 255) ** 0.5, 2)
        viewer.tab.wait_for_function(
            "(value) => parseFloat(oled.style.filter.slice(11)) === value",
            arg=expected,
            timeout=WAIT_MS,
        )
        seen.append(bright())
    assert seen == sorted(set(seen))
    assert viewer.seen() == viewer.site.frame.rows()


def test_quick_fingers_lose_no_press(viewer: Viewer) -> None:
    for key in ("1", "2", "1", "Enter"):
        viewer.tab.keyboard.press(key)
    expected = viewer.until_shown(other_than=[])
    while viewer.site.table.box.view().journal is None:
        expected = viewer.until_shown(other_than=expected)


def test_a_screen_reader_hears_what_the_display_says(viewer: Viewer) -> None:
    says = viewer.tab.get_by_role("status", name="What the display says")
    for key in ("1", "2", "1", "Enter"):
        viewer.after(viewer.tab.keyboard.press, key)
    assert says.inner_text() == viewer.site.frame.words
    viewer.after(viewer.tab.keyboard.press, "m")
    said = says.inner_text()
    assert said == viewer.site.frame.words
    assert "choose" in said
    assert viewer.tab.get_by_role("img", name=f"The box's display: {said}").count() == 1


def test_holding_a_key_down_is_passed_on(viewer: Viewer) -> None:
    key = viewer.tab.locator('[data-key="BACK"]').bounding_box()
    viewer.tab.mouse.move(key["x"] + 9, key["y"] + 9)
    locked = viewer.after(viewer.tab.mouse.down)
    viewer.tab.mouse.move(0, 0)
    viewer.tab.mouse.up()
    viewer.tab.keyboard.press("1")
    viewer.tab.wait_for_timeout(200)
    assert viewer.seen() == locked


def test_a_key_can_be_pressed_without_a_pointer(viewer: Viewer) -> None:
    viewer.after(viewer.tab.locator('[data-key="1"]').dispatch_event, "click")
    viewer.tab.locator('[data-key="2"]').focus()
    viewer.after(viewer.tab.keyboard.press, "Space")


def test_on_a_phone_everything_fits_and_can_be_touched(browser: Any, site: Site) -> None:
    viewer = Viewer(
        browser, site, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True
    )
    viewer.after(viewer.tab.tap, '[data-key="1"]')
    sizes = viewer.tab.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert sizes == [360, 640]
    for key in viewer.tab.locator(".key").all():
        box = key.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44
    viewer.context.close()


def test_a_page_that_lost_its_box_says_so_and_recovers(browser: Any, tmp_path: Path) -> None:
    site = Site(tmp_path / "record.db")
    viewer = Viewer(browser, site)
    shown = viewer.after(viewer.tab.keyboard.press, "1")
    site.close()
    viewer.until_state("lost")
    assert viewer.tab.locator("#status").inner_text().startswith("Not connected")
    again = Site(tmp_path / "record.db", site.port)
    viewer.site = again
    viewer.until_state("connected")
    assert viewer.until_shown(other_than=shown) == again.frame.rows()
    viewer.context.close()
    again.close()


def test_a_connection_that_died_during_sleep_is_noticed(viewer: Viewer) -> None:
    viewer.tab.evaluate("WebSocket.prototype.send = () => {}")
    viewer.tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    viewer.until_state("lost")


def test_two_pages_show_the_same(browser: Any, viewer: Viewer, site: Site) -> None:
    other = Viewer(browser, site)
    before = other.seen()
    viewer.after(viewer.tab.keyboard.press, "1")
    assert other.until_shown(other_than=before) == viewer.seen()
    other.context.close()


def test_a_wrong_token_in_the_address_is_explained(browser: Any, site: Site) -> None:
    context = browser.new_context()
    let_in(context, site.port)
    tab = context.new_page()
    tab.goto(f"http://127.0.0.1:{site.port}/#wrong")
    tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)  # on the box's own machine
    context.clear_cookies()
    tab.goto(f"http://127.0.0.1:{site.port}/#another")
    tab.wait_for_selector('[data-state="refused"]', timeout=WAIT_MS)
    assert "Connect this page again" in tab.locator("#status").inner_text()
    context.close()
