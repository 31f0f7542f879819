"""High Five! with tiles, keyed on the box: the card, the turns, the end, and mistakes."""

from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.entries import HandDealt, WentOut
from companion.games.high_five_tiles.combinations import Combination
from companion.games.high_five_tiles.entries import AllTilesPlayed, RowCompleted, SingleTilePlayed
from companion.record.rows import Amend, GameOpened, Redo, Setting, Step, Undo
from tests import rig as whole
from tests.catalog import GAMES
from tests.console.rig import Rig
from tests.console.tiles_typist import NAME, dealt, not_counted, set_up, type_game, until_out
from tests.manual.reading import reads

RED, BLUE, GREEN = Seat("Red"), Seat("Blue"), Seat("Green")


def last_entry(rig: Rig) -> object:
    step = rig.rows[-1]
    assert isinstance(step, Step)
    return step.entries[-1]


# ---------------------------------------------------------------- a turn


def test_a_turn_takes_three_presses() -> None:
    rig = dealt()
    before = len(rig.texts)
    rig.press("6 3 OK")
    assert len(rig.texts) - before == 3
    assert last_entry(rig) == RowCompleted(RED, Combination.FULL_HOUSE, laid=3)
    assert rig.state.scores[RED] == 6
    assert rig.state.to_move == BLUE


@pytest.mark.parametrize("place, combination", [*enumerate(Combination)])
def test_every_combination_has_a_key(place: int, combination: Combination) -> None:
    key = "BOGUS" if combination is Combination.HIGH_FIVE else str(place)
    rig = dealt(keys=f"{key} 3 OK")
    assert last_entry(rig) == RowCompleted(RED, combination, laid=3)
    assert rig.state.scores[RED] == place


def test_the_effect_of_ok_is_shown_before_it_is_pressed() -> None:
    rig = dealt(keys="6")
    assert reads(rig.frame, "+6, new? 3-4")
    assert reads(rig.press("3").frame, "+6, 3 new")
    assert reads(rig.press("OK").frame, "+6 Red")
    assert reads(rig.frame, "Red 6")


def test_tiles_in_the_supply_and_in_hands_are_counted() -> None:
    rig = dealt()
    assert reads(rig.frame, "5 tiles, 40 left")
    rig.press("6 3 OK 1 4 OK")
    assert reads(rig.frame, "4 tiles, 36 left"), "Red laid three and drew two"


def test_pass_plays_one_tile_without_a_row() -> None:
    rig = dealt(keys="PASS")
    assert reads(rig.frame, "Red lays one tile, no row?")
    rig.press("OK")
    assert last_entry(rig) == SingleTilePlayed(RED)
    assert rig.state.scores[RED] == 0


def test_an_extra_ok_stores_nothing() -> None:
    rig = dealt(keys="6 3 OK OK OK OK")
    assert rig.view.game.length == 2
    assert rig.press("1 4 OK").state.scores[BLUE] == 1


def test_back_deletes_the_digits_and_then_offers_undo() -> None:
    rig = dealt(keys="6 3 OK 5 3 BACK BACK")
    assert not rig.screen.pending
    assert reads(rig.press("BACK").frame, "Take back Red full house?")
    rig.press("OK")
    assert isinstance(rig.rows[-1], Undo)
    assert rig.state.scores[RED] == 0
    assert reads(rig.press("BACK").frame, "DRAW: Red full house again")
    rig.press("DRAW")
    assert isinstance(rig.rows[-1], Redo)
    assert rig.state.scores[RED] == 6


def test_an_impossible_digit_is_refused_and_the_others_stay() -> None:
    rig = dealt(keys="6 7")
    assert rig.console.message == "New tiles in the row: 3-4, or 0 if nobody knows."
    assert rig.press("3 2").console.message == "The row is keyed: OK, or BACK."
    assert rig.press("BOGUS").console.message == "A combination is keyed: BACK first."
    assert last_entry(rig.press("OK")) == RowCompleted(RED, Combination.FULL_HOUSE, laid=3)


def test_ok_without_the_number_of_new_tiles_asks_for_it() -> None:
    rig = dealt(keys="6 OK")
    assert rig.console.message == "How many of the five tiles are new? 3-4."
    assert rig.press("OK").view.game.length == 1


def test_the_first_turn_offers_fewer_numbers_than_later_ones() -> None:
    rig = dealt(keys="6 2")
    assert rig.console.message == "New tiles in the row: 3-4, or 0 if nobody knows."
    assert Key.D2 not in rig.screen.keys(rig.view)
    rig.press("3 OK")
    assert last_entry(rig) == RowCompleted(RED, Combination.FULL_HOUSE, laid=3)
    rig.press("6 4 OK 5")
    assert reads(rig.frame, "+5, new? 1-4")
    assert {Key.D1, Key.D2} <= set(rig.screen.keys(rig.view))


def test_draw_shows_that_draws_are_not_entered() -> None:
    rig = dealt(keys="DRAW")
    assert rig.console.message == "You draw two after each turn: no key is needed."


def test_a_joystick_reaches_every_key_of_a_turn() -> None:
    rig = dealt()
    keys = rig.screen.keys(rig.view)
    assert {Key.BOGUS, Key.PASS, Key.D0, Key.D9} <= set(keys)
    rig.press("UP " * (keys.index(Key.BOGUS) + 1) + "RIGHT")
    assert reads(rig.frame, "+10, new? 3-4")


# ---------------------------------------------------------------- keypads at the seats


def test_a_seat_keypad_works_only_during_its_seats_turn() -> None:
    rig = dealt(3)
    for key in (Key.D6, Key.BOGUS, Key.PASS, Key.OK):
        rig.send(Press(key, BLUE))
        assert rig.console.message == "It is Red's turn: Blue waits."
    for key in (Key.BOGUS, Key.D4, Key.OK):
        rig.send(Press(key, RED))
    assert last_entry(rig) == RowCompleted(RED, Combination.HIGH_FIVE, laid=4)
    rig.send(Press(Key.BACK, GREEN))
    assert reads(rig.frame, "Take back")


# ---------------------------------------------------------------- the family's card


def test_eleven_oks_accept_the_card_and_a_twelfth_begins_the_game() -> None:
    rig = set_up().press("OK " * 11)
    assert not rig.rows
    assert rig.press("OK").rows == [rig.rows[0]]
    opened = rig.rows[0]
    assert isinstance(opened, GameOpened)
    assert [opened.options[f"points-{each.value}"] for each in Combination] == [*range(11)]


def test_numbers_keyed_on_the_card_count_and_are_remembered() -> None:
    rig = set_up().press("OK 2 OK 5 OK PASS PASS PASS PASS OK")
    assert [row for row in rig.rows if isinstance(row, Setting)] == [
        Setting("high-five-tiles.points-pair", 2),
        Setting("high-five-tiles.points-two-pairs", 5),
    ]
    rig.press("1 2 3 OK PASS OK 1 3 OK MENU 9 3")
    assert rig.state.scores[RED] == 5 + 2
    again = set_up(3, rig)
    assert reads(again.frame, "pair") and reads(again.frame, "POINTS ON YOUR CARD")
    rows = len(rig.rows)
    rig.press("OK " * 12)
    opened = rig.rows[rows]
    assert isinstance(opened, GameOpened), "nothing was changed, so nothing else is kept"
    assert opened.options["points-two-pairs"] == 5


def test_numbers_too_high_for_the_card_are_refused_and_correctable() -> None:
    rig = set_up().press("5 1 OK")
    assert reads(rig.frame, "Not 51 points: each")
    rig.press("OK BACK 0 OK")
    assert rig.rows == [Setting("high-five-tiles.points-high-card", 50)]


def test_back_steps_through_the_card_and_keeps_its_numbers() -> None:
    rig = set_up().press("9 OK BACK BACK")
    assert rig.name() == "ShowTable"
    rig.press("OK PASS OK")
    opened = rig.rows[-1]
    assert isinstance(opened, GameOpened)
    assert opened.options["points-high-card"] == 9


def test_a_rematch_uses_the_same_card() -> None:
    rig, _ = type_game(1, 2)
    rig.press("OK OK 1")
    opened = rig.rows[-1]
    assert isinstance(opened, GameOpened)
    assert opened.after == 1


def test_the_card_survives_a_restart(tmp_path: Path) -> None:
    path, line = tmp_path / "record.db", list(GAMES).index(NAME) + 1
    with whole.Rig(path) as rig:
        rig.press(f"{line} 2 1 OK DRAW 1 2 OK PASS PASS PASS OK 1 1 3 OK")
        assert rig.entries == ["hand lead Red", "Red row pair laid 3"]
    with whole.Rig(path) as rig:
        assert rig.entries == ["hand lead Red", "Red row pair laid 3"]
        rig.press(f"MENU 9 3 {line} 2 1 OK PASS OK 1 1 3 OK")
        found = rig.store.last_game()
        assert found is not None
        assert found[1].state.scores[RED] == 12


def test_a_game_resumes_after_a_restart(tmp_path: Path) -> None:
    path, line = tmp_path / "record.db", list(GAMES).index(NAME) + 1
    with whole.Rig(path) as rig:
        rig.press(f"{line} 2 1 OK PASS OK 2 BOGUS 3 OK 5")
    with whole.Rig(path) as rig:
        assert reads(rig.frame, "Blue 10")
        rig.press("5 4 OK BACK OK 4 4 OK")
        assert rig.entries == [
            "hand lead Blue", "Blue row high-five laid 3", "Red row straight laid 4",
        ]  # fmt: skip


# ---------------------------------------------------------------- whole games


@pytest.mark.sampled(2, of="seed")
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_a_game_keyed_on_the_box_matches_the_rules(players: int, seed: int) -> None:
    rig, expected = type_game(seed, players)
    assert not rig.refused
    assert rig.state.scores == expected.scores
    assert rig.state.winners == expected.winners != ()
    assert rig.name() in ("GameOver", "LastPayment")
    if rig.name() == "LastPayment":
        rig.press("OK")
    assert reads(rig.frame, "win")


def test_a_press_sends_few_bytes_to_the_panel() -> None:
    costs = [cost for seed in range(6) for cost in type_game(seed, 2 + seed % 3)[0].costs]
    assert median(costs) <= 1034 / 8, "an eighth of a whole picture, as in High Five"


def test_two_points_for_going_out_first_are_added_automatically() -> None:
    rig = until_out()
    held, before = rig.state.board.held[RED], rig.state.scores[RED]
    rig.press(f"1 {held}")
    assert reads(rig.frame, "+3, out first")
    rig.press("OK")
    assert rig.state.scores[RED] == before + 3
    assert reads(rig.frame, "+3 Red")


def test_without_tile_counts_the_menu_enters_going_out_and_the_games_end() -> None:
    rig = not_counted()
    rig.press("MENU 4 1 OK")
    assert last_entry(rig) == WentOut(RED)
    rig.press("MENU 5 OK")
    assert last_entry(rig) == AllTilesPlayed()
    assert rig.state.finished


def test_an_earlier_entry_is_changed_to_a_high_five() -> None:
    rig = dealt(keys="6 3 OK 1 3 OK MENU 2 DRAW OK 1 BOGUS 3 OK")
    assert reads(rig.frame, "Red 10")
    rig.press("OK")
    assert isinstance(rig.rows[-1], Amend)
    assert dict(rig.state.scores.items()) == {RED: 10, BLUE: 1}


def test_the_history_gives_the_reason_of_each_payment() -> None:
    rig = dealt(keys="6 3 OK PASS OK MENU 2")
    for line in ("Blue one tile", "Red full house, 3 new  +6", "Red begins"):
        assert reads(rig.frame, line)
    assert reads(rig.press("1").frame, "full house: 6")


def test_moving_an_entry_to_another_seat_asks_for_the_forgotten_turn() -> None:
    rig = dealt(3, "6 3 OK MENU 2 OK 5 1")
    assert reads(rig.frame, "First key what Red did")
    assert reads(rig.press("OK").frame, "BEFORE")
    rig.press("PASS OK 1 OK")
    assert [str(entry) for entry in rig.view.game.entries] == [
        "hand lead Red", "Red tile", "Blue row full-house laid 3",
    ]  # fmt: skip


def test_changing_an_entry_to_one_tile_asks_for_ok() -> None:
    rig = dealt(keys="6 3 OK MENU 2 OK 1 PASS")
    assert reads(rig.frame, "Red lays one tile, no row?")
    assert reads(rig.frame, "OK: no points BACK: no")


def test_a_game_dealt_without_a_leader_asks_who_begins() -> None:
    rig = set_up(3).press("PASS OK")
    rig.view = replace(rig.view, journal=rig.view.game.fold(Step((HandDealt(),))))
    assert reads(rig.press("2").frame, "BLUE")
    assert rig.press("BACK").name() == "AskSeat"
    assert rig.press("3 4 4 OK").state.scores[GREEN] == 4
    assert rig.state.to_move == RED


def test_a_game_continues_after_lost_entries() -> None:
    rig = dealt(keys="6 3 OK")
    rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
    rig.press("1 1 OK PASS OK")
    assert rig.state.scores[BLUE] == 1
    assert not reads(rig.frame, "left")


def test_high_five_tiles_is_in_the_catalog() -> None:
    assert GAMES[NAME].title == "High Five! (tiles)"
    assert HandDealt in GAMES[NAME].entries
