"""The cost of the players' history in a record with the games of 3,000 evenings, and of the list of
games in a record of 97,000 rows."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from companion.core.seats import Seats
from companion.record.rows import GameOpened, Step, encode_row
from companion.record.store.database import INSERT, START, ChainLink, connect
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.random_games import Evening

GAMES_STORED, ENTRIES = 3000, 190
LISTED, LISTED_ROWS = 560, 97_000
KINDS = 40
"""How many different games are stored again and again."""
NAMES = ("Ada", "Bo", "Cy", "Di")
COMMAND = """
import resource, sys, time
began, cpu = time.perf_counter(), time.process_time()
from companion.commands.cli import main
status = main(sys.argv[1:])
print(time.perf_counter() - began, time.process_time() - cpu, file=sys.stderr)
own = int(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
print(max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss), file=sys.stderr)
sys.exit(status)
"""
"""A program that runs a command and tells its seconds by the clock and of the processor, without
Python's own start, and the memory of its largest process, itself or a worker, in kB. The system's
own figure for a child process includes memory of the process that started it."""


def bench_players() -> list[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, goal)."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.db"
        fill(path)
        first, most = timed(path)
        later = min(timed(path)[0] for _ in range(3))
        connect(f"file:{path}").execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.touch()
        written = timed(path)[0]
    games = f"{GAMES_STORED:,} games of {ENTRIES} entries"
    return [
        (f"players: first answer, {games}", f"{first:.1f} s", "60 s"),
        ("players: later answers", f"{later * 1e3:.0f} ms", "300 ms"),
        ("players: the same once the record's file was written", f"{written * 1e3:.0f} ms", ""),
        ("players: memory of the largest process", f"{most:.0f} MB", "120 MB"),
        *bench_list(),
    ]


def bench_list() -> list[tuple[str, str, str]]:
    """Lines of the table about `companion games`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.db"
        fill(path, LISTED)
        first = run(path, "games")
        later = [run(path, "games") for _ in range(5)]
    assert len(json.loads(first.stdout)) == LISTED
    told = [[float(word) for word in one.stderr.split()[-3:-1]] for one in (first, *later)]
    clock, cpu = (min(one[at] for one in told[1:]) * 1e3 for at in (0, 1))
    return [
        (f"games: first list, {LISTED_ROWS:,} rows", f"{told[0][0]:.1f} s", ""),
        ("games: later lists, clock / CPU", f"{clock:.0f} / {cpu:.0f} ms", "500 ms"),
    ]


def timed(path: Path) -> tuple[float, float]:
    """Runs `companion players`; returns its seconds, and the MB of its largest process."""
    began = time.perf_counter()
    ran = run(path, "players")
    took = time.perf_counter() - began
    assert len(json.loads(ran.stdout)) == len(NAMES)
    return took, int(ran.stderr.split()[-1]) / 1024


def run(path: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command that prints JSON. The program's modules are compiled before, as they are where
    it is installed."""
    words = [sys.executable, "-c", COMMAND, command, "--json", "--record", str(path)]
    compiled = {"PYTHONPYCACHEPREFIX": str(path.parent / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    environment = os.environ | compiled
    return subprocess.run(words, capture_output=True, text=True, env=environment, check=True)


def fill(path: Path, games: int = GAMES_STORED) -> None:
    """Writes that many games with a row for each entry, in one transaction."""
    Store.open(path, GAMES).close()
    kinds = [texts(seed) for seed in range(KINDS)]
    db, before, seq, now = connect(f"file:{path}"), START, 0, 1.7e9
    db.execute("BEGIN")
    for game in range(games):
        now += 86400 if game % 4 == 0 else 600
        for text in kinds[game % KINDS]:
            seq, now = seq + 1, now + 5
            link = ChainLink.make(before, (seq, game + 1, text, now, None))
            db.execute(INSERT, link.columns)
            before = link.hash
    db.execute("COMMIT")
    db.close()


def texts(seed: int) -> list[str]:
    """The rows of an unfinished game of about ENTRIES entries."""
    seats = Seats.of(*NAMES[: 2 + seed % 3])
    name, given = ("high-five", {}) if seed % 2 else ("five-up", {"target": "500"})
    played = Evening(Random(seed), name, seats, given)
    while len(played.played) < ENTRIES and not played.state.finished:
        played.play_hand()
    entries = [entry for entry, _ in played.played[:ENTRIES]]
    if played.state.winners:  # corrected, so that it goes on
        entries = entries[: len(entries) - 1]
    opened = GameOpened(name, seats, dict(given))
    return [encode_row(opened), *(encode_row(Step((entry,))) for entry in entries)]
