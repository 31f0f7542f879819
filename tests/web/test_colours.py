"""The colours of seats on pages: eight that can be told apart on every background, in light and in
dark."""

import math
import re
from itertools import combinations
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.seats import COLOURS, MORE_COLOURS, Seats
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.rows import GameOpened
from companion.web.files import STATIC
from tests.catalog import GAMES

ALL = [colour.lower() for colour in (*COLOURS, *MORE_COLOURS)]
GROUNDS = ("card", "paper", "turn")
LEAST_CONTRAST = 3.0
"""The least contrast of a sign or a stair with its background: WCAG 2.1, 1.4.11."""
LEAST_DIFFERENCE = 25.0
"""The least difference of two colours, in CIE 1976 units; people notice 2.3 side by side."""


def palettes() -> dict[str, dict[str, str]]:
    """The colours of each scheme, by their names in the style sheet."""
    light, _, dark = (
        (STATIC / "tokens.css").read_text().partition("@media (prefers-color-scheme: dark)")
    )
    texts = {
        "light": light,
        "dark": dark.split("\n}\n")[0],
        "tv": dark.partition(".tv {")[2].partition("}")[0],
    }
    return {
        name: dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", text)) for name, text in texts.items()
    }


def light_of(colour: str) -> tuple[float, float, float]:
    """The red, green and blue of a colour as linear light, 0 to 1."""
    values = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in values
    )
    return red, green, blue


def contrast(one: str, other: str) -> float:
    lights = (light_of(colour) for colour in (one, other))
    dark, bright = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in lights
    )
    return (bright + 0.05) / (dark + 0.05)


def lab(colour: str) -> tuple[float, float, float]:
    """The colour in CIE L*a*b*, under daylight."""
    red, green, blue = light_of(colour)
    rows = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883,
    )
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in rows)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str) -> float:
    return math.dist(lab(one), lab(other))


@pytest.mark.parametrize("scheme", ["light", "dark", "tv"])
def test_each_colour_stands_out_from_the_ground_and_from_the_others(scheme: str) -> None:
    palette = palettes()[scheme]
    pale = [
        (name, ground)
        for name in ALL
        for ground in GROUNDS
        if contrast(palette[name], palette[ground]) < LEAST_CONTRAST
    ]
    alike = [
        pair
        for pair in combinations(ALL, 2)
        if difference(*(palette[name] for name in pair)) < LEAST_DIFFERENCE
    ]
    assert (pale, alike) == ([], [])


def test_contrast_is_computed_as_in_wcag() -> None:
    assert round(contrast("#ffffff", "#000000"), 2) == 21
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48
    assert difference("#ffffff", "#ffffff") == 0
    assert round(difference("#ffffff", "#000000")) == 100


def test_pages_define_each_colour() -> None:
    known = re.search(r"KNOWN = new Set\(\[([^\]]*)\]\)", (STATIC / "elements.js").read_text())
    assert known is not None
    assert re.findall(r'"(\w+)"', known[1]) == ALL
    styles = (STATIC / "table.css").read_text()
    assert re.findall(r'\[data-colour="(\w+)"\] \{ --own', styles) == [*ALL, "other"]


def told(*names: str) -> list[dict[str, Any]]:
    opened = GameOpened("high-fives", Seats.of(*names), {})
    seats: list[dict[str, Any]] = describe(Moment(CATALOG, Journal.begin(opened, GAMES)))["seats"]
    return seats


def test_eight_seats_have_eight_colours_and_eight_signs() -> None:
    seats = told(*"ABCDEFGH")
    assert [seat["colour"] for seat in seats] == ALL
    assert len({seat["sign"] for seat in seats}) == 8


def test_a_seat_named_after_a_colour_gets_that_colour() -> None:
    assert [seat["colour"] for seat in told("Pink", "A", "Red", "B", "C", "D", "White", "E")] == [
        *("pink", "blue", "red", "green", "yellow", "black", "white", "orange"),
    ]
    assert [seat["colour"] for seat in told("Orange", "Black")] == ["red", "blue"], (
        "that of their chips goes before: everybody knows those"
    )
