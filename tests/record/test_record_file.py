"""The record's file and its lock: held by one run, removed during play, or belonging to another
program."""

import os
import sqlite3
from pathlib import Path

import pytest

from companion.record.repair.verify import verify
from companion.record.rows import Redo, Step, Undo
from companion.record.store.database import LockedError, OvertakenError, StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.record.play import OPENED, SCRIPT, folded, opened_store, play, same, scored
from tests.sample_games import RACE_RULES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def test_only_one_run_writes(path: Path) -> None:
    with opened_store(path) as store:
        store.keep(1, OPENED)
        with pytest.raises(LockedError) as raised:
            Store.open(path, RACE_RULES)
        expected = f"the record is in use by another companion run (pid {os.getpid()})"
        assert str(raised.value) == expected
        store.keep(1, Undo())
    with opened_store(path) as store:
        assert verify(store) == []


def test_a_path_that_cannot_hold_a_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.db").mkdir()
    refusal = "can't be (written: |a record: it is not a file)"
    for path in (tmp_path / "file" / "record.db", tmp_path / "folder.db"):
        with pytest.raises(StoreError, match=refusal) as raised:
            Store.open(path, RACE_RULES)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"my notes\n", b"\0" * 5000])
def test_another_programs_file_is_left_unchanged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is not a record of the companion: name another file"):
        Store.open(path, RACE_RULES)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_another_programs_database_is_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE bookmarks (address TEXT)")
    db.close()
    content = path.read_bytes()
    with pytest.raises(StoreError, match="is not a record of the companion"):
        Store.open(path, RACE_RULES)
    assert path.read_bytes() == content


def test_a_lock_that_was_removed_is_taken_again(path: Path) -> None:
    with opened_store(path) as store:
        store.keep(1, OPENED)
        Path(f"{path}.lock").unlink()
        store.keep(1, Step((scored(0, 5),)))
        with pytest.raises(LockedError):
            Store.open(path, RACE_RULES)
        store.keep(1, Step((scored(1, 6),)))
        assert verify(store) == []


def test_a_run_whose_lock_was_taken_by_another_saves_nothing_more(path: Path) -> None:
    with opened_store(path) as store:
        store.keep(1, OPENED)
        Path(f"{path}.lock").unlink()
        with opened_store(path) as other:
            other.keep(1, Step((scored(0, 5),)))
            for _ in range(2):
                with pytest.raises(StoreError, match="Not saved: the record is in use by another"):
                    store.keep(1, Step((scored(0, 6),)))
            other.keep(1, Step((scored(1, 7),)))
        # The other one has ended: what it wrote is kept.
        with pytest.raises(OvertakenError, match="continue from there"):
            store.keep(1, Step((scored(0, 6),)))
        found = store.last_game()
        assert found is not None and found[1].length == 2
        store.keep(1, Step((scored(2, 8),)))
        assert verify(store) == []


def test_a_removed_record_is_written_again(path: Path) -> None:
    with opened_store(path) as store:
        for row in (OPENED, *SCRIPT[:3]):
            store.keep(1, row)
        path.unlink()
        for row in SCRIPT[3:]:
            store.keep(1, row)
        assert store.messages == ("The record's file was removed: it has been written again",)
    with opened_store(path) as store:
        assert same(store.game(1), folded(SCRIPT))
        assert verify(store) == []


def test_another_file_in_the_records_place_is_left_unchanged(path: Path, tmp_path: Path) -> None:
    play(path, *SCRIPT)
    other = tmp_path / "other.db"
    play(other, Step((scored(0, 9),)))
    with opened_store(path) as store:
        other.rename(path)
        with pytest.raises(StoreError, match="another file is in the record's place; restart"):
            store.keep(1, Redo())
    with opened_store(path) as store:
        assert same(store.game(1), folded((Step((scored(0, 9),)),)))


def test_a_path_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    for path in (tmp_path / "pipe.db", Path("/dev/zero"), tmp_path):
        for opened in (Store.open, Reader.open):
            with pytest.raises(StoreError, match="it is not a file; name another"):
                opened(path, RACE_RULES)
