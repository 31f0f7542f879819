"""The partition table in the card's first sector (a master boot record).

It is written when the image is made, and once by the box, to grow the last partition to the card's
end. Sizes are in sectors of 512 bytes. The table can describe cards of up to 2 TB."""

import ctypes
import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path
from struct import Struct
from typing import IO

from companion.card.files import Mistake
from companion.core.values import dataclass

SECTOR = 512
ALIGNED = 8192
"""Partitions begin and end at multiples of this many sectors: 4 MiB, the size of the blocks that
cards erase."""
TABLE_AT, ENTRY_SIZE, ENTRIES = 446, 16, 4
SIGNATURE_AT, SIGNATURE = 510, b"\x55\xaa"
ID_AT = 440
MAX_SECTORS = 2**32 - 1
FAT, LINUX = 0x0C, 0x83
NO_CYLINDERS = b"\xfe\xff\xff"
"""The bytes for the obsolete fields with cylinders, heads and sectors."""


@dataclass(frozen=True, slots=True)
class Partition:
    """A partition: its first sector, its number of sectors, and its type."""

    start: int
    size: int
    kind: int
    boots: bool = False

    @property
    def end(self) -> int:
        return self.start + self.size


def make_first_sector(partitions: tuple[Partition, ...], number: int) -> bytes:
    """Returns the first sector of a card with these partitions and this disk id. Raises ValueError
    if partitions overlap or don't fit."""
    if not 0 < len(partitions) <= ENTRIES:
        raise ValueError(f"a card has 1 to {ENTRIES} partitions, not {len(partitions)}")
    behind = 1
    for one in partitions:
        if one.start < behind or one.size <= 0 or one.end > MAX_SECTORS:
            raise ValueError(f"{one} doesn't fit behind sector {behind}")
        behind = one.end
    sector = bytearray(SECTOR)
    sector[ID_AT : ID_AT + 4] = number.to_bytes(4, "little")
    for at, one in enumerate(partitions):
        place = TABLE_AT + at * ENTRY_SIZE
        active = 0x80 if one.boots else 0
        sector[place : place + ENTRY_SIZE] = struct.pack(
            "<B3sB3sII", active, NO_CYLINDERS, one.kind, NO_CYLINDERS, one.start, one.size
        )
    sector[SIGNATURE_AT:] = SIGNATURE
    return bytes(sector)


def partitions_in(sector: bytes) -> tuple[Partition, ...]:
    """Returns the partitions listed in a card's first sector. Raises ValueError if that is no
    partition table."""
    if len(sector) != SECTOR or sector[SIGNATURE_AT:] != SIGNATURE:
        raise ValueError("this is no table of partitions")
    found = []
    for at in range(ENTRIES):
        entry = sector[TABLE_AT + at * ENTRY_SIZE : TABLE_AT + (at + 1) * ENTRY_SIZE]
        active, _, kind, _, start, size = struct.unpack("<B3sB3sII", entry)
        if kind:
            found.append(Partition(start, size, kind, active == 0x80))
    return tuple(found)


def with_last_partition_grown(sector: bytes, card: int) -> bytes | None:
    """Returns the first sector, changed so that the last partition extends to the end of a card of
    `card` sectors; None if it already ends there or later. Raises ValueError if the sector is no
    partition table."""
    found = partitions_in(sector)
    last = found[-1]
    if last.start != max(one.start for one in found):
        raise ValueError("the last partition is not behind the others")
    end = min(card, MAX_SECTORS) // ALIGNED * ALIGNED
    if end <= last.end:
        return None
    number = int.from_bytes(sector[ID_AT : ID_AT + 4], "little")
    new = Partition(last.start, end - last.start, last.kind, last.boots)
    return sector[:TABLE_AT] + make_first_sector((*found[:-1], new), number)[TABLE_AT:]


# ---------------------------------------------------------------- growing
# Grows the record's partition to the end of the card. This changes the partition table; systemd
# then grows the file system.


BLKPG, RESIZE = 0x1269, 3
"""The ioctl about partitions, and its operation that resizes one: Linux,
include/uapi/linux/blkpg.h."""
REQUEST = Struct("@iiiP")
"""The fields of a request: operation, flags, and the length and address of the partition's
description."""
DESCRIPTION = Struct("@qqi64s64s0q")
"""The fields of a partition's description: start and length in bytes; its number; two names that
the kernel ignores."""

Ioctl = Callable[[IO[bytes], int, bytes], object]


def grow(card: Path) -> bool:
    """Grows the last partition of a card, or of an image, in the partition table; returns whether
    it grew. A power failure leaves either the old table or the new one, because the table is a
    single sector. Raises Mistake."""
    try:
        with card.open("r+b", buffering=0) as device:
            sectors = device.seek(0, os.SEEK_END) // SECTOR
            device.seek(0)
            new = with_last_partition_grown(device.read(SECTOR), sectors)
            if new is None:
                return False
            device.seek(0)
            device.write(new)
            os.fsync(device.fileno())
    except (OSError, ValueError) as error:
        raise Mistake(f"The record's room on the card could not grow: {error}") from error
    return True


def card_of(partition: Path) -> Path:
    """Returns the device of the card that contains a partition. Raises Mistake."""
    name = partition.resolve().name
    above = Path("/sys/class/block", name).resolve().parent
    if above.name == "block" or not (Path("/dev") / above.name).exists():
        raise Mistake(f"The record's room on the card could not grow: {name} is no partition")
    return Path("/dev") / above.name


def resize_in_kernel(card: Path, ioctl: Ioctl = fcntl.ioctl) -> None:
    """Informs the kernel of the last partition's new size. Only this partition is resized: if the
    kernel read the whole table again, it would briefly remove the partition, and end everything
    that waits for it. Raises Mistake."""
    try:
        with card.open("rb", buffering=0) as device:
            partitions = partitions_in(device.read(SECTOR))
            last, number = partitions[-1], len(partitions)
            new_size = ctypes.create_string_buffer(
                DESCRIPTION.pack(last.start * SECTOR, last.size * SECTOR, number, b"", b"")
            )
            ioctl(device, BLKPG, REQUEST.pack(RESIZE, 0, len(new_size), ctypes.addressof(new_size)))
    except (OSError, ValueError) as error:
        raise Mistake(f"The record's room on the card could not grow: {error}") from error
