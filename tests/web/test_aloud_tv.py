"""A TV speaks the news at the table's level, after one tap or if its address requests it. If the
browser has no voice, it plays the box's clips; without clips it shows a line that says so."""

from collections.abc import Callable
from typing import Any

from companion.devices.voice import Clips
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_aloud import SILENT, VOICE, enter, said
from tests.web.test_aloud import clips as clips  # noqa: PLC0414  # a fixture
from tests.web.test_table_page import LAYS, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture


def tv_with(view: View, script: str, path: str = "/tv", **more: Any) -> Viewer:
    """A TV's page in a browser in which this script has run."""
    viewer = view(LAYS, path="/tv", **more)
    viewer.tab.add_init_script(script)
    viewer.tab.goto(f"http://127.0.0.1:{viewer.site.port}{path}")
    viewer.until_state("connected")
    return viewer


def table_says(box: Viewer, level: str) -> None:
    """Sets the level of the table's voice at the box."""
    for key in ("m", "8", "8", {"off": "4", "counts": "5", "everything": "6"}[level]):
        box.after(box.tab.keyboard.press, key)


def test_a_tv_says_what_is_new_at_the_table_s_level_after_a_tap(view: View) -> None:
    viewer, box = tv_with(view, VOICE), view(LAYS, path="/box")
    key = viewer.tab.locator("#aloud")
    assert not key.is_visible()
    table_says(box, "everything")
    key.wait_for(timeout=WAIT_MS)
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer) == []
    key.click()
    enter(viewer, box, "6", "1", "Enter")
    assert said(viewer, 2)[1] == "en: Blue, six-one: 8"
    table_says(box, "counts")
    enter(viewer, box, "d")
    enter(viewer, box, "6", "2", "Enter")
    assert said(viewer, 3)[2:] == ["en: Blue pays Red 10"]
    table_says(box, "off")
    key.wait_for(state="hidden", timeout=WAIT_MS)
    enter(viewer, box, "d")
    assert len(said(viewer)) == 3


def test_a_tv_that_cannot_be_tapped_speaks_if_its_address_says_so(view: View) -> None:
    viewer, box = tv_with(view, VOICE, "/tv?aloud"), view(LAYS, path="/box")
    table_says(box, "counts")
    viewer.tab.locator("#aloud[aria-pressed=true]").wait_for(timeout=WAIT_MS)
    enter(viewer, box, "6", "4", "Enter")
    assert said(viewer, 1) == ["en: count 7"]


def test_a_tv_without_a_voice_plays_clips_once_its_browser_lets_it(
    view: View, clips: Callable[[str], Clips]
) -> None:
    viewer = tv_with(view, SILENT, "/tv?aloud", clips=clips)
    box = view(LAYS, path="/box")
    table_says(box, "counts")
    key = viewer.tab.locator("#aloud")
    viewer.tab.locator("#aloud[aria-pressed=true]").wait_for(timeout=WAIT_MS)
    enter(viewer, box, "6", "4", "Enter")
    viewer.tab.locator("#aloud[aria-pressed=false]").wait_for(timeout=WAIT_MS)
    assert said(viewer) == []
    key.click()
    assert said(viewer, 2) == ["count.wav", "7.wav"]


def test_a_tv_without_any_voice_says_so_while_the_table_speaks(view: View) -> None:
    viewer, box = tv_with(view, SILENT), view(LAYS, path="/box")
    line = viewer.tab.locator("#no-voice")
    assert not line.is_visible()
    table_says(box, "counts")
    line.wait_for(timeout=WAIT_MS)
    assert not viewer.tab.locator("#aloud").is_visible()
