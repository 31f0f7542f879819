"""The drawing of the pins from above: each wire's pin is in its place, in the wire's colour."""

import pytest

from hw.header import _RGB, Spot, draw_header, spots
from hw.pins import PI, PI_NEVER
from hw.tables import COLOUR_NAMES
from hw.wiring import Harness, board_harness, harnesses, seat_harness

EVERY = harnesses()


@pytest.mark.parametrize("harness", EVERY, ids=lambda one: one.name)
def test_each_wire_is_at_its_pin_in_its_colour(harness: Harness) -> None:
    found = {spot.number: spot for spot in spots(harness)}
    assert sorted(found) == list(range(1, 41))
    for wire in harness.wires:
        spot = found[wire.start.number]
        assert wire.start.label in spot.label
        assert spot.colour == COLOUR_NAMES.get(wire.colour, "plugged")
    used = {wire.start.number for wire in harness.wires}
    assert {number for number, spot in found.items() if spot.colour} == used


def test_the_header_is_seen_from_above() -> None:
    found = {spot.number: (spot.column, spot.row) for spot in spots(board_harness("keys-16"))}
    assert (found[1], found[2], found[39], found[40]) == ((0, 0), (1, 0), (0, 19), (1, 19))


def test_the_pico_is_drawn_from_its_back() -> None:
    found = {spot.number: (spot.column, spot.row) for spot in spots(seat_harness())}
    assert (found[1], found[20], found[21], found[40]) == ((1, 0), (1, 19), (0, 19), (0, 0))


def test_the_five_volt_pins_are_crossed_out() -> None:
    never = [spot.number for spot in spots(board_harness("keypad-4x4")) if "never" in spot.label]
    assert tuple(never) == PI_NEVER


@pytest.mark.parametrize("harness", EVERY, ids=lambda one: one.name)
def test_the_drawing_has_the_wire_colours_and_uncut_words(harness: Harness) -> None:
    image = draw_header(harness)
    seen = {colour for _, colour in image.getcolors(image.width * image.height) or []}
    for spot in spots(harness):
        if spot.colour in _RGB:
            assert tuple(bytes.fromhex(_RGB[spot.colour][1:])) in seen
    for x in (0, image.width - 1):
        column = image.crop((x, 0, x + 1, image.height))
        assert column.getcolors() == [(image.height, (255, 255, 255))]


def test_spots_compare_by_value() -> None:
    assert Spot(1, 0, 0) == Spot(1, 0, 0)
    assert board_harness("keys-16").header is PI
