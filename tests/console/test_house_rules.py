"""House rules at the set-up: each is a sentence, and numbers are keyed as digits."""

from dataclasses import replace

import pytest

from companion.console.console import Console
from companion.console.screens.set_up import ChooseOptions, ChooseValue, ShowTable
from companion.games.house_rules import Value
from tests.catalog import GAMES
from tests.console.rig import Rig
from tests.manual.reading import reads

HIGH_FIVE, FIVE_UP = "1 2 1 MENU ", "2 2 1 MENU "


def value_of(rig: Rig, option: str) -> Value:
    """The value of that option on the list of house rules."""
    assert isinstance(rig.screen, ChooseOptions)
    assert isinstance(rig.screen.table, ShowTable)
    return rig.screen.table.options[option]


def test_house_rules_are_sentences() -> None:
    rig = Rig().press(HIGH_FIVE)
    for text in ("Tiles each: 7", "Tiles that stay: 0", "Pips: to the nearest five"):
        assert reads(rig.frame, text), text


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if game.options])
def test_every_house_rule_fits_on_its_line(name: str) -> None:
    game = GAMES[name]
    for players in game.players:
        rig = Rig().press(f"{list(GAMES).index(name) + 1} {players} 1 MENU")
        listed = rig.screen
        assert isinstance(listed, ChooseOptions)
        for at, option in enumerate(game.options):
            for value in option.choices(players):
                rig.console = Console(
                    replace(listed.with_value(rig.view, option.name, value), at=at)
                )
                rig.press("DRAW PASS")
                assert isinstance(rig.screen, ChooseOptions)
                sentence = rig.screen.lines(rig.view)[at]
                assert reads(rig.frame, sentence), sentence


@pytest.mark.parametrize(
    ("keys", "option", "value"),
    [
        (HIGH_FIVE + "2 2", "leave", 2),
        (HIGH_FIVE + "2 1", "leave", 1),
        (HIGH_FIVE + "1 9", "deal", 9),
        (HIGH_FIVE + "6 1 0", "first-score", 10),
        (HIGH_FIVE + "7 5 0", "wrong-call", 50),
        (HIGH_FIVE + "7 5 0 7 0", "wrong-call", 0),
        (FIVE_UP + "2 3 5 0", "target", 350),
        (FIVE_UP + "2 3 5 OK", "target", 350),
        (FIVE_UP + "2 9 4 5 0", "target", 450),
        (FIVE_UP + "2 DRAW OK", "target", 300),
    ],
)
def test_numeric_options_are_keyed_as_numbers(keys: str, option: str, value: int) -> None:
    assert value_of(Rig().press(keys), option) == value


def test_lists_of_numbers_have_no_digits_for_their_lines() -> None:
    rig = Rig().press(HIGH_FIVE + "2")
    assert isinstance(rig.screen, ChooseValue)
    assert not rig.screen.keyable_digits(rig.view)
    assert not reads(rig.frame, "1 0")
    assert reads(rig.frame, "Key it, or OK. BACK")


def test_named_options_are_chosen_by_line_digit() -> None:
    rig = Rig().press(HIGH_FIVE + "3")
    assert reads(rig.frame, "2 rounded up")
    assert value_of(rig.press("2"), "rounding") == "up"


def test_contradictory_house_rules_are_reported_before_the_game() -> None:
    rig = Rig().press("6 2 1 MENU 4 6 1 BACK")
    assert reads(rig.frame, "61 points win only")
    assert rig.press("OK").refused
    assert rig.view.journal is None
    assert "Turns go clockwise" in rig.press("MENU 5 2 BACK").frame.words
    rig.press("OK")
    assert rig.view.game.opened.options["target"] == 61


def test_a_clubs_rules_are_offered_for_their_number_of_seats() -> None:
    assert "3 W" in Rig().press("6 3 1 MENU 1").frame.words
    assert "3 T" in Rig().press("6 2 1 MENU 1").frame.words
