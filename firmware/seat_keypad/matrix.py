"""Reads the contacts of a keypad whose keys connect rows and columns."""

from micropython import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from seat_keypad.pins import Pin

SETTLE_US = const(30)
"""The most microseconds that a column takes to rise after its row is released: the pull-up of up to
80 kΩ has to charge the wire of up to 0.2 nF; measured: 16 µs. A column that is read sooner looks
like a key of the next row."""


class Matrix:
    """Four rows that are pulled low or released, never driven high (two keys of one column would
    short them), and four columns with pull-ups. Rows and columns are callables that set or read
    them, such as a `machine.Pin`. `sleep_us` waits for a number of microseconds."""

    def __init__(
        self,
        rows: "tuple[Pin, ...]",
        columns: "tuple[Pin, ...]",
        sleep_us: "Callable[[int], object]",
    ) -> None:
        self._rows, self._columns, self._sleep_us = rows, columns, sleep_us
        for row in rows:
            row(1)

    def contacts(self) -> int:
        """Returns the closed contacts as a bit mask: bit 4 * row + column. A closed key reads as
        low."""
        found, bit = 0, 1
        for row in self._rows:
            row(0)
            for column in self._columns:
                if not column():
                    found |= bit
                bit <<= 1
            row(1)
            self._sleep_us(SETTLE_US)
        return found


def ghost_candidates(contacts: int) -> int:
    """Returns the contacts that may be ghosts, as a bit mask: three closed corners of a rectangle
    make the fourth seem closed too, so all four are uncertain."""
    found = 0
    for one in range(0, 12, 4):
        for other in range(one + 4, 16, 4):
            shared = (contacts >> one) & (contacts >> other) & 15
            if shared & (shared - 1):
                found |= shared << one | shared << other
    return found
