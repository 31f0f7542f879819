"""The scenes of All Fives; keys alone lead to each."""

from collections.abc import Callable
from dataclasses import replace

from companion.console.screens.game_over import GameOver
from companion.record.tally import play_tally, read_tally
from tests.catalog import GAMES
from tests.console.rig import Rig
from tests.screens.keyed import shown

PARTNERS = "6 4 1 MENU 2 2 BACK OK OK PASS 1 "
"""Four of you, two against two; Red has led 5-5 for 10."""
CALLED = "6 2 1 MENU 1 3 BACK OK OK PASS 1 "
"""Rules T: Red has led 5-5, and has to call the count."""
CHAMPIONSHIP = "6 2 1 MENU 1 2 BACK OK OK 1 DRAW 6 5 OK 6 4 OK "
"""Rules R: Red has led 6-6, Blue has drawn."""
BEST_OF_3 = "6 2 1 MENU 7 3 4 1 0 0 BACK OK OK PASS 1 MENU 4 OK DRAW 3 OK 9 2 OK "
"""A match of three games, to 100."""


def played(keys: str) -> Callable[[], Rig]:
    """The box with these keys pressed."""
    return lambda: Rig().press(keys)


LEVEL = """tally 1
game all-fives
match 5 of 5
match-won 2 2 0
seats Anna Ben Cleo
option target 100
hand lead Cleo
Cleo points 35
Cleo points 35
Cleo points 30"""
"""The fifth of five games, won by Cleo: Anna and Ben are level with two each."""
MATCH_WON = LEVEL.replace("2 2 0", "2 1 0 1").replace("Ben Cleo", "Ben Cleo Dan")
"""The same of four, of whom Anna leads with two."""


def last_game(keys: str, text: str = LEVEL) -> Callable[[], Rig]:
    """The end of the last game of a match; then these keys."""

    def scene() -> Rig:
        rig = Rig().press("6 3 1 OK OK 1")
        *_, last = play_tally(read_tally(text, GAMES), GAMES)
        rig.view = replace(rig.view, journal=last.journal)
        rig.console = replace(rig.console, screen=GameOver())
        return shown(rig).press(keys)

    return scene


SCENES: dict[str, Callable[[], Rig]] = {
    "clubs_rules": played("6 2 1 MENU 1"),
    "clubs_rules_changed": played("6 2 1 MENU 1 2 4 2 0 0"),
    "clubs_partners_asked": played("6 4 1 OK"),
    "clubs_partners": played(PARTNERS + "5 0 OK"),
    "clubs_partners_between": played(PARTNERS + "MENU 4 OK DRAW 3 OK 9 OK 2 0 OK 4 OK"),
    "clubs_why": played(PARTNERS + "MENU 2 3"),
    "clubs_called": played(CALLED + "5 0 OK"),
    "clubs_called_menu": played(CALLED + "5 0 OK MENU 5"),
    "clubs_called_told": played(CALLED + "5 0 OK MENU 5 6"),
    "clubs_not_called": played(CALLED + "5 0 OK MENU 5 7"),
    "clubs_which_ends": played(CALLED + "5 6 OK 6 2 OK 5 2 OK 2 0 OK 5 0 OK"),
    "clubs_muggins": played("6 3 1 MENU 9 3 BACK OK OK PASS 1 MENU 5 8"),
    "clubs_ruling": played(CHAMPIONSHIP + "BOGUS OK PASS"),
    "clubs_could_play": played(CHAMPIONSHIP + "BOGUS OK PASS 1 OK"),
    "clubs_won": played(BEST_OF_3),
    "clubs_over": played(BEST_OF_3 + "OK"),
    "clubs_level": last_game(""),
    "clubs_level_asked": last_game("OK"),
    "clubs_match_won": last_game("", MATCH_WON),
    "clubs_wrong_count": played(CHAMPIONSHIP + "MENU 5 9 1"),
}
