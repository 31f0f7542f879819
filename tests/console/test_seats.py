"""Keypads at the seats: what the keypad of a seat may do in a game."""

from dataclasses import replace

import pytest

from companion.console.frame import Light
from companion.console.line.bogus_calls import ShowVerdict
from companion.console.line.play import AskHighestDouble
from companion.console.line.turn import LineTurn, OfferTileReturn
from companion.console.screens.changes import AmendEntry, ConfirmChange
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.games.entries import BogusCalled, TileReturned, TilesDrawn
from companion.games.line.line import TilePlayed
from companion.games.tiles import DOUBLE_SIX
from companion.record.rows import Amend, Step, Undo
from tests.console.keypads import BLUE, ONE, RED, TWO, Keypads, at_set_up
from tests.console.rig import started
from tests.console.typist import choose_line, until
from tests.screens.keyed import OPEN, SCORED


@pytest.fixture
def claimed() -> Keypads:
    keypads = at_set_up()
    keypads.rig.press("1 2 1 OK")
    return keypads.press(ONE, "OK").press(TWO, "OK")


def test_ok_on_a_seats_keypad_claims_the_double_six(claimed: Keypads) -> None:
    claimed.press(ONE, "OK")
    assert isinstance(claimed.rig.screen, AskHighestDouble)
    claimed.press(TWO, "OK")
    assert claimed.rig.rows[-1] == Step((TilePlayed(BLUE, (6, 6)),))


def test_pass_on_a_keypad_denies_the_double_for_that_seat_only(claimed: Keypads) -> None:
    claimed.rig.press("OK")
    claimed.press(ONE, "PASS")
    assert claimed.rig.screen == AskHighestDouble(6, without=frozenset({RED}))
    claimed.press(ONE, "PASS")
    assert claimed.rig.console.message == "Red has passed: Blue must, too."
    claimed.press(TWO, "PASS")
    assert claimed.rig.screen == AskHighestDouble(5)
    claimed.press(ONE, "PASS").press(TWO, "OK")
    assert claimed.rig.rows[-1] == Step((TilePlayed(BLUE, (5, 5)),))


def test_pass_on_the_box_denies_the_double_for_all_seats(claimed: Keypads) -> None:
    claimed.rig.press("OK")
    claimed.press(ONE, "PASS")
    claimed.rig.press("PASS")
    assert claimed.rig.screen == AskHighestDouble(5)


def test_seats_key_their_turns_on_their_own_keypads(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "6 3")
    assert claimed.rig.screen.keyed == (6, 3), "digits are seen as they are typed"  # type: ignore[attr-defined]
    claimed.press(ONE, "4 OK DRAW PASS MENU BACK")
    assert claimed.rig.console.message == "It is Blue's turn: Red waits."
    assert claimed.rig.screen.keyed == (6, 3)  # type: ignore[attr-defined]
    claimed.press(TWO, "OK")
    assert claimed.rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))


def test_the_boxs_own_keys_always_work(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "6")
    claimed.rig.press("3 OK")
    assert claimed.rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))


def test_the_last_player_can_take_back_a_play_on_their_keypad(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "6 3 OK").press(TWO, "BACK OK")
    assert claimed.rig.rows[-1] == Undo()


def test_an_undo_question_does_not_let_other_seats_key_entries(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(ONE, "BACK 5")
    assert claimed.rig.console.message == "It is Blue's turn: Red waits."
    claimed.press(ONE, "DRAW")
    assert claimed.rig.console.message == "There is nothing to redo."
    claimed.press(TWO, "DRAW")
    assert claimed.rig.rows[-1] == Step((TilesDrawn(BLUE),)), "it is not lost to the question"


def test_a_draw_does_not_answer_another_seats_question(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "DRAW").press(ONE, "BACK")
    assert isinstance(claimed.rig.screen, OfferTileReturn)
    claimed.press(TWO, "DRAW")
    assert claimed.rig.rows[-1] == Step((TilesDrawn(BLUE),))
    assert isinstance(claimed.rig.screen, LineTurn), "it was Blue's second tile"
    assert claimed.rig.view.game.length == 4
    claimed.rig.press("BACK")
    claimed.press(TWO, "DRAW")
    assert claimed.rig.view.game.length == 5, "nor where it was asked at the box"
    claimed.press(ONE, "BACK").press(TWO, "BACK")
    assert isinstance(claimed.rig.screen, LineTurn), "anybody may say no"


def test_only_the_asking_keypad_or_the_box_returns_a_tile(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "DRAW BACK 2 2 DRAW")
    assert claimed.rig.rows[-1] == Step((TileReturned(BLUE, DOUBLE_SIX.tile(2, 2)),))
    claimed.press(TWO, "DRAW BACK")
    claimed.rig.press("OK")
    assert claimed.rig.rows[-1:] == [Undo()]


def test_ok_on_another_keypad_does_not_confirm_an_undo(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "6 3 OK").press(TWO, "BACK").press(ONE, "OK")
    assert claimed.rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))
    claimed.press(TWO, "BACK").press(ONE, "OK").press(TWO, "BACK OK")
    assert claimed.rig.rows[-1:] == [Undo()]


@pytest.mark.parametrize("opens", ["keypad", "box"])
def test_a_change_is_keyed_only_on_the_box_or_the_keypad_that_began_it(
    claimed: Keypads, opens: str
) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "6 3 OK").rig.press("MENU 2 OK")
    if opens == "keypad":
        claimed.press(TWO, "1 6")
    else:
        claimed.rig.press("1 6")
    screen = claimed.rig.screen
    assert isinstance(screen, AmendEntry)
    claimed.press(ONE, "4 OK BACK MENU BOGUS")
    assert claimed.rig.screen == screen
    said = "An earlier entry is being changed: Red waits."
    assert claimed.rig.console.message == said
    claimed.rig.press("4 OK")
    assert isinstance(claimed.rig.screen, ConfirmChange)
    claimed.press(ONE, "OK BACK")
    assert isinstance(claimed.rig.screen, ConfirmChange)
    claimed.rig.press("BACK")
    claimed.press(ONE, "BACK")
    assert isinstance(claimed.rig.screen, AmendEntry)
    if opens == "keypad":
        claimed.press(TWO, "OK OK")
    else:
        claimed.rig.press("OK OK")
    assert isinstance(claimed.rig.rows[-1], Amend)


def test_a_setting_allows_every_keypad_on_every_turn(claimed: Keypads) -> None:
    claimed.rig.press("OK 1 MENU")
    choose_line(claimed.rig, "This box")
    choose_line(claimed.rig, "Seat keypads")
    choose_line(claimed.rig, "Anybody")
    assert claimed.rig.view.settings["keypads"] == "anyone"
    claimed.press(ONE, "DRAW")
    assert claimed.rig.rows[-1] == Step((TilesDrawn(BLUE),))


def test_the_first_call_counts_and_only_its_caller_may_key_it(claimed: Keypads) -> None:
    claimed.rig.press("OK 1 PASS OK 6 5 OK PASS OK")
    claimed.press(ONE, "BOGUS")
    screen = claimed.rig.screen
    claimed.press(TWO, "BOGUS BACK OK 1")
    assert claimed.rig.screen == screen
    assert claimed.rig.console.message == "Red called first: Blue waits."
    claimed.press(ONE, "OK")
    assert claimed.rig.rows[-1] == Step((BogusCalled(BLUE, RED, 4),))


@pytest.mark.parametrize(("contact", "caller"), [(4.9, BLUE), (5.1, RED), (None, RED)])
def test_of_two_calls_the_one_pressed_earlier_counts(contact: float | None, caller: Seat) -> None:
    rig = started(3).press(SCORED + "DRAW PASS OK")  # Green drew and passed; both others may call
    rig.send(Press(Key.BOGUS, RED, PressId(ONE, 1, 1), at=5.0))
    rig.send(Press(Key.BOGUS, BLUE, PressId(TWO, 1, 1), at=contact))
    assert rig.screen.by == caller  # type: ignore[attr-defined]


def test_an_impossible_call_deletes_no_digit(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.press(TWO, "6").press(ONE, "BOGUS")
    said = "Nobody else has drawn or passed in this hand: enter that first."
    assert claimed.rig.console.message == said
    claimed.press(TWO, "3 OK")
    assert claimed.rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))


def test_bogus_in_a_game_without_it_deletes_no_digit() -> None:
    keypads = at_set_up()
    keypads.rig.press("2 2 1 OK")
    keypads.press(ONE, "OK").press(TWO, "OK")
    keypads.rig.press("OK 1")
    keypads.press(TWO, "6").press(ONE, "BOGUS").press(TWO, "3 OK")
    assert keypads.rig.rows[-1] == Step((TilePlayed(BLUE, (6, 3)),))


def test_during_a_call_only_the_accused_seat_can_key(
    claimed: Keypads,
) -> None:
    claimed.rig.press("OK 1 PASS OK")
    claimed.press(TWO, "BOGUS")
    assert claimed.rig.console.message, "nobody else has passed"
    claimed.press(ONE, "BOGUS OK")
    assert isinstance(claimed.rig.screen, ShowVerdict)
    claimed.press(ONE, "BOGUS")
    assert claimed.rig.console.message == "There is already a call: settle it first."
    claimed.press(ONE, "2")
    assert claimed.rig.console.message == "Blue shows the tiles: Red waits."
    claimed.press(TWO, "2 1")
    assert claimed.rig.screen.keyed == (2, 1)  # type: ignore[attr-defined]


def test_a_holding_is_keyed_on_its_seats_keypad() -> None:
    keypads = Keypads(until("KeyHolding", 1, 2))
    keypads.rig.view = replace(
        keypads.rig.view,
        settings={**keypads.rig.view.settings, "keypad.e661": "Red", "keypad.e662": "Blue"},
    )
    seat = keypads.rig.screen.seat  # type: ignore[attr-defined]
    mine, other = (ONE, TWO) if seat == RED else (TWO, ONE)
    keypads.press(other, "1")
    assert "waits" in str(keypads.rig.console.message)
    keypads.press(mine, "1 2")
    assert keypads.rig.screen.keyed == (1, 2)  # type: ignore[attr-defined]


def test_a_seats_keypad_does_not_lock_the_box(claimed: Keypads) -> None:
    claimed.rig.press("OK 1")
    claimed.rig.send(Press(Key.BACK, BLUE, PressId(TWO, 1, 99), held=True))
    assert not claimed.rig.console.locked


def test_the_lights_show_whose_turn_it_is(claimed: Keypads) -> None:
    claimed.rig.press(OPEN)
    lights = claimed.rig.console.show(claimed.rig.view).lights
    assert lights is not None
    assert (lights[RED], lights[BLUE]) == (Light.OFF, Light.TURN)


def test_the_next_seats_keys_do_not_answer_the_out_question() -> None:
    keypads = Keypads(until("AskOut", 1, 2))
    seat = keypads.rig.state.board.hand.round.out
    settings = {**keypads.rig.view.settings, "keypad.e661": "Red", "keypad.e662": "Blue"}
    keypads.rig.view = replace(keypads.rig.view, settings=settings)
    mine, other = (ONE, TWO) if seat == RED else (TWO, ONE)
    length = keypads.rig.view.game.length
    keypads.press(other, "5 4 DRAW OK")
    assert keypads.rig.view.game.length == length
    assert "waits" in str(keypads.rig.console.message)
    keypads.rig.press("5")
    assert str(keypads.rig.console.message).startswith(f"First: is {seat} out?")
    keypads.press(mine, "OK")
    assert keypads.rig.view.game.length == length + 1
