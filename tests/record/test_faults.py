"""A disk that is full, read-only or broken: nothing is lost, and the entry can be tried again."""

import errno
import os
import resource
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.record.repair.verify import verify
from companion.record.rows import Step
from companion.record.store.database import DamagedError, OvertakenError, StoreError
from companion.record.store.store import Store
from tests.record.disk import Disk, disk_fault
from tests.record.play import OPENED, folded, opened_store, same, scored
from tests.sample_games import RACE_RULES

CI = bool(os.environ.get("CI"))
"""In CI every test must run, so a disk that can't be mounted is a failure."""

needs_root = pytest.mark.skipif(os.getuid() != 0 and not CI, reason="mounting a disk takes root")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A mounted disk of 512 KiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "small", str(disk)],
        check=False,
        capture_output=True,
        text=True,
    )
    if made.returncode and CI:
        pytest.fail(f"no disk can be mounted here: {made.stderr.strip()}")
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.strip()}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def refused(store: Store, turn: int) -> str:
    with pytest.raises(StoreError) as raised:
        store.keep(1, Step((scored(turn, 1),)), source=f"north/1/{turn}")
    assert "\n" not in str(raised.value)
    return str(raised.value)


def kept(store: Store, turn: int) -> None:
    store.keep(1, Step((scored(turn, 1),)), source=f"north/1/{turn}")


def stands(path: Path, turns: int) -> None:
    with opened_store(path) as store:
        assert store.messages == ()
        assert verify(store) == []
        assert same(store.game(1), folded(tuple(Step((scored(i, 1),)) for i in range(turns))))


@needs_root
def test_a_full_disk_refuses_rows_with_a_message(small_disk: Path) -> None:
    path = small_disk / "record.db"
    ballast = small_disk / "ballast"
    with opened_store(path) as store:
        store.keep(1, OPENED)
        kept(store, 0)
        with ballast.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        for _ in range(3):
            assert refused(store, 1) == "Not saved: the disk is full"
        found = store.last_game()
        assert found is not None and found[1].length == 1
        ballast.unlink()
        kept(store, 1)
        kept(store, 2)
    stands(path, 3)


@needs_root
def test_a_disk_that_fills_up_during_play_loses_no_row(small_disk: Path) -> None:
    path = small_disk / "record.db"
    turns = 0
    with opened_store(path) as store:
        store.keep(1, OPENED)
        with pytest.raises(StoreError, match="Not saved: the disk is full"):
            while True:
                store.keep(1, Step((scored(turns, 1),)))
                turns += 1
    with opened_store(path) as store:
        # There is a little room: the text copy has given back what it had in advance.
        assert store.messages == ()
        rows = tuple(Step((scored(turn, 1),)) for turn in range(turns))
        assert same(store.game(1), folded(rows))


@needs_root
def test_a_record_opens_on_a_full_disk(small_disk: Path) -> None:
    with opened_store(small_disk / "record.db") as store:
        store.keep(1, OPENED)
    with (small_disk / "ballast").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    with opened_store(small_disk / "record.db") as store:
        assert store.last_game() is not None
    with opened_store(small_disk / "other.db") as store:
        assert list(store.messages) == ["Nothing can be saved: the disk is full"]
        assert store.last_game() is None
        with pytest.raises(StoreError, match="Not saved: the disk is full"):
            store.keep(store.next_game_number(), OPENED)
        (small_disk / "ballast").unlink()
        store.keep(store.next_game_number(), OPENED)
        kept(store, 0)
    with opened_store(small_disk / "other.db") as store:
        assert same(store.game(1), folded((Step((scored(0, 1),)),)))


@needs_root
def test_a_record_can_be_read_on_a_read_only_disk(small_disk: Path) -> None:
    path = small_disk / "record.db"
    store = Store.open(path, RACE_RULES)
    store.keep(1, OPENED)
    kept(store, 0)
    store.close()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with opened_store(path) as store:
        assert list(store.messages) == ["Nothing can be saved: the disk is read-only"]
        found = store.last_game()
        assert found is not None and found[1].length == 1
        for _ in range(2):
            assert refused(store, 1) == "Not saved: the disk is read-only"
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
        kept(store, 1)
    stands(path, 2)


def test_no_row_is_lost_if_the_file_may_not_grow(tmp_path: Path) -> None:
    """Works for any user: a limit on the file's size makes writes fail as on a full disk."""
    path = tmp_path / "record.db"
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened_store(path) as store:
        store.keep(1, OPENED)
        kept(store, 0)
        size = Path(f"{path}-wal").stat().st_size
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, limit[1]))
            assert refused(store, 1).startswith("Not saved: the disk ")
            kept(store, 1)  # there is room again: what counts has gone from the log into the file
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)
            signal.signal(signal.SIGXFSZ, before)
    stands(path, 2)


def test_a_commit_that_succeeded_but_reported_a_failure_counts(tmp_path: Path) -> None:
    """The disk reports a failure although the row is there, and the next row has to follow it."""
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, OPENED)
        kept(store, 0)
        store._tip = None
        kept(store, 1)
    stands(path, 2)


def test_rows_are_refused_while_another_program_locks_the_record(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, OPENED)
        store._db.execute("PRAGMA busy_timeout = 1")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert refused(store, 0) == "Not saved: another program is using the file"
        other.execute("ROLLBACK")
        other.close()
        kept(store, 0)
    stands(path, 1)


def test_rows_written_by_another_program_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, OPENED)
        tip = store._tip
        kept(store, 0)
        store._tip = tip
        with pytest.raises(DamagedError, match="not numbered as they were"):
            store._append(1, "{}", None, None)
        kept(store, 1)
    stands(path, 2)


def test_a_record_on_a_broken_disk_is_read_until_the_disk_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, OPENED)

    def broken(_path: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr("companion.record.store.store.sync", broken)
        store = Store.open(path, RACE_RULES)
        assert store.messages == ("Nothing can be saved: the disk has a fault",)
        found = store.last_game()
        assert found is not None and found[0] == 1
        assert refused(store, 0) == "Not saved: the disk has a fault"
    kept(store, 0)
    store.close()
    stands(path, 1)


@pytest.mark.parametrize("blind", [False, True])
def test_a_row_that_was_saved_after_all_is_never_reported_as_lost(
    tmp_path: Path, blind: bool
) -> None:
    """The commit was reported as failed, but the row is on the disk. If the disk can't be read
    then, keeping the next row reveals it."""
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, OPENED)
        disk = Disk(store)
        disk.fails, disk.blind = "after", blind
        if not blind:
            kept(store, 0)
        else:
            assert refused(store, 0) == "Perhaps not saved: the disk has a fault"
            disk.fails, disk.blind = None, False
            with pytest.raises(OvertakenError, match="was saved after all"):
                kept(store, 1)
        disk.fails = None
        kept(store, 1)
    stands(path, 2)


def test_a_row_reported_as_not_saved_is_taken_out_of_the_log(tmp_path: Path) -> None:
    """The row may be complete in the log if only its sync failed, and a power cut would then leave
    an unexpected row. If it can't be removed either, the program reports that it may have been
    saved."""
    path = tmp_path / "record.db"
    log = Path(f"{path}-wal")
    with opened_store(path) as store:
        store.keep(1, OPENED)
        disk = Disk(store)
        disk.fails = "before"
        assert log.stat().st_size
        assert refused(store, 0) == "Not saved: the disk has a fault"
        assert log.stat().st_size == 0
        disk.fails = None
        kept(store, 0)
        disk.fails, disk.keeps_log = "before", True
        for _ in range(2):
            assert refused(store, 1) == "Perhaps not saved: the disk has a fault"
        disk.fails, disk.keeps_log = None, False
        kept(store, 1)
    stands(path, 2)


def test_unsynced_folder_names_are_synced_by_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start made folders before its disk failed; the next start must sync them again."""
    path = tmp_path / "var" / "companion" / "record.db"
    synced, fails = list[Path](), True

    def sync(one: Path) -> None:
        if fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        synced.append(one)

    monkeypatch.setattr("companion.record.store.record_file.sync", sync)
    monkeypatch.setattr("companion.record.store.store.sync", sync)
    with opened_store(path) as store:
        assert store.messages == ("Nothing can be saved: the disk has a fault",)
        assert (tmp_path / "var" / "companion").is_dir()
        fails = False
        store.keep(1, OPENED)
        assert {tmp_path, tmp_path / "var", tmp_path / "var" / "companion"} <= set(synced)
        assert synced[-1] == path.parent, "the name of the log, which was made last"
    synced.clear()
    with opened_store(path):
        assert path.parent in synced, "it may have been killed before it was synced"


class _Uncopied(sqlite3.Connection):
    """A connection whose log is never moved into the file, because the disk fails."""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement.startswith("PRAGMA wal_checkpoint"):
            raise disk_fault()
        return super().execute(statement, *values)


def test_a_record_with_unsynced_pages_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "record.db"

    def uncopied(address: str) -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, isolation_level=None, factory=_Uncopied)

    with monkeypatch.context() as patch:
        patch.setattr("companion.record.store.record_file.connect", uncopied)
        store = Store.open(path, RACE_RULES)
        assert store.messages == ("Nothing can be saved: the disk has a fault",)
        assert not path.exists()
    store.keep(1, OPENED)
    store.close()
    stands(path, 0)
