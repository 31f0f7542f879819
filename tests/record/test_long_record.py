"""A record of many games is read by several processors in little memory, with its progress shown on
a terminal."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.record.fold import Fold
from companion.record.repair.verify import PARALLEL_FROM, Survey
from companion.record.store.reader import Reader
from tests.bench import filled_record
from tests.catalog import GAMES
from tests.record.tampering import write

ROOT = Path(__file__).parents[2]
MANY = PARALLEL_FROM // 2 + 500
"""The number of games, of two rows each: enough to be divided among processors."""
MOST_KB = 64_000
"""The most memory that one process may take, in kB; a running table has about 45,000."""


@pytest.fixture(scope="module")
def long_record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "record.db"
    filled_record(path, MANY)
    return path


def told(fold: Fold) -> tuple[int, list[str]]:
    return (fold.journal.length if fold.journal else -1), fold.doubts


def test_several_processes_report_the_same_faults_as_one(long_record: Path) -> None:
    data = long_record.read_bytes()
    place = data.rindex(b'"end bench') + 2
    write(long_record, place, bytes([data[place] ^ 1]))
    try:
        with Reader.open(long_record, GAMES) as reader:
            alone, shared = Survey(reader, told), Survey(reader, told)
            one, several = list(alone.games(1)), list(shared.games(3))
    finally:
        write(long_record, place, data[place : place + 1])
    assert one == several
    assert len(one) == MANY
    assert sum(len(lines) for _, lines in one) == 1
    assert alone.missing == shared.missing


READ = """
import sys
from companion.commands.cli import main
status = main(sys.argv[1:])
print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])
sys.exit(status)
"""


@pytest.mark.whole
@pytest.mark.parametrize("command", ["games", "verify"])
def test_progress_is_shown_on_a_terminal_and_memory_stays_small(
    long_record: Path, command: str
) -> None:
    ours, theirs = pty.openpty()
    words = [sys.executable, "-c", READ, command, "--record", str(long_record)]
    ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert re.fullmatch(r"(\r\d+% of the record)+\r\x1b\[K", shown), "it comes, and goes"
    *lines, most = ran.stdout.decode().splitlines()
    assert len(lines) == (MANY if command == "games" else 2), "what it found, what was not new"
    assert int(most) < MOST_KB
