"""Chips that have to be moved after a correction at the box or elsewhere."""

from collections.abc import Iterator
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
