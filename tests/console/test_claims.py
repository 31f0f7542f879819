"""The seat of a keypad is claimed after the set-up, or when the keypad is plugged in later."""

from dataclasses import replace

import pytest

from companion.console.line.turn import LineTurn
from companion.console.screens.box_settings import ClaimKeypad, WhoseKeypad
from companion.core.seats import Seat
from companion.record.rows import GameOpened
from tests.console.keypads import BLUE, GREEN, ONE, RED, TWO, Keypads, at_set_up
from tests.console.rig import Rig, started
from tests.console.typist import choose_line
from tests.screens.keyed import SCORED


def test_ok_on_keypads_claims_seats_after_the_set_up() -> None:
    keypads = at_set_up()
    rig = keypads.rig.press("1 2 1 OK")
    assert isinstance(rig.rows[-1], GameOpened), "the game is there before anybody is asked"
    assert rig.screen == ClaimKeypad((RED, BLUE))
    assert rig.console.show(rig.view).claiming
    keypads.press(TWO, "OK").press(ONE, "OK")
    assert keypads.owned() == {"keypad.e662": "Red", "keypad.e661": "Blue"}
    assert not isinstance(rig.screen, ClaimKeypad)
    assert not rig.console.show(rig.view).claiming


def test_ok_on_the_box_skips_a_seat_without_a_keypad() -> None:
    keypads = at_set_up(ONE)
    keypads.rig.press("1 3 1 OK OK")
    keypads.press(ONE, "5 OK")
    assert keypads.owned() == {"keypad.e661": "Blue"}
    assert not isinstance(keypads.rig.screen, ClaimKeypad), "there is no other keypad to ask for"


def test_seats_are_asked_only_while_a_keypad_is_unclaimed() -> None:
    assert not isinstance(Rig().press("1 2 1 OK").screen, ClaimKeypad)
    rig = Rig()
    rig.view = replace(rig.view, keypads={ONE: RED, TWO: BLUE})
    assert not isinstance(rig.press("1 2 1 OK").screen, ClaimKeypad)


def test_a_keypad_of_a_person_who_does_not_play_is_claimed_again() -> None:
    rig = Rig()
    rig.view = replace(rig.view, keypads={ONE: RED, TWO: Seat("Otto")})
    assert rig.press("1 3 1 OK").screen == ClaimKeypad((BLUE, GREEN), heard=frozenset({ONE}))


def test_a_keypad_plugged_in_later_asks_for_its_seat() -> None:
    keypads = Keypads(started().press(SCORED))
    keypads.press(ONE, "6")
    assert keypads.rig.console.message == "This keypad has no seat yet: press its OK in a game."
    keypads.press(ONE, "OK")
    assert isinstance(keypads.rig.screen, WhoseKeypad)
    keypads.press(TWO, "1")
    assert keypads.owned() == {}, "another keypad does not answer"
    keypads.press(ONE, "2")
    assert keypads.owned() == {"keypad.e661": "Blue"}
    assert isinstance(keypads.rig.screen, LineTurn)


def test_keypads_can_be_assigned_again() -> None:
    keypads = Keypads(started().press(SCORED))
    keypads.rig.press("MENU")
    choose_line(keypads.rig, "This box")
    choose_line(keypads.rig, "Whose keypad")
    keypads.press(ONE, "OK").press(TWO, "OK")
    keypads.rig.press("MENU")
    choose_line(keypads.rig, "This box")
    choose_line(keypads.rig, "Whose keypad")
    keypads.press(TWO, "OK").press(ONE, "OK")
    assert keypads.owned() == {"keypad.e662": "Red", "keypad.e661": "Blue"}


def test_a_second_ok_does_not_claim_the_next_seat() -> None:
    keypads = at_set_up()
    keypads.rig.press("1 2 1 OK")
    keypads.press(TWO, "OK OK")
    assert keypads.owned() == {"keypad.e662": "Red"}
    assert keypads.rig.console.message == "This keypad is Red's. Blue is asked now."
    keypads.press(ONE, "OK")
    assert keypads.owned() == {"keypad.e662": "Red", "keypad.e661": "Blue"}


def test_a_digit_claims_no_seat_and_says_to_press_ok() -> None:
    keypads = at_set_up()
    keypads.rig.press("1 2 1 OK")
    keypads.press(TWO, "5")
    assert keypads.owned() == {}
    assert keypads.rig.console.message == "OK makes this keypad Red's."


def test_digits_meant_for_the_game_give_a_new_keypad_no_seat() -> None:
    keypads = Keypads(started(3).press("OK 1"), ONE, TWO)
    keypads.press(TWO, "OK 2 OK")
    assert isinstance(keypads.rig.screen, LineTurn)
    assert keypads.owned() == {"keypad.e662": "Blue"}
    keypads.press(ONE, "OK").press(TWO, "1 BOGUS OK")
    assert keypads.owned() == {"keypad.e662": "Blue"}
    said = "Blue waits: a new keypad needs its seat first."
    assert keypads.rig.console.message == said
    keypads.press(ONE, "3")
    assert keypads.owned() == {"keypad.e662": "Blue", "keypad.e661": "Green"}


def test_the_menu_has_no_keypad_item_without_keypads() -> None:
    rig = started().press(SCORED + "MENU")
    with pytest.raises(StopIteration):
        choose_line(rig, "This box", "Whose keypad")
