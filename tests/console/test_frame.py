"""Frames in the panel's own form, and text on them, pixel for pixel."""

import unicodedata
from pathlib import Path
from typing import Final
from unicodedata import normalize

import pytest
from babel.messages.pofile import read_po

import companion
from companion.console.console import Console
from companion.console.fonts import fitted, not_drawn, text_strip, text_width, wrapped
from companion.console.frame import HEIGHT, WIDTH, Canvas
from companion.core.seats import Seats
from companion.core.words import phrase
from companion.record.rows import GameOpened
from tests.console.rig import Rig

LOCALE: Final = Path(companion.__file__).parent / "presentation/locale"


def test_pixels_are_stored_in_the_panels_format() -> None:
    canvas = Canvas()
    canvas.pixel(5, 19)
    frame = canvas.frame()
    assert frame.pixels[2 * WIDTH + 5] == 1 << 3
    assert frame.lit(5, 19)
    assert sum(frame.pixels) == 8


def test_the_image_shows_the_same_pixels() -> None:
    canvas = Canvas()
    canvas.text(3, 5, "Red 15 →")
    canvas.text(0, 16, "YELLOW", "caps")
    canvas.right(WIDTH, 40, "48", "big")
    frame = canvas.frame()
    image = frame.to_image()
    assert image.size == (WIDTH, HEIGHT)
    assert all(
        bool(image.getpixel((x, y))) == frame.lit(x, y) for x in range(WIDTH) for y in range(HEIGHT)
    )


@pytest.mark.parametrize("font", ["small", "caps", "big"])
def test_text_is_the_same_at_any_row(font: str) -> None:
    aligned, between = Canvas(), Canvas()
    aligned.text(4, 8, "105", font)
    between.text(4, 11, "105", font)
    assert aligned.frame().rows()[8:40] == between.frame().rows()[11:43]


def test_all_text_on_a_frame_is_recorded() -> None:
    canvas = Canvas()
    canvas.text(0, 16, "What now?")
    canvas.right(128, 0, "12", "big")
    canvas.text(0, 0, "Red", "caps")
    canvas.text(0, 24, " ")
    canvas.text(0, 32, "1 Draw")
    canvas.centred(64, 56, "OK: yes")
    assert canvas.frame().words == "Red 12, What now? 1 Draw, OK: yes"
    over = Canvas(canvas.frame())
    over.text(0, 16, "Again?")
    over.fill(0, 56, 128, 8, on=False)
    assert over.frame().words == "Red 12, Again? 1 Draw"
    assert Canvas().frame().words == ""


def test_drawing_is_clipped_to_the_frame() -> None:
    canvas = Canvas()
    canvas.text(-3, -4, "Red", "caps")
    canvas.text(120, 58, "Yellow")
    canvas.fill(100, 60, 90, 90)
    canvas.line(-5, -5, 200, 90)
    assert len(canvas.frame().pixels) == WIDTH * HEIGHT // 8


def test_big_digits_are_tall_and_distinguishable() -> None:
    strips = {digit: text_strip(str(digit), "big") for digit in range(10)}
    assert all(len(strip.pages) * 8 == 24 for strip in strips.values())
    assert len({strip.pages for strip in strips.values()}) == 10
    assert text_width("48", "big") < 32


def test_rare_accents_are_dropped_and_unknown_signs_are_question_marks() -> None:
    assert text_strip("Zoẻ") == text_strip("Zoe")
    assert text_strip("山") == text_strip("?")
    assert text_strip("anne", "caps") == text_strip("ANNE", "caps")


def test_signs_that_change_a_words_meaning_are_drawn() -> None:
    drawn = {sign: text_strip(sign).pages for sign in "ÄÖÜäöüßñ¿¡ºª„?aounAOU"}
    assert len(set(drawn.values())) == len(drawn)


@pytest.mark.parametrize("language", sorted(each.name for each in LOCALE.iterdir()))
def test_no_letter_of_a_language_is_missing(language: str) -> None:
    """Brackets and ± are used only in files and on pages. The font of capitals needs no signs of
    menus, percentages or number pad keys, because these are never in capitals."""
    with (LOCALE / language / "LC_MESSAGES/companion.po").open("rb") as file:
        known = [message.string for message in read_po(file, language) if message.id]
    said = {sign for string in known for part in string or () for sign in part}
    signs = "".join(sorted((said | {sign.upper() for sign in said}) - set("[]{}±")))
    assert not_drawn(signs) == ""
    assert set(not_drawn(signs, "caps")) <= set("|#%*;=@↑→↓")
    drawn = {sign: text_strip(sign).pages for sign in signs}
    marked = {sign for sign in signs if sign != normalize("NFD", sign)}
    assert {sign for sign in marked if drawn[sign] == drawn[normalize("NFD", sign)[0]]} == set()
    plain = {text_strip(normalize("NFD", sign)[0], "caps") for sign in {*marked, "?"}}
    assert plain.isdisjoint(text_strip(sign, "caps") for sign in {*marked, "¿", "¡"})


def test_capitals_are_drawn_for_all_letters_and_quotes() -> None:
    assert not_drawn("ŒœßẞÆæØøŁł„“”«»,…–", "caps") == ""
    drawn = {sign: text_strip(sign, "caps").pages for sign in "ŒßÆØŁ„“”«»,…–×?BOED8"}
    assert len(set(drawn.values())) == len(drawn)
    assert text_strip("œ", "caps") == text_strip("Œ", "caps")


def test_long_names_are_shortened_and_long_lines_wrapped() -> None:
    assert text_width(fitted("Maximilian", 30)) <= 30
    assert fitted("Red", 60) == "Red"
    canvas = Canvas()
    assert canvas.fitted("Maximilian", 30).endswith(".")
    assert canvas.fitted(phrase("Take back the last entry"), 60).endswith("…")
    lines = wrapped("5-6 doesn't fit: the open ends are 4, 2", 80)
    assert len(lines) > 1
    assert all(text_width(line) <= 80 for line in lines)


CYRILLIC = "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐЄІЇЎЂЈЉЊЋЏЃЌЅ"
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏΪΫ"
MARKED = "ĄĆĘŁŃÓŚŹŻČĎĚŇŘŠŤŮŽŐŰĞİŞȚĂÅÆØÐÞ"


@pytest.mark.parametrize("font", ["small", "caps"])
@pytest.mark.parametrize("letters", [CYRILLIC, GREEK, MARKED], ids=["cyrillic", "greek", "marked"])
def test_letters_of_names_are_complete_and_distinguishable(font: str, letters: str) -> None:
    both = letters + "".join(one for one in letters.lower() if len(one) == 1)
    assert not_drawn(both, font) == ""
    looks = {one: text_strip(one, font) for one in letters}
    alike = [(a, b) for a in looks for b in looks if a < b and looks[a] == looks[b]]
    assert alike == []


def test_a_mark_is_drawn_above_its_letter_with_a_gap() -> None:
    for one in "čšžěőǎ":
        top, plain = text_strip(one), text_strip(unicodedata.normalize("NFD", one)[0])
        assert top != plain
        assert [byte & 0xF8 for byte in top.pages[0] if byte & 0xF8] == [
            byte & 0xF8 for byte in plain.pages[0] if byte & 0xF8
        ]
    assert text_strip("Č", "caps") != text_strip("C", "caps")


def test_not_drawn_reports_signs_shown_as_question_marks() -> None:
    assert text_strip("山") == text_strip("?")
    assert not_drawn("Łukasz山 Юля 山?") == "山"


def test_the_display_shows_question_marks_for_unknown_signs() -> None:
    def board(name: str) -> list[str]:
        rig = Rig()
        rig.view = rig._with(GameOpened("high-five", Seats.of(name, "Bo"), {}))
        shown = Console.start().show(rig.view).frame
        assert name.replace("_", " ").upper() in shown.words.upper()
        return shown.rows()

    assert board("Li_山") == board("Li_?") != board("Li_X")
