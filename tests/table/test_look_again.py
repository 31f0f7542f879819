"""A proposal made before another row was stored is not counted; its phone receives the rows
between."""

from pathlib import Path

from companion.record.requests import RequestContext
from companion.record.rows import GameOpened, Step
from companion.record.store.store import Store
from companion.table.events import MAX_ROWS_BETWEEN, GameMovedOn, Proposal, ProposalCounted
from tests.proposing import Phone
from tests.record.disk import Disk
from tests.rig import Rig


def test_an_entry_at_the_box_makes_a_phones_proposal_stale(rig: Rig, anna: Phone) -> None:
    late = anna.key(rig.snapshots[-1], "Red draw")
    rig.press("6 5 OK")
    answer = anna.asks(rig, late)
    assert isinstance(answer, GameMovedOn)
    (between,) = answer.between
    assert isinstance(between.row, Step)
    assert (str(*between.row.entries), between.surface) == ("Red 6-5", None)
    assert rig.entries[-1] == "Red 6-5"


def test_only_one_of_two_simultaneous_proposals_counts(rig: Rig, anna: Phone) -> None:
    granny = Phone("phone-2", "Blue")
    seen = rig.snapshots[-1]
    for phone in (anna, granny):
        rig.table.events.put(phone.request(phone.key(seen, "Red 6-5")))
    rig.table.run_once(0)
    (counted,), (looks,) = anna.answers, granny.answers
    assert isinstance(counted.answer, ProposalCounted)
    assert isinstance(looks.answer, GameMovedOn)
    assert [kept.seq for kept in looks.answer.between] == [counted.answer.row]
    assert rig.entries == ["hand", "Blue 6-6", "Red 6-5"]


def test_a_new_setting_makes_no_proposal_stale(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("MENU 7 2")
    assert rig.store.settings()["entry"] == "ends"
    assert isinstance(anna.asks(rig, anna.key(seen, "Red 6-5")), ProposalCounted)


def test_a_setting_kept_but_reported_as_not_saved_makes_no_proposal_stale(
    rig: Rig, anna: Phone
) -> None:
    seen, disk = rig.snapshots[-1], Disk(rig.store)
    disk.fails, disk.blind = "after", True
    rig.press("MENU 7 2 BACK")
    disk.fails, disk.blind = None, False
    assert isinstance(anna.asks(rig, anna.key(seen, "Red 6-5")), ProposalCounted)
    assert rig.store.settings()["entry"] == "ends", "the disk had it all the time"


def test_undo_and_redo_make_a_proposal_stale(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("BACK OK BACK DRAW")
    assert rig.entries == ["hand", "Blue 6-6"]
    answer = anna.asks(rig, anna.key(seen, "Red 6-5"))
    assert isinstance(answer, GameMovedOn)
    assert [type(kept.row).__name__ for kept in answer.between] == ["Undo", "Redo"]


def test_a_new_game_makes_a_proposal_stale(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("MENU 9 3 1 2 1 OK")
    assert rig.snapshots[-1].game == 2
    answer = anna.asks(rig, anna.key(seen, "Red 6-5"))
    assert isinstance(answer, GameMovedOn)
    (between,) = answer.between
    assert isinstance(between.row, GameOpened)


def test_only_the_newest_of_many_intervening_rows_are_sent(rig: Rig, anna: Phone) -> None:
    seen = rig.snapshots[-1]
    rig.press("BACK OK BACK DRAW " * MAX_ROWS_BETWEEN)
    answer = anna.asks(rig, anna.key(seen, "Red 6-5"))
    assert isinstance(answer, GameMovedOn)
    assert [kept.seq for kept in answer.between] == list(
        range(rig.snapshots[-1].row - MAX_ROWS_BETWEEN + 1, rig.snapshots[-1].row + 1)
    )


def test_without_a_game_no_entry_can_be_proposed(tmp_path: Path, anna: Phone) -> None:
    with Rig(tmp_path / "record.db") as rig:
        assert anna.says(rig, "Red 6-5") == GameMovedOn(())


def test_a_row_of_another_run_makes_a_proposal_stale(rig: Rig, anna: Phone) -> None:
    proposal = anna.key(rig.snapshots[-1], "Red 6-5")
    lock = rig.path.with_name(f"{rig.path.name}.lock")
    lock.unlink()
    with Store.open(rig.path, rig.store.catalog) as other:
        stands = RequestContext(rig.store.game(1), 1, rig.store.catalog)
        other.keep(1, Proposal(proposal.identity, None, 1, b"", "Red draw").row(stands))
    answer = anna.asks(rig, proposal)
    assert isinstance(answer, GameMovedOn)
    assert len(answer.between) == 1
    assert rig.snapshots[-1].journal is not None
    assert str(rig.snapshots[-1].journal.entries[-1]) == "Red draw"
