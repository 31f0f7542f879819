"""If players call their counts, no screen of the box shows a count before it is called."""

import re
from dataclasses import replace

import pytest

from companion.record.rows import Undo
from tests.console.rig import Rig
from tests.presentation.test_uncalled_counts import MANY, SEEDS, games, moment, secrets_of
from tests.presentation.test_uncalled_counts import numbers as told_numbers
from tests.sampling import Draw

KEYS = ("BACK BACK", "MENU", "MENU 2", "MENU 5", "MENU 6", "PASS", "BOGUS", "MENU 2 1", "MENU 3")
"""The keys to each screen that is looked at: the turn, the menus, the histories, questions."""


def numbers(rig: Rig) -> set[int]:
    """The numbers of two digits or more that can be read on the display, except those of tiles, of
    turns and of points to win."""
    text = re.sub(r"\d[-–]\d|\d+ left|turn \d+|to win \d+", "", rig.frame.words)
    return {int(number) for number in re.findall(r"\d{2,}", text)}


@pytest.mark.parametrize("named", ["T", "W"])
def test_no_screen_shows_an_uncalled_count(named: str, draw: Draw[int]) -> None:
    seeds, found, searched = draw(SEEDS, MANY), 0, 0
    for here, there, entry in games(named, seeds):
        earlier = {state.effect.points for state in here.states[:-1]}
        known = told_numbers(moment(there.fold(Undo()))) | earlier
        secrets = secrets_of(there) - known
        if not secrets or here.state.to_move is None:
            continue
        searched += 1
        rig = Rig()
        rig.view = replace(rig.view, journal=here, game_number=1)
        told = Rig()
        told.view = replace(rig.view, journal=there)
        for keys in KEYS:
            rig_then = rig.copy().press(keys)
            assert not secrets & numbers(rig_then), f"{entry}, {keys}: {rig_then.frame.words}"
        found += bool(secrets & numbers(told.copy().press("BACK BACK")))
        for tile in ("0 0", "1 3", "2 5", "3 6", "4 4", "5 0", "6 2"):
            keyed = rig.copy().press(tile)
            assert not numbers(keyed) - {*map(abs, here.state.scores.values)}, keyed.frame.words
            asked = keyed.press("OK").frame.words if keyed.screen.in_progress else ""
            assert not re.search(r"\d=|= \d", asked)
    all_games = len(seeds) == len(SEEDS)
    assert searched > (10 if all_games else 0)
    assert found > (searched / 2 if all_games else 0), "where counts are told, they are found"
