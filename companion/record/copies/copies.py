"""Copies of a record: text files of its rows, one file a game, that a person can read.

    PLACE/record-3f2a90bc/game-00012.rows
    record.copies/record-3f2a90bc/all.rows        (beside record.db: text_copy.py)

The folder bears the beginning of the first row's hash, so that copies of many records can lie at
one place. `box.rows` has the rows that belong to no game. A line is a row as a JSON list: the
columns of the table in their order (store/chain.py), the two hashes in hexadecimal. So each line
proves itself, and all together the chain. A line that a power cut tore is passed over; its row
follows again below it.
"""

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path

from companion.core.regular_file import open_descriptor, open_file
from companion.core.values import dataclass
from companion.record.store.chain import ChainLink, link_of

MODE, FOLDER_MODE = 0o640, 0o750
"""File modes: whoever may read the record may read its copies."""
ENDS = ".rows"
WHOLE = f"all{ENDS}"
"""The file with all rows of a record (text_copy.py)."""
HEADER = (
    b"# rows of a table companion's record, one a line; companion restore reads them. Version 1\n"
)
LONGEST_LINE = 1 << 22
"""The bytes of a line that are read at once: no row is nearly as long."""
TAIL = 1 << 16
"""Bytes at a file's end in which its last row is looked for first."""


def beside(record: Path) -> Path:
    """The place of the copies that lie beside a record."""
    return record.with_suffix(".copies")


def format_line(link: ChainLink) -> bytes:
    """The row as a line: ASCII, without a line feed inside."""
    *columns, before, own = link.columns
    return json.dumps([*columns, before.hex(), own.hex()]).encode() + b"\n"


def read_line(line: bytes) -> ChainLink | None:
    """The row of a line; None if the line is no row, or not as it was written."""
    with suppress(ValueError, RecursionError, TypeError):
        match json.loads(line):
            case [*columns, str(before), str(own)]:
                link = link_of((*columns, bytes.fromhex(before), bytes.fromhex(own)))
                return link if link is not None and link.intact else None
    return None


@dataclass(frozen=True, slots=True)
class Folder:
    """The copies of one record at one place."""

    path: Path

    @classmethod
    def of(cls, place: Path, first: ChainLink) -> "Folder":
        """The folder of the record whose first row this is."""
        return cls(place / f"record-{first.hash.hex()[:8]}")

    def file_of(self, game: int) -> Path:
        """The file of a game; 0: of the box."""
        return self.path / (f"game-{game:05}{ENDS}" if game else f"box{ENDS}")

    def files(self) -> list[Path]:
        """All files, the newest games first. Raises OSError."""
        return sorted(self.path.glob(f"*{ENDS}"), reverse=True) if self.path.is_dir() else []

    def newest(self) -> ChainLink | None:
        """The row with the highest number. As each file is on the disk before the next one is
        written, no row before it is missing. Raises OSError."""
        last = (row for file in self.files() if (row := _last_row(file)) is not None)
        return max(last, key=lambda link: link.seq, default=None)

    def rows(self) -> Iterator[ChainLink]:
        """All rows that prove themselves, some of them twice, in no order. Raises OSError."""
        for file in self.files():
            yield from read_rows(file)

    def rows_of(self, game: int) -> Iterator[ChainLink]:
        """The rows of one game. Raises OSError."""
        if (file := self.file_of(game)).exists():
            yield from read_rows(file)

    def append(self, links: Iterable[ChainLink]) -> None:
        """Adds rows, in the order of their numbers, and syncs them to the disk. Raises OSError."""
        if not self.path.is_dir():
            self.path.mkdir(FOLDER_MODE, parents=True)
            for above in list(self.path.parents)[:2]:
                _sync(above)
        for game, some in groupby(links, lambda link: link.game):
            file = self.file_of(game)
            is_new = not file.exists()
            _append(file, b"".join(map(format_line, some)))
            if is_new:
                _sync(self.path)

    def set_aside(self) -> Path:
        """Gives the folder another name, under which `restore` still finds it, and returns that
        name. Raises OSError."""
        number = 1
        while (aside := Path(f"{self.path}.ahead-{number}")).exists():
            number += 1
        self.path.rename(aside)
        _sync(aside.parent)
        return aside


def folders(place: Path) -> list[Folder]:
    """All folders of copies at a place, also those that were set aside; the place itself may be one
    of them. Raises OSError."""
    found = [path for path in (place, *sorted(place.glob("record-*"))) if path.is_dir()]
    return [Folder(path) for path in found if next(path.glob(f"*{ENDS}"), None)]


def has_copied_games(place: Path) -> bool:
    """Whether a place has copies of a game, judged by the files' names. Raises OSError."""
    names = (f"game-*{ENDS}", WHOLE)
    found = (folder.path.glob(name) for folder in folders(place) for name in names)
    return any(next(one, None) for one in found)


def _append(file: Path, data: bytes) -> None:
    descriptor = open_descriptor(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, MODE)
    with os.fdopen(descriptor, "rb+", buffering=0) as rows:
        size = os.fstat(descriptor).st_size
        if not size:
            data = HEADER + data
        elif os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data  # what a power cut tore stays a line of its own
        while data:
            data = data[rows.write(data) :]
        os.fsync(descriptor)


def read_rows(file: Path) -> Iterator[ChainLink]:
    """The rows of a file that prove themselves, in the order in which they lie. Raises OSError."""
    with open_file(file) as lines:
        # A line longer than any row's comes in pieces, none of which reads as a row.
        while line := lines.readline(LONGEST_LINE):
            if (link := read_line(line)) is not None:
                yield link


def _last_row(file: Path) -> ChainLink | None:
    with open_file(file) as lines:
        size = os.fstat(lines.fileno()).st_size
        lines.seek(max(0, size - TAIL))
        for line in reversed(lines.read().splitlines()):
            if (link := read_line(line)) is not None:
                return link
    return max(read_rows(file), key=lambda link: link.seq, default=None) if size > TAIL else None


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems of others can't
            os.fsync(handle)
    finally:
        os.close(handle)
