"""How a record is opened by who only reads it."""

import errno
import os
import shutil
import stat
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import quote

from companion.record.store.faults import StoreError
from companion.record.store.lock import lock_of, share_lock


def refuse_no_file(path: Path) -> None:
    """Raises StoreError where there is something else than a file: reading a pipe or a device could
    last for ever."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise StoreError("{path} can't be a record: it is not a file; name another", path=path)


def way_in(path: Path) -> tuple[str, ExitStack]:
    """The address to open a record by without writing, and what to hold on to meanwhile.

    A writer that runs, and one that has stopped, leaves both files of SQLite's log, which a reader
    needs beside the record and may not be allowed to make. A power cut can have lost the second
    one: then a copy is read. Without a log the file is complete in itself, and must not change.
    Raises OSError or StoreError.
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


def way_in_alone(path: Path) -> tuple[str, ExitStack] | None:
    """The address of a copy that may be changed; None while somebody writes the record. Raises
    OSError."""
    with ExitStack() as hold:
        return (_copied(path, hold), hold.pop_all()) if _without_writer(path, hold) else None


def _without_writer(path: Path, hold: ExitStack) -> bool:
    """Whether nobody writes the record, nor will as long as it is held."""
    lock = lock_of(path)
    return not lock.exists() or share_lock(hold.enter_context(lock.open("rb")))


def _copied(path: Path, hold: ExitStack) -> str:
    folder = Path(hold.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
    copy = folder / path.name
    shutil.copyfile(path, copy)
    shutil.copyfile(f"{path}-wal", f"{copy}-wal")
    return f"file:{quote(str(copy))}?mode=rw"
