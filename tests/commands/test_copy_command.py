"""`companion copy`: a separate program keeps the copies up to date, and reports faults at the
table."""

import errno
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.app.notice_socket import (
    MAX_NOTICE_CHARS,
    NoticeSocket,
    notice_socket_path,
    send_notice,
)
from companion.commands.cli import main
from companion.core.words import isolated
from companion.record.copies.text_copy import folders
from companion.record.rows import Setting
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.starting import python
from tests.waiting import WAIT_S, wait_until

ROOT = Path(__file__).parents[2]


def keep(record: Path, *values: int) -> None:
    store = Store.open(record, GAMES)
    for value in values:
        store.keep(0, Setting("brightness", value))
    store.close()


def rows(record: Path) -> list[ChainLink]:
    with Reader.open(record, GAMES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


def copied(place: Path) -> list[ChainLink]:
    return [link for folder in folders(place) for link in folder.rows()]


LOOKING = """
from companion.record.copies import copier
copier.QUIET_S, caught_up = 0.01, copier.Copy.catch_up
def catch_up(*words):
    with open({looks!r}, "a") as looks:
        looks.write(".")
    return caught_up(*words)
copier.Copy.catch_up = catch_up
"""


@contextmanager
def copying(record: Path, place: Path, wrong: int = 0) -> Iterator[subprocess.Popen[str]]:
    """`companion copy` as a process; it adds a character to the file “looks” each time it checks
    the record. `wrong`: the error number with which every write to a stick fails; 0: none fails."""
    code = LOOKING.format(looks=str(place.with_name("looks")))
    if wrong:
        code += f"def refuse(*_): raise OSError({wrong}, '{os.strerror(wrong)}')\n"
        code += "copier.Folder.of = refuse\n"
    code += "import sys; from companion.commands.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["copy", str(place), "--record", str(record)]
    with python(*words, code=code, stdout=None) as process:
        yield process


def test_existing_and_new_rows_are_copied(tmp_path: Path) -> None:
    record, place = tmp_path / "box" / "r.db", tmp_path / "stick"
    keep(record, 1, 2)
    with copying(record, place) as process:
        wait_until(lambda: len(copied(place)) == 2)
        keep(record, 3)
        wait_until(lambda: len(copied(place)) == 3)
        store = Store.open(record, GAMES)
        store.keep(0, Setting("brightness", 1))
        wait_until(lambda: len(copied(place)) == 4)
        store.close()
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=WAIT_S)
        assert (process.returncode, errors) == (0, "")
    assert copied(place) == rows(record)


def test_a_copy_with_more_rows_is_announced_when_a_table_starts(tmp_path: Path) -> None:
    record, place = tmp_path / "box" / "r.db", tmp_path / "stick"
    keep(record, 1, 2, 3)
    with copying(record, place):
        wait_until(lambda: len(copied(place)) == 3)
    replace_record(record, rows(record)[:-1])
    heard: SimpleQueue[object] = SimpleQueue()
    with copying(record, place):
        notices = NoticeSocket(record, heard.put, heard.put)
        (record.parent / "touched").write_text("the table starts")
        said = heard.get(timeout=WAIT_S)
        assert said == "A copy has one entry more than the record: companion restore"
        notices.close()
    assert not notice_socket_path(record).exists()


def test_the_table_shows_once_that_everything_is_copied(tmp_path: Path) -> None:
    record, place = tmp_path / "box" / "r.db", tmp_path / "stick"
    keep(record, 1, 2)
    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(record, heard.put, heard.put)
    try:
        with copying(record, place):
            said = str(heard.get(timeout=WAIT_S))
            assert re.fullmatch(r"Copied to the stick, \d\d:\d\d", said)
            assert copied(place) == rows(record)
            keep(record, 3)
            wait_until(lambda: len(copied(place)) == 3)
        assert heard.empty(), "new rows are copied without a word"
    finally:
        notices.close()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (errno.ENOSPC, "The stick is full: nothing more is copied to it"),
        (errno.EROFS, "The stick can't be written to: is it locked by a switch?"),
        (errno.EIO, "The stick has a fault: nothing more is copied to it"),
        (errno.EACCES, "Not copied to the stick: permission denied"),
    ],
)
def test_the_table_shows_why_nothing_is_copied(tmp_path: Path, wrong: int, says: str) -> None:
    record = tmp_path / "r.db"
    keep(record, 1)
    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(record, heard.put, heard.put)
    try:
        with copying(record, tmp_path / "stick", wrong) as process:
            _, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == 2 and len(errors.splitlines()) == 1
        assert heard.get(timeout=WAIT_S) == says
    finally:
        notices.close()


def test_the_table_shows_a_reason_given_by_another_program(tmp_path: Path) -> None:
    record = tmp_path / "r.db"
    keep(record, 1)
    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(record, heard.put, heard.put)
    try:
        asked = ["copy", "/", "--say", "The stick can't be read", "--record", str(record)]
        assert main(asked) == 2
        assert heard.get(timeout=WAIT_S) == "The stick can't be read"
    finally:
        notices.close()


def test_a_place_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path) -> None:
    record, place = tmp_path / "box" / "r.db", tmp_path / "file"
    keep(record, 1)
    place.write_text("")
    with copying(record, place) as process:
        _, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == 2
        assert errors == f"{record} is not copied to {place}: not a directory\n"
    with copying(tmp_path / "nowhere" / "r.db", place) as process:
        _, errors = process.communicate(timeout=WAIT_S)
        assert process.returncode == 2
        assert len(errors.splitlines()) == 1


def test_copy_reports_an_unreadable_record_once_and_keeps_waiting(tmp_path: Path) -> None:
    record, place = tmp_path / "r.db", tmp_path / "stick"
    record.write_bytes(b"a shopping list\n" * 99)
    with copying(record, place) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        assert told.startswith(str(record))
        (tmp_path / "touched").write_text("it is looked at again")
        wait_until(lambda: (tmp_path / "looks").stat().st_size > 1)
        record.unlink()
        keep(record, 1)
        wait_until(lambda: len(copied(place)) == 1)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=WAIT_S)
        assert (process.returncode, errors.count(told)) == (0, 0)


def test_a_notice_about_a_right_to_left_stick_name_arrives(tmp_path: Path) -> None:
    heard: SimpleQueue[object] = SimpleQueue()
    notices = NoticeSocket(tmp_path / "r.db", heard.put, heard.put)
    try:
        remark = f"copied to {isolated('גיבוי')}"
        assert send_notice(tmp_path / "r.db", remark)
        assert heard.get(timeout=WAIT_S) == remark
    finally:
        notices.close()


@pytest.mark.parametrize("line", ["", "two\nlines", "x" * 1000, "\x1b[2J"])
def test_a_notice_is_one_short_line(tmp_path: Path, line: str) -> None:
    heard: SimpleQueue[object] = SimpleQueue()
    record = tmp_path / "r.db"
    assert not send_notice(record, "nobody listens")
    notices = NoticeSocket(record, heard.put, heard.put)
    try:
        assert notice_socket_path(record).stat().st_mode & 0o777 == 0o660
        send_notice(record, line)
        assert send_notice(record, "the end")
        said = heard.get(timeout=WAIT_S)
        assert isinstance(said, str)
        assert said == "the end" or (said.isprintable() and len(said) <= MAX_NOTICE_CHARS)
    finally:
        notices.close()
