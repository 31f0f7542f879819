"""A damaged record: every row that can still be read goes into a new one, the old file stays.

Rows prove themselves by their hash (chain.py), so they are looked for wherever they may lie: by
their pattern in the bytes of the file and of its log (carve.py), and through SQLite where it still
opens the file (that finds rows too long for one page). They keep their numbers and their hashes.
What is missing between them comes from the copies beside (copies.py), as far as it is there; else
it stays a gap, which a row of its own tells of for ever.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import takewhile
from pathlib import Path
from urllib.parse import quote

from companion.core.errors import EntryError, Sentence
from companion.core.values import dataclass
from companion.record.copies.copies import beside, fitting, folders
from companion.record.fold import known_by
from companion.record.repair.carve import rows_in
from companion.record.repair.frames import USUAL_SIZE
from companion.record.repair.log import chosen
from companion.record.repair.pages import Pages
from companion.record.rows import Gap, Lost
from companion.record.store.chain import COLUMNS, INSERT, SCHEMA, START, ChainLink, connect, link_of
from companion.record.store.codec import decode_row, encode_row
from companion.record.store.faults import DB_ERRORS
from companion.record.store.walk import ROWS_A_PAGE, Missing, by_game, walk_links

MODE = 0o640
"""The service writes, its group reads."""

FOUND = "-found"
"""Ends the name of a copy of the log, from which rows are being put back."""
LOGS = ("-wal", FOUND, "-shm")

LEAP = 10_000
"""By so much the numbers go on where nobody knows how many rows are lost at the end: theirs stay
free, for a copy of the record that may have them."""


# ------------------------------------------------------------ making a record


def make_folder(folder: Path) -> None:
    """The folder and those above it, on the disk too: a power cut can't take back their names.
    Those that are there already may be from a start that did not live to see to that."""
    folder.mkdir(parents=True, exist_ok=True)
    disk = folder.stat().st_dev
    for above in takewhile(lambda one: one.stat().st_dev == disk, folder.parents):
        with suppress(PermissionError):  # so it is not ours, and was there before us
            sync(above)


def make_record(path: Path, links: Iterable[ChainLink] = ()) -> None:
    """A record with these rows as they are: there completely or not at all. Raises OSError or
    sqlite3.Error."""
    new = Path(f"{path}.new")
    for old in (new, *(Path(f"{new}{end}") for end in LOGS)):
        old.unlink(missing_ok=True)
    # The mode has to stand before SQLite opens the file: its log files take theirs from it.
    os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_RDWR, MODE))
    new.chmod(MODE)
    with closing(connect(f"file:{quote(str(new))}?mode=rw")) as db:
        db.executescript(SCHEMA)
        db.execute("BEGIN")
        db.executemany(INSERT, (link.columns for link in links))
        db.execute("COMMIT")
        # SQLite does this at the end, too, but says nothing if it fails.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    sync(new)
    new.rename(path)
    sync(path.parent)


def write_copy(path: Path, data: bytes) -> None:
    """A file with this content, on the disk with its name."""
    with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, MODE), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    sync(path.parent)


def sync(path: Path) -> None:
    """Brings a file's content, or the names in a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ------------------------------------------------------------ setting one aside


def replace_record(path: Path, links: Iterable[ChainLink]) -> Path:
    """Puts a record with these rows in the place of what lies there, which is kept under a new
    name: that is given. Wherever the power goes meanwhile, `finish_replacing` goes on from there.
    """
    make_record(_ready(path), links)
    return _replace(path)


def replace_by(path: Path, made: Path) -> Path:
    """The same with a record that is made already: its file is gone then."""
    made.rename(_ready(path))
    sync(path.parent)
    return _replace(path)


def _replace(path: Path) -> Path:
    kept = _free_name(path)
    _set_aside(path, kept)
    _put_in_place(path)
    return kept


def replace_damaged(
    path: Path, at: float | None = None, more: Sequence[ChainLink] = ()
) -> Sentence:
    """Puts a new record with every readable row in the place of a damaged one; a line that says so.
    `at`: the time, for the row that tells of what is lost; `more`: rows known from elsewhere.
    Raises OSError or sqlite3.Error; then the damaged one is where it was."""
    found = readable(path, more)
    kept = replace_record(path, found.with_mark(_free_name(path).name, at))
    return Sentence("The record was damaged: kept as {kept}; {found}", kept=kept.name, found=found)


def finish_replacing(path: Path) -> Sentence | None:
    """At start-up: ends a replacement that the power switch interrupted."""
    if not _ready(path).exists():
        return None
    kept = _free_name(path)
    if not any(Path(f"{path}{end}").exists() for end in (*LOGS, "")):
        kept = Path(f"{path}.damaged-{int(kept.name.rpartition('-')[2]) - 1}")
    sync(path.parent)  # the new one's name, before the old one loses its own
    _set_aside(path, kept)
    _put_in_place(path)
    return Sentence("The record was damaged: kept as {kept}", kept=kept.name)


def _ready(path: Path) -> Path:
    return Path(f"{path}.salvaged")


def _put_in_place(path: Path) -> None:
    # A log that a power cut gives its old name back would be taken for the new record's.
    sync(path.parent)
    _ready(path).rename(path)
    sync(path.parent)


def _free_name(path: Path) -> Path:
    number = 1
    while Path(f"{path}.damaged-{number}").exists():
        number += 1
    return Path(f"{path}.damaged-{number}")


def _set_aside(path: Path, kept: Path) -> None:
    """Renames the log first: as long as the record itself is in its place, it isn't done."""
    for end in (*LOGS, ""):
        if Path(f"{path}{end}").exists():
            Path(f"{path}{end}").rename(f"{kept}{end}")


# ------------------------------------------------------------ finding rows


@dataclass(frozen=True, slots=True)
class Readable:
    """What can be read of a damaged record. `gaps` are those that no row tells of yet."""

    links: tuple[ChainLink, ...]
    gaps: tuple[Gap, ...]

    def with_mark(self, kept: str, at: float | None) -> Iterator[ChainLink]:
        """The rows, and one that tells of the gaps; the damaged record is kept under that name."""
        yield from self.links
        if self.gaps:
            last, before = (self.links[-1].seq, self.links[-1].hash) if self.links else (0, START)
            ends = [last, *(gap.last or gap.first + LEAP for gap in self.gaps)]
            row = encode_row(Lost(self.gaps, kept))
            yield ChainLink.make(before, (max(ends) + 1, 0, row, at, None))

    def __str__(self) -> str:
        """What is told: how many rows there are, and which are lost."""
        rows, lost = len(self.links), sum(gap.last - gap.first + 1 for gap in self.gaps if gap.last)
        if not rows:
            return "no row is readable"
        named = [_numbers(gap) for gap in self.gaps if gap.last and gap.last >= gap.first]
        are = "is" if lost == 1 else "are"
        told = [f"{', '.join(named[:3])}{' …' * (len(named) > 3)} {are} lost"] if named else []
        whole = f"{rows} of {rows + lost}"
        if self.gaps and self.gaps[-1].last is None:
            whole = str(rows)
            told.append(f"what came after row {self.links[-1].seq} may be lost")
        return f"{whole} rows are readable" + (f": {'; '.join(told)}" if told else "")


def _numbers(gap: Gap) -> str:
    return f"row {gap.first}" if gap.last == gap.first else f"rows {gap.first} to {gap.last}"


def readable(path: Path, more: Sequence[ChainLink] = ()) -> Readable:
    """Every row that proves itself, in the files, among `more`, or in the copies beside, and what
    is missing as far as that can be known. Raises OSError."""
    copied: list[ChainLink] = []
    with suppress(OSError):  # the copies may lie on the part of the disk that is broken, too
        for folder in folders(beside(path)):
            copied += folder.rows()
    return Own.of(path, more).with_copies(copied)


@dataclass(frozen=True, slots=True)
class Own:
    """The rows of a record's own files, by their numbers, and the number of the last one that
    SQLite tells of."""

    path: Path
    rows: Mapping[int, ChainLink]
    told: int | None

    @classmethod
    def of(cls, path: Path, more: Sequence[ChainLink] = ()) -> "Own":
        """Those of a record's files, and `more`. Raises OSError."""
        found: dict[int, list[ChainLink]] = {}
        for end in ("", "-wal", FOUND):
            if (file := Path(f"{path}{end}")).exists():
                for link in rows_in(file):
                    if link not in (same := found.setdefault(link.seq, [])):
                        same.append(link)
        asked, told = _ask_sqlite(path, found)
        for link in (*asked, *more):
            found[link.seq] = [link]
        if more:  # the newest that were written are among them
            told = more[-1].seq
        return cls(path, {link.seq: link for link in chosen(found, START)}, told)

    def with_copies(self, copied: Iterable[ChainLink]) -> Readable:
        """These rows and what of the copied ones may go back among them. Raises OSError."""
        every = {**self.rows, **returning(self.rows, copied)}
        links = tuple(every[seq] for seq in sorted(every))
        for newest in (max(every, default=0), max(self.rows, default=0)):
            if (last := _last_row(self.path, newest, self.told)) is not None:
                return Readable(links, gaps_in(links, max(last, *every, 0)))
        return Readable(links, gaps_in(links, None))


def returning(own: Mapping[int, ChainLink], copied: Iterable[ChainLink]) -> dict[int, ChainLink]:
    """Those of the copied rows that may go back among a record's own, by their numbers. A game that
    went on after a row told of its loss keeps its gap: what was entered then was meant without."""
    marks = [(link.seq, row) for link in own.values() if isinstance(row := _mark(link), Lost)]
    newest = {link.game: link.seq for _, link in sorted(own.items())}

    def went_on(link: ChainLink) -> bool:
        known_at = known_by(Missing(link.seq, link.seq), marks)
        return known_at is not None and newest.get(link.game, 0) > known_at

    found = fitting(own, copied)
    return {seq: link for seq, link in found.items() if not went_on(link)}


def _last_row(path: Path, found: int, told: int | None) -> int | None:
    """The number of the last row that there was; None if nobody knows. `found`: the last that is
    readable, `told`: the last that SQLite tells of."""
    by_tree = (Pages.of(path, size).last_row for size in (0, USUAL_SIZE))
    for last in (*by_tree, told):
        # A number that is damaged itself says nothing, nor does another program's empty table.
        if last is not None and found <= last <= found + ROWS_A_PAGE and (last or told == 0):
            return last
    return None


def gaps_in(links: tuple[ChainLink, ...], last: int | None) -> tuple[Gap, ...]:
    """What is missing between the rows and after them, except what a row of theirs tells of."""
    marks = [(link.seq, row) for link in links if isinstance(row := _mark(link), Lost)]
    touched: dict[Missing, list[int]] = {}
    playing = 0
    for game, item in by_game(walk_links(links)):
        playing = game or playing
        if isinstance(item, Missing) and known_by(item, marks) is None:
            touched.setdefault(item, []).append(game)
    gaps = [
        Gap(hole.first, hole.last, tuple(filter(None, games))) for hole, games in touched.items()
    ]
    end = links[-1].seq + 1 if links else 1
    if last is None or last >= end:
        gaps.append(Gap(end, last, (playing,) if playing else ()))
    return tuple(gaps)


def _mark(link: ChainLink) -> object:
    """The row, if it is one of the box."""
    with suppress(EntryError):
        return None if link.game else decode_row(link.row)
    return None


def _ask_sqlite(
    path: Path, found: dict[int, list[ChainLink]]
) -> tuple[list[ChainLink], int | None]:
    """Rows that the bytes leave open, where SQLite still reads the file; and the number of the last
    one, None where it doesn't."""
    if not path.exists() or path.stat().st_size == 0:
        return [], None  # SQLite would take the log for a stranger's and remove it
    links: list[ChainLink] = []
    try:
        with closing(connect(f"file:{quote(str(path))}?mode=ro")) as db:
            last: int = db.execute("SELECT max(seq) FROM record").fetchone()[0] or 0
            (pages,) = db.execute("PRAGMA page_count").fetchone()
            for seq in range(1, min(last, max(found, default=0) + pages * ROWS_A_PAGE) + 1):
                if len(found.get(seq, ())) != 1:
                    links += _one(db, seq)
    except DB_ERRORS:
        return links, None
    return links, last


def _one(db: sqlite3.Connection, seq: int) -> list[ChainLink]:
    try:
        columns = db.execute(f"SELECT {COLUMNS} FROM record WHERE seq = ?", (seq,)).fetchone()
    except DB_ERRORS:
        return []
    link = link_of(columns) if columns else None
    return [link] if link is not None and link.intact else []
