"""Dominó by RULES, section 8: each of its cases, and each rule that no case covers."""

from fractions import Fraction

import pytest

from companion.core.errors import EntryError, RuleError
from companion.games.entries import TotalPipsShown
from companion.games.game import AmbiguousEntry
from companion.games.line.hand import hand_of
from companion.games.round import Stage
from tests.catalog import GAMES
from tests.playing import TextGame, refused
from tests.playing import table as any_table

FOUR = "Anna Ben Cleo Dan"
"""Anna and Cleo play against Ben and Dan."""


def table(seats: str = FOUR, **options: str) -> TextGame:
    return any_table(seats, "domino", **options)


def scored(**points: int) -> dict[str, int]:
    """Everybody's score, given the points of Anna's side and of Ben's."""
    anna, ben = points.get("anna", 0), points.get("ben", 0)
    return {"Anna": anna, "Ben": ben, "Cleo": anna, "Dan": ben}


OUT = "hand\nAnna out"
"""A hand for which only its end is entered."""
BLOCKED = "hand lead Anna\nAnna 6-6\nBen 6-5\nCleo 5-5\nblocked"
"""Cleo played last, and Dan is next."""


def block(held: str, **options: str) -> TextGame:
    """A blocked hand in which the four seats hold these pips."""
    said = table(**options).say(BLOCKED)
    for seat, pips in zip(FOUR.split(), held.split(), strict=True):
        said.say(f"{seat} pips {pips}")
    return said


# ---------------------------------------------------------------- [1] seats, sets and options


@pytest.mark.parametrize(
    ("named", "seats", "values"),
    [
        ("home", FOUR, ("on", 200, "side", "nobody", "all", 0, "off", "hand")),
        ("C", FOUR, ("on", 200, "duel", "closer", "all", 25, "on", "hand")),
        ("individual", FOUR, ("off", 100, "seat", "nobody", "all", 0, "off", "50")),
        ("individual", "A B C", ("off", 100, "seat", "nobody", "all", 0, "off", "50")),
        ("individual", "A B", ("off", 100, "seat", "nobody", "all", 0, "off", "50")),
    ],
)
def test_named_sets_match_their_columns_in_the_rules(
    named: str, seats: str, values: tuple[int | str, ...]
) -> None:
    names = [
        "partners",
        "target",
        "block-by",
        "block-tie",
        "block-counts",
        "capicua",
        "passes",
        "renuncio",
    ]
    options = table(seats, set=named).state.options
    assert tuple(options[name] for name in names) == values
    usual = table(seats).state.options["set"]
    assert usual == ("home" if len(seats.split()) == 4 else "individual")


@pytest.mark.parametrize(
    ("seats", "options", "wrong"),
    [
        ("A B C", {"set": "home"}, "Rules home are for 4 players"),
        ("A B", {"set": "C"}, "Rules C are for 4 players"),
        ("A B", {"partners": "on"}, "Partners are for four players"),
        (FOUR, {"partners": "off"}, "only with partners"),
    ],
)
def test_contradictory_house_rules_are_refused(
    seats: str, options: dict[str, str], wrong: str
) -> None:
    with pytest.raises(RuleError, match=wrong):
        table(seats, **options)


def test_draws_returns_redeals_and_score_only_entries_are_refused() -> None:
    said = table().say("hand\nAnna 6-6")
    for wrong in ("Ben draw", "Ben points 5", "redeal", "Ben return"):
        with pytest.raises(EntryError):
            said.say(wrong)


# ---------------------------------------------------------------- [2] the lead


def test_the_double_six_leads_the_first_hand() -> None:
    said = table()
    assert said.next_lead == "big-6"
    for wrong in ("5-5", "6-5", "ends 5 5", "count 10"):
        with pytest.raises(RuleError):
            table().say(f"hand\nBen {wrong}")
    assert "double six leads" in refused(table().say("hand"), "Ben 5-5")
    for lead in ("6-6", "ends 6 6", "count 12", "5-5!"):
        assert table().say(f"hand\nBen {lead}").state.to_move == "Cleo"


def test_any_tile_may_be_the_highest_if_not_all_are_dealt() -> None:
    for tile in ("5-5", "6-5", "5-4"):
        assert table("A B C").say(f"hand\nB {tile}").state.to_move == "C"
    said = table("A B C").say("hand lead C")
    assert "leads" in refused(said, "B 5-5")


def test_later_hands_are_led_by_the_winner_or_the_next_seat() -> None:
    assert table().say(f"{OUT}\npips 22\nhand\nAnna 3-1").state.to_move == "Ben"
    hand = "hand lead Ben\nBen 6-6\nCleo 6-5\nCleo out\npips 22"
    assert table().say(hand).next_lead == "Cleo"
    assert table(lead="rotate").say(hand).next_lead == "Cleo"
    hand = "hand lead Ben\nBen 6-6\nBen out\npips 22"
    assert table(lead="rotate").say(hand).next_lead == "Cleo"
    assert table().say(hand).next_lead == "Ben"


def test_after_a_block_the_seat_with_the_fewest_pips_of_the_winning_side_leads() -> None:
    assert block("5 9 4 20").next_lead == "Cleo"
    assert block("5 9 6 20").next_lead == "Anna"
    assert block("7 9 7 20").next_lead == "Cleo"  # Cleo comes first after Anna, who led
    assert block("5 9 4 20", lead="rotate").next_lead == "Ben"


def test_after_a_hand_without_a_winner_the_lead_moves_on_by_one_seat() -> None:
    said = block("6 10 7 3")
    assert (said.paid, said.next_lead) == ([], "Ben")


def test_the_deal_names_the_leader_if_the_last_one_is_unknown() -> None:
    said = table().say("hand\nblocked")
    for seat in FOUR.split():
        said.say(f"{seat} pips 5")
    assert said.next_lead is None
    assert "name that seat" in refused(said, "hand")
    assert said.say("hand lead Dan\nDan 3-1").state.to_move == "Anna"


# ---------------------------------------------------------------- [3] play


def test_nothing_scores_during_play_and_no_double_is_a_spinner() -> None:
    said = table().say("hand\nAnna 6-6\nBen 6-4\nCleo 6-5")
    assert said.scores == scored()
    assert hand_of(said.state).line.known_ends == (4, 5)
    assert "doesn't fit" in refused(said, "Dan 6-3")


# ---------------------------------------------------------------- [4] out


def test_going_out_scores_all_other_pips_including_the_partners() -> None:
    shown = f"{OUT}\nBen pips 7\nDan pips 12\nCleo pips 3"
    assert table().say(shown).paid == [(None, "Anna", 22, "out")]
    without = f"{OUT}\nBen pips 7\nDan pips 12"
    assert table(partner_counts="no").say(without).paid == [(None, "Anna", 19, "out")]
    assert table().say(shown).scores == scored(anna=22)


def test_a_hand_can_be_entered_as_only_its_end_and_the_total_pips() -> None:
    said = table().say(f"{OUT}\npips 22")
    assert said.paid == [(None, "Anna", 22, "out")]
    assert said.next_lead == "Anna"
    assert table(partner_counts="no").say(f"{OUT}\npips 19").scores == scored(anna=19)


def test_total_pips_need_a_seat_that_is_out() -> None:
    assert "seat by seat" in refused(table().say(BLOCKED), "pips 30")
    assert "seat by seat" in refused(table().say("hand"), "pips 30")
    for wrong in ("pips", "pips 169", "pips 3 4", "pips x"):
        with pytest.raises(EntryError):
            table().say(f"{OUT}\n{wrong}")


def test_an_entry_of_total_pips_implies_that_the_last_player_went_out() -> None:
    """The entry for going out may be lost."""
    said, rules = table().say("hand\nAnna 6-6\nBen 6-5"), GAMES["domino"]
    pips = TotalPipsShown(22)
    state = rules.apply(rules.state_before(said.state, pips), pips)
    assert dict(state.scores.items()) == scored(ben=22)


def test_holdings_that_were_not_needed_are_kept() -> None:
    said = table().say(f"{OUT}\npips 22\nBen holds 1-2")
    holding = hand_of(said.state).round.shown[said.state.seats.order[1]]
    assert holding is not None
    assert holding.pips == 3


# ---------------------------------------------------------------- [5] blocked


@pytest.mark.parametrize(
    ("options", "held", "paid"),
    [
        ({}, "6 10 7 10", ("Anna", 33)),
        ({"block_counts": "others"}, "6 10 7 10", ("Anna", 20)),
        ({}, "6 10 7 3", None),
        ({}, "10 9 9 11", ("Cleo", 39)),
        ({"block_by": "seat"}, "20 10 9 10", ("Cleo", 49)),
        ({"block_by": "seat"}, "9 10 9 30", ("Cleo", 58)),  # partners are no tie
        ({"block_by": "seat"}, "20 9 9 10", None),
        ({"block_by": "seat", "block_tie": "closer"}, "20 9 9 10", ("Cleo", 48)),
        ({"block_by": "seat", "block_tie": "closer"}, "9 9 20 10", ("Anna", 48)),
        ({"block_tie": "closer"}, "6 10 7 3", ("Anna", 26)),
        ({"block_by": "duel"}, "1 30 9 8", ("Dan", 48)),
        ({"block_by": "duel"}, "30 1 7 8", ("Cleo", 46)),
        ({"block_by": "duel"}, "30 1 8 8", None),
        ({"set": "C"}, "30 1 8 8", ("Cleo", 47)),
        ({"set": "C", "block_counts": "others"}, "30 1 8 8", ("Cleo", 9)),
    ],
)
def test_the_options_decide_the_winner_and_score_of_a_block(
    options: dict[str, str], held: str, paid: tuple[str, int] | None
) -> None:
    said = block(held, **options)
    assert said.paid == ([] if paid is None else [(None, *paid, "blocked")])


def test_a_tie_scores_nothing_if_the_last_player_is_unknown() -> None:
    said = any_table(FOUR, "domino", set="individual", block_tie="closer").say(BLOCKED)
    for seat, pips in zip(FOUR.split(), (8, 8, 9, 20), strict=True):
        said.say(f"{seat} pips {pips}")
    assert said.paid == []


def test_four_passes_block_the_hand_without_another_entry() -> None:
    said = table().say("hand\nAnna 6-6\nBen pass\nCleo pass\nDan pass\nAnna pass")
    assert hand_of(said.state).round.stage is Stage.BLOCKED
    assert said.say("blocked").paid == []


def test_the_side_with_fewer_pips_wins_if_the_last_player_is_unknown() -> None:
    said = table(set="C").say("hand\nblocked")
    for seat, pips in zip(FOUR.split(), (1, 30, 9, 8), strict=True):
        said.say(f"{seat} pips {pips}")
    assert said.paid == [(None, "Anna", 48, "blocked")]


# ---------------------------------------------------------------- [6] capicúa and passes


FOURS = "Anna 6-6\nBen 6-4\nCleo 6-5\nDan 5-4 ends 4 4\n"


@pytest.mark.parametrize(
    ("before", "last", "ends", "extra"),
    [
        ("Anna 6-6\nBen 6-4\nCleo 6-2", "Dan 4-2", "2 2", 25),
        ("Anna 6-6\nBen 6-4\nCleo 6-2", "Dan 2-5", "4 5", 0),
        ("Anna 6-6\nBen 6-4\nCleo 6-0", "Dan 4-0", "0 0", 0),
        (FOURS, "Anna 4-4", "4 4 4", 0),
        (FOURS, "Anna 4-2", "2 4", 0),
    ],
)
def test_capicua_scores_if_the_last_tile_fits_both_ends(
    before: str, last: str, ends: str, extra: int
) -> None:
    seat = last.split(maxsplit=1)[0]
    bonus = [(None, seat, extra, "capicua")] if extra else []
    for text in (f"{last} ends {ends}", f"{seat} ends {ends}"):
        said = table(set="C").say(f"hand\n{before}\n{text}\n{seat} out\npips 30")
        assert said.paid == [(None, seat, 30, "out"), *bonus]


def test_capicua_scores_nothing_by_the_home_rules() -> None:
    said = table().say("hand\nAnna 6-6\nBen 6-4\nCleo 6-2\nDan 4-2 ends 2 2\nDan out\npips 9")
    assert said.paid == [(None, "Dan", 9, "out")]


def passed(text: str, **options: str) -> TextGame:
    return table(**{"set": "C", **options}).say(f"{OUT}\npips 0\n{text}")


def test_a_pass_right_after_the_lead_scores_for_the_leaders_side() -> None:
    said = passed("hand\nAnna 5-5\nBen pass")
    assert said.paid == [(None, "Anna", 25, "passes")]
    assert said.scores == scored(anna=25)
    assert passed("hand\nAnna 5-4\nBen pass").paid == [(None, "Anna", 50, "passes")]
    assert passed("hand\nAnna ends 5 5\nBen pass").paid == [(None, "Anna", 25, "passes")]
    assert passed("hand\nAnna 5-4\nBen pass", passes="off").paid == []
    assert passed("hand\nAnna 5-4\nBen 5-3\nCleo pass").paid == []


def test_a_lead_entered_by_count_is_ambiguous_if_it_may_be_a_double() -> None:
    with pytest.raises(AmbiguousEntry, match="Enter the open ends") as unclear:
        passed("hand\nAnna count 10")
    choices = [str(choice.entry) for choice in unclear.value.choices]
    assert choices == ["Anna ends 4 6 count 10", "Anna ends 5 5 count 10"]
    assert passed("hand\nAnna count 11\nBen pass").paid == [(None, "Anna", 50, "passes")]
    assert passed("hand\nAnna count 10", passes="off").state.to_move == "Ben"


def test_three_passes_in_a_row_score_for_the_last_player() -> None:
    said = passed("hand\nAnna 5-4\nBen 5-3\nCleo pass\nDan pass\nAnna pass")
    assert said.paid == [(None, "Ben", 25, "passes")]
    said = passed("hand\nAnna 5-4\nBen pass\nCleo pass\nDan pass")
    assert said.scores == scored(anna=75)
    assert said.say("Anna pass").scores == scored(anna=75)


def test_passes_on_a_blocked_line_score_nothing() -> None:
    said = passed(
        "hand\nAnna 5-5\nBen 5-0\nCleo 0-1\nDan 1-5 ends 5 5 5\nAnna 5-2 ends 2 5\nBen 2-3\n"
        "Cleo 3-5 ends 5 5\nDan 5-4\nAnna 4-6\nBen 6-5 ends 5 5"
    )
    assert said.notices == ["block-known"]
    assert said.say("Cleo pass\nDan pass\nAnna pass").scores == scored()


# ---------------------------------------------------------------- [7] the target


def test_reaching_the_target_during_a_hand_does_not_end_the_game() -> None:
    said = passed("hand\nAnna out\npips 160\nhand\nAnna 5-4\nBen pass")
    assert (said.scores, said.state.winners) == (scored(anna=210), ())
    assert said.say("time up").state.winners == ()
    assert said.say("Anna out\npips 9").state.winners == ("Anna", "Cleo")


def test_the_higher_score_past_the_target_wins_and_play_goes_on_after_a_tie() -> None:
    said = table().say(f"{OUT}\npips 150\nhand\nBen out\npips 168\nhand\nAnna out\npips 18")
    assert (said.scores, said.state.winners) == (scored(anna=168, ben=168), ())
    said = table(target="150").say(f"{OUT}\npips 149\nhand\nBen out\npips 149")
    said = said.say("hand\nBen out\npips 10")
    assert said.state.winners == ("Ben", "Dan")
    level = table(target="100").say(f"{OUT}\npips 90\nhand\nBen out\npips 90")
    assert level.say("hand\nAnna out\npips 0").state.winners == ()


def test_time_up_ends_the_game_at_the_hands_end() -> None:
    said = table().say(f"{OUT}\npips 22\nhand\ntime up\nBen out\npips 10")
    assert said.state.winners == ("Anna", "Cleo")


# ---------------------------------------------------------------- [8] renuncio

RENUNCIO = """hand
Anna 6-6
Ben 6-4
Cleo 6-2
Dan pass
Anna 2-2
Ben 2-5
Cleo 4-4
Dan 4-1"""
"""Dan passed with 4-1 in hand. 54 pips are on the table: 12 + 10 + 8 + 4 + 7 + 8 + 5."""


def test_a_renuncio_gives_the_other_side_all_pips_that_are_not_on_the_table() -> None:
    said = table().say(RENUNCIO).say("Anna 1-5 ends 1 1")
    said.say("bogus Dan by Anna turn 4")
    assert said.state.board.ruling.verdict == "proven"
    assert said.paid == [(None, "Anna", 108, "bogus")]
    assert said.scores == scored(anna=108)
    assert said.next_lead == "Anna"
    assert hand_of(said.state).round.stage is Stage.OVER


def test_the_caller_leads_next_and_without_partners_scores_fifty() -> None:
    said = table(renuncio="50").say(RENUNCIO).say("bogus Dan by Cleo turn 4")
    assert (said.paid, said.next_lead) == ([(None, "Cleo", 50, "bogus")], "Cleo")
    said = any_table(FOUR, "domino", set="individual").say(RENUNCIO).say("bogus Dan by Ben")
    assert said.scores == {"Anna": 0, "Ben": 50, "Cleo": 0, "Dan": 0}


def test_a_renuncio_cancels_the_score_for_the_hands_end_and_may_undo_a_win() -> None:
    said = table().say(f"{OUT}\npips 168\n{RENUNCIO}")
    said.say("Dan out\npips 168")
    assert said.scores == scored(anna=168, ben=168)
    said.say("bogus Dan by Anna turn 4")
    assert said.paid[0] == (None, "Dan", -168, "out")
    assert said.scores == scored(anna=168 + 114)
    assert said.state.winners == ("Anna", "Cleo")


def test_an_honest_pass_costs_nothing_and_the_hand_goes_on() -> None:
    said = table().say("hand\nAnna 6-6\nBen pass\nbogus Ben by Anna")
    said.say("Ben holds 1-1 1-2 1-3 1-4 1-5 2-2 2-3")
    assert said.state.board.ruling.result == "clear"
    assert (said.scores, said.state.to_move) == (scored(), "Cleo")


def test_pips_off_the_table_are_entered_for_a_hand_known_only_by_counts() -> None:
    said = table().say("hand\nAnna count 12\nBen pass\nbogus Ben by Anna\nrule Ben bogus")
    assert said.scores == scored(anna=156)
    text = "hand\nAnna count 12\nBen count 16\nCleo count 6\nDan count 8\nAnna pass"
    said = table().say(f"{text}\nbogus Anna by Ben")
    assert "not on the table" in refused(said, "rule Anna bogus")
    said.say("pips 120\nrule Anna bogus")
    assert said.scores == scored(ben=120)


def test_a_renuncio_has_no_penalty_if_the_house_rules_set_none() -> None:
    said = table(renuncio="off").say("hand\nAnna 6-6\nBen pass")
    assert "option renuncio" in refused(said, "bogus Ben by Anna")
    assert said.state.board.watched.evidence is None


# ---------------------------------------------------------------- results that people type


@pytest.mark.parametrize(
    ("scores", "doubted"),
    [((200, 40), False), ((368, 201), False), ((200, 200), True), ((199, 0), True)],
)
def test_implausible_results_are_doubted(scores: tuple[int, int], doubted: bool) -> None:
    game, options = GAMES["domino"], table().state.options
    found = game.doubt([Fraction(score) for score in scores], options, True)
    assert (found is not None) is doubted
