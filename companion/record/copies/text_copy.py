"""Copies of a record as text files that a person can read.

    PLACE/record-3f2a90bc/game-00012.rows         (Folder: a file for each game)
    record.copies/record-3f2a90bc/all.rows        (TextCopy: beside record.db, all rows in order)

The folder's name has the beginning of the first row's hash, so that one place can have copies of
many records. `box.rows` has the rows that belong to no game. A line is a row as a JSON list: the
columns of the table in their order (store/database.py), the two hashes in hexadecimal. So each line
can be verified by itself, and all of them together prove the chain. A line torn by a power cut is
skipped; its row follows again below it.
"""

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from threading import Lock

from companion.core.json_text import ROWS, is_whole
from companion.core.regular_file import open_descriptor, open_file, sync
from companion.core.values import dataclass
from companion.record.store.database import START, ChainLink, file_identity, link_from_columns

# ---------------------------------------------------------------- lines and folders


MODE, FOLDER_MODE = 0o640, 0o750
"""File modes: users who may read the record may also read its copies."""
SUFFIX = ".rows"
ALL_ROWS = f"all{SUFFIX}"
"""The name of the file with all rows of a record."""
HEADER = (
    b"# rows of a table companion's record, one a line; companion restore reads them. Version 1\n"
)
LONGEST_LINE = 1 << 22
"""How many bytes of a line are read at once; no row is nearly as long."""
LAST_BYTES = 1 << 16
"""How many bytes at a file's end are searched first for its last row."""


def copies_folder(record: Path) -> Path:
    """The folder for the copies beside a record."""
    return record.with_suffix(".copies")


def format_line(link: ChainLink) -> bytes:
    """The row as a line: ASCII, without a line feed inside."""
    *columns, before, own = link.columns
    return json.dumps([*columns, before.hex(), own.hex()]).encode() + b"\n"


def read_line(line: bytes) -> ChainLink | None:
    """The row in a line; None if the line isn't a row that a record can have, or was changed."""
    with suppress(ValueError, RecursionError, TypeError):
        match json.loads(line):
            case [*columns, str(before), str(own)]:
                link = link_from_columns((*columns, bytes.fromhex(before), bytes.fromhex(own)))
                return link if link is not None and _is_storable(link) and link.intact else None
    return None


def _is_storable(link: ChainLink) -> bool:
    """Whether a record can have the row: its numbers are in range, and SQLite stores its time and
    its texts unchanged. Raises UnicodeEncodeError if a text has half a surrogate pair."""
    link.row.encode()
    (link.source or "").encode()
    numbers = is_whole(link.seq, ROWS) and is_whole(link.game, ROWS)
    return numbers and link.seq > 0 and math.isfinite(link.at or 0.0)


@dataclass(frozen=True, slots=True)
class Folder:
    """The copies of one record at one place."""

    path: Path

    @classmethod
    def of(cls, place: Path, first: ChainLink) -> "Folder":
        """The folder of copies for the record that begins with the row `first`."""
        return cls(place / f"record-{first.hash.hex()[:8]}")

    def file_of(self, game: int) -> Path:
        """The path of a game's file or, for game 0, of the box's file."""
        return self.path / (f"game-{game:05}{SUFFIX}" if game else f"box{SUFFIX}")

    def files(self) -> list[Path]:
        """Returns all files, with the newest game's first. Raises OSError."""
        return sorted(self.path.glob(f"*{SUFFIX}"), reverse=True) if self.path.is_dir() else []

    def newest(self) -> ChainLink | None:
        """Returns the row with the highest number. No earlier row is missing, because each file is
        synced before the next one is written. Raises OSError."""
        last = (row for file in self.files() if (row := _last_row(file)) is not None)
        return max(last, key=lambda link: link.seq, default=None)

    def rows(self) -> Iterator[ChainLink]:
        """All intact rows in arbitrary order, some of them twice. Raises OSError."""
        for file in self.files():
            yield from read_rows(file)

    def rows_of(self, game: int) -> Iterator[ChainLink]:
        """The rows of one game. Raises OSError."""
        if (file := self.file_of(game)).exists():
            yield from read_rows(file)

    def append(self, links: Iterable[ChainLink]) -> None:
        """Adds rows in the order of their numbers, and syncs them to the disk. Raises OSError."""
        if not self.path.is_dir():
            self.path.mkdir(FOLDER_MODE, parents=True)
            for above in list(self.path.parents)[:2]:
                _sync_folder(above)
        for game, some in groupby(links, lambda link: link.game):
            file = self.file_of(game)
            is_new = not file.exists()
            _append_to_file(file, b"".join(map(format_line, some)))
            if is_new:
                _sync_folder(self.path)

    def set_aside(self) -> Path:
        """Renames the folder, and returns the new name, under which `restore` still finds it.
        Raises OSError."""
        number = 1
        while (aside := Path(f"{self.path}.ahead-{number}")).exists():
            number += 1
        self.path.rename(aside)
        _sync_folder(aside.parent)
        return aside


def folders(place: Path) -> list[Folder]:
    """All folders of copies at a place, including those set aside; the place may itself be such a
    folder. Raises OSError."""
    found = [path for path in (place, *sorted(place.glob("record-*"))) if path.is_dir()]
    return [Folder(path) for path in found if next(path.glob(f"*{SUFFIX}"), None)]


def has_copied_games(place: Path) -> bool:
    """Whether a place has copies of games, judging by file names alone. Raises OSError."""
    names = (f"game-*{SUFFIX}", ALL_ROWS)
    found = (folder.path.glob(name) for folder in folders(place) for name in names)
    return any(next(one, None) for one in found)


def _append_to_file(file: Path, data: bytes) -> None:
    # A link on a stick could lead to the record itself.
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    descriptor = open_descriptor(file, flags, MODE)
    with os.fdopen(descriptor, "rb+", buffering=0) as rows:
        size = os.fstat(descriptor).st_size
        if not size:
            data = HEADER + data
        elif os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data  # a line torn by a power cut stays a separate line
        while data:
            data = data[rows.write(data) :]
        os.fsync(descriptor)


def read_rows(file: Path) -> Iterator[ChainLink]:
    """The intact rows of a file, in file order. Raises OSError."""
    with open_file(file) as lines:
        # A line longer than any row is read in pieces, none of which is a valid row.
        while line := lines.readline(LONGEST_LINE):
            if (link := read_line(line)) is not None:
                yield link


def _last_row(file: Path) -> ChainLink | None:
    with open_file(file) as lines:
        size = os.fstat(lines.fileno()).st_size
        lines.seek(max(0, size - LAST_BYTES))
        for line in reversed(lines.read().splitlines()):
            if (link := read_line(line)) is not None:
                return link
    return (
        max(read_rows(file), key=lambda link: link.seq, default=None) if size > LAST_BYTES else None
    )


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some foreign file systems don't support it
            os.fsync(handle)
    finally:
        os.close(handle)


# ---------------------------------------------------------------- the copy beside


PREALLOCATED = 1 << 14
"""How many bytes are allocated in advance at the file's end."""
WINDOW = 1 << 16
"""How many bytes at the file's end are searched first for its last rows."""
ABOVE_ALL_ROWS = 1 << 63
"""Greater than the number of any row."""
BLANK = b"\n\0"
"""The bytes that allocated space may contain before rows are written there: line feeds or, after a
power cut, zeros."""


# ---------------------------------------------------------------- reading


@dataclass(frozen=True, slots=True)
class Tail:
    """The last rows of a text copy, in file order. `end`: the offset in bytes at which the text
    ends; `torn`: whether the last line can't be read."""

    rows: tuple[ChainLink, ...] = ()
    end: int = 0
    torn: bool = False

    @property
    def newest(self) -> ChainLink | None:
        """The row with the highest number; of two with the same number, the later one."""
        return max(reversed(self.rows), key=lambda link: link.seq, default=None)

    def rows_after(self, tip: bytes) -> list[ChainLink]:
        """The rows that follow the one with the hash `tip`, in order."""
        following = {link.before: link for link in self.rows}
        found = list[ChainLink]()
        while (link := following.pop(tip, None)) is not None:
            found.append(link)
            tip = link.hash
        return found


def read_tail(path: Path, since: int = ABOVE_ALL_ROWS) -> Tail:
    """The last rows of the text copy at `path`, beginning with the last row whose number is at most
    `since`. Empty if there is no such file. Raises OSError."""
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
                del lines[0]  # this line begins before the window
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


def find_tail(place: Path, seq: int, hash_of: Callable[[int], bytes | None]) -> Tail:
    """The last rows of a record's text copy at `place`, beginning with the last row whose number is
    at most `seq`. `seq`: the number of the record's last row; `hash_of` returns the hash of a row
    of the record. Empty if there is no copy of this record. Raises OSError."""
    for path in sorted(place.glob(f"record-*/{ALL_ROWS}")):
        if "." in path.parent.name:
            continue  # a copy that was set aside
        tail = read_tail(path, seq)
        own = next((link for link in tail.rows if link.seq <= seq), None)
        if (tail.rows and not seq) or (own is not None and hash_of(own.seq) == own.hash):
            return tail
    return Tail()


# ---------------------------------------------------------------- writing


class TextCopy:
    """Writes the text copy of one record. Any thread may use it."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._path = folder.path / ALL_ROWS
        self._lock = Lock()
        self._descriptor: int | None = None
        self._end = self._size = 0
        self._newest: ChainLink | None = None
        """The last row that is certainly on the disk."""
        self._waiting: list[ChainLink] = []
        self._is_closed = False
        self.follows = False
        """Whether every row of the record is in the file or waits to be written; if not, the rows
        between have to be appended first (Copy in copier.py)."""

    @classmethod
    def of(cls, place: Path, first: ChainLink) -> "TextCopy":
        """The text copy for the record that begins with the row `first`."""
        return cls(Folder.of(place, first))

    @property
    def path(self) -> Path:
        """The folder of the copy."""
        return self._folder.path

    def newest(self) -> ChainLink | None:
        """The last row that is on the disk; None if there is none. Raises OSError."""
        with self._lock:
            if self._newest is None and self._path.exists():
                sync(self._path)  # a run that was killed may have left a row unsynced
                self._newest = read_tail(self._path).newest
            return self._newest

    def follow(self, tip: bytes | None = None, rows: Sequence[ChainLink] = ()) -> None:
        """Adds `rows` to the waiting rows, and updates `follows`: whether the waiting rows continue
        the file without a gap and, if `tip` is given, the last of them has that hash. While
        `follows` is False, `flush` writes nothing. Raises OSError."""
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
        """Adds a row that SQLite has committed to the waiting rows, which `flush` writes."""
        with self._lock:
            last = self._waiting[-1] if self._waiting else self._newest
            if last is not None and link.seq <= last.seq:
                return  # it was found in the record meanwhile
            self.follows &= link.before == (last.hash if last else START)
            self._waiting.append(link)

    def flush(self) -> None:
        """Writes the waiting rows if they continue the file. If that raises OSError, they stay
        waiting."""
        with self._lock:
            if self._waiting and self.follows and not self._is_file_replaced():
                self._write_rows(self._waiting)
                self._waiting = []

    def append(self, links: Sequence[ChainLink]) -> None:
        """Adds rows in the order of their numbers, and syncs them to the disk. Raises OSError."""
        with self._lock:
            self._write_rows(links)

    def append_again(self, links: Sequence[ChainLink]) -> None:
        """Appends rows that have disappeared from the file, and then repeats the newest row,
        because it has to come last. Raises OSError."""
        with self._lock:
            self._write_rows([*links, *([self._newest] if self._newest else [])])

    def rows(self) -> Iterator[ChainLink]:
        """All intact rows, in file order. Raises OSError."""
        return read_rows(self._path) if self._path.exists() else iter(())

    def set_aside(self) -> Path:
        """Renames the folder of the copy, and returns the new name; later rows go into a new
        folder. Raises OSError."""
        with self._lock:
            self._close_file()
            self._newest, self.follows = None, False
            return self._folder.set_aside()

    def close(self) -> None:
        """Writes the waiting rows and cuts off the unused allocated space. Errors are ignored: the
        next start appends what is missing."""
        with suppress(OSError):
            self.flush()
        with self._lock:
            if self._descriptor is not None:
                with suppress(OSError):
                    os.ftruncate(self._descriptor, self._end + 1)
            self._close_file()
            self._is_closed = True

    def _is_file_replaced(self) -> bool:
        """Whether another program has removed or replaced the file."""
        if self._descriptor is None or file_identity(self._path) == file_identity(self._descriptor):
            return False
        self._close_file()
        self._newest, self.follows = None, False
        return True

    def _close_file(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _write_rows(self, links: Sequence[ChainLink]) -> None:
        """Writes and syncs rows. After a failure `_newest` is unchanged, so the same rows are
        written again later, at the end of the file."""
        if self._is_closed:
            return  # another run may be writing the copy by now
        try:
            descriptor = self._open_file()
            data = b"".join(b"\n" + format_line(link)[:-1] for link in links)
            at, end = self._end, self._end + len(data)
            if end >= self._size:
                data += b"\n" * PREALLOCATED
            while data:
                done = os.pwrite(descriptor, data, at)
                data, at = data[done:], at + done
            os.fdatasync(descriptor)
        except OSError:
            self._close_file()
            raise
        self._end, self._size = end, max(self._size, at)
        self._newest = links[-1]

    def _open_file(self) -> int:
        """Returns the descriptor of the file. If the file isn't open yet, opens it (or creates it,
        if it is missing) and finds the end of its text."""
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
