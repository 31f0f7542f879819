"""DRAW or PASS within two seconds of the same entry from elsewhere: the box, keypads and phones
show “Again?”, and keep nothing before the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.console.screens.confirm import ConfirmDuplicate
from companion.core.keys import Key, Press, PressId
from companion.record.rows import Setting
from companion.record.settings import seat_setting
from companion.table.events import PossibleDuplicate, Proposal, ProposalCounted, ProposalId
from companion.table.session import BOX, DUPLICATE_WITHIN_S
from companion.table.snapshot import Snapshot
from tests.proposing import Phone
from tests.rig import Rig

START = "1 2 1 OK 1 OK 2"
"""Begins High Five for two by their colours; Blue leads the double six, and Red's turn is next."""
RED, BLUE = "e6614103e7452d2f", "e6614103e7450000"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    path = tmp_path / "record.db"
    with Rig(path) as first:
        first.press(START)
        for keypad, seat in ((RED, "Red"), (BLUE, "Blue")):
            first.store.keep(BOX, Setting(seat_setting(keypad), seat))
    with Rig(path) as rig:
        yield rig


def keypad(rig: Rig, serial: str, number: int, key: str) -> None:
    rig.send(Press(Key(key), source=PressId(serial, 7, number)))


def drawn(rig: Rig) -> int:
    return rig.entries.count("Red draw")


def test_a_key_that_repeats_a_phones_draw_needs_confirmation(rig: Rig) -> None:
    assert isinstance(Phone("phone-1", "Red").says(rig, "Red draw"), ProposalCounted)
    rig.press("DRAW")
    assert drawn(rig) == 1
    rig.press("OK")
    assert drawn(rig) == 2


def test_back_confirms_a_duplicate(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red draw")
    rig.press("DRAW BACK")
    assert drawn(rig) == 1
    rig.press("6 5 OK")
    assert rig.entries[-1] == "Red 6-5"


def test_the_same_entry_after_two_seconds_is_a_new_one(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red draw")
    rig.wait(DUPLICATE_WITHIN_S)
    rig.press("DRAW")
    assert drawn(rig) == 2


def test_quick_draws_of_one_surface_all_count(rig: Rig) -> None:
    rig.press("DRAW DRAW DRAW")
    phone = Phone("phone-1", "Red")
    rig.wait(DUPLICATE_WITHIN_S)
    assert all(isinstance(phone.says(rig, "Red draw"), ProposalCounted) for _ in range(3))
    assert drawn(rig) == 6


def test_a_key_that_repeats_a_keypads_draw_needs_confirmation(rig: Rig) -> None:
    keypad(rig, RED, 1, "DRAW")
    rig.press("DRAW")
    assert drawn(rig) == 1
    rig.press("OK")
    assert drawn(rig) == 2


def test_a_keypad_that_repeats_a_keys_draw_confirms_with_ok(rig: Rig) -> None:
    rig.press("DRAW")
    keypad(rig, RED, 1, "DRAW")
    assert drawn(rig) == 1
    keypad(rig, RED, 2, "OK")
    assert drawn(rig) == 2


def test_back_on_a_keypad_confirms_a_duplicate(rig: Rig) -> None:
    rig.press("DRAW")
    keypad(rig, RED, 1, "DRAW")
    keypad(rig, RED, 2, "BACK")
    assert drawn(rig) == 1
    rig.press("6 5 OK")
    assert rig.entries[-1] == "Red 6-5"


def test_quick_draws_of_a_keypad_all_count(rig: Rig) -> None:
    for number in (1, 2, 3):
        keypad(rig, RED, number, "DRAW")
    assert drawn(rig) == 3


def test_after_two_seconds_a_keys_draw_is_a_new_one(rig: Rig) -> None:
    keypad(rig, RED, 1, "DRAW")
    rig.wait(DUPLICATE_WITHIN_S)
    rig.press("DRAW")
    assert drawn(rig) == 2


def test_a_keypad_press_received_twice_counts_once_without_a_question(rig: Rig) -> None:
    """The first press counted, but the answer was lost on the cable; meanwhile the box drew."""
    keypad(rig, RED, 1, "DRAW")
    rig.press("DRAW OK")
    keypad(rig, RED, 1, "DRAW")
    rig.press("6 5 OK")
    assert drawn(rig) == 2
    assert rig.entries[-1] == "Red 6-5"


def test_the_question_about_a_duplicate_names_the_keypads_seat(rig: Rig) -> None:
    keypad(rig, RED, 1, "DRAW")
    rig.press("DRAW")
    assert asked(rig) == "Red's keypad: Red draws."


def test_the_question_about_a_duplicate_names_the_box(rig: Rig) -> None:
    rig.press("DRAW")
    keypad(rig, RED, 1, "DRAW")
    assert asked(rig) == "The box: Red draws."


def test_a_tile_keyed_after_a_phones_draw_needs_no_confirmation(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red draw")
    rig.press("6 5 OK")
    assert rig.entries[-1] == "Red 6-5"


def test_a_pass_at_the_box_may_repeat_a_phones_pass(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red pass")
    rig.press("PASS OK")
    assert rig.entries[-1] == "Red pass"
    rig.press("OK")
    assert rig.entries[-1] == "Blue pass"


def test_the_next_seats_own_keypad_passes_without_a_question(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red pass")
    keypad(rig, BLUE, 1, "PASS")
    keypad(rig, BLUE, 2, "OK")
    assert rig.entries[-1] == "Blue pass"


def test_a_keypad_that_repeats_its_seats_phone_needs_confirmation(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red draw")
    keypad(rig, RED, 1, "DRAW")
    assert drawn(rig) == 1
    keypad(rig, RED, 2, "OK")
    assert drawn(rig) == 2


def test_a_phone_that_repeats_an_entry_at_the_box_can_insist(rig: Rig) -> None:
    phone = Phone("phone-1", "Red")
    rig.press("DRAW")
    asked = phone.says(rig, "Red draw")
    assert isinstance(asked, PossibleDuplicate)
    assert asked.kept.seq == rig.snapshots[-1].row
    assert drawn(rig) == 1
    assert isinstance(phone.asks(rig, meant(phone, rig.snapshots[-1])), ProposalCounted)
    assert drawn(rig) == 2


def meant(phone: Phone, seen: Snapshot) -> Proposal:
    """A proposal that repeats the draw, marked as intended."""
    phone.number += 1
    identity = ProposalId(phone.name, seen.run, phone.number)
    return Proposal(identity, phone.seat, seen.game or 0, seen.tip, "Red draw", again=True)


def test_a_proposal_answered_as_a_duplicate_never_counts(rig: Rig) -> None:
    phone, seen = Phone("phone-1", "Red"), rig.press("DRAW").snapshots[-1]
    proposal = phone.key(seen, "Red draw")
    asked = phone.asks(rig, proposal)
    rig.wait(DUPLICATE_WITHIN_S + 1)
    assert phone.asks(rig, proposal) == asked
    assert drawn(rig) == 1


def test_a_new_row_removes_the_question(rig: Rig) -> None:
    phone = Phone("phone-1", "Red")
    phone.says(rig, "Red draw")
    rig.press("DRAW")
    assert isinstance(phone.says(rig, "Red 6-5"), ProposalCounted)
    rig.press("OK")
    assert rig.entries[-1] == "Red 6-5", "OK was meant for the question, and reads why it is gone"


def test_the_question_about_a_duplicate_names_the_players_phone(rig: Rig) -> None:
    Phone("phone-1", "Red").says(rig, "Red draw")
    before = rig.screen
    rig.press("DRAW")
    assert rig.screen != before
    assert asked(rig) == "Red's phone: draws."


def asked(rig: Rig) -> str:
    """The entry in the box's question."""
    screen = rig.table.box.console.screen
    assert isinstance(screen, ConfirmDuplicate)
    return screen.question.removeprefix("Again? ")
