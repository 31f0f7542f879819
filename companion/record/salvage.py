"""A damaged record: every row that can still be read goes into a new one, the old file stays.

Rows prove themselves by their hash (chain.py), so they are looked for wherever they may lie: by
their pattern in the bytes of the file and of its log, whatever became of the pages around them, and
through SQLite where it still opens the file (that finds rows too long for one page).
"""

import os
import re
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from companion.record.chain import COLUMNS, INSERT, SCHEMA, START, Link, connect, link_of
from companion.record.faults import DB_ERRORS

MODE = 0o640
"""The service writes, its group reads."""

LOGS = ("-wal", "-shm")


# ------------------------------------------------------------ making a record


def make_folder(folder: Path) -> None:
    """The folder and those above it, on the disk too: a power cut can't take back their names."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for new in missing:
        sync(new.parent)


def make_record(path: Path, links: Iterable[Link] = ()) -> None:
    """A record with these rows, numbered and chained anew: there completely or not at all.
    Raises OSError or sqlite3.Error."""
    new = Path(f"{path}.new")
    for old in (new, *(Path(f"{new}{end}") for end in LOGS)):
        old.unlink(missing_ok=True)
    # The mode has to stand before SQLite opens the file: its log files take theirs from it.
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, MODE))
    new.chmod(MODE)
    with closing(connect(f"file:{quote(str(new))}?mode=rw")) as db:
        db.executescript(SCHEMA)
        db.execute("BEGIN")
        db.executemany(INSERT, (link.columns for link in _chained(links)))
        db.execute("COMMIT")
    sync(new)
    new.rename(path)
    sync(path.parent)


def _chained(links: Iterable[Link]) -> Iterator[Link]:
    before = START
    for seq, old in enumerate(links, start=1):
        link = Link.make(before, (seq, old.game, old.row, old.at, old.source))
        before = link.hash
        yield link


def sync(path: Path) -> None:
    """Brings a file's content, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ------------------------------------------------------------ setting one aside


def replace_damaged(path: Path) -> str:
    """Puts a new record with every readable row in the place of a damaged one, which is kept under
    a new name; a line that says so. Wherever the power goes meanwhile, `finish_replacing` goes on
    from there. Raises OSError or sqlite3.Error; then the damaged one is where it was."""
    links, known = readable_links(path)
    make_record(_ready(path), links)
    kept = _set_aside(path)
    _put_in_place(path)
    rows = f"{len(links)} of {known} rows are" if links else "no row is"
    return f"The record was damaged: kept as {kept.name}; {rows} readable"


def finish_replacing(path: Path) -> str | None:
    """At start-up: ends a replacement that the power switch interrupted."""
    if not _ready(path).exists():
        return None
    kept = _set_aside(path)
    _put_in_place(path)
    return f"The record was damaged: kept as {kept.name}"


def _ready(path: Path) -> Path:
    return Path(f"{path}.salvaged")


def _put_in_place(path: Path) -> None:
    # A log that a power cut gives its old name back would be taken for the new record's.
    sync(path.parent)
    _ready(path).rename(path)
    sync(path.parent)


def _set_aside(path: Path) -> Path:
    """Renames the log first: as long as the record itself is in its place, it isn't done."""
    number = 1
    while Path(f"{path}.damaged-{number}").exists():
        number += 1
    left = [end for end in (*LOGS, "") if Path(f"{path}{end}").exists()]
    kept = Path(f"{path}.damaged-{number if left else number - 1}")
    for end in left:
        Path(f"{path}{end}").rename(f"{kept}{end}")
    return kept


# ------------------------------------------------------------ finding rows


def readable_links(path: Path) -> tuple[list[Link], int]:
    """Every row that proves itself, in order, and how many rows there were as far as is known."""
    found: dict[int, list[Link]] = {}
    for end in ("", "-wal"):
        if (file := Path(f"{path}{end}")).exists():
            for link in carve_links(file.read_bytes()):
                found.setdefault(link.seq, []).append(link)
    asked, last = _ask_sqlite(path, found)
    for link in asked:
        found[link.seq] = [link]
    befores = {link.before for links in found.values() for link in links}
    # A row that was written but never committed may lie in the log beside the one that took its
    # place: the next row tells which of them counts, else the later one does.
    links = [
        next((one for one in found[seq] if one.hash in befores), found[seq][-1])
        for seq in sorted(found)
    ]
    return links, max([last, *found], default=0)


_ROW = re.compile(rb'(?=\x4c\x4c.{0,8}?\{"v": )', re.DOTALL)
"""Where a row's header ends: two blobs of 32 bytes; its game and the start of its JSON follow."""

_NUMBERS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}
"""Bytes that a column takes, by its type in the header (SQLite file format, 2.1)."""


def carve_links(data: bytes) -> Iterator[Link]:
    """Rows found by their bytes alone: payload length, seq, header, columns."""
    for match in _ROW.finditer(data):
        # A header is six to nineteen bytes, its own length first; where it starts is tried out.
        for start in range(max(0, match.start() - 12), match.start() - 4):
            link = _carved(data, start, match.start() + 2)
            if link is not None:
                yield link
                break


def _carved(data: bytes, start: int, body: int) -> Link | None:
    """The row whose header takes data[start:body], if there is one."""
    if data[start] != body - start:
        return None
    types, at = [], start + 1
    while at < body:
        kind, at = _varint(data, at)
        types.append(kind)
    if len(types) != 7 or types[0] != 0:
        return None
    values: list[object] = []
    at = body
    for kind in types[1:]:
        size = _NUMBERS.get(kind, (kind - 12) // 2)
        if size < 0:
            return None
        values.append(_value(kind, data[at : at + size]))
        at += size
    if isinstance(values[2], int):
        values[2] = float(values[2])  # SQLite stores a whole number of seconds so
    for length in range(1, 6):
        seq, end = _varint(data, start - length) if start >= length else (0, 0)
        if end == start:
            link = link_of((seq, *values))
            if link is not None and link.intact:
                return link
    return None


def _value(kind: int, raw: bytes) -> object:
    if kind == 0:
        return None
    if kind == 7:
        return struct.unpack(">d", raw)[0] if len(raw) == 8 else None
    if kind in _NUMBERS:
        return kind - 8 if kind in (8, 9) else int.from_bytes(raw, "big", signed=True)
    return raw.decode(errors="replace") if kind % 2 else raw


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's, seven bits a byte, and where it ends."""
    value = 0
    for place in range(at, min(at + 8, len(data))):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value, -1


def _ask_sqlite(path: Path, found: dict[int, list[Link]]) -> tuple[list[Link], int]:
    """Rows that the bytes leave open, where SQLite still reads the file; and the last seq."""
    if not path.exists() or path.stat().st_size == 0:
        return [], 0  # SQLite would take the log for a stranger's and remove it
    links, last = [], 0
    try:
        with closing(connect(f"file:{quote(str(path))}?mode=ro")) as db:
            last = db.execute("SELECT max(seq) FROM record").fetchone()[0] or 0
            for seq in range(1, min(last, 10_000_000) + 1):
                if len(found.get(seq, ())) != 1:
                    links += _one(db, seq)
    except DB_ERRORS:
        return links, last
    return links, last


def _one(db: sqlite3.Connection, seq: int) -> list[Link]:
    try:
        columns = db.execute(f"SELECT {COLUMNS} FROM record WHERE seq = ?", (seq,)).fetchone()
    except DB_ERRORS:
        return []
    link = link_of(columns) if columns else None
    return [link] if link is not None and link.intact else []
