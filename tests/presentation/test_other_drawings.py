"""Drawings of the games without a line: tableau, building and score sheet."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.presentation.drawing.svg import MAX_DOTS, PATTERNS, UNIT, Bounds, Paper
from companion.presentation.high_five_tiles import ScoreSheet, SheetRow, draw_sheet
from companion.presentation.high_fives import Tableau, draw_tableau
from companion.presentation.highrise import Building, BuildingTile, Field, draw_building
from tests.presentation.scenes import BUILT, SHEET, on
from tests.presentation.test_line_drawing import SVG, Papers, seen
from tests.sampling import examples


def read(text: str) -> ElementTree.Element:
    svg = ElementTree.fromstring(text)
    assert svg.attrib["role"] == "img"
    return svg


def said(svg: ElementTree.Element) -> tuple[str, str]:
    """The drawing's name and its description."""
    return svg[0].text or "", svg[1].text or ""


def texts(svg: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in svg.iter(f"{SVG}text")]


# ---------------------------------------------------------------- faces


def test_each_half_has_its_number_of_pips() -> None:
    assert [len(set(pattern)) for pattern in PATTERNS] == [*range(MAX_DOTS + 1)]


def test_pips_look_the_same_after_half_a_turn() -> None:
    for pattern in PATTERNS:
        assert {(-x, -y) for x, y in pattern} == set(pattern)


# ---------------------------------------------------------------- tableau

FIRST = Tableau(((0, 1), (1, 2), (7, 7), (8, 9), (10, 15)))


def test_a_capture_clears_tiles_and_the_played_one_fills_the_first_gap() -> None:
    taken = FIRST.after(None, [(8, 9), (0, 1)])
    assert taken.places == (None, (1, 2), (7, 7), None, (10, 15))
    assert taken.latest is None
    laid = taken.after((3, 11), [])
    assert laid.places == ((3, 11), (1, 2), (7, 7), None, (10, 15))
    assert laid.latest == 0
    more = laid.after((4, 4), []).after((5, 5), [])
    assert more.places[3:] == ((4, 4), (10, 15), (5, 5))
    with pytest.raises(ValueError):
        FIRST.after(None, [(3, 3)])
    with pytest.raises(ValueError):
        Tableau(((1, 1), None), 1)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 136), Papers)
def test_a_tableau_of_any_size_fits_on_the_paper_and_its_tiles_stay(
    number: int, paper: Paper
) -> None:
    tiles = [(a, b) for a in range(16) for b in range(a, 16)][:number]
    svg = read(draw_tableau(Tableau(tuple(tiles)), paper, stand_alone=True))
    more = read(draw_tableau(Tableau((*tiles, (15, 15))), paper, stand_alone=True))
    places = [group.attrib["transform"] for group in svg.iter(f"{SVG}g")]
    assert places == [group.attrib["transform"] for group in more.iter(f"{SVG}g")][:number]
    assert len(set(places)) == number
    whole = seen(svg)
    for place in places:
        x, y = (float(value) / UNIT for value in place[len("translate(") : -1].split())
        assert whole.contains(Bounds(x - 1, y - 2, x + 1, y + 2).grown(0.2))


def test_halves_above_nine_are_numerals() -> None:
    svg = read(draw_tableau(FIRST, Paper(16, 9), stand_alone=True))
    assert texts(svg) == ["10", "15"]


def test_a_tableau_has_a_description() -> None:
    svg = read(draw_tableau(FIRST.after((3, 11), [(7, 7)]), Paper(1, 1)))
    assert said(svg) == (
        "The tableau: 5 tiles",
        "0-1, 1-2, 3-11, 8-9, 10-15. Laid last: 3-11.",
    )
    empty = said(read(draw_tableau(Tableau(), Paper(1, 1))))
    assert empty == ("The tableau: no tile", "There are no tiles.")


# ---------------------------------------------------------------- building


def test_the_uppermost_half_of_each_field_is_described() -> None:
    tops = Building(BUILT).tops
    tile, half = tops[Field(1, 2)]
    assert (tile.halves[half], tile.level) == (3, 3)
    tile, half = tops[Field(0, 3)]
    assert (tile.halves[half], tile.level) == ("W", 1)
    assert len(tops) == 16


@settings(max_examples=examples(20), deadline=None)
@given(Papers)
def test_a_building_fits_on_the_paper_with_its_levels(paper: Paper) -> None:
    svg = read(draw_building(Building(BUILT, 14), paper, stand_alone=True))
    whole = seen(svg)
    rectangles = [one for one in svg.iter(f"{SVG}rect") if one.attrib["class"] != "table"]
    for one in rectangles:
        x, y, wide, high = (float(one.attrib[k]) / UNIT for k in ("x", "y", "width", "height"))
        assert whole.contains(Bounds(x, y, x + wide, y + high))
    levels = [text for text in texts(svg) if text != "W"]
    assert sorted(levels) == ["1"] * 5 + ["2"] * 3 + ["3"] * 2


def test_a_building_has_a_description() -> None:
    name, words = said(read(draw_building(Building(BUILT, 13, 1), Paper(16, 9))))
    assert name == "The building: 8 tiles above the basement"
    assert words.startswith("Column 1: 6, 4 on level 1. Column 2: 4, 3 on level 2. Column 3: ")
    assert words.endswith(
        "1 tile whose place is not known. Laid last: 3-6 on level 3. A spacer lifts the 6."
    )
    empty = said(read(draw_building(Building(), Paper(16, 9))))
    assert empty[0] == "The building: no tile above the basement"
    assert "Column 8: not known, not known." in empty[1]


def test_an_impossible_building_is_refused() -> None:
    for fields in (on((0, 0), (1, 1)), on((0, 0), (0, 2)), on((1, 0), (2, 0)), on((0, 7), (0, 8))):
        with pytest.raises(ValueError):
            BuildingTile((1, 2), fields)
    with pytest.raises(ValueError):
        Building(BUILT, len(BUILT))


# ---------------------------------------------------------------- score sheet


def test_the_newest_rows_are_drawn_and_all_are_described() -> None:
    rows = tuple(SheetRow("Anna", f"row {number}", number) for number in range(40))
    sheet = ScoreSheet((("Anna", 780),), rows)
    svg = read(draw_sheet(sheet, Paper(16, 9), stand_alone=True))
    assert "row 39" in texts(svg)
    assert "row 1" not in texts(svg)
    assert [text for text in texts(svg) if text.endswith("earlier rows")]
    assert all(f"row {number}, " in said(svg)[1] for number in range(40))


def test_a_sheet_has_a_description() -> None:
    name, words = said(read(draw_sheet(SHEET, Paper(9, 16))))
    assert name == "The score sheet: Anna 7, Bert 17"
    assert words.startswith("Anna: pair, 1 point, with king of clubs, king of diamonds, ")
    assert "Anna: tile only, no points. Bert: three of a kind, 3 points, " in words
    assert words.endswith("7 of diamonds, joker.")


def test_names_are_escaped() -> None:
    sheet = ScoreSheet((("<b>&", 0),), (SheetRow("<b>&", "<script>", 0),))
    svg = read(draw_sheet(sheet, Paper(1, 1), stand_alone=True))
    assert "<b>&" in texts(svg)
    assert not [*svg.iter(f"{SVG}script")]


def test_an_unknown_card_is_refused() -> None:
    for card in ("", "1s", "Kx", "10h", "XX"):
        with pytest.raises(ValueError):
            SheetRow("Anna", "pair", 1, (card,))
