"""The record on the disk: rows are only ever added, each committed before its effect is shown.

SQLite runs in WAL mode with synchronous=FULL: one fsync for each row, and committed rows survive
the power switch, the usual way to switch the box off. A lock on a file beside the record lets one
process write; any number can read (reader.py).

SQLite assumes that an interrupted write damages nothing beside it (`psow=1`). On disks that lose
the whole sector a commit can destroy the rows before it. These are in the text copy, which has each
row on the disk before the next one is committed (copies/text_copy.py). `psow=0` would write 39 %
more, and on a full disk it could silently bring back a row that was reported as not saved.

If a disk refuses to sync a row, the kernel may still write it later, or never. The rows that count
are then put into the file, and the log is cut off, so that the refused row can't come back
silently. SQLite ignores errors from syncing a folder, which has the files' names: so the log's
folder is synced at each start before anything is saved.

Damage is noticed when it is read: at the start, in play, or by the check of all rows that follows
every start. The record is then rebuilt (repair/salvage.py).
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from companion.core.clock import CLOCK_SET, Clock
from companion.core.regular_file import sync
from companion.core.seats import Seat
from companion.core.words import Sentence, mark
from companion.games.game import AnyGame
from companion.record.copies.restore import Offer
from companion.record.copies.text_copy import Folder, Tail, TextCopy, copies_folder, find_tail
from companion.record.fold import Fold, row_number_of_loss
from companion.record.journal import Journal
from companion.record.repair.salvage import read_damaged, replace_damaged
from companion.record.rows import KeptRow, Row, encode_row
from companion.record.store.chain import ChainBreak, LinkOrBreak, by_game, walk_back
from companion.record.store.database import (
    COLUMNS,
    DB_ERRORS,
    INSERT,
    SCHEMA,
    AlreadyKeptError,
    ChainLink,
    DamagedError,
    DbError,
    LockedError,
    OvertakenError,
    StoreError,
    UnwritableError,
    connect,
    disk_reason,
    file_identity,
    is_damage,
    link_from_columns,
    lock_is_in_place,
    lock_of,
    note_recovered,
    primary_code,
    reason,
    refuse_irregular_file,
    store_error,
    take_lock,
)
from companion.record.store.reader import Reader
from companion.record.store.record_file import (
    finish_replacing,
    make_folder,
    make_record,
    replace_record,
    replace_with_file,
)

FEW_ROWS = 8
"""The most missing rows that are added to the text copy at the start; after a power cut one is
missing."""

RepairContext = Callable[[], AbstractContextManager[object]]
"""Returns a context in which a damaged record is rebuilt, which may take some time."""


class Store(Reader):
    """The only writer of a record, which also repairs a damaged one."""

    # Queries may use the index: if it is damaged, the check after the start finds that.
    _index_clause = ""

    def __init__(
        self, path: Path, catalog: Mapping[str, AnyGame], clock: Clock, repairing: RepairContext
    ) -> None:
        super().__init__(connect(":memory:"), path, catalog)
        self._clock, self._repairing = clock, repairing
        self._lock: BinaryIO | None = None
        self._file: tuple[int, int] | None = None
        """The identity of the record's file (database.py)."""
        self._guard: sqlite3.Connection | None = None
        self._tip: tuple[int, bytes] | None = None
        self._written: list[ChainLink] = []
        """The rows written by this run, in case the disk loses them."""
        self.text: TextCopy | None = None
        """The text copy beside the record; None if the record has no row yet, or can't be
        written."""
        self._is_stand_in = False
        """Whether an empty record is used because the one on the disk can't be read now."""
        self._is_our_file = True
        """Whether the companion has written this file before, or has just made it."""
        self._messages: list[Sentence] = []
        self._doubtful: ChainLink | None = None
        """A row that could not be saved, if it may be on the disk all the same."""
        self.on_kept: Callable[[], None] = lambda: None
        """Called whenever a row is on the disk; it must not block."""

    @classmethod
    def open(
        cls,
        path: Path,
        catalog: Mapping[str, AnyGame],
        clock: Clock = time.time,
        repairing: RepairContext = nullcontext,
    ) -> "Store":
        """Opens the record at `path` for writing, or makes one if there is none. Reads only the
        rows of the last game. Sets a damaged record aside and puts its readable rows into a new
        one, within the context that `repairing` returns. On a full, read-only or broken disk the
        record can only be read until the disk works again; `messages` has a line about it. Raises
        LockedError if another run has the record, StoreError if it can't be used."""
        store = cls(path, catalog, clock, repairing)
        try:
            store._open_for_writing()
        except UnwritableError as error:
            store._messages.append(
                Sentence("Nothing can be saved: {reason}", reason=disk_reason(error))
            )
            store._open_read_only()
        except BaseException:
            store.close()
            raise
        return store

    @property
    def messages(self) -> tuple[Sentence, ...]:
        """Lines about the record for people at the table; more are added when damage is found."""
        return tuple(self._messages)

    def close(self) -> None:
        """Closes the record. Leaves the files of its log, empty, for readers that may not write
        beside the record (reader.py)."""
        self._close_text()
        if self._guard is not None:
            # If that fails, the log stays as it is, and the next start reads it.
            with suppress(*DB_ERRORS):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._release()

    def _now(self) -> float | None:
        now = self._clock()
        return float(now) if now >= CLOCK_SET else None

    # ------------------------------------------------------------ writing

    def keep(
        self,
        game: int,
        row: Row,
        source: str | None = None,
        keyed_by: Seat | None = None,
        agreed_by: tuple[Seat, ...] | None = None,
    ) -> KeptRow:
        """Adds a row to a game (0 for a setting of the box) and returns once it is on the disk.
        `source`: the identity of the press or proposal; `keyed_by`: the seat of its phone;
        `agreed_by`: the seats that agreed to a ruling. Raises StoreError if the row was not kept
        and can be tried again; AlreadyKeptError if `source` has made a row before; OvertakenError
        if the record has rows that weren't known."""
        text = encode_row(row, keyed_by, agreed_by)
        if self._guard is None:
            self._reopen()
        at = self._now()
        try:
            self._refuse_if_replaced()
            link = self._append(game, text, at, source)
        except DamagedError:
            self.repair()
            link = self._append(game, text, at, source)
        self.on_kept()
        return KeptRow(link.seq, game, row, at, source, keyed_by, agreed_by, link.hash)

    def next_game_number(self) -> int:
        """The number for the next game: one more than the newest. If rows were lost and it isn't
        known how many, the first number of the next hundred, as some games may be lost."""
        newest = self.newest_game()
        opened = (self._row_range(newest)[0] or 0) if newest else 0
        unknown = [
            seq for seq, lost in self.loss_marks() if any(gap.last is None for gap in lost.gaps)
        ]
        return (newest // 100 + 1) * 100 + 1 if opened < max(unknown, default=0) else newest + 1

    def seconds_since(self, game: int) -> float | None:
        """Seconds since a game's newest row; None if the clock was not set then, or isn't now."""
        question = "SELECT at FROM record WHERE game = ? ORDER BY seq DESC LIMIT 1"
        found, now = self.query(question, game), self._clock()
        if not found or found[0][0] is None or now < CLOCK_SET:
            return None
        return max(now - float(found[0][0]), 0.0)

    def _append(self, game: int, text: str, at: float | None, source: str | None) -> ChainLink:
        link = None
        self._write_text()
        try:
            seq, before = self._tip or self._last_row_and_hash()
            # The last row is unknown until the commit has succeeded. After a failed commit it is
            # read from the record before the next row.
            self._tip = None
            self._refuse_after_doubtful(before)
            link = ChainLink.make(before, (seq + 1, game, text, at, source))
            self._db.execute(INSERT, link.columns)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise DamagedError("the rows are not numbered as they were") from error
            raise AlreadyKeptError(f"{source} is in the record already") from error
        except DB_ERRORS as error:
            if link is None or not self._check_commit(link, error):
                raise self._save_error(link, error) from error
        assert link is not None, "without one it was refused"
        self._tip = (link.seq, link.hash)
        self._note_written(link)
        return link

    def _write_text(self) -> None:
        """Writes the previous row to the text copy before the next one is written to the log. If it
        fails, the copier thread reports it."""
        if self.text is not None:
            with suppress(OSError):
                self.text.flush()

    def _note_written(self, link: ChainLink) -> None:
        self._written.append(link)
        if self.text is None and link.seq == 1:
            self.text = TextCopy.of(copies_folder(self.path), link)
            with suppress(OSError):
                self.text.follow()
        if self.text is not None:
            self.text.add(link)

    def _check_commit(self, link: ChainLink, error: DbError) -> bool:
        """Whether a row is on the disk although its commit failed. If not, ensures that no power
        cut can bring it back; if that is impossible, the row becomes `_doubtful`."""
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            if self._last_row_and_hash() == (link.seq, link.hash):
                return True
            if primary_code(error) == sqlite3.SQLITE_IOERR:
                self._empty_log()
        except (*DB_ERRORS, OSError):
            self._doubtful = link
        return False

    def _empty_log(self) -> None:
        """Moves the committed rows into the file and truncates the log, in which a row whose sync
        failed could still reach the disk. Raises StoreError if another process is reading the
        log."""
        (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError("the log is being read")
        sync(Path(f"{self.path}-wal"))

    def _save_error(self, link: ChainLink | None, error: DbError) -> StoreError:
        if is_damage(error):
            return DamagedError("{reason}", reason=reason(error))
        doubtful = link is not None and link is self._doubtful
        if doubtful:
            return store_error("Perhaps not saved: {reason}", error)
        return store_error("Not saved: {reason}", error)

    def _refuse_after_doubtful(self, tip: bytes) -> None:
        """Raises OvertakenError if the doubtful row is in the record after all, and so counts."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is not None and doubtful.hash == tip:
            self._note_written(doubtful)
            raise OvertakenError("The last entry was saved after all: continue from there")

    def _refuse_if_replaced(self) -> None:
        """Checks before each row that the record and its lock are still our files: the lock may
        have been removed and taken by another run. Raises OvertakenError if that run has written,
        StoreError if the files can't be recovered."""
        assert self._lock is not None
        if not lock_is_in_place(self.path, self._lock):
            tip = self._tip or self._last_row_and_hash()
            try:
                lock = take_lock(self.path)
            except LockedError as error:
                raise StoreError("Not saved: {why}", why=error) from error
            except OSError as error:
                raise store_error("Not saved: {reason}", error) from error
            self._lock.close()
            self._lock, self._tip = lock, None
            if self._last_row_and_hash() != tip:
                raise OvertakenError("Another run wrote to the record: continue from there")
        if file_identity(self.path) != self._file:
            self._rewrite_record()

    def _rewrite_record(self) -> None:
        """Writes the readable rows into a new file, because the record's file was removed. Raises
        StoreError if another file is in its place."""
        if self.path.exists():
            raise StoreError("Not saved: another file is in the record's place; restart the table")
        try:
            links = [item for item in self.walk() if isinstance(item, ChainLink)]
            self._disconnect()
            replace_record(self.path, links)
            self._connect()
            self._attach_text()
        except (*DB_ERRORS, OSError) as error:
            message = mark("Not saved: the record's file was removed: {reason}")
            raise store_error(message, error) from error
        self._messages.append(Sentence("The record's file was removed: it has been written again"))

    def _reopen(self) -> None:
        """Opens the record again before a row, after the disk had refused to write. Raises
        StoreError."""
        self._release()
        try:
            self._open_for_writing()
        except StoreError as error:
            self._open_read_only()
            raise StoreError("Not saved: {reason}", reason=disk_reason(error)) from error

    def take_over(self, offer: Offer) -> None:
        """Replaces this record, which has no game yet, with one that a stick offers; this record is
        kept beside it. A power cut leaves one or the other. Raises StoreError if it fails."""
        if self._guard is None:
            self._reopen()
        self._refuse_if_replaced()
        self._disconnect()
        self._written.clear()  # these rows aren't in the stick's record
        failed = None
        try:
            replace_with_file(self.path, offer.path(self.path))
        except OSError as error:
            failed = error
        self._reopen()  # also completes a replacement that failed half-way
        if failed is not None and not self.newest_game():
            raise store_error("The stick's games can't be taken: {reason}", failed) from failed
        self._messages.append(_taken_over_sentence(offer))
        self.on_kept()

    # ------------------------------------------------------------ reading what was kept

    def last_game(self) -> tuple[int, Journal[object]] | None:
        """The newest game that was not taken back, with its number; None if there is none. Reads
        only the rows since it was opened, and checks their chain."""
        for number, fold in self._newest_first():
            if fold.journal and not fold.journal.withdrawn:
                return number, fold.journal
        return None

    def row_made_by(self, source: str) -> int | None:
        """The number of the row made by the press or proposal with this identity; None if it made
        none. Raises StoreError, also while the record on the disk can't be read."""
        if self._is_stand_in:
            raise StoreError("{path} can't be read now", path=self.path)
        row = super().row_made_by(source)
        if self._doubtful is not None and row == self._doubtful.seq:
            self._note_written(self._doubtful)
            self._doubtful = None  # the caller knows about it now
        return row

    def walk(self, first: int = 1) -> Iterator[LinkOrBreak]:
        """Every row from number `first` on, with a ChainBreak for recorded losses. Raises
        DamagedError if other rows are missing."""
        return self._raise_new_damage(super().walk(first))

    def _raise_new_damage(self, items: Iterator[LinkOrBreak]) -> Iterator[LinkOrBreak]:
        for item in items:
            if isinstance(item, ChainBreak):
                self._note_damage(item)
            yield item

    def _note_damage(self, missing: ChainBreak) -> None:
        if row_number_of_loss(missing, self.loss_marks()) is None:
            raise DamagedError("{missing}", missing=missing)

    def _newest_first(self) -> Iterator[tuple[int, Fold]]:
        """Yields the games with their folds, the one opened last first. Reads and checks the rows
        backwards from the last one, so it needs neither other games nor an index."""
        held: list[LinkOrBreak] = []
        for item in self._raise_new_damage(walk_back(self.query)):
            held.append(item)
            if isinstance(item, ChainLink) and item.game and '"kind": "opened"' in item.row:
                fold = self.new_fold(item.game)
                for number, one in by_game(reversed(held)):
                    if number == item.game:
                        fold.add(one)
                if fold.end().journal is not None:
                    yield item.game, fold

    # ------------------------------------------------------------ starting, mending

    def repair(self) -> None:
        """Sets the record aside and replaces it with one of all readable rows. Raises StoreError if
        that fails, or if the file isn't the companion's."""
        with self._repairing():
            self._disconnect()
            try:
                if not self._is_our_file and not self._has_rows():
                    lock_of(self.path).unlink(missing_ok=True)
                    raise StoreError(
                        "{path} is not a record of the companion: name another file",
                        path=self.path,
                    )
                self._messages.append(replace_damaged(self.path, self._now(), self._written))
                self._connect()
                self._attach_text()
            except (*DB_ERRORS, OSError) as error:
                if isinstance(error, StoreError):
                    raise
                message = mark("the record {path} is damaged and can't be replaced: {reason}")
                raise store_error(message, error, path=self.path) from error

    def _has_rows(self) -> bool:
        """Whether the file is a record, however damaged."""
        with read_damaged(self.path, self._written) as found:
            return found.rows.last is not None

    def _open_for_writing(self) -> None:
        try:
            if not self.path.exists():
                make_folder(self.path.parent)
            refuse_irregular_file(self.path)
            self._is_our_file = self._is_our_file and (
                lock_of(self.path).exists() or not self.path.exists()
            )
            self._lock = take_lock(self.path)
            if replaced := finish_replacing(self.path):
                self._messages.append(replaced)
            if not self.path.exists() and not Path(f"{self.path}-wal").exists():
                make_record(self.path)
            try:
                log = Path(f"{self.path}-wal")
                cut_off = log.exists() and log.stat().st_size > 0
                self._connect()
                if cut_off:
                    self._recover_from_text_copy()
                notices = self._check_last_game()
            except (DamagedError, *DB_ERRORS) as error:
                if not isinstance(error, DamagedError) and not is_damage(error):
                    raise
                self.repair()
                notices = self._check_last_game()
            self._messages += notices
            self._attach_text()
            note_recovered(self._lock)
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            message = mark("the record {path} can't be written: {reason}")
            raise store_error(message, error, path=self.path) from error

    def _open_read_only(self) -> None:
        """Opens the record for reading only, or an empty one if it can't be read."""
        self._release()
        try:
            reader = Reader.open(self.path, self.catalog)
            self._db, self._held_files = reader._db, reader._held_files
            self._messages += reader.warnings
        except StoreError:
            self._db = connect(":memory:")
            self._db.executescript(SCHEMA)
            self._is_stand_in = True

    def _release(self) -> None:
        self._disconnect()
        self._held_files.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _connect(self) -> None:
        """Connects to the record for writing. Raises DamagedError, or sqlite3.Error for problems of
        the machine."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            # SQLite would remove the log beside an empty file.
            raise DamagedError("the file is empty")
        if (log := Path(f"{self.path}-wal")).exists():
            sync(log)  # a run that was killed may have left a row unsynced, which is now shown
        address = f"file:{quote(str(self.path))}"
        try:
            self._db.close()
            self._file = file_identity(self.path)
            self._db = connect(f"{address}?mode=rw")
            # Read before anything is written, because this fails for another program's file.
            self._tip = self._last_row_and_hash()
            (mode,) = self._db.execute("PRAGMA journal_mode = WAL").fetchone()
            self._db.execute("PRAGMA synchronous = FULL")
            # A second connection that can't write keeps SQLite from removing the log at the end.
            self._guard = connect(f"{address}?mode=ro")
            self._guard.execute("SELECT seq FROM record ORDER BY seq LIMIT 1").fetchall()
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ROLLBACK")
            sync(self.path.parent)  # makes the log's name durable; SQLite ignores such failures
        except DB_ERRORS as error:
            # A damaged header can mark a file as read-only that is not.
            read_only = primary_code(error) == sqlite3.SQLITE_READONLY
            if is_damage(error) or (read_only and os.access(self.path, os.W_OK)):
                raise DamagedError("{reason}", reason=reason(error)) from error
            raise
        if mode != "wal":
            raise DamagedError("the file does not keep a log")

    def _recover_from_text_copy(self) -> None:
        """Recovers the rows that only the text copy has after a power cut, as SQLite reads nothing
        after a damaged place in its log. Raises DamagedError if some of them are missing."""
        seq, tip = self._last_row_and_hash()
        try:
            tail = find_tail(copies_folder(self.path), seq, self.hash_of)
            rows, newest = tail.rows_after(tip), tail.newest
            if newest is None and (first := self._first_row()) is not None:
                # Up to 0.3 the copies beside a record had a file for each game.
                newest = Folder.of(copies_folder(self.path), first).newest()
        except OSError:
            return  # the copies may be on the broken part of the disk
        if newest is not None and newest.seq > (rows[-1].seq if rows else seq):
            raise DamagedError("rows of the log are missing")
        if rows:
            self._db.execute("BEGIN")
            self._db.executemany(INSERT, (link.columns for link in rows))
            self._db.execute("COMMIT")
            self._tip = (rows[-1].seq, rows[-1].hash)
        self._messages += _recovery_sentences(tail, rows, seq)

    def _attach_text(self) -> None:
        """Starts keeping the text copy up to date. If it lacks more than FEW_ROWS rows, or has
        different ones, the copier thread does that later."""
        self._close_text()
        with suppress(OSError):  # the copier thread, or the check, reports the fault
            first = self._first_row()
            if first is None:
                return
            self.text = text = TextCopy.of(copies_folder(self.path), first)
            newest = text.newest()
            question = (
                f"SELECT {COLUMNS} FROM record WHERE seq > ? ORDER BY seq LIMIT {FEW_ROWS + 1}"
            )
            found = self.query(question, newest.seq if newest else 0)
            links = [one for one in map(link_from_columns, found) if one is not None and one.intact]
            text.follow(self._last_row_and_hash()[1], links)

    def _first_row(self) -> ChainLink | None:
        """The record's first row; None if there is none, or it is damaged. Raises StoreError."""
        found = self.query(f"SELECT {COLUMNS} FROM record ORDER BY seq LIMIT 1")
        link = link_from_columns(found[0]) if found else None
        return link if link is not None and link.intact else None

    def _close_text(self) -> None:
        if self.text is not None:
            self.text.close()
            self.text = None

    def _check_last_game(self) -> list[Sentence]:
        """Checks the last game's rows, and that the file is as long as its header says."""
        notices: list[Sentence] = []
        for _, fold in self._newest_first():
            if fold.journal and not fold.journal.withdrawn:
                notices = fold.faults
                break
        log = Path(f"{self.path}-wal")
        (pages,) = self._db.execute("PRAGMA page_count").fetchone()
        (size,) = self._db.execute("PRAGMA page_size").fetchone()
        if log.stat().st_size == 0 and self.path.stat().st_size < pages * size:
            raise DamagedError("the file was cut short")
        more = len(notices) - 1
        if more < 1:
            return notices
        return [
            Sentence("{line} (and {more} more: see companion verify)", line=notices[0], more=more)
        ]

    def _disconnect(self) -> None:
        self._close_text()
        self._tip = self._loss_marks = None
        self._is_stand_in = False
        self._db.close()
        if self._guard is not None:
            self._guard.close()
            self._guard = None


def _taken_over_sentence(offer: Offer) -> Sentence:
    if offer.club:
        if offer.games == 1:
            return Sentence("The club's game is here")
        return Sentence("The club's {games} games are here", games=offer.games)
    if offer.games == 1:
        return Sentence("The stick's game is here")
    return Sentence("The stick's {games} games are here", games=offer.games)


def _recovery_sentences(tail: Tail, rows: list[ChainLink], seq: int) -> list[Sentence]:
    """Lines about rows that were recovered after row `seq`, and about a torn row."""
    notices, many = list[Sentence](), len(rows)
    if many > 1:
        notices.append(Sentence("The last {many} entries were found again in the copy", many=many))
    elif many:
        notices.append(Sentence("The last entry was found again in the copy"))
    if tail.torn and tail.newest is not None and tail.newest.seq >= seq:
        notices.append(
            Sentence("An entry was being saved when the power went: check whether it is there")
        )
    return notices
