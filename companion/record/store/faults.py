"""What can go wrong with a record, each in one line that says what to do."""

import errno
import sqlite3

from companion.core.errors import EntryError, SaidError
from companion.core.words import Sentence, mark


class StoreError(SaidError, OSError):
    """The record can't be read or written; nothing was changed."""


class LockedError(StoreError):
    """Another run of the companion has the record."""


class OvertakenError(StoreError):
    """The record has a row that this run did not know of: another run's, or one that seemed not to
    be saved. The new row was not kept."""


class DamagedError(StoreError):
    """The file is no longer what was written."""


class UnwritableError(StoreError):
    """The disk is full, read-only or broken: what is on it can be read, nothing can be added."""


class Seen(ValueError):
    """The press or proposal is in the record already: it counted when it came the first time."""


class NewerError(EntryError):
    """The row was written by a newer companion than this one."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}: a newer companion wrote it; update this one")


DB_ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What SQLite raises: UnicodeDecodeError if its message has bytes of a damaged file."""

DbError = sqlite3.Error | UnicodeDecodeError | MemoryError

_OF_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR)

_REASONS = {
    sqlite3.SQLITE_FULL: mark("the disk is full"),
    sqlite3.SQLITE_READONLY: mark("the disk is read-only"),
    sqlite3.SQLITE_IOERR: mark("the disk has a fault"),
    sqlite3.SQLITE_CANTOPEN: mark("the file can't be opened"),
    sqlite3.SQLITE_PERM: mark("access is not permitted"),
    sqlite3.SQLITE_AUTH: mark("access is not permitted"),
    sqlite3.SQLITE_BUSY: mark("another program holds the file"),
    sqlite3.SQLITE_PROTOCOL: mark("another program holds the file"),
    sqlite3.SQLITE_LOCKED: mark("another program holds the file"),
    sqlite3.SQLITE_NOMEM: mark("there is not enough memory"),
}
"""Reasons by SQLite's primary code: troubles of the machine. Every other error means a damaged
file."""


def is_damage(error: DbError) -> bool:
    """Whether the error means that the file's content is wrong."""
    return primary_code(error) not in _REASONS


def cant(template: str, error: DbError | OSError, **parts: object) -> StoreError:
    """The error for the caller to raise: `template` with the {reason} put in. It is an
    UnwritableError if the disk is the reason, else a StoreError."""
    if isinstance(error, OSError):
        of_disk = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
    else:
        of_disk = primary_code(error) in _OF_DISK
    return (UnwritableError if of_disk else StoreError)(template, reason=reason(error), **parts)


def reason(error: DbError | OSError) -> Sentence:
    """The cause in a few words."""
    if isinstance(error, OSError):
        known = {
            errno.ENOSPC: mark("the disk is full"),
            errno.EROFS: mark("the disk is read-only"),
            errno.EIO: mark("the disk has a fault"),
        }
        if error.errno in known:
            return Sentence(known[error.errno])
        return Sentence("{why}", why=(error.strerror or str(error)).lower())
    if primary_code(error) in _REASONS:
        return Sentence(_REASONS[primary_code(error)])
    return Sentence("the file is damaged ({why})", why=error)


def disk_reason(error: StoreError) -> StoreError | Sentence:
    """The reason alone, without the path, of an error that `cant` made; else the error itself."""
    cause = error.__cause__
    return reason(cause) if isinstance(cause, DbError | OSError) else error


def primary_code(error: DbError) -> int:
    """SQLite's primary code for an error; if it has none, the code for too little memory or for a
    damaged file."""
    none = sqlite3.SQLITE_NOMEM if isinstance(error, MemoryError) else sqlite3.SQLITE_CORRUPT
    return getattr(error, "sqlite_errorcode", none) & 0xFF
