"""The line of play: arms, spinner, open ends and count. Mirror images are equal.

The rules that it follows (rules 8 and 9 of high_five.py, rule 3 of five_up.py):

* A led tile shows both halves. A tile joins an open end by an equal half; what it leaves open is
  its other half, or for a double the whole tile, laid crosswise.
* The first double on the board, whenever it comes, is the only spinner. It has four places: its
  two sides, which must both be covered before its two ends (arms up and down) open.
* The count adds up the outer end of every arm, an exposed double with both halves. The spinner
  counts both halves while fewer than two of its sides are covered, else nothing; a place on it that
  nothing was laid on adds nothing.
* A house may play without a spinner (RULES: All Fives 3): the line has two ends then. A led double
  has no places but its two sides, and every other double is an end like any other tile.

So a line consists of its spinner and the ends of its four arms. An arm without a tile is None: the
next tile there is played on the spinner itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple, Self

from companion.core.errors import EntryError, RuleError, whole_number
from companion.core.seats import Seat, Seats
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase
from companion.games.game import Entry, refuse_extra_words, seat_named
from companion.games.tiles import DOUBLE_SIX, Tile


class Arm(Enum):
    """The arm of the line on which a tile is played, from the point of view of the player who
    led."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"

    @classmethod
    def parse(cls, word: str) -> "Arm":
        """Reads an arm's name; raises EntryError."""
        try:
            return cls(word.lower())
        except ValueError:
            raise EntryError(
                "@{word} is not an arm: use @left, @right, @up or @down", word=word
            ) from None


ARMS = tuple(Arm)
"""All arms, in the order of a line's ends."""

SIDES = ARMS[:2]
"""The arms on the sides of a spinner."""

ON_ARM: Final[Mapping[str, Sentence]] = {
    "left": phrase("on the left"),
    "right": phrase("on the right"),
    "up": phrase("above"),
    "down": phrase("below"),
}
"""For each arm, its place within a sentence."""


class End(NamedTuple):
    """The end of an arm: a half of `pips`, or an exposed double of them."""

    pips: int
    double: bool

    @property
    def adds(self) -> int:
        """The end's part of the count."""
        return self.pips * 2 if self.double else self.pips


TILE_SET = DOUBLE_SIX
"""The set of tiles for a line of play (rule 1 of high_five.py and of five_up.py)."""

BY_HALVES = TILE_SET.by_halves

ENDS = {
    (pips, double): End(pips, double)
    for pips in range(TILE_SET.highest + 1)
    for double in (False, True)
}
"""All possible ends, made only once, as thousands of possible lines share them."""

Ends = tuple[int, ...]
"""The pips of the open ends as players read them, ascending, an exposed double twice."""


class PlaceToPlay(NamedTuple):
    """A place where a tile may be played: the arm; the half that the tile must match; the count of
    all other ends once the tile is there; and whether the place is on the spinner itself."""

    arm: Arm
    pips: int
    rest: int
    on_spinner: bool


class Line(NamedTuple):
    """The line of play with at least one tile. Before there is a spinner only left and right have
    ends; after that, an arm that is None has no tile yet."""

    spinner: int | None
    left: End | None
    right: End | None
    up: End | None = None
    down: End | None = None
    two_ends: bool = False
    """Whether the line has no spinner. In that case `spinner` is a led double, of which only the
    two sides are places."""

    @classmethod
    def led(cls, left: int, right: int, *, two_ends: bool = False) -> "Line":
        """The line after the lead; a led double is the spinner, unless the line has two ends."""
        if left == right:
            return cls(left, None, None, two_ends=two_ends)
        return cls(None, ENDS[left, False], ENDS[right, False], two_ends=two_ends)

    @property
    def arms(self) -> tuple[End | None, ...]:
        """The end of each arm, in the order of Arm."""
        return (self.left, self.right, self.up, self.down)

    @property
    def sides_covered(self) -> bool:
        """Whether both sides of the spinner are covered, which opens its two ends."""
        return self.left is not None and self.right is not None

    @property
    def parts(self) -> tuple[int, ...]:
        """The terms of the count: the spinner's first, as long as it counts, then each arm's."""
        return _parts(self)

    @property
    def open_count(self) -> int:
        """The count: the sum of the open ends."""
        return sum(_parts(self))

    @property
    def ends(self) -> Ends:
        """The open ends as the players read them. Their sum is the count."""
        return _ends(self)

    @property
    def canonical_form(self) -> tuple[object, ...]:
        """A value that is equal for lines which no later tile can distinguish: mirror images, and
        lines whose arms are exchanged once both sides of the spinner are covered."""
        return _canonical_form(self)

    @property
    def places(self) -> tuple[PlaceToPlay, ...]:
        """Every place where a matching tile may be laid."""
        return _places(self)

    @property
    def suits(self) -> int:
        """The mask of the tiles that match any place, played or not."""
        mask = 0
        for pips in _open_pips(self):
            mask |= TILE_SET.suits[pips]
        return mask

    def with_tile(self, arm: Arm, tile: Tile) -> "Line":
        """The line with `tile` played on that arm, where one of its halves must match."""
        spinner, left, right, up, down, two_ends = self
        ends, at = [left, right, up, down], ARMS.index(arm)
        end = ends[at]
        pips = spinner if end is None else end.pips
        assert pips is not None, "the arm has a place to lay"
        double = tile.low == tile.high
        if double and spinner is None and not two_ends:
            ends[at], spinner = None, pips
        else:
            ends[at] = ENDS[tile.high if pips == tile.low else tile.low, double]
        left, right, up, down = ends
        return Line(spinner, left, right, up, down, two_ends)


# These functions are called thousands of times when a game is entered by count.


@lru_cache(maxsize=4096)
def _parts(line: Line) -> tuple[int, ...]:
    spinner, left, right, up, down, _ = line
    parts = [] if spinner is None or (left and right) else [2 * spinner]
    for end in (left, right, up, down):
        if end:
            pips, double = end
            parts.append(pips * 2 if double else pips)
    return tuple(parts)


@lru_cache(maxsize=4096)
def _ends(line: Line) -> Ends:
    spinner, left, right, up, down, _ = line
    ends = [] if spinner is None or (left and right) else [spinner, spinner]
    for end in (left, right, up, down):
        if end:
            pips, double = end
            ends.append(pips)
            if double:
                ends.append(pips)
    return tuple(sorted(ends))


@lru_cache(maxsize=4096)
def _canonical_form(line: Line) -> tuple[object, ...]:
    spinner = None if line.two_ends and line.sides_covered else line.spinner
    return (spinner, *sorted(end for end in line.arms if end))


@lru_cache(maxsize=4096)
def _open_arms(line: Line) -> tuple[tuple[Arm, int, End | None], ...]:
    """The arms on which a tile may be laid, each with the half that it must match, and its end
    (None if the tile is laid on the spinner)."""
    spinner, left, right, up, down, two_ends = line
    arms: list[tuple[Arm, int, End | None]] = []
    ends_open = left is not None and right is not None and not two_ends
    for arm, end in zip(ARMS, (left, right, up, down), strict=True):
        if end:
            arms.append((arm, end.pips, end))
        elif spinner is not None and (ends_open or arm in SIDES):
            arms.append((arm, spinner, None))
    return tuple(arms)


@lru_cache(maxsize=4096)
def _places(line: Line) -> tuple[PlaceToPlay, ...]:
    count = on_spinner = sum(_parts(line))
    if line.spinner is not None and not line.sides_covered and (line.left or line.right):
        on_spinner -= 2 * line.spinner
    return tuple(
        [
            PlaceToPlay(arm, pips, count - end.adds if end else on_spinner, end is None)
            for arm, pips, end in _open_arms(line)
        ]
    )


@lru_cache(maxsize=4096)
def _open_pips(line: Line) -> tuple[int, ...]:
    return tuple(sorted({pips for _, pips, _ in _open_arms(line)}))


# ---------------------------------------------------------------- laid
# A play on the line, as it is entered.


@dataclass(frozen=True, slots=True)
class TilePlayed(Entry):
    """A tile was played. It is entered as the tile, the open ends as players read them, the count,
    or several of these, which have to agree. `halves` keeps the order of the entry: a led 6-4 has 6
    on the left. `ends` are pips in ascending order, an exposed double twice. `insisted` (`!`): the
    table insists that the tile is there, against the record.
    """

    words: ClassVar = ("", "ends", "count")
    in_turn: ClassVar = True
    is_play: ClassVar = True
    seat: Seat
    halves: tuple[int, int] | None = None
    arm: Arm | None = None
    ends: tuple[int, ...] | None = None
    count: int | None = None
    insisted: bool = False

    @property
    def tile(self) -> Tile | None:
        """The tile; None if it was not entered."""
        return BY_HALVES[self.halves] if self.halves else None

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
        refuse_extra_words(rest, 0)
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
    """Removes `ends P P …` from the front of `rest` and returns the ends."""
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
    """Removes `count N` from the front of `rest` and returns the count."""
    if not rest or rest[0].lower() != "count":
        return None
    if len(rest) < 2:
        raise EntryError("count needs a number: the sum of the open ends")
    count = whole_number(rest[1], "count")
    del rest[:2]
    if not 0 <= count <= 48:
        raise EntryError(
            "a count of {count} is impossible: four exposed double sixes make 48", count=count
        )
    return count


# ---------------------------------------------------------------- candidate lines
# All lines of play that are possible after the entries.
#
# A play may be entered as the tile, the open ends or the count alone. After each entry the lines
# that explain it are kept: after a play entered by tile there is one, after a play entered by count
# there may be hundreds. Later entries decide between these lines. Players are prompted only if the
# lines differ in the count, because the count scores. If there are more than MAX_LINES lines, or
# the table insists on something that no line explains, the lines are given up: then only the last
# entry is known.


MAX_LINES = 600
"""The most lines that are kept, which limits the time for a play entered by count (see `make
bench`)."""

CandidateLine = tuple[Line | None, int]
"""A possible line (None if no tile was played) and the mask of its tiles."""


@dataclass(frozen=True, slots=True)
class PlayConstraints:
    """The properties of a play that an entry gives, each None if the entry leaves it out. `double`:
    whether only a double may be led."""

    halves: tuple[int, int] | None = None
    arm: Arm | None = None
    ends: Ends | None = None
    count: int | None = None
    double: bool = False

    @property
    def tile(self) -> Tile | None:
        """The tile; None if it was not entered."""
        return BY_HALVES[self.halves] if self.halves else None

    @property
    def gives_count(self) -> bool:
        """Whether the entry gives the count."""
        return self.ends is not None or self.count is not None


Origin = tuple[int, int]
"""The line before a play, by its position among the possible lines, and the bit of the tile
played."""


class WayToPlay(NamedTuple):
    """One way to play a tile: the candidate line before, the arm (None if the tile is led), the
    tile, and the line after. `origins` lists all plays with the same result; they count as one
    way."""

    candidate: CandidateLine
    arm: Arm | None
    tile: Tile
    line: Line
    origins: list[Origin]

    @property
    def after(self) -> CandidateLine:
        """The candidate after the tile is played."""
        return self.line, self.candidate[1] | self.tile.bit


class CandidateLines(NamedTuple):
    """The lines that agree with all entries. If `possible` is empty, only the ends or the count
    entered last are known."""

    possible: tuple[CandidateLine, ...] = ((None, 0),)
    known_ends: Ends | None = None
    known_count: int | None = None
    parts: tuple[int, ...] = ()
    tiles_entered: int = 0
    """The mask of tiles that were entered as tiles."""
    may_be_partial: bool = False
    """Whether the next play may leave out its ends and its count, because its player still knew the
    line that is lost now."""
    two_ends: bool = False
    """Whether the line has only two ends, as no double is a spinner."""

    @property
    def lost(self) -> bool:
        """Whether the lines were given up."""
        return not self.possible

    @property
    def single(self) -> Line | None:
        """The line, if only one is possible; otherwise None."""
        return self.possible[0][0] if len(self.possible) == 1 else None

    @property
    def laid_for_sure(self) -> int:
        """The mask of tiles that are in every possible line."""
        if self.lost:
            return self.tiles_entered
        mask = self.possible[0][1]
        for _, laid in self.possible:
            mask &= laid
        return mask

    @property
    def nothing_fits(self) -> bool:
        """Whether none of the remaining tiles fits, whichever line is the real one."""
        return not self.lost and all(
            line is not None and not line.suits & ~laid for line, laid in self.possible
        )

    def without(self, tiles: int) -> tuple[int, ...]:
        """The positions in `possible` of the lines that have none of these `tiles` (a mask)."""
        return tuple(at for at, (_, laid) in enumerate(self.possible) if not laid & tiles)

    def only(self, kept: tuple[int, ...]) -> "CandidateLines":
        """These lines with only the candidates at the positions `kept`; if `kept` is empty, the
        lines are given up (`lost`)."""
        if len(kept) == len(self.possible):
            return self
        return self._replace(possible=tuple(self.possible[at] for at in kept))

    def ways(self, play: PlayConstraints) -> list[WayToPlay]:
        """Every way to play a tile that agrees with the entry; mirror images count once."""
        if len(self.possible) == 1:
            ((line, laid),) = self.possible
            only = _plays_allowed(line, play, self.two_ends)
            if len(only) == 1:
                ((arm, tile, after),) = only
                free = not laid & tile.bit
                return [WayToPlay((line, laid), arm, tile, after, [(0, tile.bit)])] if free else []
        found: dict[tuple[object, ...], WayToPlay] = {}
        plays: dict[Line | None, list[tuple[Arm | None, Tile, Line]]] = {}
        for at, candidate in enumerate(self.possible):
            line, laid = candidate
            if line not in plays:
                plays[line] = _plays_allowed(line, play, self.two_ends)
            for arm, tile, after in plays[line]:
                if laid & tile.bit:
                    continue
                key, origin = (after.canonical_form, laid | tile.bit), (at, tile.bit)
                way = found.get(key)
                if way is None:
                    found[key] = WayToPlay(candidate, arm, tile, after, [origin])
                elif origin not in way.origins:
                    way.origins.append(origin)
            if len(found) > MAX_LINES and play.gives_count:
                break
        return list(found.values())

    def after(self, ways: Sequence[WayToPlay], play: PlayConstraints) -> "CandidateLines":
        """The lines after a tile was played in one of these `ways`."""
        tile = play.tile
        said = self.tiles_entered | (tile.bit if tile else 0)
        if len(ways) == 1:
            way = ways[0]
            ends, parts = _ends(way.line), _parts(way.line)
            return CandidateLines(
                (way.after,), ends, sum(parts), parts, said, two_ends=self.two_ends
            )
        all_ends = {way.line.ends for way in ways}
        counts = {way.line.open_count for way in ways}
        all_parts = {way.line.parts for way in ways}
        return CandidateLines(
            tuple(way.after for way in ways) if len(ways) <= MAX_LINES else (),
            all_ends.pop() if len(all_ends) == 1 else None,
            counts.pop() if len(counts) == 1 else None,
            all_parts.pop() if len(all_parts) == 1 else (),
            said,
            two_ends=self.two_ends,
        )

    def given_up(self, may_be_partial: bool = False) -> "CandidateLines":
        """The lines after giving up: only the tiles that were entered as tiles are known."""
        return CandidateLines(
            (),
            tiles_entered=self.tiles_entered,
            may_be_partial=may_be_partial,
            two_ends=self.two_ends,
        )

    def as_entered(self, play: PlayConstraints) -> "CandidateLines":
        """The lines after a play that the table insists on against the record: only its ends or
        count are known."""
        count = sum(play.ends) if play.ends is not None else play.count
        said = self.tiles_entered | (play.tile.bit if play.tile else 0)
        ends = play.ends
        return CandidateLines((), ends, count, ends or (), said, two_ends=self.two_ends)

    def open_pips(self) -> tuple[int, ...]:
        """The halves that the next tile may match, if all lines agree on them; ascending."""
        if len(self.possible) == 1:
            line = self.possible[0][0]
            return _open_pips(line) if line else ()
        pips = [_open_pips(line) for line, _ in self.possible if line]
        return tuple(sorted(set(pips[0]).intersection(*pips[1:]))) if pips else ()

    def uncounted_pips(self) -> tuple[tuple[int, bool], ...]:
        """The halves that the next tile may match besides the known ends, ascending. Each comes
        with whether all lines agree on it. They are those of the spinner's free places, which don't
        count once its sides are covered. Empty if the lines were given up."""
        pips = {place.pips for line, _ in self.possible if line for place in line.places}
        sure = self.open_pips()
        return tuple(
            (each, each in sure) for each in sorted(pips.difference(self.known_ends or ()))
        )


def _plays_allowed(
    line: Line | None, play: PlayConstraints, two_ends: bool
) -> list[tuple[Arm | None, Tile, Line]]:
    """The arms and tiles that agree with the whole entry, even tiles that are already in the line,
    and the line after each."""
    found: list[tuple[Arm | None, Tile, Line]] = []
    for arm, tile in _candidate_plays(line, play):
        after = (
            line.with_tile(arm, tile) if line and arm else _line_after_lead(play, tile, two_ends)
        )
        if play.ends is None or after.ends == play.ends:
            found.append((arm, tile, after))
    return found


def _line_after_lead(play: PlayConstraints, tile: Tile, two_ends: bool) -> Line:
    """The line after this lead. A 6-4 entered in this order has 6 on the left."""
    return Line.led(*(play.halves or (tile.low, tile.high)), two_ends=two_ends)


def _candidate_plays(line: Line | None, play: PlayConstraints) -> Iterator[tuple[Arm | None, Tile]]:
    """The arms and tiles that agree with the entered tile, arm and count."""
    count = play.count if play.ends is None else sum(play.ends)
    if play.count not in (None, count):
        return
    if line is None:
        for tile in (play.tile,) if play.tile else TILE_SET.tiles:
            if tile.pips == (tile.pips if count is None else count) and (
                tile.is_double or not play.double
            ):
                yield None, tile
        return
    if play.halves is not None:
        tile = BY_HALVES[play.halves]
        for arm, pips, _ in _open_arms(line):
            if pips not in (tile.low, tile.high) or play.arm not in (None, arm):
                continue
            if count is None or line.with_tile(arm, tile).open_count == count:
                yield arm, tile
        return
    assert count is not None
    for arm, pips, rest, on_spinner in _places(line):
        if play.arm not in (None, arm):
            continue
        if 0 <= count - rest <= TILE_SET.highest and count - rest != pips:
            yield arm, BY_HALVES[pips, count - rest]
        if count - rest == 2 * pips and not on_spinner:
            yield arm, BY_HALVES[pips, pips]


NOTHING_PLAYED = CandidateLines()
NOTHING_PLAYED_WITHOUT_SPINNER = CandidateLines(two_ends=True)


def after_any_play(candidates: CandidateLines) -> CandidateLines:
    """The lines after a play for which no details were entered."""
    if candidates.lost:
        return candidates
    counts = range(49)
    ways = [way for count in counts for way in candidates.ways(PlayConstraints(count=count))]
    return candidates.after(ways, PlayConstraints())


def unexplained_refusal(play: PlayConstraints) -> RuleError:
    """Returns the error for ends or a count that no tile explains, without looking for the
    cause."""
    if play.ends is not None:
        return RuleError("{wrong}: look again", wrong=unexplained_reason(play))
    return RuleError("{wrong}: add the ends up again", wrong=unexplained_reason(play))


def unexplained_reason(play: PlayConstraints) -> RuleError:
    """Returns the error for a play that no tile explains, with the reason but without advice."""
    if play.ends is not None:
        return RuleError("No tile makes the ends {ends}", ends=" ".join(map(str, play.ends)))
    return RuleError("No tile makes the count {count}", count=play.count)
