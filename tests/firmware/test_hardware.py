"""The firmware is wired as hw/seat-keypad.toml says."""

from companion.keys import Key
from hw.seat import load_seat_keypad
from seat_keypad import settings

LETTERS = {"K": "OK", "B": "BACK", "D": "DRAW", "P": "PASS", "!": "BOGUS", "M": "MENU"}


def test_its_usual_settings_are_those_of_the_drawings() -> None:
    drawn, usual = load_seat_keypad(), settings.DEFAULTS
    assert usual["rows"] == drawn.keys.rows
    assert usual["columns"] == drawn.keys.columns
    assert usual["light"] == (drawn.light.red, drawn.light.green, drawn.light.blue)
    assert usual["common"] == drawn.light.common
    assert usual["buzzer"] == drawn.buzzer


def test_its_keys_are_where_the_drawings_have_them() -> None:
    keys = [Key(LETTERS.get(letter, letter)) for letter in settings.DEFAULTS["layout"]]
    assert keys == [key for row in load_seat_keypad().keys.layout for key in row]
