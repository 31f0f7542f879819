"""Fives and Threes by RULES, section 7: each of its cases, and each rule that no case covers."""

from fractions import Fraction

import pytest

from companion.core.errors import EntryError, RuleError
from companion.games.fives_and_threes import score_of_count
from companion.games.line.hand import hand_of
from companion.games.round import Stage
from tests.catalog import GAMES
from tests.playing import TextGame, refused
from tests.playing import table as any_table

FOUR = "Anna Ben Cleo Dan"


def table(seats: str = "Red Blue", **options: str) -> TextGame:
    return any_table(seats, "fives-and-threes", **options)


def at(red: int, **options: str) -> TextGame:
    """A game in which Red has these points, entered without plays, and leads the next hand."""
    said = table(**options).say("hand lead Blue")
    for score in (8,) * (red // 8) + ((red % 8,) if red % 8 else ()):
        said.say(f"Red points {score}")
    return said.say("blocked\nhand")


# ---------------------------------------------------------------- [1] seats, sets and options


@pytest.mark.parametrize(
    ("named", "seats", "values"),
    [
        ("home", "A B", (7, 61, "on", "yes", 1, "both-out", "off", "off")),
        ("home", "A B C", (5, 61, "on", "yes", 1, "both-out", "off", "off")),
        ("home", FOUR, (5, 61, "on", "yes", 1, "both-out", "off", "off")),
        ("K", "A B", (9, 61, "on", "no", 0, "one-out", "8", "off")),
        ("K", FOUR, (6, 121, "on", "no", 0, "one-out", "8", "on")),
        ("Te", "A B", (9, 61, "on", "no", 0, "both-out", "off", "off")),
        ("Te", FOUR, (6, 61, "on", "no", 0, "both-out", "off", "on")),
    ],
)
def test_named_sets_match_the_rules_of_their_leagues(
    named: str, seats: str, values: tuple[int | str, ...]
) -> None:
    names = "deal target exact out-on-lead last-tile hand-end held-playable partners"
    options = table(seats, set=named).state.options
    assert tuple(options[name] for name in names.split()) == values


@pytest.mark.parametrize(
    ("seats", "options", "wrong"),
    [
        ("A B C", {"set": "K"}, "Rules K are for 2 or 4 players"),
        ("A B", {"partners": "on"}, "Partners are for four players"),
    ],
)
def test_contradictory_house_rules_are_refused(
    seats: str, options: dict[str, str], wrong: str
) -> None:
    with pytest.raises(RuleError, match=wrong):
        table(seats, **options)


def test_drawing_is_refused() -> None:
    said = table().say("hand lead Red\nRed 6-6")
    with pytest.raises(EntryError, match="not an action of a seat"):
        said.say("Blue draw")
    with pytest.raises(EntryError):
        said.say("redeal")


# ---------------------------------------------------------------- [2] the lead


def test_the_first_leader_is_drawn_by_lot() -> None:
    said = table()
    assert said.next_lead is None
    assert "name that seat" in refused(said, "hand")
    assert said.say("hand lead Blue\nBlue 6-4").paid == [(None, "Blue", 2, "count")]


def test_the_lead_passes_to_the_next_seat_or_to_the_winner() -> None:
    played = "hand lead Ben\nBen 6-6\nBen out"
    assert table("Anna Ben Cleo").say(played).next_lead == "Cleo"
    assert table("Anna Ben Cleo", lead="winner").say(played).next_lead == "Ben"
    blocked = "hand lead Ben\nBen 6-6\nblocked"
    assert table("Anna Ben Cleo", lead="winner").say(blocked).next_lead == "Cleo"


def test_the_first_partner_who_is_out_leads() -> None:
    said = table(FOUR, partners="on", lead="winner").say(PARTNERS_OUT)
    assert said.next_lead == "Anna"


# ---------------------------------------------------------------- [3, 4] counts and scores


@pytest.mark.parametrize(
    ("count", "score"),
    [(3, 1), (5, 1), (6, 2), (9, 3), (10, 2), (12, 4), (15, 8), (18, 6), (20, 4), (0, 0), (7, 0)],
)
def test_counts_score_their_fives_and_threes(count: int, score: int) -> None:
    assert score_of_count(count) == score


def test_the_worked_cases_have_the_expected_results() -> None:
    assert table().say("hand lead Red\nRed 5-5").paid == [(None, "Red", 2, "count")]
    said = table().say("hand lead Red\nRed 6-6")
    assert said.paid == [(None, "Red", 4, "count")]
    assert said.say("Blue 6-3").paid == [(None, "Blue", 8, "count")]
    said = table().say("hand lead Red\nRed 5-0")
    assert said.paid == [(None, "Red", 1, "count")]


def test_no_double_is_a_spinner() -> None:
    said = table().say("hand lead Red\nRed 6-4\nBlue 4-4\nRed 6-5\nBlue 5-5\nRed 4-0")
    assert hand_of(said.state).line.known_ends == (0, 5, 5)
    assert "doesn't fit" in refused(said, "Blue 4-3")


def test_a_score_only_entry_is_in_units() -> None:
    said = table().say("hand lead Red\nRed points 8")
    assert said.paid == [(None, "Red", 8, "count")]
    with pytest.raises(EntryError, match="A play scores 1 to 8"):
        said.say("Red points 9")


# ---------------------------------------------------------------- [5, 6] knocking, and the ends


def test_a_hand_blocked_by_knocks_scores_nothing() -> None:
    said = table().say("hand lead Red\nRed 6-6\nBlue pass\nRed pass")
    assert said.paid == []
    assert (said.next_lead, hand_of(said.state).round.stage) == ("Blue", Stage.OVER)
    assert said.say("blocked\nhand\nBlue 6-6").scores == {"Red": 4, "Blue": 4}


def test_going_out_scores_separately_from_the_last_tiles_count() -> None:
    out = "hand lead Red\nRed 6-4\nRed out"
    assert table().say(out).paid == [(None, "Red", 1, "out")]
    assert table(last_tile="0").say(out).paid == []


def test_the_last_counted_tile_ends_the_hand_by_itself() -> None:
    said = table(deal="5").say(
        "hand lead Red\nRed 6-4\nBlue 4-3\nRed 3-1\nBlue 1-0\nRed 0-4\nBlue pass\nRed 6-5\n"
        "Blue pass\nRed 5-4 ends 4 4"
    )
    assert said.paid == [(None, "Red", 1, "out")]
    assert said.say("Red out").paid == []
    assert said.next_lead == "Blue"


PARTNERS_OUT = """hand lead Anna
Anna 6-6
Anna out
Ben 6-5
Cleo 5-5
Dan 5-4
Ben 4-4
Cleo 4-3
Cleo out"""


def test_with_partners_play_goes_on_until_both_of_a_side_are_out() -> None:
    *before, last = PARTNERS_OUT.split("\n")
    said = table(FOUR, partners="on").say("\n".join(before))
    assert (hand_of(said.state).round.went_out, said.state.to_move) == (("Anna",), "Dan")
    assert said.say(last).paid == [(None, "Cleo", 1, "out")]
    assert said.next_lead == "Ben"


def test_the_first_seat_out_ends_the_hand_unless_both_partners_must_be_out() -> None:
    out = "hand lead Anna\nAnna 6-4\nAnna out"
    assert table(FOUR).say(out).paid == [(None, "Anna", 1, "out")]
    by_one = table(FOUR, partners="on", hand_end="one-out").say(out)
    assert by_one.scores == {"Anna": 3, "Ben": 0, "Cleo": 3, "Dan": 0}


def test_both_partners_must_be_out_when_only_scores_are_entered() -> None:
    said = table(FOUR, partners="on").say("hand lead Anna\nAnna points 4\nAnna out\nBen points 2")
    assert hand_of(said.state).round.playing
    assert said.say("Cleo out").paid == [(None, "Cleo", 1, "out")]


def test_a_block_needs_no_knock_from_a_seat_that_is_out() -> None:
    text = "hand lead Anna\nAnna 6-6\nAnna out\nBen pass\nCleo pass\nDan pass"
    said = table(FOUR, partners="on").say(text)
    assert hand_of(said.state).round.stage is Stage.OVER
    assert said.next_lead == "Ben"


def test_a_seat_out_by_miscounted_tiles_may_play_on() -> None:
    text = "hand lead Anna\nAnna 6-6\nAnna out\nBen 6-5\nCleo 5-5\nDan 5-4"
    said = table(FOUR, partners="on").say(text)
    assert said.say("Anna 6-1").notices == ["count-doubtful"]


# ---------------------------------------------------------------- [7] the target


def test_a_game_is_won_at_once_by_reaching_exactly_the_target() -> None:
    said = at(60).say("Red 6-4")
    assert (said.paid, said.scores["Red"]) == ([], 60)
    said = at(60).say("Red 3-0")
    assert (said.scores["Red"], said.state.winners) == (61, ("Red",))


@pytest.mark.parametrize(("red", "tile"), [(59, "3-0"), (60, "6-4")])
def test_going_out_may_win_the_game(red: int, tile: str) -> None:
    said = at(red).say(f"Red {tile}")
    assert (said.scores["Red"], said.state.winners) == (60, ())
    assert said.say("Red out").state.winners == ("Red",)
    assert said.scores["Red"] == 61


def test_a_score_past_the_target_wins_unless_it_must_be_exact() -> None:
    said = at(60, exact="off").say("Red 6-4")
    assert (said.scores["Red"], said.state.winners) == (62, ("Red",))


def test_a_lead_may_not_win_in_a_league() -> None:
    assert at(57, set="K").say("Red 6-6").scores["Red"] == 57
    assert at(57).say("Red 6-6").state.winners == ("Red",)


# ---------------------------------------------------------------- [8] a tile held back

HELD = "Red holds 4-1 5-3 5-2 5-1 5-0 6-1 6-3 6-2"
KNOCKED = "Red 0-0\nBlue 0-4\nRed pass\nblocked"


def called(red: int, holds: str = HELD) -> TextGame:
    return at(red, set="K").say(f"{KNOCKED}\nbogus Red by Blue\n{holds}")


def test_a_tile_held_back_costs_eight() -> None:
    said = called(13)
    assert said.paid == [(None, "Red", -8, "bogus")]
    assert said.scores == {"Red": 5, "Blue": 0}
    assert said.next_lead == "Blue"
    assert "already paid for this hand" in refused(said, "bogus Red by Blue")


def test_the_caller_scores_eight_if_the_accused_has_fewer() -> None:
    said = called(5)
    assert said.scores == {"Red": 5, "Blue": 8}


def test_the_callers_eight_points_count_like_any_score() -> None:
    said = table(set="K").say("hand lead Blue\nRed points 5")
    for score in (8,) * 7 + (2,):
        said.say(f"Blue points {score}")
    said.say(f"blocked\nhand\n{KNOCKED}\nbogus Red by Blue\n{HELD}")
    assert said.scores == {"Red": 5, "Blue": 58}


def test_a_tile_that_did_not_fit_costs_nothing() -> None:
    said = called(13, "Red holds 5-6 5-3 5-2 5-1 5-5 6-1 6-3 6-2")
    assert (said.paid, said.scores["Red"]) == ([], 13)


def test_only_a_tile_still_held_can_be_called() -> None:
    text = "Red 0-0\nBlue 0-4\nRed pass\nBlue 4-3\nRed 0-5\nblocked\nbogus Red by Blue"
    said = at(13, set="K").say(text).say("Red holds 5-2 5-6 6-1 6-3 6-2 1-1 1-2")
    assert (said.scores["Red"], said.notices) == (13, [])


def test_a_call_applies_to_a_tile_held_back_at_any_knock() -> None:
    text = "Red 0-0\nBlue 0-4\nRed pass\nBlue 4-6\nRed pass\nblocked\nbogus Red by Blue"
    said = at(13, set="K").say(text).say("Red holds 4-1 5-1 5-2 5-3 1-1 1-2 2-2 3-3")
    assert said.scores["Red"] == 5
    assert said.state.board.ruling.turn == 3


def test_the_table_decides_a_call_if_only_pips_are_known() -> None:
    said = called(13, "Red pips 40")
    assert said.scores["Red"] == 13
    assert said.say("rule Red bogus").scores["Red"] == 5


def test_a_tile_held_back_can_be_called_until_the_next_deal() -> None:
    said = at(13, set="K").say("Red 0-0\nBlue 0-4\nRed pass")
    assert "once the hand is over" in refused(said, "bogus Red by Blue")
    assert "once the hand is over" in refused(said.say("blocked\nhand"), "bogus Red by Blue")


def test_holding_back_has_no_penalty_by_the_home_rules() -> None:
    said = at(13).say(KNOCKED)
    assert "option held-playable" in refused(said, "bogus Red by Blue")


def test_a_win_can_be_undone_and_the_next_seat_leads() -> None:
    said = at(60, set="K").say("Red 0-0\nBlue 0-4\nRed pass\nBlue 4-2\nRed 2-5")
    assert said.state.winners == ("Red",)
    said.say("bogus Red by Blue\nRed holds 4-6 5-6 6-3 3-3 6-6 1-1 1-3")
    assert (said.scores["Red"], said.next_lead) == (53, "Blue")
    assert not said.state.winners
    assert hand_of(said.state).round.stage is Stage.OVER
    assert said.say("hand\nBlue 6-6").scores["Blue"] == 4


def test_the_caller_scores_nothing_after_a_win_that_is_not_undone() -> None:
    said = at(60, set="K").say("Red 0-0\nBlue pass\nRed 0-3")
    assert said.state.winners == ("Red",)
    said.say("bogus Blue by Red\nBlue holds 0-1 1-1 1-2 1-3 1-4 1-5 1-6 2-2 2-3")
    assert (said.scores, said.state.winners) == ({"Red": 61, "Blue": 0}, ("Red",))


# ---------------------------------------------------------------- results that people type


@pytest.mark.parametrize(
    ("scores", "doubted"), [((61, 40), False), ((62, 40), True), ((61, 61), True), ((60, 0), True)]
)
def test_implausible_results_are_doubted(scores: tuple[int, int], doubted: bool) -> None:
    game, options = GAMES["fives-and-threes"], table().state.options
    found = game.doubt([Fraction(score) for score in scores], options, True)
    assert (found is not None) is doubted
