"""Damage found only during play, and failures while the record is replaced."""

import shutil
from pathlib import Path

import pytest

from companion.record.copies.text_copy import copies_folder
from companion.record.repair.salvage import read_damaged
from companion.record.repair.verify import verify
from companion.record.rows import Redo
from companion.record.store.database import StoreError
from companion.record.store.record_file import make_record
from tests.record.play import OPENED, SCRIPT, folded, opened_store, same
from tests.record.tampering import GAMES, ROWS, evening, write


def test_damage_found_only_while_writing_is_repaired(tmp_path: Path) -> None:
    path = evening(tmp_path)
    with opened_store(path) as store:
        # The index of the presses is not read at the start, but every press writes to it.
        (page,) = store.query("SELECT rootpage FROM sqlite_master WHERE name = 'by_source'")[0]
    write(path, (page - 1) * 4096, b"\xff" * 4096)
    with opened_store(path) as store:
        assert not store.messages
        kept = store.keep(GAMES, Redo(), source="north/9/9")
        assert kept.seq == ROWS + 1
        assert store.messages[0].endswith(f"; {ROWS} of {ROWS} rows are readable")
        assert same(store.game(GAMES), folded((*SCRIPT, Redo())))
        assert verify(store) == []


def test_damage_found_only_while_recovering_rows_is_repaired(tmp_path: Path) -> None:
    path = evening(tmp_path, copies=True)
    saved = tmp_path / "saved" / path.name
    saved.parent.mkdir()
    with opened_store(path) as store:
        (page,) = store.query("SELECT rootpage FROM sqlite_master WHERE name = 'by_source'")[0]
        store.keep(GAMES, Redo(), source="north/9/9")
        for end in ("", "-wal"):
            Path(f"{saved}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
        assert store.text is not None
        store.text.flush()
        shutil.copytree(copies_folder(path), copies_folder(saved))
    Path(f"{saved}.lock").touch()
    write(saved, (page - 1) * 4096, b"\xff" * 4096)
    log = Path(f"{saved}-wal")
    # SQLite drops the whole log, as the random number in its first frame differs from the header's.
    write(log, 32 + 8, bytes([log.read_bytes()[32 + 8] ^ 0xFF]))
    with opened_store(saved) as store:
        assert store.messages[-1].endswith(f"; {ROWS + 1} of {ROWS + 1} rows are readable")
        assert same(store.game(GAMES), folded((*SCRIPT, Redo())))
        assert verify(store) == []


@pytest.mark.parametrize("gone", [(), ("-wal",), ("-wal", "-shm"), ("-wal", "-shm", "")])
def test_a_replacement_interrupted_by_a_power_cut_is_completed(
    tmp_path: Path, gone: tuple[str, ...]
) -> None:
    path = evening(tmp_path)
    with read_damaged(path) as found:
        links = [*found.rows.links()]
    write(path, 0, b"\xff" * 100)
    # Everything was written, and some of the renaming was done.
    make_record(Path(f"{path}.salvaged"), links)
    for end in gone:
        Path(f"{path}{end}").rename(f"{path}.damaged-1{end}")
    with opened_store(path) as store:
        assert store.messages == (
            "The record was replaced: the old one is kept as record.db.damaged-1",
        )
        assert same(store.game(GAMES), folded(SCRIPT))
        assert verify(store) == []


def test_an_unfinished_record_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    Path(f"{path}.new").write_bytes(b"half")
    with opened_store(path) as store:
        assert (store.messages, verify(store)) == ((), [])


def test_a_damaged_record_stays_if_there_is_no_room_for_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = evening(tmp_path, copies=True)
    write(path, 0, b"\xff" * 100)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("companion.record.store.record_file.make_record", full)
        with opened_store(path) as store:
            assert list(store.messages) == ["Nothing can be saved: the disk is full"]
            with pytest.raises(StoreError, match="Not saved: the disk is full"):
                store.keep(GAMES, Redo())
    with opened_store(path) as store:
        assert same(store.game(GAMES), folded(SCRIPT))


def test_rows_written_by_this_run_survive_damage(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with opened_store(path) as store:
        store.keep(1, OPENED)
        for row in SCRIPT:
            store.keep(1, row)
        # The card loses everything, and the next page to be read is gone.
        Path(f"{path}-wal").write_bytes(bytes(Path(f"{path}-wal").stat().st_size))
        write(path, 0, bytes(path.stat().st_size))
        store.repair()
        assert "readable" in store.messages[0] and not store.loss_marks()
        store.keep(1, Redo())
    with opened_store(path) as store:
        assert same(store.game(1), folded((*SCRIPT, Redo())))
        assert verify(store) == []
