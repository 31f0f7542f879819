"""Drawings: unchanged since somebody last looked at them, with all their words."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.presentation.drawing.svg import Paper, style
from tests.playing import table
from tests.presentation.draw import DRAWINGS, SHEET, SIZES, in_documents
from tests.presentation.scenes import SCENES

HERE = Path(__file__).parent


@pytest.mark.parametrize("name", SCENES)
def test_drawings_match_their_golden_files(name: str) -> None:
    """Look at the drawing with python -m tests.presentation.draw FOLDER; renew it with --store."""
    assert SCENES[name]() == (HERE / f"{name}.svg").read_text("utf-8")


def test_every_golden_file_is_used() -> None:
    assert {path.stem for path in HERE.glob("*.svg")} == set(SCENES)


def test_documents_contain_the_current_drawings() -> None:
    shown = {path.stem: path.read_text("utf-8") for path in DRAWINGS.glob("*.svg")}
    assert set(shown) == in_documents()
    for name, text in shown.items():
        assert text == SCENES[name]()


@pytest.mark.parametrize("name", SCENES)
def test_every_class_of_a_drawing_has_a_style(name: str) -> None:
    svg = SCENES[name]().split("</style>")[1]
    used = {word for words in re.findall(r'class="([^"]+)"', svg) for word in words.split()}
    named = set(re.findall(r"\.([a-z-]+)", style()))
    assert used <= named | PLAIN


PLAIN = {"words", "total", "points", "pips-to-match", "level-number", "lit"}
"""Classes of words that look like any others, and of tiles of which only the rim is drawn."""


OUTSIDE = """() => {
  const paper = document.querySelector("svg .table").getBoundingClientRect()
  return [...document.querySelectorAll("svg text")].filter(text => {
    const box = text.getBoundingClientRect()
    return box.left < paper.left || box.right > paper.right ||
      box.top < paper.top || box.bottom > paper.bottom
  }).map(text => text.textContent)
}"""

PALE = """() => {
  const channel = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const light = colour => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(value => channel(value / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b)
    return (bright + 0.05) / (dark + 0.05)
  }
  const fill = selector => {
    const found = document.querySelector(selector)
    return found && getComputedStyle(found)
  }
  const table = fill(".table").fill, found = []
  const check = (what, one, other, least) => {
    if (one && contrast(one, other) < least) found.push(what)
  }
  check("words", fill(".words")?.fill, table, 4.5)
  check("mark", fill(".mark + text")?.fill, fill(".mark")?.fill ?? table, 4.5)
  check("hollow mark", fill(".hollow + text")?.fill, table, 4.5)
  check("mark itself", fill(".mark")?.fill, table, 3)
  check("latest", fill(".halo")?.stroke, table, 3)
  check("pips", fill(".pips")?.stroke, fill(".face")?.fill, 7)
  return found
}"""


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_is_inside_the_drawings_and_has_enough_contrast(browser: Any, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme)
    for name, draw in SCENES.items():
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        page.set_content(SHEET + draw())
        assert page.evaluate(OUTSIDE) == [], name
        assert page.evaluate(PALE) == [], name
    page.close()


@pytest.mark.browser
def test_drawings_have_a_title_and_a_description(browser: Any) -> None:
    page = browser.new_page()
    page.set_content(SHEET + SCENES["line_four_arms"]())
    name = "The line of play: 6 tiles, count 14"
    assert page.get_by_role("img", name=name).count() == 1
    page.close()


@pytest.mark.parametrize("name", ["high-five", "five-up", "all-fives"])
def test_a_game_is_drawn_before_and_after_its_first_hand_is_dealt(name: str) -> None:
    draw = partial(CATALOG[name].presentation.draw, paper=Paper(16, 9))
    said = table(name=name)
    before = draw(said.state)
    said.say("hand lead Red")
    dealt = draw(said.state)
    assert before == dealt
    assert before and before.startswith("<svg ")
    said.say("Red 5-5")
    assert "5-5, the spinner" in str(draw(said.state))
