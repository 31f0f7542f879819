"""The immutable dataclasses into which an event's text is read (docs/events.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from fractions import Fraction
from typing import Final, TypeVar

from companion.core.errors import Refusal
from companion.core.seats import places_to_payer
from companion.core.values import Json, dataclass

T = TypeVar("T")

LASTS: Final = ("round", "evening", "ever")
"""How long a wish to sit apart lasts: for the next round, this event, or all later ones."""

PENALTIES: Final = ("warning", "points", "game")
"""The kinds of penalties: a warning, match points off, a game that counts as lost."""
GAME_LOST: Final = PENALTIES[2]

DEFAULT_GAME: Final = "high-five"
"""The game of an event that names none (docs/events.md)."""


class EventError(Refusal):
    """An event's text can't be read, or its next round can't be drawn; the message is one line with
    the remedy."""


class EventFormat(StrEnum):
    """The format of an event, which decides how rounds are drawn."""

    TABLES = "tables"
    PARTNERS = "partners"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    DOUBLE_KNOCKOUT = "double-knockout"
    ROUND_ROBIN = "round-robin"


KNOCKOUT_FORMATS: Final = (EventFormat.KNOCKOUT, EventFormat.DOUBLE_KNOCKOUT)
"""The formats in which only winners play on."""

Points = Mapping[int, tuple[Fraction, ...]]
"""For each number of seats at a table, the match points by place, the first place first."""

WIN = {4: (4, 2, 1, 0), 3: (4, 1, 0), 2: (4, 0)}
USUAL_POINTS: Points = {seats: tuple(map(Fraction, each)) for seats, each in WIN.items()}
"""The match points if the text sets none."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the event. `rating`: any number, larger is stronger; only a knock-out uses it.
    `late`: whether the event gives points for each round before the first one played; `until`: the
    last round to play (None: all); `category`: a group with its own prizes, such as “Juniors”."""

    id: str
    name: str
    rating: Fraction | None = None
    late: bool = False
    until: int | None = None
    category: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """A result that replaces the one reported by the table: the game points by seat, who corrected
    it, and why."""

    points: tuple[Fraction, ...]
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class EventPenalty:
    """A penalty that a judge gave to a player: the round, from 1; one of PENALTIES; who gave it and
    why, as text that may be empty."""

    player: str
    round: int
    kind: str
    by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class PenaltyRules:
    """How penalties count in the standings: the match points that a penalty of each kind takes off,
    and whether a game can be lost by one. Without rules they are only listed."""

    points: Mapping[str, Fraction]
    loses_game: bool = False


@dataclass(frozen=True, slots=True)
class EventTable:
    """A table of a round. `seats`: ids clockwise, two to four; `points`: game points by seat;
    `lost`: ids of those who have lost this game by a penalty."""

    number: int
    seats: tuple[str, ...]
    points: tuple[Fraction, ...] | None = None
    corrected: Correction | None = None
    lost: frozenset[str] = frozenset()

    @property
    def result(self) -> tuple[Fraction, ...] | None:
        """The game points by seat, as corrected if they were; None until the game has been
        played."""
        return self.points if self.corrected is None else self.corrected.points


@dataclass(frozen=True, slots=True)
class EventRound:
    """A round that was drawn. `bye`: ids of the players who had a bye; `seed`: the seed of its lot,
    if that is not the event's; `moved`: whether seats were changed by hand."""

    tables: tuple[EventTable, ...]
    bye: tuple[str, ...] = ()
    seed: str | None = None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish for the next round, one of three: `apart`, two or more players who should not sit
    together; `player` and `table`, a player and the table to sit at; or `closed`, a table that
    isn't used. `lasts`: how long a wish to sit apart lasts, one of LASTS."""

    apart: tuple[str, ...] = ()
    lasts: str = "round"
    player: str | None = None
    table: int | None = None
    closed: int | None = None

    @property
    def as_json(self) -> Json:
        """The wish's JSON in the event's text."""
        if self.apart:
            lasts = {} if self.lasts == LASTS[0] else {"for": self.lasts}
            return {"apart": list(self.apart), **lasts}
        if self.closed is not None:
            return {"closed": self.closed}
        return {"table": self.table, "player": self.player}


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its name, and its players' ids in the order of their boards."""

    name: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClubEvent:
    """An event. `seats`: the number at a full table, 2 to 4; `pairs`: ids of fixed partners; `out`:
    ids of the players who aren't in the next round; `seed`: the text from which lots are drawn;
    `late`: see `late_points`; `planned`: the number of rounds (None if no limit); `penalties`: in
    the order in which they were given; `withheld`: how many wishes to sit apart this text leaves
    out, as only organisers see them; `seating`: the rounds, by number, whose seats the organiser
    gives in place of a draw; `teams`: empty unless teams play; `boards`: the number of boards of a
    match between two teams (None: as many as the smallest team can fill)."""

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
    late: Fraction | None = None
    planned: int | None = None
    penalties: tuple[EventPenalty, ...] = ()
    penalty_rules: PenaltyRules = PenaltyRules({})
    withheld: int = 0
    seating: Mapping[int, EventRound] = field(default_factory=dict)
    teams: tuple[Team, ...] = ()
    boards: int | None = None

    @property
    def present(self) -> list[str]:
        """Ids of the players who are in the next round, in the text's order."""
        played = len(self.rounds)
        return [
            one.id
            for one in self.players
            if one.id not in self.out and (one.until is None or one.until > played)
        ]

    @property
    def late_points(self) -> Fraction:
        """The match points for each round that a latecomer has missed; unless the event sets them,
        half of a win at a table of two."""
        return self.points[2][0] / 2 if self.late is None else self.late

    @property
    def is_complete(self) -> bool:
        """Whether all planned rounds have been drawn."""
        return self.planned is not None and len(self.rounds) >= self.planned

    @property
    def shows_payers(self) -> bool:
        """Whether a draw shows who would pay the same player again: in High Five, where the payer
        depends on the seats (docs/events.md)."""
        return self.game == DEFAULT_GAME and not self.has_partners

    @property
    def is_knockout(self) -> bool:
        """Whether only winners play on."""
        return self.format in KNOCKOUT_FORMATS

    @property
    def has_partners(self) -> bool:
        """Whether seats 1 and 3 play against seats 2 and 4."""
        return self.format is EventFormat.PARTNERS

    @property
    def team_of(self) -> dict[str, str]:
        """The names of the players' teams, by the players' ids."""
        return {one: each.name for each in self.teams for one in each.people}

    @property
    def mates(self) -> dict[str, tuple[str, ...]]:
        """For each player with a team or a fixed partner, the ids of those who never play against
        each other, this player among them."""
        groups = [one.people for one in self.teams] or self.pairs
        return {one: group for group in groups for one in group}


def sides(event: ClubEvent, table: EventTable) -> tuple[tuple[int, ...], ...]:
    """The sides at a table, each as the positions of its seats, from 0: single seats, or
    partners."""
    if event.has_partners and len(table.seats) == 4:
        return (0, 2), (1, 3)
    return tuple((seat,) for seat in range(len(table.seats)))


def payments(seats: Sequence[T]) -> list[tuple[T, T]]:
    """The (payer, paid) pairs of High Five (RULES, section 1, rule 11): with two players each pays
    the other; with three, the right-hand neighbour pays; with four, the player opposite. `seats`
    are in turn order, clockwise."""
    back = places_to_payer(len(seats))
    return [(seats[place - back], seat) for place, seat in enumerate(seats)]
