"""Whole sequences of what people do at the table, key by key."""

from dataclasses import replace

import pytest

from companion.console.frame import Canvas
from companion.console.layout import TableLayout, draw_table
from companion.console.line.turn import entry_way
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.entries import ChipsAudited, ChipsCorrected, TilesDrawn, WentOut
from companion.games.line.line import TilePlayed
from companion.record.rows import Amend, GameOpened, Reseat, Setting, Step
from tests.console.rig import SCORED, Rig, last, started
from tests.console.typist import choose_line, until, until_unclear
from tests.manual.reading import reads as seen
from tests.playing import counted_in
from tests.sample_games import RACE_GAMES

RED, BLUE = Seat("Red"), Seat("Blue")


def scores(rig: Rig) -> tuple[int, ...]:
    return rig.state.scores.values


def test_a_play_by_tile_takes_two_digits_and_ok() -> None:
    rig = started().press(SCORED)
    assert last(rig) == Step((TilePlayed(BLUE, (6, 3)),))
    assert scores(rig) == (0, 15)


def test_the_spinners_free_side_is_shown_though_it_counts_nothing() -> None:
    rig = started().press(SCORED)
    assert seen(rig.frame, "open 3 6 6")
    assert seen(rig.press("6 5 OK").frame, "open 3 5 (6)")
    assert counted_in(rig.state).count == 8
    assert seen(rig.press("6 1 OK 6 2 OK").frame, "open 1 2 3 5"), "all four places are taken"


def test_the_spinners_free_side_is_shown_in_every_entry_way() -> None:
    rig = started().press(SCORED + " MENU 7 2 3 5 OK")
    assert entry_way(rig.view) == "ends"
    assert seen(rig.frame, "open 3 5 (6)")


def test_the_key_after_a_payment_has_its_usual_effect() -> None:
    rig = started().press(SCORED + " 3 4 OK")
    assert last(rig) == Step((TilePlayed(RED, (3, 4)),))


def test_back_first_deletes_a_digit() -> None:
    rig = started().press("OK 1 6 4 BACK 3 OK")
    assert last(rig) == Step((TilePlayed(BLUE, (6, 3)),))


def test_a_refused_play_keeps_its_digits() -> None:
    rig = started().press(SCORED + " 1 2 OK BACK BACK 3 OK")
    assert last(rig) == Step((TilePlayed(RED, (1, 3)),))


def test_holding_ok_insists_on_a_play_and_asks_for_the_ends() -> None:
    rig = started().press(SCORED + " 1 2 OK! 2 3 6 6 OK")
    assert last(rig) == Step((TilePlayed(RED, (1, 2), ends=(2, 3, 6, 6), insisted=True),))


def test_the_menu_insists_on_a_refused_play() -> None:
    rig = started().press(SCORED + " MENU 7 2 5 5 OK MENU 1")
    assert last(rig) == Step((TilePlayed(RED, ends=(5, 5), insisted=True),))


def test_pass_waits_for_ok_and_draw_does_not() -> None:
    rig = started().press(SCORED + " DRAW PASS")
    assert last(rig) == Step((TilesDrawn(RED),))
    rig.press("BACK")
    assert rig.state.to_move == RED
    rig.press("PASS OK")
    assert rig.state.to_move == BLUE


def test_holding_back_locks_and_unlocks_without_a_row() -> None:
    rig = started().press(SCORED + " 3")
    before = rig.frame
    rig.press("BACK!")
    assert rig.console.locked
    rig.press("4 OK DRAW BACK")
    rows = len(rig.rows)
    rig.press("BACK!")
    assert not rig.console.locked
    assert rig.frame == before
    assert len(rig.rows) == rows


def test_an_error_is_shown_in_one_line_and_keeps_the_digits() -> None:
    rig = started().press(SCORED + " 3 4")
    failed = rig.console.with_error("Not saved: the disk is full")
    assert failed.show(rig.view) != rig.console.show(rig.view)
    rig.console = failed
    rig.press("OK")
    assert last(rig) == Step((TilePlayed(RED, (3, 4)),))


def test_messages_from_the_table_stay_until_the_next_key() -> None:
    rig = started().press(SCORED)
    plain = rig.console.show(rig.view).frame
    rig.view = replace(rig.view, message="Keypad 2 is gone")
    assert rig.console.show(rig.view).frame != plain
    rig.press("3 BACK")
    digits_gone = rig.console.show(rig.view).frame
    rig.view = replace(rig.view, message=None)
    assert rig.console.show(rig.view).frame == digits_gone


def test_a_seat_that_seems_out_is_asked_whether_it_is() -> None:
    rig = until("AskOut", 1, 2)
    out = rig.state.board.hand.round.out
    rig.press("OK")
    assert last(rig) == Step((WentOut(out),))
    assert rig.name() == "KeyHolding"


def test_a_forgotten_draw_is_inserted_before_the_play() -> None:
    rig = until("AskOut", 1, 2)
    out, length = rig.state.board.hand.round.out, rig.view.game.length
    rig.press("DRAW")
    assert last(rig) == Amend(length - 1, (TilesDrawn(out),), insert=True)
    assert rig.state.board.hand.round.held[out] == 1
    assert rig.name() == "LineTurn"


def test_chips_are_corrected_and_counted() -> None:
    rig = started().press(SCORED + " MENU 3 1 3 1 0 OK OK")
    assert scores(rig) == (0, 25)
    rig.press("MENU 3 1 3 5 DRAW OK OK")
    assert scores(rig) == (0, 20)
    rig.press("MENU 3 1 2 7 OK 1 0 OK 3 OK")
    assert scores(rig) == (0, 30)
    assert last(rig) == Step(
        (ChipsCorrected(RED, 10, "counted"), ChipsAudited(RED, 120, ((10, 7), (5, 10))))
    )
    assert rig.state.board.chips is not None
    assert rig.state.board.chips.stocks[RED].home == ((10, 7), (5, 10))
    rig.press("MENU 3 1 2 7 OK 1 1 OK BACK BACK BACK 0 OK")
    assert rig.name() == "AskAboutDifference"


@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        ("1 3 1 2 5 OK", "RED pays BLUE 125: 9×10+7×5."),
        ("1 3 1 3 5 OK", "RED pays BLUE 135: 9×10+9×5. Blue wins the game by it!"),
        ("1 3 5 DRAW OK", "BLUE gives RED back 5: 5."),
        ("1 2 1 OK OK 3", "By this count, 125 more of Red's points are Blue's."),
        ("1 2 OK OK 3", "By this count, 135 more of Red's points are Blue's. Blue wins the game"),
        ("1 2 1 0 OK 1 0 OK 3", "By this count, 15 more of Red's points come back from Blue."),
    ],
)
def test_correcting_chips_shows_the_move_and_asks_first(keys: str, asked: str) -> None:
    rig = started().press(SCORED + " MENU 3 " + keys)
    assert isinstance(last(rig), Step), "of the lay: nothing is corrected yet"
    assert scores(rig) == (0, 15)
    assert rig.name() == "ConfirmCorrection"
    assert seen(rig.frame, asked)
    rig.press("BACK BACK")
    assert scores(rig) == (0, 15)


def test_the_turn_order_can_be_changed_before_the_first_payment() -> None:
    rig = started(3).press("OK MENU")
    choose_line(rig, "This game", "Order")
    rig.press("DRAW OK")
    assert isinstance(rig.rows[-1], Reseat)
    assert rig.view.game.opened.seats.order == ("Red", "Green", "Blue")


def test_names_are_picked_or_spelled_and_options_set() -> None:
    rig = Rig()
    rig.view = replace(rig.view, names=("Bo", "Anne"))
    rig.press("1 2 2 2 1 2 2 2 DRAW 2 DRAW 7 7 7 OK")
    rig.press("MENU 3 2 BACK OK")
    assert isinstance(rig.rows[-1], GameOpened)
    assert rig.rows[-1].seats.order == ("Bo", "Car")
    assert rig.view.game.opened.options["rounding"] == "up"


def test_tally_keywords_are_refused_as_names() -> None:
    rig = Rig().press("1 2 2 6 6 6 DRAW 8 8 DRAW 8 OK")
    assert rig.name() == "SpellName"
    assert not rig.rows


def test_a_digit_meant_for_the_next_tile_does_not_begin_a_rematch() -> None:
    rig = until("LastPayment", 4, 2)
    length = len(rig.rows)
    rig.press("1 2 1 OK BACK")
    assert len(rig.rows) == length
    rig.press("BACK")
    assert seen(rig.frame, "OK: yes   BACK: no"), "the winning entry can be taken back"


def test_a_rematch_is_linked_to_the_last_game_and_may_rotate_the_lead() -> None:
    rig = until("LastPayment", 4, 2)
    rig.press("OK OK OK OK OK")
    assert rig.name() == "GameOver", "who presses OK once more than needed sees who has won"
    assert not isinstance(rig.rows[-1], GameOpened)
    rig.press("1")
    row = rig.rows[-1]
    assert isinstance(row, GameOpened)
    assert row.after == 1
    rig = Rig().press("1 2 1 MENU 5 2 BACK OK OK 1 MENU")
    choose_line(rig, "This game", "End")
    rig.press("2 OK 1 2")
    assert rig.state.board.hand.round.lead == BLUE


def test_the_boxs_settings_are_chosen_from_lists() -> None:
    rig = started().press("OK 1 MENU")
    choose_line(rig, "This box")
    choose_line(rig, "Picture", "This way up")
    assert last(rig) == Setting("flip", "off")
    rig.press("MENU 8 5 2")
    assert last(rig) == Setting("flip", "on")


def test_a_minimal_game_is_played_with_digits() -> None:
    rig = Rig(RACE_GAMES).press("1 8 1 OK 1 2 OK 7 OK 9 9 OK BACK BACK BACK 5 OK")
    assert scores(rig)[:3] == (12, 7, 5)
    rig.press("MENU BACK BOGUS OK BACK OK")
    assert scores(rig)[:3] == (12, 7, 0)


def test_presses_from_box_and_keypads_have_the_same_effect() -> None:
    rig = started().press("OK")
    rig.send(Press(Key.D1, seat=BLUE))
    assert rig.state.to_move == BLUE


def test_a_seat_plays_on_its_own_turn_only() -> None:
    rig = started().press(SCORED)
    rows = len(rig.rows)
    for key in (Key.DRAW, Key.PASS, Key.OK, Key.D3):
        rig.send(Press(key, seat=BLUE))
        assert rig.console.message == "It is Red's turn: Blue waits."
    rig.send(Press(Key.OK, seat=BLUE, held=True))
    assert len(rig.rows) == rows
    rig.send(Press(Key.DRAW, seat=RED))
    assert last(rig) == Step((TilesDrawn(RED),))
    rig.send(Press(Key.DRAW, seat=Seat("Nobody")))
    assert last(rig) == Step((TilesDrawn(RED),))
    assert rig.console.message is None


def test_a_seat_does_not_choose_for_another() -> None:
    rig = until_unclear(3)
    rig.press("OK")
    screen, mover = rig.screen, rig.state.to_move
    rig.send(Press(Key.D1, seat=next(seat for seat in rig.state.seats if seat != mover)))
    assert rig.screen == screen


def test_insisting_on_a_played_tile_after_a_payment_asks_for_the_ends() -> None:
    rig = started().press(SCORED + " 1 2 OK OK!")
    assert seen(rig.frame, "Which ends are open?")


def test_both_lines_of_the_choices_are_inverted() -> None:
    canvas = Canvas()
    draw_table(canvas, TableLayout("Red", say="1: 4 2=6", second="2: 0 2 4=6", asks=True))
    rows = canvas.frame().rows()
    assert rows[48][-1] == rows[56][-1] == rows[63][-1] == "#"
