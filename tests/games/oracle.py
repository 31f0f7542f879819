"""Searches slowly for the verdict on a draw or pass: tries every line, and every tile in every
place.

Written from RULES.md (High Five 7 to 9, 18, 19) and docs/tally.md, independently of the program:
lines are chains of tiles, and every way in which a hand may have gone is followed separately.
Matching all tiles to all places decides whether a deal agrees with such a way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from companion.games.entries import HoldingShown, TileReturned, TilesDrawn, TurnPassed
from companion.games.game import Entry
from companion.games.line.line import TilePlayed

Pair = tuple[int, int]
SET: tuple[Pair, ...] = tuple(combinations_with_replacement(range(7), 2))
BONEYARD = "boneyard"


class TooMany(Exception):
    """The hand may have gone in too many ways to follow all of them."""


# ---------------------------------------------------------------- the line


@dataclass(frozen=True)
class Board:
    """The tiles on the table: `spinner`, and for each arm its outer end as (pips, whether it is an
    exposed double). Without a spinner there are two arms, otherwise four; each may be bare."""

    spinner: int | None
    arms: tuple[tuple[int, bool] | None, ...]

    @property
    def open_sides(self) -> bool:
        return None in self.arms[:2]

    def places(self) -> Iterator[tuple[int, int]]:
        """The open ends, each as (arm, the pips to match)."""
        for at, arm in enumerate(self.arms):
            if arm is not None:
                yield at, arm[0]
            elif at < 2 or not self.open_sides:
                assert self.spinner is not None
                yield at, self.spinner

    def ends(self) -> tuple[int, ...]:
        """The open ends as players read them, sorted: an exposed double twice, the spinner twice
        while one of its sides is bare."""
        read = [self.spinner] * 2 if self.spinner is not None and self.open_sides else []
        for arm in self.arms:
            if arm is not None:
                read += [arm[0]] * (2 if arm[1] else 1)
        return tuple(sorted(pips for pips in read if pips is not None))

    def fitting(self) -> set[Pair]:
        wanted = {pips for _, pips in self.places()}
        return {tile for tile in SET if wanted & set(tile)}

    def with_tile(self, tile: Pair) -> Iterator["Board"]:
        for at, pips in self.places():
            if pips not in tile:
                continue
            outer = tile[1] if tile[0] == pips else tile[0]
            double = tile[0] == tile[1]
            if double and self.spinner is None:
                other = self.arms[1 - at]
                yield Board(pips, (other, None, None, None))
                continue
            arms = [*self.arms]
            arms[at] = outer, double
            yield Board(self.spinner, tuple(arms)).straight()

    def straight(self) -> "Board":
        """The board with the spinner's sides, and its ends, sorted, so that mirror images are
        equal."""
        if self.spinner is None:
            return Board(None, tuple(sorted(self.arms, key=repr)))
        if self.open_sides:
            return Board(self.spinner, tuple(sorted(self.arms[:2], key=repr)) + self.arms[2:])
        return Board(self.spinner, tuple(sorted(self.arms, key=lambda arm: (arm is None, arm))))


def led(tile: Pair) -> Board:
    if tile[0] == tile[1]:
        return Board(tile[0], (None,) * 4)
    return Board(None, ((tile[0], False), (tile[1], False))).straight()


def boards_after(board: Board | None, tile: Pair) -> set[Board]:
    return {led(tile)} if board is None else {each.straight() for each in board.with_tile(tile)}


# ---------------------------------------------------------------- every way it can have gone


@dataclass(frozen=True)
class PossibleCourse:
    """One way in which the hand may have gone. `tiles`: the tile of each play; `fitted`: the tiles
    that fitted at each draw and pass."""

    board: Board | None = None
    tiles: tuple[Pair, ...] = ()
    fitted: tuple[frozenset[Pair], ...] = ()


def every_way(entries: Sequence[Entry], double_leads: bool, most: int) -> list[PossibleCourse]:
    ways = [PossibleCourse()]
    for entry in entries:
        if isinstance(entry, TilePlayed):
            ways = [
                PossibleCourse(board, (*way.tiles, tile), way.fitted)
                for way in ways
                for tile in SET
                if tile not in way.tiles and _is_said(entry, tile)
                and (way.board is not None or tile[0] == tile[1] or not double_leads)
                for board in boards_after(way.board, tile)
                if _is_read(entry, board)
            ]  # fmt: skip
        elif isinstance(entry, TilesDrawn | TurnPassed):
            ways = [
                PossibleCourse(way.board, way.tiles, (*way.fitted, frozenset(way.board.fitting())))
                for way in ways
                if way.board is not None
            ]
        elif isinstance(entry, HoldingShown):
            shown = {(tile.low, tile.high) for tile in entry.tiles}
            ways = [way for way in ways if not shown & set(way.tiles)]
        elif isinstance(entry, TileReturned) and entry.tile:
            back = entry.tile.low, entry.tile.high
            ways = [way for way in ways if back not in way.tiles]
        if len(ways) > most:
            raise TooMany
    return ways


def _is_said(laid: TilePlayed, tile: Pair) -> bool:
    return laid.halves is None or tile == (min(laid.halves), max(laid.halves))


def _is_read(laid: TilePlayed, board: Board) -> bool:
    ends = board.ends()
    return laid.ends in (None, ends) and laid.count in (None, sum(ends))


# ---------------------------------------------------------------- who can have had which tile


@dataclass
class TileHistory:
    """The history of one tile, but not where it ended. `laid`: the seat that played it, and when;
    `shown`: the seats that showed it, and when; `back`: when it was seen going back."""

    laid: tuple[str, int] | None = None
    shown: list[tuple[str, int]] = field(default_factory=list)
    back: list[int] = field(default_factory=list)


@dataclass
class Hand:
    """A hand that went one way. `places`: (seat, time) of each tile dealt or drawn; `stories`: the
    history of each tile."""

    places: list[tuple[str, int]]
    stories: dict[Pair, TileHistory]
    showings: list[tuple[str, int, set[Pair], bool]]
    """(seat, time, tiles, whether these were its whole holding)"""
    missing: dict[str, int]
    """For each seat, how many of its places may be empty, because it showed fewer tiles than were
    counted."""

    def may_be(self, tile: Pair, place: tuple[str, int] | str) -> bool:
        """Whether the tile may have come to that place and stayed there."""
        story = self.stories[tile]
        if place == BONEYARD:
            return story.laid is None and not story.shown
        assert isinstance(place, tuple)
        seat, got = place
        if any(got < back for back in story.back):
            return False
        known = [*story.shown, *([story.laid] if story.laid else [])]
        if any(who != seat or when < got for who, when in known):
            return False
        gone = story.laid[1] if story.laid else 10**9
        return not any(
            who == seat and whole and got < when < gone and tile not in tiles
            for who, when, tiles, whole in self.showings
        )

    def agrees(self, seat: str, at: int, never: set[Pair], always: Pair | None = None) -> bool:
        """Whether there is a deal in which `seat` held `always`, and none of `never`, at the time
        `at`."""
        spots: list[tuple[str, int] | str] = [*self.places]
        blanks = [who for who, number in self.missing.items() for _ in range(number)]
        spots += [BONEYARD] * (len(SET) - len(self.places) + len(blanks))
        wanted: list[list[int]] = []
        for tile in SET:
            laid = self.stories[tile].laid
            held = [
                place != BONEYARD and place[0] == seat and int(place[1]) < at
                and not (laid is not None and laid[1] < at)
                for place in spots
            ]  # fmt: skip
            wanted.append([
                number
                for number, place in enumerate(spots)
                if self.may_be(tile, place)
                and not (tile in never and held[number])
                and (tile != always or held[number])
            ])  # fmt: skip
        wanted += [
            [n for n, place in enumerate(spots) if place == BONEYARD or place[0] == who]
            for who in blanks
        ]
        return _all_matched(wanted, len(spots))


def _all_matched(wanted: list[list[int]], spots: int) -> bool:
    """Whether each item can have a different one of its possible spots (augmenting paths)."""
    holder: list[int | None] = [None] * spots

    def settle(who: int, tried: set[int]) -> bool:
        for spot in wanted[who]:
            if spot in tried:
                continue
            tried.add(spot)
            other = holder[spot]
            if other is None or settle(other, tried):
                holder[spot] = who
                return True
        return False

    return all(settle(who, set()) for who in range(len(wanted)))


TURN = 100


def hand_of(entries: Sequence[Entry], way: PossibleCourse, seats: Sequence[str], each: int) -> Hand:
    """The hand after these entries if it went that way. Entry n happens at time n * TURN, its draws
    one after another."""
    hand = Hand([(seat, -1) for seat in seats for _ in range(each)], {}, [], {})
    hand.stories = {tile: TileHistory() for tile in SET}
    tiles = iter(way.tiles)
    held = dict.fromkeys(map(str, seats), each)
    for number, entry in enumerate(entries):
        time = number * TURN
        if isinstance(entry, TilePlayed):
            hand.stories[next(tiles)].laid = entry.seat, time
            held[entry.seat] -= 1
        elif isinstance(entry, TilesDrawn):
            hand.places += [(entry.seat, time + 1 + draw) for draw in range(entry.number)]
            held[entry.seat] += entry.number
        elif isinstance(entry, TileReturned):
            last = max(place for place in hand.places if place[0] == entry.seat)
            hand.places.remove(last)
            held[entry.seat] -= 1
            if entry.tile:
                hand.stories[entry.tile.low, entry.tile.high].back.append(time)
        elif isinstance(entry, HoldingShown):
            shown = {(tile.low, tile.high) for tile in entry.tiles}
            for tile in shown:
                hand.stories[tile].shown.append((entry.seat, time))
            fewer = held[entry.seat] - len(shown)
            hand.showings.append((entry.seat, time, shown, fewer == 0))
            hand.missing[entry.seat] = max(fewer, hand.missing.get(entry.seat, 0))
    return hand


@dataclass(frozen=True)
class Truth:
    """The true verdict, found by examining all deals. `kind`: as in a verdict, or `contradiction`
    if no deal agrees with the entries; `tiles`: the fitting tiles that the seat may have held."""

    kind: str
    tiles: frozenset[Pair] = frozenset()


def truth_of(
    entries: Sequence[Entry],
    turn: Entry,
    seats: Sequence[str],
    each: int,
    *,
    double_leads: bool = True,
    most: int = 60,
) -> Truth:
    """The true verdict on `turn`, a draw or pass among the entries of a hand (the same object),
    from all entries so far. Raises TooMany if the hand may have gone in more than `most` ways."""
    number = next(at for at, entry in enumerate(entries) if entry is turn)
    draws_and_passes = [entry for entry in entries if isinstance(entry, TilesDrawn | TurnPassed)]
    which = next(at for at, entry in enumerate(draws_and_passes) if entry is turn)
    standing = 0
    if isinstance(turn, TilesDrawn):
        back = entries[number + 1 : number + 2]
        standing = turn.number - (bool(back) and isinstance(back[0], TileReturned))
    at = number * TURN + standing
    seat = str(getattr(turn, "seat"))  # noqa: B009
    any_deal = without = False
    tiles: set[Pair] = set()
    for way in every_way(entries, double_leads, most):
        hand, fitted = hand_of(entries, way, seats, each), set(way.fitted[which])
        if not hand.agrees(seat, at, set()):
            continue
        any_deal = True
        without = without or hand.agrees(seat, at, fitted)
        tiles |= {tile for tile in fitted - tiles if hand.agrees(seat, at, set(), tile)}
    if not any_deal:
        return Truth("contradiction")
    if not without:
        return Truth("proven")
    return Truth("possible" if tiles else "excluded", frozenset(tiles))
