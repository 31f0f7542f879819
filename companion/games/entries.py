"""The entries that games with a round of play share, each with its tally words.

Entries that name tiles read double-six tiles; a game with another set has entries of its own.
"""

from typing import ClassVar, Self

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.entry import Entry
from companion.games.reading import no_more, seat_named, whole_number
from companion.games.tiles import DOUBLE_SIX, Tile, TileSet


@dataclass(frozen=True, slots=True)
class Dealt(Entry):
    """`hand [lead SEAT]`: a new hand is dealt; `lead` names its leader if the rules don't."""

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
        no_more(line, 3)
        return cls(seat_named(line[2], seats))

    def __str__(self) -> str:
        return f"hand lead {self.lead}" if self.lead else "hand"


class WordAlone(Entry):
    """An entry that is its word and nothing more, said of the whole table."""

    seat_first: ClassVar = False

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        no_more(line, 1)
        return cls()

    def __str__(self) -> str:
        return self.words[0]


@dataclass(frozen=True, slots=True)
class Redealt(WordAlone):
    """`redeal`: nobody held a double; the deal is repeated."""

    words: ClassVar = ("redeal",)
    __str__ = WordAlone.__str__


@dataclass(frozen=True, slots=True)
class Drew(Entry):
    """`SEAT draw [N]`: drew N tiles from the boneyard, one after the other."""

    words: ClassVar = ("draw",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    number: int = 1

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 3)
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
    """`time up`: the table or the club has said that the time is up."""

    words: ClassVar = ("time",)

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        if [word.lower() for word in line] != ["time", "up"]:
            raise EntryError("that the time is up is written “time up”")
        return cls()

    def __str__(self) -> str:
        return "time up"


class SeatAlone(Entry):
    """An entry that is a seat and its word, nothing more."""

    seat: Seat

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 2)
        return cls(seat_named(line[0], seats))  # type: ignore[call-arg]

    def __str__(self) -> str:
        return f"{self.seat} {self.words[0]}"


@dataclass(frozen=True, slots=True)
class Passed(SeatAlone):
    """`SEAT pass`: passed its turn."""

    words: ClassVar = ("pass",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class WentOut(SeatAlone):
    """`SEAT out`: dominoed."""

    words: ClassVar = ("out",)
    seat: Seat
    __str__ = SeatAlone.__str__


@dataclass(frozen=True, slots=True)
class Blocked(WordAlone):
    """`blocked`: nobody can play."""

    words: ClassVar = ("blocked",)
    __str__ = WordAlone.__str__


@dataclass(frozen=True, slots=True)
class Held(Entry):
    """`SEAT holds A-B …`: the tiles that SEAT holds, as shown after an out or in a claim."""

    words: ClassVar = ("holds",)
    tile_set: ClassVar[TileSet] = DOUBLE_SIX
    seat: Seat
    tiles: tuple[Tile, ...] = ()

    @property
    def pips(self) -> int:
        """The pips of all these tiles."""
        return sum(tile.pips for tile in self.tiles)

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        tiles = tuple(cls.tile_set.parse(word) for word in line[2:])
        twice = [tile for tile in tiles if tiles.count(tile) > 1]
        if twice:
            raise EntryError("{tile} is written twice: a set has each tile once", tile=twice[0])
        return cls(seat_named(line[0], seats), tiles)

    def __str__(self) -> str:
        return " ".join([str(self.seat), "holds", *map(str, self.tiles)])


@dataclass(frozen=True, slots=True)
class HeldPips(Entry):
    """`SEAT pips N`: the tiles that SEAT holds as a number of pips, at most those of the whole
    set."""

    words: ClassVar = ("pips",)
    tile_set: ClassVar[TileSet] = DOUBLE_SIX
    seat: Seat
    pips: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) != 3:
            raise EntryError("write the pips that are held as one number: SEAT pips N")
        pips = whole_number(line[2], "pips")
        if not 0 <= pips <= cls.tile_set.pips:
            raise EntryError(
                "{pips} pips can't be held: the whole set has {most}",
                pips=pips,
                most=cls.tile_set.pips,
            )
        return cls(seat_named(line[0], seats), pips)

    def __str__(self) -> str:
        return f"{self.seat} pips {self.pips}"


@dataclass(frozen=True, slots=True)
class PipsTogether(Entry):
    """`pips N`: all pips that count at the end of a hand that somebody went out of, together; in a
    call all that are not on the table."""

    words: ClassVar = HeldPips.words
    seat_first: ClassVar = False
    pips: int

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        no_more(line, 2)
        pips = whole_number("".join(line[1:]), "pips")
        if not 0 <= pips <= DOUBLE_SIX.pips:
            raise EntryError(
                "{pips} pips can't be held: the whole set has {most}",
                pips=pips,
                most=DOUBLE_SIX.pips,
            )
        return cls(pips)

    def __str__(self) -> str:
        return f"pips {self.pips}"


@dataclass(frozen=True, slots=True)
class Ended(Entry):
    """`end reason…`: the game ends unfinished."""

    words: ClassVar = ("end",)
    seat_first: ClassVar = False
    reason: str = ""

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        return cls(" ".join(line[1:]))

    def __str__(self) -> str:
        return f"end {self.reason}".rstrip()
