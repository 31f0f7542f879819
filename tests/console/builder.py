"""Keys games of Highrise as a player at the table would."""

import re
from collections.abc import Iterator
from random import Random

from companion.console.highrise import HighriseAskOut, HighriseTurn
from companion.core.seats import COLOURS, Seats
from companion.games.entries import HandBlocked, HandDealt, TurnPassed, WentOut
from companion.games.game import AnyState, Entry, parse_entry, settle_options
from companion.games.highrise.entries import (
    WILD,
    BasementFilled,
    HoldingWithWilds,
    OneTileDrawn,
    PipsWithWilds,
    TileStacked,
    format_half,
)
from companion.games.round import Stage
from tests.catalog import GAMES
from tests.console.rig import Rig, keyed_once
from tests.games.others import highrise

BASEMENT = "1 4 1 3 5 6 2 6 0 7 1 0 5 2 2 1 3 OK "
"""Red starts; 4 3 6 6 W 0 2 1 lie in the upper row, 1 5 2 0 1 5 2 3 in the lower one."""


def set_up(players: int, then: str = "OK", rig: Rig | None = None) -> Rig:
    """A game of Highrise, set up and, after the keys `then`, before its first hand."""
    rig = rig or Rig()
    return rig.press(f"{[*rig.games].index('highrise') + 1} {players} 1 {then}")


def spaced(digits: object) -> str:
    """“1 6” for 16."""
    return " ".join(str(digits))


class Builder:
    """Keys the entries of a game of Highrise. `asked`: for each tile, whether it has a wild half
    and how many questions it needed."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.asked: list[tuple[bool, int]] = []

    def enter(self, entry: Entry) -> None:
        """Presses the keys for one entry."""
        if isinstance(self.rig.screen, HighriseAskOut):
            self.rig.press("OK")
            if isinstance(entry, WentOut):
                return
        match entry:
            case HandDealt():
                self._dealt(entry)
            case BasementFilled():
                self.rig.press(" ".join(f"{a} {b}" for a, b in entry.tiles) + " OK")
            case TileStacked():
                self._without_basement()
                self._built(entry)
            case OneTileDrawn():
                self._without_basement()
                self.rig.press("DRAW")
            case TurnPassed():
                self._without_basement()
                drew = self.rig.state.board.drew
                self.rig.press("PASS" if drew else "PASS OK")
            case HandBlocked():
                if self.rig.state.board.round.stage is not Stage.BLOCKED:
                    self.rig.press("MENU 4")
            case HoldingWithWilds():
                self._holding("tiles")
                self.rig.press(" ".join(f"{tile.low} {tile.high}" for tile in entry.tiles) + " OK")
            case PipsWithWilds():
                self._holding("pips")
                self.rig.press(spaced(entry.pips) + " OK")

    def _dealt(self, dealt: HandDealt) -> None:
        if self.rig.state.board.round is not None:
            self.rig.press("OK")
        else:
            assert dealt.lead is not None
            self.rig.press(str(self.rig.state.seats.order.index(dealt.lead) + 1))

    def _without_basement(self) -> None:
        if self.rig.name() == "KeyBasement":
            self.rig.press("DRAW")

    def _built(self, built: TileStacked) -> None:
        assert built.level is not None
        self.rig.press(f"{built.halves[0]} {built.halves[1]}")
        if self.rig.state.board.layouts is None:
            covers = built.on or built.halves
            wild = [on for half, on in zip(built.halves, covers, strict=True) if half == WILD]
            self.rig.press(" ".join(map(str, wild)) + " " + spaced(built.level))
            if built.spacer is not None:
                covered = built.on or built.halves
                self.rig.press("DRAW" if covered[0] == built.spacer else "DRAW DRAW")
        else:
            self._answer(built)
        self.rig.press("OK")

    def _answer(self, built: TileStacked) -> None:
        """Answers the box's questions about a tile, in the order in which it asks them."""
        assert built.on is not None
        questions, left = 0, [*built.on]
        while (screen := self.rig.screen) and isinstance(screen, HighriseTurn):
            reading = screen.reading
            if reading is None or reading.question is None:
                break
            words, answers = reading.question.words, reading.question.answers
            questions += 1
            if words == "Level?":
                keys = next(keys for keys, _ in answers if int(keys) == built.level)
            elif words == "Spacer?":
                spacer = "none" if built.spacer is None else f"under {'0123456W'[built.spacer]}"
                keys = next(keys for keys, comes_to in answers if comes_to == spacer)
            elif built.halves[0] == built.halves[1]:
                keys = str(left.pop(0))
            else:
                names = [format_half(half) for half in built.halves]
                keys = str(built.on[names.index(words.split()[0])])
            self.rig.press(spaced(keys))
            assert self.rig.screen != screen, (built, reading, keys)
        self.asked.append((WILD in built.halves, questions))

    def _holding(self, way: str) -> None:
        if self.rig.view.settings.get("holding", "tiles") != way:
            self.rig.press("DRAW")


def keyed(seed: int, players: int, rig: Rig | None = None) -> Iterator[tuple[Builder, AnyState]]:
    """Keys a whole random game, entry by entry; yields the builder and the state according to the
    rules alone."""
    game, seats = GAMES["highrise"], Seats.of(*COLOURS[:players])
    state = game.start(seats, settle_options(game, players, {}))
    builder = Builder(set_up(players, rig=rig))
    lines = in_seat_order(highrise.play(Random(seed), players))
    first = next(line for line in lines if line.startswith("P"))
    for line in lines:
        words = (COLOURS[int(w[1:])] if re.fullmatch(r"P\d", w) else w for w in line.split())
        entry = parse_entry(" ".join(words), game, seats)
        if entry == HandDealt() and state.board.round is None:
            entry = HandDealt(seats.order[int(first[1])])
        state = game.apply(state, entry)
        builder.enter(entry)
        yield builder, state


def build_game(seed: int, players: int) -> tuple[Builder, AnyState]:
    """Keys a whole random game; returns the builder and the state according to the rules alone."""
    *_, last = keyed(seed, players)
    return last


@keyed_once
def build_until(screen: str, seed: int, players: int) -> Rig:
    """A random game keyed until a screen of that class is shown, else to its end."""
    for builder, _ in keyed(seed, players):
        if builder.rig.name() == screen:
            break
    return builder.rig


def shows(line: str) -> bool:
    """Whether that line shows a holding."""
    return line.split()[1:2] in (["holds"], ["pips"])


def in_seat_order(lines: list[str]) -> list[str]:
    """The lines of a game, with holdings in the order in which the box asks for them."""
    found: list[str] = []
    for line in lines:
        at = len(found)
        while shows(line) and shows(found[at - 1]) and found[at - 1] > line:
            at -= 1
        found.insert(at, line)
    return found
