"""Our drawings as pixels, without a browser: every kind of drawing is known, in the TV's colours,
and nothing of it is left out."""

import pytest
from PIL import ImageChops

from companion.web.tv.drawing import paint, palette, pixels_of
from tests.web.told_games import told, told_game
from tests.web.tv.letters import needs_letters

LINE = ["hand", "Blue 6-6", "Red 6-3"]
WHITE = (241, 234, 216)
"""A tile's face on a TV, as tokens.css says."""


def test_colours_come_from_the_page_s_style_sheets() -> None:
    assert palette()["paper"] == (12, 16, 11)
    assert paint("face", "rect").fill == WHITE
    assert paint("mark", "circle").fill == paint("hollow", "circle").stroke
    assert paint("pips-to-match", "text", after="mark").fill == (8, 32, 47)
    assert paint("shade", "rect").fill == (0, 0, 0, 56)
    assert paint("hollow", "circle").dash == (3, 2.2)


def test_pips_are_where_the_tile_has_them() -> None:
    svg = (
        '<svg viewBox="-20 -20 40 40"><rect class="face" x="-18" y="-18" width="36" height="36"'
        ' rx="3"/><g transform="translate(5 0) scale(2)"><path class="pips" d="M2 0h0"/></g></svg>'
    )
    image = pixels_of(svg, 400, 400)
    assert image.getpixel((200, 200)) == WHITE
    assert image.getpixel((290, 200)) == (29, 27, 24), "moved by 5 and 2 × 2, in tens of pixels"
    assert image.getpixel((290, 280)) == WHITE


@needs_letters
@pytest.mark.parametrize("name", ["high-five", "high-fives", "highrise", "high-five-tiles"])
def test_every_drawing_of_a_game_becomes_an_image(name: str) -> None:
    """A drawing with any part that the TV doesn't know would raise ValueError."""
    moments = [one for one in told_game(name, 3) if one["drawing"]]
    for one in moments[:: max(1, len(moments) // 12)]:
        assert len(pixels_of(one["drawing"], 320, 180).getcolors(320 * 180) or ()) > 5


@needs_letters
def test_an_additional_tile_changes_the_drawing() -> None:
    before, after = (
        pixels_of(told("high-five", "Blue Red", lines)[-1]["drawing"], 640, 360)
        for lines in (LINE, [*LINE, "Blue 6-1"])
    )
    assert ImageChops.difference(before, after).getbbox()
