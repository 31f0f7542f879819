"""A connection to a record's file, even to a damaged one: unreadable text doesn't stop the reading,
a false length takes no memory, and a query that never ends is stopped.
"""

import sqlite3
from pathlib import Path
from urllib.parse import unquote, urlsplit

from companion.core.regular_file import check_regular

LONGEST_ROW = 1 << 24
"""The most bytes that a row takes: a row that says it is longer is damaged."""

STEPS = 1_000_000
"""SQLite's steps between two looks at whether a query has no end."""
STEPS_A_BYTE = 4
"""How many steps of SQLite for each byte of the file are enough for any query: a row has about a
hundred bytes and takes less than a hundred steps."""


def connect(address: str) -> sqlite3.Connection:
    """Opens a database file by its URI. Every statement is a transaction of its own, and text that
    damage has made unreadable arrives changed instead of stopping the reading. A row longer than
    LONGEST_ROW is an error, so a damaged length takes no memory. Raises sqlite3.Error, also if
    something else than a file has that name."""
    _check_file(address)
    db = sqlite3.connect(address, uri=True, isolation_level=None, timeout=2)
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_ROW)
    db.text_factory = lambda raw: raw.decode(errors="replace")
    return db


def _check_file(address: str) -> None:
    if address.startswith("file:"):
        path = unquote(urlsplit(address).path)
        try:
            for end in ("", "-wal", "-shm"):
                check_regular(Path(f"{path}{end}"))
        except OSError as error:
            raise sqlite3.OperationalError(error.strerror) from error


class StepLimit:
    """Stops queries of the record at `path` that have no end: in a damaged file pages can lead to
    each other in a circle, and the rows would fill the memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stretches = 0
        """How many times the present query has done STEPS steps."""

    def watch(self, db: sqlite3.Connection) -> None:
        """Watches the next query of this connection."""
        self._stretches = 0
        db.set_progress_handler(self._has_no_end, STEPS)

    def _has_no_end(self) -> bool:
        """Whether the present query has taken more steps than all rows of the file can take."""
        self._stretches += 1
        files = (Path(f"{self._path}{end}") for end in ("", "-wal"))
        size = sum(file.stat().st_size for file in files if file.exists())
        return (self._stretches - 1) * STEPS > size * STEPS_A_BYTE
