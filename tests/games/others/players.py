"""The random players of all games without a line of play."""

from collections.abc import Callable, Mapping
from random import Random

from tests.games.others import high_five_tiles, high_fives, highrise

Play = Callable[[Random, int], list[str]]
"""Returns the lines of a whole game with this many players, named P0, P1 …"""

PLAYERS: Mapping[str, Play] = {
    "high-fives": high_fives.play,
    "highrise": highrise.play,
    "high-five-tiles": high_five_tiles.play,
}


def seats_of(players: int) -> list[str]:
    """The names of the players."""
    return [f"P{number}" for number in range(players)]


def tally(name: str, players: int, lines: list[str], **options: str) -> str:
    """The game as the text of a tally file."""
    header = ["tally 1", f"game {name}", f"seats {' '.join(seats_of(players))}"]
    header += [f"option {option.replace('_', '-')} {value}" for option, value in options.items()]
    return "\n".join([*header, "", *lines, ""])
