"""A lay on a line of play, as it is entered."""

from typing import ClassVar, Self

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entry import Entry
from companion.games.line.line import TILE_SET, Arm
from companion.games.reading import no_more, seat_named, whole_number
from companion.games.tiles import Tile


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
        """The tile; None if it was not said."""
        return TILE_SET.tile(*self.halves) if self.halves else None

    @classmethod
    def parse(cls, line: list[str], seats: Seats, /) -> Self:
        seat, rest = seat_named(line[0], seats), line[1:]
        if not rest:
            raise EntryError(
                "what did {seat} do? A tile as in 5-6, ends, count, draw, pass …", seat=line[0]
            )
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
            raise EntryError("which tile did {seat} lay? Write it as in 5-6", seat=line[0])
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
        pips.append(whole_number(rest.pop(0), phrase("an open end")))
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
        raise EntryError(
            "a count of {count} can't be: four exposed double sixes make 48", count=count
        )
    return count
