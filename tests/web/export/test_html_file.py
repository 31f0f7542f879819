"""The file of a game in a real browser without a network: slider, keys and play. No player's name
is ever taken for markup."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.core.words import isolated
from companion.presentation.moment import Moment
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.web.export.html_file import game_file
from companion.web.export.pictures import WIDTH, draw_card
from tests.catalog import GAMES
from tests.made_up import MADE_UP, english
from tests.presentation.test_moment import played
from tests.random_games import play_game
from tests.web.accessibility import violations
from tests.web.export.test_moments import tally
from tests.web.in_browser import WAIT_MS, in_every_run, stop_clock
from tests.web.test_made_up_page import PLAYED, READ
from tests.web.test_table_page import DESKTOP, PHONE

pytestmark = in_every_run

KILOBYTES_OF_A_GAME = 355
"""The most kilobytes for a game of 190 entries with a picture of each moment; the drawings alone
would take 825 if they shared nothing."""
PAPER, TABLE, FACE, HALO, END = (
    (0xF3, 0xEF, 0xE6),
    (0xE3, 0xEA, 0xDF),
    (0xFF, 0xFD, 0xF4),
    (0xD9, 0x48, 0x0F),
    (23, 87, 138),
)
"""Colours in a picture, which is always light."""


class Look:
    """A browser without any network that shows the file."""

    def __init__(self, browser: Any, path: Path, text: str, **more: Any) -> None:
        path.write_text(text, "utf-8")
        self.context = browser.new_context(viewport=more.pop("viewport", PHONE), **more)
        self.context.set_offline(True)
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.tab = self.context.new_page()
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("console", lambda message: self.complaints.append(message.text))
        self.tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = path.as_uri()
        self.open("")

    def open(self, place: str) -> None:
        self.tab.goto("about:blank")
        self.tab.goto(self.url + place)
        self.tab.wait_for_selector("html[data-state=shown]", timeout=WAIT_MS)

    @property
    def said(self) -> str:
        return str(self.tab.inner_text("#said"))

    @property
    def place(self) -> int:
        found = re.search(r"(\d+) of \d+$", self.tab.inner_text("#where"))
        assert found
        return int(found[1])


@pytest.fixture
def look(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens the file of a game; at the end the browser must not have reported or requested
    anything."""
    looks: list[Look] = []

    def opened(journal: Journal[Any], **more: Any) -> Look:
        text = game_file(Moment(CATALOG, journal, 7, 4), "2026-11-20")
        looks.append(Look(browser, tmp_path / "game.html", text, **more))
        return looks[-1]

    yield opened
    for one in looks:
        one.context.close()
        assert one.complaints == []
        assert {url.split("#")[0] for url in one.asked} <= {one.url, "data:,", "about:blank"}


def test_keys_step_through_the_game(look: Any) -> None:
    look = look(tally("dispute_of_three"))
    assert (look.place, look.said) == (1, "A hand is dealt")
    look.tab.keyboard.press("ArrowRight")
    assert (look.place, look.said) == (2, "Red lays 6-6")
    look.tab.keyboard.press("ArrowDown")
    assert look.place == 7
    assert look.tab.inner_text("#charge").startswith("Red calls Blue bogus: first turn")
    assert look.tab.inner_text("#verdict") == "Proven"
    assert look.tab.inner_text("#evidence")
    look.tab.keyboard.press("ArrowDown")
    assert look.place == 8
    assert look.tab.inner_text("#payments").startswith("Blue pays Green 50")
    assert "Shown: 0-1" in look.tab.inner_text("#seats")
    look.tab.keyboard.press("End")
    assert (look.place, look.said) == (10, "Green lays 5-5")
    assert look.tab.is_hidden("#dispute")
    look.tab.keyboard.press("ArrowRight")
    assert look.place == 10
    look.tab.keyboard.press("ArrowUp")
    assert look.place == 8
    look.tab.keyboard.press("Home")
    look.tab.keyboard.press("ArrowLeft")
    assert look.place == 1


@pytest.mark.whole
def test_slider_buttons_and_entries_lead_to_moments(look: Any) -> None:
    look = look(tally("dispute_of_three"))
    slider = look.tab.locator("#slider")
    slider.fill("4")
    assert (look.place, slider.get_attribute("aria-valuetext")) == (4, "4 of 10")
    look.tab.click("#after")
    look.tab.click("#after")
    look.tab.click("#before")
    assert look.place == 5
    look.tab.click("#mark-after")
    assert look.place == 7
    look.tab.click("#entries button >> nth=5")
    assert look.place == 2
    assert look.tab.locator("#entries button").count() == 2, "what comes later is not told yet"
    assert look.tab.locator("#mark-before").is_disabled()
    slider.focus()
    look.tab.keyboard.press("ArrowRight")
    assert look.place == 3, "once, not twice"


@pytest.mark.whole
def test_the_game_plays_to_the_end_and_stops_when_somebody_steps(look: Any) -> None:
    look = look(tally("dispute_of_three"))
    look.open("#5")
    stop_clock(look.tab)
    look.tab.keyboard.press("Space")
    assert look.tab.inner_text("#play") == "Pause"
    for _ in range(2):
        look.tab.clock.run_for(1400)
    assert look.place == 7
    look.tab.clock.run_for(1400)
    assert look.place == 7, "a moment that mattered stays longer"
    look.tab.click("#before")
    assert look.tab.inner_text("#play") == "Play"
    look.tab.clock.run_for(10_000)
    assert look.place == 6
    look.tab.click("#play")
    look.tab.clock.run_for(30_000)
    assert (look.place, look.tab.inner_text("#play")) == (10, "Play")
    look.tab.click("#play")
    assert look.place == 1, "and from the beginning again"


@pytest.mark.whole
def test_an_address_opens_its_moment(look: Any) -> None:
    look = look(tally("dispute_of_three"))
    look.open("#7")
    assert look.place == 7
    look.tab.keyboard.press("ArrowLeft")
    assert look.tab.evaluate("location.hash") == "#6"
    look.open("#99")
    assert look.place == 1


NAMES = (
    "</script><img/src='x:'onerror=alert(1)>",
    "<b>&amp;{{label.now}}%game%",
    "\u05d0\u05e0\u05d4\U0001f600",
)


@pytest.mark.whole
def test_names_are_text_whatever_they_look_like(look: Any) -> None:
    look = look(played("hand", seats=" ".join(NAMES)))
    shown = [*NAMES]
    assert look.tab.locator(".seat .who").all_text_contents() == shown
    assert look.tab.title() == f"High Five: {', '.join(map(isolated, shown))}"
    assert look.tab.locator("img, b:not(#number)").count() == 0


@pytest.mark.whole
def test_partners_have_one_card_with_their_score(look: Any) -> None:
    look = look(tally("all_fives"))
    assert look.tab.locator(".seat .who").all_text_contents() == ["Anna", "Cleo", "Ben", "Dan"]
    assert look.tab.locator(".seat .score").count() == 2


@pytest.mark.whole
@pytest.mark.parametrize("name", ["five_up_won", "high_five_tiles"])
def test_other_games_can_be_replayed_too(look: Any, name: str) -> None:
    journal = tally(name)
    look = look(journal)
    look.tab.keyboard.press("End")
    assert look.place == journal.length
    assert look.tab.locator("#board svg").count() == 1


SIZES = {"phone": PHONE, "desktop": DESKTOP}


@pytest.mark.whole
@pytest.mark.sampled(1, of="scheme")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_the_file_is_accessible_and_fits(look: Any, size: str, scheme: str) -> None:
    look = look(tally("dispute_of_three"), viewport=SIZES[size], color_scheme=scheme)
    for place in ("#4", "#7", "#8"):
        look.open(place)
        assert violations(look.tab) == []
    wide = look.tab.evaluate("document.documentElement.scrollWidth")
    assert wide <= SIZES[size]["width"]
    drawing, controls = (
        look.tab.locator(name).bounding_box() for name in ("#board svg", ".controls")
    )
    assert drawing["y"] + drawing["height"] <= controls["y"] + 1, "all of it is seen"


def saved(look: Look) -> Any:
    """Saves the picture of the moment that is shown, and reads it back from the disk."""
    with look.tab.expect_download(timeout=3 * WAIT_MS) as found:
        look.tab.click("#save")
    assert found.value.suggested_filename == f"high-five-4-{look.place}.png"
    with Image.open(found.value.path()) as picture:
        picture.load()
        assert picture.format == "PNG"
        return picture.convert("RGB")


@pytest.mark.whole
def test_each_moment_can_be_saved_as_a_complete_picture(look: Any) -> None:
    journal = tally("dispute_of_three")
    look = look(journal, color_scheme="dark")
    look.open("#8")
    picture = saved(look)
    card = ElementTree.fromstring(draw_card(Moment(CATALOG, journal, 7, 4), "2026-11-20", 8))
    assert [str(side) for side in picture.size] == [card.get("width"), card.get("height")]
    colours = {colour for _, colour in picture.getcolors(1 << 20)}
    assert PAPER in colours, "light, whatever the page is"
    assert {TABLE, FACE, HALO, END} <= colours, "what lies there"
    place = card.find("{*}svg")
    assert place is not None
    top = float(place.get("y", "0"))
    bottom = top + float(place.get("height", "0"))
    for name, (above, below) in {"scores": (0, top), "dispute": (bottom, picture.height)}.items():
        part = picture.crop((0, int(above), picture.width, int(below)))
        dark = sum(many for many, colour in part.getcolors(1 << 20) if max(colour) < 0x60)
        assert dark > 2000, f"the words of the {name} are there"
    assert look.tab.inner_text("#saved") == "Saved as high-five-4-8.png"
    look.tab.keyboard.press("Home")
    assert look.tab.inner_text("#saved") == ""
    assert saved(look).size != picture.size, "another moment, without a dispute"


@pytest.mark.whole
def test_a_name_of_any_letters_is_in_the_picture_and_breaks_nothing(look: Any) -> None:
    look = look(played("hand\n<b>&'\" 6-6", seats="<b>&'\" 山🎲%23%"))
    look.open("#2")
    assert saved(look).width == WIDTH


@pytest.mark.whole
def test_without_support_for_pictures_the_file_says_so(look: Any) -> None:
    look = look(tally("dispute_of_three"))
    look.tab.evaluate("() => { HTMLCanvasElement.prototype.toBlob = (made) => made(null); }")
    look.tab.click("#save")
    look.tab.wait_for_selector("#saved:not(:empty)", timeout=WAIT_MS)
    assert look.tab.inner_text("#saved") == "This browser can't save the picture"


def test_a_long_game_is_small_because_its_drawings_share_parts() -> None:
    journal = Journal.begin(GameOpened("high-five", Seats.of("Red", "Blue", "Green"), {}), GAMES)
    for entry, _ in play_game(Random(5), 3):
        if journal.length < 190:
            journal = journal.fold(Step((entry,)))
    assert journal.length == 190
    text = game_file(Moment(CATALOG, journal, 7, 4), "2026-11-20")
    assert len(text.encode()) < KILOBYTES_OF_A_GAME * 1000


@pytest.mark.whole
def test_no_english_is_left_in_the_file_of_a_game(browser: Any, tmp_path: Path) -> None:
    """Checks each moment; the file uses a simulated language with letters of its own."""
    journal = played(PLAYED)
    text = game_file(Moment(CATALOG, journal, 7, 4), "2026-11-20", MADE_UP)
    look = Look(browser, tmp_path / "game.html", text)
    for _ in range(journal.length):
        found = {word for text in look.tab.evaluate(READ) for word in english(text or "")}
        assert found == set()
        look.tab.keyboard.press("ArrowLeft")
    assert look.complaints == []
    look.context.close()
