"""Figures of the whole process: how soon it shows something, what it needs, and that it sleeps.

Its modules are compiled before they are measured, as they are where a package is installed.

`python -m tests.bench_process RECORD` is the table on a fake GPIO chip and a fake panel, as on a
board: what the box needs without the page. It tells when a picture is on the panel. With `asleep`
behind, the display goes dark at once.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.wakeups import apart, wakeups

ROOT = Path(__file__).parent.parent
RUNS = 7
IDLE_S = 10
FIRST = "first picture"


class Process:
    """The table as a process of its own; `compiled` is where its modules lie compiled, or will."""

    def __init__(self, record: Path, compiled: Path, *words: str) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.bench_process", str(record), *words],
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
        self.pid = self._process.pid

    @property
    def resident_kb(self) -> int:
        """Its memory."""
        status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))

    def wakeups(self) -> tuple[float, float]:
        """A second, once it has come to rest: ours, and the pin factory's."""
        time.sleep(2)
        return apart(wakeups(self.pid, IDLE_S))

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate()


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
        ours, pins = process.wakeups()
        resident = process.resident_kb / 1024
        process.end()
        process = Process(record, compiled, "asleep")
        asleep, _ = process.wakeups()
        process.end()
    best, worst = min(starts) * 1e3, max(starts) * 1e3
    return [
        ("process start to first picture (best / worst)", f"{best:.0f} / {worst:.0f} ms", "400 ms"),
        ("resident memory without the page", f"{resident:.1f} MB", "45 MB"),
        (f"wake-ups when idle, ours, over {IDLE_S} s", f"{ours:.1f} /s", "2 /s"),
        ("wake-ups when idle, the pin factory's", f"{pins:.1f} /s", "0 /s"),
        (f"wake-ups when asleep, ours, over {IDLE_S} s", f"{asleep:.1f} /s", "1 /s"),
    ]


def main(record: str, asleep: str = "") -> int:
    """Runs the table on fakes; says when the panel has the first picture."""
    from companion import run
    from companion.config import Config
    from companion.devices.board import load_board
    from companion.devices.care import Care, Picture, Rest
    from companion.devices.fake_gpio import FakeGpio
    from companion.devices.glass import Glass
    from companion.devices.panel import LumaPanel
    from companion.devices.pins import open_pins
    from companion.games.catalog import GAMES

    class Watched(LumaPanel):
        """Tells of every picture."""

        def show(self, picture: Picture) -> None:
            super().show(picture)
            print(FIRST, flush=True)

    glass = Glass()
    panel = Watched("ssd1306", glass.open)
    keys = load_board("keys-16").keys

    rest = Rest(dim_s=0.5, sleep_s=1.0) if asleep else Rest()
    factory = open_pins("kernel", FakeGpio(time.monotonic))

    def fakes(config: Config, where: str) -> run.Hardware:
        return run.Hardware(keys, factory, panel, lambda: None, lambda now: Care(now, rest))

    run._board = fakes
    return run.run(run.Asked(hardware="board", record=Path(record)), GAMES, Path(record))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
