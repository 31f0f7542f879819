"""Runs the commands that read a record on damaged records, with limits on memory and time.

Each case runs in a separate process with MORE_MEMORY of additional memory, which is ended after
CPU_S seconds of processor time.
"""

import io
import os
import resource
import shlex
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from random import Random

from companion.app.catalog import CATALOG
from companion.commands import games, players
from companion.commands.cli import main
from companion.record.rows import PlayerHidden, PlayerRenamed
from companion.record.store.store import Store
from companion.table.session import BOX
from tests.catalog import GAMES
from tests.record.damage import PAGE, RecordFiles, spoil, write_evening

MORE_MEMORY = 200_000_000
"""Bytes that a command may use in addition to the test's own."""
CPU_S = 20
"""A command that runs for this many seconds counts as endless; normally it takes at most one."""
READING = (
    ("games",),
    ("show",),
    ("stats",),
    ("verify",),
    ("export",),
    ("games", "--json"),
    ("show", "2", "--json"),
    ("export", "--players", "csv"),
)
HALF = PAGE // 2

assert games and players, "no child has to read the modules"


def write_people(path: Path) -> None:
    """Writes games, then renamings and hidings of people: enough rows for a database tree of two
    levels."""
    write_evening(path, 8, entries=24)
    with closing(Store.open(path, GAMES, lambda: 1_800_000_000.5)) as store:
        for number in range(150):
            store.keep(BOX, PlayerRenamed(f"Ann{number % 7}", f"Anna{number % 5}"))
            store.keep(BOX, PlayerHidden(f"Bo{number % 9}", hidden=number % 2 == 0))


def by_pages(files: RecordFiles) -> Iterator[tuple[str, RecordFiles]]:
    """Each page of the file, overwritten wholly or half with ones, zeros or garbage; copied over
    another page and over the last one; exchanged with another one; and the file cut off there."""
    data, chance = files.file, Random(PAGE)
    for at in range(0, len(data), PAGE):
        page = f"page {at // PAGE + 1}"
        fills = {"ones": b"\xff" * PAGE, "zeros": bytes(PAGE), "garbage": chance.randbytes(PAGE)}
        for name, fill in fills.items():
            yield f"{page}: {name}", RecordFiles(spoil(data, at, fill), b"")
            yield f"{page}: {name} first", RecordFiles(spoil(data, at, fill[:HALF]), b"")
            yield f"{page}: {name} behind", RecordFiles(spoil(data, at + HALF, fill[:HALF]), b"")
        other = chance.randrange(0, len(data), PAGE)
        ours, theirs = data[at : at + PAGE], data[other : other + PAGE]
        for place in (other, len(data) - PAGE):
            yield (
                f"{page}: copied over {place // PAGE + 1}",
                RecordFiles(spoil(data, place, ours), b""),
            )
        both = spoil(spoil(data, at, theirs), other, ours)
        yield f"{page}: exchanged with {other // PAGE + 1}", RecordFiles(both, b"")
        yield f"{page}: cut", RecordFiles(data[:at], b"")
        yield f"{page}: cut inside", RecordFiles(data[: at + HALF], b"")


def few_bytes(files: RecordFiles) -> Iterator[tuple[str, RecordFiles]]:
    """Single bytes set to ones: in the header, and at the beginning and the end of the page that
    leads to all rows."""
    for at in (*range(16, 100), *range(PAGE, PAGE + 80), *range(2 * PAGE - 240, 2 * PAGE)):
        yield f"byte {at}", RecordFiles(spoil(files.file, at, b"\xff"), b"")


def told_within(
    cases: Iterable[tuple[str, RecordFiles]],
    folder: Path,
    commands: Sequence[Sequence[str]] = READING,
) -> list[str]:
    """Runs the commands on each case within these limits. Returns a line for each failure."""
    path, wrong = folder / "damaged" / "record.db", list[str]()
    for name, files in cases:
        files.write(path)
        wrong += [f"{name}: {line}" for line in _in_a_child(commands, path)]
    return wrong


def _in_a_child(commands: Sequence[Sequence[str]], path: Path) -> list[str]:
    """The failure in a child process with these limits, which reports through a pipe."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(out)
        with suppress(BaseException), os.fdopen(into, "w") as pipe:
            _bound()
            for command in commands:
                pipe.write(f"{shlex.join(command)}: has no end\n")
                pipe.flush()
                pipe.write(f"{_told(command, path)}\n")
                pipe.flush()
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as pipe:
        lines = pipe.read().splitlines()
    os.waitpid(child, 0)
    # The faults of each command that ended; none if all is well.
    ended = lines[1::2]
    return [line for line in ended if line] + ([lines[-1]] if len(lines) % 2 else [])


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = taken + MORE_MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)


def _told(command: Sequence[str], path: Path) -> str:
    """Why a command failed; empty if it didn't."""
    told, said = io.StringIO(), io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(told):
            main([*command, "--record", str(path)], CATALOG)
    except SystemExit:
        pass
    except BaseException as error:  # whatever it is, it is what the test looks for
        return f"{shlex.join(command)}: {type(error).__name__} {error}"
    lines = told.getvalue().splitlines()
    if len(lines) > 1 or "not enough memory" in told.getvalue():
        return f"{shlex.join(command)}: told {lines}"
    return ""
