"""A table's page passes axe's accessibility rules in states that take several entries to reach, in
light and dark. Pages as first opened: test_every_page.py."""

from pathlib import Path

import pytest

from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_table_page import DESKTOP, LAYS, PHONE, View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

CALLED = "hand\nRed 6-6\nBlue draw\nbogus Blue by Red"


SIZES = {"phone": PHONE, "desktop": DESKTOP}
in_one_scheme = pytest.mark.sampled(1, of="scheme")


@in_one_scheme
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", ["/", "/tv", "/box"])
def test_every_page_is_accessible(view: View, path: str, size: str, scheme: str) -> None:
    tab = view(LAYS, viewport=SIZES[size], color_scheme=scheme).tab
    if path == "/":
        tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    else:
        tab.goto(tab.url.rstrip("/") + path)
        tab.wait_for_selector('[data-state="connected"]', timeout=WAIT_MS)
    assert violations(tab) == []


@in_one_scheme
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_of_keying_is_accessible(view: View, scheme: str) -> None:
    tab = view(LAYS, viewport=PHONE, color_scheme=scheme).tab
    tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    tab.click(".keying summary")
    for tile in ("6-4", "5-5"):
        tab.click(f'[data-tile="{tile}"]')
        tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
        assert violations(tab) == []
    tab.click("#cancel")
    tab.click("#entries button >> nth=0")
    assert violations(tab) == []


BASEMENT = "hand lead Red\nbasement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1"
OTHERS = {
    "high-fives": ("hand lead Red\ntableau 0-1 1-2 7-7 8-9 10-15", '[data-half="7"]', "8-7"),
    "highrise": (BASEMENT, "", "W-3"),
    "high-five-tiles": ("hand lead Red", ".keying summary", ""),
}
"""For each game: the entries before, the first tap, and the tile."""


@in_one_scheme
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", OTHERS)
def test_the_keys_of_every_game_are_accessible(
    tmp_path: Path, view: View, name: str, scheme: str
) -> None:
    text, first, tile = OTHERS[name]
    keep(tmp_path / "record.db", text, name=name)
    tab = view(None, viewport=PHONE, color_scheme=scheme).tab
    tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    if first:
        tab.click(first)
    tab.click(f'#tiles [data-tile="{tile}"]' if tile else '[data-row="flush"]')
    tab.wait_for_selector(".answers button", timeout=WAIT_MS)
    assert violations(tab) == []
    if name == "high-five-tiles":
        tab.click("#cancel")
        tab.click('[data-card="Ks"]')
        assert violations(tab) == []


@in_one_scheme
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("text", ["", CALLED], ids=["no game", "a call"])
def test_every_other_state_is_accessible(view: View, text: str, scheme: str) -> None:
    tab = view(text or None, viewport=PHONE, color_scheme=scheme).tab
    assert violations(tab) == []


BROKEN = """
const [key, line] = ["button", "p"].map((name) => document.createElement(name));
Object.assign(key.style, {width: "4rem", height: "4rem"});
line.textContent = "Can't be read";
Object.assign(line.style, {background: "white", color: "rgb(235, 231, 222)"});
document.querySelector("main").append(key, line);
"""
"""Adds two faults outside the parts that the page draws, as it may redraw those at any moment."""


def test_the_check_finds_an_unnamed_key_and_low_contrast(view: View) -> None:
    tab = view(LAYS, viewport=PHONE).tab
    tab.wait_for_selector("#keyed:not([hidden])", timeout=WAIT_MS)
    tab.evaluate(BROKEN)
    assert {found.split(":")[0] for found in violations(tab)} == {"button-name", "color-contrast"}
