"""The record on the disk: rows are only ever added, each committed before its effect is shown.

SQLite in WAL mode with synchronous=FULL: one fsync a row, and what was committed survives the power
switch, the normal way to switch the box off. One process writes, by a lock on a file beside the
record; any number read (reader.py).

SQLite takes it that a disk harms nothing beside what it writes (`psow=1`). On disks that turn the
whole sector to garbage, 6 of 454 cut states lose the newest row, each with a word at the next
start. `psow=0` loses none, but writes 39 % more, and on a full disk a row that was told not to be
saved could come back without a word: SQLite fills the sector with copies of the commit, so that the
first is whole when a later one fails. That would break a promise; copies make up for the other
(tests/rigs/rig_cut_worse.py).

Nor is the log brought into the file at a game's end: where that is done at every third row, 8 of
508 such states lose the newest one. It matters only how rows come to lie in sectors, and a few
pages would be written more. SQLite does it after a thousand pages, and the stop does.

Where a disk refuses to bring a row to it, the kernel may do so later, or never. What counts goes
into the file then, and the log is cut off, so that the row can't come back without a word. SQLite
passes over a folder's names that a disk refuses to keep: the log's is brought there at each start,
and nothing is saved before.

What is damaged is noticed where it is met, and mended: at the start, in play, or by the check of
all rows that follows every start.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from companion.games.game import (
    AnyGame,
)
from companion.record.carve import rows_in
from companion.record.chain import INSERT, SCHEMA, Link, connect
from companion.record.codec import encode_row
from companion.record.faults import (
    DB_ERRORS,
    DamagedError,
    DbError,
    LockedError,
    OvertakenError,
    Seen,
    StoreError,
    UnwritableError,
    cant,
    disk_reason,
    is_damage,
    primary_code,
    reason,
)
from companion.record.fold import Fold, known_by
from companion.record.journal import Journal
from companion.record.lock import has_lock, identity, lock_of, take_lock
from companion.record.log import Dropped, dropped_rows, log_of
from companion.record.reader import Reader
from companion.record.rows import Kept, Row
from companion.record.salvage import (
    FOUND,
    finish_replacing,
    make_folder,
    make_record,
    readable,
    replace_damaged,
    replace_record,
    sync,
    write_copy,
)
from companion.record.walk import Item, Missing, by_game, walk_back
from companion.record.way_in import refuse_no_file
from companion.seats import Seat

CLOCK_SET = 1_735_689_600
"""The first second of 2025: a clock that shows less had not been set."""

Clock = Callable[[], float]
Mending = Callable[[], AbstractContextManager[object]]
"""What is done while a damaged record is put together again, which may take a while."""


class Store(Reader):
    """The one writer of a record."""

    _by = ""  # by the index: if that is damaged, too, the check after the start finds it

    def __init__(
        self, path: Path, catalog: Mapping[str, AnyGame], clock: Clock, mending: Mending
    ) -> None:
        super().__init__(connect(":memory:"), path, catalog)
        self._clock, self._mending = clock, mending
        self._lock: BinaryIO | None = None
        self._file: tuple[int, int] | None = None
        """Which file the record is."""
        self._guard: sqlite3.Connection | None = None
        self._tip: tuple[int, bytes] | None = None
        self._doubtful: Link | None = None
        """A row that could not be saved, while the disk didn't say either whether it is there."""
        self._written: list[Link] = []
        """Rows of this run: should the disk lose them, they are here."""
        self._stands_in = False
        """What is read is an empty record: the one on the disk can't be read now."""
        self._ours = True
        """The companion has written here before, or has just made it."""
        self._messages: list[str] = []
        self.on_kept: Callable[[], None] = lambda: None
        """Called once a row is on the disk; it must not wait for anything."""

    @classmethod
    def open(
        cls,
        path: Path,
        catalog: Mapping[str, AnyGame],
        clock: Clock = time.time,
        mending: Mending = nullcontext,
    ) -> "Store":
        """Opens the record at `path` for writing, and makes it if there is none. Only the rows of
        the last game are read.

        A damaged one is set aside and its readable rows go into a new one, within `mending`; on a
        full, read-only or broken disk it is only read until that is mended: see `messages`.
        LockedError: another run has it; StoreError: it can't be used.
        """
        store = cls(path, catalog, clock, mending)
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

    def keep(
        self, game: int, row: Row, source: str | None = None, keyed_by: Seat | None = None
    ) -> Kept:
        """Adds a row to a game (0: a setting of the box) and returns when it is on the disk.
        `source`: the identity of what made it; `keyed_by`: the seat whose phone it was.

        StoreError: nothing was kept, everything is as it was, and it can be tried again. Seen: what
        has the identity `source` made a row before. OvertakenError: what was read before no longer
        stands.
        """
        text = encode_row(row, keyed_by)
        if self._guard is None:
            self._start_again()
        at = self._now()
        try:
            self._refuse_if_replaced()
            link = self._append(game, text, at, source)
        except DamagedError:
            self.mend()
            link = self._append(game, text, at, source)
        self.on_kept()
        return Kept(link.seq, game, row, at, source, keyed_by, link.hash)

    def new_game(self) -> int:
        """The number for the next game: one more than any game has, and after a loss of nobody
        knows how many games the next hundred."""
        newest = self.newest_game()
        opened = (self._span(newest)[0] or 0) if newest else 0
        unknown = [seq for seq, lost in self.marks() if any(gap.last is None for gap in lost.gaps)]
        return (newest // 100 + 1) * 100 + 1 if opened < max(unknown, default=0) else newest + 1

    def _now(self) -> float | None:
        now = self._clock()
        return float(now) if now >= CLOCK_SET else None

    def seconds_since(self, game: int) -> float | None:
        """Seconds from a game's newest row until now; None where no set clock tells."""
        question = "SELECT at FROM record WHERE game = ? ORDER BY seq DESC LIMIT 1"
        found, now = self.ask(question, game), self._clock()
        if not found or found[0][0] is None or now < CLOCK_SET:
            return None
        return max(now - float(found[0][0]), 0.0)

    def _append(self, game: int, text: str, at: float | None, source: str | None) -> Link:
        link = None
        try:
            seq, before = self._tip or self._last()
            # Unknown until it is certain: a failed commit is looked up before the next one.
            self._tip = None
            self._refuse_after_doubtful(before)
            link = Link.make(before, (seq + 1, game, text, at, source))
            self._db.execute(INSERT, link.columns)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise DamagedError("the rows are not numbered as they were") from error
            raise Seen(f"{source} is in the record already") from error
        except DB_ERRORS as error:
            if link is None or not self._is_there(link, error):
                raise self._not_saved(link, error) from error
        assert link is not None, "without one it was refused"
        self._tip = (link.seq, link.hash)
        self._written.append(link)
        return link

    def _is_there(self, link: Link, error: DbError) -> bool:
        """Whether a row whose commit failed is on the disk all the same. Where it is not, it won't
        be after a power cut either; or else it is `_doubtful`."""
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if self._last() == (link.seq, link.hash):
                return True
            if primary_code(error) == sqlite3.SQLITE_IOERR:
                self._empty_log()
        except (*DB_ERRORS, OSError):
            self._doubtful = link
        return False

    def _empty_log(self) -> None:
        """A row of which only the sync failed lies whole in the log, unseen, and may come to the
        disk yet. What counts goes into the file, and the log is cut off."""
        (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError("somebody reads what is in the log")
        sync(Path(f"{self.path}-wal"))

    def _not_saved(self, link: Link | None, error: DbError) -> StoreError:
        if is_damage(error):
            return DamagedError(reason(error))
        doubtful = link is not None and link is self._doubtful
        return cant("Perhaps not saved" if doubtful else "Not saved", error)

    def _refuse_after_doubtful(self, tip: bytes) -> None:
        """Where a row turns out to be there that was told not to be, it stands."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is not None and doubtful.hash == tip:
            self._written.append(doubtful)
            raise OvertakenError("The last entry was saved after all: go on from there")

    def _refuse_if_replaced(self) -> None:
        """Before each row: whether the names of record and lock still lead to the files that we
        have. Somebody may have removed the lock, and another run may have taken it then."""
        assert self._lock is not None
        if not has_lock(self.path, self._lock):
            tip = self._tip or self._last()
            try:
                lock = take_lock(self.path)
            except LockedError as error:
                raise StoreError(f"Not saved: {error}") from error
            except OSError as error:
                raise cant("Not saved", error) from error
            self._lock.close()
            self._lock, self._tip = lock, None
            if self._last() != tip:
                raise OvertakenError("Another run has written to the record: go on from there")
        if identity(self.path) != self._file:
            self._write_anew()

    def _write_anew(self) -> None:
        """The record's file was taken away: all that we still read of it is written anew."""
        if self.path.exists():
            raise StoreError("Not saved: another file is in the record's place; restart the table")
        try:
            links = [item for item in self.walk() if isinstance(item, Link)]
            self._disconnect()
            replace_record(self.path, links)
            self._connect()
        except (*DB_ERRORS, OSError) as error:
            raise cant("Not saved: the record's file was taken away", error) from error
        self._messages.append("The record's file was taken away: it was written anew")

    # ------------------------------------------------------------ reading what was kept

    def last_game(self) -> tuple[int, Journal[object]] | None:
        """The newest game that was not taken back, by its number; reads only the rows since it was
        opened, and checks their chain."""
        for number, fold in self._newest_first():
            if fold.journal and not fold.journal.withdrawn:
                return number, fold.journal
        return None

    def row_of(self, source: str) -> int | None:
        """As Reader says; StoreError also where the record on the disk can't be read meanwhile."""
        if self._stands_in:
            raise StoreError(f"{self.path} can't be read now")
        row = super().row_of(source)
        if self._doubtful is not None and row == self._doubtful.seq:
            self._written.append(self._doubtful)
            self._doubtful = None  # whoever asks knows of it now
        return row

    def walk(self, first: int = 1) -> Iterator[Item]:
        """Every row from number `first` on, and what is known to be lost. Raises DamagedError where
        more is missing."""
        return self._expected(super().walk(first))

    def _expected(self, items: Iterator[Item]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Missing):
                self._noticed(item)
            yield item

    def _noticed(self, missing: Missing) -> None:
        if known_by(missing, self.marks()) is None:
            raise DamagedError(str(missing))

    def _newest_first(self) -> Iterator[tuple[int, Fold]]:
        """The games by their opening, newest first. Rows are read backwards from the last one, so
        that neither other games nor an index is needed, and each is checked on the way."""
        held: list[Item] = []
        for item in self._expected(walk_back(self.ask)):
            held.append(item)
            if isinstance(item, Link) and item.game and '"kind": "opened"' in item.row:
                fold = self.new_fold(item.game)
                for number, one in by_game(reversed(held)):
                    if number == item.game:
                        fold.take(one)
                if fold.end().journal is not None:
                    yield item.game, fold

    # ------------------------------------------------------------ opening, mending

    def mend(self) -> None:
        """Sets the record aside and puts a new one with every readable row in its place. Raises
        StoreError where that can't be done, or where it is somebody else's file."""
        with self._mending():
            self._disconnect()
            try:
                if not self._ours and not readable(self.path, self._written).links:
                    lock_of(self.path).unlink(missing_ok=True)
                    raise StoreError(
                        f"{self.path} is not a record of the companion: name another file"
                    )
                self._messages.append(replace_damaged(self.path, self._now(), self._written))
                self._connect()
            except (*DB_ERRORS, OSError) as error:
                if isinstance(error, StoreError):
                    raise
                message = f"the record {self.path} is damaged and can't be replaced"
                raise cant(message, error) from error

    def _start(self) -> None:
        try:
            if not self.path.exists():
                make_folder(self.path.parent)
            refuse_no_file(self.path)
            self._ours = self._ours and (lock_of(self.path).exists() or not self.path.exists())
            self._lock = take_lock(self.path)
            if message := finish_replacing(self.path):
                self._messages.append(message)
            if not self.path.exists() and not Path(f"{self.path}-wal").exists():
                make_record(self.path)
            try:
                log = log_of(self.path)
                self._connect()
                self._put_back(log)
                told = self._checked()
            except (DamagedError, *DB_ERRORS) as error:
                if not isinstance(error, DamagedError) and not is_damage(error):
                    raise
                self.mend()
                told = self._checked()
            self._messages += told
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            raise cant(f"the record {self.path} can't be written", error) from error

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
            reader = Reader.open(self.path, self.catalog)
            self._db, self._held = reader._db, reader._held
            self._messages += reader.warnings
        except StoreError:
            self._db = connect(":memory:")
            self._db.executescript(SCHEMA)
            self._stands_in = True

    def _let_go(self) -> None:
        self._disconnect()
        self._held.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _connect(self) -> None:
        """Raises DamagedError, or sqlite3.Error for a trouble of the machine."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            raise DamagedError("the file is empty")  # SQLite would remove a log beside it
        if (log := Path(f"{self.path}-wal")).exists():
            sync(log)  # a run that was killed may have left a row unsynced; it is shown from now on
        address = f"file:{quote(str(self.path))}"
        try:
            self._db.close()
            self._file = identity(self.path)
            self._db = connect(f"{address}?mode=rw")
            self._tip = self._last()  # before anything is written: it may be a stranger's file
            (mode,) = self._db.execute("PRAGMA journal_mode = WAL").fetchone()
            self._db.execute("PRAGMA synchronous = FULL")
            # A second connection that can't write keeps SQLite from removing the log at the end.
            self._guard = connect(f"{address}?mode=ro")
            self._guard.execute("SELECT seq FROM record ORDER BY seq LIMIT 1").fetchall()
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ROLLBACK")
            sync(self.path.parent)  # the log's name; SQLite passes over it if that fails
        except DB_ERRORS as error:
            # A header that damage has changed can say “read-only” of a file that is not.
            read_only = primary_code(error) == sqlite3.SQLITE_READONLY
            if is_damage(error) or (read_only and os.access(self.path, os.W_OK)):
                raise DamagedError(reason(error)) from error
            raise
        if mode != "wal":
            raise DamagedError("the file does not keep a log")

    def _put_back(self, log: bytes) -> None:
        """Puts back the rows that SQLite has dropped from the log. Raises DamagedError where some
        of them are missing; the last one may be a row that was just being written."""
        seq, tip = self._last()
        copy = Path(f"{self.path}{FOUND}")
        found = dropped_rows(log, seq, tip)
        if copy.exists():
            found = found.with_rows(rows_in(copy, seq), tip)
        last, before = seq, tip
        for link in found.rows:
            if (link.seq, link.before) != (last + 1, before):
                raise DamagedError("rows of the log are missing")
            last, before = link.seq, link.hash
        if found.newest > last + 1:
            raise DamagedError("rows of the log can't be read")
        if found.rows:
            if not copy.exists():  # SQLite writes over the place where they lie
                with suppress(OSError):  # a full disk still has room for what it had
                    write_copy(copy, log)
            self._db.execute("BEGIN")
            self._db.executemany(INSERT, (link.columns for link in found.rows))
            self._db.execute("COMMIT")
            self._tip = (last, before)
        copy.unlink(missing_ok=True)
        self._messages += _tell(found, last)

    def _checked(self) -> list[str]:
        """Checks the last game's rows, and that the file is as long as it says it is."""
        told: list[str] = []
        for _, fold in self._newest_first():
            if fold.journal and not fold.journal.withdrawn:
                told = fold.faults
                break
        log = Path(f"{self.path}-wal")
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        if log.stat().st_size == 0 and self.path.stat().st_size < pages * size:
            raise DamagedError("the file was cut short")
        more = len(told) - 1
        return [f"{told[0]} (and {more} more: see companion verify)"] if more > 0 else told

    def _disconnect(self) -> None:
        self._tip = self._known = None
        self._stands_in = False
        self._db.close()
        if self._guard is not None:
            self._guard.close()
            self._guard = None


def _tell(found: Dropped, last: int) -> list[str]:
    """What to tell of rows that were put back up to row `last`, and of one that can't be."""
    told, many = list[str](), len(found.rows)
    if many:
        was = f"last {many} entries were" if many > 1 else "last entry was"
        told.append(f"The {was} found again in the log")
    if found.newest > last:
        told.append("An entry was being saved when the power went: look whether it is there")
    return told
