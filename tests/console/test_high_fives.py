"""High Fives at the box: what each key does, whole games, and what goes wrong at a table."""

from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from companion.console.high_fives.captures import ChooseCapture
from companion.console.screen import screen_for
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.games.entries import Dealt
from companion.games.high_fives.tableau import pairs_in
from companion.record.rows import Amend, Rewind, Setting, Step, Undo
from tests import rig as whole
from tests.console.fives_typist import (
    presses_of_a_taker,
    recorded_fives,
    set_up,
    type_fives,
    until_fives,
    until_many_pairs,
)
from tests.console.rig import Rig
from tests.manual.reading import reads

OPEN = "1 0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK "
"""Red leads; the tableau of the rulebook: 0-1, 1-2, 7-7, 8-9, 10-15."""


def entered(rig: Rig) -> str:
    """The text of the last entry."""
    row = rig.rows[-1]
    assert isinstance(row, Step)
    return str(row.entries[-1])


# ---------------------------------------------------------------- whole games


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_by_keys_comes_to_what_the_rules_come_to(players: int, seed: int) -> None:
    rig, expected = type_fives(seed, players)
    assert not rig.refused
    assert rig.state.scores == expected.scores
    assert rig.state.winners == expected.winners != ()
    assert rig.name() == "GameOver"
    assert median(rig.costs) <= 140
    assert rig.state.effect.notices == expected.effect.notices


def test_a_press_changes_little() -> None:
    costs = [cost for players in (2, 4, 8) for cost in type_fives(1, players)[0].costs]
    assert median(costs) <= 129


@pytest.mark.parametrize("players", [2, 4, 7, 8])
def test_a_typical_turn_takes_four_presses(players: int) -> None:
    """The player always takes what is worth most, and a pair whenever one lies there."""
    rig = set_up(players)
    assert median(presses_of_a_taker(rig, recorded_fives(players), players)) <= 4
    assert rig.name() == "GameOver"


def test_by_points_a_turn_takes_two_presses() -> None:
    rig = set_up(2, "points").press("1 3 OK")
    assert entered(rig) == "Red points 3"


# ---------------------------------------------------------------- key by key


def test_draw_is_ten_more() -> None:
    rig = set_up(2).press(OPEN + "4 DRAW 5 OK 0")
    assert entered(rig) == "Red 4-15 takes 10-15"
    rig = set_up(2).press(OPEN + "7 DRAW 8")
    assert reads(rig.frame, "0 to 5 only")
    assert reads(rig.press("5").frame, "7-15")


def test_draw_pressed_twice_is_taken_back() -> None:
    assert reads(set_up(2).press(OPEN + "DRAW DRAW 4 6").frame, "4-6")


def test_ok_takes_the_only_tile_that_can_be_taken() -> None:
    rig = set_up(2).press(OPEN + "3 8")
    assert reads(rig.frame, "takes 8-9")
    assert entered(rig.press("OK 0")) == "Red 3-8 takes 8-9"


def test_0_takes_nothing_and_a_second_0_does() -> None:
    rig = set_up(2).press(OPEN + "3 8 0")
    assert reads(rig.frame, "takes nothing")
    assert reads(rig.press("0").frame, "takes 8-9")
    assert entered(rig.press("0 OK 0")) == "Red 3-8"


def test_where_several_can_be_taken_a_list_asks_the_most_valuable_first() -> None:
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


def test_where_capturing_is_compulsory_0_is_refused_and_names_the_tile() -> None:
    rig = compulsory("5 9 0")
    assert reads(rig.frame, "is refused")
    assert reads(rig.press("OK").frame, "5-9 can take 8-9")
    assert reads(rig.press("OK BACK BACK 5 9").frame, "takes 8-9")
    assert entered(rig.press("OK 0")) == "Red 5-9 takes 8-9"


def test_where_capturing_is_compulsory_the_list_offers_tiles_alone() -> None:
    rig = compulsory("7 8 OK")
    assert not reads(rig.frame, "nothing")
    assert reads(rig.frame, "7-7: 4 points") and reads(rig.frame, "8-9: 3 points")
    rig.press("1 0")
    assert rig.state.scores[Seat("Red")] == 4


def test_other_sizes_are_chosen_and_stand_on_the_display() -> None:
    rig = Rig()
    digit = list(rig.games).index("high-fives") + 1
    rig.press(f"{digit} 2 1 MENU 1")
    rig.press("DRAW DRAW OK BACK OK 1")
    assert rig.state.options["deal"] == 7
    assert reads(rig.frame, "Deal 7 each; 5 face up.")


def test_a_pair_that_lies_there_is_offered_also_to_a_tile_that_takes_nothing() -> None:
    rig = set_up(2).press(OPEN + "3 3 OK")
    assert reads(rig.frame, "0 no pair") and reads(rig.frame, "1 0-1 1-2: 0 points")
    assert entered(rig.press("OK")) == "Red 3-3 pair 0-1 1-2"
    assert entered(set_up(2).press(OPEN + "3 3 OK 0")) == "Red 3-3"
    assert not set_up(2).press(OPEN + "3 3 OK BACK").view.game.state.effect.turn


def test_a_pair_is_not_offered_with_the_tile_that_is_taken() -> None:
    rig = set_up(2).press(OPEN + "2 3 OK")
    assert entered(rig) == "Red 2-3 takes 1-2", "0-1 lies alone then"


def test_of_many_pairs_one_of_the_tiles_is_chosen_first() -> None:
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


def test_a_tile_that_was_seen_is_refused_and_ok_held_tells_points() -> None:
    rig = set_up(2).press(OPEN + "7 7 OK")
    assert reads(rig.frame, "7-7 is in the tableau already")
    rig.press("OK OK!")
    assert rig.name() == "KeyPoints"
    assert entered(rig.press("4 OK")) == "Red points 4"
    assert rig.name() == "KeyPoints", "the tableau is not known any more"


def test_a_turn_by_points_from_the_menu_and_back_again() -> None:
    rig = set_up(2).press(OPEN + "MENU 4")
    assert rig.name() == "KeyPoints"
    assert rig.press("BACK").name() == "LayTile"


def test_by_points_ok_alone_is_none() -> None:
    rig = set_up(3, "points").press("2 OK")
    assert entered(rig) == "Blue points 0"
    assert entered(rig.press("1 2 OK")) == "Green points 12"


def test_more_points_than_are_left_are_refused_at_once_and_ok_keeps_nothing_then() -> None:
    rig = set_up(3, "points").press("2 OK 1 2 OK 8 9")
    assert reads(rig.frame, "89 points are not left: 88 of 100 are")
    assert rig.press("OK").view.game.length == 3, "OK has read it"
    assert getattr(rig.screen, "keyed", None) == (8,)
    assert reads(rig.press("BACK 1 0 0").frame, "100 points are not left")
    assert entered(rig.press("OK BACK BACK 0 8 8 OK")) == "Red points 88"


def test_the_face_up_tiles_can_be_left_out() -> None:
    rig = set_up(2).press("1 PASS")
    assert rig.rows[-1] == Setting("entry", "points")
    assert rig.name() == "KeyPoints"
    rig = set_up(2).press("1 4 PASS")
    assert rig.name() == "KeyTableau", "not with a digit keyed"


def test_a_tile_keyed_twice_among_those_face_up_is_told_at_once() -> None:
    rig = set_up(2).press("1 0 1 1 0")
    assert reads(rig.frame, "0-1 is keyed already")
    rig.press("2 3 4 5 6 7 OK")
    assert reads(rig.frame, "1 tile more")
    assert entered(rig.press("OK 8 9 OK")) == "tableau 0-1 2-3 4-5 6-7 8-9"


def test_nobody_passes() -> None:
    rig = set_up(2).press(OPEN + "PASS")
    assert rig.console.message == "Nobody passes here: each turn lays a tile."


def test_the_tiles_that_a_seat_has_to_lay_are_counted_down() -> None:
    rig = set_up(2, "points").press("1")
    assert reads(rig.frame, "5 to lay")
    assert reads(rig.press("OK OK").frame, "4 to lay")
    rig.press("OK " * 8)
    assert rig.name() == "NextHand"
    assert reads(rig.frame, "Red leads")


def test_what_is_missing_of_the_hundred_is_told() -> None:
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


def test_more_than_all_tiles_are_worth_is_refused_at_once() -> None:
    rig = set_up(8, "points").press("1")
    while rig.name() != "CountRemains":
        rig.press("OK")
    rig.press("1 0 1")
    assert reads(rig.frame, "All tiles together are worth 100.")
    assert rig.press("OK").name() == "CountRemains"
    assert entered(rig.press("BACK BACK 0 4 OK")) == "left 4"


# ---------------------------------------------------------------- back, change, other seats


def test_undo_and_redo() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 1 0")
    after = rig.state
    rig.press("BACK OK")
    assert rig.rows[-1] == Undo()
    assert rig.state.scores.values == (0, 0)
    assert rig.press("BACK DRAW").state == after


def test_what_is_taken_back_is_named_shortly() -> None:
    rig = set_up(2).press(OPEN + "BACK")
    assert reads(rig.frame, "Take back the tableau?")
    assert rig.press("OK").name() == "KeyTableau"
    assert reads(rig.press("BACK").frame, "DRAW: the tableau again")


def test_a_turn_is_changed_in_the_history() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 2 0 3 3 OK OK MENU 2 DRAW OK 1")
    rig.press("8 DRAW 0 OK 1 0")
    assert rig.name() == "Confirm"
    rig.press("OK")
    assert isinstance(rig.rows[-1], Amend)
    assert rig.state.scores.values == (5, 0)


def test_a_change_asks_for_a_pair_and_says_how_to_answer() -> None:
    rig = set_up(2).press(OPEN + "3 8 OK 0 MENU 2 OK 1 3 8 OK")
    assert reads(rig.frame, "0 no pair")
    assert rig.press("OK").name() == "Confirm"


def test_another_leads_the_first_hand_and_all_turns_move() -> None:
    rig = set_up(3, "points").press("1 5 OK OK 3 OK MENU 2 PASS OK 1 2")
    assert rig.name() == "LaterTurns"
    rig.press("1 OK")
    assert rig.state.scores.values == (3, 5, 0)
    assert rig.state.board.leader == "Blue"


def test_a_rematch_asks_again_how_turns_are_told() -> None:
    rig = until_fives("GameOver", 4).press("OK 1")
    assert rig.name() == "ChooseEntryWay"
    assert rig.press("2").name() == "WhichSeat"
    assert rig.press("4").name() == "KeyPoints"


def test_all_from_an_entry_on_is_taken_back() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 2 0 3 3 OK OK MENU 2 DRAW OK 4 OK")
    assert isinstance(rig.rows[-1], Rewind)
    assert rig.name() == "LayTile"


def test_the_history_tells_what_was_taken_and_its_points() -> None:
    rig = set_up(2).press(OPEN + "7 8 OK 2 OK 3 3 OK MENU 2")
    assert reads(rig.frame, "Red 7-8 8-9 + pair +3")
    assert reads(rig.frame, "Blue 3-3")
    rig = set_up(2).press(OPEN + "3 3 OK OK MENU 2")
    assert reads(rig.frame, "Red 3-3, 0-1 1-2")


def test_the_history_says_why() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 1 0 MENU 2 1")
    assert reads(rig.frame, "10-15: 5")
    rig = set_up(2, "points").press("1 5 OK MENU 2 1")
    assert reads(rig.frame, "told: 5")


def test_a_call_of_a_bogus_play_is_answered() -> None:
    rig = set_up(2).press(OPEN + "BOGUS")
    assert reads(rig.frame, "High Fives has no penalty for a bogus play.")


def test_a_seats_keypad_keys_its_own_turn() -> None:
    rig = set_up(4).press(OPEN)
    rig.send(Press(Key.D3, Seat("Blue")))
    assert rig.console.message == "It is Red's turn: Blue waits."
    for key in (Key.D3, Key.D8, Key.OK):
        rig.send(Press(key, Seat("Red")))
    assert rig.name() == "ChooseCapture"
    rig.send(Press(Key.OK, Seat("Blue")))
    assert rig.name() == "ChooseCapture", "only Red says whether it takes the pair"
    rig.send(Press(Key.D0, Seat("Red")))
    assert entered(rig) == "Red 3-8 takes 8-9"


def test_a_turn_keyed_on_a_seats_keypad_is_kept_and_settled(tmp_path: Path) -> None:
    settled = list[tuple[int, bool]]()

    def settle(one: PressId, refused: bool) -> None:
        settled.append((one.sequence, refused))

    with whole.Rig(tmp_path / "record.db", settle=settle) as rig:
        rig.press("3 2 1 OK 1 " + OPEN)
        keys = (Key.DRAW, Key.D3, Key.D8, Key.OK, Key.D0)
        for number, key in enumerate(keys, 1):
            rig.send(Press(key, Seat("Red"), PressId("e6614103e7452d2f", 7, number)))
        assert str([*rig.entries][-1]) == "Red 8-13 takes 8-9"
    assert settled == [(number, False) for number in range(1, 6)]


# ---------------------------------------------------------------- restarts, losses, any keys


def test_a_restart_goes_on_where_it_stood(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    steps = ("3 2 1 OK", "1", "1", "0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK", "8 DRAW 0 OK 1 0", "BACK OK")
    shown = ["ChooseEntryWay", "WhichSeat", "KeyTableau", "LayTile", "LayTile", "LayTile"]
    for keys, screen in zip(steps, shown, strict=True):
        with whole.Rig(path) as rig:
            rig.press(keys)
        with whole.Rig(path) as rig:
            assert type(whole_screen(rig)).__name__ == screen, keys


def whole_screen(rig: whole.Rig) -> object:
    """The screen that the state of the game asks for."""
    return screen_for(rig.table.box.view())


def test_after_a_loss_turns_are_told_by_points_and_a_hand_may_be_dealt() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 1 0")
    rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
    assert rig.press("4 OK").name() == "KeyPoints"
    rig.press("MENU 5 2")
    assert entered(rig) == "hand"
    rig.press("MENU 5 3 OK")
    assert rig.name() == "GameOver"


def test_a_hand_dealt_without_a_leader_asks_who_begins() -> None:
    rig = set_up(3, "points")
    rig.view = replace(rig.view, journal=rig.view.game.fold(Step((Dealt(),))))
    rig.press("9")
    assert rig.name() == "WhichSeat"
    assert reads(rig.frame, "The hand is dealt.")
    rig.press("2")
    assert reads(rig.frame, "BLUE")
    assert rig.press("BACK 2 4 OK").state.scores.values == (0, 4, 0)
    assert rig.state.board.leader == "Blue"
