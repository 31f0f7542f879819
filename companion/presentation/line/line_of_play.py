"""The line of play as plain data for drawings, in any game with a line.

Tiles are in the order of play, each with its arm. Values that the record doesn't know are None, and
tiles without a known place are counted in `unplaced`. The module has no rules: the game decides
which ends are open, and what they add to the count."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, takewhile
from typing import Final, Literal, NamedTuple, TypeVar

from companion.core.values import dataclass
from companion.games.line.hand import Hand, Turn
from companion.games.line.line import (
    NOTHING_PLAYED,
    TILE_SET,
    CandidateLine,
    CandidateLines,
    Line,
    PlayConstraints,
    TilePlayed,
    WayToPlay,
)

ArmName = Literal["left", "right", "up", "down"]
"""An arm's name as in the tally: seen from the spinner or, without one, from the led tile."""

ARM_NAMES: tuple[ArmName, ...] = ("left", "right", "up", "down")
OPPOSITE: dict[ArmName, ArmName] = {"left": "right", "right": "left", "up": "down", "down": "up"}


@dataclass(frozen=True, slots=True)
class PlayedTile:
    """A tile in the line.

    `inner`: the pips of the half that touches the line; for the led tile, its left half. `outer`:
    the pips of the other half. A half is None if it isn't in the record. `arm`: the arm on which
    the tile was played; None for the led tile."""

    inner: int | None
    outer: int | None
    arm: ArmName | None = None
    spinner: bool = False

    def __post_init__(self) -> None:
        if self.spinner and self.inner != self.outer:
            raise ValueError("only a double is a spinner")

    @property
    def crosswise(self) -> bool:
        """Whether the tile is known to be a double. Doubles are placed across the line."""
        return self.spinner or (self.inner is not None and self.inner == self.outer)


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """A place for the next tile. `pips`: the pips to match, None if they are not in the record.
    `times`: how often they count: usually once, twice for an exposed double, and not at all at an
    end of the spinner where nothing was played."""

    arm: ArmName
    pips: int | None
    times: int = 1

    def __post_init__(self) -> None:
        if self.times not in (0, 1, 2):
            raise ValueError("an end is counted once, twice or not at all")


@dataclass(frozen=True, slots=True)
class LineOfPlay:
    """The line on the table, as far as it is known.

    `count`: the sum of the open ends, None if it is not known. `latest`: the index in `tiles` of
    the tile played last, None if its place isn't in the record. `unplaced`: the number of tiles
    with unknown places. `said_ends`: the open ends as players read them out, an exposed double
    twice, if the ends are known but not their arms. Raises ValueError if the tiles can't form a
    line."""

    tiles: tuple[PlayedTile, ...] = ()
    open_ends: tuple[OpenEnd, ...] = ()
    count: int | None = None
    latest: int | None = None
    unplaced: int = 0
    said_ends: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.latest is not None and not 0 <= self.latest < len(self.tiles):
            raise ValueError("the latest tile is none of these")
        if unknown := {end.arm for end in self.open_ends} - {*arms_of(self.tiles)}:
            raise ValueError(f"there is no arm {unknown.pop()} in this line")
        outer: dict[ArmName, int | None] = {}
        for number, tile in enumerate(self.tiles):
            if (tile.arm is None) != (number == 0):
                raise ValueError("the led tile, and no other, is on no arm")
            if tile.arm is None:
                outer = dict.fromkeys(arms_of([tile]), tile.outer)
                outer["left"] = tile.inner
                continue
            if tile.arm not in outer:
                raise ValueError(f"there is no arm {tile.arm} yet")
            if None not in (outer[tile.arm], tile.inner) and outer[tile.arm] != tile.inner:
                raise ValueError(f"a {tile.inner} is joined to a {outer[tile.arm]}")
            outer[tile.arm] = tile.outer
            if tile.spinner:
                if "up" in outer:
                    raise ValueError("there is one spinner only")
                outer |= {"up": tile.outer, "down": tile.outer}


def arms_of(tiles: Sequence[PlayedTile]) -> tuple[ArmName, ...]:
    """Returns the arms of a line of these tiles: none before the first tile, two before a spinner,
    then four."""
    if any(tile.spinner for tile in tiles):
        return ARM_NAMES
    return ARM_NAMES[:2] if tiles else ()


# ---------------------------------------------------------------- line of hand
# The line of play of a hand, as far as the record makes it certain.
#
# Plays may be entered as a tile, as open ends or as a count, so the record may leave open which
# tile is where. Every way in which the hand may have gone is followed. The line has what all ways
# agree on, and counts the rest. Mirror images are the same line: of these, the one that agrees
# best with the others is used.
# If two ends show the same pips and the entry doesn't have the arm, the tile is placed where the
# record has it, because players choose an end only if it makes a difference.


T = TypeVar("T")

MAX_POSSIBLE_LINES = 8
"""The most possible lines to follow: with more of them almost nothing is certain."""
MAX_PLAYS: Final = len(TILE_SET.tiles) + 1
"""The most plays to follow: one more than a line can have, as each tile occurs once."""
HANDS_KNOWN: Final = 128
"""How many hands have their possible lines cached, enough for a hand or two; each beginning of a
hand counts."""


class PossibleLine(NamedTuple):
    """A line that the entries of a hand allow, and each tile as it was played."""

    candidate: CandidateLine
    tiles: tuple[PlayedTile, ...] = ()

    @property
    def ends(self) -> dict[ArmName, OpenEnd]:
        """The open ends by arm."""
        line = self.candidate[0]
        return {end.arm: end for end in ends_of(line)} if line else {}


def line_of(hand: Hand | None) -> LineOfPlay:
    """Returns the line on the table in this hand; empty if no hand is dealt."""
    if hand is None:
        return LineOfPlay()
    for known, line in _latest_line:
        if known is hand:
            return line
    line = _compute_line(hand)
    _latest_line[:] = [(hand, line)]
    return line


_latest_line = list[tuple[Hand, LineOfPlay]]()
"""The last hand and its line, cached because a moment's drawing usually follows its JSON."""


def _compute_line(hand: Hand) -> LineOfPlay:
    lays = tuple(turn.did for turn in hand.turns if isinstance(turn.did, TilePlayed))
    followed, found = _possible_lines(lays[:MAX_PLAYS], hand.big_6, hand.line.two_ends)
    ways = [*found]
    if followed == len(lays) and hand.line.possible:
        forms = {(line.canonical_form, laid) for line, laid in hand.line.possible if line}
        ways = [
            way
            for way in ways
            if way.candidate[0] and _form_without_mirroring(way.candidate) in forms
        ] or ways
        # Lines whose arms have the same names as in the record come first, so that the arms in the
        # drawing are those that plays can name.
        ways.sort(key=lambda way: way.candidate not in hand.line.possible)
    return _common_line(ways, len(lays), hand.line)


def line_before(hand: Hand, turn: Turn) -> LineOfPlay:
    """Returns the line on the table before that turn of the hand."""
    turns = hand.turns[: turn.number - 1]
    lays = tuple(each.did for each in turns if isinstance(each.did, TilePlayed))
    followed, ways = _possible_lines(lays[:MAX_PLAYS], hand.big_6, hand.line.two_ends)
    lines = [way.candidate[0] for way in ways] if followed == len(lays) else []
    known = CandidateLines(
        (),
        _only_value(line.ends if line else None for line in lines),
        _only_value(line.open_count if line else None for line in lines),
    )
    return _common_line(ways, len(lays), known)


@lru_cache(HANDS_KNOWN)
def _possible_lines(
    lays: tuple[TilePlayed, ...], big_6: bool, two_ends: bool
) -> tuple[int, tuple[PossibleLine, ...]]:
    """Returns how many plays, from the first on, can be placed, and all lines that are possible
    after them. Cached, because a game is described play by play, and each step continues from the
    one before."""
    if not lays:
        return 0, (PossibleLine(NOTHING_PLAYED.possible[0]),)
    *before, laid = lays
    followed, ways = _possible_lines((*before,), big_6, two_ends)
    if followed < len(before):
        return followed, ways
    double = big_6 and not before and not laid.insisted
    said = PlayConstraints(laid.halves, laid.arm, laid.ends, laid.count, double)
    found = (
        PossibleLine(way.after, (*trace.tiles, _laid_tile(way, said)))
        for trace in ways
        for way in CandidateLines((trace.candidate,), two_ends=two_ends).ways(said)
    )
    further = (*islice(found, MAX_POSSIBLE_LINES + 1),)
    return (len(lays), further) if 0 < len(further) <= MAX_POSSIBLE_LINES else (followed, ways)


def _laid_tile(way: WayToPlay, constraints: PlayConstraints) -> PlayedTile:
    line, tile = way.candidate[0], way.tile
    if line is None or way.arm is None:
        inner, outer = constraints.halves or (tile.low, tile.high)
        return PlayedTile(inner, outer, None, tile.is_double and not way.line.two_ends)
    inner = next(place.pips for place in line.places if place.arm is way.arm)
    spinner = tile.is_double and line.spinner is None and not line.two_ends
    return PlayedTile(inner, tile.other(inner), way.arm.value, spinner)


def _form_without_mirroring(candidate: CandidateLine) -> tuple[object, int]:
    line, laid = candidate
    assert line is not None
    return line.canonical_form, laid


def ends_of(line: Line) -> Iterator[OpenEnd]:
    """Yields the open end of each place for a tile. The halves of the spinner count until both its
    sides are covered: one at each side or, once one side is covered, both at the other (rule 9 of
    games/high_five.py)."""
    for place in line.places:
        name: ArmName = place.arm.value
        if not place.on_spinner:
            end = next(end for arm, end in zip(ARM_NAMES, line.arms, strict=True) if arm == name)
            yield OpenEnd(name, place.pips, 2 if end and end.double else 1)
        elif line.sides_covered:
            yield OpenEnd(name, place.pips, 0)
        else:
            yield OpenEnd(name, place.pips, 2 if line.left or line.right else 1)


# ---------------------------------------------------------------- what all ways agree on


def _common_line(ways: Sequence[PossibleLine], laid: int, known: CandidateLines) -> LineOfPlay:
    """Returns the line with only what all possible lines have in common."""
    first, *others = ways
    ways = [first, *(_nearest_mirror_image(first, way) for way in others)]
    placed: dict[int, PlayedTile] = {}
    open_arms: set[ArmName | None] = set()
    for number, tiles in enumerate(zip(*(way.tiles for way in ways), strict=True)):
        arms = {tile.arm for tile in tiles}
        spinners = {tile.spinner for tile in tiles}
        if len(arms) > 1 or len(spinners) > 1 or arms & open_arms:
            open_arms |= set(ARM_NAMES) if True in spinners else arms
        else:
            placed[number] = _common_tile(tiles)
    tiles = tuple(placed.values())
    if len(first.tiles) < laid:
        open_arms |= set(ARM_NAMES)
    ends = tuple(
        OpenEnd(end.arm, None) if end.arm in open_arms else end
        for end in _common_ends(ways, arms_of(tiles))
    )
    pips = [end.pips for end in ends for _ in range(end.times) if end.pips is not None]
    return LineOfPlay(
        tiles,
        ends,
        known.known_count,
        len(placed) - 1 if laid - 1 in placed else None,
        laid - len(placed),
        known.known_ends if tuple(sorted(pips)) != known.known_ends else None,
    )


def _only_value(values: Iterable[T]) -> T | None:
    """Returns the value if all are equal; otherwise None."""
    found = {*values}
    return found.pop() if len(found) == 1 else None


def _common_tile(tiles: Sequence[PlayedTile]) -> PlayedTile:
    """Returns a tile with the halves that are the same in all `tiles`; other halves are None."""
    if len(tiles) == 1:
        return tiles[0]
    inner = _only_value(tile.inner for tile in tiles)
    return replace(tiles[0], inner=inner, outer=_only_value(tile.outer for tile in tiles))


def _common_ends(ways: Sequence[PossibleLine], arms: Sequence[ArmName]) -> Iterator[OpenEnd]:
    """Yields those ends of these arms that are open in all possible lines; `pips` is None where
    they differ."""
    of_each = [way.ends for way in ways]
    for arm in arms:
        ends = [of_way[arm] for of_way in of_each if arm in of_way]
        if len(ends) == len(ways):
            yield _only_value(ends) or OpenEnd(arm, None)


def _nearest_mirror_image(first: PossibleLine, way: PossibleLine) -> PossibleLine:
    """Returns the line or one of its mirror images, whichever agrees with `first` on the most
    tiles."""
    images = [way]
    sides, ends = ARM_NAMES[:2], ARM_NAMES[2:]
    images += [_mirror_arms(way, arms) for arms in (sides, ends, ARM_NAMES)]
    return max(images, key=lambda image: _count_equal_tiles(first, image))


def _count_equal_tiles(first: PossibleLine, other: PossibleLine) -> int:
    """Returns the number of tiles, from the first on, that are the same in both lines."""
    pairs = zip(first.tiles, other.tiles, strict=True)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def _mirror_arms(way: PossibleLine, arms: Sequence[ArmName]) -> PossibleLine:
    """Returns the line with its opposite arms among `arms` exchanged."""
    line, laid = way.candidate
    assert line is not None
    names = {arm: OPPOSITE[arm] if arm in arms else arm for arm in ARM_NAMES}
    by_name = dict(zip(ARM_NAMES, line.arms, strict=True))
    left, right, up, down = (by_name[names[arm]] for arm in ARM_NAMES)
    turned = Line(line.spinner, left, right, up, down, line.two_ends)
    led = way.tiles[0]
    if "left" in arms:
        led = replace(led, inner=led.outer, outer=led.inner)
    rest = (replace(tile, arm=tile.arm and names[tile.arm]) for tile in way.tiles[1:])
    return PossibleLine((turned, laid), (led, *rest))
