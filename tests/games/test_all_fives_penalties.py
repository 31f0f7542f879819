"""All Fives by RULES, section 6: the penalties for a bogus play and a wrong count, and calls at the
end of a hand."""

import pytest

from tests.playing import TextGame, refused
from tests.playing import table as any_table

FOUR = "Anna Ben Cleo Dan"


def table(seats: str = "Red Blue", **options: str) -> TextGame:
    return any_table(seats, "all-fives", **options)


# ---------------------------------------------------------------- [6, 7] penalties


@pytest.mark.parametrize(("target", "penalty"), [("150", 30), ("250", 50)])
def test_a_bogus_play_may_cost_thirty_points_or_a_fifth_of_the_target(
    target: str, penalty: int
) -> None:
    said = table(set="R", target=target).say("hand lead Red\nRed 6-6\nBlue draw\nbogus Blue")
    said.say("rule Blue bogus")
    assert said.paid == [(None, "Blue", -penalty, "bogus")]
    assert said.scores["Blue"] == -penalty


@pytest.mark.parametrize(("pips", "penalty"), [(34, 50), (61, 61)])
def test_a_bogus_play_may_cost_fifty_points_or_the_pips_held(pips: int, penalty: int) -> None:
    said = table(set="W").say("hand lead Red\nRed 6-6\nBlue draw\nbogus Blue")
    assert "First show what Blue holds" in refused(said, "rule Blue bogus")
    said.say(f"Blue pips {pips}\nrule Blue bogus")
    assert said.paid == [(None, "Blue", -penalty, "bogus")]


@pytest.mark.parametrize(
    ("pips", "rounding", "penalty"),
    [(57, "nearest", 11), (58, "nearest", 12), (57, "up", 12), (59, "down", 11), (34, "up", 10)],
)
def test_pips_held_are_rounded_if_every_five_points_count_one(
    pips: int, rounding: str, penalty: int
) -> None:
    said = table(unit="fives", target="61", could_play="50-or-holding", rounding=rounding)
    said.say(f"hand lead Red\nRed 6-6\nBlue draw\nbogus Blue\nBlue pips {pips}\nrule Blue bogus")
    assert said.paid == [(None, "Blue", -penalty, "bogus")]


def test_muggins_needs_a_play_that_scores() -> None:
    said = table(called="muggins", first_score="10").say("hand lead Red\nRed 3-2")
    assert said.paid == []
    assert "follows a scoring play" in refused(said, "Blue muggins")


@pytest.mark.parametrize(
    ("ends", "did", "over"),
    [
        ("pass", "draw", False),
        ("pass", "pass", True),
        ("never", "pass", False),
        ("always", "draw", True),
    ],
)
def test_the_option_decides_whether_a_bogus_play_ends_the_hand(
    ends: str, did: str, over: bool
) -> None:
    said = table("A B C", set="R", could_play_ends=ends).say(f"hand lead A\nA 6-6\nB {did}")
    said.say("bogus B\nrule B bogus")
    assert said.next_lead == ("C" if over else None)
    if not over:
        said.say("B 6-1" if did == "draw" else "C 6-1")
        why = refused(said, "bogus B by A turn 2")
        assert why == "B's 1st turn was already ruled bogus"


def test_a_call_after_the_hand_adds_only_the_penalty() -> None:
    said = table(set="R", could_play_ends="always").say(
        "hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\nblocked\nRed pips 3\nBlue pips 20"
    )
    scored = said.scores["Red"]
    said.say("bogus Blue by Red turn 2\nrule Blue bogus")
    assert said.scores == {"Red": scored, "Blue": -30}
    assert said.next_lead == "big-6"


def test_with_two_sides_a_penalty_may_go_to_the_opponents() -> None:
    said = table(FOUR, set="R", partners="on", could_play_to="opponent").say("hand lead Anna")
    said.say("Anna 6-6\nBen wrong-count")
    assert said.paid == [(None, "Anna", 100, "wrong-count")]
    assert said.scores == {"Anna": 100, "Ben": 0, "Cleo": 100, "Dan": 0}


def test_entries_of_penalties_are_refused_if_no_option_sets_them() -> None:
    said = table().say("hand lead Red\nRed 6-6\nBlue draw")
    assert "not settled here" in refused(said, "bogus Blue")
    assert "costs nothing here" in refused(said, "Blue wrong-count")


# ---------------------------------------------------------------- calls at the end of a hand


def test_a_holding_shown_in_a_call_after_the_hands_end_counts_for_its_settlement() -> None:
    said = table("A B C", set="R", deal="5").say("hand lead A\nA 6-6\nB draw\nB 6-5\nC 5-1\nC out")
    said.say("bogus B by A\nB holds 6-4 1-2\nA holds 1-1")
    assert said.paid == [(None, "C", 15, "out")]
    assert said.next_lead == "C"


@pytest.mark.parametrize("ruled", ["clear", "bogus"])
def test_a_ruling_keeps_an_earlier_shown_holding(ruled: str) -> None:
    said = table("A B C", set="R").say("hand lead A\nA 6-6\nB draw\nB 6-5\nblocked\nB pips 20")
    said.say(f"bogus B by A\nrule B {ruled}\nA pips 3\nC pips 8")
    assert said.paid == [(None, "A", 30, "blocked")]


def test_one_entry_can_give_a_ruling_and_settle_the_hand() -> None:
    said = table(set="R").say("hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\nblocked")
    said.say("Red pips 3\nbogus Blue by Red turn 2\nBlue pips 20\nrule Blue bogus")
    assert said.paid == [(None, "Blue", -30, "bogus"), (None, "Red", 20, "blocked")]
    assert said.state.board.ruling.result == "bogus"


def test_play_may_go_on_after_a_call_if_a_seat_is_out_only_by_count() -> None:
    said = table(set="R", deal="5").say("hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\nRed 6-1")
    said.say("Blue pass\nRed 6-2\nBlue pass\nRed 6-3\nBlue pass\nRed 1-1")
    assert said.state.board.hand.round.out == "Red"
    said.say("bogus Blue by Red turn 2\nBlue pips 9\nrule Blue clear")
    assert said.say("Blue 5-4").state.to_move == "Red", "a draw of Red's was forgotten"


def test_a_game_decided_by_a_hands_end_can_be_disputed() -> None:
    said = table(set="R").say("hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\ntime up\nblocked")
    said.say("Red pips 20\nBlue pips 3")
    assert said.state.winners == ("Blue",)
    said.say("bogus Blue by Red turn 2\nrule Blue bogus")
    assert (said.scores, said.state.winners) == ({"Red": 0, "Blue": -10}, ("Red",))


def test_the_winner_stays_the_same_if_a_penalty_ties_the_scores() -> None:
    said = table(set="R", target="100", could_play_to="opponent")
    said.say("hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\nblocked\nRed pips 70\nBlue pips 3")
    said.say("hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\nblocked\nRed pips 34\nBlue pips 3")
    assert (said.scores["Blue"], said.state.winners) == (105, ("Blue",))
    said.say("bogus Blue by Red turn 2\nrule Blue bogus")
    assert (said.scores, said.state.winners) == ({"Red": 30, "Blue": 105}, ("Blue",))


def test_a_seat_cannot_call_its_own_partner() -> None:
    said = table(FOUR, set="R", partners="on").say("hand lead Anna\nAnna 6-6\nBen draw")
    assert "its own side" in refused(said, "bogus Ben by Dan")


def test_after_a_wrong_count_nothing_is_proven() -> None:
    said = table(set="R").say("hand lead Red\nRed 6-6\nBlue draw\nBlue wrong-count\nBlue 6-5")
    assert said.notices == []
    said.say("Red pass\nBlue 5-5\nbogus Blue turn 2")
    assert "First" not in said.notices
    assert said.state.board.watched.claim is not None, "the record can't decide it"
