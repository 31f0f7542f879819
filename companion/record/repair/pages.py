"""The pages of a record as SQLite laid them down (SQLite file format, 1 and 4): which is the newest
row that the table's tree leads to, whether SQLite can still open the file or not."""

from pathlib import Path

from companion.record.repair.carve import log_of, piece, varint
from companion.record.repair.frames import SIZES, USUAL_SIZE, of_this_log

ROOT = 2
"""The page where the tree of the record's table begins: it is the first thing in a new file."""
INTERIOR, LEAF = 5, 13
"""The kinds of a table's pages."""


class Pages:
    """The pages of a file, with those that its log has newer. Whatever is damaged is given as it
    lies there; a page that is not there is empty."""

    def __init__(self, path: Path, size: int = 0) -> None:
        """The pages of a record and its log, as far as the disk gives them. `size`: bytes in a
        page; 0: as the file says. Raises OSError."""
        self._file = path if path.exists() else None
        said = int.from_bytes(self._read(16, 2), "big")
        self.size = size or (said if said in SIZES else USUAL_SIZE)
        newer = of_this_log(log_of(path), self.size)
        self._newer = {frame.number: frame.page for frame in newer}

    def _read(self, at: int, size: int) -> bytes:
        return piece(self._file, at, size) if self._file else b""

    def __getitem__(self, number: int) -> bytes:
        found = self._newer.get(number)
        return self._read((number - 1) * self.size, self.size) if found is None else found

    @property
    def last_row(self) -> int | None:
        """The number of the last row of the table; None where damage lies on the way to it."""
        number = ROOT
        for _ in range(20):
            page = self[number]
            if len(page) != self.size or page[0] not in (INTERIOR, LEAF):
                return None
            if page[0] == LEAF:
                return last_of_leaf(page)
            number = int.from_bytes(page[8:12], "big")
        return None


def last_of_leaf(page: bytes) -> int | None:
    """The number of the last row in a leaf of the table, 0 if it has none; None if it can't be."""
    cells = int.from_bytes(page[3:5], "big")
    if cells == 0:
        return 0
    place = 8 + 2 * (cells - 1)
    at = int.from_bytes(page[place : place + 2], "big")
    if not place < at < len(page):
        return None
    _, row = varint(page, at)
    number, end = varint(page, row) if row > 0 else (0, -1)
    return number if end > 0 else None
