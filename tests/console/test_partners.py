"""Partners on the box: they win together, and messages about a winner name both."""

import pytest

from companion.core.errors import RuleError
from tests.console.rig import Rig
from tests.playing import table

ALL_FIVES = "6 4 1 MENU 2 2 4 1 0 0 BACK OK OK PASS 1 "
"""Four, two against two, to 100 points: Red has led 5-5."""
BLOCKED = "MENU 4 OK DRAW 3 OK 6 0 OK 2 OK 4 5 OK"
"""Red and Green hold fewer pips."""


def test_the_winning_payment_names_both_partners() -> None:
    rig = Rig().press(ALL_FIVES + BLOCKED)
    assert rig.name() == "LastPayment"
    assert "wins the game!" in rig.frame.words


def test_a_winning_play_for_partners_is_announced_before_ok() -> None:
    short = BLOCKED.replace("6 0", "3 5")
    rig = Rig().press(ALL_FIVES + short + " OK OK PASS 2 5 0")
    assert "This wins: GREEN scores" in rig.frame.words


def test_after_partners_win_an_entry_is_refused_with_both_names() -> None:
    said = table("Anna Ben Cleo Dan", "all-fives", partners="on", target="100")
    said.say("hand\nAnna 5-5\nblocked\nAnna pips 3\nBen pips 60\nCleo pips 2\nDan pips 45")
    with pytest.raises(RuleError, match="Anna and Cleo have won: start a new game, or undo"):
        said.say("hand")


def test_home_rules_ask_about_partners_before_a_game() -> None:
    rig = Rig().press("6 4 1 OK")
    assert rig.frame.words.startswith("PARTNERS")
    assert "play together" in rig.frame.words
    assert rig.copy().press("BACK").name() == "ShowTable"
    assert rig.copy().press("2").view.game.opened.options["partners"] == "on"
    alone = rig.copy().press("1")
    assert alone.view.game.opened.options["partners"] == "off"


@pytest.mark.parametrize("keys", ["6 4 1 MENU 1 2 BACK OK", "6 3 1 OK", "6 4 1 MENU 2 2 BACK OK"])
def test_club_rules_for_three_do_not_ask_about_partners(keys: str) -> None:
    assert Rig().press(keys).view.game.opened.game == "all-fives"


def test_choosing_club_rules_later_keeps_the_partners() -> None:
    rig = Rig().press("6 4 1 MENU 2 2 1 2")
    assert "Rules: R, with 1 change" in rig.frame.words, "R is for single players"
    assert "Partners: yes" in rig.frame.words
    at_home = Rig().press("6 4 1 MENU 2 2")
    assert "Rules: home" in at_home.frame.words
    assert "change" not in at_home.frame.words.partition("DRAW")[0]
