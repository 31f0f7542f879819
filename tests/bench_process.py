"""Measures the whole process: the time until its first picture, its memory, and how often it wakes
up.

Its modules are compiled before they are measured, and found without a virtual environment's own
start files, as they are where the package is installed. The measured program is
tests/fake_board.py."""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.core.languages import OWN_NAMES
from companion.presentation.language import ENGLISH
from tests.catalogues import renew_catalogues, translated
from tests.console import rig as rigs
from tests.console.test_wire import EVENING
from tests.console.typist import type_game
from tests.fake_board import FIRST
from tests.wakeups import apart, wakeups

ROOT = Path(__file__).parent.parent
RUNS = 7
IDLE_S = 10


class Process:
    """The table as a process of its own; `compiled`: the folder for its compiled modules."""

    def __init__(self, record: Path, compiled: Path, *words: str) -> None:
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-W", "ignore", "-m", "tests.fake_board", str(record), *words],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONDONTWRITEBYTECODE": "",
                "PYTHONPYCACHEPREFIX": str(compiled),
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if "packages" in path),
            },
            text=True,
        )
        assert self._process.stdout
        while FIRST not in (line := self._process.stdout.readline()):
            assert line, "it ended before it showed anything"
        self.first_picture_s = time.perf_counter() - self.started
        self.first_picture_cpu_s = float(line.split()[-1])
        self.pid = self._process.pid

    @property
    def resident_kb(self) -> int:
        """The process's memory in kB."""
        status = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))

    def wakeups(self) -> tuple[float, float]:
        """Wake-ups per second once the process rests: of our threads, and of the pin factory's."""
        time.sleep(2)
        return apart(wakeups(self.pid, IDLE_S))

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate()


def bench_process() -> list[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, compared with)."""
    with TemporaryDirectory() as folder:
        record, compiled = Path(folder) / "record.db", Path(folder) / "compiled"
        Process(record, compiled).end()
        starts, cpu = [], []
        for _ in range(RUNS):
            process = Process(record, compiled)
            starts.append(process.first_picture_s)
            cpu.append(process.first_picture_cpu_s)
            process.end()
        process = Process(record, compiled)
        ours, pins = process.wakeups()
        resident = process.resident_kb / 1024
        process.end()
        process = Process(record, compiled, "asleep")
        asleep, _ = process.wakeups()
        process.end()
    best, worst = min(starts) * 1e3, max(starts) * 1e3
    least, most = min(cpu) * 1e3, max(cpu) * 1e3
    return [
        ("process start to first picture (best / worst)", f"{best:.0f} / {worst:.0f} ms", "400 ms"),
        ("the same, time of the processor", f"{least:.0f} / {most:.0f} ms", "250 ms"),
        ("resident memory without the page", f"{resident:.1f} MB", "45 MB"),
        (f"wake-ups when idle, ours, over {IDLE_S} s", f"{ours:.1f} /s", "2 /s"),
        ("wake-ups when idle, the pin factory's", f"{pins:.1f} /s", "0 /s"),
        (f"wake-ups when asleep, ours, over {IDLE_S} s", f"{asleep:.1f} /s", "1 /s"),
    ]


# ---------------------------------------------------------------- in each language


RUNS_IN_A_LANGUAGE = 15
LATER_MS = 10
MORE = 1.1


def bytes_a_press(name: str) -> float:
    """Mean bytes on the wire per key press, in an evening at a display in the language `name`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rigs, "LANGUAGE", ENGLISH if name == ENGLISH.name else translated(name))
        return statistics.mean(cost for game in EVENING for cost in type_game(*game)[0].costs)


def starts(*names: str) -> list[list[Process]]:
    """Processes that showed a first picture and ended, for each run one in each of these languages.
    As they take turns, anything that slows the machine for a while slows all languages."""
    renew_catalogues()
    with TemporaryDirectory() as folder:
        record, compiled = Path(folder) / "record.db", Path(folder) / "compiled"
        found = list[list[Process]]()
        for _ in range(RUNS_IN_A_LANGUAGE + 1):  # the first one compiles
            found.append([])
            for name in names:
                found[-1].append(process := Process(record, compiled, "", name))
                process.end()
    return [*map(list, zip(*found[1:], strict=True))]


def bench_languages() -> list[tuple[str, str, str]]:
    """Returns lines of the table: (what, measured, compared with)."""
    each = starts("en", "es")
    wall = [statistics.median(one.first_picture_s for one in some) for some in each]
    cpu = [statistics.median(one.first_picture_cpu_s for one in some) for some in each]
    told = [
        (what, f"{(there - here) * 1e3:+.1f} ms", f"+{LATER_MS} ms (English: {here * 1e3:.0f} ms)")
        for what, (here, there) in (
            (f"a start in Spanish against English, {RUNS_IN_A_LANGUAGE} of each", wall),
            ("the same, time of the processor", cpu),
        )
    ]
    sizes = {name: bytes_a_press(name) for name in OWN_NAMES}
    plain = sizes.pop(ENGLISH.name)
    return told + [
        (
            f"wire bytes a key press in {OWN_NAMES[name]}, on the average",
            f"{size:.1f}, {size / plain:.1%}",
            f"{MORE:.0%} of English: {plain:.1f}",
        )
        for name, size in sizes.items()
    ]
