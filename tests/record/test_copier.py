"""Copies are kept up to date, report when they have more rows than the record, and delay
nothing."""

from pathlib import Path
from threading import Event

import pytest

from companion.record.copies import copier
from companion.record.copies.copier import Copiers, Copy
from companion.record.copies.text_copy import Folder, folders
from companion.record.rows import Setting
from companion.record.store.database import ChainLink
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from tests.record.play import SCRIPT, opened_store, play
from tests.sample_games import RACE_RULES
from tests.waiting import WAIT_S


def rows(path: Path) -> list[ChainLink]:
    with Reader.open(path, RACE_RULES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


def place_of(record: Path) -> Path:
    """A place that is not beside the record."""
    return record.parent / "elsewhere"


def copied(place: Path) -> list[ChainLink]:
    (folder,) = folders(place)
    return sorted(folder.rows(), key=lambda link: link.seq)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "record.db"
    play(path, *SCRIPT)
    return path


def copy_of(record: Path) -> Copy:
    return Copy(record, RACE_RULES, place_of(record))


def test_each_new_row_is_added_once(record: Path) -> None:
    copy = copy_of(record)
    assert copy.catch_up() is None
    assert copied(place_of(record)) == rows(record)
    play(record, *SCRIPT)
    assert copy.catch_up() is None
    with opened_store(record) as store:
        store.keep(0, Setting("brightness", 2))
        assert copy.catch_up() is None
    assert copy.catch_up() is None
    assert copy_of(record).catch_up() is None
    assert copied(place_of(record)) == rows(record)


def test_no_copy_is_made_without_a_record(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with opened_store(path):
        assert copy_of(path).catch_up() is None
    assert not place_of(path).exists()


def test_a_long_record_is_copied_in_batches(record: Path) -> None:
    for _ in range(2 * copier.BATCH_ROWS // len(SCRIPT) + 1):
        play(record, *SCRIPT)
    copy = copy_of(record)
    copy.catch_up(lambda: False)
    assert copied(place_of(record)) == rows(record)[: copier.BATCH_ROWS]
    copy.catch_up()
    assert copied(place_of(record)) == rows(record)


def test_a_row_that_was_changed_is_not_copied(record: Path) -> None:
    data = record.read_bytes()
    text = rows(record)[6].row.encode()
    record.write_bytes(data.replace(text, text.replace(b"v", b"V", 1)))
    copy_of(record).catch_up()
    assert [link.seq for link in copied(place_of(record))] == [1, 2, 3, 4, 5, 6]


def shorter(record: Path, by: int) -> None:
    """Removes the record's newest rows, as a bad card does."""
    links = rows(record)[:-by]
    replace_record(record, links)


def test_a_copy_with_more_rows_is_reported_and_set_aside(record: Path) -> None:
    copy_of(record).catch_up()
    all_rows = rows(record)
    shorter(record, 3)
    said = "A copy has 3 entries more than the record: companion restore"
    for _ in range(2):  # at each start
        copy = copy_of(record)
        assert copy.catch_up() == said
        assert copy.catch_up() is None
        assert copied(place_of(record)) == all_rows
    with opened_store(record) as store:
        store.keep(0, Setting("brightness", 1))
    assert copy.catch_up() is None
    now, aside = folders(place_of(record))
    assert sorted(aside.rows(), key=lambda link: link.seq) == all_rows
    assert sorted(now.rows(), key=lambda link: link.seq) == rows(record)
    assert copy_of(record).catch_up() is None


def test_a_copy_with_different_entries_is_set_aside(record: Path) -> None:
    copy_of(record).catch_up()
    shorter(record, 1)
    with opened_store(record) as store:
        for value in (1, 2, 3):
            store.keep(0, Setting("brightness", value))
    copy = copy_of(record)
    assert copy.catch_up() == "A copy has different entries from the record: companion restore"
    with opened_store(record) as store:
        store.keep(0, Setting("brightness", 1))
    assert copy.catch_up() is None
    assert len(folders(place_of(record))) == 2


def test_copies_of_two_records_can_be_in_one_place(record: Path, tmp_path: Path) -> None:
    other, place = tmp_path / "other.db", tmp_path / "stick"
    with opened_store(other) as store:
        store.keep(0, Setting("brightness", 1))
    for path in (record, other, record):
        assert Copy(path, RACE_RULES, place).catch_up() is None
    assert {len(list(folder.rows())) for folder in folders(place)} == {1, len(rows(record))}


# ---------------------------------------------------------------- the thread


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copier, "QUIET_S", 0.0)


class EventSubscription:
    """Collects a copier's messages; `heard` is set with the first one."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.heard = Event()

    def __call__(self, line: str) -> None:
        self.lines.append(line)
        self.heard.set()


def copiers(record: Path, tell: EventSubscription, complain: EventSubscription) -> Copiers:
    return Copiers(record, RACE_RULES, [place_of(record)], tell, complain, text=lambda: None)


def test_the_thread_copies_new_rows_until_it_is_stopped(record: Path, no_waiting: None) -> None:
    hearing = EventSubscription()
    thread = copiers(record, hearing, hearing)
    thread.start()
    with opened_store(record) as store:
        store.keep(0, Setting("brightness", 2))
        thread.wake()
        thread.close()
    assert copied(place_of(record)) == rows(record)
    assert hearing.lines == []


def test_a_failing_place_is_reported_once(record: Path, no_waiting: None, tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    hearing = EventSubscription()
    thread = Copiers(record, RACE_RULES, [place], hearing, hearing, text=lambda: None)
    thread.start()
    assert hearing.heard.wait(WAIT_S)
    thread.wake()
    thread.close()
    assert hearing.lines == [f"The record is not copied to {place}: not a directory"]


def test_a_copy_with_more_rows_is_reported(record: Path, no_waiting: None) -> None:
    copy_of(record).catch_up()
    shorter(record, 1)
    hearing, nobody = EventSubscription(), EventSubscription()
    thread = copiers(record, hearing, nobody)
    thread.start()
    assert hearing.heard.wait(WAIT_S)
    thread.close()
    assert hearing.lines == ["A copy has one entry more than the record: companion restore"]
    assert nobody.lines == []


def test_a_place_that_hangs_delays_no_other(
    record: Path, no_waiting: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, over = Event(), Event()
    append, hung = Folder.append, tmp_path / "hung"

    def hang(folder: Folder, links: list[ChainLink]) -> None:
        if folder.path.is_relative_to(hung):
            begun.set()
            over.wait(WAIT_S)
        append(folder, links)

    monkeypatch.setattr(Folder, "append", hang)
    places, nobody = [hung, place_of(record)], EventSubscription()
    thread = Copiers(record, RACE_RULES, places, nobody, nobody, text=lambda: None)
    thread.start()
    assert begun.wait(WAIT_S)
    thread.close()
    assert copied(place_of(record)) == rows(record)
    over.set()


def test_a_place_that_hangs_delays_neither_rows_nor_shutdown(
    record: Path, no_waiting: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shutting down waits STOP_S at most."""
    monkeypatch.setattr(copier, "STOP_S", 0.05)
    begun, over = Event(), Event()

    def hang(_folder: Folder, _links: list[ChainLink]) -> None:
        begun.set()
        over.wait(WAIT_S)

    monkeypatch.setattr(Folder, "append", hang)
    hearing = EventSubscription()
    thread = copiers(record, hearing, hearing)
    thread.start()
    assert begun.wait(WAIT_S)
    with opened_store(record) as store:
        for value in range(5):
            store.keep(0, Setting("brightness", value))
            thread.wake()
    thread.close()
    assert not over.is_set()
    over.set()
