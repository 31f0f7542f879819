"""All Fives if no seat holds a double: the heaviest tile leads, and the box prompts for it."""

from companion.console.line.play import AskHighestDouble
from tests.console.rig import Rig

ALL_FIVES = "6 2 1 OK OK"
DOUBLES = "PASS " * 7


def test_if_no_double_is_held_the_heaviest_tile_is_asked_for() -> None:
    rig = Rig().press(ALL_FIVES + " " + DOUBLES)
    assert isinstance(rig.screen, AskHighestDouble)
    assert rig.screen.tile(rig.view) == (6, 5)
    rig.press("PASS PASS 2")
    assert str(rig.view.game.entries[-1]) == "Blue 6-3"


def test_back_returns_to_the_questions_about_doubles() -> None:
    rig = Rig().press(ALL_FIVES + " " + DOUBLES + "BACK 1")
    assert str(rig.view.game.entries[-1]) == "Red 0-0"
