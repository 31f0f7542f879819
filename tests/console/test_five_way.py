"""Every board with a joystick is played with just the keys that it has."""

from dataclasses import replace
from random import Random

import pytest

from companion.console.console import NO_PICKER, KeyPicker, picker_keys
from companion.console.screens.history import History
from companion.console.screens.menu import Menu
from companion.console.screens.set_up import SpellName
from companion.core.keys import SIXTEEN, Key, Press
from companion.core.seats import Seat
from companion.games.entries import (
    CallRuled,
    ChipsAudited,
    ChipsCorrected,
    TileReturned,
    TilesDrawn,
)
from companion.games.line.line import TilePlayed
from companion.games.tiles import DOUBLE_SIX
from companion.record.rows import Amend, GameOpened, Redo, Reseat, Rewind, Setting, Step, Undo
from tests.console.joystick import BOARDS, STICK, Joystick
from tests.console.test_disputes import EXCLUDED, PASSED, PROVEN
from tests.console.typist import WAYS, Typist, choose_line
from tests.random_games import play_game

KEYS3 = (Key.OK, Key.UP, Key.DOWN)
RED, BLUE = Seat("Red"), Seat("Blue")
SCORED = "OK 1 6 3 OK "
EIGHT = "4 4 4 5 2 4 1 4 0 4 0 2 2 3 1 3 OK "


@pytest.fixture(params=[*BOARDS, "a joystick alone"])
def rig(request: pytest.FixtureRequest) -> Joystick:
    """The console of a board with a joystick, before any game."""
    return Joystick(board=BOARDS.get(request.param, STICK))


def started(rig: Joystick, keys: str = "") -> Joystick:
    """A game of High Five by colours, before its first hand."""
    return rig.press("1 2 1 OK " + keys)


def test_only_two_boards_have_a_joystick() -> None:
    assert {name: keys - STICK for name, keys in BOARDS.items()} == {
        "adafruit-bonnet": {Key.DRAW, Key.MENU},
        "waveshare-1.3-hat": {Key.DRAW, Key.PASS, Key.MENU},
    }


# ---------------------------------------------------------------- set-up


def test_a_joystick_spells_names_and_sets_options(rig: Joystick) -> None:
    rig.press("1 2 2").spell("Bo").spell("Anne")
    rig.press("MENU 3 2 BACK OK")
    assert isinstance(rig.rows[-1], GameOpened)
    assert rig.rows[-1].seats.order == ("Bo", "Anne")
    assert rig.view.game.opened.options["rounding"] == "up"


def test_a_joystick_swaps_the_order_of_the_seats(rig: Joystick) -> None:
    rig.press("1 3 1 OK OK MENU")
    choose_line(rig, "This game", "Order")
    rig.press("DRAW OK")
    assert isinstance(rig.rows[-1], Reseat)


def test_a_joystick_changes_the_boxs_settings(rig: Joystick) -> None:
    started(rig, "OK 1 MENU")
    choose_line(rig, "This box")
    choose_line(rig, "Picture")
    rig.press("2")
    assert rig.rows[-1] == Setting("flip", "on")


def test_the_joystick_is_rotated_with_the_picture(rig: Joystick) -> None:
    started(rig, SCORED + "MENU")
    rig.view = replace(rig.view, settings={"flip": "on"})
    rig.send(Press(Key.UP))
    rig.send(Press(Key.UP, repeated=True))
    assert isinstance(rig.screen, Menu)
    assert rig.screen.at == 2
    rig.send(Press(Key.RIGHT))
    assert not isinstance(rig.screen, Menu)
    rig.send(Press(Key.DOWN))
    first, keys = rig.console.picker, picker_keys(rig.screen, rig.view)
    rig.send(Press(Key.DOWN))
    assert rig.console.picker == first.turned(keys, 1) != first.turned(keys, -1)
    rig.send(Press(Key.RIGHT))
    rig.send(Press(Key.RIGHT, held=True))
    assert rig.console.locked


# ---------------------------------------------------------------- play


@pytest.mark.parametrize("way", WAYS)
def test_a_joystick_enters_whole_hands(rig: Joystick, way: str) -> None:
    typist = Typist(started(rig), way)
    played = play_game(Random(1))[:60]
    for entry, after in played:
        typist.enter(entry, after)
    assert not rig.refused
    assert rig.state.scores == played[-1][1].scores


def test_a_joystick_enters_a_whole_game_and_begins_the_next(rig: Joystick) -> None:
    typist = Typist(started(rig), "tile")
    played = play_game(Random(4))
    for entry, after in played:
        typist.enter(entry, after)
    assert rig.state.winner == played[-1][1].winner is not None
    while rig.name() == "LastPayment":
        rig.press("OK")
    rig.press("OK 1")
    assert isinstance(rig.rows[-1], GameOpened)
    assert rig.rows[-1].after == 1


def test_a_joystick_insists_on_a_refused_play(rig: Joystick) -> None:
    started(rig, SCORED + "1 2 OK! 2 3 6 6 OK")
    assert rig.rows[-1] == Step((TilePlayed(RED, (1, 2), ends=(2, 3, 6, 6), insisted=True),))


def test_a_joystick_locks_and_unlocks_the_keys(rig: Joystick) -> None:
    started(rig, SCORED + "BACK!")
    assert rig.console.locked
    rows = len(rig.rows)
    for key in sorted(rig.board, key=lambda key: key.value):
        rig.send(Press(key))
    assert len(rig.rows) == rows
    rig.send(Press(Key.LEFT, held=True))
    assert not rig.console.locked


# ---------------------------------------------------------------- disputes


def test_a_joystick_enters_a_call_ruled_by_the_table(rig: Joystick) -> None:
    started(rig, PASSED + "BOGUS OK OK " + EIGHT + "1 OK")
    assert rig.rows[-1] == Step((CallRuled(RED, bogus=True),), joined=True)
    assert rig.state.scores.values == (0, 65)


def test_a_joystick_enters_a_call_ruled_without_tiles(rig: Joystick) -> None:
    started(rig, PASSED + "BOGUS OK PASS 1 5 4 OK 1 OK")
    assert rig.state.scores.values == (0, 70)
    rig = started(Joystick(board=rig.board), PASSED + "BOGUS OK PASS 2 OK")
    assert rig.name() == "LineTurn"
    assert rig.state.scores.values == (0, 15)


def test_a_joystick_enters_a_call_proven_by_the_record(rig: Joystick) -> None:
    started(rig, PROVEN + "BOGUS OK OK 2 0 OK OK")
    assert rig.name() == "BetweenHands"
    assert rig.state.scores.values == (50, 0)


def test_a_joystick_enters_a_call_disproved_by_the_tiles(rig: Joystick) -> None:
    started(rig, "OK 1 PASS OK BOGUS OK OK " + EXCLUDED)
    assert rig.name() == "ShowRuling"
    rig.press("OK 6 4 OK")
    assert not rig.refused


def test_a_joystick_overrules_the_record(rig: Joystick) -> None:
    rig.press("1 2 1 MENU")
    options = [option.name for option in rig.games["high-five"].rules.options]
    rig.press(f"{options.index('table-overrules') + 1} 2 BACK OK")
    rig.press("OK 1 PASS OK BOGUS OK OK " + EXCLUDED + "PASS OK")
    assert rig.rows[-1] == Step((CallRuled(BLUE, bogus=True),), joined=True)


# ---------------------------------------------------------------- chips and corrections


def test_chips_are_corrected_and_counted(rig: Joystick) -> None:
    started(rig, SCORED + "MENU 3 1 3 1 0 OK OK")
    assert rig.state.scores.values == (0, 25)
    rig.press("MENU 3 1 3 5 DRAW OK OK")
    assert rig.state.scores.values == (0, 20)
    rig.press("MENU 3 1 2 7 OK 1 0 OK 3 OK")
    assert rig.rows[-1] == Step(
        (ChipsCorrected(RED, 10, "counted"), ChipsAudited(RED, 120, ((10, 7), (5, 10))))
    )


def test_a_joystick_undoes_and_redoes_the_last_entry(rig: Joystick) -> None:
    started(rig, SCORED + "BACK OK")
    rig.press("BACK DRAW")
    assert rig.rows[-2:] == [Undo(), Redo()]
    assert rig.state.scores.values == (0, 15)


def test_a_joystick_returns_a_drawn_tile(rig: Joystick) -> None:
    started(rig, SCORED + "DRAW BACK 2 2 DRAW")
    assert rig.rows[-1] == Step((TileReturned(RED, DOUBLE_SIX.tile(2, 2)),))


def test_a_joystick_changes_entries_in_the_history(rig: Joystick) -> None:
    started(rig, SCORED + "MENU 2 OK 1 6 4 OK OK")
    assert rig.rows[-1] == Amend(2, (TilePlayed(BLUE, (6, 4)),))
    rig.press("MENU 2 OK 2 OK")
    assert rig.rows[-1] == Amend(2, ())
    rig.press("6 3 OK MENU 2 OK 3 DRAW OK")
    rig.press("MENU 2 DRAW OK 4 OK")
    assert rig.rows[-2:] == [Amend(2, (TilesDrawn(BLUE),), insert=True), Rewind(2)]


def test_a_joystick_opens_a_seats_payments(rig: Joystick) -> None:
    started(rig, SCORED + "MENU 3 2 1")
    assert isinstance(rig.screen, History)
    assert rig.screen.seat == BLUE


# ---------------------------------------------------------------- keys that go on


def test_a_held_key_moves_the_bar_of_a_list(rig: Joystick) -> None:
    started(rig, SCORED + "MENU")
    rig.send(Press(Key.DOWN))
    for _ in range(3):
        rig.send(Press(Key.DOWN, repeated=True))
    assert isinstance(rig.screen, Menu)
    assert rig.screen.at == 4


def test_a_held_key_moves_through_the_alphabet(rig: Joystick) -> None:
    rig.press("1 2 2")
    rig.send(Press(Key.UP))
    for _ in range(3):
        rig.send(Press(Key.UP, repeated=True))
    assert isinstance(rig.screen, SpellName)
    assert rig.screen.letter == "D"


def test_a_held_key_moves_the_picker_and_types_nothing(rig: Joystick) -> None:
    started(rig, "OK 1")
    rig.send(Press(Key.UP))
    assert rig.console.picker == KeyPicker(Key.D1, True), "where it was left"
    for _ in range(3):
        rig.send(Press(Key.UP, repeated=True))
    assert rig.console.picker == KeyPicker(Key.D4, True)
    rig.send(Press(Key.RIGHT))
    rig.send(Press(Key.UP, repeated=True))
    assert not rig.console.picker.shown


def test_a_held_key_moves_the_picker_while_changing_an_entry(rig: Joystick) -> None:
    started(rig, SCORED + "MENU 2 OK 1")
    rig.send(Press(Key.DOWN))
    first = rig.console.picker.key
    rig.send(Press(Key.DOWN, repeated=True))
    assert rig.console.picker.key not in (None, first)


@pytest.mark.parametrize("key", [Key.DRAW, Key.PASS])
def test_one_press_draws_or_passes_only_once(key: Key) -> None:
    rig = started(Joystick(board=STICK | {key}), SCORED)
    rig.send(Press(key))
    rows, screen = len(rig.rows), rig.screen
    rig.send(Press(key, repeated=True))
    assert (len(rig.rows), rig.screen) == (rows, screen)


def test_a_key_held_from_another_screen_does_not_move_a_list(rig: Joystick) -> None:
    started(rig, SCORED + "MENU")
    rig.send(Press(Key.DOWN))
    rig.press("BACK MENU")
    rig.send(Press(Key.DOWN, repeated=True))
    assert isinstance(rig.screen, Menu)
    assert rig.screen.at == 0


# ---------------------------------------------------------------- the picker itself


def test_the_picker_wraps_around_and_types_each_key_once() -> None:
    keys = (Key.D0, Key.D1, Key.OK)
    picker, typed = NO_PICKER.translate(Key.UP, keys, frozenset())
    assert (picker, typed) == (KeyPicker(Key.D0, True), None)
    picker, _ = picker.translate(Key.DOWN, keys, frozenset())
    assert picker.key is Key.OK
    picker, typed = picker.translate(Key.RIGHT, keys, frozenset())
    assert (picker, typed) == (KeyPicker(Key.OK, False), Key.OK)
    assert picker.translate(Key.UP, keys, frozenset())[0] == KeyPicker(Key.OK, True)


def test_press_without_a_picker_is_ok_and_left_is_back() -> None:
    assert NO_PICKER.translate(Key.PRESS, SIXTEEN, frozenset())[1] is Key.OK
    assert NO_PICKER.translate(Key.LEFT, SIXTEEN, frozenset())[1] is Key.BACK
    assert NO_PICKER.translate(Key.RIGHT, SIXTEEN, frozenset())[1] is None


def test_lists_move_their_own_bar() -> None:
    takes = frozenset(KEYS3)
    assert NO_PICKER.translate(Key.DOWN, SIXTEEN, takes)[1] is Key.DOWN
    assert NO_PICKER.translate(Key.RIGHT, SIXTEEN, takes)[1] is Key.OK
