"""What an event's text says, once it is read: values that never change."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from companion.core.errors import Refusal
from companion.core.values import Json, dataclass

T = TypeVar("T")


class EventError(Refusal):
    """An event's text can't be read, or its next round can't be drawn: one line says what to do."""


class EventFormat(StrEnum):
    """How an event is played."""

    TABLES = "tables"
    PARTNERS = "partners"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    DOUBLE_KNOCKOUT = "double-knockout"
    ROUND_ROBIN = "round-robin"


Points = Mapping[int, tuple[Fraction, ...]]
"""Match points by place, for tables of so many seats."""

WIN = {4: (4, 2, 1, 0), 3: (4, 1, 0), 2: (4, 0)}
USUAL_POINTS: Points = {seats: tuple(map(Fraction, each)) for seats, each in WIN.items()}
"""Match points where the text gives none."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who came. `rating`: any number, larger is stronger; only a knock-out asks for it."""

    id: str
    name: str
    rating: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """A result that counts in the place of the one the table gave."""

    points: tuple[Fraction, ...]
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class EventTable:
    """A table of a round. `seats`: ids clockwise, two to four; `points`: game points by seat."""

    number: int
    seats: tuple[str, ...]
    points: tuple[Fraction, ...] | None = None
    corrected: Correction | None = None

    @property
    def result(self) -> tuple[Fraction, ...] | None:
        """The points that count, by seat; None while the game isn't played."""
        return self.points if self.corrected is None else self.corrected.points


@dataclass(frozen=True, slots=True)
class EventRound:
    """A round that was drawn. `bye`: ids of those who had nobody to play."""

    tables: tuple[EventTable, ...]
    bye: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked for in the next round: `apart`, two or more players who don't sit
    together; `player`, who sits at table `table`; or `closed`, a table that isn't used."""

    apart: tuple[str, ...] = ()
    player: str | None = None
    table: int | None = None
    closed: int | None = None

    @property
    def as_json(self) -> Json:
        """The wish as the text has it."""
        if self.apart:
            return {"apart": list(self.apart)}
        if self.closed is not None:
            return {"closed": self.closed}
        return {"table": self.table, "player": self.player}


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """An event. `seats`: of a full table, 2 to 4; `pairs`: fixed partners; `out`: who isn't in the
    next round; `seed`: what the lot is drawn from."""

    name: str
    game: str
    options: Mapping[str, object]
    format: EventFormat
    seats: int
    points: Points
    players: tuple[Entrant, ...]
    pairs: tuple[tuple[str, str], ...]
    out: frozenset[str]
    wishes: tuple[Wish, ...]
    rounds: tuple[EventRound, ...]
    seed: str

    @property
    def present(self) -> list[str]:
        """Ids of those who are in the next round, as the text lists them."""
        return [one.id for one in self.players if one.id not in self.out]

    @property
    def has_partners(self) -> bool:
        """Whether seats 1 and 3 play against seats 2 and 4."""
        return self.format is EventFormat.PARTNERS


def sides(event: ClubEvent, table: EventTable) -> tuple[tuple[int, ...], ...]:
    """The seats that play together, by their places at the table: each alone, or partners."""
    if event.has_partners and len(table.seats) == 4:
        return (0, 2), (1, 3)
    return tuple((seat,) for seat in range(len(table.seats)))


def payments(seats: Sequence[T]) -> list[tuple[T, T]]:
    """(payer, paid) of High Five (RULES, section 1, rule 11): two pay each other, of three the one
    on the right of who scores pays, of four the one opposite. `seats` go clockwise, as turns do."""
    back = 2 if len(seats) == 4 else 1
    return [(seats[place - back], seat) for place, seat in enumerate(seats)]
