"""A short hand of each game without a line of play, and a hand of Dominó by its end alone, entered
by touch on a phone."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.record.rows import Setting
from companion.record.settings import ENTRY_SCORES, ENTRY_WAY
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.web.in_browser import WAIT_MS, Viewer, until_taps_count
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_keying_page import ok, phone, tap, until_entries
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

Begin = Callable[[str, str], Viewer]


@pytest.fixture
def begin(tmp_path: Path, view: View) -> Begin:
    """Opens a phone's page at a game with these entries."""

    def opened(name: str, text: str) -> Viewer:
        keep(tmp_path / "record.db", text, name=name)
        return phone(view, None)

    return opened


def tap_tile(viewer: Viewer, tile: str) -> None:
    tap(viewer, f'#tiles [data-tile="{tile}"]')


def tap_large(viewer: Viewer, half: int, tile: str) -> None:
    """Taps a tile of the large set: first one half, unless its tiles are shown, then the tile."""
    key = viewer.tab.locator(f'[data-half="{half}"]')
    if key.get_attribute("aria-pressed") != "true":
        key.tap(timeout=WAIT_MS)
    tap_tile(viewer, tile)


def until_said(viewer: Viewer, words: str) -> None:
    viewer.tab.wait_for_selector(f"#meaning >> text={words}", timeout=WAIT_MS)


def kept(viewer: Viewer, number: int) -> str:
    """Presses OK; returns the newest entry, once there are `number` entries."""
    ok(viewer)
    until_entries(viewer, number)
    viewer.tab.wait_for_selector("#doing", state="hidden", timeout=WAIT_MS)
    return str(viewer.tab.inner_text("#entries li:first-child .said"))


def answered(viewer: Viewer, answer: str, number: int) -> str:
    """Taps the last answer, which needs no OK; returns the newest entry, once there are that
    many."""
    until_taps_count(viewer.tab)
    tap(viewer, f'//*[@data-question]//button[normalize-space()="{answer}"]')
    until_entries(viewer, number)
    viewer.tab.wait_for_selector("#doing", state="hidden", timeout=WAIT_MS)
    return str(viewer.tab.inner_text("#entries li:first-child .said"))


def test_a_forgotten_draw_is_inserted_with_one_button(begin: Begin) -> None:
    lays = ("6-5", "6-4", "6-3", "6-2", "6-1", "6-0", "5-4", "5-3", "5-2")
    turns = (f"{('Red', 'Blue')[at % 2]} {tile} level 1" for at, tile in enumerate(lays))
    viewer = begin("highrise", "\n".join(("hand lead Red", *turns)))
    tap(viewer, ".act.forgot-draw")
    until_said(viewer, "Red drew: it was forgotten")
    ok(viewer)
    until_entries(viewer, 11)
    viewer.tab.wait_for_selector("#asked >> text=Blue's turn", timeout=WAIT_MS)
    assert viewer.tab.locator(".act.forgot-draw").count() == 0


def nothing_overflows(viewer: Viewer) -> bool:
    return not viewer.tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_high_fives_is_entered_by_tiles_with_captures_and_by_points(begin: Begin) -> None:
    viewer = begin("high-fives", "hand lead Red")
    assert "boneyard" not in viewer.tab.inner_text("#where")
    for half, tile in ((0, "1-0"), (1, "2-1"), (7, "7-7"), (8, "9-8"), (10, "15-10")):
        tap_large(viewer, half, tile)
    tap(viewer, "#holds")
    until_said(viewer, "Turned up for the tableau")
    assert kept(viewer, 2).startswith("Turned up for the tableau")
    tap_large(viewer, 7, "8-7")
    until_said(viewer, "7-8 takes")
    assert not viewer.tab.locator("#ok").is_visible()
    tap(viewer, '#board [data-tile="8-9"]')
    until_said(viewer, "Red lays 7-8 and takes 8-9")
    assert nothing_overflows(viewer)
    assert (
        answered(viewer, "0-1 1-2: 0 points", 3) == "Red lays 7-8, takes 8-9, and the pair 0-1, 1-2"
    )
    tap(viewer, ".keying summary")
    viewer.tab.fill("#digits", "2")
    tap(viewer, "#numbers button")
    until_said(viewer, "Blue captures tiles worth 2")
    assert kept(viewer, 4) == "Blue captures tiles worth 2"
    tap(viewer, ".digit >> text=0")
    until_said(viewer, "Red captures tiles worth 0")
    kept(viewer, 5)


def test_highrise_is_entered_with_basement_places_and_a_block(begin: Begin) -> None:
    viewer = begin("highrise", "hand lead Red")
    for tile in ("4-1", "3-1", "6-2", "W-0", "4-3", "5-5", "0-0", "2-1"):
        tap_tile(viewer, tile)
    tap(viewer, "#collected button >> nth=7")
    tap(viewer, "#holds")
    until_said(viewer, "The basement: 4-1, 3-1, 6-2, W-0, 4-3, 5-5, 0-0, 1-2")
    kept(viewer, 2)
    tap_tile(viewer, "6-3")
    until_said(viewer, "Where?")
    tap(viewer, '#board [data-field="1"]')
    until_said(viewer, "Red lays 6-3 on level 1")
    assert nothing_overflows(viewer)
    kept(viewer, 3)
    until_taps_count(viewer.tab)
    tap(viewer, ".act.draw")
    until_entries(viewer, 4)
    viewer.until_answered()
    until_taps_count(viewer.tab)
    tap(viewer, ".act.pass")
    until_entries(viewer, 5)
    viewer.until_answered()
    tap(viewer, ".keying summary")
    until_taps_count(viewer.tab)
    tap(viewer, ".act.blocked")
    until_said(viewer, "Nobody can play")
    kept(viewer, 6)
    tap(viewer, "#whose button >> nth=1")
    tap_tile(viewer, "W-W")
    tap(viewer, "#holds")
    until_said(viewer, "Blue shows W-W")
    kept(viewer, 7)
    tap_tile(viewer, "5-0")
    tap(viewer, "#holds")
    until_said(viewer, "Blue loses 14")
    kept(viewer, 8)
    assert viewer.tab.locator(".score").all_inner_texts() == ["4", "-14"]


def test_rows_are_entered_by_name_and_by_card(begin: Begin) -> None:
    viewer = begin("high-five-tiles", "hand lead Red")
    tap(viewer, '[data-row="full-house"]')
    until_said(viewer, "How many tiles are new?")
    assert nothing_overflows(viewer)
    assert answered(viewer, "3", 2) == "Red lays a row: full house"
    until_taps_count(viewer.tab)
    tap(viewer, ".act.one-tile")
    until_said(viewer, "Blue lays one tile")
    kept(viewer, 3)
    tap(viewer, ".keying summary")
    for card in ("Ks", "Qs", "Js"):
        tap(viewer, f'[data-card="{card}"]')
    tap(viewer, ".suit.red >> nth=0")
    tap(viewer, '[data-card="Th"]')
    tap(viewer, '[data-card="X"]')
    tap(viewer, "#holds")
    until_said(viewer, "How many tiles are new?")
    assert answered(viewer, "2", 4).startswith("Red lays a row: straight, Ks, Qs")


def test_the_tile_and_the_end_of_an_earlier_play_are_changed(begin: Begin) -> None:
    below = "basement 4-1 3-1 6-2 W-0 4-3 5-5 0-0 2-1"
    viewer = begin("highrise", f"hand lead Red\n{below}\nRed 6-3 on 6 3")
    viewer.open_entry("Red lays 6-3")
    viewer.tab.click("#as-text summary")
    viewer.tab.fill("#written", "Red 6-4")
    tap(viewer, '#change [value="change"]')
    viewer.tab.wait_for_selector("#choices >> text=Where?", timeout=WAIT_MS)
    tap(viewer, "#choices button >> nth=0")
    viewer.tab.wait_for_selector("#meaning >> text=Red: 9 → 10", timeout=WAIT_MS)
    ok(viewer)
    viewer.tab.wait_for_selector("#entries .said >> text=Red lays 6-4 on level 1", timeout=WAIT_MS)
    until_entries(viewer, 3)


def test_points_without_tiles_are_tapped_by_seat_and_points(begin: Begin) -> None:
    viewer = begin("high-five", "hand\nRed 6-6\nBlue points 10")
    assert "Who scored, and how much?" in viewer.tab.inner_text("#question")
    keys = viewer.tab.locator("#quick button").all_inner_texts()
    assert keys == ["+5", "+10", "+15", "+20", "+25", "+30", "+35"]
    tap(viewer, "#whose >> text=Red")
    tap(viewer, "#quick >> text=+15")
    until_said(viewer, "Red scores 15")
    assert kept(viewer, 4) == "Red scores 15"
    tap(viewer, ".act.out >> text=Blue is out")
    assert kept(viewer, 5) == "Blue is out"


def test_a_hand_of_domino_is_entered_as_its_winner_and_all_pips(view: View, tmp_path: Path) -> None:
    record = tmp_path / "record.db"
    keep(record, "hand lead Red", name="domino")
    with closing(Store.open(record, GAMES)) as store:
        store.keep(0, Setting(ENTRY_WAY, ENTRY_SCORES))
    viewer = phone(view, None)
    tap(viewer, ".act.out >> nth=0")
    until_said(viewer, "Red is out")
    kept(viewer, 2)
    viewer.tab.wait_for_selector("text=How many pips are left in all?", timeout=WAIT_MS)
    assert nothing_overflows(viewer)
    viewer.tab.fill("#digits", "22")
    tap(viewer, "#numbers button[type=submit]")
    until_said(viewer, "22 pips are left in all")
    kept(viewer, 3)
    viewer.tab.wait_for_selector('.score >> text="22"', timeout=WAIT_MS)  # it counts up
