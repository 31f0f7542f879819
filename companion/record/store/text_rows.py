"""Rows that only the text copy has, where a power cut has left SQLite's log damaged: behind the
damaged place SQLite reads nothing. The next start of the table puts these rows back; until then a
reader shows them from a copy of the record.
"""

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from companion.core.words import Sentence
from companion.record.copies.copies import beside
from companion.record.copies.text_copy import tail_beside
from companion.record.store.chain import INSERT, ChainLink, last_of
from companion.record.store.connection import connect
from companion.record.store.faults import DB_ERRORS
from companion.record.store.lock import copy_address, is_opening, writer_of

RECOVERY_S = 1.0
"""How long a reader waits for a table that is just putting rows back into the record."""

OpenedCopy = tuple[sqlite3.Connection, ExitStack]
"""A copy of a record with these rows, and what holds it open."""


class TextRows(NamedTuple):
    """Rows that only the text copy has. `copy`: the record with these rows, to be read in its place
    (None: read the record). `warnings`: what there is to say of them, a line each."""

    copy: OpenedCopy | None = None
    warnings: tuple[Sentence, ...] = ()


def rows_in_text(
    db: sqlite3.Connection, path: Path, hash_of: Callable[[int], bytes | None]
) -> TextRows:
    """The rows that only the text copy has of the record at `path`, which `db` has opened;
    `hash_of` gives the hash of one of its rows. While a table runs there are none: it has put them
    back."""
    writer = writer_of(path)
    if (writer and not is_opening(path)) or not _was_cut_off(path):
        return TextRows()
    try:
        seq, tip = last_of(db)
        tail = tail_beside(beside(path), seq, hash_of)
    except (*DB_ERRORS, OSError):
        return TextRows()  # what SQLite gives is read
    rows, newest = tail.after(tip), tail.newest
    if writer:
        if rows and not _is_taken_in(db, rows[-1].seq):
            return TextRows(warnings=(_being_recovered(len(rows)),))
        return TextRows()
    copy, warnings = None, list[Sentence]()
    if rows:
        copy = _copy_with(rows, path)
        warnings.append(_in_text(rows) if copy else _not_shown(rows))
    if newest is not None and newest.seq > seq + len(rows):
        warnings.append(Sentence("row {row} was being saved when the power went", row=newest.seq))
    return TextRows(copy, tuple(warnings))


def _was_cut_off(path: Path) -> bool:
    """Whether rows stand only in the copy: whoever stops a table leaves it empty."""
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except OSError:
        return False


def _is_taken_in(db: sqlite3.Connection, row: int) -> bool:
    """Waits up to RECOVERY_S until SQLite gives that row, which a table puts back as it starts;
    returns whether it does."""
    until = monotonic() + RECOVERY_S
    while last_of(db)[0] < row:
        if monotonic() >= until:
            return False
        sleep(RECOVERY_S / 20)
    return True


def _copy_with(rows: list[ChainLink], path: Path) -> OpenedCopy | None:
    """A copy of the record with these rows; None if somebody writes the record, or if there
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
        db.executemany(INSERT, (link.columns for link in rows))
        db.execute("COMMIT")
    except DB_ERRORS:
        db.close()
        held.close()
        return None
    return db, held


def _being_recovered(many: int) -> Sentence:
    """What is said of so many rows that a starting table is putting back."""
    if many == 1:
        return Sentence("an entry is being recovered: ask again in a moment")
    return Sentence("{many} entries are being recovered: ask again in a moment", many=many)


def _in_text(rows: list[ChainLink]) -> Sentence:
    """What is said of rows that were read from the text copy alone."""
    first, last = rows[0].seq, rows[-1].seq
    if first == last:
        return Sentence("row {first} is only in the copy: the next start takes it in", first=first)
    return Sentence(
        "rows {first} to {last} are only in the copy: the next start takes them in",
        first=first,
        last=last,
    )


def _not_shown(rows: list[ChainLink]) -> Sentence:
    """What is said of rows in the text copy that could not be shown."""
    first, last = rows[0].seq, rows[-1].seq
    if first == last:
        return Sentence(
            "row {first} is only in the copy and not shown: the next start takes it in",
            first=first,
        )
    return Sentence(
        "rows {first} to {last} are only in the copy and not shown: the next start takes them in",
        first=first,
        last=last,
    )
