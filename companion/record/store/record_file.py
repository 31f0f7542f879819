"""Makes a record from rows, and replaces another record with it, completely or not at all. The old
record stays beside it under a new name.
"""

import os
from collections.abc import Iterable
from contextlib import closing, suppress
from errno import EBUSY
from itertools import takewhile
from pathlib import Path
from urllib.parse import quote

from companion.core.regular_file import sync
from companion.core.words import Sentence
from companion.record.store.database import INSERT, SCHEMA, ChainLink, connect

RECORD_MODE = 0o640
"""File mode: writable for the service, readable for its group."""

LOG_ENDINGS = ("-wal", "-shm")


# ------------------------------------------------------------ making a record


def make_folder(folder: Path) -> None:
    """Makes the folder and its parents, and syncs their names to the disk, so that they survive a
    power cut. Syncs existing folders as well, as an interrupted start may have made them."""
    folder.mkdir(parents=True, exist_ok=True)
    disk = folder.stat().st_dev
    for above in takewhile(lambda one: one.stat().st_dev == disk, folder.parents):
        with suppress(PermissionError):  # another user's folder: this run hasn't made it
            sync(above)


def make_record(path: Path, links: Iterable[ChainLink] = ()) -> None:
    """Makes a record with these rows unchanged, completely or not at all. Raises OSError or
    sqlite3.Error."""
    new = Path(f"{path}.new")
    for old in (new, *(Path(f"{new}{end}") for end in LOG_ENDINGS)):
        old.unlink(missing_ok=True)
    # The mode has to be set before SQLite opens the file: its log files take theirs from it.
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, RECORD_MODE))
    new.chmod(RECORD_MODE)
    with closing(connect(f"file:{quote(str(new))}?mode=rw")) as db:
        db.executescript(SCHEMA)
        db.execute("BEGIN")
        db.executemany(INSERT, (link.columns for link in links))
        db.execute("COMMIT")
        # SQLite also does this at the end, but silently ignores a failure.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sync(new)
    new.rename(path)
    sync(path.parent)


# ------------------------------------------------------------ setting one aside


def replace_record(path: Path, links: Iterable[ChainLink]) -> Path:
    """Replaces the record at `path` with one of these rows. The old one is kept under a new name,
    which is returned. After a power cut, `finish_replacing` completes it."""
    make_record(_replacement_of(path), links)
    return _replace_with_salvaged(path)


def overwrite_record(path: Path, made: Path) -> None:
    """Replaces the record at `path` with `made`; the old one is deleted. A power cut leaves one or
    the other. The caller holds the record's lock. Raises OSError or sqlite3.Error."""
    with closing(connect(f"file:{quote(str(path))}?mode=rw")) as db:
        # Rows that are only in the log would be lost with it: they are moved into the old record's
        # file, so that a power cut leaves that record complete.
        (busy, *_), *_ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        raise OSError(EBUSY, os.strerror(EBUSY), str(path))
    for end in LOG_ENDINGS:
        Path(f"{path}{end}").unlink(missing_ok=True)
    sync(path.parent)
    made.rename(path)
    sync(path.parent)


def replace_with_file(path: Path, made: Path) -> Path:
    """Like `replace_record`, but moves the finished record `made` into place."""
    made.rename(_replacement_of(path))
    sync(path.parent)
    return _replace_with_salvaged(path)


def _replace_with_salvaged(path: Path) -> Path:
    kept = name_to_set_aside(path)
    _set_aside(path, kept)
    _put_in_place(path)
    return kept


def finish_replacing(path: Path) -> Sentence | None:
    """Completes at start-up a replacement that a power cut interrupted; returns a line about it, or
    None if there was none."""
    if not _replacement_of(path).exists():
        return None
    kept = name_to_set_aside(path)
    if not any(Path(f"{path}{end}").exists() for end in (*LOG_ENDINGS, "")):
        kept = Path(f"{path}.damaged-{int(kept.name.rpartition('-')[2]) - 1}")
    sync(path.parent)  # the new record has to be safe before the old one is renamed
    _set_aside(path, kept)
    _put_in_place(path)
    return Sentence("The record was replaced: the old one is kept as {kept}", kept=kept.name)


def _replacement_of(path: Path) -> Path:
    return Path(f"{path}.salvaged")


def _put_in_place(path: Path) -> None:
    # If a power cut restored the log's old name, it would be taken for the new record's.
    sync(path.parent)
    _replacement_of(path).rename(path)
    sync(path.parent)


def name_to_set_aside(path: Path) -> Path:
    """The new name for the next record that is set aside."""
    number = 1
    while Path(f"{path}.damaged-{number}").exists():
        number += 1
    return Path(f"{path}.damaged-{number}")


def _set_aside(path: Path, kept: Path) -> None:
    """Renames the record and its log. The log goes first, so that the move counts as unfinished as
    long as the record itself is in place."""
    for end in (*LOG_ENDINGS, ""):
        if Path(f"{path}{end}").exists():
            Path(f"{path}{end}").rename(f"{kept}{end}")
