"""Five Up; numbers in brackets are those of RULES.md, section 2."""

import pytest

from companion.errors import EntryError, RuleError
from tests.playing import Said, table


def five_up(seats: str = "Ann Bob", **options: str) -> Said:
    return table(seats, "five-up", **options)


def test_worked_cases() -> None:
    said = five_up().say("hand\nAnn 5-5")
    assert said.paid == [(None, "Ann", 10, "count")]
    assert said.say("Bob 5-0").paid == [(None, "Bob", 10, "count")]
    assert five_up().say("hand\nAnn 6-6\nBob 6-3").paid == [(None, "Bob", 15, "count")]


def test_5_out_is_paid_all_other_holdings_rounded_once() -> None:
    said = five_up("A B C").say("hand\nA 6-6\nA out\nB pips 7")
    assert said.paid == []
    assert said.say("C pips 6").paid == [(None, "A", 15, "out")]
    assert said.state.next_lead == "A"
    assert said.say("hand\nA 6-4").paid == [(None, "A", 10, "count")]


def test_5_blocked() -> None:
    said = five_up().say("hand\nAnn 6-6\nblocked\nAnn pips 9\nBob pips 14")
    assert said.paid == [(None, "Ann", 15, "blocked")]
    assert said.state.next_lead == "big-6"
    tie = five_up().say("hand\nAnn 6-6\nblocked\nAnn pips 9\nBob pips 9")
    assert tie.paid == []


def test_2_the_start_may_rotate() -> None:
    said = five_up(start="rotate").say("hand\nAnn 6-6\nAnn out\nBob pips 0")
    assert said.state.next_lead == "Bob"


def test_4_there_is_no_bogus_play() -> None:
    for line in ("bogus Ann", "Ann misdraw", "chips Ann 5", "Ann return"):
        with pytest.raises(EntryError):
            five_up().say("hand\nAnn 6-6\nBob draw\n" + line)


def test_6_the_first_to_the_target_wins_at_once() -> None:
    said = five_up(target="100").say("hand\nAnn 6-6\nAnn out\nBob pips 95\nhand\nAnn 6-4")
    assert (said.state.winner, said.scores["Ann"]) == ("Ann", 105)
    with pytest.raises(RuleError, match="Ann has won"):
        said.say("Bob 4-4")


def test_6_or_at_the_hands_end() -> None:
    said = five_up(target="100", finish_hand="on")
    said.say("hand\nAnn 6-6\nAnn out\nBob pips 95\nhand\nAnn 6-4")
    assert said.state.winner is None
    assert said.say("Bob 4-4\nBob out\nAnn pips 120").state.winner == "Bob"


def test_1_nine_tiles_only_as_far_as_they_go() -> None:
    assert five_up(deal="9").say("hand").state.board.hand.held.values == (9, 9)
    with pytest.raises(EntryError, match="deal"):
        five_up("A B C D", deal="9")
