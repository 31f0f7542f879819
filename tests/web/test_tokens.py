"""Colours and sizes of type are defined in one style sheet, tokens.css; others only use them."""

import re
from pathlib import Path
from typing import Final

import pytest

from companion.presentation.drawing.svg import style
from companion.presentation.language import ENGLISH
from companion.web.export.event_paper import STYLE as EVENT_PAPER
from companion.web.files import PHOTO, STATIC, manifest, words_in
from tests.web.test_colours import contrast, palettes
from tests.web.test_oldest_browsers import SHEETS

TOKENS: Final = STATIC / "tokens.css"
OF_THE_BOX: Final = ["box.css", "wood.css", "box_settings.css", "check.css"]
"""The picture of the box, and the pages on its wood: they look like the thing itself."""
ON_PAPER: Final = ("card.css", EVENT_PAPER.name)
COLOURS: Final = re.compile(r"#[0-9a-f]{3,8}\b(?=[^{}]*[;}])|\b(?:rgb|hsl)a?\([^)]*\)", re.I)
SIZES: Final = re.compile(r"font-size: (?!inherit|[\d.]+em\b|var\()[^;}]+")
"""Sizes of type that are no token; those in em follow the text around them."""

ALLOWED: Final = {
    "evenings.css": {  # one sheet of paper, whose sizes are smaller
        *("#000", "#ddd", "#555", "#b3261e", "font-size: 9pt", "font-size: 1.6rem"),
        *("font-size: 1rem", "font-size: 0.8rem", "font-size: 0.9rem"),
        "font-size: 20px",  # units of a drawing, like those below
    },
    "event.css": {  # a TV with the tables of an event: a share of its height
        *("font-size: 6vh", "font-size: 4vh", "font-size: 2.5vh"),
        *("font-size: min(var(--size), 3.8vh)",),
    },
    "keying.css": {"font-size: 13px", "font-size: min(1rem, 3.6vw)"},  # keys in a row of five
    "panels.css": {"font-size: 11px"},
    "win.css": {"font-size: 17px"},
    "watch.css": {"font-size: 18px"},  # the size that rem stands for on a large screen
    "table.css": {"font-size: 20px", "font-size: 7vh"},  # a call across a TV
    "photo.css": {  # frames over a photo, whatever its colours are
        *("#000", "#fff", "rgba(0, 0, 0, .6)", "rgba(255, 255, 255, 0)", "#14b84b", "#ffb300"),
        *("#ff4a3d", "#2f9bff", "rgba(47, 155, 255, .55)"),
    },
}
"""The literals that sheets may have, with the reasons."""
FITTED: Final = re.compile(r"font-size: [\d.]+vw")
"""Sizes on a TV, each fitted into its place."""


def literals(path: Path) -> set[str]:
    """The colours and sizes of type in a style sheet that are no tokens."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S)
    return {*COLOURS.findall(text), *SIZES.findall(text)}


@pytest.mark.parametrize("path", SHEETS, ids=lambda path: path.name)
def test_only_tokens_define_colours_and_sizes(path: Path) -> None:
    if path == TOKENS or path.name in (*OF_THE_BOX, *ON_PAPER):
        return
    found = literals(path)
    if path.name in ("tv.css", "tv_show.css"):
        found = {one for one in found if not FITTED.fullmatch(one)}
    assert found == ALLOWED.get(path.name, set())


def test_literals_are_found(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.css"
    sheet.write_text("#abc p { color: #abcdef; font-size: 1.1rem; }\nb { font-size: 0.9em; }")
    assert literals(sheet) == {"#abcdef", "font-size: 1.1rem"}


def test_every_token_is_used() -> None:
    text = "".join(path.read_text("utf-8") for path in (*SHEETS, PHOTO / "photo.css"))
    tokens = set(re.findall(r"(--[\w-]+):", TOKENS.read_text().partition("@media")[0]))
    assert {one for one in tokens if f"var({one})" not in text} == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tiles_have_the_colours_of_the_drawings(scheme: str) -> None:
    light, _, dark = style().partition("@media (prefers-color-scheme: dark)")
    drawn = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", light))
    if scheme == "dark":
        drawn |= dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", dark.partition("\n}\n")[0]))
    tokens = palettes()["light"] | palettes()[scheme]
    assert {one: tokens[one] for one in ("face", "rim", "pip")} == {
        one: drawn[one] for one in ("face", "rim", "pip")
    }


@pytest.mark.parametrize("scheme", ["light", "dark", "tv"])
def test_words_and_rings_stand_out_from_every_ground(scheme: str) -> None:
    """WCAG 2.1: 4.5 for words (1.4.3), 3 for what shows a state (1.4.11)."""
    colours = palettes()[scheme]
    grounds = ("paper", "card", "turn")
    words = [
        (word, ground, round(contrast(colours[word], colours[ground]), 1))
        for word in ("text", "quiet", "good", "alarm", "accent")
        for ground in grounds
        if contrast(colours[word], colours[ground]) < 4.5
    ]
    rings = [one for one in grounds if contrast(colours["glow"], colours[one]) < 3]
    assert (words, rings) == ([], [])


def test_browsers_show_their_bars_in_the_colour_of_the_paper() -> None:
    papers = {name: colours["paper"] for name, colours in palettes().items()}
    assert f'"theme_color": "{papers["light"]}"' in manifest(words_in(ENGLISH))
    page, tv = ((STATIC / name).read_text() for name in ("table.html", "tv.html"))
    for scheme in ("light", "dark"):
        assert f'content="{papers[scheme]}" media="(prefers-color-scheme: {scheme})"' in page
    assert f'name="theme-color" content="{papers["tv"]}"' in tv
