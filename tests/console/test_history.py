"""The history at the box: an entry is replaced, deleted, inserted or rewound to, key by key."""

from collections.abc import Iterator
from typing import Any

import pytest

from companion.console.frame import WIDTH, Canvas
from companion.console.screens.history import History
from companion.core.seats import Seat
from companion.games.entries import TilesDrawn
from companion.games.game import AnyState, Entry
from companion.games.line.line import TilePlayed
from companion.record.journal import Journal
from companion.record.rows import Amend, Rewind
from tests.console.rig import SCORED, Rig, last, started
from tests.console.typist import choose_line, until
from tests.manual.reading import reads as seen

BLUE = Seat("Blue")


def reads(rig: Rig, text: str) -> bool:
    """Whether the lowest line of the display is that text, dark on a lit bar."""
    line = Canvas()
    line.text(2, 56, text)
    line.invert(0, 7, WIDTH)
    return rig.frame.rows()[56:] == line.frame().rows()[56:]


def test_changing_an_entry_shows_it_and_how_to_keep_a_refused_play() -> None:
    rig = started().press(SCORED + " MENU 2 OK 1")
    assert reads(rig, "INSTEAD OF Blue 6-3")
    rig.press("BACK OK 3")
    assert reads(rig, "BEFORE Blue 6-3")
    rig.press("1 2 OK")
    assert reads(rig, "OK: change  Hold OK: keep it")


def test_history_replaces_deletes_inserts_and_rewinds() -> None:
    rig = started().press(SCORED + " MENU 2 OK 1 6 4 OK OK")
    assert last(rig) == Amend(2, (TilePlayed(BLUE, (6, 4)),))
    assert rig.state.scores.values == (0, 0)
    rig.press("MENU 2 OK 2 OK")
    assert last(rig) == Amend(2, ())
    rig.press("6 3 OK").press("MENU 2 OK 3 DRAW OK")
    assert last(rig) == Amend(2, (TilesDrawn(BLUE),), insert=True)
    rig.press("MENU 2 DOWN OK 4 OK")
    assert last(rig) == Rewind(2)
    assert rig.view.game.length == 2


def test_back_cancels_a_change() -> None:
    rig = started().press(SCORED + " MENU 2 OK 1 6 4 OK BACK BACK BACK BACK BACK BACK BACK")
    assert not any(isinstance(row, Amend) for row in rig.rows)
    assert rig.name() in ("LineTurn", "OfferUndo")


def test_draw_and_pass_move_the_bar_of_a_list() -> None:
    rig = started().press(SCORED + " MENU 2 DRAW DRAW PASS OK 4 OK")
    assert last(rig) == Rewind(1)


def test_the_history_computes_only_visible_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = until("LastPayment", 4, 2)
    rig.press("OK MENU")
    choose_line(rig, "History")
    walked = []
    whole = Journal.newest_first

    def counted(journal: Journal[Any]) -> Iterator[tuple[int, Entry, AnyState]]:
        for found in whole(journal):
            walked.append(found[0])
            yield found

    monkeypatch.setattr(Journal, "newest_first", counted)
    assert rig.view.game.length > 40
    rig.console.show(rig.view)
    assert len(walked) == History.rows
    rig.press("1")
    walked.clear()
    rig.console.show(rig.view)
    assert not walked


def test_the_hint_of_the_history_fits_in_every_language() -> None:
    assert seen(started(4).press(SCORED + " MENU 2").frame, "1-4: why?")
