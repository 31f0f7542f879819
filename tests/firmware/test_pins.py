"""A keypad that is wired as hw/seat-keypad.toml says works with the firmware as it is, without
settings."""

from companion.devices.link.messages import KEY_CODES
from hw.seat import load_seat_keypad
from seat_keypad import settings

USUAL = settings.DEFAULTS


def test_each_wire_is_on_the_pin_that_the_firmware_uses() -> None:
    seat = load_seat_keypad()
    light = seat.light
    assert USUAL["rows"] == seat.keys.rows
    assert USUAL["columns"] == seat.keys.columns
    assert USUAL["light"] == (light.red, light.green, light.blue)
    assert USUAL["common"] == light.common
    assert USUAL["buzzer"] == seat.buzzer


def test_each_button_sends_the_key_that_the_box_expects_there() -> None:
    sent = [KEY_CODES[ord(letter)] for letter in USUAL["layout"]]
    assert sent == [key for row in load_seat_keypad().keys.layout for key in row]
