"""What each seat's keypad shows: its seat, in the seat's colour, and what that seat is to do."""

from collections.abc import Mapping

from companion import seats
from companion.console.view import Light
from companion.link.fields import Shown
from companion.link.messages import LightIs, SeatIs
from companion.seats import BySeat, Seat

COLOURS = tuple(bytes.fromhex(word) for word in ("ff0000", "0000ff", "00ff00", "ff9000"))
"""Of the seats in turn order: red, blue, green, yellow; further ones are white."""
WHITE = b"\xff\xff\xff"
SHOWN = {Light.OFF: Shown.SEAT, Light.TURN: Shown.TURN, Light.PAYS: Shown.PAYS}

Dress = tuple[SeatIs, LightIs]


def dresses(lights: BySeat[Light] | None, keypads: Mapping[str, Seat]) -> dict[str, Dress]:
    """What each keypad is to show, by its serial number; `keypads` says which seat has which."""
    found = {}
    for keypad, seat in keypads.items():
        if lights is None or seat not in lights.seats:
            continue
        number = lights.seats.order.index(seat)
        found[keypad] = SeatIs(number + 1, colour_of(seat, number)), LightIs(SHOWN[lights[seat]])
    return found


def colour_of(seat: Seat, number: int) -> bytes:
    """A seat that has the name of a colour shines in it, the others by their numbers."""
    if seat in seats.COLOURS:
        number = seats.COLOURS.index(seat)
    return COLOURS[number] if number < len(COLOURS) else WHITE
