"""How much may be written to the disk that the record is on."""

import os
from errno import ENOSPC
from pathlib import Path

SPARE = 64 << 20
"""Bytes that stay free for the record."""


def room_in(folder: Path) -> int:
    """Bytes that may be written to `folder`: those free on its disk but for SPARE. Raises OSError
    if there is no such folder."""
    found = os.statvfs(folder)
    return max(0, found.f_bavail * found.f_frsize - SPARE)


def leave_room(size: int, folder: Path) -> None:
    """Checks that `size` bytes may be written to `folder`. Raises OSError if they may not."""
    if size > room_in(folder):
        raise OSError(ENOSPC, "the card has no room for it beside the record")
