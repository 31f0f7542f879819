"""The entries that all line games share, each with its tally words."""

from typing import ClassVar, Self

from companion.errors import EntryError
from companion.games.game import (
    Entry,
)
from companion.games.line.line import TILE_SET, Arm
from companion.games.reading import (
    no_more,
    seat_named,
    whole_number,
)
from companion.games.tiles import Tile, TileSet
from companion.seats import Seat, Seats
from companion.values import dataclass


@dataclass(frozen=True, slots=True)
class Dealt(Entry):
    """`hand [lead SEAT]`: a new hand is dealt; `lead` where the rules don't say who leads."""

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
class Laid(Entry):
    """A tile was laid: known by the tile, by the open ends as the players read them, by the count,
    or by several of these, which then have to agree.

    `halves` keeps the order in which the tile was said: a led 6-4 shows 6 on the left. `ends` are
    pips in ascending order, an exposed double twice. `insisted` (`!`): the table says it lies
    there, whatever the record says.
    """

    words: ClassVar = ("", "ends", "count")
    in_turn: ClassVar = True
    seat: Seat
    halves: tuple[int, int] | None = None
    arm: Arm | None = None
    ends: tuple[int, ...] | None = None
    count: int | None = None
    insisted: bool = False

    @property
    def tile(self) -> Tile | None:
        """The tile, if it was said."""
        return TILE_SET.tile(*self.halves) if self.halves else None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        seat, rest = seat_named(line[0], seats), line[1:]
        if not rest:
            raise EntryError(f"what did {line[0]} do? A tile as in 5-6, ends, count, draw, pass …")
        insisted = rest[-1].endswith("!")
        if insisted:
            rest = [*rest[:-1], rest[-1][:-1]] if rest[-1] != "!" else rest[:-1]
        halves = arm = None
        if rest and rest[0].lower() not in ("ends", "count"):
            halves = TILE_SET.parse_halves(rest.pop(0))
            if rest and rest[0].startswith("@"):
                arm = Arm.parse(rest.pop(0)[1:])
        ends = _take_ends(rest)
        count = _take_count(rest)
        no_more(rest, 0)
        if halves is None and ends is None and count is None:
            raise EntryError(f"which tile did {line[0]} lay? Write it as in 5-6")
        return cls(seat, halves, arm, ends, count, insisted)

    def __str__(self) -> str:
        said = [str(self.seat)]
        if self.halves:
            said.append(f"{self.halves[0]}-{self.halves[1]}")
        if self.arm:
            said.append(f"@{self.arm.value}")
        if self.ends is not None:
            said.append(" ".join(["ends", *map(str, self.ends)]))
        if self.count is not None:
            said.append(f"count {self.count}")
        return " ".join([*said, "!"] if self.insisted else said)


def _take_ends(rest: list[str]) -> tuple[int, ...] | None:
    """Takes `ends P P …` off the front of `rest`."""
    if not rest or rest[0].lower() != "ends":
        return None
    del rest[0]
    pips = []
    while rest and rest[0].lower() != "count":
        pips.append(whole_number(rest.pop(0), "an open end"))
    if not 2 <= len(pips) <= 8 or not all(0 <= pip <= TILE_SET.highest for pip in pips):
        raise EntryError("ends are two to eight of the numbers 0 to 6, a double twice: 5 5 0")
    return tuple(sorted(pips))


def _take_count(rest: list[str]) -> int | None:
    """Takes `count N` off the front of `rest`."""
    if not rest or rest[0].lower() != "count":
        return None
    if len(rest) < 2:
        raise EntryError("count wants a number: the open ends added up")
    count = whole_number(rest[1], "count")
    del rest[:2]
    if not 0 <= count <= 48:
        raise EntryError(f"a count of {count} can't be: four exposed double sixes make 48")
    return count


@dataclass(frozen=True, slots=True)
class Drew(Entry):
    """`SEAT draw [N]`: drew N tiles from the boneyard, one after the other."""

    words: ClassVar = ("draw",)
    in_turn: ClassVar = True
    seat: Seat
    number: int = 1

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        no_more(line, 3)
        number = whole_number(line[2], "draw") if len(line) == 3 else 1
        if not 1 <= number <= len(TILE_SET):
            raise EntryError(f"{number} tiles can't be drawn: 1 to {len(TILE_SET)}")
        return cls(seat_named(line[0], seats), number)

    def __str__(self) -> str:
        return f"{self.seat} draw" if self.number == 1 else f"{self.seat} draw {self.number}"


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
    """`SEAT pass`"""

    words: ClassVar = ("pass",)
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
    tile_set: ClassVar[TileSet] = TILE_SET
    seat: Seat
    tiles: tuple[Tile, ...] = ()

    @property
    def pips(self) -> int:
        """All their pips."""
        return sum(tile.pips for tile in self.tiles)

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        tiles = tuple(cls.tile_set.parse(word) for word in line[2:])
        twice = [tile for tile in tiles if tiles.count(tile) > 1]
        if twice:
            raise EntryError(f"{twice[0]} is written twice: a set has each tile once")
        return cls(seat_named(line[0], seats), tiles)

    def __str__(self) -> str:
        return " ".join([str(self.seat), "holds", *map(str, self.tiles)])


@dataclass(frozen=True, slots=True)
class HeldPips(Entry):
    """`SEAT pips N`: the same as a number of pips, at most those of the whole set."""

    words: ClassVar = ("pips",)
    tile_set: ClassVar[TileSet] = TILE_SET
    seat: Seat
    pips: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) != 3:
            raise EntryError("write the pips that are held as one number: SEAT pips N")
        pips = whole_number(line[2], "pips")
        if not 0 <= pips <= cls.tile_set.pips:
            raise EntryError(f"{pips} pips can't be held: the whole set has {cls.tile_set.pips}")
        return cls(seat_named(line[0], seats), pips)

    def __str__(self) -> str:
        return f"{self.seat} pips {self.pips}"


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
