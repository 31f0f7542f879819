"""Every game by the name that the tally uses."""

from collections.abc import Mapping

from companion.games.five_up import FiveUp
from companion.games.game import AnyGame
from companion.games.high_five import HighFive
from companion.games.high_five_tiles.rules import HighFiveTiles
from companion.games.high_fives.rules import HighFives
from companion.games.highrise.rules import Highrise

GAMES: Mapping[str, AnyGame] = {
    game.name: game for game in (HighFive(), FiveUp(), HighFives(), Highrise(), HighFiveTiles())
}
