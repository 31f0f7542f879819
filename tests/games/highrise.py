"""A hand of Highrise that is given tally lines, with its board and the possible layouts of its
building."""

from companion.games.highrise.building import Layouts
from companion.games.highrise.rules import HighriseBoard
from tests.playing import TextGame, table

BASEMENT = "basement 4-1 3-2 6-0 5-5 2-4 1-1 0-3 6-2\n"
"""From above:

4 3 6 5 2 1 0 6
1 2 0 5 4 1 3 2
"""


def opened(basement: str = BASEMENT, seats: str = "Red Blue", **options: str) -> TextGame:
    return table(seats, "highrise", **options).say("hand lead Red\n" + basement)


def board(said: TextGame) -> HighriseBoard:
    found = said.state.board
    assert isinstance(found, HighriseBoard)
    return found


def layouts(said: TextGame) -> Layouts:
    """Every possible form of the building."""
    kept = board(said).layouts
    assert kept
    return kept
