"""A game's file in a frame of another page: it fits whatever the frame's size, and nothing
scrolls."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import parse_entry
from companion.presentation.moment import Moment
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.web.export.html_file import game_file
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, seats_of
from tests.presentation.test_moment import at_random
from tests.web.in_browser import in_every_run

pytestmark = in_every_run

SIZES = [(640, 360), (560, 560), (320, 480), (320, 200), (1280, 720), (800, 300), (300, 900)]
FITS = """() => {
  const page = document.documentElement;
  const inside = [...document.querySelectorAll(".seat, .now, .board, .steps button")]
    .filter((one) => one.offsetParent);
  const boxes = inside.map((one) => one.getBoundingClientRect());
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return {
    scrolls: page.scrollWidth > innerWidth || page.scrollHeight > innerHeight,
    out: inside.filter((_, at) => boxes[at].right > innerWidth + 1
      || boxes[at].bottom > innerHeight + 1 || boxes[at].top < 0).map((one) => one.className),
    over: inside.filter((one, i) => boxes.some((b, j) => i !== j && meets(boxes[i], b)))
      .map((one) => one.className || one.id),
    board: document.querySelector(".board svg").clientHeight,
  };
}"""


@cache
def file_of(name: str, number: int) -> str:
    """The text of the file of a random game."""
    if name not in PLAYERS:
        return game_file(Moment(CATALOG, at_random(3), 1, 1, {}), "1 November 2026")
    seats = Seats.of(*seats_of(number))
    journal = Journal.begin(GameOpened(name, seats, {}), GAMES)
    for line in PLAYERS[name](Random(3), number):
        journal = journal.fold(Step((parse_entry(line, GAMES[name], seats),)))
    return game_file(Moment(CATALOG, journal, 1, 1, {}), "1 November 2026")


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("name", "number"), [("high-five", 2), ("highrise", 4), ("high-fives", 8)])
def test_the_file_fits_a_frame_of_any_size(
    tmp_path: Path, browser: Any, name: str, number: int
) -> None:
    (tmp_path / "game.html").write_text(file_of(name, number), "utf-8")
    frames = "".join(
        f'<iframe src="game.html#20" width="{wide}" height="{high}" style="border:0"></iframe>'
        for wide, high in SIZES
    )
    (tmp_path / "club.html").write_text(f"<!doctype html><body>{frames}", "utf-8")
    context = browser.new_context()
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.goto((tmp_path / "club.html").as_uri())
    for size, frame in zip(SIZES, tab.frames[1:], strict=True):
        frame.wait_for_selector("html[data-state='shown']")
        seen = frame.evaluate(FITS)
        assert seen.pop("board") >= 40, size
        assert seen == {"scrolls": False, "out": [], "over": []}, size
        before = frame.inner_text("#said")
        frame.click("#after")
        assert frame.inner_text("#said") != before
    context.close()
    assert complaints == []


@pytest.mark.whole
def test_a_sandboxed_frame_that_may_only_run_scripts_shows_the_file(
    tmp_path: Path, browser: Any
) -> None:
    (tmp_path / "game.html").write_text(file_of("high-five", 2), "utf-8")
    (tmp_path / "club.html").write_text(
        '<!doctype html><iframe sandbox="allow-scripts" src="game.html" width="640" height="360">',
        "utf-8",
    )
    context = browser.new_context()
    tab = context.new_page()
    tab.goto((tmp_path / "club.html").as_uri())
    (_, frame) = tab.frames
    frame.wait_for_selector("html[data-state='shown']")
    frame.click("#after")
    assert frame.evaluate("document.body.classList.contains('embedded')")
    context.close()


@pytest.mark.whole
def test_outside_a_frame_the_file_looks_as_before(tmp_path: Path, browser: Any) -> None:
    (tmp_path / "game.html").write_text(file_of("high-five", 2), "utf-8")
    context = browser.new_context()
    tab = context.new_page()
    tab.goto((tmp_path / "game.html").as_uri())
    assert not tab.evaluate("document.body.classList.contains('embedded')")
    context.close()
