"""What can go wrong with a record, each in one line that says what to do."""

import errno
import sqlite3


class StoreError(OSError):
    """The record can't be read or written; nothing was changed."""

    def __init__(self, message: str) -> None:
        super().__init__(message)


class LockedError(StoreError):
    """Another run of the companion has the record."""


class OvertakenError(StoreError):
    """Another run has written to the record meanwhile; nothing of ours was kept."""


class DamagedError(StoreError):
    """The file is no longer what was written."""


class UnwritableError(StoreError):
    """The disk is full, read-only or broken: what is on it can be read, nothing can be added."""


class Seen(ValueError):
    """This press or proposal is in the record already: it counted when it came the first time."""


DB_ERRORS = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises; the second where bytes of a damaged file stand in its message."""

DbError = sqlite3.Error | UnicodeDecodeError

_OF_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)

_REASONS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "the disk is read-only",
    sqlite3.SQLITE_IOERR: "the disk has a fault",
    sqlite3.SQLITE_CANTOPEN: "the file can't be opened",
    sqlite3.SQLITE_PERM: "access is not permitted",
    sqlite3.SQLITE_AUTH: "access is not permitted",
    sqlite3.SQLITE_BUSY: "another program holds the file",
    sqlite3.SQLITE_PROTOCOL: "another program holds the file",
    sqlite3.SQLITE_LOCKED: "another program holds the file",
    sqlite3.SQLITE_NOMEM: "there is not enough memory",
}
"""By SQLite's primary code: troubles of the machine. Every other error means a damaged file."""


def is_damage(error: DbError) -> bool:
    """Whether it is the file's content that is wrong."""
    return primary_code(error) not in _REASONS


def cant(message: str, error: DbError | OSError) -> StoreError:
    """The error for the caller: `message` with the reason; Unwritable where the disk is why."""
    if isinstance(error, OSError):
        of_disk = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
    else:
        of_disk = primary_code(error) in _OF_DISK
    return (UnwritableError if of_disk else StoreError)(f"{message}: {reason(error)}")


def reason(error: DbError | OSError) -> str:
    """The cause in a few words."""
    if isinstance(error, OSError):
        known = {
            errno.ENOSPC: "the disk is full",
            errno.EROFS: "the disk is read-only",
            errno.EIO: "the disk has a fault",
        }
        return known.get(error.errno or 0, (error.strerror or str(error)).lower())
    return _REASONS.get(primary_code(error), f"the file is damaged ({error})")


def disk_reason(error: StoreError) -> str:
    """The same for an error that `cant` made: what the disk said, without the path."""
    cause = error.__cause__
    return reason(cause) if isinstance(cause, DbError | OSError) else str(error)


def primary_code(error: DbError) -> int:
    """SQLite's code for it; that of a damaged file where there is none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
