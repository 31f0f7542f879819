"""Regression tests of faults that must not come back."""

import pytest

from companion.core.errors import EntryError, RuleError
from companion.core.seats import Seat
from companion.games.bogus.verdict import judge
from companion.games.chips import points_of
from tests.playing import TextGame, table

PAID_HAND = """
hand
Red 6-6
Blue 6-0
Red 0-1
Blue draw
Blue 1-2
Red 2-4
Red out
"""


def test_a_penalty_after_a_correction_takes_back_no_more_than_is_left() -> None:
    said = table(deal="3").say(PAID_HAND + "Blue holds 3-4 4-5\nchips Blue -15 agreed")
    said.say("bogus Blue\nrule Blue bogus")
    assert said.scores == {"Red": 50, "Blue": 0}
    assert said.state.board.chips is not None
    blue = said.state.board.chips.stocks[Seat("Blue")]
    assert points_of(blue.home) == blue.points == 100


def test_a_tile_that_was_shown_is_still_held_until_it_is_laid() -> None:
    said = table("Ann Bob Cid", deal="3", wrong_call="50").say(
        "hand\nAnn 6-6\nBob draw\nbogus Bob by Ann\nBob holds 6-1 0-1 2-3 3-4"
        "\nrule Bob clear\nBob draw"
    )
    watched = said.state.board.watched
    assert judge(watched, watched.hand.turns[2]).kind == "proven"


@pytest.mark.parametrize("pieces", ["50x3", "10x15", "10x12+5x6"])
def test_an_audit_with_chips_that_are_not_in_the_set_is_refused(pieces: str) -> None:
    with pytest.raises(RuleError, match="count again"):
        table().say(f"hand\naudit Blue 150 {pieces}")


OVERRULED = PAID_HAND.replace("Blue draw", "Blue draw\nBlue return 3-4")


def test_a_hand_is_settled_after_an_excluded_claim() -> None:
    said = table(deal="3", table_overrules="on").say(OVERRULED + "bogus Blue\nBlue pips 9")
    assert said.paid == [("Blue", "Red", 10, "out")]
    assert said.say("hand").state.board.hand.round.number == 2


def test_the_house_rules_let_the_table_overrule_an_exclusion() -> None:
    said = table(deal="3", table_overrules="on", wrong_call="10").say(
        "hand\nRed 6-6\nBlue draw\nBlue return 3-4\nbogus Blue"
    )
    assert said.paid == [("Red", "Blue", 10, "wrong-call")]
    said.say("rule Blue bogus")
    assert said.paid == [("Red", "Blue", -10, "wrong-call")]
    said.say("Blue pips 9")
    assert said.paid == [("Blue", "Red", 50, "bogus")]
    ruling = said.state.board.ruling
    assert ruling is not None
    assert (ruling.verdict, ruling.result, ruling.by) == ("excluded", "bogus", "table")
    assert said.scores == {"Red": 50, "Blue": 0}


def test_a_seat_out_by_counted_tiles_is_not_out_if_the_hand_is_blocked() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue 6-0\nRed 0-1\nBlue 1-2\nRed 2-4\nblocked")
    assert said.notices[0] == "count-doubtful"
    assert said.state.board.hand.round.stage.value == "blocked"


def test_nothing_is_proven_after_the_table_insists() -> None:
    said = table(deal="3").say(
        "hand\nRed 6-6\nBlue ends 1 2 3 !\nRed draw\nRed return\nRed draw\nbogus Red"
    )
    assert said.state.board.watched.claim.verdict.kind == "possible"


def test_a_pass_that_is_proven_bogus_at_once_is_announced_at_once() -> None:
    said = table("A B C", deal="9", rotate_lead="on").say(
        "hand lead A\nA 6-6\nB 2-6\nC 3-6\nA 3-3\nB 2-2\nC 4-6\nA 0-6\nB pass"
    )
    assert "bogus-proven" in said.notices


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Red " + "1" * 5000 + "-1", "not a tile"),
        ("audit Red 150 10x" + "1" * 5000, "not a set of chips"),
        ("Blue misdrew", "is not an action of a seat"),
        ("Red", "which tile|what did"),
    ],
)
def test_errors_of_unreadable_entries_are_one_short_line(line: str, words: str) -> None:
    with pytest.raises(EntryError, match=words) as refused:
        table().say(f"hand\n{line}")
    assert len(str(refused.value)) < 200


def test_out_may_be_entered_after_a_last_tile_that_wins() -> None:
    said = table(deal="3").say("hand\nchips Blue 145 so far\nRed 6-6\nBlue 6-5\nRed 5-5\nBlue 6-4")
    assert said.say("Red 4-0").state.winner == "Red"
    assert said.say("Red out").paid == []


def test_the_table_may_insist_on_a_first_lead_without_a_double() -> None:
    said: TextGame = table().say("hand\nRed 6-4 !")
    assert said.paid == [("Blue", "Red", 10, "count")]
