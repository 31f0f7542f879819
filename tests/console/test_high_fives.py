"""High Fives at the box: what each key does, and whole games."""

from statistics import median

import pytest

from companion.console.high_fives import ChooseCapture
from companion.core.seats import Seat
from companion.games.high_fives.tableau import pairs_in
from companion.record.rows import Setting
from tests.console.fives_typist import (
    OPEN,
    entered,
    presses_of_a_taker,
    recorded_fives,
    set_up,
    type_fives,
    until_many_pairs,
)
from tests.console.rig import Rig
from tests.manual.reading import reads

# ---------------------------------------------------------------- whole games


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("seed", range(3))
def test_a_game_keyed_on_the_box_matches_the_rules(players: int, seed: int) -> None:
    rig, expected = type_fives(seed, players)
    assert not rig.refused
    assert rig.state.scores == expected.scores
    assert rig.state.winners == expected.winners != ()
    assert rig.name() == "GameOver"
    assert median(rig.costs) <= 140
    assert rig.state.effect.notices == expected.effect.notices


def test_a_press_changes_few_bytes_of_the_picture() -> None:
    costs = [cost for players in (2, 4, 8) for cost in type_fives(1, players)[0].costs]
    assert median(costs) <= 129


@pytest.mark.parametrize("players", [2, 4, 7, 8])
def test_a_typical_turn_takes_four_presses(players: int) -> None:
    """The player always takes the most valuable capture, and a pair whenever the tableau has
    one."""
    rig = set_up(players)
    assert median(presses_of_a_taker(rig, recorded_fives(players), players)) <= 4
    assert rig.name() == "GameOver"


def test_a_turn_keyed_as_points_takes_two_presses() -> None:
    rig = set_up(2, "points").press("1 3 OK")
    assert entered(rig) == "Red points 3"


# ---------------------------------------------------------------- key by key


def test_draw_adds_ten_to_the_next_digit() -> None:
    rig = set_up(2).press(OPEN + "4 DRAW 5 OK 0")
    assert entered(rig) == "Red 4-15 takes 10-15"
    rig = set_up(2).press(OPEN + "7 DRAW 8")
    assert reads(rig.frame, "0 to 5 only")
    assert reads(rig.press("5").frame, "7-15")


def test_a_second_draw_cancels_the_first() -> None:
    assert reads(set_up(2).press(OPEN + "DRAW DRAW 4 6").frame, "4-6")


def test_ok_takes_the_only_tile_that_can_be_taken() -> None:
    rig = set_up(2).press(OPEN + "3 8")
    assert reads(rig.frame, "takes 8-9")
    assert entered(rig.press("OK 0")) == "Red 3-8 takes 8-9"


def test_zero_takes_nothing_and_a_second_zero_cancels_that() -> None:
    rig = set_up(2).press(OPEN + "3 8 0")
    assert reads(rig.frame, "takes nothing")
    assert reads(rig.press("0").frame, "takes 8-9")
    assert entered(rig.press("0 OK 0")) == "Red 3-8"


def test_several_captures_are_listed_most_valuable_first() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK")
    assert isinstance(rig.screen, ChooseCapture)
    assert rig.screen.lines(rig.view) == ("nothing", "10-15: 5 points", "8-9: 0 points")
    assert entered(rig.press("2 0")) == "Red 8-10 takes 8-9"
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 0 0")
    assert entered(rig) == "Red 8-10"
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK OK OK")
    assert entered(rig) == "Red 8-10 takes 10-15 pair 0-1 1-2", "OK takes what is on top"


def compulsory(keys: str = "") -> Rig:
    """A game in which capturing is compulsory, an option chosen at the set-up; its first hand is
    dealt."""
    rig = Rig()
    digit = list(rig.games).index("high-fives") + 1
    rig.press(f"{digit} 2 1 MENU 3 2 BACK OK 1 1")
    assert rig.state.options["capture"] == "compulsory"
    return rig.press(f"0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK {keys}")


def test_compulsory_captures_refuse_0_and_name_the_tile() -> None:
    rig = compulsory("5 9 0")
    assert reads(rig.frame, "is refused")
    assert reads(rig.press("OK").frame, "5-9 can take 8-9")
    assert reads(rig.press("OK BACK BACK 5 9").frame, "takes 8-9")
    assert entered(rig.press("OK 0")) == "Red 5-9 takes 8-9"


def test_compulsory_captures_offer_no_answer_that_takes_nothing() -> None:
    rig = compulsory("7 8 OK")
    assert not reads(rig.frame, "nothing")
    assert reads(rig.frame, "7-7: 4 points") and reads(rig.frame, "8-9: 3 points")
    rig.press("1 0")
    assert rig.state.scores[Seat("Red")] == 4


def test_other_hand_sizes_can_be_chosen_and_are_displayed() -> None:
    rig = Rig()
    digit = list(rig.games).index("high-fives") + 1
    rig.press(f"{digit} 2 1 MENU 1")
    rig.press("DRAW DRAW OK BACK OK 1")
    assert rig.state.options["deal"] == 7
    assert reads(rig.frame, "Deal 7 each; 5 face up.")


def test_a_pair_is_offered_after_a_tile_without_capture() -> None:
    rig = set_up(2).press(OPEN + "3 3 OK")
    assert reads(rig.frame, "0 no pair") and reads(rig.frame, "1 0-1 1-2: 0 points")
    assert entered(rig.press("OK")) == "Red 3-3 pair 0-1 1-2"
    assert entered(set_up(2).press(OPEN + "3 3 OK 0")) == "Red 3-3"
    assert not set_up(2).press(OPEN + "3 3 OK BACK").view.game.state.effect.turn


def test_a_pair_with_the_taken_tile_is_not_offered() -> None:
    rig = set_up(2).press(OPEN + "2 3 OK")
    assert entered(rig) == "Red 2-3 takes 1-2", "0-1 lies alone then"


def test_many_pairs_are_chosen_in_two_steps() -> None:
    rig = until_many_pairs(7)
    best, length = pairs_in(rig.state.board.table)[0], rig.view.game.length
    assert reads(rig.frame, f"1 {best[0]}: ")
    assert reads(rig.press("1").frame, f"1 {best[0]} {best[1]}: ")
    assert reads(rig.press("BACK").frame, f"1 {best[0]}: ")
    rig.press("1 1")
    assert rig.view.game.length == length + 1
    assert entered(rig).endswith(f"pair {best[0]} {best[1]}")
    assert "pair" not in entered(until_many_pairs(7).press("0"))
    assert "pair" not in entered(until_many_pairs(7).press("1 0"))


def test_a_tile_seen_before_is_refused_and_holding_ok_keys_points() -> None:
    rig = set_up(2).press(OPEN + "7 7 OK")
    assert reads(rig.frame, "7-7 is already in the tableau")
    rig.press("OK OK!")
    assert rig.name() == "KeyPoints"
    assert entered(rig.press("4 OK")) == "Red points 4"
    assert rig.name() == "KeyPoints", "the tableau is not known any more"


def test_the_menu_switches_a_turn_to_points_and_back() -> None:
    rig = set_up(2).press(OPEN + "MENU 4")
    assert rig.name() == "KeyPoints"
    assert rig.press("BACK").name() == "PlayTile"


def test_ok_without_points_enters_zero() -> None:
    rig = set_up(3, "points").press("2 OK")
    assert entered(rig) == "Blue points 0"
    assert entered(rig.press("1 2 OK")) == "Green points 12"


def test_excessive_points_are_refused_at_once() -> None:
    rig = set_up(3, "points").press("2 OK 1 2 OK 8 9")
    assert reads(rig.frame, "Only 88 of 100 points are left, not 89")
    assert rig.press("OK").view.game.length == 3, "OK has read it"
    assert getattr(rig.screen, "keyed", None) == (8,)
    assert reads(rig.press("BACK 1 0 0").frame, "points are left, not 100")
    assert entered(rig.press("OK BACK BACK 0 8 8 OK")) == "Red points 88"


def test_keying_the_face_up_tiles_is_optional() -> None:
    rig = set_up(2).press("1 PASS")
    assert rig.rows[-1] == Setting("entry", "points")
    assert rig.name() == "KeyPoints"
    rig = set_up(2).press("1 4 PASS")
    assert rig.name() == "KeyTableau", "not with a digit keyed"


def test_a_face_up_tile_keyed_twice_is_refused_at_once() -> None:
    rig = set_up(2).press("1 0 1 1 0")
    assert reads(rig.frame, "0-1 is already keyed")
    rig.press("2 3 4 5 6 7 OK")
    assert reads(rig.frame, "1 tile more")
    assert entered(rig.press("OK 8 9 OK")) == "tableau 0-1 2-3 4-5 6-7 8-9"


def test_passing_is_refused() -> None:
    rig = set_up(2).press(OPEN + "PASS")
    assert rig.console.message == "There is no passing: each turn lays a tile."


def test_the_number_of_tiles_left_to_play_counts_down() -> None:
    rig = set_up(2, "points").press("1")
    assert reads(rig.frame, "5 to lay")
    assert reads(rig.press("OK OK").frame, "4 to lay")
    rig.press("OK " * 8)
    assert rig.name() == "NextHand"
    assert reads(rig.frame, "Red leads")


def test_points_missing_from_the_hundred_are_shown() -> None:
    rig = set_up(8, "points").press("1")
    while rig.name() != "CountRemains":
        rig.press("OK" if rig.name() == "NextHand" or rig.state.scores.values[0] else "9 0 OK")
    assert reads(rig.frame, "should be 10")
    assert reads(rig.press("7").frame, "3 missing")
    assert reads(rig.press("BACK 1 2").frame, "2 too many")
    rig.press("BACK BACK 7 OK")
    assert rig.name() == "GameOver"
    assert reads(rig.frame, "3 points of 100 missing")
    rig.press("BACK OK OK")
    assert rig.name() == "GameOver"
    assert not reads(rig.frame, "missing"), "it was not counted"


def test_more_points_than_all_tiles_have_are_refused_at_once() -> None:
    rig = set_up(8, "points").press("1")
    while rig.name() != "CountRemains":
        rig.press("OK")
    rig.press("1 0 1")
    assert reads(rig.frame, "All tiles together are worth 100.")
    assert rig.press("OK").name() == "CountRemains"
    assert entered(rig.press("BACK BACK 0 4 OK")) == "left 4"
