"""The entries that only High Fives has, each with its tally words."""

from typing import ClassVar, Self

from companion.core.errors import EntryError, whole_number
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.games.game import Entry, refuse_extra_words, seat_named
from companion.games.tiles import Tile, TileSet

SET = TileSet("double-fifteen", 15)
"""The double-fifteen set, of 136 tiles."""
WORTH = 100
"""The total points of all tiles."""

Pair = tuple[Tile, Tile]


@dataclass(frozen=True, slots=True)
class TableauShown(Entry):
    """`tableau A-B …`: the tiles turned face up, in the order of their places."""

    words: ClassVar = ("tableau",)
    seat_first: ClassVar = False
    tiles: tuple[Tile, ...]

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        if len(line) == 1:
            raise EntryError("which tiles are in the tableau? Write them as in tableau 0-1 7-7")
        tiles = tuple(SET.parse(word) for word in line[1:])
        _refuse_repeated_tile(tiles)
        return cls(tiles)

    def __str__(self) -> str:
        return " ".join(["tableau", *map(str, self.tiles)])


@dataclass(frozen=True, slots=True)
class TilePutDown(Entry):
    """`SEAT A-B [takes C-D] [pair E-F G-H] [!]`: SEAT put a tile into the tableau. The tile
    captured `takes` and, with it, the matching `pair` in the tableau. `insisted` (`!`): the table
    insists on it, against the record."""

    words: ClassVar = ("",)
    clauses: ClassVar = ("takes", "pair")
    in_turn: ClassVar = True
    is_play: ClassVar = True
    seat: Seat
    tile: Tile
    takes: Tile | None = None
    pair: Pair | None = None
    insisted: bool = False

    @property
    def captured(self) -> tuple[Tile, ...]:
        """The tiles that the seat won, beginning with the one that it put down."""
        own = (self.tile, self.takes) if self.takes else ()
        return (*own, *(self.pair or ()))

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        seat, rest = seat_named(line[0], seats), line[1:]
        if not rest:
            raise EntryError("what did {seat} do? A tile as in 7-8, or points", seat=line[0])
        insisted = rest[-1].endswith("!")
        if insisted:
            rest = [*rest[:-1], rest[-1][:-1]] if rest[-1] != "!" else rest[:-1]
        if not rest:
            raise EntryError("which tile did {seat} lay? Write it as in 7-8", seat=line[0])
        tile, takes, pair = SET.parse(rest.pop(0)), None, None
        if rest and rest[0].lower() == "takes":
            takes = _pop_clause(
                rest, 1, EntryError("which tile was taken? Write it as in takes 8-9")
            )[0]
        if rest and rest[0].lower() == "pair":
            one, other = _pop_clause(rest, 2, EntryError("a pair is two tiles, as in pair 0-1 1-2"))
            pair = min(one, other), max(one, other)
        refuse_extra_words(rest, 0)
        _refuse_repeated_tile((tile, *([takes] if takes else []), *(pair or ())))
        return cls(seat, tile, takes, pair, insisted)

    def __str__(self) -> str:
        said = [str(self.seat), str(self.tile)]
        if self.takes:
            said.append(f"takes {self.takes}")
        if self.pair:
            said.append(f"pair {self.pair[0]} {self.pair[1]}")
        return " ".join([*said, "!"] if self.insisted else said)


def _pop_clause(rest: list[str], number: int, missing: EntryError) -> list[Tile]:
    """Removes a word and the `number` of tiles after it from the front of `rest`, and returns the
    tiles; raises `missing` if there are fewer."""
    words = rest[1 : 1 + number]
    if len(words) < number:
        raise missing
    del rest[: 1 + number]
    return [SET.parse(word) for word in words]


def _refuse_repeated_tile(tiles: tuple[Tile, ...]) -> None:
    for tile in tiles:
        if tiles.count(tile) > 1:
            raise EntryError("{tile} is in this line twice: a set has only one", tile=tile)


@dataclass(frozen=True, slots=True)
class PointsEntered(Entry):
    """`SEAT points N`: a turn for which only the captured points were entered, 0 to 100."""

    words: ClassVar = ("points",)
    in_turn: ClassVar = True
    is_play: ClassVar = True
    seat: Seat
    points: int

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        if len(line) < 3:
            raise EntryError("how many points were captured? One number, 0 for none")
        refuse_extra_words(line, 3)
        return cls(seat_named(line[0], seats), _parse_points(line[2]))

    def __str__(self) -> str:
        return f"{self.seat} points {self.points}"


@dataclass(frozen=True, slots=True)
class TableauPointsLeft(Entry):
    """`left [N]`: the points of the tiles left in the tableau after the last turn; None if they
    were not counted."""

    words: ClassVar = ("left",)
    seat_first: ClassVar = False
    points: int | None = None

    @classmethod
    def parse(cls, line: list[str], _seats: Seats, /) -> Self:
        refuse_extra_words(line, 2)
        return cls(_parse_points(line[1]) if len(line) > 1 else None)

    def __str__(self) -> str:
        return "left" if self.points is None else f"left {self.points}"


def _parse_points(word: str) -> int:
    points = whole_number(word, "points")
    if not 0 <= points <= WORTH:
        raise EntryError(
            "{points} points are too many: all tiles together are worth {worth}",
            points=points,
            worth=WORTH,
        )
    return points
