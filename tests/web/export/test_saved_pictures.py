"""The pictures that people save: one moment of each game, drawn as when it is saved, and
measured."""

import io
import re
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from PIL import Image

from companion.app.catalog import CATALOG
from companion.presentation.drawing.svg import plain_style
from companion.presentation.moment import Moment
from companion.record.journal import Journal
from companion.web.export.pictures import TEXTS, draw_card, png_of
from tests.catalog import GAMES
from tests.presentation.test_golden import PLAIN
from tests.presentation.test_moment import played
from tests.web.export.test_moments import tally

SVG = "{http://www.w3.org/2000/svg}"
BLACK = (0, 0, 0)
"""The colour of anything without a style, which none of our colours is."""
TOUCHING = 3
"""The most pixels by which the outermost edges of letters may overlap."""
STRIP, BESIDE = 120, 300
"""Pixels of each strip on which a text is measured: the strip's height, and the space at each side
of the text."""
CARDS, WIDE = "Ks 9h 9c 9d 9s", "Wilhelmina-Maximiliane WWWWWWWWWWWWWWWW Maximilian-Wolfgang Mo"
EIGHT = f"{WIDE} MMMMMMMMMMMM Eva Gwendolyn-Margareta Ole"
LONG_NAMES = {
    "high-five": (WIDE, "hand\nWilhelmina-Maximiliane 6-6\nWWWWWWWWWWWWWWWW 6-3"),
    "five-up": (WIDE, "hand\nWilhelmina-Maximiliane 6-6\nWWWWWWWWWWWWWWWW 6-4"),
    "fives-and-threes": (WIDE, "hand lead Wilhelmina-Maximiliane\nWilhelmina-Maximiliane 6-6"),
    "domino": (WIDE, "hand lead Wilhelmina-Maximiliane\nWilhelmina-Maximiliane 6-6"),
    "all-fives": (WIDE, "hand\nWilhelmina-Maximiliane 6-6\nWWWWWWWWWWWWWWWW 6-3"),
    "high-fives": (
        EIGHT,
        "hand\ntableau 0-1 1-2 7-7 8-9 10-15\nWilhelmina-Maximiliane 7-8 takes 8-9 pair 0-1 1-2",
    ),
    "highrise": (
        WIDE,
        "hand\nbasement 4-1 3-2 6-1 5-5 2-4 1-1 0-3 6-2\nWilhelmina-Maximiliane 4-3"
        "\nWWWWWWWWWWWWWWWW 6-5\nMaximilian-Wolfgang 3-6",
    ),
    "high-five-tiles": (
        WIDE,
        f"hand\nWilhelmina-Maximiliane row {CARDS} laid 3\nWWWWWWWWWWWWWWWW row straight-flush"
        " laid 3\nMaximilian-Wolfgang row royal-flush laid 3\nMo row three-of-a-kind"
        f" laid 3\nWilhelmina-Maximiliane tile\nWWWWWWWWWWWWWWWW row {CARDS} laid 2",
    ),
}
"""For each game, seats and entries with texts that need all of their space."""
SAVED = {
    "dispute": ("dispute_of_three", 8),
    "line of counts": ("dispute_by_count", 3),
    "line of ends": ("dispute_of_four_by_ends", 4),
    "Five Up": ("five_up", 9),
    "partners": ("all_fives", 9),
    "High Fives": ("high_fives", 7),
    "basement": ("highrise", 2),
    "Highrise": ("highrise", 8),
    "All Fives": ("all_fives", 4),
    "Fives and Threes": ("fives_and_threes", 10),
    "Dominó": ("domino", 10),
    "nothing known": ("highrise", 27),
    "no row": ("high_five_tiles", 1),
    "rows": ("high_five_tiles", 8),
}
"""The pictures that are measured: for each a tally, and the number of its entries to use."""


def card(journal: Journal[Any], at: int | None = None) -> str:
    return draw_card(Moment(CATALOG, journal, 7, 4), "2026-11-20", at)


@pytest.fixture(params=[*SAVED, *LONG_NAMES])
def saved(request: pytest.FixtureRequest) -> str:
    if request.param in SAVED:
        name, at = SAVED[request.param]
        return card(tally(name), at)
    seats, text = LONG_NAMES[request.param]
    return card(played(text, request.param, seats))


def test_every_game_has_a_saved_picture() -> None:
    assert set(LONG_NAMES) == set(GAMES)
    assert {tally(name).opened.game for name, _ in SAVED.values()} == set(GAMES)


def test_each_class_has_one_style(saved: str) -> None:
    """The card's text and its drawing have no class in common."""
    root = ElementTree.fromstring(saved)
    drawing = root.find(f"{SVG}svg")
    assert drawing is not None
    carried = styled(root.findtext(f"{SVG}style") or "")
    assert classes(root) <= carried | PLAIN
    assert classes(drawing) <= styled(plain_style()) | PLAIN
    assert classes(drawing) & set(TEXTS) == set()


def classes(svg: ElementTree.Element) -> set[str]:
    return {word for one in svg.iter() for word in one.get("class", "").split()}


def styled(sheet: str) -> set[str]:
    return set(re.findall(r"\.([a-z-]+)", sheet))


@pytest.mark.pictures
@pytest.mark.sampled(4)
def test_no_shape_is_left_unstyled(saved: str) -> None:
    with Image.open(io.BytesIO(png_of(saved))) as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or ()}
    assert BLACK not in colours


@pytest.mark.pictures
@pytest.mark.sampled(4)
def test_all_words_are_inside_and_do_not_overlap(saved: str) -> None:
    found = measured(saved)
    assert [words.said for words in found if not words.box.within(words.room)] == []
    pairs = combinations([words for words in found if not words.on_tile], 2)
    assert [(one.said, two.said) for one, two in pairs if one.box.overlaps(two.box)] == []


class Box(NamedTuple):
    """An area of a picture, in its pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide > TOUCHING and high > TOUCHING

    def within(self, room: "Box") -> bool:
        return (
            room.left <= self.left
            and room.top <= self.top
            and room.right >= self.right
            and room.bottom >= self.bottom
        )


class MeasuredText(NamedTuple):
    """A text in a picture, the area of its letters, and the area that they must stay in."""

    said: str
    box: Box
    room: Box
    on_tile: bool
    """Whether the text is a numeral that another tile may cover."""


class PlacedText(NamedTuple):
    """A text element, its origin in the picture, its scale there, and the area that it must stay
    in."""

    text: ElementTree.Element
    x: float
    y: float
    scale: float
    room: Box


def measured(saved: str) -> list[MeasuredText]:
    """The words of each text in a picture. Each is drawn once more, at half its size, in a strip of
    its own."""
    root = ElementTree.fromstring(saved)
    whole = Box(0, 0, *(float(root.attrib[side]) for side in ("width", "height")))
    texts = [*placed(root, PlacedText(root, 0, 0, 1, whole))]
    wide, high = whole.right + 2 * BESIDE, len(texts) * STRIP
    parts = [
        f'<svg xmlns="{SVG[1:-1]}" width="{wide / 2}" height="{high / 2}"'
        f' viewBox="0 0 {wide} {high}" font-family="{root.attrib["font-family"]}">'
        f"<style>{root.findtext(f'{SVG}style')}</style>"
    ]
    for strip, one in enumerate(texts):
        down = (strip + 0.5) * STRIP - float(one.text.attrib["y"]) * one.scale
        place = f'transform="translate({BESIDE + one.x} {down}) scale({one.scale})"'
        name = "" if one.scale == 1 else 'class="drawing" '
        parts.append(f"<g {name}{place}>{ElementTree.tostring(one.text, 'unicode')}</g>")
    with Image.open(io.BytesIO(png_of("".join([*parts, "</svg>"])))) as picture:
        letters = picture.getchannel("A")
        return [words_on(letters, strip, one) for strip, one in enumerate(texts)]


def placed(parent: ElementTree.Element, at: PlacedText) -> Iterator[PlacedText]:
    """The texts inside an element that is placed at `at`."""
    for one in parent:
        x, y = (float(one.get(side, 0)) for side in ("x", "y"))
        if one.tag == f"{SVG}text":
            yield at._replace(text=one)
        elif one.tag == f"{SVG}svg":
            left, top, wide, _ = map(float, one.attrib["viewBox"].split())
            scale = float(one.attrib["width"]) / wide
            room = Box(x, y, x + float(one.attrib["width"]), y + float(one.attrib["height"]))
            yield from placed(one, PlacedText(one, x - left * scale, y - top * scale, scale, room))
        else:
            moved = re.fullmatch(r"translate\((\S+) (\S+)\)", one.get("transform", ""))
            across, down = map(float, moved.groups()) if moved else (0.0, 0.0)
            inner = at._replace(x=at.x + across * at.scale, y=at.y + down * at.scale)
            yield from placed(one, inner)


def words_on(letters: Image.Image, strip: int, one: PlacedText) -> MeasuredText:
    """The text `one` as measured on its strip, with its place in the picture."""
    top = strip * STRIP // 2
    found = letters.crop((0, top, letters.width, top + STRIP // 2)).getbbox()
    assert found, "a text has letters"
    said, y = one.text.text or "", one.y + float(one.text.attrib["y"]) * one.scale
    assert found[0] > 0 and found[2] < letters.width, said
    assert found[1] > 0 and found[3] < STRIP // 2, said
    left, right = (2 * side - BESIDE for side in (found[0], found[2]))
    upper, lower = (y + 2 * side - STRIP / 2 for side in (found[1], found[3]))
    on_tile = one.text.attrib["class"] == "numeral"
    return MeasuredText(said, Box(left, upper, right, lower), one.room, on_tile)
