"""Grows the record's partition to the end of the card. This changes the partition table; systemd
then grows the file system."""

import ctypes
import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from struct import Struct
from typing import IO

from companion.card.files import Mistake
from companion.card.partitions import SECTOR, grown, partitions_in

BLKPG, RESIZE = 0x1269, 3
"""Linux, include/uapi/linux/blkpg.h: the request about a partition, and its operation that resizes
the partition."""
ASKED = Struct("@iiiP")
"""A request: the operation, flags, and the length and the address of the partition's
description."""
PARTITION = Struct("@qqi64s64s0q")
"""A partition's description: its beginning and its length, both in bytes; its number; two names
that the kernel doesn't read."""

Ioctl = Callable[[IO[bytes], int, bytes], object]


def grow(card: Path) -> bool:
    """Grows the last partition of a card, or of an image, in the partition table; gives whether it
    grew. A power cut meanwhile leaves the old table or the new one: it is one sector. Raises
    Mistake."""
    try:
        with card.open("r+b", buffering=0) as device:
            sectors = device.seek(0, os.SEEK_END) // SECTOR
            device.seek(0)
            new = grown(device.read(SECTOR), sectors)
            if new is None:
                return False
            device.seek(0)
            device.write(new)
            os.fsync(device.fileno())
    except (OSError, ValueError) as error:
        raise Mistake(f"The record's room on the card could not grow: {error}") from error
    return True


def card_of(partition: Path) -> Path:
    """The device of the card on which a partition is. Raises Mistake."""
    name = partition.resolve().name
    above = Path("/sys/class/block", name).resolve().parent
    if above.name == "block" or not (Path("/dev") / above.name).exists():
        raise Mistake(f"The record's room on the card could not grow: {name} is no partition")
    return Path("/dev") / above.name


def tell_kernel(card: Path, ioctl: Ioctl = fcntl.ioctl) -> None:
    """Tells the kernel how far the last partition goes now. Only this partition is made larger:
    reading the whole table anew would take it away for a moment, and end all that waits for it.
    Raises Mistake."""
    try:
        with card.open("rb", buffering=0) as device:
            partitions = partitions_in(device.read(SECTOR))
            last, number = partitions[-1], len(partitions)
            new_size = ctypes.create_string_buffer(
                PARTITION.pack(last.start * SECTOR, last.size * SECTOR, number, b"", b"")
            )
            ioctl(device, BLKPG, ASKED.pack(RESIZE, 0, len(new_size), ctypes.addressof(new_size)))
    except (OSError, ValueError) as error:
        raise Mistake(f"The record's room on the card could not grow: {error}") from error
