"""Rows that stand only in the log of a record, and that SQLite drops: after a power cut the end of
the log is torn, and behind a torn page SQLite reads nothing. The next start of the table puts these
rows back; until then a reader shows them from a copy.
"""

import sqlite3
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from companion.core.words import Sentence
from companion.record.repair.carve import Dropped, dropped_rows
from companion.record.repair.pages import log_of
from companion.record.store.chain import INSERT, last_of
from companion.record.store.connection import connect
from companion.record.store.faults import DB_ERRORS
from companion.record.store.lock import copy_address, is_opening, writer_of

RECOVERY_S = 1.0
"""How long a reader waits for a table that is just putting rows back into the record."""

OpenedCopy = tuple[sqlite3.Connection, ExitStack]
"""A copy of a record with these rows, and what holds it open."""


class LogRows(NamedTuple):
    """Rows that stand only in the log. `copy`: the record with these rows, to be read in its place
    (None: read the record). `warnings`: what there is to say of them, a line each."""

    copy: OpenedCopy | None = None
    warnings: tuple[Sentence, ...] = ()


def rows_in_log(db: sqlite3.Connection, path: Path) -> LogRows:
    """The rows that stand only in the log of the record at `path`, which `db` has opened. While a
    table runs there are none: it has put them back."""
    writer = writer_of(path)
    if writer and not is_opening(path):
        return LogRows()
    try:
        log = log_of(path)  # before SQLite is asked: a writer's next rows are not in it
        seq, tip = last_of(db)
        dropped = dropped_rows(log, seq, tip)
        if writer:
            # Only a whole row is waited for: a torn end stays until the next row overwrites it.
            if dropped.rows and not _is_taken_in(db, dropped.rows[-1].seq):
                return LogRows(warnings=(_being_recovered(dropped),))
            return LogRows()
    except (*DB_ERRORS, OSError):
        return LogRows()  # what SQLite gives is read
    copy, warnings = None, list[Sentence]()
    if dropped.rows:
        copy = _copy_with(dropped, path)
        warnings.append(_in_log(dropped) if copy else _not_shown(dropped))
    if dropped.newest > seq + len(dropped.rows):
        warnings.append(
            Sentence("row {row} was being saved when the power went", row=dropped.newest)
        )
    return LogRows(copy, tuple(warnings))


def _is_taken_in(db: sqlite3.Connection, row: int) -> bool:
    """Waits up to RECOVERY_S until SQLite gives that row, which a table puts back as it starts;
    returns whether it does."""
    until = monotonic() + RECOVERY_S
    while last_of(db)[0] < row:
        if monotonic() >= until:
            return False
        sleep(RECOVERY_S / 20)
    return True


def _copy_with(dropped: Dropped, path: Path) -> OpenedCopy | None:
    """A copy of the record with the dropped rows; None if somebody writes the record, or if there
    is no room for a copy."""
    try:
        found = copy_address(path)
    except OSError:
        return None
    if found is None:
        return None
    address, held = found
    try:
        db = connect(address)
    except DB_ERRORS:
        held.close()
        return None
    try:
        db.execute("BEGIN")
        db.executemany(INSERT, (link.columns for link in dropped.rows))
        db.execute("COMMIT")
    except DB_ERRORS:
        db.close()
        held.close()
        return None
    return db, held


def _being_recovered(dropped: Dropped) -> Sentence:
    """What is said of rows that a starting table is putting back."""
    many = len(dropped.rows)
    if many == 1:
        return Sentence("an entry is being recovered: ask again in a moment")
    return Sentence("{many} entries are being recovered: ask again in a moment", many=many)


def _in_log(dropped: Dropped) -> Sentence:
    """What is said of rows that were read from the log alone."""
    first, last = dropped.rows[0].seq, dropped.rows[-1].seq
    if first == last:
        return Sentence("row {first} is only in the log: the next start takes it in", first=first)
    return Sentence(
        "rows {first} to {last} are only in the log: the next start takes them in",
        first=first,
        last=last,
    )


def _not_shown(dropped: Dropped) -> Sentence:
    """What is said of rows in the log that could not be read."""
    first, last = dropped.rows[0].seq, dropped.rows[-1].seq
    if first == last:
        return Sentence(
            "row {first} is only in the log and not shown: the next start takes it in",
            first=first,
        )
    return Sentence(
        "rows {first} to {last} are only in the log and not shown: the next start takes them in",
        first=first,
        last=last,
    )
