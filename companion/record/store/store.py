"""The record on the disk: rows are only ever added, each committed before its effect is shown.

SQLite in WAL mode with synchronous=FULL: one fsync a row, and what was committed survives the power
switch, the normal way to switch the box off. One process writes, by a lock on a file beside the
record; any number read (reader.py).

SQLite assumes that a disk harms nothing beside what it writes (`psow=1`). On disks that turn the
whole sector to garbage a commit can cost the rows before it. These are in the text copy, which has
each row on the disk before the next one is committed (copies/text_copy.py). `psow=0` would write
39 % more, and on a full disk it could silently bring back a row that was reported as not saved.

If a disk refuses to sync a row, the kernel may still write it later, or never. The rows that count
are then put into the file, and the log is cut off, so that the refused row can't come back
silently. SQLite ignores it if a disk refuses to sync a folder, which holds the files' names: so the
log's folder is synced at each start, and nothing is saved before.

How a record is opened, and mended if it is damaged, is in repair/opening.py.
"""

import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path

from companion.core.clock import CLOCK_SET, Clock
from companion.core.seats import Seat
from companion.core.words import Sentence, mark
from companion.games.game import AnyGame
from companion.record.copies.copies import beside
from companion.record.copies.stick import Offer
from companion.record.copies.text_copy import TextCopy
from companion.record.journal import Journal
from companion.record.repair.opening import Mending, Opening
from companion.record.repair.salvage import replace_by, replace_record, sync
from companion.record.rows import Kept, Row
from companion.record.store.chain import INSERT, ChainLink
from companion.record.store.codec import encode_row
from companion.record.store.faults import (
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
from companion.record.store.lock import has_lock, identity, take_lock


class Store(Opening):
    """The one writer of a record."""

    def __init__(
        self, path: Path, catalog: Mapping[str, AnyGame], clock: Clock, mending: Mending
    ) -> None:
        super().__init__(path, catalog, clock, mending)
        self._doubtful: ChainLink | None = None
        """A row whose saving failed, if the disk didn't say either whether it has the row."""
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

        A damaged record is set aside and its readable rows go into a new one, within the context
        that `mending` gives. On a full, read-only or broken disk the record is only read until the
        disk is mended; `messages` tells that. Raises LockedError if another run has the record,
        StoreError if it can't be used.
        """
        store = cls(path, catalog, clock, mending)
        try:
            store._start()
        except UnwritableError as error:
            store._messages.append(
                Sentence("Nothing can be saved: {reason}", reason=disk_reason(error))
            )
            store._read_meanwhile()
        except BaseException:
            store.close()
            raise
        return store

    # ------------------------------------------------------------ writing

    def keep(
        self,
        game: int,
        row: Row,
        source: str | None = None,
        keyed_by: Seat | None = None,
        agreed_by: tuple[Seat, ...] | None = None,
    ) -> Kept:
        """Adds a row to a game (0: a setting of the box) and returns when it is on the disk.
        `source`: the identity of what made it; `keyed_by`: the seat whose phone it was;
        `agreed_by`: who agreed to it, as in Kept.

        Raises StoreError: nothing was kept, everything is as it was, and it can be tried again.
        Raises Seen if the press or proposal `source` has made a row before, and OvertakenError if
        what was read before no longer stands.
        """
        text = encode_row(row, keyed_by, agreed_by)
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
        return Kept(link.seq, game, row, at, source, keyed_by, agreed_by, link.hash)

    def new_game(self) -> int:
        """The number for the next game: one more than the newest game has. After a loss of an
        unknown number of rows it is the first one of the next hundred, as nobody knows how many
        games were lost."""
        newest = self.newest_game()
        opened = (self._span(newest)[0] or 0) if newest else 0
        unknown = [seq for seq, lost in self.marks() if any(gap.last is None for gap in lost.gaps)]
        return (newest // 100 + 1) * 100 + 1 if opened < max(unknown, default=0) else newest + 1

    def seconds_since(self, game: int) -> float | None:
        """Seconds from a game's newest row until now; None if the clock was not set then, or isn't
        now."""
        question = "SELECT at FROM record WHERE game = ? ORDER BY seq DESC LIMIT 1"
        found, now = self.ask(question, game), self._clock()
        if not found or found[0][0] is None or now < CLOCK_SET:
            return None
        return max(now - float(found[0][0]), 0.0)

    def _append(self, game: int, text: str, at: float | None, source: str | None) -> ChainLink:
        link = None
        self._write_text()
        try:
            seq, before = self._tip or self._last()
            # Unknown until it is certain: a failed commit is looked up before the next one.
            self._tip = None
            self._refuse_after_doubtful(before)
            link = ChainLink.make(before, (seq + 1, game, text, at, source))
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
        self._was_written(link)
        return link

    def _write_text(self) -> None:
        """Brings the row before to the text copy, before the next one is written to the log; where
        that fails, the thread that copies says so."""
        if self.text is not None:
            with suppress(OSError):
                self.text.flush()

    def _was_written(self, link: ChainLink) -> None:
        self._written.append(link)
        if self.text is None and link.seq == 1:
            self.text = TextCopy.of(beside(self.path), link)
            with suppress(OSError):
                self.text.follow()
        if self.text is not None:
            self.text.add(link)

    def _is_there(self, link: ChainLink, error: DbError) -> bool:
        """Whether a row whose commit failed is on the disk all the same. If not, it won't be after
        a power cut either; if that can't be made sure, it becomes `_doubtful`."""
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
        """Puts the rows that count into the file and cuts off the log. A row of which only the sync
        failed lies whole in the log, unseen, and may come to the disk yet. Raises StoreError if
        somebody is reading the log."""
        (busy, *_) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError("somebody is reading the log")
        sync(Path(f"{self.path}-wal"))

    def _not_saved(self, link: ChainLink | None, error: DbError) -> StoreError:
        if is_damage(error):
            return DamagedError("{reason}", reason=reason(error))
        doubtful = link is not None and link is self._doubtful
        if doubtful:
            return cant("Perhaps not saved: {reason}", error)
        return cant("Not saved: {reason}", error)

    def _refuse_after_doubtful(self, tip: bytes) -> None:
        """Raises OvertakenError if the row that was perhaps not saved turns out to be in the
        record: that row stands."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is not None and doubtful.hash == tip:
            self._was_written(doubtful)
            raise OvertakenError("The last entry was saved after all: go on from there")

    def _refuse_if_replaced(self) -> None:
        """Makes sure before each row that the names of record and lock still lead to the files that
        we have: somebody may have removed the lock, and another run may have taken it then. Raises
        OvertakenError if that run has written, StoreError if the files can't be had again."""
        assert self._lock is not None
        if not has_lock(self.path, self._lock):
            tip = self._tip or self._last()
            try:
                lock = take_lock(self.path)
            except LockedError as error:
                raise StoreError("Not saved: {why}", why=error) from error
            except OSError as error:
                raise cant("Not saved: {reason}", error) from error
            self._lock.close()
            self._lock, self._tip = lock, None
            if self._last() != tip:
                raise OvertakenError("Another run has written to the record: go on from there")
        if identity(self.path) != self._file:
            self._write_anew()

    def _write_anew(self) -> None:
        """Writes anew all that can still be read of the record, whose file was taken away. Raises
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
            message = mark("Not saved: the record's file was taken away: {reason}")
            raise cant(message, error) from error
        self._messages.append(Sentence("The record's file was taken away: it was written again"))

    def _start_again(self) -> None:
        """Opens the record again for a row, on a disk that took nothing so far. Raises
        StoreError."""
        self._let_go()
        try:
            self._start()
        except StoreError as error:
            self._read_meanwhile()
            raise StoreError("Not saved: {reason}", reason=disk_reason(error)) from error

    def take_over(self, offer: Offer) -> None:
        """Puts the record that a stick offers in the place of this one, which has no game yet and
        is kept beside. If the power is cut meanwhile, it is done whole or not at all. Raises
        StoreError if it is not done."""
        if self._guard is None:
            self._start_again()
        self._refuse_if_replaced()
        self._disconnect()
        self._written.clear()  # of another course of play
        failed = None
        try:
            replace_by(self.path, offer.path(self.path))
        except OSError as error:
            failed = error
        self._start_again()  # which also ends what has failed half-way
        if failed is not None and not self.newest_game():
            raise cant("The stick's games can't be taken: {reason}", failed) from failed
        self._messages.append(_taken(offer))
        self.on_kept()

    # ------------------------------------------------------------ reading what was kept

    def last_game(self) -> tuple[int, Journal[object]] | None:
        """The newest game that was not taken back, with its number; None if there is none. Reads
        only the rows since it was opened, and checks their chain."""
        for number, fold in self._newest_first():
            if fold.journal and not fold.journal.withdrawn:
                return number, fold.journal
        return None

    def row_of(self, source: str) -> int | None:
        """The number of the row that the press or the proposal of this identity made; None: it made
        none. Raises StoreError, also while the record on the disk can't be read."""
        if self._stands_in:
            raise StoreError("{path} can't be read now", path=self.path)
        row = super().row_of(source)
        if self._doubtful is not None and row == self._doubtful.seq:
            self._was_written(self._doubtful)
            self._doubtful = None  # whoever asks knows of it now
        return row


def _taken(offer: Offer) -> Sentence:
    """What is said of games that were taken over."""
    if offer.club:
        if offer.games == 1:
            return Sentence("The club's game is here")
        return Sentence("The club's {games} games are here", games=offer.games)
    if offer.games == 1:
        return Sentence("The stick's game is here")
    return Sentence("The stick's {games} games are here", games=offer.games)
