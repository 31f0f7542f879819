"""The table of displays: its heights and distances agree with the parts and with the program's
letters."""

import pytest

from hw.case_make import BIG, BOX
from hw.displays import BARELY, EASY, NAMES, display_table, distance_m, letter_mm, rows_of


def test_letter_heights_match_the_drawn_fonts() -> None:
    assert [rows_of(font) for font in ("small", "caps", "big")] == [7, 14, 23]


@pytest.mark.parametrize(
    ("display", "millimetres"), [("oled096", 1.2), ("oled13", 1.6), ("oled242", 3.0)]
)
def test_small_text_has_the_expected_height(display: str, millimetres: float) -> None:
    assert round(letter_mm(display, "small"), 1) == millimetres


def test_only_the_largest_display_is_readable_from_a_metre() -> None:
    assert distance_m(letter_mm("oled096", "small"), BARELY) < 0.5
    assert distance_m(letter_mm("oled242", "small"), BARELY) > 1.0
    assert distance_m(letter_mm("oled13", "caps"), EASY) > 0.5


def test_every_listed_display_has_a_lid() -> None:
    lids = {name for case in (BOX, BIG) for name in case.choices["oled_model"]}
    assert lids == set(NAMES)
    assert display_table().count("\n") == len(NAMES) + 2
