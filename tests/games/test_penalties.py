"""High Five's penalties, disputes and chips; numbers as in RULES.md, section 1."""

import pytest

from companion.games.chips import Exchange
from tests.playing import refused, table

# ---------------------------------------------------------------- penalties


def test_18_the_penalty_replaces_the_hands_payment() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue 6-5\nRed 5-5\nRed out\nBlue pips 63")
    assert said.scores["Red"] == 65
    said.say("bogus Blue\nrule Blue bogus")
    assert said.paid == [("Blue", "Red", -65, "out"), ("Blue", "Red", 65, "bogus")]
    assert said.scores["Red"] == 65


def test_18_the_offender_may_have_won_the_hand() -> None:
    said = table().say(
        "hand\nRed 6-6\nBlue draw\nBlue 6-5\nRed draw\nRed 5-1\nRed out\nBlue pips 8"
    )
    assert said.scores == {"Red": 10, "Blue": 0}
    said.say("hand\nbogus Red\nrule Red bogus")
    assert said.scores == {"Red": 0, "Blue": 50}
    assert said.state.to_move == "Blue"
    assert said.say("Blue 6-4").paid == [("Red", "Blue", 10, "count")]


def test_18_calls_are_possible_until_the_first_tile_of_the_next_hand() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nBlue 6-5\nRed 5-1\nRed out\nBlue pips 8\nhand")
    said.say("Red 6-4")
    assert "neither drawn nor passed" in refused(said, "bogus Blue")


def test_18_a_win_by_the_bonus_can_still_be_called() -> None:
    said = table().say(
        "hand\nchips Blue 130 so far\nRed 6-6\nBlue 6-5\nRed draw\nRed 5-1\nRed out\nBlue pips 22"
    )
    assert said.state.winner == "Red"
    said.say("bogus Red\nrule Red bogus")
    assert said.state.winner is None
    assert said.scores == {"Red": 130, "Blue": 50}
    assert said.next_lead == "Blue"


def test_18_a_win_by_a_count_is_final() -> None:
    said = table().say("hand\nchips Blue 145 so far\nRed 0-0\nBlue draw\nBlue 0-1\nRed 0-4")
    assert said.state.winner == "Red"
    assert "that win stands" in refused(said, "bogus Blue")


def test_18_the_penalty_goes_to_the_seat_that_the_offender_normally_pays() -> None:
    three = table("A B C").say("hand\nA 6-6\nB draw\nbogus B by A\nB pips 10\nrule B bogus")
    assert three.paid == [("B", "C", 50, "bogus")]
    four = table("A B C D").say("hand\nA 6-6\nB draw\nbogus B by A\nB pips 10\nrule B bogus")
    assert four.paid == [("B", "D", 50, "bogus")]


@pytest.mark.parametrize("cost", [0, 10, 50])
def test_18_a_wrong_call_costs_what_the_option_sets(cost: int) -> None:
    said = table(wrong_call=str(cost)).say("hand\nRed 6-6\nBlue draw")
    before = said.state
    said.say("bogus Blue\nrule Blue clear")
    assert said.scores == {"Red": 0, "Blue": cost}
    assert said.state.to_move == before.to_move
    assert said.state.board.hand.line == before.board.hand.line
    assert "only once a hand" in refused(said, "bogus Blue")


def test_18_a_holding_shown_in_a_call_must_be_shown_again_at_the_hands_end() -> None:
    said = table().say("hand lead Red\nRed 6-6\nBlue draw\nBlue 6-5\nblocked\nbogus Blue by Red")
    said.say("Blue holds 1-1 2-2\nrule Blue clear\nRed pips 3")
    assert said.paid == []
    assert said.say("Blue holds 1-1 2-2").paid == [("Blue", "Red", 5, "blocked")]


def test_18_no_other_entry_is_allowed_while_a_claim_is_open() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw\nbogus Blue turn 2")
    for line in ("Blue 6-5", "Red pips 3", "chips Red 5", "hand", "rule Red clear", "end"):
        assert refused(said, line) == "Red calls Blue bogus: rule on that first"
    assert "First show what Blue holds" in refused(said, "rule Blue bogus")


def test_18_only_a_draw_or_pass_can_be_bogus() -> None:
    said = table().say("hand\nRed 6-6\nBlue 6-5")
    assert "neither drawn nor passed" in refused(said, "bogus Blue")
    assert "Blue neither drew nor passed there" in refused(said, "bogus Blue turn 2")
    assert "no turn 9" in refused(said, "bogus Blue turn 9")
    assert "can't call" in refused(said, "bogus Blue by Blue")


def test_19_only_the_tile_drawn_last_goes_back() -> None:
    said = table().say("hand\nRed 6-6\nBlue draw 2\nBlue return 3-3")
    assert said.state.board.hand.round.held["Blue"] == 8
    assert said.state.board.hand.round.boneyard == 13
    assert "Only the tile drawn last" in refused(said, "Blue return")
    assert "Only the tile drawn last" in refused(said.say("Blue 6-5"), "Blue return")


def test_20_a_misdraw_is_paid_once_and_only_before_the_first_turn() -> None:
    said = table("A B C").say("hand\nA misdraw")
    assert said.paid == [("A", "B", 50, "misdraw")]
    assert "already" in refused(said, "A misdraw")
    assert said.say("B 6-6\nC misdraw").paid == [("C", "A", 50, "misdraw")]
    assert "has had a turn" in refused(said, "B misdraw")


# ---------------------------------------------------------------- chips, corrections, the end


def test_corrections_can_win_the_game_and_undo_a_win() -> None:
    said = table().say("hand\nRed 6-6\nchips Blue 150 all")
    assert said.state.winner == "Red"
    said.say("chips Blue -20 a mistake")
    assert said.state.winner is None
    assert said.state.to_move == "Blue"
    assert said.paid == [("Blue", "Red", -20, "correction")]
    assert "Blue has 20 left" in refused(said, "chips Blue 25")
    assert "multiples of five" in refused(said, "chips Blue 3")


def test_an_audit_reports_a_difference_and_moves_no_chips() -> None:
    said = table().say("hand\nRed 5-5")
    assert said.say("audit Blue 140").notices == []
    notice = said.say("audit Blue 135").state.effect.notices[0]
    assert (notice["seat"], notice["recorded"], notice["counted"]) == ("Blue", 140, 135)
    assert said.scores["Red"] == 10


def test_an_audit_replaces_the_recorded_denominations() -> None:
    said = table().say("hand\nRed 5-5\naudit Blue 140 10x10+5x8")
    assert said.state.board.chips is not None
    assert said.state.board.chips.stocks[said.state.seats.order[1]].home == ((10, 10), (5, 8))


def test_a_payment_moves_chips_of_one_colour_and_gives_change() -> None:
    said = table(chip_set="10x14+5x2").say("hand\nRed 0-0\nBlue 0-5\nRed 0-1")
    payments = said.say("Blue 5-4").state.effect.payments
    assert payments[0].exchange == Exchange(said.state.seats.order[0], ((5, 1),), ())


def test_22_an_ended_game_keeps_its_scores() -> None:
    said = table().say("hand\nRed 5-5\nend Ann went home")
    assert said.state.finished
    assert said.state.winner is None
    assert said.scores["Red"] == 10
    assert "was ended" in refused(said, "Blue 5-6")
