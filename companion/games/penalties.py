"""The entries that only some games have: penalties, disputes, chips, counts that are called."""

from typing import ClassVar, Protocol, Self, runtime_checkable

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.chips import Pieces, format_pieces, parse_pieces
from companion.games.entry import (
    Entry,
    NoticeKind,
    SeatAlone,
    Why,
    no_more,
    seat_named,
    whole_number,
)
from companion.games.line.line import TILE_SET
from companion.games.tiles import Tile

AGREED = "agreed"
"""The reason of a correction that the players have agreed to."""
COUNTED = "counted"
"""The reason of a correction that brings the record into line with the counted chips."""


class Penalty(Why):
    """Why points are paid, scored or taken off, other than for counts and the ends of hands."""

    MISDRAW = "misdraw"
    BOGUS = "bogus"
    WRONG_CALL = "wrong-call"
    CORRECTION = "correction"
    """As agreed at the table."""
    NOT_CALLED = "not-called"
    MUGGINS = "muggins"
    WRONG_COUNT = "wrong-count"


class AuditNotice(NoticeKind):
    """The kinds of notice that an audit, a count of the chips, gives."""

    DIFFERENCE = "audit-difference"
    """The points that were `counted` in the stock of `seat` are not those `recorded`."""


@dataclass(frozen=True, slots=True)
class Returned(Entry):
    """`SEAT return [A-B]`: the tile drawn last was drawn by mistake, noticed in time, shown and
    shuffled back into the boneyard."""

    words: ClassVar = ("return",)
    in_turn: ClassVar = True
    seat_may_be_wrong: ClassVar = False
    seat: Seat
    tile: Tile | None = None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 3)
        return cls(seat_named(line[0], seats), TILE_SET.parse(line[2]) if len(line) == 3 else None)

    def __str__(self) -> str:
        return f"{self.seat} return {self.tile}" if self.tile else f"{self.seat} return"


@dataclass(frozen=True, slots=True)
class Misdrew(SeatAlone):
    """`SEAT misdraw`: drew the wrong number of tiles at the start of the hand."""

    words: ClassVar = ("misdraw",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class Called(Entry):
    """`bogus SEAT [by SEAT] [turn N]`: SEAT is called bogus for a draw or pass of this hand."""

    words: ClassVar = ("bogus",)
    seat_first: ClassVar = False
    names_turn: ClassVar = True
    accused: Seat
    by: Seat | None = None
    turn: int | None = None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) < 2:
            raise EntryError("who is called bogus? Write “bogus SEAT by SEAT”")
        accused, by, turn, rest = seat_named(line[1], seats), None, None, line[2:]
        if len(rest) >= 2 and rest[0].lower() == "by":
            by, rest = seat_named(rest[1], seats), rest[2:]
        if len(rest) >= 2 and rest[0].lower() == "turn":
            turn, rest = whole_number(rest[1], "turn"), rest[2:]
        if rest:
            raise EntryError(
                "a call is written “bogus SEAT by SEAT turn N”; by and turn may be left out"
            )
        if turn is not None and turn < 1:
            raise EntryError("there is no turn {turn}: turns are counted from 1", turn=turn)
        return cls(accused, by, turn)

    def __str__(self) -> str:
        by = f" by {self.by}" if self.by else ""
        return f"bogus {self.accused}{by}" + (f" turn {self.turn}" if self.turn else "")


@dataclass(frozen=True, slots=True)
class Ruled(Entry):
    """`rule SEAT bogus` or `rule SEAT clear`: the table's own ruling on an open claim."""

    words: ClassVar = ("rule",)
    seat_first: ClassVar = False
    accused: Seat
    bogus: bool

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) != 3 or line[2].lower() not in ("bogus", "clear"):
            raise EntryError("a ruling is written “rule SEAT bogus” or “rule SEAT clear”")
        return cls(seat_named(line[1], seats), line[2].lower() == "bogus")

    def __str__(self) -> str:
        return f"rule {self.accused} {'bogus' if self.bogus else 'clear'}"


@runtime_checkable
class HasCaller(Protocol):
    """The board of a game in which bogus plays are called."""

    @property
    def caller(self) -> Seat | None:
        """The seat whose call is open, or was closed by the record with the last entry."""
        ...


@dataclass(frozen=True, slots=True)
class Corrected(Entry):
    """`chips SEAT N reason…`: N more points of SEAT's stock go to the seat that it pays (−N: come
    back), as agreed at the table."""

    words: ClassVar = ("chips",)
    seat_first: ClassVar = False
    stock_of: Seat
    points: int
    reason: str = ""

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) < 3:
            raise EntryError("a correction is written “chips SEAT N reason”")
        points = whole_number(line[2].replace("−", "-"), "chips")
        return cls(seat_named(line[1], seats), points, " ".join(line[3:]))

    def __str__(self) -> str:
        return f"chips {self.stock_of} {self.points} {self.reason}".rstrip()


@dataclass(frozen=True, slots=True)
class Audited(Entry):
    """`audit SEAT N [PIECES]`: SEAT's own chips were counted, N points in its stock. PIECES
    (`10x3+5x4`) lists the chips by value."""

    words: ClassVar = ("audit",)
    seat_first: ClassVar = False
    stock_of: Seat
    points: int
    pieces: Pieces | None = None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if not 3 <= len(line) <= 4:
            raise EntryError("an audit is written “audit SEAT N”: the points in that seat's stock")
        points = whole_number(line[2], "audit")
        if points < 0:
            raise EntryError("chips that were counted can't be fewer than none")
        pieces = parse_pieces(line[3]) if len(line) == 4 else None
        if pieces is not None and sum(value * number for value, number in pieces) != points:
            raise EntryError(
                "{text} is not worth {points}: count again", text=line[3], points=points
            )
        return cls(seat_named(line[1], seats), points, pieces)

    def __str__(self) -> str:
        pieces = f" {format_pieces(self.pieces)}" if self.pieces is not None else ""
        return f"audit {self.stock_of} {self.points}{pieces}"


@dataclass(frozen=True, slots=True)
class CountCalled(SeatAlone):
    """`SEAT called`: SEAT called the count of its play aloud in time; from now on the
    box shows it."""

    words: ClassVar = ("called",)
    seat: Seat
    __str__ = SeatAlone.__str__


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
