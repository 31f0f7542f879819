"""The line about the biggest count at a game's end shows the count, not what it scored."""

from dataclasses import replace

import pytest

from companion.record.tally import play_tally, read_tally
from tests.catalog import GAMES
from tests.console.rig import Rig

FIVES_AND_THREES = "game fives-and-threes\nseats Red Blue\nhand lead Red\nRed 6-6\nBlue 6-3"
BY_FIVES = "game all-fives\nseats Red Blue\noption unit fives\noption target 61\nhand\nRed 5-5"


@pytest.mark.parametrize(
    ("text", "expected"),
    [(FIVES_AND_THREES, "Biggest count 15: Blue"), (BY_FIVES, "Biggest count 10: Red")],
)
def test_the_highlight_shows_the_biggest_count_not_the_points_scored(
    text: str, expected: str
) -> None:
    *_, last = play_tally(read_tally(f"tally 1\n{text}", GAMES), GAMES)
    rig = Rig().press("1 2 1 OK")
    view = replace(rig.view, journal=last.journal)
    screens = rig.games[last.journal.opened.game].screens
    assert screens.highlight(view) == expected
