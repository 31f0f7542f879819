"""Opening the record for writing, and mending it. Damage is noticed when it is met: at the start,
in play, or by the check of all rows that follows every start.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

from companion.core.clock import CLOCK_SET, Clock
from companion.core.words import Sentence, mark
from companion.games.game import AnyGame
from companion.record.copies.copies import Folder, beside
from companion.record.copies.text_copy import Tail, TextCopy, tail_beside
from companion.record.fold import Fold, known_by
from companion.record.repair.readable import readable, replace_damaged
from companion.record.repair.salvage import finish_replacing, make_folder, make_record, sync
from companion.record.store.chain import COLUMNS, INSERT, SCHEMA, ChainLink, link_of
from companion.record.store.connection import connect
from companion.record.store.faults import (
    DB_ERRORS,
    DamagedError,
    StoreError,
    cant,
    is_damage,
    primary_code,
    reason,
)
from companion.record.store.lock import identity, lock_of, refuse_no_file, take_lock, tell_open
from companion.record.store.reader import Reader
from companion.record.store.walk import Missing, Walked, by_game, walk_back

FEW = 8
"""How many rows the start itself adds to the text copy: a power cut leaves one."""

Mending = Callable[[], AbstractContextManager[object]]
"""Gives the context in which a damaged record is put together again, which may take a while."""


class Opening(Reader):
    """A record that nobody else writes, as whole as it can be made."""

    _by = ""  # by the index: if that is damaged, too, the check after the start finds it

    def __init__(
        self, path: Path, catalog: Mapping[str, AnyGame], clock: Clock, mending: Mending
    ) -> None:
        super().__init__(connect(":memory:"), path, catalog)
        self._clock, self._mending = clock, mending
        self._lock: BinaryIO | None = None
        self._file: tuple[int, int] | None = None
        """The identity of the record's file (store/lock.py)."""
        self._guard: sqlite3.Connection | None = None
        self._tip: tuple[int, bytes] | None = None
        self._written: list[ChainLink] = []
        """The rows that this run has written, kept in case the disk loses them."""
        self.text: TextCopy | None = None
        """The text copy beside; None: the record has no row yet, or can't be written."""
        self._stands_in = False
        """Whether an empty record is read because the one on the disk can't be read now."""
        self._ours = True
        """Whether the companion has written here before, or has just made the file."""
        self._messages: list[Sentence] = []

    @property
    def messages(self) -> tuple[Sentence, ...]:
        """What the table should know about the record, one line each; grows when damage is
        found."""
        return tuple(self._messages)

    def close(self) -> None:
        """Lets go of the record. The files of its log stay, empty: readers that may not write
        beside the record need them (store/reader.py)."""
        self._close_text()
        if self._guard is not None:
            # If that fails, the log stays as it is, and the next start reads it.
            with suppress(*DB_ERRORS):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._let_go()

    def _now(self) -> float | None:
        now = self._clock()
        return float(now) if now >= CLOCK_SET else None

    # ------------------------------------------------------------ reading what was kept

    def walk(self, first: int = 1) -> Iterator[Walked]:
        """Every row from number `first` on, and a Missing for rows that a mark says are lost.
        Raises DamagedError if other rows are missing."""
        return self._expected(super().walk(first))

    def _expected(self, items: Iterator[Walked]) -> Iterator[Walked]:
        for item in items:
            if isinstance(item, Missing):
                self._noticed(item)
            yield item

    def _noticed(self, missing: Missing) -> None:
        if known_by(missing, self.marks()) is None:
            raise DamagedError("{missing}", missing=missing)

    def _newest_first(self) -> Iterator[tuple[int, Fold]]:
        """The games by their opening, newest first, each with its fold. Rows are read backwards
        from the last one, so that neither other games nor an index is needed, and each is checked
        on the way."""
        held: list[Walked] = []
        for item in self._expected(walk_back(self.ask)):
            held.append(item)
            if isinstance(item, ChainLink) and item.game and '"kind": "opened"' in item.row:
                fold = self.new_fold(item.game)
                for number, one in by_game(reversed(held)):
                    if number == item.game:
                        fold.take(one)
                if fold.end().journal is not None:
                    yield item.game, fold

    # ------------------------------------------------------------ starting, mending

    def mend(self) -> None:
        """Sets the record aside and puts a new one with every readable row in its place. Raises
        StoreError if that can't be done, or if the file isn't the companion's."""
        with self._mending():
            self._disconnect()
            try:
                if not self._ours and not self._has_rows():
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
                raise cant(message, error, path=self.path) from error

    def _has_rows(self) -> bool:
        """Whether the file at the path is a record, however damaged."""
        with readable(self.path, self._written) as found:
            return found.rows.last is not None

    def _start(self) -> None:
        try:
            if not self.path.exists():
                make_folder(self.path.parent)
            refuse_no_file(self.path)
            self._ours = self._ours and (lock_of(self.path).exists() or not self.path.exists())
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
                    self._put_back()
                notices = self._checked()
            except (DamagedError, *DB_ERRORS) as error:
                if not isinstance(error, DamagedError) and not is_damage(error):
                    raise
                self.mend()
                notices = self._checked()
            self._messages += notices
            self._attach_text()
            tell_open(self._lock)
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            message = mark("the record {path} can't be written: {reason}")
            raise cant(message, error, path=self.path) from error

    def _read_meanwhile(self) -> None:
        """Reads the record without writing it; if it can't be read, an empty one is read
        instead."""
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
        """Connects to the record for writing. Raises DamagedError, or sqlite3.Error if the trouble
        is the machine's."""
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
                raise DamagedError("{reason}", reason=reason(error)) from error
            raise
        if mode != "wal":
            raise DamagedError("the file does not keep a log")

    def _put_back(self) -> None:
        """Puts back the rows that only the text copy has, after a power cut: behind a damaged place
        SQLite reads nothing of its log. Raises DamagedError if some of them are missing."""
        seq, tip = self._last()
        try:
            tail = tail_beside(beside(self.path), seq, self.hash_of)
            rows, newest = tail.after(tip), tail.newest
            if newest is None and (first := self._first_row()) is not None:
                # Up to 0.3 the copies beside were a file for each game.
                newest = Folder.of(beside(self.path), first).newest()
        except OSError:
            return  # the copies may lie on the part of the disk that is broken
        if newest is not None and newest.seq > (rows[-1].seq if rows else seq):
            raise DamagedError("rows of the log are missing")
        if rows:
            self._db.execute("BEGIN")
            self._db.executemany(INSERT, (link.columns for link in rows))
            self._db.execute("COMMIT")
            self._tip = (rows[-1].seq, rows[-1].hash)
        self._messages += _tell(tail, rows, seq)

    def _attach_text(self) -> None:
        """Begins to keep the text copy up to date. If more than FEW rows are missing there, or it
        has others, that is left to the thread that copies."""
        self._close_text()
        with suppress(OSError):  # what is wrong is said by the thread that copies, or by the check
            first = self._first_row()
            if first is None:
                return
            self.text = text = TextCopy.of(beside(self.path), first)
            newest = text.newest()
            question = f"SELECT {COLUMNS} FROM record WHERE seq > ? ORDER BY seq LIMIT {FEW + 1}"
            found = self.ask(question, newest.seq if newest else 0)
            links = [one for one in map(link_of, found) if one is not None and one.intact]
            text.follow(self._last()[1], links)

    def _first_row(self) -> ChainLink | None:
        """The record's first row; None if it has none, or a damaged one. Raises StoreError."""
        found = self.ask(f"SELECT {COLUMNS} FROM record ORDER BY seq LIMIT 1")
        link = link_of(found[0]) if found else None
        return link if link is not None and link.intact else None

    def _close_text(self) -> None:
        if self.text is not None:
            self.text.close()
            self.text = None

    def _checked(self) -> list[Sentence]:
        """Checks the last game's rows, and that the file is as long as it says it is."""
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
        self._tip = self._known = None
        self._stands_in = False
        self._db.close()
        if self._guard is not None:
            self._guard.close()
            self._guard = None


def _tell(tail: Tail, rows: list[ChainLink], seq: int) -> list[Sentence]:
    """Lines about rows that were put back after row `seq`, and about one of which the text copy has
    only a part."""
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
