"""The record on the disk: rows are only ever added, each committed before its effect is shown.

SQLite in WAL mode with synchronous=FULL: one fsync a row, and what was committed survives the power
switch, the normal way to switch the box off. One process writes, by a lock on a file beside the
record; any number read (reader.py).
"""

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from companion.games.game import (
    AnyGame,
)
from companion.record.chain import INSERT, SCHEMA, START, Link, connect
from companion.record.codec import encode_row
from companion.record.faults import (
    DB_ERRORS,
    DamagedError,
    LockedError,
    Seen,
    StoreError,
    UnwritableError,
    cant,
    disk_reason,
    is_damage,
    primary_code,
    reason,
)
from companion.record.reader import Reader
from companion.record.rows import Kept, Row
from companion.record.salvage import (
    MODE,
    finish_replacing,
    make_folder,
    make_record,
    readable_links,
    replace_damaged,
    sync,
)

CLOCK_SET = 1_735_689_600
"""The first second of 2025: a clock that shows less had not been set."""

WAIT_S = 5.0
"""How long to wait for somebody who reads a stopped record."""

Clock = Callable[[], float]


class Store(Reader):
    """The one writer of a record."""

    def __init__(self, path: Path, catalog: Mapping[str, AnyGame], clock: Clock) -> None:
        super().__init__(connect(":memory:"), path, catalog)
        self._clock = clock
        self._lock: BinaryIO | None = None
        self._guard: sqlite3.Connection | None = None
        self._tip: tuple[int, bytes] | None = None
        self._ours = True
        """The companion has written here before, or has just made it."""
        self._messages: list[str] = []

    @classmethod
    def open(cls, path: Path, catalog: Mapping[str, AnyGame], clock: Clock = time.time) -> "Store":
        """Opens the record at `path` for writing, and makes it if there is none. Only the rows of
        the last game are read.

        A damaged one is set aside and its readable rows go into a new one; on a full or read-only
        disk it is only read until that is mended: see `messages`. LockedError: another run has it;
        StoreError: it can't be used.
        """
        store = cls(path, catalog, clock)
        try:
            store._start()
        except UnwritableError as error:
            store._messages.append(f"Nothing can be saved: {disk_reason(error)}")
            store._read_meanwhile()
        except BaseException:
            store.close()
            raise
        return store

    @property
    def messages(self) -> tuple[str, ...]:
        """What to tell the table about the record, one line each; grows when damage is found."""
        return tuple(self._messages)

    def close(self) -> None:
        """Lets go of the record. The files of its log stay, empty: whoever may read but not write
        beside it needs them (reader.py)."""
        if self._guard is not None:
            # Where that fails the log stays as it is, and the next start reads it.
            with suppress(*DB_ERRORS):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._let_go()

    # ------------------------------------------------------------ writing

    def keep(self, game: int, row: Row, source: str | None = None) -> Kept:
        """Adds a row to a game (0: a setting of the box) and returns when it is on the disk.

        StoreError: nothing was kept, everything is as it was, and it can be tried again. Seen: the
        press `source` made a row before.
        """
        text = encode_row(row)
        now = self._clock()
        at = float(now) if now >= CLOCK_SET else None
        if self._guard is None:
            self._start_again()
        try:
            link = self._append(game, text, at, source)
        except DamagedError:
            self._mend()
            link = self._append(game, text, at, source)
        return Kept(link.seq, game, row, at, source)

    def new_game(self) -> int:
        """The number for the next game: one more than any game has."""
        return next(self._older_than(), 0) + 1

    def seconds_since(self, game: int) -> float | None:
        """Seconds from a game's newest row until now; None where no set clock tells."""
        question = "SELECT at FROM record WHERE game = ? ORDER BY seq DESC LIMIT 1"
        found, now = self.ask(question, game), self._clock()
        if not found or found[0][0] is None or now < CLOCK_SET:
            return None
        return max(now - float(found[0][0]), 0.0)

    def _append(self, game: int, text: str, at: float | None, source: str | None) -> Link:
        try:
            seq, before = self._tip or self._last()
            # Unknown until it is certain: a failed commit is looked up before the next one.
            self._tip = None
            link = Link.make(before, (seq + 1, game, text, at, source))
            self._db.execute(INSERT, link.columns)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise DamagedError("the rows are not numbered as they were") from error
            raise Seen(f"the press {source} is in the record already") from error
        except DB_ERRORS as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            fault = DamagedError(reason(error)) if is_damage(error) else cant("Not saved", error)
            raise fault from error
        self._tip = (link.seq, link.hash)
        return link

    def _last(self) -> tuple[int, bytes]:
        question = "SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1"
        found = self._db.execute(question).fetchone()
        return found or (0, START)

    # ------------------------------------------------------------ opening, mending

    def _start(self) -> None:
        try:
            make_folder(self._path.parent)
            self._ours = self._ours and (_lock_of(self._path).exists() or not self._path.exists())
            self._lock = _locked(self._path)
            if message := finish_replacing(self._path):
                self._messages.append(message)
            if not self._path.exists() and not Path(f"{self._path}-wal").exists():
                make_record(self._path)
            try:
                self._connect()
                told = self._checked()
            except DamagedError:
                self._mend()
                told = self._checked()
            self._messages += told
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            raise cant(f"the record {self._path} can't be written", error) from error

    def _start_again(self) -> None:
        """For a row to keep on a disk that took nothing so far."""
        self._let_go()
        try:
            self._start()
        except StoreError as error:
            self._read_meanwhile()
            raise StoreError(f"Not saved: {disk_reason(error)}") from error

    def _read_meanwhile(self) -> None:
        """What is on the disk is read; where that is nothing, an empty record answers."""
        self._let_go()
        try:
            reader = Reader.open(self._path, self._catalog)
            self._db, self._held = reader._db, reader._held
        except StoreError:
            self._db = connect(":memory:")
            self._db.executescript(SCHEMA)

    def _let_go(self) -> None:
        self._disconnect()
        self._held.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _connect(self) -> None:
        """Raises DamagedError, or sqlite3.Error for a trouble of the machine."""
        if not self._path.exists() or self._path.stat().st_size == 0:
            raise DamagedError("the file is empty")  # SQLite would remove a log beside it
        if (log := Path(f"{self._path}-wal")).exists():
            sync(log)  # a run that was killed may have left a row unsynced; it is shown from now on
        address = f"file:{quote(str(self._path))}"
        try:
            self._db.close()
            self._db = connect(f"{address}?mode=rw")
            self._tip = self._last()  # before anything is written: it may be a stranger's file
            (mode,) = self._db.execute("PRAGMA journal_mode = WAL").fetchone()
            self._db.execute("PRAGMA synchronous = FULL")
            # A second connection that can't write keeps SQLite from removing the log at the end.
            self._guard = connect(f"{address}?mode=ro")
            self._guard.execute("SELECT seq FROM record ORDER BY seq LIMIT 1").fetchall()
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ROLLBACK")
        except DB_ERRORS as error:
            # A header that damage has changed can say “read-only” of a file that is not.
            read_only = primary_code(error) == sqlite3.SQLITE_READONLY
            if is_damage(error) or (read_only and os.access(self._path, os.W_OK)):
                raise DamagedError(reason(error)) from error
            raise
        if mode != "wal":
            raise DamagedError("the file does not keep a log")

    def _checked(self) -> list[str]:
        """Checks the last game's rows, and that the file is as long as it says it is."""
        told: list[str] = []
        for _, journal, faults in self._newest_first():
            if not journal.withdrawn:
                told = faults
                break
        log = Path(f"{self._path}-wal")
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        if log.stat().st_size == 0 and self._path.stat().st_size < pages * size:
            raise DamagedError("the file was cut short")
        return told

    def _mend(self) -> None:
        self._disconnect()
        if not self._ours and not readable_links(self._path)[0]:
            _lock_of(self._path).unlink(missing_ok=True)
            raise StoreError(f"{self._path} is not a record of the companion: name another file")
        try:
            self._messages.append(replace_damaged(self._path))
            self._connect()
        except (*DB_ERRORS, OSError) as error:
            message = f"the record {self._path} is damaged and can't be replaced"
            raise cant(message, error) from error

    def _disconnect(self) -> None:
        self._tip = None
        self._db.close()
        if self._guard is not None:
            self._guard.close()
            self._guard = None


def writer_of(path: Path) -> str | None:
    """The process that has the record open for writing, by its pid; None if there is none, or if
    whoever asks may not know."""
    try:
        with _lock_of(path).open("rb") as lock:
            return _holder(lock)
    except OSError:
        return None


def _lock_of(path: Path) -> Path:
    return Path(f"{path}.lock")


def _locked(path: Path) -> BinaryIO:
    """The side file, locked for as long as it is open. It names the process that has it."""
    descriptor = os.open(_lock_of(path), os.O_RDWR | os.O_CREAT, MODE)
    lock = os.fdopen(descriptor, "r+b", buffering=0)
    with suppress(PermissionError):  # somebody else's file: its owner has set the mode
        os.fchmod(descriptor, MODE)
    until = time.monotonic() + WAIT_S
    while not _try_lock(lock):
        if holder := _holder(lock):
            lock.close()
            raise LockedError(f"the record is in use by another companion run (pid {holder})")
        if time.monotonic() > until:
            lock.close()
            raise LockedError("the record is being read by another program: try again after it")
        time.sleep(0.05)
    with suppress(OSError):  # on a full disk the lock holds without a name in it
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n".encode())
    return lock


def _try_lock(lock: BinaryIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(lock: BinaryIO) -> str | None:
    """The writer that has the lock; None if only readers share it."""
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        return lock.read(20).decode(errors="replace").strip() or "unknown"
    fcntl.flock(lock, fcntl.LOCK_UN)
    return None
