"""The lock by which only one run writes a record, on a file beside it that stays there between
runs; and how programs that only read a record open it.
"""

import errno
import fcntl
import os
import shutil
import stat
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from companion.core.regular_file import open_descriptor, open_file, read_text
from companion.record.store.faults import LockedError, StoreError

MODE = 0o640
"""The service writes, its group reads."""

WAIT_S = 5.0
"""How long to wait while others read a stopped record."""

OPENING = "opening"
"""Stands behind the process number in the lock file until the record is whole."""
NAMED = 40
"""Bytes at the beginning of the lock file in which both stand."""


def lock_of(path: Path) -> Path:
    """The file beside a record on which its lock is held."""
    return Path(f"{path}.lock")


def take_lock(path: Path) -> BinaryIO:
    """Opens the file beside the record, which stays locked until it is closed, and notes in it this
    process and that the record is being opened. Raises OSError, or LockedError if another run has
    the lock or others read the record for longer than WAIT_S."""
    descriptor = open_descriptor(lock_of(path), os.O_RDWR | os.O_CREAT, MODE)
    lock = os.fdopen(descriptor, "r+b", buffering=0)
    with suppress(PermissionError):  # somebody else's file: its owner has set the mode
        os.fchmod(descriptor, MODE)
    until = time.monotonic() + WAIT_S
    while not (_locked(lock, fcntl.LOCK_EX) and has_lock(path, lock)):
        if not has_lock(path, lock):  # somebody has just removed it
            lock.close()
            return take_lock(path)
        if holder := _holder(lock):
            lock.close()
            raise LockedError(
                "the record is in use by another companion run (pid {pid})", pid=holder
            )
        if time.monotonic() > until:
            lock.close()
            raise LockedError("the record is being read by another program: try again after it")
        time.sleep(0.05)
    with suppress(OSError):  # on a full disk the lock holds without a name in it
        lock.truncate(0)
        lock.write(f"{os.getpid()} {OPENING}\n".encode())
    return lock


def tell_open(lock: BinaryIO) -> None:
    """Notes in the lock that the record is whole: readers need not look for rows beside it."""
    with suppress(OSError):  # then readers look for such rows in vain
        lock.seek(0)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n".encode())


def is_opening(path: Path) -> bool:
    """Whether the record's writer, if there is one, may still have rows to put back into it."""
    try:
        return OPENING in read_text(lock_of(path), errors="replace")[:NAMED].split()
    except OSError:
        return False


def has_lock(path: Path, lock: BinaryIO) -> bool:
    """Whether the lock that we hold is the one that another run would ask for: somebody may have
    removed its file, and that run made it anew."""
    return identity(lock_of(path)) == identity(lock.fileno())


def identity(file: Path | int) -> tuple[int, int] | None:
    """The device and inode of a file, which no other file has as long as it is open; None if there
    is no such file."""
    try:
        found = file.stat() if isinstance(file, Path) else os.fstat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def share_lock(lock: BinaryIO) -> bool:
    """Takes the lock together with others who only read; returns False if a writer has it."""
    return _locked(lock, fcntl.LOCK_SH)


def writer_of(path: Path) -> str | None:
    """The process that has the record open for writing, by its pid; None if there is none, or if
    this process may not read the lock."""
    try:
        with open_file(lock_of(path)) as lock:
            return _holder(lock)
    except OSError:
        return None


def _locked(lock: BinaryIO, how: int) -> bool:
    """Takes the lock, shared or not as `how` says, if it can be had at once; returns whether it
    was."""
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(lock: BinaryIO) -> str | None:
    """The writer that has the lock; None if only readers share it."""
    if not share_lock(lock):
        lock.seek(0)
        return (lock.read(NAMED).decode(errors="replace").split() or ["unknown"])[0]
    fcntl.flock(lock, fcntl.LOCK_UN)
    return None


# ---------------------------------------------------------------- reading


def refuse_no_file(path: Path) -> None:
    """Raises StoreError if `path` is something other than a file: reading a pipe or a device could
    last for ever."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise StoreError("{path} can't be a record: it is not a file; name another", path=path)


def read_address(path: Path) -> tuple[str, ExitStack]:
    """The address by which to open a record without writing, and what has to be held meanwhile.

    A writer leaves both files of SQLite's log beside the record, while it runs and after it
    stopped. A reader needs both, and may not be allowed to make them. A power cut can have lost the
    second one: then a copy is read. Without a log the file is complete in itself, and must not
    change meanwhile. Raises OSError or StoreError.
    """
    refuse_no_file(path)
    path.stat()
    # Not by opening it: to close a file takes away the locks that SQLite has on it in this process.
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    log, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    for _ in range(100):
        if log.exists() and shared.exists():
            return f"file:{quote(str(path))}?mode=ro", ExitStack()
        with ExitStack() as hold:
            if not _without_writer(path, hold):
                time.sleep(0.02)  # a writer is about to make its log
                continue
            if not log.exists():
                return f"file:{quote(str(path))}?mode=ro&immutable=1", hold.pop_all()
            return _copied(path, hold), hold.pop_all()
    raise StoreError("{path} can't be read: another program holds the file", path=path)


def copy_address(path: Path) -> tuple[str, ExitStack] | None:
    """The address of a copy of the record that may be changed, and what holds the copy; None while
    somebody writes the record. Raises OSError."""
    with ExitStack() as hold:
        return (_copied(path, hold), hold.pop_all()) if _without_writer(path, hold) else None


def _without_writer(path: Path, hold: ExitStack) -> bool:
    """Whether nobody writes the record, nor can until `hold` is closed."""
    lock = lock_of(path)
    return not lock.exists() or share_lock(hold.enter_context(open_file(lock)))


def _copied(path: Path, hold: ExitStack) -> str:
    folder = Path(hold.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
    copy = folder / path.name
    shutil.copyfile(path, copy)
    shutil.copyfile(f"{path}-wal", f"{copy}-wal")
    return f"file:{quote(str(copy))}?mode=rw"
