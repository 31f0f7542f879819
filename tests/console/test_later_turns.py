"""A forgotten turn, an extra turn, and a turn of another seat, key by key: the box asks what to do
with the later turns of the hand, and shows the effects before it stores the change."""

import pytest

from companion.console.screens.changes import AmendEntry, AskLaterTurns, ConfirmChange
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.entries import Misdraw, TilesDrawn, TurnPassed
from companion.games.line.line import TilePlayed
from companion.record.rows import Amend
from tests.console.rig import Rig, started
from tests.console.typist import choose_line
from tests.manual.reading import reads

RED, BLUE, GREEN, YELLOW = map(Seat, ("Red", "Blue", "Green", "Yellow"))
FORGOTTEN = "OK 1 6 3 OK DRAW 3 4 OK 4 1 OK "
"""Blue passed after the lead, but it wasn't keyed: 6-3 was played by Red."""
AT_6_3 = "MENU 2 DRAW DRAW DRAW OK "
"""Opens the history, and in it that 6-3."""


def entries(rig: Rig) -> list[str]:
    return [str(entry) for entry in rig.view.game.entries]


def test_inserting_a_forgotten_pass_loses_no_later_turn() -> None:
    rig = started().press(FORGOTTEN + AT_6_3 + "3 PASS OK")
    assert isinstance(rig.screen, AskLaterTurns)
    assert reads(rig.frame, "Move on a seat: all kept")
    assert reads(rig.frame, "Stay: 4 lost")
    assert reads(rig.frame, "Blue 6-3: Red is to move, not Blue.")
    rig.press("OK")
    assert reads(rig.frame, "was Red 0, Blue 15")
    assert reads(rig.frame, "new Red 15, Blue 0")
    assert reads(rig.frame, "Nothing else changes.")
    rig.press("OK")
    assert rig.rows[-1] == Amend(2, (TurnPassed(BLUE),), insert=True, later_turns=1)
    assert entries(rig)[2:] == ["Blue pass", "Red 6-3", "Blue draw", "Blue 3-4", "Red 4-1"]
    assert rig.state.scores.values == (15, 0)


def test_a_change_shows_the_new_meaning_of_later_turns() -> None:
    rig = started().press(FORGOTTEN + AT_6_3 + "3 PASS OK OK DRAW")
    for text in ("Red 6-3 +15", "Blue draws", "Blue 3-4", "Red 4-1"):
        assert reads(rig.frame, text), text
    assert reads(rig.press("DRAW").frame, "was Red 0, Blue 15"), "round again"


def test_leaving_later_turns_in_place_drops_them() -> None:
    rig = started().press(FORGOTTEN + AT_6_3 + "3 PASS OK 2")
    assert reads(
        rig.frame, "Blue 6-3 is no longer possible and 4 entries go: Red is to move, not Blue"
    )
    rig.press("BACK 1 OK")
    assert isinstance(rig.rows[-1], Amend)
    assert rig.rows[-1].later_turns == 1


def test_later_turns_are_asked_about_only_if_the_next_seat_changes() -> None:
    rig = started().press(FORGOTTEN + AT_6_3 + "3 DRAW")
    assert isinstance(rig.screen, ConfirmChange), "a draw changes nobody's turn"
    rig = started().press("OK 1 6 3 OK 3 4 OK MENU 2 DRAW OK 2")
    assert isinstance(rig.screen, ConfirmChange), "3-4 doesn't fit without the 6-3, whoever lays it"
    rig = started().press(FORGOTTEN + AT_6_3 + "2")
    assert reads(rig.frame, "Move back a seat: 3 lost"), "the draw holds"
    assert reads(rig.frame, "Stay: 4 lost") or reads(rig.frame, "Stay: 3 lost")


def test_deleting_an_extra_turn_moves_later_turns() -> None:
    rig = started(3).press("OK 1 PASS OK 6 3 OK 3 4 OK MENU 2 DRAW DRAW OK 2")
    assert reads(rig.frame, "Move back a seat: all kept")
    rig.press("1")
    assert reads(rig.frame, "GREEN gives BLUE back 15: 10+5.")
    assert reads(rig.frame, "RED pays BLUE 15: 10+5.")
    rig.press("OK")
    assert rig.rows[-1] == Amend(2, (), later_turns=-1)
    assert entries(rig)[1:] == ["Red 6-6", "Blue 6-3", "Green 3-4"]


def test_chips_to_move_are_shown_until_a_key_is_pressed() -> None:
    rig = started().press(FORGOTTEN + AT_6_3 + "3 PASS OK OK OK")
    assert rig.name() == "ShowChipsToMove"
    assert reads(rig.frame, "BLUE gives RED back 15: 10+5.")
    assert reads(rig.frame, "BLUE pays RED 15: 10+5.")
    rig.press("1 5 OK")
    assert entries(rig)[-1] == "Blue 1-5", "the next player need not press OK first"


def test_undoing_a_change_shows_which_chips_go_back() -> None:
    rig = started().press(FORGOTTEN + AT_6_3 + "3 PASS OK OK OK OK BACK")
    assert reads(rig.frame, "Take back Blue pass put in before")
    rig.press("OK")
    assert reads(rig.frame, "RED gives BLUE back 15: 10+5.")
    assert reads(rig.frame, "RED pays BLUE 15: 10+5.")


def test_the_undo_question_names_the_payment() -> None:
    rig = started().press("OK 1 6 3 OK BACK")
    assert reads(rig.frame, "Take back Blue 6-3? BLUE gives RED back 15: 10+5.")
    assert rig.press("OK").name() == "LineTurn"


def test_undoing_a_counted_correction_moves_no_chips() -> None:
    rig = started().press("OK 1 6 3 OK MENU 3 1 2 7 OK 1 0 OK 3 OK BACK")
    assert reads(rig.frame, "Take back the chip correction?")
    assert not reads(rig.frame, "BLUE gives RED")
    rig.press("OK")
    assert (rig.name(), rig.state.scores.values) == ("LineTurn", (0, 15))


def test_undo_in_the_menu_shows_which_chips_go_back() -> None:
    rig = started().press("OK 1 6 3 OK MENU 1")
    assert reads(rig.frame, "BLUE gives RED back 15: 10+5.")
    assert rig.press("OK").name() == "LineTurn"


def test_the_leading_seat_can_be_changed() -> None:
    rig = started(4).press("OK 1 6 3 OK 3 4 OK MENU 2 DRAW DRAW OK 5")
    choose_line(rig, "Green")
    assert reads(rig.frame, "Move on 2 seats: all kept")
    rig.press("OK OK")
    assert rig.rows[-1] == Amend(1, (TilePlayed(GREEN, (6, 6)),), later_turns=2)
    assert entries(rig)[1:] == ["Green 6-6", "Yellow 6-3", "Red 3-4"]


def test_forgotten_turns_are_keyed_before_a_moved_one() -> None:
    rig = started(4).press("OK 1 6 3 OK 3 4 OK MENU 2 OK 5")
    choose_line(rig, "Red")
    assert reads(rig.frame, "First key what Green, Yellow")
    rig.press("OK")
    assert isinstance(rig.screen, AmendEntry)
    assert rig.screen.then.state.to_move == GREEN
    assert reads(rig.frame, "BEFORE Red 3-4")
    rig.press("DRAW PASS OK")
    assert isinstance(rig.screen, AmendEntry)
    assert rig.screen.then.state.to_move == YELLOW
    rig.press("PASS OK")
    assert isinstance(rig.screen, AskLaterTurns)
    assert reads(rig.frame, "Move on 2 seats: all kept")
    rig.press("OK OK")
    assert rig.rows[-1] == Amend(
        3, (TilesDrawn(GREEN), TurnPassed(GREEN), TurnPassed(YELLOW)), insert=True, later_turns=2
    )
    assert entries(rig)[-1] == "Red 3-4"


def test_back_removes_forgotten_turns_one_by_one() -> None:
    rig = started(4).press("OK 1 6 3 OK 3 4 OK MENU 2 OK 5")
    choose_line(rig, "Red")
    rig.press("OK PASS OK BACK")
    assert isinstance(rig.screen, AmendEntry)
    assert (rig.screen.then.state.to_move, rig.screen.entries) == (GREEN, ())
    assert rig.press("BACK").name() == "History"


def test_a_misdraw_of_another_seat_moves_no_turn() -> None:
    rig = started().press("OK MENU")
    choose_line(rig, "More of this hand", "Misdraw")
    rig.press("1 OK 1 6 3 OK MENU 2 DRAW DRAW OK 5")
    assert reads(rig.frame, "Whose was it?")
    choose_line(rig, "Blue")
    assert reads(rig.frame, "was Red 0, Blue 65")
    assert reads(rig.frame, "new Red 50, Blue 15")
    rig.press("OK")
    assert rig.rows[-1] == Amend(1, (Misdraw(BLUE),))


@pytest.mark.parametrize("keys", ["3 PASS OK", "3 PASS OK 1"])
def test_only_the_seat_making_the_change_answers_about_later_turns(keys: str) -> None:
    rig = started().press(FORGOTTEN)
    for key in (AT_6_3 + keys).split():
        rig.send(Press(Key(key), RED))
    screen = rig.screen
    rig.send(Press(Key.OK, BLUE))
    assert rig.screen == screen
    assert rig.console.message == "An earlier entry is being changed: Blue waits."


def test_a_changed_verdict_is_shown_before_other_effects() -> None:
    """With the inserted draw, a play that was proven bogus is only possibly bogus, so the ruling
    changes."""
    rig = started().press("OK 1 PASS OK 6 5 OK 6 3 OK BOGUS OK OK 2 0 OK")
    assert rig.state.scores.values == (50, 0)
    rig.press("OK MENU 2 DRAW DRAW OK 3 DRAW")
    assert isinstance(rig.screen, ConfirmChange)
    assert reads(rig.frame, "Red calls Blue bogus: now possible, was proven.")
    assert rig.screen.sentences(rig.view)[3:] == (
        "Nothing else changes.",
        "RED gives BLUE back 50: 5×10.",
        "Blue showed pips ●●  0 (was +50 bogus)",
    ), "the call waits for its ruling again"


CLEARED = "OK 1 DRAW 6 3 OK 3 4 OK BOGUS OK PASS 2 OK 4 1 OK MENU 2 DRAW DRAW DRAW DRAW DRAW OK "
"""Blue's draw in turn 2 was called, and ruled clear; then the history is opened, and in it that
draw."""


def test_a_call_is_dropped_with_its_draw_and_the_hand_continues() -> None:
    rig = started().press(CLEARED + "3 DRAW")
    assert reads(rig.frame, "Nothing else changes.")
    rig.press("OK")
    assert entries(rig)[2:] == [
        "Blue draw", "Blue draw", "Blue 6-3", "Red 3-4", "bogus Blue by Red turn 3",
        "rule Blue clear", "Blue 4-1",
    ]  # fmt: skip


def test_a_call_that_loses_its_draw_is_named_as_dropped_before_ok() -> None:
    rig = started().press(CLEARED + "2")
    text = (
        "Red calls Blue bogus is no longer possible and 2 entries go: the draw or pass that it was"
    )
    assert reads(rig.frame, text)
    assert reads(rig.press("DRAW").frame, "Nothing else changes.")
    assert entries(rig.press("OK OK"))[2:] == ["Blue 6-3", "Red 3-4", "Blue 4-1"]
