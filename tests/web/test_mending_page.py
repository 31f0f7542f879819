"""Every kind of slip is corrected by taps alone, in High Five and in a line game whose points are
written down: nothing is typed as text, and each correction is previewed before it counts."""

from typing import Any

import pytest

from tests.web.accessibility import violations
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.test_keying_page import ok, phone, tap
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

THREE = "Anna Ben Cleo"
GAMES: tuple[dict[str, Any], ...] = ({}, {"name": "five-up"})


def opens(view: View, text: str, options: dict[str, Any], seats: str = THREE) -> Viewer:
    view(text, seats=seats, options=options)
    return phone(view)


def entry(viewer: Viewer, said: str) -> None:
    """Opens the newest entry with these words."""
    viewer.open_entry(said)
    viewer.tab.wait_for_selector("#opened:not([hidden])", timeout=WAIT_MS)


def gap(viewer: Viewer, said: str) -> None:
    """Opens the gap before the newest entry with these words."""
    line = viewer.tab.locator("#entries li", has_text=said)
    line.first.locator(".gap").tap(timeout=WAIT_MS)
    viewer.tab.wait_for_selector("#missing h3", timeout=WAIT_MS)


def key(viewer: Viewer, text: str) -> None:
    tap(viewer, f'#opened button >> text="{text}"')


def other_tile(viewer: Viewer, tile: str) -> None:
    tap(viewer, f'#other-tiles [data-tile="{tile}"]')


def confirms(viewer: Viewer, *, moves: bool = False) -> None:
    """Confirms the correction that is previewed; with `moves` the later turns move along."""
    if moves:
        tap(viewer, "#choices .choice >> text=Move the later turns")
    viewer.tab.wait_for_selector("#meaning li", timeout=WAIT_MS)
    assert viewer.tab.locator("#as-text").get_attribute("open") is None
    ok(viewer)
    viewer.until_answered()
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)


def said(viewer: Viewer, number: int) -> list[str]:
    """The newest entries, the newest first."""
    found: list[str] = viewer.tab.locator("#entries .said").all_inner_texts()
    return found[:number]


@pytest.fixture(params=GAMES, ids=["high-five", "five-up"])
def options(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.param
    return found


def test_a_wrong_tile_and_a_wrong_seat_are_corrected(view: View, options: dict[str, Any]) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo 6-4", options)
    entry(viewer, "Cleo lays 6-4")
    key(viewer, "Another tile")
    other_tile(viewer, "6-5")
    confirms(viewer)
    assert said(viewer, 1) == ["Cleo lays 6-5"]
    entry(viewer, "Cleo lays 6-5")
    key(viewer, "Another tile")
    assert violations(viewer.tab) == []


def test_a_wrong_end_is_corrected(view: View, options: dict[str, Any]) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo 6-4\nAnna 4-3 @left", options)
    before = viewer.tab.inner_html("#board")
    entry(viewer, said(viewer, 1)[0])
    key(viewer, "Another end")
    key(viewer, "Where: right")
    confirms(viewer)
    assert viewer.tab.inner_html("#board") != before


def test_a_forgotten_pass_is_inserted_if_the_seat_is_wrong(
    view: View, options: dict[str, Any]
) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo 3-2", options)
    entry(viewer, "Ben lays 6-3")
    key(viewer, "It was Cleo's")
    tap(viewer, "#choices .choice >> text=Ben passed before this")
    confirms(viewer, moves=True)
    assert said(viewer, 3) == ["Anna lays 3-2", "Cleo lays 6-3", "Ben passes"]


@pytest.mark.parametrize("deed", ["pass", "draw", "tile"])
def test_a_forgotten_turn_is_inserted_into_the_gap(
    view: View, options: dict[str, Any], deed: str
) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo 3-2", options)
    gap(viewer, "Ben lays 6-3")
    assert violations(viewer.tab) == []
    pressed = viewer.tab.inner_text('#missing [aria-pressed="true"]')
    assert pressed == "Ben", "the turn of the entry after the gap"
    tap(viewer, f'#missing [data-deed="{deed}"]')
    if deed == "tile":
        other_tile(viewer, "6-1")
    confirms(viewer, moves=deed != "draw")
    words = {"pass": "Ben passes", "draw": "Ben draws", "tile": "Ben lays 6-1"}[deed]
    later = (
        ["Cleo lays 3-2", "Ben lays 6-3"]
        if deed == "draw"
        else [
            "Anna lays 3-2",
            "Cleo lays 6-3",
        ]
    )
    assert said(viewer, 3) == [*later, words]


def test_a_seat_other_than_the_next_is_chosen_for_the_gap(
    view: View, options: dict[str, Any]
) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo draw\nCleo 3-2", options)
    gap(viewer, "Cleo lays 3-2")
    tap(viewer, "#missing .whose-turn >> text=Anna")
    tap(viewer, '#missing [data-deed="draw"]')
    viewer.tab.wait_for_selector("#meaning .refusal", timeout=WAIT_MS)
    tap(viewer, "#missing .whose-turn >> text=Cleo")
    tap(viewer, '#missing [data-deed="draw"]')
    confirms(viewer)
    assert said(viewer, 3) == ["Cleo lays 3-2", "Cleo draws", "Cleo draws"]


def test_an_entry_made_twice_is_removed(view: View, options: dict[str, Any]) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen draw\nBen draw\nBen 6-3", options)
    entry(viewer, "Ben draws")
    key(viewer, "Delete it")
    confirms(viewer)
    assert said(viewer, 3) == ["Ben lays 6-3", "Ben draws", "Anna lays 6-6"]


def test_a_wrong_count_is_corrected(view: View, options: dict[str, Any]) -> None:
    viewer = opens(view, "hand lead Anna\nAnna points 15\nBen points 10", options)
    text = said(viewer, 2)[1]
    entry(viewer, text)
    viewer.tab.fill("#number-now", "20")
    key(viewer, "Change the number")
    confirms(viewer)
    assert said(viewer, 2)[1] == text.replace("15", "20")


def test_a_wrong_first_player_is_corrected(view: View, options: dict[str, Any]) -> None:
    viewer = opens(view, "hand lead Anna\nAnna 5-5\nBen 5-0", options)
    entry(viewer, "Anna lays 5-5")
    key(viewer, "Delete it")
    tap(viewer, "#cancel")
    dealt = viewer.tab.locator("#entries .said").last.inner_text()
    entry(viewer, dealt)
    key(viewer, "It was Ben's")
    confirms(viewer, moves=True)
    assert said(viewer, 2) == ["Cleo lays 5-0", "Ben lays 5-5"]


HAND = (
    "hand lead Anna\nAnna 5-5\nBen 5-0\nCleo 5-1\nAnna 1-1\nAnna out\nBen holds 6-6\nCleo holds 4-4"
)


def test_a_wrong_holding_in_a_finished_hand_is_corrected(
    view: View, options: dict[str, Any]
) -> None:
    viewer = opens(view, HAND, options)
    shown = next(one for one in said(viewer, 3) if one.startswith("Ben shows"))
    entry(viewer, shown)
    key(viewer, "Other tiles")
    other_tile(viewer, "6-6")
    other_tile(viewer, "6-4")
    key(viewer, "These tiles")
    confirms(viewer)
    assert {"Ben shows 6-4", "Ben shows 4-6"}.intersection(said(viewer, 3))


def test_a_game_that_only_seemed_to_be_over_continues_after_a_correction(
    view: View, options: dict[str, Any]
) -> None:
    target = {"target": 100} if options.get("name") == "five-up" else {}
    points = [f"{seat} points 35" for seat in ("Anna", "Ben", "Cleo")] * 2
    text = "\n".join(["hand lead Anna", *points, *["Anna points 35"] * 12])
    viewer = opens(view, text, {**options, **target})
    viewer.tab.wait_for_selector("body.over", timeout=WAIT_MS)
    entry(viewer, said(viewer, 1)[0])
    viewer.tab.fill("#number-now", "5")
    key(viewer, "Change the number")
    confirms(viewer)
    viewer.tab.wait_for_selector("body:not(.over)", timeout=WAIT_MS)


def test_a_wrong_payment_is_corrected_with_the_chips(view: View) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo 3-2", {})
    tap(viewer, 'nav [data-panel="chips"]')
    tap(viewer, "#panel .holding:first-child .acts button >> nth=1")
    viewer.tab.locator("#panel .asks:visible input").fill("10")
    tap(viewer, "#panel .asks:visible [type=submit]")
    confirms(viewer)


def test_totals_and_chips_are_previewed(view: View) -> None:
    viewer = opens(view, "hand\nAnna 6-6\nBen 6-3\nCleo 3-2", {})
    gap(viewer, "Ben lays 6-3")
    tap(viewer, '#missing [data-deed="pass"]')
    tap(viewer, "#choices .choice >> text=Move the later turns")
    viewer.tab.wait_for_selector("#meaning >> text=Ben passes", timeout=WAIT_MS)
    assert "→" in viewer.tab.inner_text("#meaning")
    assert viewer.tab.locator("#meaning .pays").count() > 0
