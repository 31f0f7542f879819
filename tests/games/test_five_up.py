"""Five Up; numbers in brackets are those of RULES.md, section 2."""

import pytest

from companion.core.errors import EntryError, RuleError
from companion.games.bogus.calls import board_of
from tests.playing import TextGame, refused, table


def five_up(seats: str = "Ann Bob", **options: str) -> TextGame:
    return table(seats, "five-up", **options)


def test_the_worked_cases_have_the_expected_results() -> None:
    said = five_up().say("hand\nAnn 5-5")
    assert said.paid == [(None, "Ann", 10, "count")]
    assert said.say("Bob 5-0").paid == [(None, "Bob", 10, "count")]
    assert five_up().say("hand\nAnn 6-6\nBob 6-3").paid == [(None, "Bob", 15, "count")]


def test_5_going_out_scores_all_other_holdings_rounded_once() -> None:
    said = five_up("A B C").say("hand\nA 6-6\nA out\nB pips 7")
    assert said.paid == []
    assert said.say("C pips 6").paid == [(None, "A", 15, "out")]
    assert said.next_lead == "A"
    assert said.say("hand\nA 6-4").paid == [(None, "A", 10, "count")]


def test_5_a_block_pays_the_seat_with_the_fewest_pips() -> None:
    said = five_up().say("hand\nAnn 6-6\nblocked\nAnn pips 9\nBob pips 14")
    assert said.paid == [(None, "Ann", 15, "blocked")]
    assert said.next_lead == "big-6"
    tie = five_up().say("hand\nAnn 6-6\nblocked\nAnn pips 9\nBob pips 9")
    assert tie.paid == []


def test_2_a_double_leads_the_first_hand_or_it_is_dealt_again() -> None:
    assert "The highest double leads" in refused(five_up().say("hand"), "Ann 6-4")
    said = five_up().say("hand\nredeal\nredeal\nBob 5-5")
    assert said.paid == [(None, "Bob", 10, "count")]


def test_2_the_winner_leads_any_tile_and_after_a_block_the_highest_double() -> None:
    said = five_up().say("hand\nAnn 6-6\nAnn out\nBob pips 0\nhand")
    assert "Ann leads, not Bob" in refused(said, "Bob 6-5")
    said.say("Ann 6-5\nblocked\nAnn pips 9\nBob pips 14")
    assert said.next_lead == "big-6"
    assert "The highest double leads" in refused(said.say("hand"), "Ann 6-5")


def test_2_the_lead_may_rotate() -> None:
    """The lead moves on by one seat after each hand, whoever won, also after a block or a tie; any
    tile may be led."""
    said = five_up("A B C", start="rotate").say("hand\nA 6-6\nA out\nB pips 0\nC pips 0")
    assert said.next_lead == "B"
    said.say("hand\nB 6-4\nblocked\nA pips 1\nB pips 14\nC pips 12")
    assert said.next_lead == "C"
    said.say("hand\nC 3-2\nblocked\nA pips 9\nB pips 9\nC pips 30")
    assert said.next_lead == "A"
    assert said.say("hand\nA 5-0").paid == [(None, "A", 5, "count")]


def test_3_both_sides_of_the_only_spinner_must_be_covered_first() -> None:
    said = five_up().say("hand\nAnn 6-6\nBob 6-5")
    assert {place.arm.value for place in said.state.board.hand.line.single.places} == {
        "left", "right",
    }  # fmt: skip
    said.say("Ann 6-4\nBob 5-5")
    places = said.state.board.hand.line.single.places
    assert sorted(place.pips for place in places) == [4, 5, 6, 6]


def test_4_drawing_with_a_playable_tile_is_legal_and_a_pass_has_no_penalty() -> None:
    said = five_up().say("hand\nAnn 6-6\nBob draw\nBob draw\nBob pass\nAnn 6-5\nBob 6-4")
    assert (said.notices, said.scores) == ([], {"Ann": 0, "Bob": 0})
    assert board_of(said.state) is None, "nothing is watched"


def test_4_there_is_no_bogus_play() -> None:
    for line in ("bogus Ann", "Ann misdraw", "chips Ann 5", "Ann return"):
        with pytest.raises(EntryError):
            five_up().say("hand\nAnn 6-6\nBob draw\n" + line)


def test_6_the_first_to_the_target_wins_at_once() -> None:
    said = five_up(target="100").say("hand\nAnn 6-6\nAnn out\nBob pips 95\nhand\nAnn 6-4")
    assert (said.state.winner, said.scores["Ann"]) == ("Ann", 105)
    with pytest.raises(RuleError, match="Ann has won"):
        said.say("Bob 4-4")


def test_6_with_finish_hand_the_game_is_decided_at_the_end_of_a_hand() -> None:
    said = five_up(target="100", finish_hand="on")
    said.say("hand\nAnn 6-6\nAnn out\nBob pips 95\nhand\nAnn 6-4")
    assert said.state.winner is None
    assert said.say("Bob 4-4\nBob out\nAnn pips 120").state.winner == "Bob"


def test_6_the_highest_score_wins_at_the_end_of_a_hand_and_a_tie_is_played_off() -> None:
    said = five_up(target="100", finish_hand="on").say("hand\nAnn 6-6\nAnn out\nBob pips 100")
    assert said.state.winner == "Ann"
    tie = five_up(target="100", finish_hand="on")
    tie.say("hand\nAnn 6-6\nAnn out\nBob pips 90\nhand\nAnn 6-4\nBob 4-4\nBob out\nAnn pips 100")
    assert (tie.state.winner, tie.scores) == (None, {"Ann": 100, "Bob": 100})
    tie.say("hand\nBob 5-0")
    assert tie.state.winner is None
    assert tie.say("blocked\nAnn pips 3\nBob pips 3").state.winner == "Bob"


def test_1_nine_tiles_can_be_dealt_to_at_most_three_players() -> None:
    assert five_up(deal="9").say("hand").state.board.hand.round.held.values == (9, 9)
    with pytest.raises(EntryError, match="deal"):
        five_up("A B C D", deal="9")
