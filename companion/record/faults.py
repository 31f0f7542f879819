"""What can go wrong with a record, each in one line that says what to do."""

import errno
import sqlite3


class StoreError(OSError):
    """The record can't be read or written; nothing was changed."""

    def __init__(self, message: str) -> None:
        # OSError gives one argument back as its text only if it is the only one.
        super().__init__(message)


class LockedError(StoreError):
    """Another run of the companion has the record."""


class DamagedError(StoreError):
    """The file is no longer what was written."""


class Seen(ValueError):
    """This press is in the record already: it counted when it came the first time."""


_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the disk is read-only",
    sqlite3.SQLITE_IOERR: "the disk has a fault",
    sqlite3.SQLITE_CANTOPEN: "the file can't be opened",
    sqlite3.SQLITE_PERM: "access is not permitted",
    sqlite3.SQLITE_AUTH: "access is not permitted",
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_LOCKED: "another program holds the file",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}
"""By SQLite's primary code: troubles of the machine. Every other error means a damaged file."""


def is_damage(error: sqlite3.Error) -> bool:
    """Whether it is the file's content that is wrong."""
    return _primary(error) not in _REASONS


def reason(error: sqlite3.Error | OSError) -> str:
    """The cause in a few words."""
    if isinstance(error, OSError):
        known = {errno.ENOSPC: "the disk is full", errno.EROFS: "the disk is read-only"}
        return known.get(error.errno or 0, (error.strerror or str(error)).lower())
    return _REASONS.get(_primary(error), f"the file is damaged ({error})")


def _primary(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
