"""The entries that only All Fives has: counts that players call, and hands of a wrong size."""

from typing import ClassVar

from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.games.entries import SeatAlone


@dataclass(frozen=True, slots=True)
class NotCalled(SeatAlone):
    """`SEAT not-called`: SEAT did not call its last score aloud in time, and loses it."""

    words: ClassVar = ("not-called",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class Muggins(SeatAlone):
    """`SEAT muggins`: SEAT called an opponent's score first, and scores it instead."""

    words: ClassVar = ("muggins",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class WrongCount(SeatAlone):
    """`SEAT wrong-count`: SEAT was found with a wrong number of tiles."""

    words: ClassVar = ("wrong-count",)
    repeatable: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__
