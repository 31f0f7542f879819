"""Reading a record: of a running service, of a stopped one, also as another user of its group.

Order comes from `seq` alone; no clock survives the power switch of a Pi.
"""

import fcntl
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Self
from urllib.parse import quote

from companion.errors import EntryError, RuleError
from companion.games.game import (
    AnyGame,
)
from companion.games.options import (
    Value,
)
from companion.record.chain import COLUMNS, START, Link, connect, link_of
from companion.record.codec import NewerError, Table, decode_row
from companion.record.faults import DB_ERRORS, DamagedError, StoreError, is_damage, reason
from companion.record.journal import Journal
from companion.record.rows import Kept, Opened, Setting

_CHUNK = 256
_NEVER = 2**62
"""Above the number of any game."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list of games: its number, how it was opened and when."""

    number: int
    opened: Opened
    at: float | None


class Reader:
    """The record, read-only. Every method raises StoreError where the file can't be read, and
    DamagedError where it is not what was written."""

    def __init__(self, db: sqlite3.Connection, path: Path, catalog: Mapping[str, AnyGame]) -> None:
        self._db = db
        self._path = path
        self._catalog = catalog
        self._held = ExitStack()

    @classmethod
    def open(cls, path: Path, catalog: Mapping[str, AnyGame]) -> "Reader":
        """Opens the record of a running or a stopped service; changes nothing on the disk."""
        try:
            with path.open("rb"):
                pass
            address, held = _way_in(path)
            reader = cls(connect(address), path, catalog)
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            raise StoreError(f"{path} can't be read: {reason(error)}") from error
        reader._held = held
        try:
            reader.ask(f"SELECT {COLUMNS} FROM record ORDER BY seq LIMIT 1")
        except StoreError:
            reader.close()
            raise
        return reader

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ games

    def last_game(self) -> tuple[int, Journal] | None:
        """The newest game that was not taken back, by its number; reads only the rows since it was
        opened, and checks their chain."""
        for number, journal, _ in self._newest_first():
            if not journal.withdrawn:
                return number, journal
        return None

    def previous(self, game: int) -> tuple[int, Journal] | None:
        """The newest game before this one that was not taken back."""
        for number in self._older_than(game):
            journal = self.game(number)
            if journal and not journal.withdrawn:
                return number, journal
        return None

    def next(self, game: int) -> tuple[int, Journal] | None:
        """The game after this one, even if it was taken back (Redo in it brings it back)."""
        for number in self._newer_than(game):
            if journal := self.game(number):
                return number, journal
        return None

    def game(self, game: int) -> Journal | None:
        """A game as it stands; None if there is no such game."""
        return self.folded(game)[0]

    def folded(self, game: int) -> tuple[Journal | None, list[str]]:
        """A game as it stands, and a line for each row that no longer holds: such a row is passed
        over, now and ever after, so that what came later still counts."""
        return self._fold(self._links(game))

    def games(self, newest_first: bool = False) -> Iterator[Listed]:
        """The games of the record, those that were taken back too."""
        for number in self._older_than() if newest_first else self._newer_than(0):
            yield from self.listed(number)

    def listed(self, game: int) -> Iterator[Listed]:
        """The game as the list of games has it; nothing where its first row can't be read."""
        for first in islice(self._links(game, 1), 1):
            with suppress(EntryError):
                row = decode_row(first.row)
                if isinstance(row, Opened):
                    yield Listed(game, row, first.at)

    def rows(self, game: int) -> Iterator[Kept]:
        """The rows of a game (0: settings), oldest first; EntryError at one that can't be read."""
        table = None
        for link in self._links(game):
            row = decode_row(link.row, table)
            if isinstance(row, Opened):
                table = Table.of(row, self._catalog)
            yield Kept(link.seq, game, row, link.at, link.source)

    def numbers(self) -> Iterator[int]:
        """The numbers of all games, the oldest first."""
        return self._newer_than(0)

    def settings(self, since: int | None = None) -> dict[str, Value]:
        """The last value of each setting of the box; `since`: of those alone that were made after
        that game was opened, none where there is no such game."""
        opened = 0
        if since is not None:
            opened = self.ask("SELECT min(seq) FROM record WHERE game = ?", since)[0][0]
            if opened is None:
                return {}
        found = {}
        for link in self._links(0, after=opened):
            try:
                row = decode_row(link.row)
            except EntryError:
                continue
            if isinstance(row, Setting):
                found[row.name] = row.value
        return found

    def last_row(self) -> int:
        """The number of the newest row, 0 if there is none: a short question to the file."""
        return int(self.ask("SELECT max(seq) FROM record")[0][0] or 0)

    def last_press(self, keypad: str, boot: int) -> int:
        """The highest number of a press of that start of a keypad that made a row; 0: none did."""
        before = f"{keypad}/{boot}/"
        question = (
            "SELECT max(CAST(substr(source, ?) AS INTEGER)) FROM record "
            "WHERE source >= ? AND source < ?"
        )
        found: int | None = self.ask(question, len(before) + 1, before, f"{before[:-1]}0")[0][0]
        return found or 0

    # ------------------------------------------------------------ reading links

    def _fold(self, links: Iterator[Link]) -> tuple[Journal | None, list[str]]:
        journal, table, faults = None, None, []
        for link in links:
            try:
                row = decode_row(link.row, table)
                if journal is not None:
                    journal = journal.fold(row)
                elif isinstance(row, Opened):
                    journal = Journal.begin(row, self._catalog)
                    table = Table.of(row, self._catalog)
                else:
                    faults.append(
                        f"row {link.seq} (game {link.game}) has no game: its first row is missing"
                    )
            except NewerError as error:
                raise StoreError(f"row {link.seq} of {self._path.name}: {error}") from error
            except (EntryError, RuleError) as error:
                faults.append(f"row {link.seq} (game {link.game}) no longer holds: {error}")
        return journal, faults

    def _newest_first(self) -> Iterator[tuple[int, Journal, list[str]]]:
        """The games by their opening, newest first. Rows are read backwards from the last one, so
        that neither other games nor an index is needed, and each is checked on the way."""
        held: list[Link] = []
        for link in self._backwards():
            held.append(link)
            if link.game and '"kind": "opened"' in link.row:
                mine = (one for one in reversed(held) if one.game == link.game)
                journal, faults = self._fold(mine)
                if journal is not None:
                    yield link.game, journal, faults

    def _backwards(self) -> Iterator[Link]:
        after: Link | None = None
        last: int | None = None
        while last is None or last > 0:
            older = "" if last is None else f"WHERE seq <= {last} "
            found = self.ask(
                f"SELECT {COLUMNS} FROM record {older}ORDER BY seq DESC LIMIT {_CHUNK}"
            )
            if not found:
                break
            for columns in found:
                link = link_of(columns)
                if link is None or not link.intact:
                    raise DamagedError(f"row {columns[0]} is not what was written")
                if after and (after.seq != link.seq + 1 or after.before != link.hash):
                    raise DamagedError(f"row {after.seq} does not follow on row {link.seq}")
                # What is yielded has to be proven by its link to the row before, too: go on first.
                if after:
                    yield after
                after = link
            last = found[-1][0] - 1
        if after:
            if after.seq != 1 or after.before != START:
                raise DamagedError(f"the rows before row {after.seq} are missing")
            yield after

    def _links(self, game: int, chunk: int = _CHUNK, after: int = 0) -> Iterator[Link]:
        seq = after
        question = f"SELECT {COLUMNS} FROM record WHERE game = ? AND seq > ? ORDER BY seq LIMIT ?"
        while found := self.ask(question, game, seq, chunk):
            for columns in found:
                if (link := link_of(columns)) is None:
                    raise DamagedError(f"row {columns[0]} is not what was written")
                yield link
            seq = found[-1][0]

    def _newer_than(self, game: int) -> Iterator[int]:
        """Numbers of games, found one by one: a stored game costs nothing until it is asked for."""
        question = "SELECT min(game) FROM record WHERE game > ?"
        while (game := self.ask(question, game)[0][0]) is not None:
            yield game

    def _older_than(self, game: int = _NEVER) -> Iterator[int]:
        question = "SELECT max(game) FROM record WHERE game < ? AND game > 0"
        while (game := self.ask(question, game)[0][0]) is not None:
            yield game

    def ask(self, question: str, *values: int | str) -> list[Any]:
        """All rows that a question in SQL gives."""
        try:
            return self._db.execute(question, values).fetchall()
        except DB_ERRORS as error:
            fault = DamagedError if is_damage(error) else StoreError
            raise fault(f"{self._path} can't be read: {reason(error)}") from error


def _way_in(path: Path) -> tuple[str, ExitStack]:
    """The address to open a record by without writing, and what to hold on to meanwhile.

    A writer that runs, and one that has stopped, leaves both files of SQLite's log, which a reader
    needs beside the record and may not be allowed to make. A power cut can have lost the second
    one: then a copy is read. Without a log the file is complete in itself, and must not change.
    """
    log, shared = Path(f"{path}-wal"), Path(f"{path}-shm")
    lock = Path(f"{path}.lock")
    for _ in range(100):
        if log.exists() and shared.exists():
            return f"file:{quote(str(path))}?mode=ro", ExitStack()
        with ExitStack() as hold:
            if lock.exists() and not _shared(hold.enter_context(lock.open("rb"))):
                time.sleep(0.02)  # a writer is about to make its log
                continue
            if not log.exists():
                return f"file:{quote(str(path))}?mode=ro&immutable=1", hold.pop_all()
            folder = Path(hold.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
            copy = folder / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, f"{copy}-wal")
            return f"file:{quote(str(copy))}?mode=rw", hold.pop_all()
    raise StoreError(f"{path} can't be read: another program holds the file")


def _shared(lock: BinaryIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
