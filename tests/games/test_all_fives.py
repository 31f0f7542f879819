"""All Fives by RULES, section 6: each of its cases, and each rule that no case covers; penalties
are in test_all_fives_penalties.py."""

import pytest

from companion.core.errors import EntryError, RuleError
from companion.games.game import settle_options
from tests.catalog import GAMES
from tests.playing import TextGame, counted_in, refused
from tests.playing import table as any_table

FOUR = "Anna Ben Cleo Dan"


def table(seats: str = "Red Blue", **options: str) -> TextGame:
    return any_table(seats, "all-fives", **options)


# ---------------------------------------------------------------- [1] seats, sets and options


@pytest.mark.parametrize(("seats", "deal"), [("A B", 7), ("A B C", 5), (FOUR, 5)])
def test_by_the_home_rules_the_deal_depends_on_the_number_of_players(seats: str, deal: int) -> None:
    assert table(seats).state.options["deal"] == deal


SETS = {
    "home": (150, 0, "off", "off", "off", "heaviest", 1),
    "R": (150, 10, "off", "30-or-20%", "100", "again", 1),
    "T": (150, 0, "lost", "off", "off", "again", 1),
    "B": (150, 10, "off", "off", "off", "heaviest", 1),
    "W": (250, 0, "lost", "50-or-holding", "50", "again", 3),
}
IN_SET = ("target", "first-score", "called", "could-play", "wrong-count", "no-double", "match")


@pytest.mark.parametrize("name", SETS)
def test_named_sets_match_the_rules_of_their_clubs(name: str) -> None:
    options = table(set=name.lower()).state.options
    assert options["set"] == name
    assert tuple(options[option] for option in IN_SET) == SETS[name]


def test_options_given_beside_a_set_change_it() -> None:
    options = table(target="200", set="R").state.options
    assert (options["target"], options["first-score"]) == (200, 10)


@pytest.mark.parametrize(
    ("seats", "options", "wrong"),
    [
        ("A B C", {"set": "T"}, "Rules T are for 2 players"),
        ("A B C", {"partners": "on"}, "Partners are for four players"),
        ("A B", {"target": "61"}, "61 points win only where a five counts one"),
        ("A B", {"unit": "fives", "rounding": "none"}, "pips are rounded"),
    ],
)
def test_contradictory_house_rules_are_refused(
    seats: str, options: dict[str, str], wrong: str
) -> None:
    with pytest.raises(RuleError, match=wrong):
        table(seats, **options)


def test_nine_tiles_each_are_too_many_for_four() -> None:
    with pytest.raises(EntryError, match="deal is 5 or 7 for 4 players"):
        settle_options(GAMES["all-fives"], 4, {"deal": "9"})


def test_partners_share_a_score_and_the_payment_names_the_player() -> None:
    said = table(FOUR, partners="on").say("hand\nAnna 5-5")
    assert said.paid == [(None, "Anna", 10, "count")]
    assert said.scores == {"Anna": 10, "Ben": 0, "Cleo": 10, "Dan": 0}


def test_partners_win_together() -> None:
    said = table(FOUR, partners="on", target="100").say("hand\nAnna 6-6\nblocked")
    said.say("Anna pips 1\nBen pips 60\nCleo pips 1\nDan pips 43")
    assert said.state.winners == ("Anna", "Cleo")
    assert said.state.winner is None


# ---------------------------------------------------------------- [2] who leads


def test_the_highest_double_leads_or_else_the_heaviest_tile() -> None:
    assert table().say("hand").state.to_move is None
    assert table(no_double="heaviest").say("hand\nBlue 6-5").state.to_move == "Red"
    assert "double" in refused(table(no_double="again").say("hand"), "Blue 6-5")
    assert table(no_double="again").say("hand\nredeal\nBlue 6-6").state.to_move == "Red"
    assert "highest double" in refused(table(no_double="heaviest").say("hand"), "redeal")


@pytest.mark.parametrize(
    ("rule", "pips", "leads"),
    [
        ("highest-double", (3, 9), "big-6"),
        ("winner", (3, 9), "Red"),
        ("winner", (9, 9), "big-6"),
        ("next", (3, 9), "Blue"),
        ("next", (9, 9), "Blue"),
    ],
)
def test_the_option_decides_who_leads_after_a_block(
    rule: str, pips: tuple[int, int], leads: str
) -> None:
    said = table(after_block=rule).say("hand lead Red\nRed 6-6\nblocked")
    assert said.say(f"Red pips {pips[0]}\nBlue pips {pips[1]}").next_lead == leads


def test_after_a_block_the_partner_with_fewer_pips_leads() -> None:
    said = table(FOUR, partners="on", after_block="winner").say("hand lead Anna\nAnna 6-6\nblocked")
    assert said.say("Anna pips 9\nBen pips 8\nCleo pips 9\nDan pips 4").next_lead == "Ben"


def test_the_seat_that_went_out_leads_next() -> None:
    said = table(deal="5", after_block="next")
    said.say("hand\nRed 6-6\nBlue pass\nRed 6-1\nBlue pass\nRed out\nBlue pips 7")
    assert said.next_lead == "Red"


# ---------------------------------------------------------------- [3] the line


def test_without_a_spinner_the_line_has_two_ends() -> None:
    said = table(spinner="none").say("hand\nRed 6-6")
    assert counted_in(said.state).count == 12
    said.say("Blue 6-3")
    assert (counted_in(said.state).count, said.paid) == (15, [(None, "Blue", 15, "count")])
    said.say("Red 6-5")
    assert counted_in(said.state).count == 8
    said.say("Blue 3-3")
    assert counted_in(said.state).count == 11, "a double counts both halves while it is an end"
    assert "the open ends are 3, 5" in refused(said, "Red 6-4")


# ---------------------------------------------------------------- [4] what is scored


def test_a_led_double_five_is_enough_for_a_first_score() -> None:
    assert table(first_score="10").say("hand\nRed 5-5").scores["Red"] == 10


def test_a_first_score_of_five_does_not_count() -> None:
    said = table(first_score="10").say("hand lead Red\nRed 5-0")
    assert (counted_in(said.state).count, said.scores["Red"]) == (5, 0)
    assert said.say("Blue 0-0").scores == {"Red": 0, "Blue": 0}
    assert said.say("Red 5-5").scores == {"Red": 10, "Blue": 0}


def test_a_penalty_does_not_make_the_next_score_a_first_one() -> None:
    said = table(set="R").say("hand lead Red\nRed 5-5\nRed wrong-count")
    assert said.scores["Red"] == -90
    said.say("Blue 5-6\nRed 5-4")
    assert said.paid == [(None, "Red", 10, "count")]


def test_a_score_that_is_not_called_is_lost_even_if_it_won() -> None:
    said = table(called="lost", target="100", first_score="10")
    said.say("hand lead Red\nRed 5-5")
    assert said.say("Red not-called").paid == [(None, "Red", -10, "not-called")]
    assert said.scores["Red"] == 0
    assert "follows a scoring play" in refused(said, "Red not-called")
    assert "follows a scoring play" in refused(said.say("Blue 5-6"), "Blue not-called")


def test_muggins_scores_what_an_opponent_did_not_call() -> None:
    said = table("A B C", called="muggins").say("hand lead A\nA 5-5\nC muggins")
    assert said.paid == [(None, "A", -10, "muggins"), (None, "C", 10, "muggins")]
    assert said.scores == {"A": 0, "B": 0, "C": 10}


def test_muggins_is_only_for_opponents_and_only_if_it_is_played() -> None:
    said = table(FOUR, partners="on", called="muggins").say("hand lead Anna\nAnna 5-5")
    assert "their own side" in refused(said, "Cleo muggins")
    assert "not played here" in refused(table(called="lost").say("hand\nRed 5-5"), "Blue muggins")
    assert "nothing is lost" in refused(table().say("hand\nRed 5-5"), "Red not-called")


def test_a_lost_score_may_undo_a_win() -> None:
    said = table(called="lost", target="100").say("hand lead Red\nRed 6-6\nblocked")
    said.say("Red pips 2\nBlue pips 93")
    assert said.say("hand lead Red\nRed 5-5").state.winners == ("Red",)
    said.say("Red not-called")
    assert (said.state.winners, said.state.to_move) == ((), "Blue")


# ---------------------------------------------------------------- [8] the end of a hand


@pytest.mark.parametrize(("rounding", "points"), [("nearest", 15), ("down", 10), ("none", 13)])
def test_going_out_scores_the_pips_of_all_others(rounding: str, points: int) -> None:
    said = table("A B C", rounding=rounding).say("hand lead A\nA 6-6\nB pass\nC pass\nA 6-1")
    said.say("A out\nB pips 7\nC pips 6")
    assert said.paid == [(None, "A", points, "out")]


@pytest.mark.parametrize(("block", "points"), [("total", 15), ("difference", 5), ("nothing", 0)])
def test_the_option_decides_what_a_block_scores(block: str, points: int) -> None:
    said = table(block=block).say("hand\nRed 6-6\nblocked\nRed pips 9\nBlue pips 14")
    assert said.scores == {"Red": points, "Blue": 0}


@pytest.mark.parametrize(("by", "winner", "points"), [("side", "Ben", 25), ("seat", "Anna", 15)])
def test_a_block_with_partners_is_won_by_side_or_by_seat(by: str, winner: str, points: int) -> None:
    said = table(FOUR, partners="on", block_by=by).say("hand\nAnna 6-6\nblocked")
    said.say("Anna pips 3\nBen pips 9\nCleo pips 20\nDan pips 4")
    assert said.paid == [(None, winner, points, "blocked")]


def test_partners_who_share_the_fewest_pips_win() -> None:
    said = table(FOUR, partners="on", block_by="seat").say("hand\nAnna 6-6\nblocked")
    said.say("Anna pips 3\nBen pips 9\nCleo pips 3\nDan pips 4")
    assert said.paid == [(None, "Anna", 15, "blocked")]


def test_opponents_who_tie_score_nothing() -> None:
    said = table("A B C").say("hand\nA 6-6\nblocked\nA pips 3\nB pips 3\nC pips 9")
    assert said.paid == []


# ---------------------------------------------------------------- [9, 10] the end of the game


def test_on_a_cribbage_board_each_five_counts_one() -> None:
    said = table(unit="fives", target="61").say("hand lead Red\nRed 5-5")
    assert said.paid == [(None, "Red", 2, "count")]
    said.say("blocked\nRed pips 9\nBlue pips 14")
    assert said.paid == [(None, "Red", 3, "blocked")]


def test_when_the_time_is_up_the_hand_is_finished() -> None:
    said = table().say("hand lead Red\nRed 5-5\ntime up")
    assert not said.state.finished
    assert "already entered" in refused(said, "time up")
    said.say("blocked\nRed pips 14\nBlue pips 9")
    assert (said.scores, said.state.winners) == ({"Red": 10, "Blue": 15}, ("Blue",))


def test_with_equal_scores_one_more_hand_is_played() -> None:
    said = table().say("hand\nRed 6-6\nblocked\nRed pips 9\nBlue pips 9\ntime up")
    assert not said.state.finished
    said.say("hand\nRed 6-6\nblocked\nRed pips 9\nBlue pips 14")
    assert said.state.winners == ("Red",)


def test_time_up_between_hands_ends_the_game() -> None:
    said = table().say("hand\nRed 6-6\nblocked\nRed pips 9\nBlue pips 14\ntime up")
    assert said.state.winners == ("Red",)


def test_with_finish_hand_a_settlement_can_reach_the_target() -> None:
    said = table(finish_hand="on", target="100").say("hand lead Red\nRed 5-5\nblocked")
    said.say("Red pips 100\nBlue pips 5")
    assert said.state.winners == ("Blue",)
