"""`companion restore`: rows that only copies have are restored, and no other row is lost."""

import shutil
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.record.copies.copier import Copy
from companion.record.copies.text_copy import copies_folder
from companion.record.repair.verify import verify
from companion.record.rows import Setting, Step
from companion.record.store.database import ChainLink, take_lock
from companion.record.store.reader import Reader
from companion.record.store.record_file import replace_record
from tests.record.damage import drop_copies
from tests.record.play import SCRIPT, opened_store, play, scored
from tests.record.tampering import change_row
from tests.sample_games import RACE_CATALOG, RACE_RULES

Said = pytest.CaptureFixture[str]


def rows(path: Path) -> list[ChainLink]:
    with Reader.open(path, RACE_RULES) as reader:
        return [item for item in reader.walk() if isinstance(item, ChainLink)]


def findings(path: Path) -> list[str]:
    with Reader.open(path, RACE_RULES) as reader:
        return verify(reader)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "box" / "record.db"
    for _ in range(3):
        play(path, *SCRIPT)
    Copy(path, RACE_RULES, tmp_path / "stick" / "table-companion").catch_up()
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    return tmp_path / "stick"


def restore(*words: str | Path) -> int:
    return main(["restore", *map(str, words)], RACE_CATALOG)


def test_a_missing_record_is_made_from_its_copies(record: Path, stick: Path, capsys: Said) -> None:
    was = rows(record)
    shutil.rmtree(record.parent)
    record.parent.mkdir()
    assert restore(stick, "--record", record) == 0
    assert rows(record) == was
    assert findings(record) == []
    many = len(was)
    assert capsys.readouterr().out.splitlines() == [
        f"{record}: {many} of {many} rows are readable",
        f"{many} rows came from copies",
    ]


@pytest.mark.parametrize("by", [1, 3, 20])
def test_newest_rows_lost_by_a_card_are_restored(
    record: Path, stick: Path, by: int, capsys: Said
) -> None:
    was = rows(record)
    replace_record(record, was[:-by])
    assert restore(stick, "--record", record) == 0
    assert (rows(record), findings(record)) == (was, [])
    kept = record.with_name("record.db.damaged-2")
    assert f"as it was it is kept as {kept}" in capsys.readouterr().out
    assert restore(stick, "--record", record) == 0
    assert "nothing that can go back" in capsys.readouterr().out
    assert not record.with_name("record.db.damaged-3").exists()


@pytest.mark.parametrize("lost", [(5, 9), (1, 2), (40, 45)])
def test_a_recorded_gap_is_filled(record: Path, stick: Path, lost: tuple[int, int]) -> None:
    was = rows(record)
    drop_copies(record)
    for seq in range(lost[0], lost[1] + 1):
        change_row(record, seq)
    with opened_store(record) as store:
        if not store.loss_marks():
            store.repair()
        assert store.loss_marks()
    assert findings(record) != []
    assert restore(stick, "--record", record) == 0
    assert rows(record)[: len(was)] == was
    assert findings(record) == []


def test_copies_with_different_entries_replace_no_row(
    record: Path, stick: Path, tmp_path: Path, capsys: Said
) -> None:
    was = rows(record)
    replace_record(record, was[:-2])
    with opened_store(record) as store:
        store.keep(3, Step((scored(2, 9),)))
    now = rows(record)
    assert restore(stick, "--record", record) == 1
    assert rows(record) == now
    said = capsys.readouterr().out
    assert "the copies have 2 rows of another course of play: companion restore --to FILE" in said
    new = tmp_path / "new.db"
    assert restore(stick, "--record", record, "--to", new) == 0
    assert (rows(new), findings(new)) == (was, [])
    assert restore(stick, "--record", record, "--to", new) == 2
    assert f"{new} is there already" in capsys.readouterr().err


def test_rows_of_two_places_are_combined(record: Path, stick: Path, tmp_path: Path) -> None:
    """The stick was away for some time, and the other place lost a file: each completes the
    other."""
    play(record, *SCRIPT)
    Copy(record, RACE_RULES, tmp_path / "other").catch_up()
    was = rows(record)
    for file in (tmp_path / "other").rglob("game-00002.rows"):
        file.unlink()
    new = tmp_path / "new.db"
    assert restore("--to", new, stick, tmp_path / "other", "--record", tmp_path / "none") == 0
    assert (rows(new), findings(new)) == (was, [])


def test_copies_with_a_gap_make_a_record_with_a_recorded_gap(
    record: Path, stick: Path, tmp_path: Path
) -> None:
    for file in stick.rglob("game-00002.rows"):
        file.unlink()
    new = tmp_path / "new.db"
    assert restore("--to", new, stick, "--record", tmp_path / "none") == 0
    assert any("rows 16 to 30 are missing (since record-" in line for line in findings(new))
    with opened_store(new) as store:
        assert store.messages == ()


def test_restoring_is_refused_while_the_table_runs(record: Path, stick: Path, capsys: Said) -> None:
    replace_record(record, rows(record)[:-1])
    with take_lock(record):
        assert restore(stick, "--record", record) == 2
    assert "in use by another companion run" in capsys.readouterr().err


def test_no_copies_or_copies_of_two_records_are_an_error(
    record: Path, stick: Path, tmp_path: Path, capsys: Said
) -> None:
    assert restore(tmp_path / "nowhere", "--record", record) == 2
    assert "there are no copies of a record in" in capsys.readouterr().err
    other = tmp_path / "other.db"
    with opened_store(other) as store:
        store.keep(0, Setting("brightness", 1))
    Copy(other, RACE_RULES, stick / "table-companion").catch_up()
    assert restore(stick, "--to", tmp_path / "new.db", "--record", tmp_path / "none") == 2
    assert "there are copies of 2 records: name one of them" in capsys.readouterr().err
    assert not (tmp_path / "new.db").exists()


def test_copies_beside_the_record_are_found_by_default(record: Path) -> None:
    Copy(record, RACE_RULES, copies_folder(record)).catch_up()
    was = rows(record)
    replace_record(record, was[:-4])
    assert restore("--record", record) == 0
    assert rows(record) == was
