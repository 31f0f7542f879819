"""A disk that fails on demand."""

import sqlite3
from typing import Any

from companion.record.store.store import Store


def disk_fault() -> sqlite3.Error:
    """The error that SQLite raises on a broken disk."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    return error


class Disk:
    """A record's connection whose next rows fail: before they are written or, worse, after they are
    on the disk. `blind`: reading fails too; `blind_after_row`: reading fails after the next row;
    `keeps_log`: the log is never moved into the file."""

    def __init__(self, store: Store) -> None:
        self._db = store._db
        self.fails: str | None = None
        self.blind = self.blind_after_row = self.keeps_log = False
        vars(store)["_db"] = self

    def execute(self, statement: str, *values: Any) -> Any:
        writes = statement.startswith("INSERT")
        if writes and self.fails == "after":
            self._db.execute(statement, *values)
            self.blind = self.blind or self.blind_after_row
        copies = statement.startswith("PRAGMA wal_checkpoint")
        if (writes and self.fails) or (self.blind and not writes) or (self.keeps_log and copies):
            raise disk_fault()
        return self._db.execute(statement, *values)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)
