"""Figures of the whole process: how soon it shows something, what it needs, and that it sleeps.

Its modules are compiled before they are measured, as they are where a package is installed.

`python -m tests.bench_process RECORD` is the table on mock pins and a fake panel, as on a board:
what the box needs without the page. It tells when a picture is on the panel.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
RUNS = 7
IDLE_S = 10
FIRST = "first picture"


class Process:
    """The table as a process of its own; `compiled` is where its modules lie compiled, or will."""

    def __init__(self, record: Path, compiled: Path) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.bench_process", str(record)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONDONTWRITEBYTECODE": "",
                "PYTHONPYCACHEPREFIX": str(compiled),
            },
            text=True,
        )
        assert self._process.stdout
        while FIRST not in (line := self._process.stdout.readline()):
            assert line, "it ended before it showed anything"
        self.first_picture_s = time.perf_counter() - self.started
        self._proc = Path(f"/proc/{self._process.pid}")

    @property
    def resident_kb(self) -> int:
        return next(_numbers(self._proc / "status", "VmRSS"))

    @property
    def wakeups(self) -> int:
        """How often its threads went to sleep, all together."""
        statuses = self._proc.glob("task/*/status")
        return sum(n for status in statuses for n in _numbers(status, "voluntary_ctxt_switches"))

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate()


def _numbers(status: Path, name: str) -> Iterator[int]:
    for line in status.read_text().splitlines():
        if line.startswith(f"{name}:"):
            yield int(line.split()[1])


def bench_process() -> list[tuple[str, str, str]]:
    """(what, measured, compared with)"""
    with TemporaryDirectory() as folder:
        record, compiled = Path(folder) / "record.db", Path(folder) / "compiled"
        Process(record, compiled).end()
        starts = []
        for _ in range(RUNS):
            process = Process(record, compiled)
            starts.append(process.first_picture_s)
            process.end()
        process = Process(record, compiled)
        time.sleep(2)
        before = process.wakeups
        time.sleep(IDLE_S)
        per_second = (process.wakeups - before) / IDLE_S
        resident = process.resident_kb / 1024
        process.end()
    best, worst = min(starts) * 1e3, max(starts) * 1e3
    return [
        ("process start to first picture (best / worst)", f"{best:.0f} / {worst:.0f} ms", "400 ms"),
        ("resident memory without the page", f"{resident:.1f} MB", "45 MB"),
        (f"wake-ups when idle, all threads, over {IDLE_S} s", f"{per_second:.1f} /s", "1 /s"),
    ]


def main(record: str) -> int:
    """Runs the table on fakes; says when the panel has the first picture."""
    from gpiozero.pins.mock import MockFactory

    from companion import run
    from companion.config import Config
    from companion.devices.board import load_board
    from companion.devices.care import Care, Picture, Rest
    from companion.devices.glass import Glass
    from companion.devices.panel import LumaPanel
    from companion.games.catalog import GAMES

    class Watched(LumaPanel):
        """Tells of every picture."""

        def show(self, picture: Picture) -> None:
            super().show(picture)
            print(FIRST, flush=True)

    glass = Glass()
    panel = Watched("ssd1306", glass.open)
    keys = load_board("keys-16").keys

    def fakes(config: Config, where: str) -> run.Hardware:
        return run.Hardware(keys, MockFactory(), panel, lambda: None, lambda now: Care(now, Rest()))

    run._board = fakes
    return run.run(run.Asked(hardware="board", record=Path(record)), GAMES, Path(record))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
