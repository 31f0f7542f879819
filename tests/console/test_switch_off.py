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


def test_holding_the_key_asks_and_ok_switches_off(rig: Rig) -> None:
    kept = len(rig.rows)
    assert rig.press("MENU!").name() == "SwitchOff"
    assert not rig.console.off
    assert rig.press("OK").console.off
    assert len(rig.rows) == kept


def test_back_leads_to_where_it_was_pressed_with_what_was_keyed(rig: Rig) -> None:
    before = rig.screen
    assert rig.press("MENU! BACK").screen == before
    assert not rig.console.off


def test_every_other_key_leaves_the_question(rig: Rig) -> None:
    rig.press("MENU! 1 0 DRAW PASS BOGUS MENU MENU! UP RIGHT OK!")
    assert rig.name() == "SwitchOff"
    assert not rig.console.off
    assert rig.press("BACK").name() == "LineTurn"


def test_pressed_shortly_it_is_the_menu(rig: Rig) -> None:
    assert rig.press("MENU").name() == "Menu"


def test_the_box_switches_off_before_the_first_game_too() -> None:
    rig = Rig()
    rig.view = replace(rig.view, switches_off=True)
    assert rig.press("MENU! OK").console.off


def test_a_joystick_says_yes_too(rig: Rig) -> None:
    assert rig.press("MENU! PRESS").console.off


def test_locked_keys_and_a_seats_keypad_switch_nothing_off(rig: Rig) -> None:
    for held in (False, True):
        rig.send(Press(Key.MENU, rig.state.to_move, held=held))
    assert rig.name() == "Menu"
    assert rig.press("BACK BACK! MENU! OK").name() != "SwitchOff"
    assert not rig.console.off


def test_without_permission_the_question_is_not_asked() -> None:
    assert started().press("OK 1 MENU!").name() == "Menu"


def test_only_the_boxs_own_keys_answer(rig: Rig) -> None:
    rig.press("MENU!")
    for key in (Key.OK, Key.BACK):
        rig.send(Press(key, rig.state.to_move, PressId("e661", 1, 1)))
        assert rig.name() == "SwitchOff"
        assert not rig.console.off
        assert rig.console.message == "The question is on the box: answer with its keys."
    assert rig.press("OK").console.off


def test_a_keypad_does_not_answer_before_the_first_game_either() -> None:
    rig = Rig()
    rig.view = replace(rig.view, switches_off=True)
    rig.press("MENU!").send(Press(Key.OK, source=PressId("e661", 1, 1)))
    assert not rig.console.off
