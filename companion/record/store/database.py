"""The SQLite file of a record: its only table, whose rows form a chain of hashes; errors and
connections; and the lock that allows only one process to write the file.

Each row contains the hash of the row before it, and its own hash, which is computed from that hash
and the row's content. So each row can be verified, whatever happened to the file around it, and two
neighbours prove that nothing was changed, inserted or removed between them (chain.py).

Connections cope with a damaged file: unreadable text doesn't stop reading, a wrong length takes no
memory, and an endless query is stopped. The lock is on a file beside the record, which stays there
between runs."""

import errno
import fcntl
import hashlib
import json
import os
import sqlite3
import stat
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote, unquote, urlsplit

from companion.core.errors import EntryError, ReportedError
from companion.core.regular_file import check_regular, open_descriptor, open_file, read_text
from companion.core.values import dataclass
from companion.core.words import Sentence, mark

# ---------------------------------------------------------------- errors


class StoreError(ReportedError, OSError):
    """The record can't be read or written; nothing was changed."""


class LockedError(StoreError):
    """Another run of the companion has the record open, or readers keep it locked."""


class OvertakenError(StoreError):
    """The record has a row that this run didn't know about: another run wrote it, or this run did
    although saving it seemed to have failed. The new row was not kept."""


class DamagedError(StoreError):
    """The file's content is not what was written."""


class UnwritableError(StoreError):
    """The record can be read but not written: the disk is full, read-only or broken."""


class AlreadyKeptError(ValueError):
    """The record already has a row for this press or proposal, which counts only once."""


class NewerError(EntryError):
    """The row was written by a newer companion than this one."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: a newer companion wrote it; update this one")


DB_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""The errors raised for SQLite, including UnicodeDecodeError for a message with bytes of a damaged
file."""

DbError = sqlite3.Error | UnicodeDecodeError | MemoryError

_OF_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)

_REASONS = {
    sqlite3.SQLITE_FULL: mark("the disk is full"),
    sqlite3.SQLITE_READONLY: mark("the disk is read-only"),
    sqlite3.SQLITE_IOERR: mark("the disk has a fault"),
    sqlite3.SQLITE_CANTOPEN: mark("the file can't be opened"),
    sqlite3.SQLITE_PERM: mark("access is not permitted"),
    sqlite3.SQLITE_AUTH: mark("access is not permitted"),
    sqlite3.SQLITE_BUSY: mark("another program is using the file"),
    sqlite3.SQLITE_PROTOCOL: mark("another program is using the file"),
    sqlite3.SQLITE_LOCKED: mark("another program is using the file"),
    sqlite3.SQLITE_NOMEM: mark("there is not enough memory"),
}
"""The reasons for faults of the machine, by SQLite's primary error code. Any other code means a
damaged file."""


def is_damage(error: DbError) -> bool:
    """Whether the error means that the file's content is damaged."""
    return primary_code(error) not in _REASONS


def store_error(template: str, error: DbError | OSError, **parts: object) -> StoreError:
    """The error to raise, with {reason} filled into `template`: an UnwritableError if the disk is
    the cause, else a StoreError."""
    if isinstance(error, OSError):
        of_disk = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
    else:
        of_disk = primary_code(error) in _OF_DISK
    return (UnwritableError if of_disk else StoreError)(template, reason=reason(error), **parts)


def reason(error: DbError | OSError) -> Sentence:
    """The cause of the error in a few words."""
    if isinstance(error, OSError):
        known = {
            errno.ENOSPC: mark("the disk is full"),
            errno.EROFS: mark("the disk is read-only"),
            errno.EIO: mark("the disk has a fault"),
        }
        if error.errno in known:
            return Sentence(known[error.errno])
        return Sentence("{why}", why=(error.strerror or str(error)).lower())
    if primary_code(error) in _REASONS:
        return Sentence(_REASONS[primary_code(error)])
    return Sentence("the file is damaged ({why})", why=error)


def disk_reason(error: StoreError) -> StoreError | Sentence:
    """The reason, without the path, for an error made by `store_error`; for other errors, the error
    itself."""
    cause = error.__cause__
    return reason(cause) if isinstance(cause, DbError | OSError) else error


def primary_code(error: DbError) -> int:
    """SQLite's primary code for an error. An error without a code counts as too little memory
    (MemoryError) or as a damaged file (any other)."""
    none = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_CORRUPT
    return getattr(error, "sqlite_errorcode", none) & 0xFF


# ---------------------------------------------------------------- connections


LONGEST_ROW = 1 << 24
"""The most bytes that a row may have; a longer one is damaged."""

STEPS_A_CHECK = 1_000_000
"""How many SQLite steps pass between two checks for an endless query."""
STEPS_A_BYTE = 4
"""How many SQLite steps for each byte of the file are enough for any query: a row has about a
hundred bytes and takes fewer than a hundred steps."""


def connect(address: str) -> sqlite3.Connection:
    """Opens a database file by its URI; every statement is its own transaction. Text made
    unreadable by damage is returned with replacement characters. A row longer than LONGEST_ROW is
    an error, so a damaged length takes no memory. Raises sqlite3.Error, also if the path is not a
    regular file."""
    _check_file(address)
    db = sqlite3.connect(address, uri=True, isolation_level=None, timeout=2)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    db.text_factory = lambda raw: raw.decode(errors="replace")
    return db


def _check_file(address: str) -> None:
    if address.startswith("file:"):
        path = unquote(urlsplit(address).path)
        try:
            for end in ("", "-wal", "-shm"):
                check_regular(Path(f"{path}{end}"))
        except OSError as error:
            raise sqlite3.OperationalError(error.strerror) from error


class StepLimit:
    """Stops endless queries of the record at `path`: pages of a damaged file can form a circle, and
    the rows would fill the memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stretches = 0
        """How often the current query has done STEPS_A_CHECK steps."""

    def watch(self, db: sqlite3.Connection) -> None:
        """Starts counting the steps of the connection's next query."""
        self._stretches = 0
        db.set_progress_handler(self._is_over_limit, STEPS_A_CHECK)

    def _is_over_limit(self) -> bool:
        """Whether the current query has taken more steps than all rows of the file can take."""
        self._stretches += 1
        files = (Path(f"{self._path}{end}") for end in ("", "-wal"))
        size = sum(file.stat().st_size for file in files if file.exists())
        return (self._stretches - 1) * STEPS_A_CHECK > size * STEPS_A_BYTE


# ---------------------------------------------------------------- the lock


LOCK_MODE = 0o640
"""File mode: writable for the service, readable for its group."""

LOCK_WAIT_S = 5.0
"""How many seconds to wait for readers of a record that isn't being written."""

BEING_OPENED = "opening"
"""The text after the process number in the lock file until all rows have been recovered."""
NOTE_BYTES = 40
"""The size of the note at the beginning of the lock file: process number and BEING_OPENED."""


def lock_of(path: Path) -> Path:
    """The path of the lock file beside a record."""
    return Path(f"{path}.lock")


def take_lock(path: Path) -> BinaryIO:
    """Opens and locks the file beside the record, and notes in it the process's pid and that the
    record is being opened. Closing the file releases the lock. Raises OSError, or LockedError if
    another run has the lock, or if readers keep it for longer than LOCK_WAIT_S."""
    descriptor = open_descriptor(lock_of(path), os.O_RDWR | os.O_CREAT, LOCK_MODE)
    lock = os.fdopen(descriptor, "r+b", buffering=0)
    with suppress(PermissionError):  # another user's file: its owner has set the mode
        os.fchmod(descriptor, LOCK_MODE)
    until = time.monotonic() + LOCK_WAIT_S
    while not (_try_lock(lock, fcntl.LOCK_EX) and lock_is_in_place(path, lock)):
        if not lock_is_in_place(path, lock):  # another process has just removed it
            lock.close()
            return take_lock(path)
        if holder := _writer_with_lock(lock):
            lock.close()
            raise LockedError(
                "the record is in use by another companion run (pid {pid})", pid=holder
            )
        if time.monotonic() > until:
            lock.close()
            raise LockedError("the record is being read by another program: try again after it")
        time.sleep(0.05)
    with suppress(OSError):  # on a full disk the lock is valid without a note in it
        lock.truncate(0)
        lock.write(f"{os.getpid()} {BEING_OPENED}\n".encode())
    return lock


def note_recovered(lock: BinaryIO) -> None:
    """Notes in the lock file that all rows have been recovered, so readers needn't look for rows
    elsewhere."""
    with suppress(OSError):  # then readers look for such rows in vain
        lock.seek(0)
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n".encode())


def is_opening(path: Path) -> bool:
    """Whether the record's writer, if any, may still have to recover rows."""
    try:
        return BEING_OPENED in read_text(lock_of(path), errors="replace")[:NOTE_BYTES].split()
    except OSError:
        return False


def lock_is_in_place(path: Path, lock: BinaryIO) -> bool:
    """Whether `lock` is still the lock file beside the record: another run may have removed it and
    made a new one."""
    return file_identity(lock_of(path)) == file_identity(lock.fileno())


def file_identity(file: Path | int) -> tuple[int, int] | None:
    """The device and inode of a file, unique while it is open; None if there is no such file."""
    try:
        found = file.stat() if isinstance(file, Path) else os.fstat(file)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def share_lock(lock: BinaryIO) -> bool:
    """Takes a lock that other readers may share; returns False if a writer has the lock."""
    return _try_lock(lock, fcntl.LOCK_SH)


def writer_of(path: Path) -> str | None:
    """The pid of the process that has the record open for writing; None if there is none, or if
    this process may not read the lock."""
    try:
        with open_file(lock_of(path)) as lock:
            return _writer_with_lock(lock)
    except OSError:
        return None


def _try_lock(lock: BinaryIO, how: int) -> bool:
    """Takes the lock, exclusive or shared (`how`), without waiting; returns whether that
    succeeded."""
    try:
        fcntl.flock(lock, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _writer_with_lock(lock: BinaryIO) -> str | None:
    """The writer that has the lock; None if only readers share it."""
    if not share_lock(lock):
        lock.seek(0)
        return (lock.read(NOTE_BYTES).decode(errors="replace").split() or ["unknown"])[0]
    fcntl.flock(lock, fcntl.LOCK_UN)
    return None


# ---------------------------------------------------------------- reading


def refuse_irregular_file(path: Path) -> None:
    """Raises StoreError if `path` is not a regular file, because reading a pipe or a device could
    block for ever."""
    if path.exists() and not stat.S_ISREG(path.stat().st_mode):
        raise StoreError("{path} can't be a record: it is not a file; name another", path=path)


def read_only_address(path: Path) -> tuple[str, ExitStack]:
    """The URI for opening a record without writing, and a context to keep open meanwhile.

    A writer leaves both files of SQLite's log beside the record, while it runs and after it
    stopped. A reader needs both, and may not be allowed to make them. A power cut can have lost the
    second one: then a copy is read. Without a log the file is complete in itself, and must not
    change meanwhile. Raises OSError or StoreError.
    """
    refuse_irregular_file(path)
    path.stat()
    # The file isn't opened to check this: closing it would release the locks that SQLite has on it
    # in this process.
    if not os.access(path, os.R_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    log, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    for _ in range(100):
        if log.exists() and shared.exists():
            return f"file:{quote(str(path))}?mode=ro", ExitStack()
        with ExitStack() as hold:
            if not _hold_off_writers(path, hold):
                time.sleep(0.02)  # a writer is about to make its log
                continue
            if not log.exists():
                return f"file:{quote(str(path))}?mode=ro&immutable=1", hold.pop_all()
            return _copy_in_temporary_folder(path, hold), hold.pop_all()
    raise StoreError("{path} can't be read: another program is using the file", path=path)


def copy_record(path: Path) -> tuple[str, ExitStack] | None:
    """Copies the record into a temporary folder. Returns the URI of the copy, which may be changed,
    and the ExitStack that deletes the copy and releases the lock; None while another process writes
    the record. Raises OSError."""
    with ExitStack() as hold:
        return (
            (_copy_in_temporary_folder(path, hold), hold.pop_all())
            if _hold_off_writers(path, hold)
            else None
        )


def _hold_off_writers(path: Path, hold: ExitStack) -> bool:
    """Keeps writers away until `hold` is closed; returns False if the record has a writer
    already."""
    lock = lock_of(path)
    return not lock.exists() or share_lock(hold.enter_context(open_file(lock)))


def _copy_in_temporary_folder(path: Path, hold: ExitStack) -> str:
    # Imported here because these modules are slow to load, and a running table needs neither.
    import shutil
    import tempfile

    folder = Path(hold.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
    copy = folder / path.name
    shutil.copyfile(path, copy)
    shutil.copyfile(f"{path}-wal", f"{copy}-wal")
    return f"file:{quote(str(copy))}?mode=rw"


# ---------------------------------------------------------------- the table


START = bytes(32)
"""The first row's value for the hash of the row before it."""

COLUMNS = "seq, game, row, at, source, before, hash"

SCHEMA = """
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,  -- counts all rows, from 1, without a gap
  game INTEGER NOT NULL,    -- counts games, from 1; 0: of the box
  row TEXT NOT NULL,        -- what happened, as JSON (codec.py)
  at REAL,                  -- wall time, seconds since 1970; NULL: the clock was not set
  source TEXT,              -- the press or proposal that made it, where it has an identity
  before BLOB NOT NULL,     -- the hash of the row before
  hash BLOB NOT NULL        -- SHA-256 of `before` and the columns above
);
CREATE INDEX by_game ON record (game);
CREATE UNIQUE INDEX by_source ON record (source) WHERE source IS NOT NULL;
CREATE TRIGGER never_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'rows of the record are never changed'); END;
CREATE TRIGGER never_removed BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'rows of the record are never removed'); END;
COMMIT;
"""
"""The schema text in every record. It can't change, so it still names a file that has become part
of record/rows.py."""

RowContent = tuple[int, int, str, float | None, str | None]
"""A row's content: seq, game, row, at, source."""

INSERT = f"INSERT INTO record ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A row on the disk: the columns of the table, in order."""

    seq: int
    game: int
    row: str
    at: float | None
    source: str | None
    before: bytes
    hash: bytes

    @classmethod
    def make(cls, before: bytes, content: RowContent) -> "ChainLink":
        """The link for this content, after the row with the hash `before`."""
        return cls(*content, before, hash_of(before, content))

    @property
    def intact(self) -> bool:
        """Whether the content matches the hash."""
        content = self.seq, self.game, self.row, self.at, self.source
        return self.hash == hash_of(self.before, content)

    @property
    def columns(self) -> tuple[int, int, str, float | None, str | None, bytes, bytes]:
        """The values for INSERT."""
        return self.seq, self.game, self.row, self.at, self.source, self.before, self.hash


def hash_of(before: bytes, content: RowContent) -> bytes:
    """SHA-256 over the previous row's hash and the content."""
    return hashlib.sha256(before + json.dumps(content).encode()).digest()


def link_from_columns(columns: tuple[object, ...]) -> ChainLink | None:
    """A link from the columns returned by SQLite; None if they have wrong types."""
    match columns:
        case (
            int(seq),
            int(game),
            str(row),
            (None | float()) as at,
            (None | str()) as source,
            bytes(before),
            bytes(own),
        ):
            return ChainLink(seq, game, row, at, source, before, own)
    return None


def last_row(db: sqlite3.Connection) -> tuple[int, bytes]:
    """The number and the hash of the record's last row, as returned by SQLite."""
    found = db.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
    return found or (0, START)
