"""Partners at the box: they win together, and what is said of a winner is said of both."""

import pytest

from companion.core.errors import RuleError
from tests.console.rig import Rig
from tests.playing import table

ALL_FIVES = "6 4 1 MENU 2 2 4 1 0 0 BACK OK OK PASS 1 "
"""Four, two against two, to 100 points: Red has led 5-5."""
BLOCKED = "MENU 4 OK DRAW 3 OK 6 0 OK 2 OK 4 5 OK"
"""Red and Green hold fewer pips."""


def test_the_payment_that_wins_for_partners_says_so() -> None:
    rig = Rig().press(ALL_FIVES + BLOCKED)
    assert rig.name() == "LastPayment"
    assert "wins the game!" in rig.frame.words


def test_a_lay_that_would_win_for_partners_says_so_before_ok() -> None:
    short = BLOCKED.replace("6 0", "3 5")
    rig = Rig().press(ALL_FIVES + short + " OK OK PASS 2 5 0")
    assert "This wins: GREEN scores" in rig.frame.words


def test_both_have_won_where_one_more_entry_is_refused() -> None:
    said = table("Anna Ben Cleo Dan", "all-fives", partners="on", target="100")
    said.say("hand\nAnna 5-5\nblocked\nAnna pips 3\nBen pips 60\nCleo pips 2\nDan pips 45")
    with pytest.raises(RuleError, match="Anna and Cleo have won: start a new game, or undo"):
        said.say("hand")
