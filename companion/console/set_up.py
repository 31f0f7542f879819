"""The games that can be played at the box, and the Play without a game: the set-up."""

from collections.abc import Mapping
from typing import Any

from companion.console.screen import Play, PlayableGame, Screen, View
from companion.console.screens.setup_game import ChooseGame
from companion.games.game import B

PlayableGames = Mapping[str, PlayableGame[Any]]
"""The games by their names, in the order in which they are offered."""


class SetUp(Play[B]):
    """The Play without a game: one screen, which leads to all others of the set-up."""

    def screen(self, _view: View[B]) -> Screen[B]:
        return ChooseGame()


SET_UP: Play[Any] = SetUp()
