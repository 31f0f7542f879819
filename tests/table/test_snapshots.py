"""Snapshots for readers in other threads: one for every row, which never changes."""

import gc
import types
from collections import deque
from threading import Thread

import pytest

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.presentation.drawing.svg import Paper
from companion.presentation.moment import Moment, describe
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.events import ProposalCounted
from companion.table.loop import Outputs
from companion.table.snapshot import Snapshot
from tests.proposing import Phone
from tests.rig import Rig


def test_a_snapshot_is_sent_after_the_picture_of_every_row(rig: Rig, anna: Phone) -> None:
    order: list[str] = []

    def told(snapshot: Snapshot) -> None:
        rig.snapshots.append(snapshot)
        order.append("snapshot")

    outputs = Outputs(lambda _: order.append("picture"), send_snapshot=told)
    rig.table._outputs = rig.table.box._display._outputs = outputs
    rig.press("6 5")
    assert order == ["picture", "picture"], "digits are no row"
    rig.press("OK")
    anna.says(rig, "Blue 5-5")
    assert order == ["picture", "picture", *["picture", "snapshot"] * 2]
    rig.press("9 9 9")
    assert order[-1] == "picture"


def test_a_snapshot_has_the_row_that_made_it(rig: Rig, anna: Phone) -> None:
    answer = anna.says(rig, "Red 6-5")
    seen = rig.snapshots[-1]
    assert seen.kept is not None
    assert answer == ProposalCounted(seen.kept.seq) == ProposalCounted(seen.row)
    assert (seen.kept.keyed_by, seen.tip) == ("Red", seen.kept.hash)
    rig.close()
    with Rig(rig.path) as again:
        later = again.snapshots[-1]
        assert (later.row, later.tip, later.kept) == (seen.row, seen.tip, None)


def test_a_snapshot_refers_to_neither_the_record_nor_the_loop(rig: Rig, anna: Phone) -> None:
    anna.says(rig, "Red 6-5")
    leads_on = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
    seen, waiting = set[int](), deque[object]([rig.snapshots[-1]])
    while waiting:
        one = waiting.popleft()
        assert not isinstance(one, Store | Reader | Rig), f"{one} is not for other threads"
        assert type(one).__module__ not in {"sqlite3", "companion.table.loop"}
        if id(one) not in seen and not isinstance(one, leads_on):
            seen.add(id(one))
            waiting.extend(gc.get_referents(one))
    assert len(seen) > 100


def test_readers_use_snapshots_while_the_loop_runs(rig: Rig, anna: Phone) -> None:
    """SQLite itself raises an error if another thread uses the record."""
    told: list[Json] = []
    failed: list[BaseException] = []
    going = True

    def read() -> None:
        try:
            while going or not told:
                seen = rig.snapshots[-1]
                assert seen.journal is not None
                assert len(seen.journal.states) == len(seen.journal.entries)
                told.append(
                    describe(Moment(CATALOG, seen.journal, seen.row, seen.game, seen.settings))
                )
                CATALOG["high-five"].presentation.draw(seen.journal.state, Paper(16, 9))
        except BaseException as error:
            failed.append(error)

    reader = Thread(target=read)
    reader.start()
    for text in ("Red 6-5", "Blue 5-5", "Red 5-4", "Blue 4-4", "Red 6-3", "Blue 3-3"):
        anna.says(rig, text)
    going = False
    reader.join()
    assert (failed, bool(told)) == ([], True)


def test_a_snapshot_is_immutable(rig: Rig) -> None:
    seen = rig.snapshots[-1]
    with pytest.raises(AttributeError):
        seen.row = 7  # type: ignore[misc]
    with pytest.raises(TypeError):
        seen.settings["entry"] = "count"  # type: ignore[index]
