"""Plays recorded games with the keys that a player at the table would press."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import ClassVar

from companion.console.line.play import AskHighestDouble, AskOut
from companion.console.line.turn import LineTurn, entry_way
from companion.console.lists import Choices, ItemList
from companion.core.seats import COLOURS, Seats
from companion.games.entries import (
    HandDealt,
    HandRedealt,
    HoldingShown,
    Misdraw,
    PipsShown,
    TilesDrawn,
    TurnPassed,
)
from companion.games.game import AnyState, Entry, parse_entry, settle_options
from companion.games.line.line import TilePlayed
from companion.games.round import Stage
from tests.catalog import GAMES
from tests.console.rig import Rig, keyed_once
from tests.playing import counted_in
from tests.random_games import play_game

WAYS = ("tile", "ends", "count")


def choose_line(rig: Rig, *starts: str) -> None:
    """Chooses the line of a list that begins with the first text, by its digit or with the bar;
    then, in the list that this opens, the line that begins with the next text; and so on."""
    for start in starts:
        screen = rig.screen
        assert isinstance(screen, ItemList)
        lines, numbers = screen.lines(rig.view), screen.keyable_digits(rig.view)
        at = next(n for n, line in enumerate(lines) if line.startswith(start))
        down = "DRAW " * (at - screen.at) + "OK"
        rig.press(str(numbers[at]) if at < len(numbers) else down)


class Typist:
    """Keys entries; `way` is one of the ways to key tiles."""

    def __init__(self, rig: Rig, way: str) -> None:
        self.rig, self.way = rig, way

    def enter(self, entry: Entry, after: AnyState) -> None:
        """Presses the keys for one entry; `after` is the state that it leads to."""
        if isinstance(self.rig.screen, AskOut):
            self.rig.press("OK")
        self._keys[type(entry)](self, entry, after)

    def dealt(self, _entry: HandDealt, _after: AnyState) -> None:
        self.rig.press("OK")

    def misdrew(self, entry: Misdraw, _after: AnyState) -> None:
        self.rig.press("MENU")
        choose_line(self.rig, "More", "Misdraw", str(entry.seat))
        self.rig.press("OK")

    def redealt(self, _entry: HandRedealt, _after: AnyState) -> None:
        self.rig.press("PASS " * 7 + "OK")

    def key_play(self, entry: TilePlayed, after: AnyState) -> None:
        assert entry.halves is not None
        if isinstance(self.rig.screen, AskHighestDouble):
            seat = self.rig.state.seats.order.index(entry.seat) + 1
            self.rig.press("PASS " * (6 - entry.halves[0]) + str(seat))
            return
        if entry_way(self.rig.view) != self.way:
            self.rig.press(f"MENU 7 {WAYS.index(self.way) + 1}")
        ends = counted_in(after).ends
        assert ends is not None
        keys = {
            "tile": entry.halves,
            "ends": ends,
            "count": map(int, str(counted_in(after).count)),
        }
        self.rig.press(" ".join(map(str, keys[self.way])))
        screen = self.rig.screen
        if isinstance(screen, LineTurn) and screen.choices:
            self.unclear(screen, ends)
        if isinstance(screen, LineTurn) and screen.choices and self.way == "tile":
            picked = [choice.makes.ends for choice in screen.choices].index(ends) + 1
            self.rig.press(str(picked))
        self.rig.press("OK")
        screen = self.rig.screen
        if isinstance(screen, LineTurn) and screen.asking:
            self.rig.press(str([choice.makes.ends for choice in screen.choices].index(ends) + 1))
        if isinstance(self.rig.screen, Choices):
            choose_line(self.rig, f"{' '.join(map(str, ends))} =")

    def unclear(self, screen: LineTurn, ends: tuple[int, ...]) -> None:
        """A hook that is called if the keyed digits can mean several plays."""

    def drew(self, _entry: TilesDrawn, _after: AnyState) -> None:
        self.rig.press("DRAW")

    def passed(self, _entry: TurnPassed, _after: AnyState) -> None:
        self.rig.press("PASS OK")

    def held(self, entry: HoldingShown, _after: AnyState) -> None:
        self._holding("tiles")
        self.rig.press(" ".join(f"{tile.low} {tile.high}" for tile in entry.tiles) + " OK")

    def held_pips(self, entry: PipsShown, _after: AnyState) -> None:
        self._holding("pips")
        self.rig.press(" ".join(str(entry.pips)) + " OK")

    def _holding(self, way: str) -> None:
        if self.rig.view.settings.get("holding", "tiles") != way:
            self.rig.press("DRAW")

    _keys: ClassVar[dict[type[Entry], Callable[..., None]]] = {
        HandDealt: dealt,
        Misdraw: misdrew,
        HandRedealt: redealt,
        TilePlayed: key_play,
        TilesDrawn: drew,
        TurnPassed: passed,
        HoldingShown: held,
        PipsShown: held_pips,
    }


def type_game(seed: int, players: int, way: str, game: str = "high-five") -> tuple[Rig, AnyState]:
    """Keys a whole random game; returns the rig, and the state according to the rules alone."""
    played = play_game(Random(seed), players, game)
    rig = Rig()
    rig.press(f"{list(rig.games).index(game) + 1} {players} 1 OK")
    typist = Typist(rig, way)
    for entry, after in played:
        typist.enter(entry, after)
    return rig, played[-1][1]


def recorded(seed: int, players: int) -> Iterator[tuple[Entry, AnyState]]:
    """The entries of a recorded game of High Five, from played/, and the state after each. It never
    changes, so that pictures can be compared."""
    text = (Path(__file__).parent / "played" / f"{players}-{seed}.txt").read_text("utf-8")
    game, seats = GAMES["high-five"], Seats.of(*COLOURS[:players])
    state = game.start(seats, settle_options(game, players, {}))
    for line in text.splitlines():
        entry = parse_entry(line, game, seats)
        state = game.apply(state, entry)
        yield entry, state


@keyed_once
def until(screen: str, seed: int, players: int, way: str = "tile") -> Rig:
    """A recorded game of High Five, keyed until a screen of that class is shown or, for “Blocked”,
    until no seat can play."""
    rig = Rig().press(f"1 {players} 1 OK")
    typist = Typist(rig, way)
    for entry, after in recorded(seed, players):
        if rig.name() == screen and rig.view.game.length > 1:
            break
        hand = rig.state.board.hand
        if screen == "Blocked" and hand is not None and hand.round.stage is Stage.BLOCKED:
            break
        if isinstance(rig.screen, AskOut):
            rig.press("OK")
            if rig.name() == screen:
                break
        typist.enter(entry, after)
    return rig


class _Unclear(Exception):
    """Raised to stop at a play with several meanings."""


class _Stopping(Typist):
    """A typist that stops at the `left`th play with several meanings."""

    left = 1

    def unclear(self, screen: LineTurn, ends: tuple[int, ...]) -> None:
        self.left -= 1
        if not self.left:
            raise _Unclear


@keyed_once
def until_unclear(number: int) -> Rig:
    """A recorded game keyed by tiles, up to the `number`th play with several meanings."""
    rig = Rig().press("1 2 1 OK")
    typist = _Stopping(rig, "tile")
    typist.left = number
    try:
        for entry, after in recorded(1, 2):
            typist.enter(entry, after)
    except _Unclear:
        pass
    return rig
