"""One hand of a line game: whose turn, what was laid, drawn and shown, and how it ended."""

from dataclasses import dataclass
from enum import Enum

from companion.games.game import Entry, Payment
from companion.games.worlds import Worlds
from companion.seats import BySeat, Seat
from companion.tiles import Tile


class Stage(Enum):
    """How far a hand has come."""

    LEAD = "lead"
    """Dealt, nothing laid yet."""
    PLAY = "play"
    OUT = "out"
    """Somebody has dominoed; holdings are still to be shown."""
    BLOCKED = "blocked"
    """Nobody can play; holdings are still to be shown."""
    OVER = "over"
    """Settled: paid, or closed by a ruling."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A lay, draw or pass; `before` is the open ends that the seat faced, None where not known."""

    number: int
    did: Entry
    before: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Holding:
    """What a seat showed: pips, and the tiles if they were keyed as tiles."""

    pips: int
    tiles: tuple[Tile, ...] | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """An open claim of bogus play against `accused` for turn `turn` of the hand."""

    accused: Seat
    by: Seat
    turn: int
    shown: Holding | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as it stands. `held` and `boneyard` are counted tiles: they never refuse anything."""

    number: int
    lead: Seat | None
    """Who leads; None until the called double is laid."""
    big_6: bool
    """A double must be led."""
    held: BySeat[int]
    boneyard: int
    line: Worlds
    shown: BySeat[Holding | None]
    stage: Stage = Stage.LEAD
    turns: tuple[Turn, ...] = ()
    passes: int = 0
    """Passes in succession."""
    out: Seat | None = None
    confirmed: bool = False
    """`out` was entered; else it is only known by counted tiles."""
    misdrew: frozenset[Seat] = frozenset()
    acted: frozenset[Seat] = frozenset()
    """Seats that have had a turn."""
    claim: Claim | None = None
    calls: frozenset[tuple[Seat, Seat]] = frozenset()
    """(caller, accused) of every claim of the hand."""
    paid: tuple[Payment, ...] = ()
    """What the end of the hand paid; a bogus ruling replaces it."""


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a line game: the hand being played, and the one before it as long as a bogus
    play in that one can still be called."""

    hand: Hand | None = None
    before: Hand | None = None
