"""After a power cut and before a table has repaired the record, a reader sees every row that the
next start will have, or a warning that rows are missing."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.commands.cli import main
from companion.record.store import reader as reading
from companion.record.store.database import ChainLink, take_lock
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.record.damage import PAGE, RecordFiles, spoil, unplugged

LOG_HEADER, FRAME = 32, 24 + PAGE
ROWS = 14
CUT, TORN = "cut", "torn"


@pytest.fixture
def files(tmp_path: Path) -> RecordFiles:
    return RecordFiles.of(unplugged(tmp_path, 2, ROWS))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "card" / "record.db"


def seen(path: Path) -> tuple[list[int], list[str]]:
    with Reader.open(path, GAMES) as reader:
        rows = [item.seq for item in reader.walk() if isinstance(item, ChainLink)]
        return rows, [*map(str, reader.warnings)]


def started(path: Path) -> list[int]:
    with closing(Store.open(path, GAMES, lambda: 1_800_000_000.5)) as store:
        return [item.seq for item in store.walk() if isinstance(item, ChainLink)]


def cuts(files: RecordFiles) -> Iterator[tuple[str, RecordFiles]]:
    """The log cut at each of its last sectors and just beside its frames, with either nothing or
    the former bytes after the cut."""
    log = files.log
    last = (len(log) - LOG_HEADER) // FRAME * FRAME + LOG_HEADER
    near = {at + by for at in range(last, last - 4 * FRAME, -FRAME) for by in (-1, 0, 1, 24, 40)}
    for at in sorted({*near, *range(last - 3 * FRAME, last, 512)}):
        if 0 < at < len(log):
            yield f"{CUT} {at}", replace(files, log=log[:at])
            yield f"{TORN} {at}", replace(files, log=log[:at] + bytes(len(log) - at))


def newest_is_dropped(files: RecordFiles) -> RecordFiles:
    """The files with a wrong checksum in the log's last frame, whose row is whole."""
    last = len(files.log) - FRAME
    return replace(files, log=spoil(files.log, last + 16, b"\xff" * 8))


def test_a_reader_of_a_cut_log_sees_the_rows_that_the_next_start_finds(
    files: RecordFiles, path: Path
) -> None:
    tried = 0
    for name, cut in cuts(files):
        cut.write(path)
        rows, told = seen(path)
        has = started(path)
        assert rows == has[: len(rows)], name
        assert rows == has or told, name
        tried += 1
    assert tried > 50


def test_a_reader_waits_for_the_table_to_recover_the_row(
    files: RecordFiles, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest_is_dropped(files).write(path)
    before = len(seen(path)[0])
    Path(f"{path}-shm").touch()
    lock, put_back = take_lock(path), list[Store]()

    def mend(_: float) -> None:
        lock.close()
        put_back.append(Store.open(path, GAMES, lambda: 1_800_000_000.5))

    monkeypatch.setattr(reading, "sleep", mend)
    rows, told = seen(path)
    put_back[0].close()
    assert len(put_back) == 1
    assert (len(rows), told) == (before, [])


def test_a_reader_reports_a_row_that_is_still_being_recovered(
    files: RecordFiles,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(reading, "RECOVERY_S", 0)
    newest_is_dropped(files).write(path)
    whole = seen(path)[0]
    Path(f"{path}-shm").touch()
    with take_lock(path):
        rows, told = seen(path)
        assert rows == whole[:-1]
        assert told == ["an entry is being recovered: ask again in a moment"]
        for command in ("games", "show", "stats"):
            capsys.readouterr()
            main([command, "--record", str(path)])
            assert "an entry is being recovered" in capsys.readouterr().err, command
        main(["verify", "--record", str(path)])
        assert "an entry is being recovered" in capsys.readouterr().out


def test_a_reader_reports_that_there_is_no_room_for_a_copy(
    files: RecordFiles, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    newest_is_dropped(files).write(path)
    whole = seen(path)[0]

    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reading, "copy_record", full)
    Path(f"{path}-shm").touch()
    rows, told = seen(path)
    assert rows == whole[:-1]
    assert told == [f"row {whole[-1]} is only in the copy and not shown: the next start adds it"]


def test_a_torn_end_is_not_reported_while_a_table_runs(files: RecordFiles, path: Path) -> None:
    torn = files.log[: len(files.log) - FRAME] + b"\xff" * FRAME
    replace(files, log=torn).write(path)
    with closing(Store.open(path, GAMES, lambda: 1_800_000_000.5)):
        assert seen(path)[1] == []
