"""The wiring agrees with the boards' files and with the computers' headers."""

import pytest

from companion.core.keys import SIXTEEN
from companion.devices.board import DirectKeys, MatrixKeys, known_boards, load_board
from hw.pins import PI, PI_NEVER, PICO, Header, Pin
from hw.seat import load_seat_keypad
from hw.wiring import TITLES, Harness, board_harness, harnesses, seat_harness

ALL = pytest.mark.parametrize("harness", harnesses(), ids=lambda one: one.name)


def test_every_board_is_drawn() -> None:
    assert set(TITLES) == set(known_boards())


@pytest.mark.parametrize("header", [PI, PICO], ids=["pi", "pico"])
def test_header_positions_are_unique(header: Header) -> None:
    used = [*header.gpio.values(), *header.grounds, *header.powers]
    assert len(used) == len(set(used))
    assert set(used) <= set(range(1, 41))
    assert not set(used) & set(PI_NEVER) or header is PICO


def test_the_pis_header_is_complete() -> None:
    every = {*PI.gpio.values(), *PI.grounds, *PI.powers, *PI_NEVER}
    assert every == set(range(1, 41))
    assert set(PI.gpio) == set(range(28))


@ALL
def test_no_pin_has_two_wires(harness: Harness) -> None:
    used = [wire.start.number for wire in harness.wires]
    assert len(used) == len(set(used))


@ALL
def test_no_wire_is_on_5_volts(harness: Harness) -> None:
    if harness.header is PI:
        assert not {wire.start.number for wire in harness.wires} & set(PI_NEVER)


@ALL
def test_exactly_the_ground_wires_are_black(harness: Harness) -> None:
    if not harness.plugged:
        for wire in harness.wires:
            assert (wire.colour == "BK") == (wire.start.label == "GND")


@pytest.mark.parametrize("name", sorted(known_boards()))
def test_each_gpio_of_a_board_is_wired_to_its_position(name: str) -> None:
    board = load_board(name)
    keys = board.keys
    told = list(keys.pins.values()) if isinstance(keys, DirectKeys) else [*keys.rows, *keys.columns]
    wired = {wire.start for wire in board_harness(name).wires}
    for gpio in told:
        assert Pin(PI.gpio[gpio], f"GPIO {gpio}") in wired


def test_the_display_has_four_wires() -> None:
    loom = board_harness("keypad-4x4").looms[0]
    ends = {wire.end.label: wire.start.number for wire in loom.wires}
    assert ends == {"GND": 6, "VCC": 1, "SCL": 5, "SDA": 3}


@pytest.mark.parametrize("name", ["keypad-4x4", "keys-16"])
def test_all_displays_have_the_same_wires(name: str) -> None:
    """The shopping list names a display with another driver than the board's file, which is then
    set by hand."""
    (title,) = (loom.part for loom in board_harness(name).looms if "display" in loom.part)
    assert title == "OLED display, I²C"


def test_the_waveshare_hats_pins_match_its_manual() -> None:
    """Positions on the header by the table in the manual."""
    ends = {wire.end.label: wire.start.number for wire in board_harness("waveshare-1.3-hat").wires}
    manual = {"MOSI": 19, "SCLK": 23, "CS": 24, "DC": 18, "RESET": 22, "key MENU": 40}
    assert {what: ends[what] for what in manual} == manual


def test_the_seat_keypad_has_the_sixteen_keys_and_no_pin_twice() -> None:
    seat = load_seat_keypad()
    assert sorted(key.value for key in seat.keys.keys) == sorted(key.value for key in SIXTEEN)
    assert len(set(seat.pins)) == len(list(seat.pins))
    assert set(seat.pins) <= set(PICO.gpio)


def test_the_seat_keypad_is_laid_out_like_the_box() -> None:
    box = load_board("keypad-4x4").keys
    assert isinstance(box, MatrixKeys)
    assert load_seat_keypad().keys.layout == box.layout


def test_the_light_has_resistors_in_its_colours_only() -> None:
    loom = next(one for one in seat_harness().looms if one.part == "RGB LED")
    assert [wire.ohms for wire in loom.wires] == [330, 330, 330, 0]
