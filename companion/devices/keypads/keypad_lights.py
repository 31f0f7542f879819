"""What each seat's keypad shows: its seat, in the colour of its chips, and what the seat is to
do."""

from collections.abc import Mapping

from companion.console.frame import Light, Show
from companion.core.seats import Seat, chip_colours
from companion.link.fields import Shown
from companion.link.messages import LightIs, SeatIs

RGB = {
    "Red": bytes.fromhex("ff0000"),
    "Blue": bytes.fromhex("0000ff"),
    "Green": bytes.fromhex("00ff00"),
    "Yellow": bytes.fromhex("ff9000"),
}
"""The colours of chips; seats without one are white."""
WHITE = b"\xff\xff\xff"
SHOWN = {Light.OFF: Shown.SEAT, Light.TURN: Shown.TURN, Light.PAYS: Shown.PAYS}

Dress = tuple[SeatIs, LightIs]


def dresses(shown: Show, keypads: Mapping[str, Seat]) -> dict[str, Dress]:
    """What each keypad is to show, by its serial number; `keypads` says which seat has which
    keypad. Empty if `shown` has no lights."""
    found: dict[str, Dress] = {}
    lights = shown.lights
    if lights is None:
        return found
    colours = shown.colours or chip_colours(lights.seats)
    for keypad, seat in keypads.items():
        if seat in lights.seats:
            number = lights.seats.order.index(seat) + 1
            rgb = RGB.get(colours[seat], WHITE)
            found[keypad] = SeatIs(number, rgb), LightIs(SHOWN[lights[seat]])
    return found
