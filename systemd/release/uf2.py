"""A UF2 file to drag onto a Pico: MicroPython, and the seat keypad's own files in its file system.

Source of the format: https://github.com/microsoft/uf2. A block of 512 bytes carries 256 for a place
in the flash; all blocks of a file know how many there are.
"""

import struct
from collections.abc import Iterator

from companion.core.values import dataclass

BLOCK, CARRIED = 512, 256
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY, NOT_MAIN_FLASH = 0x2000, 0x0001
RP2040 = 0xE48BFF56
FLASH = 0x10000000
FILES_AT = FLASH + (2 << 20) - 352 * 4096
"""Where MicroPython's file system begins on a Pico: its last 352 blocks of two megabytes."""
ERASED = 4096
"""Bytes that are erased together: of these all are written, or none."""
_HEAD = struct.Struct("<IIIIIIII")


@dataclass(frozen=True, slots=True)
class Piece:
    """256 bytes for one place."""

    address: int
    data: bytes


def pieces_of(uf2: bytes) -> list[Piece]:
    """What a UF2 file for an RP2040 carries. Raises ValueError where it isn't one."""
    if not uf2 or len(uf2) % BLOCK:
        raise ValueError("this is no UF2 file: its blocks are not whole")
    found = []
    for at in range(0, len(uf2), BLOCK):
        first, second, flags, address, size, _, _, family = _HEAD.unpack_from(uf2, at)
        (last,) = struct.unpack_from("<I", uf2, at + BLOCK - 4)
        if (first, second, last) != (FIRST, SECOND, LAST):
            raise ValueError(f"this is no UF2 file: block {at // BLOCK}")
        if flags & NOT_MAIN_FLASH or (flags & HAS_FAMILY and family != RP2040):
            continue
        found.append(Piece(address, uf2[at + _HEAD.size : at + _HEAD.size + size]))
    return found


def pieces_at(image: bytes, address: int) -> Iterator[Piece]:
    """The pieces of an image that is to lie there; what is empty to a whole erased part is left
    out."""
    for at in range(0, len(image), ERASED):
        part = image[at : at + ERASED]
        if part.strip(b"\xff") and part.strip(b"\0"):
            for inside in range(0, ERASED, CARRIED):
                yield Piece(address + at + inside, part[inside : inside + CARRIED])


def written(pieces: list[Piece]) -> bytes:
    """A UF2 file of these pieces, the lowest first. Raises ValueError where two are at one
    place."""
    ordered = sorted(pieces, key=lambda piece: piece.address)
    behind = 0
    for piece in ordered:
        if piece.address < behind or len(piece.data) != CARRIED:
            raise ValueError(f"two files lie at {piece.address:#x}, or one is torn")
        behind = piece.address + CARRIED
    blocks = []
    for number, piece in enumerate(ordered):
        head = _HEAD.pack(
            FIRST, SECOND, HAS_FAMILY, piece.address, CARRIED, number, len(ordered), RP2040
        )
        body = (head + piece.data).ljust(BLOCK - 4, b"\0")
        blocks.append(body + struct.pack("<I", LAST))
    return b"".join(blocks)


def together(micropython: bytes, files: bytes) -> bytes:
    """MicroPython and a file system as one UF2 file."""
    return written([*pieces_of(micropython), *pieces_at(files, FILES_AT)])
