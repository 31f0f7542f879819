"""The power goes at any write: the record opens, and what was taken for kept is there.

The real process is recorded by strace, on a real file system, with keys pressed for it. From what
it wrote and synced every state is made that a power cut could have left (cut_states.py says how),
and opened.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from companion.errors import EntryError
from companion.games.catalog import GAMES
from companion.record.chain import COLUMNS
from companion.record.check import new_damage
from companion.record.faults import StoreError
from companion.record.reader import Reader
from companion.record.rows import Setting
from companion.record.store import Store
from tests.bench_wire import MEMORY, keys_of
from tests.rigs.cut_disk import Event, FolderSynced, Said, Synced, SyncFailed
from tests.rigs.cut_log import Recorder
from tests.rigs.cut_states import Instant, instants, states
from tests.rigs.roots import need

KEYS = keys_of(1, 2, "tile")
SEED = 1
SHORT_LOG = 8
"""Pages of the log after which it goes into the file: after every third or fourth row."""


@dataclass(frozen=True)
class Found:
    """What the next start made of a state."""

    rows: tuple[tuple[object, ...], ...] = ()
    messages: tuple[str, ...] = ()
    trouble: str = ""


def started(files: dict[str, bytes], place: Path, chance: Random) -> Found:
    """Starts on a state: opens it, reads it all, and keeps one more row."""
    shutil.rmtree(place, ignore_errors=True)
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chance.randbytes(len(content)) if name.endswith("-shm") else content)
    try:
        store = Store.open(place / "var" / "companion" / "record.db", GAMES)
        try:
            rows = tuple(store.ask(f"SELECT {COLUMNS} FROM record ORDER BY seq"))
            store.keep(0, Setting("brightness", 3))
            return Found(rows, store.messages)
        finally:
            store.close()
    except (StoreError, EntryError) as error:
        return Found(trouble=str(error))


def entries(rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The rows but those that tell of lost ones: these bear the time of the start."""
    return [row for row in rows if '"kind": "lost"' not in str(row[2])]


def number(row: tuple[object, ...]) -> int:
    return int(str(row[0]))


AGAIN = "The last entry was found again in the log"
SAVING = "An entry was being saved when the power went: look whether it is there"


States = Callable[[Instant, Random], Iterator[dict[str, bytes]]]


class Trial:
    """Looks at every state that a recorded story can have left."""

    def __init__(self, recorder: Recorder, place: Path) -> None:
        self._recorder, self._place = recorder, place
        with Reader.open(recorder.record, GAMES) as reader:
            self.rows = entries(reader.ask(f"SELECT {COLUMNS} FROM record ORDER BY seq"))
            assert new_damage(reader) is None
        self._tried: dict[tuple[tuple[str, bytes], ...], Found] = {}
        self.states = 0

    def losses(
        self, events: Sequence[Event], quiet: bool = True, of: States = states
    ) -> Iterator[str]:
        """What is wrong, a line for each state where something is. `quiet`: a start has nothing to
        tell; `of`: the states that an instant can leave."""
        chance, recorder = Random(SEED), self._recorder
        refused = any(isinstance(event, SyncFailed) for event in events)
        for instant in instants(recorder.before, events, recorder.rows_before):
            for files in of(instant, chance):
                self.states += 1
                found = self._found(files, chance)
                rows = entries(found.rows)
                more = [row for row in rows if number(row) > instant.rows]
                told = [AGAIN] * len(more) + [SAVING]
                if found.trouble:
                    yield f"after row {instant.rows}: {found.trouble}"
                elif {row for row in self.rows if number(row) <= instant.rows} - set(rows):
                    yield f"{len(rows)} rows at row {instant.rows}; told {found.messages}"
                elif self._other(rows, refused and AGAIN in found.messages) or len(more) > 1:
                    yield f"after row {instant.rows}: other rows than were written"
                elif quiet and not set(found.messages) <= set(told):
                    yield f"after row {instant.rows}: {found.messages}"

    def _other(self, rows: list[tuple[object, ...]], refused: bool) -> bool:
        """Whether these are other rows than were written. `refused`: the last one may be a row that
        was told not to be saved, and is told to be found again."""
        if refused and rows[:-1] == self.rows[: len(rows) - 1]:
            return False
        return rows != self.rows[: len(rows)]

    def _found(self, files: dict[str, bytes], chance: Random) -> Found:
        key = tuple(files.items())
        if key not in self._tried:
            self._tried[key] = started(files, self._place, chance)
        return self._tried[key]


def spoil_row(record: Path, seq: int) -> None:
    """Changes a letter of a row that lies in the file, and not in its log."""
    with Reader.open(record, GAMES) as reader:
        ((row,),) = reader.ask("SELECT row FROM record WHERE seq = ?", seq)
    data, text = record.read_bytes(), row.encode()
    assert text in data
    record.write_bytes(data.replace(text, text.replace(b"v", b"V", 1), 1))


@pytest.fixture
def cut() -> Iterator[Path]:
    """Where states are made: in memory where the system has such a place, since nothing is cut
    there any more."""
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


def test_from_the_first_start_to_the_end(recorder: Recorder, cut: Path) -> None:
    recorder.run(KEYS[:66], SHORT_LOG)
    trial = Trial(recorder, cut)
    assert len(trial.rows) > 15
    assert list(trial.losses(recorder.events)) == []
    # The same without the syncs: were nothing found then, nothing would be proven above.
    assert list(trial.losses(without(recorder.events, Synced)))
    assert list(trial.losses(without(recorder.events, FolderSynced)))


def test_killed_while_it_saved_and_started_again(recorder: Recorder, cut: Path) -> None:
    """The second start shows a row that the first one wrote, but did not live to sync."""
    recorder.run(KEYS[:60], kill="fdatasync 20")
    said, story = recorder.rows, len(recorder.events)
    recorder.run(KEYS[60:75], SHORT_LOG)
    trial = Trial(recorder, cut)
    assert next(e for e in recorder.events[story:] if isinstance(e, Said)) == Said(said + 1)
    assert list(trial.losses(recorder.events)) == []


@pytest.mark.parametrize("kill", ["", "fsync 4", "fsync 5"])
def test_a_damaged_record_is_replaced(recorder: Recorder, cut: Path, kill: str) -> None:
    """With one row less, so that nothing of the old log fits the new record any more. It may be
    killed before or after the new one takes its place, and starts again."""
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
    assert list(trial.losses(replacing.events, quiet=False)) == []
    assert list(trial.losses(without(replacing.events, FolderSynced), quiet=False))
