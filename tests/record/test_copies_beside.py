"""Rows lost by a damaged record are restored from the copies beside it."""

from pathlib import Path

import pytest

from companion.record.copies.copier import Copy
from companion.record.copies.text_copy import copies_folder
from companion.record.repair.verify import verify
from companion.record.rows import Step
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from tests.record.damage import drop_copies
from tests.record.play import SCRIPT, opened_store, scored
from tests.record.tampering import GAMES, ROWS, change_row, evening
from tests.sample_games import RACE_RULES


@pytest.mark.parametrize("lost", [(1, 3), (40, 70), (ROWS - 5, ROWS), (1, ROWS)])
def test_lost_rows_are_restored_from_the_copies_beside_the_record(
    tmp_path: Path, lost: tuple[int, int]
) -> None:
    path = evening(tmp_path, copies=True)
    for seq in range(lost[0], lost[1] + 1):
        change_row(path, seq)
    with opened_store(path) as store:
        if not store.messages:  # the check after the start finds it
            store.repair()
        assert store.messages == (
            f"The record was damaged: kept as record.db.damaged-1; {ROWS} of {ROWS} rows are "
            "readable",
        )
        assert store.loss_marks() == ()
        assert [item.seq for item in store.walk() if isinstance(item, ChainLink)] == [
            *range(1, ROWS + 1)
        ]
    with Reader.open(path, RACE_RULES) as reader:
        assert verify(reader) == []


def test_a_game_that_went_on_after_a_loss_keeps_its_gap(tmp_path: Path) -> None:
    """Later entries were made without the lost rows, so these stay lost; the lost rows of another
    game are restored."""
    path = evening(tmp_path, copies=True)
    rows = 1 + len(SCRIPT)
    aside = copies_folder(path).rename(tmp_path / "aside")
    for seq in (2 * rows + 5, ROWS - 3):
        change_row(path, seq)
    with opened_store(path) as store:
        if not store.loss_marks():
            store.repair()
        assert len(store.loss_marks()[0][1].gaps) == 2
        store.keep(GAMES, Step((scored(0, 1),)))
        drop_copies(path)
        aside.rename(copies_folder(path))
        store.repair()
        seqs = [item.seq for item in store.walk() if isinstance(item, ChainLink)]
    assert 2 * rows + 5 in seqs
    assert ROWS - 3 not in seqs


def test_rows_in_copies_of_an_older_version_are_restored(tmp_path: Path) -> None:
    """Up to 0.3 there was a file for each game. The card has damaged the log since."""
    path = evening(tmp_path, closed=False)
    running = tmp_path / "record.db"
    Copy(running, RACE_RULES, copies_folder(path)).catch_up()
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])
    with opened_store(path) as store:
        assert store.messages[0].endswith(f"; {ROWS} of {ROWS} rows are readable")
        assert [item.seq for item in store.walk() if isinstance(item, ChainLink)] == [
            *range(1, ROWS + 1)
        ]
    with opened_store(path) as store:
        assert store.messages == ()
