"""Reading a record that a table is writing: as another user, while rows are added, and the error
for a file that is not a record."""

import os
import tempfile
from pathlib import Path

import pytest

from companion.record.repair.verify import verify
from companion.record.rows import Redo, Step
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from tests.record.play import OPENED, SCRIPT, opened_store, play, scored
from tests.sample_games import RACE_RULES


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "record.db"


def read_as(uid: int, gid: int, path: Path) -> str:
    """The record as another user reads it; only root can become another user."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setgroups([])
            os.setgid(gid)
            os.setuid(uid)
            with Reader.open(path, RACE_RULES) as reader:
                found = reader.last_game()
                assert found is not None
                os.write(into, f"{found[0]} {found[1].length} {verify(reader)}".encode())
        except StoreError as error:
            os.write(into, str(error).encode())
        finally:
            os._exit(0)
    os.close(into)
    with os.fdopen(out) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(
    os.getuid() != 0 and not os.environ.get("CI"), reason="becoming another user takes root"
)
def test_another_user_of_the_group_reads_a_running_and_a_stopped_record() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "record.db"
        os.chown(folder, 0, 12345)
        folder.chmod(0o2750)
        play(path, Step((scored(0, 5),)))

        def reads() -> bool:
            assert "can't be read: permission denied" in read_as(54321, 54321, path)
            return read_as(54321, 12345, path) == "1 1 []"

        before = sorted(folder.iterdir())
        assert reads()  # stopped
        with opened_store(path):
            assert reads()  # running
        assert sorted(folder.iterdir()) == before
        Path(f"{path}-shm").unlink()
        assert reads()  # after a power cut that lost the file that was never synced
        Path(f"{path}-wal").unlink()
        assert reads()  # copied alone from somewhere else
        with opened_store(path) as store:
            assert verify(store) == []


def test_a_reader_sees_what_is_kept_while_it_reads(path: Path) -> None:
    with opened_store(path) as store:
        store.keep(1, OPENED)
        with Reader.open(path, RACE_RULES) as reader:
            for turn in range(5):
                store.keep(1, Step((scored(turn, 1),)))
                found = reader.last_game()
                assert found is not None and found[1].length == turn + 1


def test_a_reader_does_not_stop_the_next_start(path: Path) -> None:
    play(path, *SCRIPT)
    with Reader.open(path, RACE_RULES) as reader, opened_store(path) as store:
        store.keep(1, Redo())
        assert reader.last_game() is not None


def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none.db can't be read: no such file"):
        Reader.open(tmp_path / "none.db", RACE_RULES)
    (tmp_path / "text.db").write_text("not a record, a shopping list. " * 40)
    with pytest.raises(StoreError, match=r"text.db can't be read: the file is damaged"):
        Reader.open(tmp_path / "text.db", RACE_RULES)
