"""Plays games of High Fives, given as lines of a tally, with the keys that a player would press."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from companion.console.high_fives import ChooseCapture, ChooseEntryWay, KeyPoints, KeyTableau
from companion.core.seats import COLOURS, Seats
from companion.games.entries import HandDealt
from companion.games.game import AnyState, Entry, parse_entry, settle_options
from companion.games.high_fives.entries import (
    PointsEntered,
    TableauPointsLeft,
    TableauShown,
    TilePutDown,
)
from companion.games.high_fives.tableau import captures_of
from companion.games.tiles import Tile
from companion.record.rows import Step
from tests.catalog import GAMES
from tests.console.rig import Rig, keyed_once
from tests.games.others import high_fives

GAME = GAMES["high-fives"]
SEATS = (*COLOURS, "Black", "White", "Orange", "Pink")
PLAYED = Path(__file__).parent / "played"
OPEN = "1 0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK "
"""Red leads; the tableau of the rulebook: 0-1, 1-2, 7-7, 8-9, 10-15."""


def half_keys(half: int) -> str:
    """The keys for one half of a tile; DRAW before a digit adds ten."""
    return f"DRAW {half - 10}" if half > 9 else str(half)


def tile_keys(tile: Tile) -> str:
    """The keys for both halves of a tile."""
    return f"{half_keys(tile.low)} {half_keys(tile.high)}"


def set_up(players: int, way: str = "tile", rig: Rig | None = None) -> Rig:
    """A game of High Fives by colours that asks who leads."""
    rig = rig or Rig()
    digit = list(rig.games).index("high-fives") + 1
    return rig.press(f"{digit} {players} 1 OK {1 if way == 'tile' else 2}")


def entered(rig: Rig) -> str:
    """The text of the last entry."""
    row = rig.rows[-1]
    assert isinstance(row, Step)
    return str(row.entries[-1])


class FivesTypist:
    """Keys the entries of a tally of High Fives. If the box doesn't know the tableau, each turn is
    keyed as its points, even if the tally has the tile."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig

    def enter(self, entry: Entry, after: AnyState) -> None:
        """Presses the keys for one entry; `after` is the state that it leads to."""
        if isinstance(self.rig.screen, ChooseEntryWay):
            self.rig.press("1")
        match entry:
            case HandDealt():
                first = not self.rig.state.board.hand
                seat = after.board.leader or after.seats.order[0]
                self.rig.press(str(after.seats.order.index(seat) + 1) if first else "OK")
            case TableauShown() if isinstance(self.rig.screen, KeyTableau):
                self.rig.press(" ".join(map(tile_keys, entry.tiles)) + " OK")
            case TilePutDown() if not self._by_points():
                self._put(entry)
            case TilePutDown() | PointsEntered():
                self._points(after.effect.points)
            case TableauPointsLeft():
                self.rig.press(" ".join(str("" if entry.points is None else entry.points)) + " OK")

    def _by_points(self) -> bool:
        if isinstance(self.rig.screen, KeyTableau):
            self.rig.press("PASS")
        return isinstance(self.rig.screen, KeyPoints)

    def _points(self, points: int) -> None:
        if not self._by_points():
            self.rig.press("MENU 4")
        self.rig.press(" ".join(str(points)) + " OK" if points else "OK")

    def _put(self, put: TilePutDown) -> None:
        takes = captures_of(self.rig.state.board.table, put.tile)
        nothing = "0 " if put.takes is None and takes else ""
        self.rig.press(f"{tile_keys(put.tile)} {nothing}OK")
        if isinstance(self.rig.screen, ChooseCapture) and self._heading().endswith("takes"):
            self._choose(f"{put.takes}:")
        if isinstance(self.rig.screen, ChooseCapture):
            self._pair(f"{put.pair[0]} {put.pair[1]}:" if put.pair else "no pair")

    def _pair(self, line: str) -> None:
        screen = self.rig.screen
        assert isinstance(screen, ChooseCapture)
        lines = screen.lines(self.rig.view)
        if any(each.endswith("pairs") for each in lines):
            self.many_pairs()
        if not any(each.startswith(line) for each in lines):
            self._choose(f"{line.split(maxsplit=1)[0]}:")
        self._choose(line)

    def many_pairs(self) -> None:
        """A hook that is called if the tableau has more pairs than a list has digits."""

    def _heading(self) -> str:
        screen = self.rig.screen
        assert isinstance(screen, ChooseCapture)
        return screen.heading

    def _choose(self, start: str) -> None:
        """Chooses the line of the list that starts with this text, by its digit or with the bar."""
        screen = self.rig.screen
        assert isinstance(screen, ChooseCapture)
        lines = screen.lines(self.rig.view)
        at = next(n for n, line in enumerate(lines) if line.startswith(start))
        self.rig.press(str(at) if at < 10 else "DRAW " * (at - screen.at) + "OK")


def told(lines: list[str], players: int) -> Iterator[tuple[Entry, AnyState]]:
    """Returns the entries in these lines, and the state after each."""
    seats = Seats.of(*SEATS[:players])
    state = GAME.start(seats, settle_options(GAME, len(seats), {}))
    text = "\n".join(lines)
    for number, seat in enumerate(seats):
        text = text.replace(f"P{number}", seat)
    for line in text.splitlines():
        entry = parse_entry(line, GAME, seats)
        state = GAME.apply(state, entry)
        yield entry, state


def type_fives(seed: int, players: int) -> tuple[Rig, AnyState]:
    """Keys a whole random game; returns the rig, and the state according to the rules alone."""
    rig, options = set_up(players), settle_options(GAME, players, {})
    state = GAME.start(Seats.of(*SEATS[:players]), options)
    typist = FivesTypist(rig)
    for entry, after in told(high_fives.play(Random(seed), players), players):
        typist.enter(entry, after)
        state = after
    return rig, state


def told_by_tiles(seed: int, players: int) -> list[str]:
    """The lines of a random game in which every turn has its tile."""
    random = Random(seed)
    while True:
        lines = high_fives.play(random, players)
        by_points = any(" points " in line for line in lines)
        if not by_points and sum(line.startswith("tableau") for line in lines) == 2:
            return lines


def presses_of_a_taker(rig: Rig, lines: list[str], players: int) -> list[int]:
    """Keys the tiles of a game whose player always takes the most valuable tile, and a pair
    whenever there is one; returns the number of presses of each turn."""
    typist, presses = FivesTypist(rig), list[int]()
    for entry, after in told(lines, players):
        if not isinstance(entry, TilePutDown):
            typist.enter(entry, after)
            continue
        before = len(rig.texts)
        take_all(rig, entry.tile)
        presses.append(len(rig.texts) - before)
    return presses


def take_all(rig: Rig, tile: Tile) -> None:
    """Keys a turn with the most valuable capture, and a pair if the tableau has one."""
    length = rig.view.game.length
    rig.press(tile_keys(tile))
    while rig.view.game.length == length:
        rig.press("OK")


def recorded_fives(players: int) -> list[str]:
    """The lines of a recorded game, keyed by tiles. It never changes, so that pictures can be
    compared."""
    return (PLAYED / f"high-fives-{players}.txt").read_text("utf-8").splitlines()


@keyed_once
def until_fives(screen: str, players: int, entries: int = 0) -> Rig:
    """The recorded game, keyed until a screen of that class is shown after at least so many
    `entries`."""
    rig = set_up(players)
    typist = FivesTypist(rig)
    for entry, after in told(recorded_fives(players), players):
        if rig.name() == screen and rig.view.game.length >= entries:
            break
        typist.enter(entry, after)
    return rig


class _ManyPairs(Exception):
    """Raised to stop when there are too many pairs for a list."""


class _Stopping(FivesTypist):
    """A typist that stops at the first turn with more pairs than a list can hold."""

    def many_pairs(self) -> None:
        raise _ManyPairs


@keyed_once
def until_many_pairs(players: int) -> Rig:
    """The recorded game, keyed until a pair can be taken and there are too many pairs for a
    list."""
    rig = set_up(players)
    typist = _Stopping(rig)
    try:
        for entry, after in told(recorded_fives(players), players):
            typist.enter(entry, after)
    except _ManyPairs:
        pass
    return rig
