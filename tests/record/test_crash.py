"""kill -9 at every write of a game, and at random moments: after a restart, all rows are there."""

import os
import random
import signal
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from companion.record.repair.verify import verify
from tests.record.play import OPENED, SCRIPT, folded, opened_store, same
from tests.starting import python

ROOT = Path(__file__).parents[2]
PLAY = """
import sys
from pathlib import Path
from companion.record.store.store import Store
from tests.sample_games import RACE_RULES
from tests.record.play import OPENED, SCRIPT
store = Store.open(Path(sys.argv[1]), RACE_RULES)
found = store.last_game()
done = found and sum(1 for _ in store.rows(found[0])) or 0
for row in (OPENED, *SCRIPT)[done:]:
    store.keep(1, row)
    print("kept", flush=True)
    sys.stdin.readline()
"""


def start(path: Path) -> AbstractContextManager["subprocess.Popen[str]"]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return python(path, code=PLAY, env=environment, stdin=subprocess.PIPE, stderr=None)


def killed_after(path: Path, rows: int) -> None:
    """Plays until this many more rows are reported as kept, then kills the program."""
    with start(path) as run:
        assert run.stdin and run.stdout
        for row in range(rows):
            assert run.stdout.readline() == "kept\n"
            if row + 1 < rows:
                run.stdin.write("\n")
                run.stdin.flush()
        run.kill()
        run.wait()
    assert run.returncode == -signal.SIGKILL


def test_kept_rows_survive_a_kill_after_every_row(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    for rows in range(1, len(SCRIPT) + 2):
        killed_after(path, 1)
        with opened_store(path) as store:
            assert store.messages == ()
            assert [kept.row for kept in store.rows(1)] == [OPENED, *SCRIPT][:rows]
            assert same(store.game(1), folded(SCRIPT[: rows - 1]))
            assert verify(store) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(6))
def test_kept_rows_survive_a_kill_at_any_instant(tmp_path: Path, seed: int) -> None:
    path, chance, said = tmp_path / "record.db", random.Random(seed), 0
    while said <= len(SCRIPT):
        with start(path) as run:
            assert run.stdin and run.stdout
            rows = chance.randrange(4)
            for _ in range(rows):
                run.stdin.write("\n")
            run.stdin.flush()
            # The start of a line is read, then the process goes on for an unknown while.
            while rows and run.stdout.readline():
                rows, said = rows - 1, said + 1
            run.kill()
            said += len(run.stdout.readlines())
        with opened_store(path) as store:
            found = [kept.row for kept in store.rows(1)]
            assert len(found) in (said, said + 1)
            assert found == [OPENED, *SCRIPT][: len(found)]
            said = len(found)
            if found:
                assert same(store.game(1), folded(SCRIPT[: said - 1]))
            assert verify(store) == []


def test_kept_rows_survive_a_power_cut_that_loses_unsynced_data(tmp_path: Path) -> None:
    """The log is cut off anywhere: every row whose commit was synced is there, and no partial row.
    An unsynced row may be there, and is then reported."""
    path, rows = tmp_path / "record.db", [OPENED, *SCRIPT]
    log, sizes = Path(f"{path}-wal"), []
    with opened_store(path) as store:
        for row in rows:
            store.keep(1, row)
            sizes.append(log.stat().st_size)
        record, written = path.read_bytes(), log.read_bytes()
    chance = random.Random(1)
    cuts = [*sizes, *(size - 1 for size in sizes), *chance.sample(range(len(written)), 20)]
    for number, cut in enumerate(cuts):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "record.db").write_bytes(record)
        (folder / "record.db-wal").write_bytes(written[:cut])
        with opened_store(folder / "record.db") as store:
            kept = sum(size <= cut for size in sizes)
            found = [one.row for one in store.rows(1)]
            assert found in (rows[:kept], rows[: kept + 1])
            again = ("The last entry was found again in the copy",)
            assert store.messages == (again if len(found) > kept else ())
            assert verify(store) == []
