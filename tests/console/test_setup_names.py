"""Names at the set-up: back by one question at a time, corrected, removed."""

from dataclasses import replace

import pytest

from companion.console.screens.set_up import ChooseGame, NameSeat, SpellName
from companion.core.keys import Key, Press
from companion.record.names import removal_setting
from companion.record.rows import GameOpened, Setting
from tests.console.rig import Rig, started
from tests.manual.reading import reads


def with_names(*names: str) -> Rig:
    rig = Rig()
    rig.view = replace(rig.view, names=names, newest_game=7)
    return rig


def test_back_from_a_name_shows_the_previous_question_with_its_answer() -> None:
    rig = Rig().press("1 3 2 2 DRAW 6 OK 3 DRAW 3 3 OK")
    assert reads(rig.frame, "NAME OF SEAT 3")
    rig.press("BACK")
    assert isinstance(rig.screen, SpellName)
    assert (rig.screen.name, rig.screen.seat.named) == ("De", ("Am",))
    rig.press("BACK 2 OK")
    assert isinstance(rig.screen, SpellName)
    assert rig.screen.seat.named == ("Am", "Da"), "one letter corrected"
    rig.press("4 OK")
    assert rig.name() == "ShowTable"
    rig.press("BACK")
    assert isinstance(rig.screen, SpellName)
    assert rig.screen.name == "G"


def test_back_from_the_tables_drawing_leads_to_the_last_name() -> None:
    rig = with_names("Bo", "Anne", "Cy").press("1 2 2 2 3")
    assert rig.name() == "ShowTable"
    rig.press("BACK")
    assert isinstance(rig.screen, NameSeat)
    assert (rig.screen.named, rig.screen.at) == (("Bo",), 2)
    rig.press("BACK")
    assert isinstance(rig.screen, NameSeat)
    assert (rig.screen.named, rig.screen.at) == ((), 1)


@pytest.mark.parametrize("names", [(), ("Bo", "Anne")])
def test_back_warns_before_leaving_to_an_older_game(
    names: tuple[str, ...],
) -> None:
    rig = started().press("OK 1 6 3 OK MENU")
    rig.view = replace(rig.view, names=names)
    rig.console = replace(rig.console, screen=ChooseGame())
    rig.press("1 2 2" + (" 1" if names else ""))
    while not isinstance(rig.screen, ChooseGame):
        rig.press("BACK")
    assert rig.press("BACK").console.message == "BACK again: back to the game."
    assert isinstance(rig.screen, ChooseGame)
    assert rig.copy().press("BACK").name() == "LineTurn"
    assert rig.copy().press(str(len(rig.games) + 1)).name() == "LineTurn", "by its line, too"


def test_resuming_a_set_up_warns_again_about_back() -> None:
    rig = started().press("OK 1 6 3 OK MENU")
    rig.console = replace(rig.console, screen=ChooseGame())
    rig.press("1 BACK BACK 1 BACK BACK")
    assert isinstance(rig.screen, ChooseGame)
    assert rig.console.message == "BACK again: back to the game."


def test_a_single_back_leaves_a_new_set_up() -> None:
    rig = started().press("OK 1 6 3 OK")
    rig.console = replace(rig.console, screen=ChooseGame())
    assert rig.press("BACK").name() == "LineTurn"


def test_an_earlier_name_can_be_corrected() -> None:
    rig = with_names("Anme", "Bo").press("1 2 2 DRAW MENU 1")
    assert isinstance(rig.screen, SpellName)
    assert rig.screen.name == "Anme"
    rig.press("BACK BACK 6 6 DRAW 3 3 OK")
    assert rig.rows == [Setting(removal_setting("Anme"), 7)]
    assert isinstance(rig.screen, NameSeat)
    assert (rig.screen.named, rig.view.names) == (("Anne",), ("Bo",))
    rig.press("2 OK")
    assert isinstance(rig.rows[-1], GameOpened)
    assert rig.rows[-1].seats.order == ("Anne", "Bo")


def test_correcting_a_name_to_itself_does_not_remove_it() -> None:
    rig = with_names("Anne", "Bo").press("1 2 2 DRAW MENU 1 BACK 3 3 OK")
    assert not rig.rows
    assert isinstance(rig.screen, NameSeat)
    assert rig.screen.named == ("Anne",)


def test_a_removed_name_is_no_longer_offered() -> None:
    rig = with_names("Anme", "Bo").press("1 2 2 DRAW")
    assert reads(rig.frame, "MENU: correct")
    rig.press("MENU")
    assert reads(rig.frame, "Remove it")
    rig.press("2")
    assert rig.rows == [Setting(removal_setting("Anme"), 7)]
    assert reads(rig.frame, "2 Bo")


def test_menu_without_a_selected_name_shows_how_to_correct() -> None:
    rig = with_names("Anme", "Bo").press("1 2 2 MENU")
    assert rig.console.message == "Go to a name with DRAW: MENU corrects or removes it."


def typed(rig: Rig, letters: str) -> Rig:
    for letter in letters:
        rig.send(Press(Key.PRESS, letter=letter))
    return rig


def test_letters_of_a_keyboard_spell_a_name() -> None:
    rig = typed(Rig().press("1 2 2"), "anne marie")
    assert isinstance(rig.screen, SpellName)
    assert rig.screen.name == "Anne_Marie"
    typed(rig, "x")
    assert rig.screen.name == "Anne_Marie", "ten letters at most"
    rig.press("BACK OK")
    typed(rig.press("2 2"), "o").press("OK")
    assert rig.name() == "ShowTable"
    rig.press("OK")
    assert isinstance(rig.rows[-1], GameOpened)
    assert rig.rows[-1].seats.order == ("Anne_Mari", "Bo")


@pytest.mark.parametrize("letters", ["1", "ß", "-", " "])
def test_characters_not_allowed_in_names_are_ignored(letters: str) -> None:
    rig = typed(Rig().press("1 2 2"), letters)
    assert isinstance(rig.screen, SpellName)
    assert rig.screen.name == ""


def test_letters_do_nothing_unless_a_name_is_spelled() -> None:
    rig = started().press("OK 1 6 3")
    before = rig.console
    assert not before.takes_letters
    assert typed(rig, "dpbm").console == before
    spelling = Rig().press("1 2 2")
    assert spelling.console.takes_letters
    spelling.press("BACK!")
    assert not spelling.console.takes_letters, "the keys are locked"
