"""Every game by the name that the tally uses."""

from collections.abc import Mapping

from companion.errors import EntryError
from companion.games.five_up import FiveUp
from companion.games.game import AnyGame
from companion.games.high_five import HighFive
from companion.games.high_five_tiles.rules import HighFiveTiles
from companion.games.high_fives.rules import HighFives
from companion.games.highrise.rules import Highrise

GAMES: Mapping[str, AnyGame] = {
    game.name: game for game in (HighFive(), FiveUp(), HighFives(), Highrise(), HighFiveTiles())
}


def game_named(name: str, games: Mapping[str, AnyGame] = GAMES) -> AnyGame:
    """The game of that name; raises EntryError that names the nearest one."""
    if name.lower() in games:
        return games[name.lower()]
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), games, n=1, cutoff=0)
    raise EntryError("there is no game {name}: did you mean {near}?", name=name, near=near[0])
