"""What each game brings to the console, by the game's name: a new game is one line here.

A game that isn't listed is told in text alone, and not offered at the box.
"""

from collections.abc import Callable, Mapping
from typing import Any

from companion.console.high_five_tiles.play import SheetPlay
from companion.console.high_fives.play import HighFivesPlay
from companion.console.highrise.play import HighrisePlay
from companion.console.line.play import LinePlay
from companion.console.screen import Play, Screen, View
from companion.console.screens.setup_game import ChooseGame
from companion.games.five_up import FiveUp
from companion.games.game import AnyGame, B
from companion.games.high_five import HighFive
from companion.games.highrise.rules import Highrise

LookUp = Callable[[str | None], Play[Any]]
"""What the game of that name brings; None: what stands there without a game."""

Plays = Mapping[str, Play[Any]]

PLAYS: Plays = {
    "high-five": LinePlay(HighFive()),
    "five-up": LinePlay(FiveUp()),
    "high-fives": HighFivesPlay(),
    "highrise": HighrisePlay(Highrise()),
    "high-five-tiles": SheetPlay(),
}


class SetUp(Play[B]):
    """What stands there without a game."""

    def screen(self, _view: View[B]) -> Screen[B]:
        return ChooseGame()


def playable(games: Mapping[str, AnyGame], plays: Plays = PLAYS) -> Mapping[str, AnyGame]:
    """Those of the games that can be played with the box's keys."""
    return {name: game for name, game in games.items() if name in plays}


def look_up(plays: Plays = PLAYS) -> LookUp:
    """Finds what a game brings, by its name."""
    set_up: Play[Any] = SetUp()
    return lambda name: set_up if name is None else plays[name]
