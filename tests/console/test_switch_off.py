"""MENU held asks whether to switch the box off, where it may."""

from dataclasses import replace

import pytest

from companion.core.keys import Key, Press, PressId
from tests.console.rig import Rig, started


@pytest.fixture
def rig() -> Rig:
    rig = started().press("OK 1 6 3 OK 3")
    rig.view = replace(rig.view, switches_off=True)
    return rig


def test_holding_menu_asks_and_ok_switches_the_box_off(rig: Rig) -> None:
    kept = len(rig.rows)
    assert rig.press("MENU!").name() == "SwitchOff"
    assert not rig.console.off
    assert rig.press("OK").console.off
    assert len(rig.rows) == kept


def test_back_returns_to_the_screen_and_its_digits(rig: Rig) -> None:
    before = rig.screen
    assert rig.press("MENU! BACK").screen == before
    assert not rig.console.off


def test_other_keys_do_not_answer_the_switch_off_question(rig: Rig) -> None:
    rig.press("MENU! 1 0 DRAW PASS BOGUS MENU MENU! UP RIGHT OK!")
    assert rig.name() == "SwitchOff"
    assert not rig.console.off
    assert rig.press("BACK").name() == "LineTurn"


def test_a_short_press_of_menu_opens_the_menu(rig: Rig) -> None:
    assert rig.press("MENU").name() == "Menu"


def test_the_box_switches_off_before_the_first_game_too() -> None:
    rig = Rig()
    rig.view = replace(rig.view, switches_off=True)
    assert rig.press("MENU! OK").console.off


def test_a_joystick_can_confirm_switching_off(rig: Rig) -> None:
    assert rig.press("MENU! PRESS").console.off


def test_locked_keys_and_seat_keypads_do_not_switch_the_box_off(rig: Rig) -> None:
    for held in (False, True):
        rig.send(Press(Key.MENU, rig.state.to_move, held=held))
    assert rig.name() == "Menu"
    assert rig.press("BACK BACK! MENU! OK").name() != "SwitchOff"
    assert not rig.console.off


def test_holding_menu_only_opens_the_menu_if_the_box_cannot_switch_off() -> None:
    assert started().press("OK 1 MENU!").name() == "Menu"


def test_only_the_boxs_own_keys_answer_the_switch_off_question(rig: Rig) -> None:
    rig.press("MENU!")
    for key in (Key.OK, Key.BACK):
        rig.send(Press(key, rig.state.to_move, PressId("e661", 1, 1)))
        assert rig.name() == "SwitchOff"
        assert not rig.console.off
        assert rig.console.message == "The question is on the box: answer with its keys."
    assert rig.press("OK").console.off


def test_a_keypad_cannot_switch_off_the_box_before_the_first_game() -> None:
    rig = Rig()
    rig.view = replace(rig.view, switches_off=True)
    rig.press("MENU!").send(Press(Key.OK, source=PressId("e661", 1, 1)))
    assert not rig.console.off
