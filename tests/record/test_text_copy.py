"""The text copy beside a record: one line for each row, at most one row behind, verifiable by any
program."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.seats import Seats
from companion.record.copies import text_copy
from companion.record.copies.copier import CopyBeside
from companion.record.copies.text_copy import ALL_ROWS, copies_folder, folders, read_tail
from companion.record.repair.verify import verify
from companion.record.rows import GameOpened, Setting, Step
from companion.record.store import store as store_module
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from companion.record.store.store import Store
from tests.record.play import OPENED, SCRIPT, opened_store, play, scored
from tests.sample_games import RACE_RULES


def text_of(record: Path) -> Path:
    (found,) = copies_folder(record).glob(f"*/{ALL_ROWS}")
    return found


def numbers(record: Path) -> list[int]:
    """The row numbers in the text copy, in file order."""
    return [link.seq for link in read_tail(text_of(record), 0).rows]


def rows(record: Path) -> list[ChainLink]:
    with Reader.open(record, RACE_RULES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


def copying(store: Store) -> CopyBeside:
    return CopyBeside(store.path, RACE_RULES, lambda: store.text)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.db"
    play(path, *SCRIPT)
    return path


@pytest.fixture
def store(record: Path) -> Iterator[Store]:
    with closing(Store.open(record, RACE_RULES)) as opened:
        yield opened


def test_another_program_can_verify_the_text_copy(record: Path) -> None:
    """As docs/kept.md describes, without our code: each line is the content, the previous hash and
    its own; the latter is the SHA-256 of the previous hash and the content's bytes."""
    header, *lines = text_of(record).read_bytes().splitlines()
    assert header.startswith(b"# ") and header.endswith(b"Version 1")
    before = bytes(32)
    for number, line in enumerate(lines, 1):
        content, named, own = line.removesuffix(b"]").rsplit(b", ", 2)
        content += b"]"
        assert json.loads(named) == before.hex()
        assert json.loads(own) == hashlib.sha256(before + content).hexdigest()
        assert json.loads(content)[0] == number
        before = bytes.fromhex(json.loads(own))
    assert len(lines) == 1 + len(SCRIPT)
    with Reader.open(record, RACE_RULES) as reader:
        assert reader.hash_of(len(lines)) == before


def test_the_text_copy_is_at_most_one_row_behind(record: Path, store: Store) -> None:
    for turn in range(3):
        last = store.keep(1, Step((scored(turn, 1),))).seq
        assert numbers(record) == [*range(1, last)]
        copying(store).catch_up()
        assert numbers(record) == [*range(1, last + 1)]


def test_closing_writes_the_last_row_and_frees_the_space(record: Path) -> None:
    with opened_store(record) as store:
        last = store.keep(1, Step((scored(0, 1),))).seq
        store.keep(1, Step((scored(1, 1),)))
        assert text_of(record).stat().st_size > text_copy.PREALLOCATED
    assert numbers(record)[-1] == last + 1
    assert text_of(record).read_bytes().splitlines()[-1].startswith(f"[{last + 1}, ".encode())
    assert text_of(record).stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\n", b"\r\n"),
        (b"# rows", b"\xef\xbb\xbf# rows"),
        (b'"kind"', b'"kine"'),
        (b"\n[3, ", b"\n\n[3, "),
    ],
)
def test_outside_changes_of_the_text_copy_are_repaired(
    record: Path, old: bytes, new: bytes
) -> None:
    """Other line ends, a byte order mark, a changed line, an empty one: every changed line is
    written again at the end."""
    text = text_of(record)
    text.write_bytes(text.read_bytes().replace(old, new, 1 if old == b'"kind"' else -1))
    with opened_store(record) as store:
        assert store.messages == ()
        copying(store).catch_up()
        store.keep(1, Step((scored(0, 1),)))
    assert {*numbers(record)} == {*range(1, len(SCRIPT) + 3)}
    assert numbers(record)[-1] == len(SCRIPT) + 2


@pytest.mark.parametrize("kept", [0, 1, 4, 10])
def test_missing_lines_are_added_again(record: Path, kept: int) -> None:
    text = text_of(record)
    lines = text.read_bytes().splitlines(keepends=True)
    text.write_bytes(b"".join(lines[: 1 + kept]).rstrip(b"\n"))
    with opened_store(record) as store:
        assert store.messages == ()
        copying(store).catch_up()
        assert numbers(record) == [*range(1, len(SCRIPT) + 2)]
        assert store.text is not None and store.text.follows


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_removed_copy_is_made_again(record: Path, store: Store, what: str) -> None:
    store.keep(1, Step((scored(0, 1),)))
    store.keep(1, Step((scored(1, 1),)))
    if what == "file":
        text_of(record).unlink()
    else:
        copies_folder(record).rename(record.with_name("aside"))
    store.keep(1, Step((scored(2, 1),)))
    copying(store).catch_up()
    assert numbers(record) == [*range(1, len(SCRIPT) + 5)]
    store.keep(1, Step((scored(3, 1),)))
    copying(store).catch_up()
    assert numbers(record) == [*range(1, len(SCRIPT) + 6)]


def test_a_long_record_without_a_copy_gets_one_while_play_goes_on(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(record).unlink()
    monkeypatch.setattr(store_module, "FEW_ROWS", 3)
    with opened_store(record) as store:
        assert store.text is not None and not store.text.follows
        store.keep(1, Step((scored(0, 1),)))
        assert not text_of_or_none(record)
        copying(store).catch_up(lambda: False)
        store.keep(1, Step((scored(1, 1),)))
        copying(store).catch_up()
        assert store.text.follows
        assert numbers(record) == [*range(1, len(SCRIPT) + 4)]


def text_of_or_none(record: Path) -> Path | None:
    return next(copies_folder(record).glob(f"*/{ALL_ROWS}"), None)


def test_a_row_whose_sync_failed_is_written_again(
    record: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the failure it isn't known what is on the disk, whatever the file shows."""
    sync = os.fdatasync

    def fail(_: int) -> None:
        raise OSError(5, "Input/output error")

    store.keep(1, Step((scored(0, 1),)))
    monkeypatch.setattr(os, "fdatasync", fail)
    with pytest.raises(OSError, match="Input/output"):
        copying(store).catch_up()
    assert store.keep(1, Step((scored(1, 1),)))
    monkeypatch.setattr(os, "fdatasync", sync)
    copying(store).catch_up()
    last = len(SCRIPT) + 3
    assert numbers(record)[-2:] == [last - 1, last]
    assert numbers(record).count(last - 1) > 1


def test_an_older_record_is_reported_and_its_copy_kept(record: Path) -> None:
    was = rows(record)
    replace_record(record, was[:-3])
    with opened_store(record) as store:
        assert (store.messages, store.last_row()) == ((), len(was) - 3)
        thread = copying(store)
        assert thread.catch_up() == "A copy has 3 entries more than the record: companion restore"
        store.keep(0, Setting("brightness", 1))
        assert thread.catch_up() is None
        store.keep(0, Setting("brightness", 2))
    now, aside = folders(copies_folder(record))
    assert [link.seq for link in aside.rows()] == [*range(1, len(was) + 1)]
    assert {link.columns for link in now.rows()} == {link.columns for link in rows(record)}


def test_a_torn_last_line_is_reported(tmp_path: Path) -> None:
    """The record's log is lost with the row, and the copy has only a part of it."""
    path, cut = tmp_path / "record.db", tmp_path / "cut" / "record.db"
    with opened_store(path) as store:
        for row in (OPENED, *SCRIPT):
            store.keep(1, row)
        log = Path(f"{path}-wal").read_bytes()
        cut.parent.mkdir()
        cut.write_bytes(path.read_bytes())
        Path(f"{cut}-wal").write_bytes(log[: len(log) - 4120])
    text = text_of(path).read_bytes()
    (copies_folder(cut) / text_of(path).parent.name).mkdir(parents=True)
    (copies_folder(cut) / text_of(path).parent.name / ALL_ROWS).write_bytes(text[:-40])
    with opened_store(cut) as store:
        assert store.messages == (
            "An entry was being saved when the power went: check whether it is there",
        )
        assert store.last_row() == len(SCRIPT)
        store.keep(1, SCRIPT[-1])
        assert verify(store) == []


def test_successive_records_have_a_copy_each(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    play(path, *SCRIPT)
    for end in ("", "-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    with opened_store(path) as store:
        assert store.messages == ()
        store.keep(1, GameOpened("race", Seats.of("Ann", "Bo"), {"goal": 200}))
    assert len([*copies_folder(path).glob(f"*/{ALL_ROWS}")]) == 2
