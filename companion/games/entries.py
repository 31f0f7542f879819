"""Entries shared by several games. Their tiles are of the double-six set; games with another set
define entries of their own."""

from typing import ClassVar, Protocol, Self, runtime_checkable

from companion.core.errors import EntryError, whole_number
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.chips import Pieces, format_pieces, parse_pieces
from companion.games.game import Entry, NoticeKind, PaymentReason, refuse_extra_words, seat_named
from companion.games.tiles import DOUBLE_SIX, Tile, TileSet


# ---------------------------------------------------------------- entries that games share
@dataclass(frozen=True, slots=True)
class HandDealt(Entry):
    """`hand [lead SEAT]`: a new hand was dealt. `lead` names the leader if the rules don't decide
    it."""

    words: ClassVar = ("hand",)
    seat_first: ClassVar = False
    deals: ClassVar = True
    lead: Seat | None = None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) == 1:
            return cls()
        if line[1].lower() != "lead" or len(line) < 3:
            raise EntryError("a new hand is written “hand” or “hand lead SEAT”")
        refuse_extra_words(line, 3)
        return cls(seat_named(line[2], seats))

    def __str__(self) -> str:
        return f"hand lead {self.lead}" if self.lead else "hand"


class WordAlone(Entry):
    """An entry about the whole table, written as one word."""

    seat_first: ClassVar = False

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        refuse_extra_words(line, 1)
        return cls()

    def __str__(self) -> str:
        return self.words[0]


@dataclass(frozen=True, slots=True)
class HandRedealt(WordAlone):
    """`redeal`: the deal was repeated because nobody held a double."""

    words: ClassVar = ("redeal",)
    __str__ = WordAlone.__str__


@dataclass(frozen=True, slots=True)
class TilesDrawn(Entry):
    """`SEAT draw [N]`: SEAT drew N tiles (1 if left out) from the boneyard, one after the other."""

    words: ClassVar = ("draw",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    number: int = 1

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        refuse_extra_words(line, 3)
        number = whole_number(line[2], "draw") if len(line) == 3 else 1
        if not 1 <= number <= len(DOUBLE_SIX):
            raise EntryError(
                "{number} tiles can't be drawn: 1 to {most}", number=number, most=len(DOUBLE_SIX)
            )
        return cls(seat_named(line[0], seats), number)

    def __str__(self) -> str:
        return f"{self.seat} draw" if self.number == 1 else f"{self.seat} draw {self.number}"


@dataclass(frozen=True, slots=True)
class TimeUp(WordAlone):
    """`time up`: the table or the club has announced that the time is up."""

    words: ClassVar = ("time",)

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        if [word.lower() for word in line] != ["time", "up"]:
            raise EntryError("write “time up” when time is up")
        return cls()

    def __str__(self) -> str:
        return "time up"


class SeatAlone(Entry):
    """An entry written as a seat and one word."""

    seat: Seat

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        refuse_extra_words(line, 2)
        return cls(seat_named(line[0], seats))  # type: ignore[call-arg]

    def __str__(self) -> str:
        return f"{self.seat} {self.words[0]}"


@dataclass(frozen=True, slots=True)
class TurnPassed(SeatAlone):
    """`SEAT pass`: SEAT passed its turn."""

    words: ClassVar = ("pass",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class WentOut(SeatAlone):
    """`SEAT out`: SEAT went out by playing its last tile."""

    words: ClassVar = ("out",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class HandBlocked(WordAlone):
    """`blocked`: no seat can play."""

    words: ClassVar = ("blocked",)
    __str__ = WordAlone.__str__


@dataclass(frozen=True, slots=True)
class HoldingShown(Entry):
    """`SEAT holds A-B …`: the tiles that SEAT holds, shown at the end of a hand or because of a
    call."""

    words: ClassVar = ("holds",)
    tile_set: ClassVar[TileSet] = DOUBLE_SIX
    seat: Seat
    tiles: tuple[Tile, ...] = ()

    @property
    def pips(self) -> int:
        return sum(tile.pips for tile in self.tiles)

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        tiles = tuple(cls.tile_set.parse(word) for word in line[2:])
        twice = [tile for tile in tiles if tiles.count(tile) > 1]
        if twice:
            raise EntryError("{tile} is written twice: a set has only one", tile=twice[0])
        return cls(seat_named(line[0], seats), tiles)

    def __str__(self) -> str:
        return " ".join([str(self.seat), "holds", *map(str, self.tiles)])


@dataclass(frozen=True, slots=True)
class PipsShown(Entry):
    """`SEAT pips N`: the total pips of the tiles that SEAT holds, at most those of the whole
    set."""

    words: ClassVar = ("pips",)
    tile_set: ClassVar[TileSet] = DOUBLE_SIX
    seat: Seat
    pips: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) != 3:
            raise EntryError("write the pips left in hand as one number: SEAT pips N")
        pips = whole_number(line[2], "pips")
        if not 0 <= pips <= cls.tile_set.pips:
            raise EntryError(
                "{pips} pips are too many: the whole set has {most}",
                pips=pips,
                most=cls.tile_set.pips,
            )
        return cls(seat_named(line[0], seats), pips)

    def __str__(self) -> str:
        return f"{self.seat} pips {self.pips}"


@dataclass(frozen=True, slots=True)
class TotalPipsShown(Entry):
    """`pips N`: the total of all pips that count, at the end of a hand in which a seat went out. In
    a call: the total pips of all tiles that are not on the table."""

    words: ClassVar = PipsShown.words
    seat_first: ClassVar = False
    pips: int

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        refuse_extra_words(line, 2)
        pips = whole_number("".join(line[1:]), "pips")
        if not 0 <= pips <= DOUBLE_SIX.pips:
            raise EntryError(
                "{pips} pips are too many: the whole set has {most}",
                pips=pips,
                most=DOUBLE_SIX.pips,
            )
        return cls(pips)

    def __str__(self) -> str:
        return f"pips {self.pips}"


@dataclass(frozen=True, slots=True)
class GameEnded(Entry):
    """`end reason…`: the game was ended before anybody won."""

    words: ClassVar = ("end",)
    seat_first: ClassVar = False
    reason: str = ""

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        return cls(" ".join(line[1:]))

    def __str__(self) -> str:
        return f"end {self.reason}".rstrip()


SCORES = range(5, 40, 5)
"""The possible scores of a play with a double-six set."""


@dataclass(frozen=True, slots=True)
class PointsScored(Entry):
    """`SEAT points N`: SEAT made a play whose count is N, one of `scores`. It may be entered for
    any seat, whoever is to move. After this entry neither the line nor the number of tiles held is
    known."""

    words: ClassVar = ("points",)
    repeatable: ClassVar = True
    scores: ClassVar = SCORES
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        refuse_extra_words(line, 3)
        points = whole_number(line[2] if len(line) > 2 else "", "points")
        if points not in cls.scores:
            raise cls.invalid_points_error()
        return cls(seat_named(line[0], seats), points)

    @classmethod
    def invalid_points_error(cls) -> EntryError:
        """The error for points that are not among `scores`."""
        return EntryError("A play scores 5, 10, 15 … up to {most}", most=SCORES[-1])

    @property
    def count(self) -> int | None:
        """The count after the play; None if the score doesn't determine it."""
        return self.points

    def __str__(self) -> str:
        return f"{self.seat} points {self.points}"


AGREED = "agreed"
"""The reason given for a correction that the players have agreed to."""
COUNTED = "counted"
"""The reason given for a correction that makes the record agree with the counted chips."""


class Penalty(PaymentReason):
    """Reasons for payments and scores other than counts and the ends of hands."""

    MISDRAW = "misdraw"
    BOGUS = "bogus"
    WRONG_CALL = "wrong-call"
    CORRECTION = "correction"
    """A correction agreed at the table."""
    NOT_CALLED = "not-called"
    MUGGINS = "muggins"
    WRONG_COUNT = "wrong-count"


class AuditNotice(NoticeKind):
    """The kinds of notice that an audit of the chips may give."""

    DIFFERENCE = "audit-difference"
    """The `counted` points in the stock of `seat` differ from the `recorded` ones."""


@dataclass(frozen=True, slots=True)
class TileReturned(Entry):
    """`SEAT return [A-B]`: the tile drawn last was drawn by mistake, so it was shown and shuffled
    back into the boneyard."""

    words: ClassVar = ("return",)
    in_turn: ClassVar = True
    seat_may_be_wrong: ClassVar = False
    seat: Seat
    tile: Tile | None = None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        refuse_extra_words(line, 3)
        return cls(
            seat_named(line[0], seats), DOUBLE_SIX.parse(line[2]) if len(line) == 3 else None
        )

    def __str__(self) -> str:
        return f"{self.seat} return {self.tile}" if self.tile else f"{self.seat} return"


@dataclass(frozen=True, slots=True)
class Misdraw(SeatAlone):
    """`SEAT misdraw`: SEAT drew the wrong number of tiles at the start of the hand."""

    words: ClassVar = ("misdraw",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class BogusCalled(Entry):
    """`bogus SEAT [by SEAT] [turn N]`: the first seat was called bogus, by the second, for turn N
    of this hand, which is a draw or pass."""

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
class CallRuled(Entry):
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
        """The caller of the open claim, or of the claim that the record closed with the last entry;
        None if there is neither."""
        ...


@dataclass(frozen=True, slots=True)
class ChipsCorrected(Entry):
    """`chips SEAT N reason…`: N more points of SEAT's stock go to the seat that it pays (or come
    back, if N is negative), as agreed at the table."""

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
class ChipsAudited(Entry):
    """`audit SEAT N [PIECES]`: the chips in SEAT's own stock were counted, and are worth N points.
    PIECES (`10x3+5x4`) lists the chips by value."""

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
            raise EntryError("a chip count can't be below zero")
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
    reveals_score: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class CountNotCalled(SeatAlone):
    """`SEAT not-called`: SEAT did not call its last score aloud in time, and loses it."""

    words: ClassVar = ("not-called",)
    cancels_score: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class MugginsCalled(SeatAlone):
    """`SEAT muggins`: SEAT called an opponent's score first, and scores it instead."""

    words: ClassVar = ("muggins",)
    cancels_score: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class WrongTileCount(SeatAlone):
    """`SEAT wrong-count`: SEAT was found to hold the wrong number of tiles."""

    words: ClassVar = ("wrong-count",)
    repeatable: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__
