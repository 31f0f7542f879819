"""A record's file and its log as SQLite lays them down (SQLite file format, 1 and 4), whether
SQLite can still open them or not: the bytes that the disk gives, the frames of the log, and the
pages of both, which say what the newest row is.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path

from companion.core.regular_file import open_file
from companion.core.values import dataclass

WINDOW = 1 << 20
"""Bytes that are looked through at once."""
BLOCK = 4096
"""The bytes that a disk gives or refuses together."""


def stretches(path: Path) -> Iterator[bytes]:
    """A file's content piece by piece, with zeros for what the disk doesn't give. Raises OSError if
    the file can't be opened."""
    with open_file(path) as file:
        size = os.fstat(file.fileno()).st_size
        for at in range(0, size, WINDOW):
            yield _piece(file.fileno(), at, min(WINDOW, size - at))


def log_of(path: Path) -> bytes:
    """The log of a record as it lies on the disk; empty if there is none. Raises OSError."""
    log = Path(f"{path}-wal")
    return b"".join(stretches(log)) if log.exists() else b""


def piece(path: Path, at: int, size: int) -> bytes:
    """`size` bytes of a file from byte `at` on, fewer at its end, with zeros for what the disk
    doesn't give. Raises OSError if the file can't be opened."""
    with open_file(path) as file:
        return _piece(file.fileno(), at, size)


def _piece(descriptor: int, at: int, size: int) -> bytes:
    try:
        return os.pread(descriptor, size, at)
    except OSError:
        blocks = range(at, at + size, BLOCK)
        return b"".join(_block(descriptor, one, min(BLOCK, at + size - one)) for one in blocks)


def _block(descriptor: int, at: int, size: int) -> bytes:
    try:
        return os.pread(descriptor, size, at)
    except OSError:
        return bytes(size)


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, seven bits a byte, and where it ends (-1: it doesn't)."""
    value = 0
    for place in range(at, min(at + 8, len(data))):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value, -1


# ---------------------------------------------------------------- the log

# A frame of the log is a page and a checksum over all frames before. A log is written again from
# its beginning once all of it is in the file; older frames then still lie behind the new ones, with
# another salt.

LOG_HEADER, FRAME_HEADER = 32, 24
SIZES = tuple(1 << power for power in range(9, 16))
"""The bytes that a page may have."""
USUAL_SIZE = 4096


@dataclass(frozen=True, slots=True)
class LogFrame:
    """A page as it was written to the log. `number`: of the page; `commits`: it is the last one of
    a commit."""

    number: int
    commits: bool
    salt: bytes
    header: bytes
    checksum: bytes
    page: bytes

    def follows(self, before: bytes, big_endian: bool) -> bool:
        """Whether the frame's checksum is right if the frame before it has the checksum
        `before`."""
        order = ">" if big_endian else "<"
        first, second = struct.unpack(">II", before)
        words = struct.unpack(f"{order}{2 + len(self.page) // 4}I", self.header[:8] + self.page)
        for even, odd in zip(words[::2], words[1::2], strict=True):
            first = (first + even + second) & 0xFFFFFFFF
            second = (second + odd + first) & 0xFFFFFFFF
        return struct.pack(">II", first, second) == self.checksum


def frames(log: bytes, size: int = 0) -> list[LogFrame]:
    """All whole frames, also old ones from before the log was last begun. `size`: bytes in a page
    (0: as the log says)."""
    said = int.from_bytes(log[8:12], "big")
    step = FRAME_HEADER + (size or (said if said in SIZES else USUAL_SIZE))
    found = []
    for at in range(LOG_HEADER, len(log) - step + 1, step):
        header, page = log[at : at + FRAME_HEADER], log[at + FRAME_HEADER : at + step]
        number, pages = struct.unpack(">II", header[:8])
        found.append(LogFrame(number, pages > 0, header[8:16], header, header[16:24], page))
    return found


def of_this_log(log: bytes, size: int = 0) -> list[LogFrame]:
    """The frames since the log was last begun, also damaged ones."""
    return [frame for frame in frames(log, size) if frame.salt == log[16:24]]


def ends_torn(log: bytes) -> bool:
    """Whether the log's last commit is not complete: it was being written, or is damaged."""
    own = of_this_log(log)
    if not own:
        return False
    starts = [0, *(at + 1 for at, frame in enumerate(own[:-1]) if frame.commits)]
    first = starts[-1]
    befores = [log[24:32], *(frame.checksum for frame in own)]
    last = zip(own[first:], befores[first:], strict=False)
    return not own[-1].commits or not all(
        frame.follows(before, bool(log[3] & 1)) for frame, before in last
    )


# ---------------------------------------------------------------- pages

ROOT = 2
"""The page where the tree of the record's table begins: it is the first thing in a new file."""
INTERIOR, LEAF = 5, 13
"""The kinds of a table's pages."""


class Pages:
    """The pages of a file, or the newer ones that its log has. Damaged pages are given as they lie
    there; a page that is not there is empty."""

    def __init__(self, path: Path, size: int = 0) -> None:
        """Reads the log. `size`: bytes in a page (0: as the file says). Raises OSError."""
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
        """The number of the last row of the table; None if damage lies on the way to it."""
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
    """The number of the last row in a leaf of the table, 0 if it has none; None if the page is
    damaged."""
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
