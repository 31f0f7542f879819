"""The power is cut at any write: the record opens, and every row that was reported as kept is
there.

The real process is recorded by strace, on a real file system, while keys are pressed. From its
writes and syncs every state is made that a power cut could have left (cut_states.py says how), and
each is opened (cut_trial.py).
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.record.store.reader import Reader
from tests.bench_wire import MEMORY, keys_of
from tests.catalog import GAMES
from tests.rigs.cut_disk import Event, FileSynced, FolderSynced, RowsReported
from tests.rigs.cut_log import Recorder
from tests.rigs.cut_trial import Trial, number
from tests.rigs.roots import need

KEYS = keys_of(1, 2, "tile")
SHORT_LOG = 8
"""Pages of the log after which it goes into the file: that is after every third or fourth row."""


def spoil_row(record: Path, seq: int) -> None:
    """Changes a letter of a row that lies in the file, and not in its log."""
    with Reader.open(record, GAMES) as reader:
        ((row,),) = reader.query("SELECT row FROM record WHERE seq = ?", seq)
    data, text = record.read_bytes(), row.encode()
    assert text in data
    record.write_bytes(data.replace(text, text.replace(b"v", b"V", 1), 1))


@pytest.fixture
def cut() -> Iterator[Path]:
    """A folder in which states are made: in memory if the system has such a place, as the states
    themselves are not cut."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        yield Path(place) / "cut"


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    need("strace")
    folder = tmp_path / "disk"
    folder.mkdir()
    return Recorder(folder, 0)


def without(events: Sequence[Event], *kinds: type[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, kinds)]


def test_a_power_cut_at_any_write_loses_no_row(recorder: Recorder, cut: Path) -> None:
    recorder.run(KEYS[:66], SHORT_LOG)
    trial = Trial(recorder, cut)
    assert len(trial.rows) > 15
    trial.nothing_lost(recorder.events)
    assert trial.proves(without(recorder.events, FileSynced))
    assert trial.proves(without(recorder.events, FolderSynced))


def test_a_kill_during_saving_loses_no_row(recorder: Recorder, cut: Path) -> None:
    """The second start shows a row that the first one wrote, but did not live to sync."""
    recorder.run(KEYS[:60], kill="fdatasync 20")
    said, story = recorder.rows, len(recorder.events)
    recorder.run(KEYS[60:75], SHORT_LOG)
    trial = Trial(recorder, cut)
    assert next(e for e in recorder.events[story:] if isinstance(e, RowsReported)) == RowsReported(
        said + 1
    )
    trial.nothing_lost(recorder.events)


@pytest.mark.parametrize("kill", ["", "fsync 4", "fsync 5", "fsync 6"])
def test_a_damaged_record_is_replaced(recorder: Recorder, cut: Path, kill: str) -> None:
    """The new record has one row less, so that nothing of the old log fits it. The program may be
    killed when the new record has just got its first name, before it takes the old one's place, or
    after that; then it starts again."""
    recorder.run(KEYS[:90])
    recorder.run(KEYS[90:120], kill="fdatasync 6")
    spoil_row(recorder.record, 5)
    left = recorder.rows  # one was written when it was killed, another is spoilt
    replacing = Recorder(recorder.folder, left)
    if kill:
        replacing.run([], kill=kill)
    replacing.run(["BACK", "OK", "BACK", "OK"])
    trial = Trial(replacing, cut)
    assert number(trial.rows[-1]) > left
    trial.nothing_lost(replacing.events, quiet=False)
    assert trial.proves(without(replacing.events, FolderSynced), quiet=False)
