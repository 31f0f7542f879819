"""The values that the table, its pages and its club send each other over queues."""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from companion.core.json_text import SEATS, is_whole
from companion.core.seats import Seat
from companion.core.values import Json, dataclass
from companion.core.words import composed, counted, is_visible_text, phrase

MAX_WHOLE: Final = 10**6
NUMBERS: Final = range(1, MAX_WHOLE + 1)
SECONDS: Final = range(MAX_WHOLE + 1)
LONGEST_NAME: Final = 60
LONGEST_ADDRESS: Final = 200
"""The most characters of a hub's address."""
LONGEST_CALL: Final = 80
"""The most characters of a call that the organiser shows on every TV."""
MAX_CALLS: Final = 4
"""The most calls that a box's TV shows at once: the newest."""


class ClubStep(Enum):
    """The progress of a box in joining a club."""

    NONE = "none"
    """The box has joined no club."""
    LOOKING = "looking"
    """The box is looking for clubs on the network."""
    ASKING = "asking"
    """The box has asked a hub whether it may join."""
    COMPARING = "comparing"
    """Both displays show six digits; the organiser has not confirmed them yet."""
    JOINED = "joined"
    ENDED = "ended"
    """The club no longer accepts this box; Club.why gives the reason."""


class ClubRequestKind(Enum):
    """A request to the club from the box or from a page."""

    LOOK = "look"
    """Look for clubs on the network."""
    JOIN = "join"
    LEAVE = "leave"
    """Leave the club, or stop joining it."""
    BEGIN = "begin"
    """Start the game with the seats given by the club, like OK on the table's question."""


@dataclass(frozen=True, slots=True)
class ClubRequest:
    """A request of one `kind`. `address`: for JOIN the hub's address; for BEGIN the place in the
    event (GivenSeats.place), as in “4.3.7”. `by_phone`: whether it was sent from a page, so that
    the address is restricted (core/typed_address.py)."""

    kind: ClubRequestKind
    address: str = ""
    by_phone: bool = False


@dataclass(frozen=True, slots=True)
class FoundClub:
    """A club that was found on the network: its name, and the address of its hub."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class GivenSeats:
    """Seats that the club gives a box for the next game. `event`: the event's number at the hub;
    `seats`: names in turn order, as a tally has them; `options`: house rules that the event sets,
    by their names."""

    event: int
    round: int
    table: int
    game: str
    seats: tuple[str, ...]
    options: tuple[tuple[str, int | str], ...] = ()
    instead_of: int | None = None
    """The number of an unfinished game at this box that the organiser has put aside for this one;
    None if there is none."""

    @property
    def place(self) -> str:
        """The event, round and table: “4.3.7” is event 4, round 3, table 7."""
        return f"{self.event}.{self.round}.{self.table}"

    @classmethod
    def read(cls, value: object) -> "GivenSeats | None":
        """Parses the hub's JSON; None if it doesn't have the form that this version knows."""
        if not isinstance(value, dict):
            return None
        numbers = [value.get(name) for name in ("event", "round", "table")]
        seats, game, options = value.get("seats"), value.get("game"), value.get("options", {})
        if not all(is_whole(one, NUMBERS) for one in numbers):
            return None
        if not (isinstance(seats, list) and 2 <= len(seats) <= 8 and isinstance(game, str)):
            return None
        if not all(isinstance(one, str) and 0 < len(one) <= LONGEST_NAME for one in seats):
            return None
        if not isinstance(options, dict):
            return None
        told = [(name, one) for name, one in options.items() if isinstance(one, int | str)]
        names = tuple(composed("_".join(one.split())) for one in seats)
        event, round_, table = (int(one) for one in numbers if one is not None)
        aside = value.get("instead-of")
        instead_of = int(aside) if is_whole(aside, NUMBERS) else None
        return cls(event, round_, table, game, names, tuple(told), instead_of)

    @property
    def as_json(self) -> Json:
        """The JSON that `read` parses."""
        return {
            "event": self.event,
            "round": self.round,
            "table": self.table,
            "game": self.game,
            "seats": list(self.seats),
            "options": dict(self.options),
            **({} if self.instead_of is None else {"instead-of": self.instead_of}),
        }


@dataclass(frozen=True, slots=True)
class BoxName:
    """The name that the club's organiser gives a box, and its table number (None if it has
    none)."""

    name: str
    number: int | None

    @classmethod
    def read(cls, value: object) -> "BoxName | None":
        """Parses the hub's JSON; None if it doesn't have the form that this version knows."""
        if not isinstance(value, dict):
            return None
        name, number = value.get("name"), value.get("number")
        if not (isinstance(name, str) and is_visible_text(name) and 0 < len(name) <= LONGEST_NAME):
            return None
        fits = isinstance(number, int) and not isinstance(number, bool) and 0 < number <= MAX_WHOLE
        return cls(name, number) if fits or number is None else None

    @property
    def as_json(self) -> Json:
        """The JSON that `read` parses."""
        return {"name": self.name, "number": self.number}

    @property
    def sentence(self) -> str:
        """The name as people at the box read it."""
        if self.number is None:
            return phrase("This box is {name}.", name=self.name)
        return phrase("This box is {name}, table {number}.", name=self.name, number=self.number)


@dataclass(frozen=True, slots=True)
class NoSeats:
    """The club has no seats for this table now, or has withdrawn those that it gave."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The time left in the round being played, in seconds; 0 if the time is up; None if no clock is
    running."""

    left_s: float | None

    @classmethod
    def read(cls, value: object) -> "RoundClock | None":
        """Parses the hub's JSON; None if it doesn't have the form that this version knows."""
        if not isinstance(value, dict) or "left_s" not in value:
            return None
        left = value["left_s"]
        if left is None:
            return cls(None)
        fits = (
            isinstance(left, int | float) and not isinstance(left, bool) and 0 <= left <= MAX_WHOLE
        )
        return cls(float(left)) if fits else None


@dataclass(frozen=True, slots=True)
class HallCalls:
    """The organiser's announcements on every TV of the club. `texts`: the announcements, oldest
    first. During a break, `round` is the number of the round after it, and `left_s` the seconds
    left of the break (0 if the round begins now); otherwise both are None."""

    texts: tuple[str, ...] = ()
    round: int | None = None
    left_s: float | None = None

    @classmethod
    def read(cls, value: object) -> "HallCalls | None":
        """Parses the hub's JSON; None if it doesn't have the form that this version knows."""
        if not isinstance(value, dict) or not isinstance(texts := value.get("texts"), list):
            return None
        if not all(_is_call(one) for one in texts):
            return None
        number, left = value.get("round"), value.get("left_s")
        if number is None or left is None:
            return cls(tuple(texts[-MAX_CALLS:]))
        if not (is_whole(number, NUMBERS) and is_whole(left, SECONDS)):
            return None
        return cls(tuple(texts[-MAX_CALLS:]), number, float(left))


def _is_call(text: object) -> bool:
    return isinstance(text, str) and is_visible_text(text) and 0 < len(text) <= LONGEST_CALL


@dataclass(frozen=True, slots=True)
class JudgeRuling:
    """A judge's ruling from the hub's page on the call that is open at this table. `game`: the
    number of the game in this box's record; `tip`: the hash of the last row of the game that the
    judge has seen; `seat`: the seat whose play was called bogus, as its place in the turn order,
    from 0; `bogus`: whether the play was bogus."""

    judge: Seat
    game: int
    tip: bytes
    seat: int
    bogus: bool

    def entry(self, seats: Sequence[Seat]) -> str:
        """The ruling as a tally entry, at a table with these seats."""
        accused = seats[self.seat] if self.seat < len(seats) else Seat("")
        return f"rule {accused} {'bogus' if self.bogus else 'clear'}"

    @classmethod
    def read(cls, value: object) -> "JudgeRuling | None":
        """Parses the hub's JSON; None if it doesn't have the form that this version knows."""
        if not isinstance(value, dict):
            return None
        judge, tip = value.get("judge"), value.get("tip")
        if not (
            isinstance(judge, str) and is_visible_text(judge) and 0 < len(judge) <= LONGEST_NAME
        ):
            return None
        game, seat, bogus = value.get("game"), value.get("seat"), value.get("bogus")
        if not (is_whole(game, NUMBERS) and isinstance(tip, str)):
            return None
        if not (is_whole(seat, SEATS) and isinstance(bogus, bool)):
            return None
        try:
            return cls(
                Seat(composed("_".join(judge.split()))), game, bytes.fromhex(tip), seat, bogus
            )
        except ValueError:
            return None

    @property
    def as_json(self) -> Json:
        """The JSON that `read` parses."""
        said = {"judge": self.judge, "game": self.game, "tip": self.tip.hex()}
        return {**said, "seat": self.seat, "bogus": self.bogus}


@dataclass(frozen=True, slots=True)
class Club:
    """The box's connection with its club. `name`: the club's name; `found`: the clubs on the
    network, while the box looks for them; `digits`: the digits to compare with those at the hub;
    `why`: the fault, as a sentence; `called`: the club's name for this box, once it has joined.

    `reached`: whether the hub is connected and has all rows; `minutes`: the minutes since the hub
    was last heard from, None if never since the start; `waiting`: the number of rows that the hub
    doesn't have yet, None if not known.

    `given`: the seats that may begin the next game now; `others`: whether they are for people other
    than those in the game being played. `left_s`: seconds left in the round, 0 if its time is up,
    None if no clock is running. `calls`: what the organiser shows on every TV."""

    step: ClubStep = ClubStep.NONE
    name: str = ""
    found: tuple[FoundClub, ...] = ()
    digits: str = ""
    why: str = ""
    called: BoxName | None = None
    reached: bool = False
    minutes: int | None = None
    waiting: int | None = None
    given: GivenSeats | None = None
    others: bool = False
    left_s: int | None = None
    calls: HallCalls = HallCalls()
    mark: str = ""
    """The symbols by which the organiser tells this box from others with the same name."""

    @property
    def sign(self) -> str:
        """The state of the connection, in a few words."""
        if self.step is ClubStep.COMPARING:
            return phrase("waits for the organiser")
        if self.step is ClubStep.ENDED:
            return self.why
        if self.reached:
            return phrase("connected")
        if self.minutes is None:
            return phrase("not connected yet")
        return counted(
            "last contact {number} minute ago", "last contact {number} minutes ago", self.minutes
        )

    @property
    def short_sign(self) -> str:
        """The shortest form of the connection's state, as in “Club 14'” (minutes); empty without a
        club."""
        if self.step is ClubStep.JOINED and self.reached:
            return phrase("Club")
        if self.step is ClubStep.JOINED and self.minutes is not None:
            hours = self.minutes >= 100
            since = f"{self.minutes // 60}h" if hours else f"{self.minutes}'"
            return phrase("Club {since}", since=since)
        known = self.step in (ClubStep.JOINED, ClubStep.COMPARING, ClubStep.ENDED)
        return phrase("Club ?") if known else ""

    @property
    def corner_sign(self) -> str:
        """The text in a corner of the display: “24 min” or “Time!” while a round's clock is
        running, else `short_sign`."""
        if self.left_s is None:
            return self.short_sign
        minutes = -(-self.left_s // 60)
        return phrase("{number} min", number=minutes) if minutes else phrase("Time!")
