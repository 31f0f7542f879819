"""High Five, rule by rule; numbers in brackets are those of RULES.md, section 1."""

import pytest

from companion.core.errors import EntryError
from companion.games.game import AmbiguousEntry
from companion.games.settlement import rounded
from companion.games.tiles import DOUBLE_SIX
from tests.playing import TextGame, counted_in, refused, table


def won_hand(said: TextGame) -> TextGame:
    """A first hand that Red wins by going out, without a payment: Red leads next with any tile."""
    return said.say("hand\nRed 6-6\nRed out\nBlue pips 2")


# ---------------------------------------------------------------- worked cases


def test_r1_the_example_in_the_rulebook_scores_as_stated() -> None:
    said = table().say("hand lead Red\nRed 5-5")
    assert said.paid == [("Blue", "Red", 10, "count")]
    assert said.say("Blue 0-5").paid == [("Red", "Blue", 10, "count")]
    assert said.say("Red 5-6").paid == []
    assert counted_in(said.state).count == 6
    assert said.say("Blue 4-0").scores == {"Red": 10, "Blue": 20}


@pytest.mark.parametrize(
    ("pips", "nearest", "up"),
    [(0, 0, 0), (2, 0, 5), (3, 5, 5), (7, 5, 10), (8, 10, 10), (11, 10, 15), (13, 15, 15)],
)
def test_r5_pips_are_rounded_to_multiples_of_five(pips: int, nearest: int, up: int) -> None:
    assert rounded(pips) == nearest
    assert rounded(pips, "up") == up


def test_r6_a_block_pays_the_seat_with_the_fewest_pips() -> None:
    said = table().say("hand\nRed 6-6\nblocked\nRed pips 11\nBlue pips 13")
    assert said.paid == [("Blue", "Red", 15, "blocked")]
    assert said.next_lead == "big-6"
    tie = table().say("hand\nRed 6-6\nblocked\nRed pips 14\nBlue pips 14")
    assert tie.paid == []
    assert tie.next_lead == "big-6"


@pytest.mark.parametrize(("pips", "penalty"), [(38, 50), (63, 65), (0, 50)])
def test_r7_a_bogus_play_costs_fifty_or_the_pips_held(pips: int, penalty: int) -> None:
    said = table().say(f"hand\nRed 6-6\nBlue draw\nbogus Blue\nBlue pips {pips}")
    assert said.paid == []
    said.say("rule Blue bogus")
    assert said.paid == [("Blue", "Red", penalty, "bogus")]
    assert said.next_lead == "Red"
    ruling = said.state.board.ruling
    assert ruling is not None
    assert (ruling.seat, ruling.turn, ruling.verdict, ruling.result, ruling.by) == (
        "Blue", 2, "possible", "bogus", "table")  # fmt: skip


def test_r8_the_payment_for_a_misdraw_can_win_the_game() -> None:
    said = table().say("hand\nchips Blue 120 before the box was there")
    assert said.say("Blue misdraw").scores == {"Red": 150, "Blue": 0}
    assert said.paid == [("Blue", "Red", 30, "misdraw")]
    assert said.state.effect.points == 50
    assert said.state.winner == "Red"
    assert said.next_lead is None


def test_r9_with_three_players_the_right_hand_neighbour_pays() -> None:
    said = table("One Two Three").say("hand\nThree 5-5\nOne 0-5")
    assert said.paid == [("Three", "One", 10, "count")]
    said = table("One Two Three").say("hand\nThree 0-0\nOne 0-6\nTwo 6-6\nThree 0-5")
    assert counted_in(said.state).count == 17
    said = table("One Two Three").say("hand\nTwo 0-0\nThree 0-5")
    assert said.paid == [("Two", "Three", 5, "count")]
    said = table("One Two Three").say("hand\nOne 6-6\nOne out\nTwo pips 20\nThree pips 8")
    assert said.paid == [("Three", "One", 10, "out")]


def test_r10_with_four_players_the_opposite_seat_pays() -> None:
    said = table("One Two Three Four").say("hand\nFour 6-6\nOne 6-3")
    assert said.paid == [("Three", "One", 15, "count")]


def test_r11_the_last_tile_scores_its_count_and_the_bonus() -> None:
    said = table().say("hand\nchips Blue 130 so far\nRed 5-5\nRed out\nBlue pips 12")
    assert said.scores["Red"] == 150
    assert said.state.winner == "Red"


def test_r12_a_payment_is_capped() -> None:
    said = table().say("hand\nchips Blue 145 so far\nRed 5-5")
    assert said.state.effect.points == 10
    assert said.paid == [("Blue", "Red", 5, "count")]
    assert said.state.winner == "Red"


def test_r13_a_play_is_ambiguous_if_its_results_differ() -> None:
    said = table().say("hand\nRed 0-0\nBlue 0-1\nRed 0-2\nBlue 1-3\nRed 3-0 ends 0 2")
    with pytest.raises(AmbiguousEntry) as question:
        said.say("Blue 0-4")
    choices = question.value.choices
    assert [(choice.makes.ends, choice.makes.count) for choice in choices] == [
        ((0, 2, 4), 6),
        ((2, 4), 6),
    ]
    before = said.state
    for choice in choices:
        said.state = before
        assert counted_in(said.say(str(choice.entry)).state).ends == choice.makes.ends


# ---------------------------------------------------------------- dealing and leading


def test_4_the_first_lead_is_a_double() -> None:
    assert "double" in refused(table().say("hand"), "Red 6-4")
    assert table().say("hand\nBlue 4-4").state.to_move == "Red"
    assert table().say("hand").state.to_move is None


def test_4_the_named_seat_leads() -> None:
    assert refused(table().say("hand lead Red"), "Blue 6-6") == "Red leads, not Blue"


def test_4_payments_for_misdraws_stand_after_a_redeal() -> None:
    said = table().say("hand\nRed misdraw\nredeal")
    assert said.scores == {"Red": 0, "Blue": 50}
    assert said.say("Red misdraw").scores == {"Red": 0, "Blue": 100}
    assert "highest double" in refused(won_hand(table()).say("hand"), "redeal")


def test_4_a_rematch_may_rotate_the_lead() -> None:
    said = table(rotate_lead="on").say("hand lead Blue\nBlue 6-4")
    assert said.paid == [("Red", "Blue", 10, "count")]


def test_5_the_winner_leads_any_tile() -> None:
    said = won_hand(table())
    assert said.next_lead == "Red"
    assert "Red leads" in refused(said, "hand lead Blue")
    assert said.say("hand\nRed 6-4").paid == [("Blue", "Red", 10, "count")]


@pytest.mark.parametrize(("seats", "each"), [("A B", 7), ("A B C", 6), ("A B C D", 5)])
def test_2_each_player_is_dealt_the_chosen_number_of_tiles(seats: str, each: int) -> None:
    hand = table(seats).say("hand").state.board.hand
    assert set(hand.round.held.values) == {each}
    assert hand.round.boneyard == 28 - each * len(seats.split())


@pytest.mark.parametrize("deal", ["2", "10", "x", "9"])
def test_2_impossible_deals_are_refused(deal: str) -> None:
    with pytest.raises(EntryError, match="deal"):
        table("A B C D", deal=deal)


# ---------------------------------------------------------------- play


def test_7_turns_pass_to_the_left() -> None:
    said = table("A B C").say("hand\nB 6-6")
    assert refused(said, "A 6-5") == "C is to move, not A"


def test_7_a_pass_with_tiles_left_gives_a_notice() -> None:
    said = table().say("hand\nRed 6-6\nBlue pass")
    assert said.notices == ["pass-with-boneyard"]
    assert said.state.effect.notices[0]["boneyard"] == 14


def test_counted_tiles_never_refuse_an_entry() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw 28")
    assert said.notices == ["count-doubtful"]
    assert said.say("Blue 6-5\nBlue out").notices == ["count-doubtful"]


def test_a_seat_without_counted_tiles_is_out() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue 6-5\nRed 5-4\nBlue 4-3\nRed 3-2")
    assert said.state.board.hand.round.out == "Red"
    settled = said.say("Blue pips 7")
    assert settled.paid == [("Blue", "Red", 5, "out")]


def test_a_seat_presumed_out_is_not_out_if_it_moves_next() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue 6-5\nRed 5-4\nBlue 4-3\nRed 3-2\nBlue 2-1")
    assert said.notices == ["count-doubtful"]
    assert said.state.effect.notices[0]["seat"] == "Red"
    assert said.say("Red draw").state.board.hand.round.held["Red"] == 1


@pytest.mark.parametrize("shown", ["holds 2-1", "pips 3"])
def test_a_seat_presumed_out_is_not_out_if_it_shows_tiles(shown: str) -> None:
    """Counted tiles never refuse an entry: the last player still holds some, so the hand was
    blocked."""
    told = "hand\nRed 6-6\nBlue 6-5\nRed 5-4\nBlue 4-3\nRed 3-2"
    said = table(deal="3").say(f"{told}\nRed {shown}")
    assert said.notices == ["count-doubtful"]
    assert said.state.effect.notices[0]["seat"] == "Red"
    assert said.say("Blue pips 12").paid == [("Blue", "Red", 10, "blocked")]
    assert "is out and has no tiles" in refused(
        table(deal="3").say(f"{told}\nRed out"), f"Red {shown}"
    )


@pytest.mark.parametrize("name", ["high-five", "five-up", "all-fives"])
def test_a_seat_presumed_out_can_show_tiles_after_another_seat_did(
    name: str,
) -> None:
    """The seat's next entry proves that it holds tiles, even after another seat's holding was
    entered."""
    deal = {"five-up": "9", "all-fives": "5", "high-five": "3"}[name]
    lays = ("6-6", "6-5", "5-5", "5-4", "4-4", "4-3", "3-3", "3-2", "2-2")[: int(deal)]
    told = [f"A {tile}\nB pass\nC pass" for tile in lays[:-1]]
    text = "\n".join(["hand lead A", *told, f"A {lays[-1]}"])
    said = table("A B C", name=name, deal=deal).say(f"{text}\nB pips 11")
    said.say("A holds 0-0 0-1")
    assert "count-doubtful" in said.notices
    assert said.state.board.hand.round.out is None
    said.say("C pips 20")
    assert [(paid[1], paid[3]) for paid in said.paid] == [("A", "blocked")]
    sure = table("A B C", name=name, deal=deal).say(f"{text}\nA out\nB pips 11")
    assert "is out and has no tiles" in refused(sure, "A holds 0-0 0-1")


@pytest.mark.parametrize("shown", ["holds 4-4", "pips 8"])
def test_a_seat_presumed_out_is_not_out_if_it_shows_tiles_in_a_call(
    shown: str,
) -> None:
    told = "hand lead Red\nRed 6-6\nBlue 6-5\nRed draw\nRed 6-1\nBlue 1-1\nRed 1-2\nBlue draw"
    said = table(deal="3").say(f"{told}\nBlue 2-3\nRed 3-4")
    assert said.state.board.hand.round.out == "Red"
    said.say(f"bogus Red by Blue turn 3\nRed {shown}")
    assert said.notices == ["count-doubtful"]
    said.say("rule Red clear")
    assert said.state.to_move == "Blue"
    assert said.say("Blue draw").state.to_move == "Blue"


@pytest.mark.parametrize("name", ["high-five", "five-up", "all-fives"])
def test_the_double_blank_is_a_tile_although_it_has_no_pips(name: str) -> None:
    """A seat that shows it isn't out: the hand was blocked, and the highest double leads next."""
    said = table("A B C", name=name, deal={"five-up": "9"}.get(name, "5"))
    lays = ("6-6", "6-5", "5-5", "5-4", "4-4", "4-3", "3-3", "3-2", "2-2")
    told = [f"A {tile}" for tile in lays[: int(said.state.options["deal"])]]
    said.say("hand lead A\n" + "\nB pass\nC pass\n".join(told))
    assert said.state.board.hand.round.out == "A"
    said.say("A holds 0-0\nB pips 7\nC pips 20")
    assert said.state.board.hand.round.out is None
    assert [why for *_, why in said.paid] == ["blocked"]
    assert said.next_lead == "big-6"


def test_the_double_blank_shown_in_a_call_lets_the_hand_go_on() -> None:
    told = "hand lead Red\nRed 6-6\nBlue 6-5\nRed draw\nRed 6-1\nBlue 1-1\nRed 1-2\nBlue draw"
    said = table(deal="3").say(f"{told}\nBlue 2-3\nRed 3-4\nbogus Red by Blue turn 3")
    said.say("Red holds 0-0")
    assert said.notices == ["count-doubtful"]
    assert said.say("rule Red clear").state.to_move == "Blue"


def test_a_seat_that_is_certainly_out_cannot_show_tiles_in_a_call() -> None:
    told = "hand lead Red\nRed 6-6\nBlue 6-5\nRed draw\nRed 6-1\nBlue 1-1\nRed 1-2\nBlue draw"
    said = table(deal="3").say(f"{told}\nBlue 2-3\nRed 3-4\nRed out\nbogus Red by Blue turn 3")
    assert "is out and has no tiles" in refused(said, "Red pips 8")
    said.say("Red holds\nrule Red clear\nBlue pips 7")
    assert said.paid == [("Blue", "Red", 5, "out")]


def test_refusals_have_clear_messages() -> None:
    said = table().say("hand\nRed 6-6\nBlue 6-5")
    assert refused(said, "Red 6-5") == "5-6 is already on the table: Blue laid it on the 1st turn"
    assert refused(said, "Red 1-2") == "1-2 doesn't fit: the open ends are 5, 6"
    assert refused(said, "Red 6-4 count 8") == "4-6 makes 4 5 = 9: look at the ends again"
    assert refused(said, "Blue draw") == "Red is to move, not Blue"


def test_a_refusal_names_an_earlier_play_that_may_be_wrong() -> None:
    said = table().say("hand\nRed 6-6\nBlue 6-5\nRed 6-4\nBlue 4-2")
    assert refused(said, "Red ends 3 4") == (
        "No tile makes the ends 3 4. It would fit if Blue's 4-2 (2nd turn) was another tile"
    )
    assert "Blue's 6-5 (1st turn)" in refused(said, "Red ends 1 2 3")


def test_a_refusal_suggests_keying_an_exposed_double_twice() -> None:
    said = table().say("hand\nRed 6-6\nBlue 6-3\nRed 6-4")
    assert refused(said, "Blue ends 3 4") == (
        "Is the 3 or the 4 a double? Key an open double twice"
    )
    assert counted_in(said.say("Blue ends 4 3 3").state).count == 10


def test_an_insisted_entry_is_accepted() -> None:
    said = table().say("hand\nRed 6-6\nBlue 5-4 ends 4 6 6 !")
    assert counted_in(said.state).count == 16
    assert "ends, or the count" in refused(said, "Red 6-3")
    assert counted_in(said.say("Red 6-3 ends 3 4").state).count == 7
    assert said.say("Blue count 10").paid == [("Red", "Blue", 10, "count")]


def test_a_first_score_of_ten_may_be_required() -> None:
    said = table(first_score="10").say("hand\nRed 0-0\nBlue 0-5")
    assert (counted_in(said.state).count, said.state.effect.points, said.paid) == (5, 0, [])
    assert said.say("Red 0-1").paid == []


# ---------------------------------------------------------------- the end of a hand


def test_13_every_seat_passing_blocks_the_hand() -> None:
    said = table(deal="3").say("hand\nRed 6-6\nBlue draw 22\nBlue pass\nRed pass")
    assert said.state.board.hand.round.stage.value == "blocked"
    assert said.say("Red pips 3\nBlue pips 60").paid == [("Blue", "Red", 60, "blocked")]


def test_15_16_with_four_players_a_tie_in_a_block_pays_nothing() -> None:
    said = table("A B C D").say("hand\nA 6-6\nblocked\nA pips 9\nB pips 3\nC pips 20\nD pips 12")
    assert said.paid == [("D", "B", 10, "blocked")]
    tie = table("A B C D").say("hand\nA 6-6\nblocked\nA pips 3\nB pips 3\nC pips 20\nD pips 12")
    assert tie.paid == []


def test_holdings_are_checked() -> None:
    said = table().say("hand\nRed 6-6\nRed out")
    assert "is on the table" in refused(said, "Blue holds 6-6")
    assert "is out" in refused(said, "Red pips 3")
    said.say("Blue holds 1-2 5-4")
    assert said.paid == [("Blue", "Red", 10, "out")]
    assert "already showed 12 pips" in refused(said, "Blue pips 13")
    assert said.say("Blue pips 12").paid == []


def test_the_next_hand_cannot_be_dealt_before_the_holding_is_shown() -> None:
    assert refused(table().say("hand\nRed 6-6\nRed out"), "hand") == "First show what Blue holds"
    assert refused(table().say("hand\nRed 6-6"), "hand") == "This hand is not over yet"


BLOCKED_BY_ITSELF = "hand\nRed 6-6\nBlue draw 10\nBlue pass\nRed pass"


@pytest.mark.parametrize("name", ["high-five", "five-up"])
def test_13_blocked_may_be_entered_after_all_have_passed(name: str) -> None:
    said = table("Red Blue", name, deal="9").say(BLOCKED_BY_ITSELF + "\nblocked")
    assert (said.paid, said.notices) == ([], [])
    assert "Only a hand that is being played" in refused(said, "blocked")
    paid = said.say("Red pips 40\nBlue pips 116").paid
    assert paid == [(None if name == "five-up" else "Blue", "Red", 115, "blocked")]


def test_13_blocked_is_refused_once_a_holding_was_shown() -> None:
    said = table(deal="9").say(BLOCKED_BY_ITSELF + "\nRed pips 40")
    assert "Only a hand that is being played" in refused(said, "blocked")


@pytest.mark.parametrize("seats", ["A B", "A B C", "A B C D"])
def test_13_passes_with_tiles_left_to_draw_never_block(seats: str) -> None:
    order = seats.split()
    said = table(seats, deal="3").say("hand\nA 6-6")
    for turn in range(4 * len(order)):
        said.say(f"{order[(turn + 1) % len(order)]} pass")
        assert said.notices == ["pass-with-boneyard"]
    assert said.state.to_move == order[1]
    # The last tile is drawn: only passes after that count towards a block.
    drawn = len(DOUBLE_SIX) - 3 * len(order)
    said.say(f"{order[1]} draw {drawn}")
    for seat in order[1:]:
        said.say(f"{seat} pass")
        assert said.state.to_move is not None
    assert said.say("A pass").state.to_move is None


def test_13_passes_block_when_only_undrawable_tiles_are_left() -> None:
    said = table(deal="3", leave="2").say("hand\nRed 6-6\nBlue draw 20\nBlue pass\nRed pass")
    assert said.state.to_move is None
