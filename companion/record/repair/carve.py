"""Rows found by their bytes alone, whatever became of the file around them.

A row proves itself by its hash (store/chain.py), so it is looked for by its pattern: the end
of a row's header and the start of its JSON, as SQLite lays them down (SQLite file format, 2.1).
"""

import os
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from companion.record.store.chain import ChainLink, link_of

WINDOW = 1 << 20
"""Bytes that are looked through at once."""
LONGEST = 1 << 16
"""No row that lies in one piece is longer: pages have 64 KiB at most."""
BLOCK = 4096
"""What a disk gives or refuses at once, in bytes."""

_ROW = re.compile(rb'(?=\x4c\x4c.{0,8}?\{"v": )', re.DOTALL)
"""Where a row's header ends: two blobs of 32 bytes; its game and the start of its JSON follow."""

_NUMBERS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes that a column takes, by its type in the header."""


def rows_in(path: Path, above: int = 0) -> Iterator[ChainLink]:
    """The rows of a file whose numbers are above this one, in the order in which they lie; some of
    them twice. Raises OSError if the file can't be opened."""
    before = b""
    for data in stretches(path):
        whole = before + data
        yield from carve_links(whole, above)
        # A row that begins near the end is found again, whole, with what follows.
        before = whole[-LONGEST:]


def stretches(path: Path) -> Iterator[bytes]:
    """A file's content piece by piece, with zeros for what the disk doesn't give. Raises OSError if
    the file can't be opened."""
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        for at in range(0, size, WINDOW):
            yield _piece(file.fileno(), at, min(WINDOW, size - at))


def log_of(path: Path) -> bytes:
    """The log of a record as it lies there; empty if there is none. Raises OSError."""
    log = Path(f"{path}-wal")
    return b"".join(stretches(log)) if log.exists() else b""


def piece(path: Path, at: int, size: int) -> bytes:
    """`size` bytes of a file from byte `at` on, as far as it goes, with zeros for what the disk
    doesn't give. Raises OSError if the file can't be opened."""
    with path.open("rb", buffering=0) as file:
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


def carve_links(data: bytes, above: int = 0) -> Iterator[ChainLink]:
    """Rows by payload length, seq, header and columns; only those with a number above this one."""
    for match in _ROW.finditer(data):
        # A header is six to nineteen bytes, its own length first; where it starts is tried out.
        for start in range(max(0, match.start() - 12), match.start() - 4):
            link = _carved(data, start, match.start() + 2, above)
            if link is not None:
                yield link
                break


def _carved(data: bytes, start: int, body: int, above: int) -> ChainLink | None:
    """The row whose header takes data[start:body], if there is one."""
    if data[start] != body - start:
        return None
    numbers = list(_numbers_before(data, start))
    if all(seq <= above for seq in numbers):
        return None
    types, at = [], start + 1
    while at < body:
        kind, at = varint(data, at)
        types.append(kind)
    if len(types) != 7 or types[0] != 0:
        return None
    values: list[object] = []
    at = body
    for kind in types[1:]:
        size = _NUMBERS.get(kind, (kind - 12) // 2)
        if size < 0:
            return None
        values.append(_value(kind, data[at : at + size]))
        at += size
    if isinstance(values[2], int):
        values[2] = float(values[2])  # SQLite stores a whole number of seconds so
    for seq in numbers:
        link = link_of((seq, *values))
        if link is not None and link.intact:
            return link
    return None


def _numbers_before(data: bytes, start: int) -> Iterator[int]:
    """What may be the number of the row whose header starts there: it stands just before."""
    for length in range(1, 6):
        seq, end = varint(data, start - length) if start >= length else (0, 0)
        if end == start:
            yield seq


def _value(kind: int, raw: bytes) -> object:
    if kind == 0:
        return None
    if kind == 7:
        return struct.unpack(">d", raw)[0] if len(raw) == 8 else None
    if kind in _NUMBERS:
        return kind - 8 if kind in (8, 9) else int.from_bytes(raw, "big", signed=True)
    return raw.decode(errors="replace") if kind % 2 else raw


def varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's, seven bits a byte, and where it ends; -1: nowhere."""
    value = 0
    for place in range(at, min(at + 8, len(data))):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value, -1
