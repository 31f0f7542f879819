"""The log of a disk's writes that the kernel's dm-log-writes makes, and the disks that a power cut
could have left.

Source of the format: Linux, Documentation/admin-guide/device-mapper/log-writes.rst. What was
written and not yet flushed may be on the disk or not, each sector by itself.
"""

import random
import struct
from collections.abc import Iterator
from pathlib import Path

from companion.core.values import dataclass

MAGIC, VERSION = 0x6A736677736872, 1
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
SECTOR = 512
_SUPER = struct.Struct("<QQQI")
_ENTRY = struct.Struct("<QQQQ")


@dataclass(frozen=True, slots=True)
class LoggedWrite:
    """One entry: `data` written from byte `at` on, or a mark, which has only a `word`. `flushes`:
    all entries before it are on the disk for good; `lasts`: this entry itself is."""

    at: int
    data: bytes
    word: str
    flushes: bool
    lasts: bool


def read_log(path: Path) -> list[LoggedWrite]:
    """All entries of a log, first to last. Raises ValueError if the file is no such log."""
    with path.open("rb") as log:
        magic, version, entries, size = _SUPER.unpack(log.read(_SUPER.size))
        if (magic, version) != (MAGIC, VERSION):
            raise ValueError(f"{path.name} is no log of writes")
        found, at = [], size
        for _ in range(entries):
            log.seek(at)
            sector, sectors, flags, length = _ENTRY.unpack(log.read(_ENTRY.size))
            word = log.read(length).decode() if flags & MARK else ""
            at += size
            data = b""
            if not flags & (MARK | DISCARD):
                log.seek(at)
                data = log.read(sectors * size)
                at += sectors * size
            lasts = bool(flags & FUA)
            found.append(LoggedWrite(sector * size, data, word, bool(flags & FLUSH), lasts))
    return found


def states(
    log: list[LoggedWrite], first: bytes, cuts: list[int], seed: int
) -> Iterator[tuple[int, bytearray]]:
    """(cut, the disk) for each of the places `cuts` in the log at which the power goes: once with
    all that was written by then and, if some sectors were not flushed, once more with a random
    share of these. `first`: the disk before the log."""
    chosen = random.Random(seed)
    whole, safe = bytearray(first), bytearray(first)
    loose: list[LoggedWrite] = []
    wanted = set(cuts)
    for number, entry in enumerate(log, 1):
        if entry.flushes:
            for write in loose:
                _put(safe, write.at, write.data)
            loose = []
        if entry.data:
            _put(whole, entry.at, entry.data)
            if entry.lasts:
                _put(safe, entry.at, entry.data)
            else:
                loose.append(entry)
        if number in wanted:
            yield number, bytearray(whole)
            if loose:
                torn = bytearray(safe)
                for write in loose:
                    for inside in range(0, len(write.data), SECTOR):
                        if chosen.random() < 0.5:
                            _put(torn, write.at + inside, write.data[inside : inside + SECTOR])
                yield number, torn


def _put(disk: bytearray, at: int, data: bytes) -> None:
    disk[at : at + len(data)] = data
