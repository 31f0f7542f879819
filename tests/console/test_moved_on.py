"""A row that was not keyed here: the screen stays only if it still means the same; otherwise a
message gives the reason why it was closed."""

from dataclasses import replace

import pytest

from companion.console.line.turn import LineTurn
from companion.core.keys import Key, Press, PressId
from companion.core.seats import Seat
from companion.games.game import parse_entry
from companion.record.rows import KeptRow, Setting, Step, Undo
from companion.table.loop import describe_row
from tests.console.rig import Rig, started

LED = "OK 2 "
"""Blue leads the double six; it is Red's turn."""
WHY = "Anna's phone: it was."
AUDIT, LAY = "audit Blue 150", "Red 6-5"
"""An entry that changes nobody's turn, and one that does."""


def at_turn(keys: str = "") -> Rig:
    return started().press(LED + keys)


def elsewhere(rig: Rig, *lines: str) -> Rig:
    """Makes these entries as if on another surface."""
    before, game = rig.view, rig.view.game
    seats = game.opened.seats
    step = Step(tuple(parse_entry(line, game.game, seats) for line in lines))
    rig.view = replace(before, journal=game.fold(step))
    rig.console = rig.console.after_row_elsewhere(before, rig.view, WHY)
    rig.frame = rig.console.show(rig.view).frame
    return rig


def entries(rig: Rig) -> list[str]:
    return [str(entry) for entry in rig.view.game.entries]


def test_digits_stay_if_the_turn_is_unchanged() -> None:
    rig = elsewhere(at_turn("6"), AUDIT)
    assert rig.console.message is None
    rig.press("5 OK")
    assert entries(rig)[-2:] == [AUDIT, "Red 6-5"]


def test_the_keyed_digits_are_checked_again_after_a_row_from_elsewhere() -> None:
    """The result of the keyed tile is shown again, because chips entered meanwhile changed the
    scores."""
    rig = at_turn("6 5")
    rig = elsewhere(rig, "chips Blue 20 found_under_the_table")
    assert isinstance(rig.screen, LineTurn)
    assert rig.screen == LineTurn()._with_keyed(rig.view, (6, 5))


def test_digits_of_a_finished_turn_are_dropped_with_a_message() -> None:
    rig = elsewhere(at_turn("6"), LAY)
    assert (rig.console.screen, rig.console.message) == (None, WHY)


@pytest.mark.parametrize("key", ["OK", "DRAW", "PASS", "PRESS"])
def test_a_key_meant_for_a_closed_question_is_ignored(key: str) -> None:
    rig = elsewhere(at_turn("6 3"), LAY)
    before = entries(rig)
    rig.press(key)
    assert (entries(rig), rig.console.message) == (before, None)
    rig.press("5 5 OK")
    assert entries(rig)[-1] == "Blue 5-5"


@pytest.mark.parametrize("line", [LAY, AUDIT, "end late"])
def test_the_message_to_wait_disappears_with_the_next_entry(line: str) -> None:
    rig = at_turn()
    rig.send(Press(Key.PASS, Seat("Blue")))
    assert rig.console.message
    assert elsewhere(rig, line).console.message is None


def test_a_key_pressed_after_reading_the_message_counts() -> None:
    rig = elsewhere(at_turn("6 3"), LAY).press("5 5 OK")
    assert entries(rig)[-1] == "Blue 5-5"


def test_a_pass_waiting_for_ok_is_cancelled_by_a_row_from_elsewhere() -> None:
    rig = elsewhere(at_turn("PASS"), LAY)
    assert rig.console.message == WHY
    assert entries(rig.press("OK"))[-1] == LAY


def test_a_screen_closed_from_elsewhere_shows_no_message_if_nothing_was_keyed() -> None:
    rig = at_turn("6 3 OK OK")
    assert isinstance(rig.console.screen, LineTurn), "OK has taken the payment off the display"
    rig = elsewhere(rig, "Blue 6-5")
    assert (rig.console.screen, rig.console.message) == (None, None)
    assert entries(rig.press("DRAW"))[-1] == "Red draw"


def test_a_call_from_elsewhere_closes_the_turns_screen() -> None:
    rig = at_turn("DRAW 6")
    turn = rig.view.turn
    elsewhere(rig, "bogus Red by Blue")
    assert rig.view.turn == turn
    assert rig.console.message == WHY


@pytest.mark.parametrize(
    "keys",
    [
        "DRAW BACK",
        "BACK",
        "MENU 2",
        "MENU 2 OK",
    ],
    ids=["return", "undo", "history", "entry"],
)
def test_screens_about_earlier_entries_depend_on_every_row(keys: str) -> None:
    rig = elsewhere(at_turn(keys), AUDIT)
    assert (rig.console.screen, rig.console.message) == (None, WHY)


KEYED_FOR_RED = "6 5 OK MENU 2 OK 1 6"
"""Red 6-5 is being changed into another tile, whose first half is keyed."""
NEXT_LAY = "Blue 5-5"


@pytest.mark.parametrize("row", [AUDIT, NEXT_LAY])
def test_rows_from_elsewhere_keep_the_digits_of_a_change(row: str) -> None:
    rig = elsewhere(at_turn(KEYED_FOR_RED), row)
    assert (rig.name(), rig.console.message) == ("AmendEntry", WHY)
    rig.press("4 OK")
    assert rig.name() == "ConfirmChange"
    told = " ".join(rig.console.screen.sentences(rig.view))  # type: ignore[union-attr]
    assert ("Blue 5-5 is no longer possible" in told) == (row == NEXT_LAY)
    rig.press("OK")
    assert entries(rig)[2] == "Red 6-4"


def test_a_preview_changed_from_elsewhere_is_read_before_ok_counts() -> None:
    rig = at_turn(KEYED_FOR_RED).press("4 OK")
    assert rig.name() == "ConfirmChange"
    elsewhere(rig, NEXT_LAY)
    before = entries(rig)
    rig.press("OK")
    assert (entries(rig), rig.name()) == (before, "ConfirmChange"), (
        "it has read that something came"
    )
    assert entries(rig.press("OK"))[2] == "Red 6-4"


def test_an_entry_changed_elsewhere_can_no_longer_be_changed() -> None:
    rig = at_turn(KEYED_FOR_RED)
    before = rig.view
    rig.view = replace(before, journal=before.game.fold(Undo()))
    rig.console = rig.console.after_row_elsewhere(before, rig.view, WHY)
    assert (rig.console.screen, rig.console.message) == (None, WHY)


@pytest.mark.parametrize("row", [AUDIT, LAY])
def test_digits_of_a_chip_correction_stay(row: str) -> None:
    rig = at_turn("MENU 3 2 3")
    assert rig.name() == "CorrectChips", rig.name()
    elsewhere(rig.press("2"), row)
    rig.press("0 OK OK")
    assert entries(rig)[-2:] == [row, "chips Blue 20 agreed"]


def test_a_chip_correction_has_to_be_confirmed_again() -> None:
    rig = at_turn("MENU 3 2 3 2 0 OK")
    assert rig.name() == "ConfirmCorrection"
    elsewhere(rig, "chips Blue 100 found")
    rig.press("OK")
    assert rig.name() == "CorrectChips", "it has read that something came"
    assert entries(rig.press("OK OK"))[-1] == "chips Blue 20 agreed"


@pytest.mark.parametrize("keys", ["MENU", "MENU 8", "MENU 3", "6 MENU"])
def test_menus_and_lists_depend_on_the_turn(keys: str) -> None:
    rig = at_turn(keys)
    shown = rig.console.screen
    assert elsewhere(rig, AUDIT).console.screen == shown
    elsewhere(rig, LAY)
    assert (rig.console.screen, rig.console.message) == (None, WHY)


def test_chips_to_move_stay_shown_whatever_is_entered() -> None:
    rig = at_turn("6 3 OK MENU 1")
    assert rig.name() == "ShowChipsToMove"
    assert elsewhere(rig, "Red 6-4").name() == "ShowChipsToMove"


def test_a_setting_changed_elsewhere_keeps_the_digits() -> None:
    rig = at_turn("6")
    before = rig.view
    rig.view = replace(before, settings={**before.settings, "contrast": 3})
    rig.console = rig.console.after_row_elsewhere(before, rig.view, WHY)
    assert entries(rig.press("5 OK"))[-1] == LAY
    assert Setting("contrast", 3) not in rig.rows


def keypad(key: Key, seat: str) -> Press:
    return Press(key, Seat(seat), PressId("e6614103e7452d2f", 7, 1))


def kept(rig: Rig) -> list[str]:
    return entries(rig)[3:]


@pytest.mark.parametrize(
    ("seat", "made"), [("Red", []), ("Blue", ["Blue draw"])], ids=["its own", "the next one's"]
)
def test_the_next_seats_keypad_continues_at_once(seat: str, made: list[str]) -> None:
    """The reason has to be read first only at the box and on the keypad of the seat whose digits
    were dropped."""
    rig = elsewhere(at_turn("6"), LAY)
    rig.send(keypad(Key.DRAW, seat))
    assert kept(rig) == made


def test_locked_keys_stay_locked() -> None:
    rig = at_turn("6")
    rig.send(Press(Key.BACK))
    rig.send(Press(Key.BACK, held=True))
    elsewhere(rig, LAY)
    assert rig.console.locked
    assert kept(rig.press("OK DRAW")) == []


@pytest.mark.parametrize(
    ("surface", "by", "line", "told"),
    [
        ("phone-2", "Red", "Red 6-3", "Red's phone: 6-3."),
        ("phone-2", "Red", "Red draw", "Red's phone: draws."),
        ("phone-2", "Blue", "Red 6-3", "Blue for Red: 6-3."),
        ("phone-9", None, "Red 6-3", "A phone: Red 6-3."),
        ("e6614103e7452d2f", None, "Red 6-3", "A keypad: Red 6-3."),
        ("phone-2", "Blue", "bogus Red by Blue", "Blue's phone: calls Red bogus."),
    ],
)
def test_the_message_about_a_row_from_elsewhere_names_its_author(
    surface: str, by: str | None, line: str, told: str
) -> None:
    rig = elsewhere(at_turn("DRAW"), line)
    entries = tuple(entry for _, entry, _ in rig.view.game.newest_first())[:1]
    kept = KeptRow(9, 1, Step(entries), None, f"{surface}/7/1", Seat(by) if by else None)
    assert describe_row(kept, rig.view) == told


def test_a_changed_setting_is_not_described_as_the_last_entry() -> None:
    rig = at_turn()
    kept = KeptRow(9, 0, Setting("flip", "on"), None, "phone-2/7/1", Seat("Red"))
    assert describe_row(kept, rig.view) == "Red's phone changes a setting."
