"""The changes that a process made to the files of one folder, in order, as seen by strace. The log
has only what matters at a power cut: bytes written, sizes set, names made, changed and removed, and
which of these were synced. Threads, and processes that follow one another, share one log.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from signal import SIGKILL

from tests.rigs.cut_disk import (
    FOLDER,
    Disk,
    Event,
    FileResized,
    FileSynced,
    FileWritten,
    FolderSynced,
    NamesChanged,
    RowRefused,
    RowsReported,
    SyncFailed,
)
from tests.rigs.cut_process import KEPT, PERHAPS, REFUSED

ROOT = Path(__file__).parents[2]
TIME_S = 120.0

CALLS = (
    *("open", "openat", "creat", "close", "write", "pwrite64", "writev", "pwritev", "pwritev2"),
    *("truncate", "ftruncate", "fallocate", "rename", "renameat", "renameat2", "unlink"),
    *("unlinkat", "mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink", "symlinkat"),
    *("dup", "dup2", "dup3", "fsync", "fdatasync", "sync_file_range", "copy_file_range"),
)
"""All calls that can change a file or a name. `_Listener` fails at one that it doesn't know, so
that nothing is overlooked. SQLite maps only the index of its log, which is made anew at each
start."""

SYNCS = ("fsync", "fdatasync")

PASSING = (".lock", "-shm")
"""Ends of the names of files whose content means nothing to the next start: who has the lock, and
the index of the log."""


class Recorder:
    """Runs the table under strace in `folder`, once for each `run`, and keeps the log of all
    runs."""

    def __init__(self, folder: Path, rows: int) -> None:
        """`rows`: how many rows are in the record that lies in `folder`."""
        self.folder, self.rows_before = folder, rows
        self.record = folder / "var" / "companion" / "record.db"
        self.before = Disk.of(folder)
        self.events: list[Event] = []
        self.syncs: Counter[str] = Counter()
        """How often each call synced something to the disk."""
        self._names = dict(self.before.names)
        self._new = count(len(self.before.files))

    @property
    def rows(self) -> int:
        """The number of the last row that the program reported as kept."""
        said = (event.rows for event in reversed(self.events) if isinstance(event, RowsReported))
        return next(said, self.rows_before)

    def run(self, keys: Sequence[str], pages: int = 1000, kill: str = "", fail: str = "") -> None:
        """Presses these keys and stops the table. `kill`: kills it just before it makes this call
        for the nth time, as in “fdatasync 12”; `fail`: makes that call fail, with “fdatasync 12+”
        from that time on."""
        log = self.folder.with_suffix(".strace")
        command = ["strace", "-f", "-xx", "-s", "1000000", "-o", str(log)]
        command += ["-e", f"trace={','.join(f'?{call}' for call in CALLS)}"]
        if kill:
            call, when = kill.split()
            command += ["-e", f"inject={call}:signal=SIGKILL:error=EIO:when={when}"]
        elif fail:
            call, when = fail.split()
            command += ["-e", f"inject={call}:error=EIO:when={when}"]
        else:
            command += ["--seccomp-bpf"]  # quicker; with it, strace 6.1 would not kill
        command += [sys.executable, "-W", "ignore", "-m", "tests.rigs.cut_process"]
        done = subprocess.run(
            [*command, str(self.record), str(pages)],
            input="".join(f"{key}\n" for key in keys),
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=TIME_S,
            check=False,
        )
        assert done.returncode == (-SIGKILL if kill else 0), done.stderr
        listener = _Listener(self.folder, self._names, self._new)
        for name, words, result in _calls(log.read_text()):
            self.syncs.update([name] if name in SYNCS else [])
            self.events += listener.hear(name, words, result)


_LINE = re.compile(r"(\d+) +(.*)")
_CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_RESUMED = re.compile(r"<\.\.\. \w+ resumed>")


def _calls(log: str) -> Iterator[tuple[str, list[str], int]]:
    """(call, its arguments, its result) for each call that succeeded and each sync that was made to
    fail, in the order in which they ended. Text is in hexadecimal, so that no comma is inside."""
    begun: dict[str, str] = {}
    for line in log.splitlines():
        match = _LINE.match(line)
        assert match, f"strace wrote what can't be read: {line[:200]}"
        thread, call = match.groups()
        if call.endswith("<unfinished ...>"):
            begun[thread] = call.removesuffix("<unfinished ...>")
            continue
        call = _RESUMED.sub(lambda _: begun.pop(thread), call, count=1)  # noqa: B023
        found = _CALL.match(call)
        if found and (int(found[3]) >= 0 or (found[1] in SYNCS and "(INJECTED)" in call)):
            yield found[1], [word.strip() for word in found[2].split(",")], int(found[3])


def _bytes(word: str) -> bytes:
    assert word.startswith('"') and word.endswith('"'), f"strace cut {word[:40]} short"
    return bytes.fromhex(word[1:-1].replace("\\x", ""))


def _told(line: str) -> Iterator[Event]:
    """The events about rows in a line of the process's output (cut_process.py)."""
    if line.startswith(KEPT):
        yield RowsReported(int(line.removeprefix(KEPT)))
    for words in (REFUSED, PERHAPS):
        if line.startswith(words):
            yield RowRefused(float(line.removeprefix(words)), words == PERHAPS)


class _Listener:
    """Turns the calls of one process into events; follows its file descriptors."""

    def __init__(self, folder: Path, names: dict[str, int], new: Iterator[int]) -> None:
        self._folder, self._names, self._new = folder, names, new
        self._open: dict[int, str | int] = {}
        """The number of the file, or the path of the folder, of each descriptor in our folder."""
        self._at: dict[int, int] = {}
        """Where a descriptor's next `write` goes: files are written from their start."""
        self._passing: set[int] = set()

    def hear(self, call: str, words: list[str], result: int) -> Iterator[Event]:
        """Yields the events of a system call."""
        match call:
            case "openat":
                yield from self._opened(words, result)
            case "close":
                self._open.pop(int(words[0]), None)
            case "rename" | "unlink" | "mkdir":
                if old := self._ours(words[0]):
                    yield self._renamed(call, old, self._ours(words[1]) if words[1:] else None)
            case "dup2" | "dup3":
                assert int(words[0]) not in self._open, f"{call} of a file of the record"
            case "write" if words[0] == "1":
                yield from _told(_bytes(words[1]).decode(errors="replace"))
            case _ if words[0].isdecimal() and int(words[0]) in self._open:
                yield from self._done(call, words, self._open[int(words[0])], result)
            case _:
                assert not any(map(self._ours, words)), f"{call} is not known here"

    def _ours(self, word: str) -> str | None:
        """The path below our folder that an argument names; None if it names none."""
        path = Path(os.fsdecode(_bytes(word)) if word.startswith('"') else "")
        return str(path.relative_to(self._folder)) if path.is_relative_to(self._folder) else None

    def _opened(self, words: list[str], descriptor: int) -> Iterator[Event]:
        path, flags = self._ours(words[1]), words[2].split("|")
        self._open.pop(descriptor, None)
        if path is None:
            return
        if self._names.get(path, FOLDER) == FOLDER and "O_CREAT" not in flags:
            self._open[descriptor] = path
            return
        if path not in self._names:
            yield self._named({path: next(self._new)})
        file = self._open[descriptor] = self._names[path]
        self._at[descriptor] = 0
        if path.endswith(PASSING):
            self._passing.add(file)
        if "O_TRUNC" in flags:
            yield FileResized(file, 0)

    def _renamed(self, call: str, old: str, new: str | None) -> Event:
        if call == "mkdir":
            return self._named({old: FOLDER})
        if call == "unlink":
            return self._named({old: None})
        assert new and Path(new).parent == Path(old).parent, "a rename to another folder"
        return self._named({new: self._names[old], old: None})

    def _named(self, names: dict[str, int | None]) -> Event:
        for path, file in names.items():
            self._names.pop(path, None)
            if file is not None:
                self._names[path] = file
        return NamesChanged(tuple(names.items()))

    def _done(self, call: str, words: list[str], target: str | int, result: int) -> Iterator[Event]:
        if isinstance(target, str):
            assert call in SYNCS, f"{call} of a folder"
            yield SyncFailed(target) if result < 0 else FolderSynced(target)
        elif call in SYNCS:
            yield SyncFailed(target) if result < 0 else FileSynced(target)
        elif target in self._passing:
            return
        elif call == "pwrite64":
            yield FileWritten(target, int(words[3]), _bytes(words[1])[:result])
        elif call == "write":
            yield FileWritten(target, self._at[int(words[0])], _bytes(words[1])[:result])
            self._at[int(words[0])] += result
        else:
            assert call == "ftruncate", f"{call} is not known here"
            yield FileResized(target, int(words[1]))
