"""The record's partition grows to the card's end: the table here, the file system by systemd."""

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
"""Linux, include/uapi/linux/blkpg.h: asks something about one partition; to make it larger."""
ASKED = Struct("@iiiP")
"""A request: what is asked, flags, and how long and where the description of the partition is."""
PARTITION = Struct("@qqi64s64s0q")
"""A partition: where it begins and how long it is, both in bytes; its number; two names that nobody
reads."""

Ioctl = Callable[[IO[bytes], int, bytes], object]


def grow(card: Path) -> bool:
    """Grows the last partition of a card, or of an image; whether it did. A power cut meanwhile
    leaves the old table or the new one: it is one sector. Raises Mistake."""
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
    """The card on which a partition is. Raises Mistake."""
    name = partition.resolve().name
    above = Path("/sys/class/block", name).resolve().parent
    if above.name == "block" or not (Path("/dev") / above.name).exists():
        raise Mistake(f"The record's room on the card could not grow: {name} is no partition")
    return Path("/dev") / above.name


def tell_kernel(card: Path, ioctl: Ioctl = fcntl.ioctl) -> None:
    """Lets the kernel know how far the last partition goes now. The partition is only made larger:
    whoever has the whole table read anew takes the partition away for a moment, and all that waits
    for it ends. Raises Mistake."""
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
