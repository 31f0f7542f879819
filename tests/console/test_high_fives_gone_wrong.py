"""Mistakes and failures at a table of High Fives: entries are taken back or changed, another seat
keys, the box restarts, rows are lost."""

from dataclasses import replace
from pathlib import Path

from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.games.entries import HandDealt
from companion.record.rows import Amend, Rewind, Step, Undo
from tests import rig as whole
from tests.console.fives_typist import OPEN, entered, set_up, until_fives
from tests.manual.reading import reads

# ---------------------------------------------------------------- back, change, other seats


def test_undo_and_redo_restore_each_turn_of_high_fives() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 1 0")
    after = rig.state
    rig.press("BACK OK")
    assert rig.rows[-1] == Undo()
    assert rig.state.scores.values == (0, 0)
    assert rig.press("BACK DRAW").state == after


def test_undo_names_an_entry_briefly() -> None:
    rig = set_up(2).press(OPEN + "BACK")
    assert reads(rig.frame, "Take back the tableau?")
    assert rig.press("OK").name() == "KeyTableau"
    assert reads(rig.press("BACK").frame, "DRAW: the tableau again")


def test_a_turn_is_changed_in_the_history() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 2 0 3 3 OK OK MENU 2 DRAW OK 1")
    rig.press("8 DRAW 0 OK 1 0")
    assert rig.name() == "ConfirmChange"
    rig.press("OK")
    assert isinstance(rig.rows[-1], Amend)
    assert rig.state.scores.values == (5, 0)


def test_changing_a_turn_also_asks_which_pair_is_taken() -> None:
    rig = set_up(2).press(OPEN + "3 8 OK 0 MENU 2 OK 1 3 8 OK")
    assert reads(rig.frame, "0 no pair")
    assert rig.press("OK").name() == "ConfirmChange"


def test_changing_the_leader_gives_every_turn_to_another_seat() -> None:
    rig = set_up(3, "points").press("1 5 OK OK 3 OK MENU 2 PASS OK 1 2")
    assert rig.name() == "AskLaterTurns"
    rig.press("1 OK")
    assert rig.state.scores.values == (3, 5, 0)
    assert rig.state.board.leader == "Blue"


def test_a_rematch_asks_again_how_turns_are_keyed() -> None:
    rig = until_fives("GameOver", 4).press("OK 1")
    assert rig.name() == "ChooseEntryWay"
    assert rig.press("2").name() == "AskSeat"
    assert rig.press("4").name() == "KeyPoints"


def test_an_entry_is_taken_back_with_all_later_ones() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 2 0 3 3 OK OK MENU 2 DRAW OK 4 OK")
    assert isinstance(rig.rows[-1], Rewind)
    assert rig.name() == "PlayTile"


def test_the_history_shows_captures_and_points() -> None:
    rig = set_up(2).press(OPEN + "7 8 OK 2 OK 3 3 OK MENU 2")
    assert reads(rig.frame, "Red 7-8 8-9 + pair +3")
    assert reads(rig.frame, "Blue 3-3")
    rig = set_up(2).press(OPEN + "3 3 OK OK MENU 2")
    assert reads(rig.frame, "Red 3-3, 0-1 1-2")


def test_the_history_gives_reasons_for_points() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 1 0 MENU 2 1")
    assert reads(rig.frame, "10-15: 5")
    rig = set_up(2, "points").press("1 5 OK MENU 2 1")
    assert reads(rig.frame, "entered: 5")


def test_bogus_shows_that_high_fives_has_no_bogus_play() -> None:
    rig = set_up(2).press(OPEN + "BOGUS")
    assert reads(rig.frame, "High Fives has no penalty for a bogus play.")


def test_a_seats_keypad_keys_its_own_turn() -> None:
    rig = set_up(4).press(OPEN)
    rig.send(Press(Key.D3, Seat("Blue")))
    assert rig.console.message == "It is Red's turn: Blue waits."
    for key in (Key.D3, Key.D8, Key.OK):
        rig.send(Press(key, Seat("Red")))
    assert rig.name() == "ChooseCapture"
    rig.send(Press(Key.OK, Seat("Blue")))
    assert rig.name() == "ChooseCapture", "only Red says whether it takes the pair"
    rig.send(Press(Key.D0, Seat("Red")))
    assert entered(rig) == "Red 3-8 takes 8-9"


def test_a_turn_keyed_on_a_seat_keypad_is_stored_and_settled(tmp_path: Path) -> None:
    settled = list[tuple[int, bool]]()

    def settle(one: PressId, refused: bool) -> None:
        settled.append((one.sequence, refused))

    with whole.Rig(tmp_path / "record.db", settle=settle) as rig:
        rig.press("3 2 1 OK 1 " + OPEN)
        keys = (Key.DRAW, Key.D3, Key.D8, Key.OK, Key.D0)
        for number, key in enumerate(keys, 1):
            rig.send(Press(key, Seat("Red"), PressId("e6614103e7452d2f", 7, number)))
        assert str([*rig.entries][-1]) == "Red 8-13 takes 8-9"
    assert settled == [(number, False) for number in range(1, 6)]


# ---------------------------------------------------------------- restarts, losses, any keys


def test_a_restart_resumes_the_same_turn(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    steps = ("3 2 1 OK", "1", "1", "0 1 1 2 7 7 8 9 DRAW 0 DRAW 5 OK", "8 DRAW 0 OK 1 0", "BACK OK")
    shown = ["ChooseEntryWay", "AskSeat", "KeyTableau", "PlayTile", "PlayTile", "PlayTile"]
    for keys, screen in zip(steps, shown, strict=True):
        with whole.Rig(path) as rig:
            rig.press(keys)
        with whole.Rig(path) as rig:
            assert type(whole_screen(rig)).__name__ == screen, keys


def whole_screen(rig: whole.Rig) -> object:
    """The screen that the state of the game asks for."""
    return rig.table.box.view().screen


def test_after_lost_rows_points_are_keyed_and_hands_can_be_dealt() -> None:
    rig = set_up(2).press(OPEN + "8 DRAW 0 OK 1 0")
    rig.view = replace(rig.view, journal=rig.view.game.with_loss(None))
    assert rig.press("4 OK").name() == "KeyPoints"
    rig.press("MENU 5 2")
    assert entered(rig) == "hand"
    rig.press("MENU 5 3 OK")
    assert rig.name() == "GameOver"


def test_a_hand_dealt_without_a_leader_asks_who_begins() -> None:
    rig = set_up(3, "points")
    rig.view = replace(rig.view, journal=rig.view.game.fold(Step((HandDealt(),))))
    rig.press("9")
    assert rig.name() == "AskSeat"
    assert reads(rig.frame, "The hand is dealt.")
    rig.press("2")
    assert reads(rig.frame, "BLUE")
    assert rig.press("BACK 2 4 OK").state.scores.values == (0, 4, 0)
    assert rig.state.board.leader == "Blue"
