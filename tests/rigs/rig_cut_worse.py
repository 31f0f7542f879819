"""The cut rig on worse disks: sectors of 4 KiB that turn to garbage with what was synced in them,
several torn writes at once, syncs that fail, a cut while a cut state is being opened, a log as long
as SQLite lets it become, and readers that come before the next start.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.core.errors import EntryError
from companion.record.copies.text_copy import SUFFIX
from companion.record.store.database import ChainLink, StoreError
from companion.record.store.reader import Reader
from tests.catalog import GAMES
from tests.rigs import rig_cut
from tests.rigs.cut_disk import Event, FileSynced, FileWritten, SyncFailed
from tests.rigs.cut_log import ROOT, Recorder
from tests.rigs.cut_states import Instant, garbled, instants, states, torn_together
from tests.rigs.cut_trial import SEED, Trial, entries, number, started
from tests.rigs.rig_cut import KEYS, SHORT_LOG, without

cut, recorder = rig_cut.cut, rig_cut.recorder
SECTORS = (512, 4096)
TOGETHER = 40
"""How many states with several torn writes are tried for each instant."""
REFUSED_KEYS = KEYS[:16]
"""The keys of a story in which each sync is refused: half a dozen rows, and the log goes into the
file once."""
FSYNCS = 5
"""How many fsyncs the companion makes itself: of two folders, the new record, its name, and the
name of its log."""
FOR_GOOD = 6
"""For every so many syncs there is also a story in which that sync and all later ones are
refused."""
OPENED_AGAIN = 6
"""How many cut states are opened, with another cut at any write of the opening."""


def all_garbled(instant: Instant, chance: Random) -> Iterator[dict[str, bytes]]:
    for sector in SECTORS:
        yield from garbled(instant, chance, sector)


def written(events: Sequence[Event]) -> int:
    return sum(len(event.data) for event in events if isinstance(event, FileWritten))


def lost(lines: Sequence[str]) -> list[str]:
    """The messages about lost rows; a start may also report rows that it found again."""
    return [line for line in lines if "; told (" in line or "other rows" in line]


def without_text(instant: Instant, chance: Random) -> Iterator[dict[str, bytes]]:
    for files in all_garbled(instant, chance):
        yield {name: data for name, data in files.items() if not name.endswith(SUFFIX)}


def test_garbage_in_a_written_sector_loses_nothing(
    recorder: Recorder, cut: Path, tell: list[str]
) -> None:
    """Either the record or its text copy is being written. Without the copy, rows are lost."""
    recorder.run(KEYS[:90])
    trial = Trial(recorder, cut)
    trial.nothing_lost(recorder.events, quiet=False, of=all_garbled)
    found = lost(Trial(recorder, cut).losses(recorder.events, quiet=False, of=without_text))
    tell.append(
        f"garbage: {trial.states} states, {written(recorder.events):,} bytes written; without the "
        f"text copy {len(found)} lost a row"
    )
    assert trial.states > 300
    assert found, "the disk is not bad enough to prove anything"


def test_several_torn_writes_at_once_lose_nothing(
    recorder: Recorder, cut: Path, tell: list[str]
) -> None:
    recorder.run(KEYS[:66], SHORT_LOG)
    trial = Trial(recorder, cut)
    together = partial(torn_together, many=TOGETHER)
    trial.nothing_lost(recorder.events, of=together)
    tell.append(f"torn together: {trial.states} states")
    assert trial.states > 300
    assert trial.proves(without(recorder.events, FileSynced), of=together)


GROWN = """
import os, sys
from pathlib import Path
from companion.app.catalog import CATALOG
from companion.record.rows import Setting
from companion.record.store.store import Store
store = Store.open(Path(sys.argv[1]), CATALOG.rules)
log = Path(sys.argv[1] + "-wal")
kept = None
while log.stat().st_size < int(sys.argv[2]) * 4120:
    kept = store.keep(0, Setting("brightness", 1))
print(kept.seq, flush=True)
os._exit(0)
"""


def test_the_longest_log_is_checkpointed_into_the_file(recorder: Recorder, cut: Path) -> None:
    """While keys are pressed, the log passes SQLite's own limit of a thousand pages."""
    grow = [sys.executable, "-c", GROWN, str(recorder.record), "975"]
    ran = subprocess.run(grow, cwd=ROOT, check=True, capture_output=True, text=True)
    later = Recorder(recorder.folder, int(ran.stdout.split()[-1]))
    later.run(KEYS[:40])
    pages = [e for e in later.events if isinstance(e, FileWritten) and len(e.data) == 4096]
    assert len(pages) > 20, "the log did not go into the file"
    trial = Trial(later, cut)
    trial.nothing_lost(later.events)


def each_cut(recorder: Recorder, chance: Random) -> list[tuple[int, dict[str, bytes]]]:
    """All cut states, each after the number of the last row that was reported as kept by then."""
    every = instants(recorder.before, recorder.events, recorder.rows_before)
    return [(at.rows, files) for at in every for files in (*states(at, chance),
                                                           *all_garbled(at, chance))]  # fmt: skip


def lay(files: dict[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def test_a_power_cut_during_recovery_loses_nothing(
    recorder: Recorder, cut: Path, tmp_path: Path
) -> None:
    recorder.run(KEYS[:66], SHORT_LOG)
    rows, chance, tried = Trial(recorder, cut).rows, Random(SEED), 0
    of_some = [one for one in each_cut(recorder, chance) if one[0] > 3]
    for place, (kept, files) in enumerate(chance.sample(of_some, OPENED_AGAIN)):
        folder = tmp_path / str(place)
        lay({name: data for name, data in files.items() if not name.endswith("-shm")}, folder)
        again = Recorder(folder, kept)
        again.run(["BACK"])
        trial = Trial(again, cut)
        assert trial.rows == rows[: len(trial.rows)]
        assert {row for row in rows if number(row) <= kept} <= set(trial.rows)
        # Either of the two starts may tell of a row.
        trial.nothing_lost(again.events, quiet=False)
        tried += trial.states
    assert tried > 10 * OPENED_AGAIN


def refused(folder: Path, cut: Path, call: str) -> tuple[int, list[str]]:
    """The number of states that can be left when a disk refuses the syncs named by `call`, and
    their failures; no states if the log ends before that."""
    with TemporaryDirectory(dir=folder) as place, TemporaryDirectory(dir=cut.parent) as states:
        recorder = Recorder(Path(place), 0)
        recorder.run(REFUSED_KEYS, SHORT_LOG, fail=call)
        since = [event for event in recorder.events if isinstance(event, SyncFailed)]
        if not since:
            return 0, []
        trial = Trial(recorder, Path(states) / "cut")
        wrong = [f"{call}: {line}" for line in trial.wrong_since(since[0])]
        return trial.states, wrong


def test_failing_syncs_lose_no_kept_row(
    recorder: Recorder, cut: Path, tmp_path: Path, tell: list[str]
) -> None:
    """Each sync of a story fails, and in other stories every sync from some point on. Its data may
    never reach the disk: such a row is reported as not saved, and reported again if it is found
    later. Syncs of the names in a folder, whose failure SQLite ignores, fail as well."""
    recorder.run(REFUSED_KEYS, SHORT_LOG)
    each = [f"{call} {n}" for call, many in recorder.syncs.items() for n in range(1, many + 1)]
    for_good = [f"{call}+" for call in each[::FOR_GOOD]]
    with ProcessPoolExecutor(2 * (os.cpu_count() or 1), get_context("fork")) as processors:
        trials = {
            call: processors.submit(refused, tmp_path, cut, call) for call in (*each, *for_good)
        }
        results = {call: trial.result() for call, trial in trials.items()}
    states = sum(many for many, _ in results.values())
    tell.append(f"syncs refused: {len(results)} stories, {states} states")
    assert [line for _, wrong in results.values() for line in wrong] == []
    # Each thread counts its calls for itself, and some are of folders above ours. Half of all are
    # of the record, the others of its text copy.
    hit = [call for call in each if results[call][0]]
    of_rows = [call for call in each if call.startswith("fdatasync")]
    assert set(of_rows[: len(of_rows) // 2]) <= set(hit)
    assert sum(call.startswith("fsync") for call in hit) >= FSYNCS
    Trial.tried += states


def test_a_reader_after_a_power_cut_sees_the_rows_that_the_next_start_has(
    recorder: Recorder, cut: Path, tell: list[str]
) -> None:
    """Somebody reads before any start, as with `games` on a card that was put into another
    computer. Every row that was kept is there. If rows are missing that only the start can bring
    back, or not even the start, the reader says so."""
    recorder.run(KEYS[:66], SHORT_LOG)
    rows, less = Trial(recorder, cut).rows, 0
    every = each_cut(recorder, Random(SEED))
    for place, (kept, files) in enumerate(every):
        folder = cut / str(place % 8)
        shutil.rmtree(folder, ignore_errors=True)
        lay(files, folder)
        path = folder / recorder.record.relative_to(recorder.folder)
        if not path.exists():
            assert kept == 0
            continue
        try:
            with Reader.open(path, GAMES) as reader:
                seen = [item.columns for item in reader.walk() if isinstance(item, ChainLink)]
                told = reader.warnings
        except (StoreError, EntryError) as error:
            assert kept == 0, str(error)
            continue
        assert {row for row in rows if number(row) <= kept} <= set(seen), (place, told)
        assert seen == rows[: len(seen)]
        has = entries(started(files, cut / "start").rows)
        less += len(seen) < len(has)
        assert len(seen) >= len(has) or told, (place, len(seen), len(has))
    tell.append(f"read before the start: {len(every)} states, {less} with less, which is told")
