"""The table of a card's partitions, as the first sector of the card has it (a master boot record):
written by whoever makes the image, and once by the box, when the last partition grows to the card's
end.

Figures are sectors of 512 bytes. Cards to 2 TB can be told.
"""

import struct

from companion.core.values import dataclass

SECTOR = 512
ALIGNED = 8192
"""Sectors between the places where partitions may begin and end: 4 MiB, as cards are erased."""
TABLE, ENTRY, ENTRIES = 446, 16, 4
SIGNED, SIGNATURE = 510, b"\x55\xaa"
ID = 440
MOST = 2**32 - 1
FAT, LINUX = 0x0C, 0x83
NO_CYLINDERS = b"\xfe\xff\xff"
"""What stands where cylinders, heads and sectors stood once."""


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition: its first sector, how many it has, what is in it."""

    start: int
    size: int
    kind: int
    boots: bool = False

    @property
    def end(self) -> int:
        """The first sector behind it."""
        return self.start + self.size


def sector_of(partitions: tuple[Partition, ...], number: int) -> bytes:
    """The first sector of a card with that identifying number. Raises ValueError where partitions
    overlap, or don't fit."""
    if not 0 < len(partitions) <= ENTRIES:
        raise ValueError(f"a card has 1 to {ENTRIES} partitions, not {len(partitions)}")
    behind = 1
    for one in partitions:
        if one.start < behind or one.size <= 0 or one.end > MOST:
            raise ValueError(f"{one} doesn't fit behind sector {behind}")
        behind = one.end
    sector = bytearray(SECTOR)
    sector[ID : ID + 4] = number.to_bytes(4, "little")
    for at, one in enumerate(partitions):
        place = TABLE + at * ENTRY
        active = 0x80 if one.boots else 0
        sector[place : place + ENTRY] = struct.pack(
            "<B3sB3sII", active, NO_CYLINDERS, one.kind, NO_CYLINDERS, one.start, one.size
        )
    sector[SIGNED:] = SIGNATURE
    return bytes(sector)


def partitions_in(sector: bytes) -> tuple[Partition, ...]:
    """The partitions that a card's first sector lists. Raises ValueError where it is no
    table of partitions."""
    if len(sector) != SECTOR or sector[SIGNED:] != SIGNATURE:
        raise ValueError("this is no table of partitions")
    found = []
    for at in range(ENTRIES):
        entry = sector[TABLE + at * ENTRY : TABLE + (at + 1) * ENTRY]
        active, _, kind, _, start, size = struct.unpack("<B3sB3sII", entry)
        if kind:
            found.append(Partition(start, size, kind, active == 0x80))
    return tuple(found)


def grown(sector: bytes, card: int) -> bytes | None:
    """The first sector with the last partition grown to the end of a card of so many sectors; None
    where it is there already, or the card is smaller than told. Raises ValueError."""
    found = partitions_in(sector)
    last = found[-1]
    if last.start != max(one.start for one in found):
        raise ValueError("the last partition is not behind the others")
    end = min(card, MOST) // ALIGNED * ALIGNED
    if end <= last.end:
        return None
    number = int.from_bytes(sector[ID : ID + 4], "little")
    new = Partition(last.start, end - last.start, last.kind, last.boots)
    return sector[:TABLE] + sector_of((*found[:-1], new), number)[TABLE:]
