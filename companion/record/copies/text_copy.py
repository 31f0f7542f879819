"""The text copy beside a record: one file with every row, in order, at most one row behind.

    record.copies/record-3f2a90bc/all.rows

A row is committed by SQLite, then shown, then added here and synced, all before the next row is
committed. So one of the two files at most is being written at any moment, and the other has every
row that was shown on the disk: what a power cut or a bad card makes of the one comes back from the
other. Its lines are those of other copies (copies.py).

Space is written in advance, as empty lines: to sync a row then changes no size, which saves a file
system three quarters of the bytes (docs/tried.md).
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

from companion.core.regular_file import open_descriptor, open_file
from companion.core.values import dataclass
from companion.record.copies.copies import (
    FOLDER_MODE,
    HEADER,
    MODE,
    WHOLE,
    Folder,
    format_line,
    read_line,
    read_rows,
)
from companion.record.repair.salvage import sync
from companion.record.store.chain import START, ChainLink
from companion.record.store.lock import identity

SPACE = 1 << 14
"""Bytes that are written in advance."""
WINDOW = 1 << 16
"""Bytes at the file's end in which its last rows are looked for first."""
ANY = 1 << 63
"""More than the number of any row."""
BLANK = b"\n\0"
"""Bytes that stand where no row was written yet: a power cut can leave zeros there."""


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Tail:
    """The last rows of a text copy, in the order in which they lie, and the byte at which its text
    ends. `torn`: its last line can't be read."""

    rows: tuple[ChainLink, ...] = ()
    end: int = 0
    torn: bool = False

    @property
    def newest(self) -> ChainLink | None:
        """The row with the highest number, the later one of two with the same."""
        return max(reversed(self.rows), key=lambda link: link.seq, default=None)

    def after(self, tip: bytes) -> list[ChainLink]:
        """The rows that follow on the row whose hash is `tip`."""
        following = {link.before: link for link in self.rows}
        found = list[ChainLink]()
        while (link := following.pop(tip, None)) is not None:
            found.append(link)
            tip = link.hash
        return found


def read_tail(path: Path, since: int = ANY) -> Tail:
    """The last rows of the text copy at `path`, back to the first one from its end with a number of
    at most `since`; empty if there is no such file. Raises OSError."""
    if not path.exists():
        return Tail()
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        window = WINDOW
        while True:
            first = max(0, size - window)
            file.seek(first)
            text = file.read(size - first).rstrip(BLANK)
            lines = text.split(b"\n")
            if first:
                del lines[0]  # it begins before the window
            rows = list[ChainLink]()
            for line in reversed(lines):
                if (link := read_line(line)) is not None:
                    rows.append(link)
                    if link.seq <= since:
                        break
            if not first or (rows and rows[-1].seq <= since):
                is_torn = bool(lines[-1:]) and read_line(lines[-1]) is None
                torn = is_torn and lines[-1] != HEADER.rstrip()
                return Tail(tuple(reversed(rows)), first + len(text), torn)
            window *= 4


def tail_beside(place: Path, seq: int, hash_of: Callable[[int], bytes | None]) -> Tail:
    """The last rows of the text copy, at `place`, of the record whose last row is `seq`; `hash_of`
    gives the hash of a row of the record. Empty if none is of this record. Raises OSError."""
    for path in sorted(place.glob(f"record-*/{WHOLE}")):
        if "." in path.parent.name:
            continue  # it was set aside
        tail = read_tail(path, seq)
        own = next((link for link in tail.rows if link.seq <= seq), None)
        if (tail.rows and not seq) or (own is not None and hash_of(own.seq) == own.hash):
            return tail
    return Tail()


# ---------------------------------------------------------------- writing


class TextCopy:
    """The text copy of one record, to be written. Any thread may use it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._path = folder.path / WHOLE
        self._lock = Lock()
        self._descriptor: int | None = None
        self._end = self._size = 0
        self._newest: ChainLink | None = None
        """The last row that is on the disk for certain."""
        self._waiting: list[ChainLink] = []
        self._is_closed = False
        self.follows = False
        """Whether every row of the record is here or waits to be written; if not, somebody has to
        append the rows between (Copy in copier.py)."""

    @classmethod
    def of(cls, place: Path, first: ChainLink) -> "TextCopy":
        """The text copy of the record whose first row this is."""
        return cls(Folder.of(place, first))

    @property
    def path(self) -> Path:
        """The folder, as of other copies."""
        return self._folder.path

    def newest(self) -> ChainLink | None:
        """The last row that is on the disk; None if there is none. Raises OSError."""
        with self._lock:
            if self._newest is None and self._path.exists():
                sync(self._path)  # a run that was killed may have left a row unsynced
                self._newest = read_tail(self._path).newest
            return self._newest

    def follow(self, tip: bytes | None = None, rows: Sequence[ChainLink] = ()) -> None:
        """From here on rows are written as they are added, if `rows` and those that wait follow on
        what is here and, if it is given, end with the row whose hash is `tip`. Raises OSError."""
        newest = self.newest()
        with self._lock:
            last = newest.seq if newest else 0
            waiting = {link.seq: link for link in (*rows, *self._waiting) if link.seq > last}
            self._waiting = [waiting[seq] for seq in sorted(waiting)]
            chain = [link.hash for link in (newest, *self._waiting) if link] or [START]
            befores = [link.before for link in self._waiting]
            starts = chain[:-1] if newest else [START, *chain[:-1]][: len(befores)]
            self.follows = befores == starts and tip in (None, chain[-1])

    def add(self, link: ChainLink) -> None:
        """Notes a row that SQLite has committed; `flush` writes it."""
        with self._lock:
            last = self._waiting[-1] if self._waiting else self._newest
            if last is not None and link.seq <= last.seq:
                return  # it was found in the record meanwhile
            self.follows &= link.before == (last.hash if last else START)
            self._waiting.append(link)

    def flush(self) -> None:
        """Writes the rows that wait, if they follow on what is here. Raises OSError; they wait on
        then."""
        with self._lock:
            if self._waiting and self.follows and not self._was_taken_away():
                self._write(self._waiting)
                self._waiting = []

    def append(self, links: Sequence[ChainLink]) -> None:
        """Adds rows, in the order of their numbers, and syncs them to the disk. Raises OSError."""
        with self._lock:
            self._write(links)

    def append_again(self, links: Sequence[ChainLink]) -> None:
        """Adds rows that were here and are lost, and the newest one again, as the last row is the
        newest. Raises OSError."""
        with self._lock:
            self._write([*links, *([self._newest] if self._newest else [])])

    def rows(self) -> Iterator[ChainLink]:
        """All rows that prove themselves, in the order in which they lie. Raises OSError."""
        return read_rows(self._path) if self._path.exists() else iter(())

    def set_aside(self) -> Path:
        """Gives the folder another name, as Folder does; the next rows go into a new one. Raises
        OSError."""
        with self._lock:
            self._close()
            self._newest, self.follows = None, False
            return self._folder.set_aside()

    def close(self) -> None:
        """Writes the rows that wait, and gives back the space that was written in advance. What
        fails is left to the next start."""
        with suppress(OSError):
            self.flush()
        with self._lock:
            if self._descriptor is not None:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._end + 1)
            self._close()
            self._is_closed = True

    def _was_taken_away(self) -> bool:
        """Whether somebody has taken the file away, with all that was in it."""
        if self._descriptor is None or identity(self._path) == identity(self._descriptor):
            return False
        self._close()
        self._newest, self.follows = None, False
        return True

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write(self, links: Sequence[ChainLink]) -> None:
        """Writes and syncs rows. If that fails, nobody knows what is on the disk: `_newest` stays,
        and the same rows are written again, below."""
        if self._is_closed:
            return  # another one writes now
        try:
            descriptor = self._open()
            data = b"".join(b"\n" + format_line(link)[:-1] for link in links)
            at, end = self._end, self._end + len(data)
            if end >= self._size:
                data += b"\n" * SPACE
            while data:
                done = os.pwrite(descriptor, data, at)
                data, at = data[done:], at + done
            os.fdatasync(descriptor)
        except OSError:
            self._close()
            raise
        self._end, self._size = end, max(self._size, at)
        self._newest = links[-1]

    def _open(self) -> int:
        """The file's descriptor; if it is opened just now, the place where its text ends is found,
        and a missing file is made."""
        if self._descriptor is not None:
            return self._descriptor
        self.path.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        self._descriptor = open_descriptor(self._path, os.O_RDWR | os.O_CREAT, MODE)
        self._end = read_tail(self._path).end
        self._size = os.fstat(self._descriptor).st_size
        if not self._end:
            self._end = os.pwrite(self._descriptor, HEADER.rstrip(), 0)
            self._size = max(self._size, self._end)
        for folder in (self.path, *list(self.path.parents)[:2]):
            sync(folder)  # a run that was killed may have left a name unsynced
        return self._descriptor
