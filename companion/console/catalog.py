"""What each game brings to the console, by the game's name: a new game is a few lines here.

A game that isn't listed is told in text alone, and not offered at the box. Its screens are loaded
when somebody plays it: the first picture doesn't wait for those of other games.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from companion.console.screen import Play, Screen, View
from companion.console.screens.setup_game import ChooseGame
from companion.games.game import AnyGame, B

LookUp = Callable[[str | None], Play[Any]]
"""What the game of that name brings; None: what stands there without a game."""

Plays = Mapping[str, Play[Any]]


def _high_five() -> Play[Any]:
    from companion.console.line.play import LinePlay
    from companion.games.high_five import HighFive

    return LinePlay(HighFive())


def _five_up() -> Play[Any]:
    from companion.console.line.play import LinePlay
    from companion.games.five_up import FiveUp

    return LinePlay(FiveUp())


def _high_fives() -> Play[Any]:
    from companion.console.high_fives.play import HighFivesPlay

    return HighFivesPlay()


def _highrise() -> Play[Any]:
    from companion.console.highrise.play import HighrisePlay
    from companion.games.highrise.rules import Highrise

    return HighrisePlay(Highrise())


def _high_five_tiles() -> Play[Any]:
    from companion.console.high_five_tiles.play import SheetPlay

    return SheetPlay()


class MadeWhenPlayed(Mapping[str, Play[Any]]):
    """Plays by their games' names, each made when it is first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], Play[Any]]]) -> None:
        self._makers = {name: cache(make) for name, make in makers.items()}

    def __getitem__(self, name: str) -> Play[Any]:
        return self._makers[name]()

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


PLAYS: Plays = MadeWhenPlayed({
    "high-five": _high_five,
    "five-up": _five_up,
    "high-fives": _high_fives,
    "highrise": _highrise,
    "high-five-tiles": _high_five_tiles,
})  # fmt: skip


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
