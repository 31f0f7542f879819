"""The record keeps who keyed each entry of the history, even after a restart."""

from dataclasses import replace
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.core.keys import Key, Press, PressId
from companion.presentation.moment import Moment, describe
from companion.record.requests import RequestKind
from companion.record.rows import Setting
from companion.record.settings import seat_setting
from companion.table.events import ProposalCounted
from companion.table.session import BOX
from tests.proposing import Phone
from tests.rig import Rig

RED = "e6614103e7452d2f"


def shown_history(rig: Rig) -> list[tuple[str, str]]:
    """The history as a page shows it: (entry, who keyed it), the oldest first."""
    seen = rig.snapshots[-1]
    moment = describe(Moment(CATALOG, seen.journal, seen.row, seen.game, seen.settings))
    return [(one["entry"], one["by"]["words"]) for one in reversed(moment["latest"])]


def test_a_later_page_gets_the_authors_of_entries(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with Rig(path) as rig:
        rig.press("1 2 1 OK 1 OK 2 6 5 OK")
        rig.store.keep(BOX, Setting(seat_setting(RED), "Red"))
    with Rig(path) as rig:
        anna, nobody = Phone("phone-1", "Blue"), Phone("phone-2", None)
        assert isinstance(anna.says(rig, "Blue 5-5"), ProposalCounted)
        rig.send(Press(Key.DRAW, source=PressId(RED, 7, 1)))
        assert isinstance(anna.says(rig, "Red 5-2"), ProposalCounted)
        assert isinstance(nobody.says(rig, "Blue draw"), ProposalCounted)
        changes = replace(anna.key(rig.snapshots[-1], "Red draw 2"), kind=RequestKind.CHANGE, at=4)
        assert isinstance(anna.asks(rig, changes), ProposalCounted)
        at_once = shown_history(rig)
    assert at_once == [
        ("hand", "The box"),
        ("Blue 6-6", "The box"),
        ("Red 6-5", "The box"),
        ("Blue 5-5", "Blue's phone"),
        ("Red draw 2", "Blue for Red"),
        ("Red 5-2", "Blue for Red"),
        ("Blue draw", "A phone"),
    ]
    with Rig(path) as rig:
        assert shown_history(rig) == at_once


def test_an_entry_by_keypad_belongs_to_the_owner_of_the_keypad(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with Rig(path) as rig:
        rig.press("1 2 1 OK 1 OK 2 6 5 OK 5 5 OK")
        rig.store.keep(BOX, Setting(seat_setting(RED), "Red"))
    with Rig(path) as rig:
        rig.send(Press(Key.DRAW, source=PressId(RED, 7, 1)))
        assert shown_history(rig)[-1] == ("Red draw", "Red's keypad")
    with Rig(path) as rig:
        assert shown_history(rig)[-1] == ("Red draw", "Red's keypad")
        rig.store.keep(BOX, Setting(seat_setting(RED), ""))
    with Rig(path) as rig:
        assert shown_history(rig)[-1] == ("Red draw", "A keypad")
