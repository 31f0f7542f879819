"""The entry of a score alone, for tables that enter neither tiles nor turns."""

from typing import ClassVar, Self

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.entry import Entry
from companion.games.game import AnyGame
from companion.games.reading import no_more, seat_named, whole_number

SCORES = range(5, 40, 5)
"""What a lay can score, as the table says it: with double six no larger count scores."""


@dataclass(frozen=True, slots=True)
class Scored(Entry):
    """`SEAT points N`: SEAT's lay made the count N, one of SCORES, whoever's turn it was. From here
    on nothing is known of the line, nor how many tiles are held."""

    words: ClassVar = ("points",)
    repeatable: ClassVar = True
    scores: ClassVar = SCORES
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 3)
        points = whole_number(line[2] if len(line) > 2 else "", "points")
        if points not in cls.scores:
            raise cls.refused()
        return cls(seat_named(line[0], seats), points)

    @classmethod
    def refused(cls) -> EntryError:
        """The refusal of points that are none of `scores`."""
        return EntryError("A lay scores 5, 10, 15 … up to {most}", most=SCORES[-1])

    @property
    def count(self) -> int | None:
        """The count that the lay made; None if the score doesn't tell it."""
        return self.points

    def __str__(self) -> str:
        return f"{self.seat} points {self.points}"


def scored_in(game: AnyGame) -> type[Scored] | None:
    """The game's own entry of a score alone; None if nothing scores during play."""
    return next((kind for kind in game.entries if issubclass(kind, Scored)), None)
