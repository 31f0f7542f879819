"""How much may come onto a disk that the record is on."""

import os
from errno import ENOSPC
from pathlib import Path

SPARE = 64 << 20
"""Bytes that stay free for the record."""


def room_in(folder: Path) -> int:
    """Bytes that may come into that folder. Raises OSError where there is none."""
    found = os.statvfs(folder)
    return max(0, found.f_bavail * found.f_frsize - SPARE)


def leave_room(size: int, folder: Path) -> None:
    """Looks that so many bytes may come into that folder. Raises OSError where they may not."""
    if size > room_in(folder):
        raise OSError(ENOSPC, "the card has no room for it beside the record")
