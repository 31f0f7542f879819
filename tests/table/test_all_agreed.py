"""A ruling of the table that is keyed on the box or a seat's keypad first needs everybody's
agreement, which is recorded."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.keys import Key, Press, PressId
from companion.presentation.news import author_json
from companion.record.rows import KeptRow, Setting, Step
from companion.record.settings import seat_setting
from companion.record.store.reader import Reader
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.rig import Rig

CALLED = "1 2 1 OK 1 OK 2 6 3 OK DRAW PASS OK BOGUS OK"
"""Red plays 6-3; Blue draws, passes, and is called bogus, which is possible."""
BLUE = "e6614103e7450000"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    path = tmp_path / "record.db"
    with Rig(path) as first:
        first.store.keep(BOX, Setting(seat_setting(BLUE), "Blue"))
    with Rig(path) as rig:
        yield rig.press(CALLED)


def newest(rig: Rig) -> KeptRow:
    with closing(Reader.open(rig.path, GAMES)) as record:
        return list(record.rows(1))[-1]


def newest_author(rig: Rig) -> str:
    """The author of the newest entry, as the history shows it after a restart."""
    with closing(Reader.open(rig.path, GAMES)) as record:
        found = record.last_game()
        assert found is not None
        author = next(found[1].authors)
    return str(author_json(author, rig.table._state.session.settings)["words"]) if author else ""


def test_a_ruling_at_the_box_and_its_undo_need_the_agreement_of_all(rig: Rig) -> None:
    rig.press("PASS 2")
    assert rig.entries[-1].startswith("bogus Blue")
    assert "Blue is clear: all agreed?" in rig.frame.words
    rig.press("BACK")
    assert "all agreed" not in rig.frame.words
    rig.press("2 OK")
    assert (rig.entries[-1], newest(rig).agreed_by, newest_author(rig)) == (
        "rule Blue clear",
        (),
        "Somebody at the box",
    )
    rig.press("BACK OK")
    assert "Take back the ruling on Blue: all agreed?" in rig.frame.words
    assert rig.entries[-1] == "rule Blue clear"
    rig.press("OK")
    assert (rig.entries[-1], newest(rig).agreed_by) == ("Blue pass", ())


def test_changes_without_a_ruling_need_no_agreement(rig: Rig) -> None:
    rig.press("PASS 2 OK DRAW")
    assert (rig.entries[-1], newest(rig).agreed_by) == ("Red draw", None)
    rig.press("BACK OK")
    assert rig.entries[-1] == "rule Blue clear"


def test_a_seat_keypad_prompts_too_and_counts_once(rig: Rig) -> None:
    for number, key in enumerate((Key.PASS, Key.D2), 1):
        rig.send(Press(key, source=PressId(BLUE, 7, number)))
    assert not isinstance(newest(rig).row, Step) or rig.entries[-1].startswith("bogus")
    assert "all agreed?" in rig.frame.words
    for _ in range(2):  # the acknowledgement was lost: it comes once more
        rig.send(Press(Key.OK, source=PressId(BLUE, 7, 3)))
    assert (rig.entries[-1], newest_author(rig)) == ("rule Blue clear", "By one keypad")
