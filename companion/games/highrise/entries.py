"""The entries that only Highrise has, each with its tally words.

A half is a number: 0 to 6 pips, or WILD for a wild one, which is written W.
"""

from typing import ClassVar, Self

from companion.core.errors import EntryError, whole_number
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.entries import HoldingShown, PipsShown, SeatAlone
from companion.games.game import Entry, refuse_extra_words, seat_named
from companion.games.tiles import Tile, TileSet

SET = TileSet("Highrise", 6, wilds=True)
"""[1] The set of 36 tiles: double-six, seven with one wild half, one with two."""
WILD = SET.highest + 1
COLUMNS = 8
"""The number of tiles in the basement, one in each column."""

Halves = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BasementFilled(Entry):
    """`basement A-B …`: the eight tiles of the basement, columns from left to right, the first half
    of each in the top row."""

    words: ClassVar = ("basement",)
    seat_first: ClassVar = False
    tiles: tuple[Halves, ...]

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        if len(line) != COLUMNS + 1:
            raise EntryError(
                "the basement has {columns} tiles, not {number}: name them all",
                columns=COLUMNS,
                number=len(line) - 1,
            )
        tiles = tuple(SET.parse_halves(word) for word in line[1:])
        laid = [SET.tile(*halves) for halves in tiles]
        for tile in laid:
            if laid.count(tile) > 1:
                raise EntryError("{tile} is in this line twice: the set has only one", tile=tile)
        return cls(tiles)

    def __str__(self) -> str:
        return " ".join(["basement", *map(format_halves, self.tiles)])


@dataclass(frozen=True, slots=True)
class TileStacked(Entry):
    """`SEAT A-B [on P Q] [level N] [spacer P]`: a tile was played on two halves. `on`: these
    halves, in the order of the tile's own halves; `level`: the level of the play, 1 directly on the
    basement; `spacer`: which of the halves below was lifted by a spacer. Each is None if not
    entered."""

    words: ClassVar = ("", "w-w")
    tile_words: ClassVar = ("w-w",)
    clauses: ClassVar = ("on", "level", "spacer")
    in_turn: ClassVar = True
    is_play: ClassVar = True
    seat: Seat
    halves: Halves
    on: Halves | None = None
    level: int | None = None
    spacer: int | None = None

    @property
    def tile(self) -> Tile:
        """The tile that was played."""
        return SET.tile(*self.halves)

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) < 2:
            raise EntryError(
                "what did {seat} do? A tile as in 4-3 or W-3, draw, pass …", seat=line[0]
            )
        seat, halves, rest = seat_named(line[0], seats), SET.parse_halves(line[1]), line[2:]
        on = level = spacer = None
        if words := _take_clause(rest, "on", 2):
            on = parse_half(words[0]), parse_half(words[1])
        if words := _take_clause(rest, "level", 1):
            level = whole_number(words[0], "level")
            if level < 1:
                raise EntryError(
                    "there is no level {level}: on the basement it is level 1", level=level
                )
        if words := _take_clause(rest, "spacer", 1):
            spacer = parse_half(words[0])
        refuse_extra_words(rest, 0)
        if on and halves[0] == halves[1]:  # the halves of a double are interchangeable
            on = min(on), max(on)
        return cls(seat, halves, on, level, spacer)

    def __str__(self) -> str:
        said = [str(self.seat), format_halves(self.halves)]
        if self.on:
            said += ["on", *map(format_half, self.on)]
        if self.level is not None:
            said.append(f"level {self.level}")
        if self.spacer is not None:
            said.append(f"spacer {format_half(self.spacer)}")
        return " ".join(said)


def parse_half(word: str) -> int:
    """Reads 0 to 6 or W; raises EntryError."""
    names = SET.halves
    if word.upper() not in names:
        raise EntryError(
            "{word} isn't a half: 0 to {highest}, or W for a wild one",
            word=word[:40],
            highest=SET.highest,
        )
    return names.index(word.upper())


def format_half(half: int) -> str:
    """The half as text: 0 to 6, or W."""
    return SET.halves[half]


def format_halves(halves: Halves) -> str:
    """The two halves as text, `A-B`, in that order."""
    return f"{SET.halves[halves[0]]}-{SET.halves[halves[1]]}"


def _take_clause(rest: list[str], word: str, number: int) -> list[str]:
    """Removes `word` and the `number` words that follow it from the front of `rest`, and returns
    these words; [] if `rest` doesn't begin with `word`. Raises EntryError if words are missing."""
    if not rest or rest[0].lower() != word:
        return []
    words = rest[1 : 1 + number]
    if len(words) < number:
        if number == 2:
            raise EntryError("{word} needs two halves, as in on 4 3", word=word)
        raise EntryError("{word} needs one more", word=word)
    del rest[: 1 + number]
    return words


@dataclass(frozen=True, slots=True)
class OneTileDrawn(SeatAlone):
    """`SEAT draw`: SEAT drew one tile."""

    words: ClassVar = ("draw",)
    repeatable: ClassVar = True
    in_turn: ClassVar = True
    seat: Seat
    __str__ = SeatAlone.__str__


class HoldingWithWilds(HoldingShown):
    """`SEAT holds A-B …`: the tiles that SEAT holds at the end of a hand."""

    __slots__ = ()
    tile_set: ClassVar = SET


class PipsWithWilds(PipsShown):
    """`SEAT pips N`: the total pips of the tiles that SEAT holds at the end of a hand; a wild half
    counts 7."""

    __slots__ = ()
    tile_set: ClassVar = SET
