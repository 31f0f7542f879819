"""Each item of the menu always has the same digit; unavailable items are left out, and their digits
do nothing."""

import re
from functools import cache

import pytest

from companion.console.console import Console
from companion.console.lists import ItemList
from companion.console.screens.box_settings import CHECK_TITLE as CHECK
from companion.console.screens.menu import Menu, open_menu
from companion.games.entries import HandBlocked
from companion.record.rows import Redo, Step, Undo
from tests.console.rig import Rig, started
from tests.console.typist import choose_line
from tests.screens.scenes import SCENES
from tests.screens.test_made_up import made

SCORED = "OK 1 6 3 OK "
SHARED = {
    "": {
        1: "Undo .+",
        2: "History: .+",
        3: "Points and chips: .+",
        6: "Redo .+",
        8: "This box",
        9: "This game: .+",
        0: "Phones",
    },
    "8": {
        1: "Holdings keyed as",
        2: "Bogus play proven",
        3: "Seat keypads",
        4: "Brightness",
        5: "Picture",
        6: "Whose keypad is whose\\?",
        7: "Lock the keys",
        8: "Sound",
        9: "Club",
        0: "Language",
    },
    "9": {1: "Order of the seats", 2: "End this game", 3: "New game", 4: "Other people sit here"},
}
"""In every game: the list (the digits that open it), then each item by its digit. People key these
digits by heart: an item may be added behind the others, but none may ever move."""
LINE = {
    "": {
        4: "Blocked: nobody can play",
        5: "More of this hand",
        7: "How you key: .+",
    },
    "5": {
        1: ".+ is out",
        2: ".+ returns the tile",
        3: "Misdraw",
        4: "Redeal: no doubles",
        5: "Bogus play",
    },
}
HIGH_FIVES = {
    "": {4: "This turn by points", 5: "More of this hand", 7: "How you key: .+"},
    "5": {
        1: "In the tableau",
        2: "The next hand is dealt",
        3: "All laid: what is left\\?",
    },
}
HIGHRISE = {
    "": {4: "Blocked: nobody can play", 5: "More of this hand", 7: "Basement .+"},
    "5": {1: ".+ is out", 2: "Leave the basement out"},
}
TILES = {"": {4: "First out: \\+2", 5: "All tiles are laid", 7: ".+ has no tile left"}}
CLUBS = {
    "": LINE[""],
    "5": LINE["5"]
    | {
        3: "Time up: the last hand",
        6: ".+ called the count",
        7: ".+ didn't call it",
        8: "Muggins.*",
        9: "Wrong number of tiles",
    },
}
OWN = {
    "all-fives": CLUBS,
    "fives-and-threes": CLUBS,
    "domino": CLUBS,
    "high-five": LINE,
    "five-up": LINE,
    "high-fives": HIGH_FIVES,
    "high-five-tiles": TILES,
    "highrise": HIGHRISE,
}
"""The items of each game's own, in the same form."""
ITEMS = [
    *((("high-five", "five-up", "race"), place, items) for place, items in SHARED.items()),
    *((("high-five", "five-up"), place, items) for place, items in LINE.items()),
    *((("all-fives",), "5", {number: CLUBS["5"][number]}) for number in (3, 6, 7, 8, 9)),
    *((("high-fives",), place, items) for place, items in HIGH_FIVES.items()),
    *((("high-five-tiles",), place, items) for place, items in TILES.items()),
    *((("highrise",), place, items) for place, items in HIGHRISE.items()),
]
"""Games, a list, and the items that some scene of one of these games must offer there."""


def numbered(rig: Rig) -> dict[int, str]:
    """The items of the list that is shown, by digit."""
    screen = rig.screen
    assert isinstance(screen, ItemList)
    lines, numbers = screen.lines(rig.view), screen.keyable_digits(rig.view)
    assert {*lines[len(numbers) :]} <= {CHECK}, "all but one have a digit"
    return dict(zip(numbers, lines, strict=False))


@cache
def game_of(name: str) -> str:
    """The game that a scene plays; empty if it plays none."""
    journal = made(name).view.journal
    return journal.opened.game if journal is not None and not journal.withdrawn else ""


def in_a_game(name: str) -> bool:
    return bool(game_of(name))


def digits_of(game: str) -> dict[str, dict[int, str]]:
    """The items of a game, by digit, list by list."""
    own = OWN.get(game, {})
    return {
        place: SHARED.get(place, {}) | own.get(place, {})
        for place in dict.fromkeys([*SHARED, *own])
    }


@cache
def menus(name: str) -> dict[str, dict[int, str]]:
    """Returns the items that a scene's menu offers, by digit; each further list is under the digit
    that opens it."""
    rig, found = made(name), {}
    for place in digits_of(game_of(name)):
        rig.console = Console(screen=open_menu(rig.view, None))
        rig.press(place)
        if not place or not isinstance(rig.screen, Menu):
            found[place] = numbered(rig)
    return found


def test_menu_items_always_keep_their_digits() -> None:
    for name in filter(in_a_game, SCENES):
        known = digits_of(game_of(name))
        for place, lines in menus(name).items():
            for number, line in lines.items():
                assert re.fullmatch(known[place][number], line), (name, place, number, line)


@pytest.mark.parametrize("games, place, items", ITEMS)
def test_every_menu_item_is_available_in_some_scene(
    games: tuple[str, ...], place: str, items: dict[int, str]
) -> None:
    scenes = (name for name in SCENES if game_of(name) in games)
    assert set(items) <= {number for name in scenes for number in menus(name).get(place, {})}


@pytest.mark.parametrize("where", ["OK 1 ", SCORED, SCORED + "BACK OK ", SCORED + "DRAW "])
@pytest.mark.parametrize("digits", ["5 5", "8 4", "9 3", "2", "3"])
def test_menu_digits_open_the_same_screens_from_every_turn(where: str, digits: str) -> None:
    """With and without something to redo, after a play and after a draw."""
    lead_to = {"5 5": ("Note", "ChooseTurn"), "8 4": ("Choices",), "9 3": ("ChooseGame",),
               "2": ("History",), "3": ("SeatList",)}  # fmt: skip
    rig = started().press(where + "MENU " + digits)
    assert rig.name() in lead_to[digits]


def test_a_digit_without_a_menu_item_does_nothing() -> None:
    rig = started().press(SCORED + "MENU")
    assert 6 not in numbered(rig)
    before, rows = rig.screen, len(rig.rows)
    assert rig.press("6").screen == before
    rig.press("0 5 4 2")
    assert len(rig.rows) == rows
    rig.press("BACK BACK BACK OK MENU 6")
    assert isinstance(rig.rows[-2], Undo)
    assert isinstance(rig.rows[-1], Redo)


def test_the_bar_skips_unavailable_items() -> None:
    rig = started().press(SCORED + "MENU DRAW DRAW DRAW DRAW DRAW OK")
    assert isinstance(rig.screen, ItemList)
    assert rig.screen.title(rig.view) == "How you key tiles", "5 is followed by 7"


def test_a_seats_digit_is_its_place_at_the_table() -> None:
    """Even if a seat before it can't be chosen."""
    rig = started(3).press("OK MENU 5 3 1 OK MENU 5 3")
    assert numbered(rig) == {2: "Blue misdrew", 3: "Green misdrew"}
    rig = started(3).press(SCORED + "DRAW PASS OK BOGUS OK")
    assert numbered(rig) == {1: "Red calls", 2: "Blue calls"}
    rig = started(3).press("OK 1 DRAW PASS OK BOGUS OK")
    assert numbered(rig) == {1: "Red calls", 3: "Green calls"}


def test_blocked_has_a_fixed_digit_in_the_menu() -> None:
    rig = started().press(SCORED + "MENU 4 OK")
    assert rig.rows[-1] == Step((HandBlocked(),))


def test_back_returns_through_the_lists_of_the_menu() -> None:
    for digit in "589":
        rig = started().press(SCORED + "MENU " + digit)
        assert rig.press("BACK").name() == "Menu"
        assert rig.press("BACK").name() == "LineTurn"


def test_the_menu_item_locks_the_keys() -> None:
    rig = started().press(SCORED + "MENU")
    choose_line(rig, "This box", "Lock the keys")
    assert rig.console.locked
