"""What table, page and club say to each other: values, on queues."""

from enum import Enum

from companion.core.values import dataclass
from companion.core.words import counted, phrase


class ClubStep(Enum):
    """How far a box is with a club."""

    NONE = "none"
    """No club was joined."""
    LOOKING = "looking"
    """Clubs are looked for in the network."""
    ASKING = "asking"
    """A hub is asked whether the box may join."""
    COMPARING = "comparing"
    """Both displays show six digits; the organiser has not said yes yet."""
    JOINED = "joined"
    ENDED = "ended"
    """The club takes nothing from this box any more: `why` says the cause."""


class ClubWish(Enum):
    """What somebody at the box or a page asks of the club."""

    LOOK = "look"
    """Look for clubs in the network."""
    JOIN = "join"
    LEAVE = "leave"
    """Leave, or give up joining."""


@dataclass(frozen=True, slots=True)
class ClubRequest:
    """A wish; `address`: where the hub is that is to be joined."""

    wish: ClubWish
    address: str = ""


@dataclass(frozen=True, slots=True)
class FoundClub:
    """A club that was found in the network: what it is called, and where its hub is."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Club:
    """How a box stands with its club. `name`: the club's; `found`: the clubs in the network while
    they are looked for; `digits`: those to compare; `why`: what went wrong, in a sentence;
    `reached`: the hub is connected and has all; `minutes`: since it was last heard, None: never
    since the start; `waiting`: rows that it has not got yet, None: nobody knows."""

    step: ClubStep = ClubStep.NONE
    name: str = ""
    found: tuple[FoundClub, ...] = ()
    digits: str = ""
    why: str = ""
    reached: bool = False
    minutes: int | None = None
    waiting: int | None = None

    @property
    def sign(self) -> str:
        """How it stands, in a few words."""
        if self.step is ClubStep.COMPARING:
            return phrase("waits for the organiser")
        if self.step is ClubStep.ENDED:
            return self.why
        if self.reached:
            return phrase("reached")
        if self.minutes is None:
            return phrase("not reached yet")
        return counted(
            "last heard {number} minute ago", "last heard {number} minutes ago", self.minutes
        )

    @property
    def short_sign(self) -> str:
        """The shortest sign, for a corner of a display: “Club 14'”; empty without a club."""
        if self.step is ClubStep.JOINED and self.reached:
            return phrase("Club")
        if self.step is ClubStep.JOINED and self.minutes is not None:
            hours = self.minutes >= 100
            since = f"{self.minutes // 60}h" if hours else f"{self.minutes}'"
            return phrase("Club {since}", since=since)
        known = self.step in (ClubStep.JOINED, ClubStep.COMPARING, ClubStep.ENDED)
        return phrase("Club ?") if known else ""
