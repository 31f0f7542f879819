"""Chips that have to be moved after a correction at the box or elsewhere, and again after a restart
until somebody confirms that they were moved, or makes the next entry."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from companion.games.chips import Chips
from companion.record.requests import RequestKind
from companion.table.events import ChipsMoved, Request
from tests.manual.reading import reads
from tests.proposing import Phone
from tests.rig import Rig

SCORED = "1 2 1 OK 1 OK 1 6 3 OK"
"""Red plays 6-6, and Blue 6-3, which scores 15."""
AT = 2
TITLE, BACK = "Now move these chips", "BLUE gives RED back 15"
AGAIN = "Chips moved already?"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db") as rig:
        yield rig.press(SCORED)


def due(rig: Rig) -> tuple[tuple[Chips, Chips], ...]:
    told = rig.snapshots[-1].due
    return told.changes if told else ()


NUMBERS = count(1)


def change(rig: Rig, at: int, text: str) -> None:
    """Changes the entry at place `at` from a phone."""
    phone = Phone(f"phone-{next(NUMBERS)}")
    asked = replace(phone.key(rig.snapshots[-1], text), kind=RequestKind.CHANGE, at=at)
    phone.asks(rig, asked)


def report_moved(rig: Rig, row: int | None = None) -> None:
    told = rig.snapshots[-1].due
    moved = ChipsMoved("phone-1", row or (told.row if told else 0))
    rig.table.events.put(Request(moved, lambda _: None))
    rig.table.run_once(0)


def test_the_box_shows_chips_due_until_a_phone_reports_them_moved(
    rig: Rig,
) -> None:
    change(rig, AT, "Blue 6-1")
    assert reads(rig.frame, TITLE)
    assert BACK in rig.frame.words
    report_moved(rig, 1)
    assert due(rig)
    report_moved(rig)
    assert not due(rig)
    assert not reads(rig.frame, TITLE)


def test_ok_at_the_box_or_the_next_tile_confirms_that_chips_are_moved(rig: Rig) -> None:
    change(rig, AT, "Blue 6-1")
    rig.press("OK")
    assert (due(rig), reads(rig.frame, TITLE)) == ((), False)
    change(rig, AT, "Blue 6-3")
    assert due(rig)
    rig.press("6 4 OK")
    assert due(rig) == ()
    assert rig.entries[-1] == "Red 6-4"


def test_chips_due_are_shown_only_once_a_half_keyed_tile_is_complete(rig: Rig) -> None:
    rig.press("6")
    change(rig, AT, "Blue 6-1")
    assert due(rig)
    assert not reads(rig.frame, TITLE)
    rig.press("4 OK")
    assert rig.entries[-1] == "Red 6-4"
    assert reads(rig.frame, TITLE)


def test_phones_show_chips_due_after_an_undo_at_the_box_until_its_next_entry(rig: Rig) -> None:
    rig.press("BACK OK")
    assert due(rig), "the box has told it in its question"
    rig.press("DRAW")
    assert (rig.entries[-1], due(rig)) == ("Blue draw", ())


def test_a_redone_entry_needs_no_reminder_of_chips(rig: Rig) -> None:
    rig.press("BACK OK")
    report_moved(rig)
    rig.press("BACK DRAW")
    assert rig.entries[-1].startswith("Blue 6-3")
    assert due(rig) == ()


def test_a_new_game_or_an_audit_ends_the_reminder_of_chips(rig: Rig) -> None:
    change(rig, AT, "Blue 6-1")
    Phone("phone-counts").says(rig, "audit Red 150")
    assert due(rig) == ()
    change(rig, AT, "Blue 6-3")
    assert due(rig)


# ---------------------------------------------------------------- after a restart


@contextmanager
def restarted(rig: Rig) -> Iterator[Rig]:
    """The box after a restart, 10 minutes later."""
    rig.close()
    with Rig(rig.path, wall=1_800_000_600.0) as again:
        yield again


def test_a_restarted_box_asks_whether_the_chips_of_a_correction_were_moved(rig: Rig) -> None:
    change(rig, AT, "Blue 6-1")
    with restarted(rig) as again:
        assert reads(again.frame, AGAIN)
        assert BACK in again.frame.words
        told = again.snapshots[-1].due
        assert told is not None
        assert (told.row, told.restored) == (again.store.last_row(), True)
        again.press("OK")
        assert (due(again), reads(again.frame, AGAIN)) == ((), False)
        again.press("6 4 OK")
        assert again.entries[-1] == "Red 6-4"


def test_after_a_restart_a_phone_confirms_and_a_tile_closes_the_question(rig: Rig) -> None:
    change(rig, AT, "Blue 6-1")
    with restarted(rig) as again:
        report_moved(again)
        assert (due(again), reads(again.frame, AGAIN)) == ((), False)
    with restarted(again) as later:
        assert reads(later.frame, AGAIN), "the record doesn't know that they were moved"
        later.press("6 4 OK")
        assert (later.entries[-1], due(later)) == ("Red 6-4", ())


def test_after_a_restart_only_phones_show_the_chips_of_an_undo(rig: Rig) -> None:
    rig.press("BACK OK")
    before = rig.frame
    with restarted(rig) as again:
        assert again.frame == before
        assert due(again)
        again.press("6 1 OK")
        assert (again.entries[-1], due(again)) == ("Blue 6-1", ())


@pytest.mark.parametrize("keys", ["", "6 4 OK", "BACK OK BACK DRAW"])
def test_a_restart_after_a_new_or_redone_entry_asks_nothing(rig: Rig, keys: str) -> None:
    rig.press(keys)
    with restarted(rig) as again:
        assert due(again) == ()
        assert not reads(again.frame, AGAIN)


def test_corrections_that_cancel_each_other_are_not_asked_about_after_a_restart(rig: Rig) -> None:
    change(rig, AT, "Blue 6-1")
    change(rig, AT, "Blue 6-3")
    with restarted(rig) as again:
        assert due(again) == ()


def test_all_corrections_since_the_last_entry_are_added_up_after_a_restart(rig: Rig) -> None:
    rig.press("6 4 OK 3 1 OK")
    change(rig, AT, "Blue 6-1")
    change(rig, AT, "Blue 6-2")
    assert "BLUE gives RED back 20" in rig.frame.words
    with restarted(rig) as again:
        assert "BLUE gives RED back 20" in again.frame.words


def test_a_count_that_was_corrected_and_taken_back_is_not_asked_about(rig: Rig) -> None:
    Phone("phone-counts").says(rig, "chips Red 5 counted")
    rig.press("BACK OK")
    assert due(rig) == ()
    with restarted(rig) as again:
        assert due(again) == ()


def test_a_game_of_an_earlier_evening_asks_nothing_about_chips(rig: Rig) -> None:
    change(rig, AT, "Blue 6-1")
    rig.close()
    with Rig(rig.path, wall=1_800_000_000.0 + 7 * 3600) as again:
        assert due(again) == ()
        assert not reads(again.frame, AGAIN)
