"""A photo of the line is compared with the record, and a photo of tiles taken as a holding: in a
real browser, on the whole program. The photos are simulated (tests/photos)."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PIL import Image

from tests.photos.layouts import Tile
from tests.photos.make import clear_photo, save
from tests.waiting import wait_until
from tests.web.in_browser import WAIT_MS, Viewer
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414
from tests.web.live import keep
from tests.web.test_keying_page import ok, phone, tap, until_entries
from tests.web.test_table_page import View
from tests.web.test_table_page import view as view  # noqa: PLC0414  # a fixture

READ_MS = 60_000
"""The most milliseconds for reading a photo, on a busy machine."""
GAME = "hand\nRed 6-6\nBlue 6-3\nRed 6-4\nBlue 3-1\nRed 4-2"
LINE: list[Tile] = [(1, 3), (3, 6), (6, 6), (6, 4), (4, 2)]

Photograph = Callable[[Viewer, Sequence[Tile], str], None]


@pytest.fixture
def photograph(tmp_path: Path) -> Photograph:
    """Gives the page a simulated photo of these tiles, with the button for the line or for a
    holding."""

    def take(viewer: Viewer, tiles: Sequence[Tile], what: str) -> None:
        save(clear_photo(tiles), tmp_path, "photo")
        given(viewer, tmp_path / "photo.jpg", f"#photo-of-{what}")

    return take


SHORTEN_WAITS = """() => {
  const real = window.setTimeout;
  window.setTimeout = (then, ms, ...more) => real(then, ms > 10000 ? 100 : ms, ...more);
}"""
"""A script after which what would take the page longer than ten seconds takes it a moment."""


def given(viewer: Viewer, photo: Path, by: str = "#photo-of-line") -> None:
    """Gives the page a photo, and waits until it was read."""
    viewer.tab.set_input_files(by, photo)
    viewer.tab.wait_for_selector(
        '#photo:not([hidden]):not([data-state="reading"])', timeout=READ_MS
    )


FURTHER = "#photo .acts input[type=file]"
"""The button for a photo of the remaining tiles."""


def answers(viewer: Viewer) -> list[str]:
    """The answers offered for the tile in the frame, once it was read."""
    viewer.tab.wait_for_selector(
        '#photo .looked[data-state="one"][aria-busy="false"]', timeout=READ_MS
    )
    found: list[str] = viewer.tab.locator("#photo .looked .acts button").all_inner_texts()
    return found


def answer(viewer: Viewer, text: str) -> None:
    assert text in answers(viewer)
    viewer.tab.get_by_role("button", name=text, exact=True).tap(timeout=WAIT_MS)


def said(viewer: Viewer) -> str:
    text: str = viewer.tab.inner_text("#photo")
    return text


def latest(viewer: Viewer) -> list[str]:
    """The latest entries, the newest first."""
    found: list[str] = viewer.tab.locator("#entries li:not(.hand) .said").all_inner_texts()
    return found


def test_a_photo_that_matches_the_record_is_confirmed_and_discarded(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    viewer.tab.evaluate(
        """() => new MutationObserver(() => {
          const { dataset, textContent } = document.getElementById("photo");
          if (dataset.state === "agreed" && textContent) window.agreed = textContent;
        }).observe(document.getElementById("photo"), { childList: true, attributes: true })"""
    )
    photograph(viewer, LINE, "line")
    viewer.tab.wait_for_selector("#photo", state="hidden", timeout=WAIT_MS)
    assert viewer.tab.evaluate("window.agreed") == "All 5 tiles match the record"
    until_entries(viewer, 6)


def test_a_wrong_tile_is_found_and_corrected_in_the_history(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, [*LINE[:4], (4, 5)], "line")
    assert "The record has 4-2 where the photo shows 5-4. Look." in said(viewer)
    assert viewer.tab.locator("#photo .pair figure").count() == 2
    acts = viewer.tab.locator("#photo .differs .acts button").all_inner_texts()
    assert acts == ["It is 5-4: change 4-2", "4-2 is right"]
    drawn = "getComputedStyle(document.querySelector('#photo figure .bone')).fill"
    assert viewer.tab.evaluate(drawn) == "rgb(255, 253, 244)"
    assert latest(viewer)[0] == "Red lays 4-2"
    tap(viewer, "#photo .differs .acts button >> nth=0")
    viewer.tab.wait_for_selector("#meaning >> text=5-4", timeout=WAIT_MS)
    assert latest(viewer)[0] == "Red lays 4-2", "nothing changes before OK"
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
    assert latest(viewer)[0] == "Red lays 5-4"
    viewer.tab.wait_for_selector("#photo", state="hidden", timeout=WAIT_MS)


def test_a_forgotten_turn_is_proposed_where_it_fits(view: View, photograph: Photograph) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, [*LINE, (2, 2)], "line")
    assert "2-2 is on the table, but not in the record." in said(viewer)
    tap(viewer, "#photo .forgotten .acts button >> nth=0")
    ok(viewer)
    until_entries(viewer, 7)
    assert latest(viewer)[0] == "Blue lays 2-2"
    viewer.tab.wait_for_selector("#photo", state="hidden", timeout=WAIT_MS)


def test_tiles_of_the_record_missing_in_the_photo_are_listed(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, LINE[1:], "line")
    assert "4 of 5 tiles match the record." in said(viewer)
    assert "Not seen in the photo:" in said(viewer)


def test_a_photo_of_another_line_gives_no_list_of_mistakes(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, [(5, 5), (5, 0), (0, 0), (0, 1), (1, 1)], "line")
    assert "Does it show this line, and nothing else?" in said(viewer)


def test_remaining_tiles_become_the_holding_once_confirmed(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, f"{GAME}\nRed out")
    photograph(viewer, [(5, 0), (2, 1)], "holding")
    assert viewer.tab.locator("#photo .held-tile").count() == 2
    tap(viewer, "#holds")
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
    wait_until(lambda: latest(viewer)[0].startswith("Blue shows 0-5, 1-2"))
    viewer.tab.wait_for_selector("#photo", state="hidden", timeout=WAIT_MS)


def test_tiles_answered_or_played_since_the_photo_are_not_asked_about_again(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, [*LINE[1:4], (4, 5)], "line")
    tap(viewer, "#photo .differs .acts button >> nth=1")
    tap(viewer, '#tiles [data-tile="2-2"]')
    ok(viewer)
    until_entries(viewer, 7)
    assert "Not seen in the photo:" in said(viewer)
    assert viewer.tab.locator("#photo .differs").count() == 0
    missed = viewer.tab.locator("#photo .tiles svg").count()
    assert missed == 1, "3-1: of 4-2 it was answered, and 2-2 came later"


def test_where_nothing_is_recognised_people_tap_a_tile_and_name_it(
    view: View, tmp_path: Path
) -> None:
    viewer = phone(view, GAME)
    Image.new("RGB", (1600, 1200), (120, 116, 110)).save(tmp_path / "bare.jpg")
    given(viewer, tmp_path / "bare.jpg")
    assert "No tiles seen. Tap one in the picture" in said(viewer)
    assert "Tap a tile without a frame" in said(viewer)
    tap(viewer, "#photo .picture svg")
    answer(viewer, "It is 4-2")
    assert "1 of 5 tiles match the record." in said(viewer)
    assert viewer.tab.locator("#photo .frame.sure").count() == 1


def test_any_tile_of_the_record_can_be_named_where_none_can_be_read(
    view: View, tmp_path: Path
) -> None:
    viewer = phone(view, f"{GAME}\nBlue 2-2\nRed 2-0\nBlue 1-1")
    Image.new("RGB", (1600, 1200), (120, 116, 110)).save(tmp_path / "bare.jpg")
    given(viewer, tmp_path / "bare.jpg")
    tap(viewer, "#photo .picture svg")
    of_record = ["6-6", "6-3", "6-4", "3-1", "4-2", "2-2", "2-0", "1-1"]
    assert {f"It is {tile}" for tile in of_record} < {*answers(viewer)}
    assert "Drag the corners onto the tile's corners." in said(viewer)


def test_a_photo_that_takes_too_long_is_shown_and_its_tiles_tapped(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    viewer.tab.route(
        "**/photo/worker.js", lambda route: route.fulfill(body="", content_type="text/javascript")
    )
    viewer.tab.evaluate(SHORTEN_WAITS)
    photograph(viewer, LINE, "line")
    assert "Reading the photo takes too long." in said(viewer)
    tap(viewer, "#photo .picture svg")
    answer(viewer, "It is 6-4")
    assert "1 of 5 tiles match the record." in said(viewer)


def test_no_request_carries_the_photo(view: View, photograph: Photograph) -> None:
    """What the page sends while it reads a photo, by all ways that its security policy leaves."""
    viewer = phone(view, GAME)
    requests: list[Any] = []
    sockets: list[Any] = []
    viewer.context.on("request", lambda one: requests.append(one))  # noqa: PLW0108
    viewer.tab.on("websocket", lambda one: sockets.append(one))  # noqa: PLW0108
    photograph(viewer, LINE[1:], "line")
    assert "4 of 5 tiles match the record." in said(viewer)
    assert any("/photo/worker.js" in one.url for one in requests), "the reader's were noted"
    assert sockets == []
    assert [(one.method, one.url) for one in requests if one.method != "GET"] == []
    longest = max(len(urlsplit(one.url).query) for one in requests)
    assert longest < 200, "nor in an address"


def test_a_tile_is_read_where_it_is_tapped(view: View, photograph: Photograph) -> None:
    """The recognised tile is removed, then tapped on the photo."""
    viewer = phone(view, GAME)
    photograph(viewer, [*LINE[:4], (4, 5)], "line")
    frame = viewer.tab.locator('#photo .frame[aria-label="5-4"]')
    picture = viewer.tab.locator("#photo .picture svg")
    lies, before = frame.bounding_box(), picture.bounding_box()
    frame.focus()
    viewer.tab.keyboard.press("Enter")
    answer(viewer, "There is no tile")
    assert "4 of 5 tiles match the record." in said(viewer)
    picture.scroll_into_view_if_needed()
    now = picture.bounding_box()
    viewer.tab.mouse.click(
        now["x"] + lies["x"] - before["x"] + lies["width"] / 2,
        now["y"] + lies["y"] - before["y"] + lies["height"] / 2,
    )
    answer(viewer, "It is 5-4")
    assert "The record has 4-2 where the photo shows 5-4. Look." in said(viewer)


def test_a_corner_of_a_frame_is_dragged_and_the_tile_read_again(
    view: View, photograph: Photograph
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, LINE[1:], "line")
    viewer.tab.locator('#photo .frame[aria-label="6-3"]').focus()
    viewer.tab.keyboard.press("Enter")
    assert "It is 6-3" in answers(viewer)
    corner = viewer.tab.locator("#photo .corner").first
    corner.scroll_into_view_if_needed()
    before, lies = corner.get_attribute("transform"), corner.bounding_box()
    x, y = lies["x"] + lies["width"] / 2, lies["y"] + lies["height"] / 2
    viewer.tab.mouse.move(x, y)
    viewer.tab.mouse.down()
    viewer.tab.mouse.move(x + 6, y + 4)
    viewer.tab.mouse.up()
    assert corner.get_attribute("transform") != before
    answer(viewer, "It is 6-3")
    assert "4 of 5 tiles match the record." in said(viewer)


def test_a_second_photo_shows_the_rest_of_the_line(
    view: View, photograph: Photograph, tmp_path: Path
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, LINE[:3], "line")
    assert "3 of 5 tiles match the record." in said(viewer)
    save(clear_photo([(2, 4), (4, 6), (6, 6)]), tmp_path, "rest")
    viewer.tab.set_input_files(FURTHER, tmp_path / "rest.jpg")
    viewer.tab.wait_for_selector("#photo", state="hidden", timeout=READ_MS)


def test_a_further_file_that_is_not_a_photo_keeps_the_first_result(
    view: View, photograph: Photograph, tmp_path: Path
) -> None:
    viewer = phone(view, GAME)
    photograph(viewer, LINE[1:], "line")
    (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(500))
    given(viewer, tmp_path / "photo.heic", FURTHER)
    assert "Set the camera to JPEG" in said(viewer)
    tap(viewer, '#photo .acts button:text-is("Back")')
    assert "4 of 5 tiles match the record." in said(viewer)


def test_before_a_photo_the_page_explains_how_and_that_it_stays_on_the_phone(view: View) -> None:
    viewer = phone(view, GAME)
    tap(viewer, "#more-ways summary")
    hint = viewer.tab.inner_text("#photo-line")
    assert "From straight above" in hint
    assert "No photo leaves the phone." in hint


CALLED = "hand lead Red\nRed 5-5\nBlue draw\nBlue pass\nRed 5-0\nbogus Blue by Red"


@pytest.fixture
def record(game: str, text: str, tmp_path: Path) -> Path:
    keep(tmp_path / "record.db", text, name=game)
    return tmp_path / "record.db"


@pytest.mark.parametrize(
    "game, text, said",
    [
        ("high-five", CALLED, "Blue has shown tiles"),
        ("five-up", f"{GAME}\nRed out", "Blue shows 0-2, 3-4"),
        ("all-fives", f"{GAME}\nRed out", "Blue shows 0-2, 3-4"),
    ],
)
@pytest.mark.usefixtures("record")
def test_a_photo_shows_holdings_in_a_claim_and_in_other_games(
    said: str, view: View, photograph: Photograph
) -> None:
    """While play goes on after a claim, no other phone shows the tiles that were shown in it."""
    viewer = phone(view, None)
    photograph(viewer, [(0, 2), (4, 3)], "holding")
    tap(viewer, "#holds")
    ok(viewer)
    viewer.tab.wait_for_selector("#answer[data-counted=true]", timeout=WAIT_MS)
    wait_until(lambda: any(one.startswith(said) for one in latest(viewer)))


def test_a_file_that_is_not_a_photo_is_refused_with_a_sentence(view: View, tmp_path: Path) -> None:
    viewer = phone(view, GAME)
    (tmp_path / "photo.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(500))
    viewer.tab.set_input_files("#photo-of-line", tmp_path / "photo.heic")
    viewer.tab.wait_for_selector('#photo[data-state="refused"]', timeout=READ_MS)
    assert "Set the camera to JPEG" in said(viewer)


def test_the_reader_is_loaded_only_after_a_photo_was_taken(view: View) -> None:
    viewer = phone(view, GAME)
    loaded = viewer.tab.evaluate("performance.getEntriesByType('resource').map(({name}) => name)")
    assert not [name for name in loaded if "/photo/" in name]
