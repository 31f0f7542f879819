"""A damaged record: every row that can still be read goes into a new one, the old file stays.

Rows come from SQLite, as far as it still gives them, and from the text copies beside the record
(copies/copies.py); each proves itself by its hash (store/chain.py) and keeps it, and its number. If
some are missing all the same, there is a gap, which a row of its own tells of for ever.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.core.words import Sentence
from companion.record.copies.copies import WHOLE, Folder, beside, folders
from companion.record.copies.text_copy import read_tail
from companion.record.fold import Mark, known_by
from companion.record.repair.gathered import Gathered
from companion.record.repair.salvage import free_name, replace_record
from companion.record.rows import Gap, Lost
from companion.record.store.chain import START, ChainLink
from companion.record.store.codec import decode_row, encode_row
from companion.record.store.connection import connect
from companion.record.store.faults import DB_ERRORS, StoreError
from companion.record.store.reader import Reader
from companion.record.store.walk import ROWS_A_PAGE, Missing, by_game, walk_links

LEAP = 10_000
"""How far the numbers leap if nobody knows how many rows are lost at the end: the lost rows'
numbers stay free, for a copy of the record that may have them."""

OWN = "its own files"
"""The name of the place in Gathered that has the record's own rows."""


def replace_damaged(
    path: Path, at: float | None = None, more: Sequence[ChainLink] = ()
) -> Sentence:
    """Puts a new record with every readable row in the place of a damaged one; returns a line that
    says so. `at`: the time, for the row that tells of the loss; `more`: rows known from elsewhere.
    Raises OSError or sqlite3.Error; the damaged record is then still in its place."""
    with readable(path, more) as found:
        kept = replace_record(path, found.with_mark(free_name(path).name, at))
        return Sentence(
            "The record was damaged: kept as {kept}; {found}", kept=kept.name, found=str(found)
        )


@dataclass(frozen=True, slots=True)
class Readable:
    """What can be read of a damaged record. `gaps`: the losses that no row tells of yet."""

    rows: Gathered
    gaps: tuple[Gap, ...]

    def with_mark(self, kept: str, at: float | None) -> Iterator[ChainLink]:
        """The rows, and one that tells of the gaps, with `kept` as the name of the damaged record's
        file."""
        yield from self.rows.links()
        if self.gaps:
            end = self.rows.last
            last, before = (end.seq, end.hash) if end else (0, START)
            ends = [last, *(gap.last or gap.first + LEAP for gap in self.gaps)]
            row = encode_row(Lost(self.gaps, kept))
            yield ChainLink.make(before, (max(ends) + 1, 0, row, at, None))

    def __str__(self) -> str:
        """The line that says how many rows there are, and which are lost."""
        rows, end = self.rows.length, self.rows.last
        lost = sum(gap.last - gap.first + 1 for gap in self.gaps if gap.last)
        if end is None:
            return "no row is readable"
        named = [_numbers(gap) for gap in self.gaps if gap.last and gap.last >= gap.first]
        are = "is" if lost == 1 else "are"
        losses = [f"{', '.join(named[:3])}{' …' * (len(named) > 3)} {are} lost"] if named else []
        whole = f"{rows} of {rows + lost}"
        if self.gaps and self.gaps[-1].last is None:
            whole = str(rows)
            losses.append(f"what came after row {end.seq} may be lost")
        return f"{whole} rows are readable" + (f": {'; '.join(losses)}" if losses else "")


def _numbers(gap: Gap) -> str:
    return f"row {gap.first}" if gap.last == gap.first else f"rows {gap.first} to {gap.last}"


@contextmanager
def readable(path: Path, more: Sequence[ChainLink] = ()) -> Iterator[Readable]:
    """Every row that proves itself, in the record's files, among `more`, or in the copies beside,
    and what is missing, if that can be known. Raises OSError or sqlite3.Error."""
    with Gathered() as rows:
        own = Own.of(path, rows, more)
        with suppress(OSError):  # the copies may lie on the part of the disk that is broken, too
            add_copies(rows, folders(beside(path)))
        yield own.with_copies()


def add_copies(rows: Gathered, copies: Iterable[Folder]) -> None:
    """Adds all rows of these folders. Raises OSError."""
    for folder in copies:
        rows.add(str(folder.path), folder.rows())


@dataclass(frozen=True, slots=True)
class Own:
    """The rows of a record's own files, of which the story in `rows` is made. `last`: the number of
    the last row that SQLite gives (None: it gives none)."""

    path: Path
    rows: Gathered
    last: int | None

    @classmethod
    def of(cls, path: Path, rows: Gathered, more: Sequence[ChainLink] = ()) -> "Own":
        """The rows of a record's files, and `more`. Raises OSError."""
        last = _ask_sqlite(path, rows)
        for link in more:
            rows.replace(OWN, link)
        if more:  # the newest that were written are among them
            last = more[-1].seq
        rows.tell(OWN)
        return cls(path, rows, last)

    def with_copies(self) -> Readable:
        """These rows with those from copies that may go back among them. If a game went on after a
        row told of its loss, its gap stays: what was entered then was meant without the lost rows.
        Raises OSError."""
        marks, ends, own = marks_of(self.rows), self.rows.ends(), self.rows.last

        def returns(link: ChainLink) -> bool:
            known_at = known_by(Missing(link.seq, link.seq), marks)
            return known_at is None or ends.get(link.game, 0) <= known_at

        self.rows.fill(returns)
        return Readable(self.rows, gaps_in(self.rows, self._last_row(own.seq if own else 0)))

    def _last_row(self, own: int) -> int | None:
        """The number of the last row that the record ever had; None if nobody knows. `own`: the
        last row that SQLite can read."""
        end, found = self.rows.last, self.last
        # A number that is damaged itself says nothing, nor does another program's empty table.
        if found is not None and own <= found <= own + ROWS_A_PAGE and (found or not end):
            return max(found, end.seq if end else 0)
        tails = (read_tail(path) for path in beside(self.path).glob(f"record-*/{WHOLE}"))
        ends = (tail.newest for tail in tails if not tail.torn)
        if end is not None and any(last is not None and last.hash == end.hash for last in ends):
            return end.seq
        return None


def gaps_in(rows: Gathered, last: int | None) -> tuple[Gap, ...]:
    """What is missing between and after these rows, except losses that a row among them tells of.
    `last`: the number of the last row that the record had (None: nobody knows)."""
    marks = marks_of(rows)
    touched: dict[Missing, list[int]] = {}
    playing = 0
    for game, item in by_game(walk_links(rows.links())):
        playing = game or playing
        if isinstance(item, Missing) and known_by(item, marks) is None:
            touched.setdefault(item, []).append(game)
    gaps = [
        Gap(hole.first, hole.last, tuple(filter(None, games))) for hole, games in touched.items()
    ]
    end = rows.last.seq + 1 if rows.last else 1
    if last is None or last >= end:
        gaps.append(Gap(end, last, (playing,) if playing else ()))
    return tuple(gaps)


def marks_of(rows: Gathered) -> list[Mark]:
    """The `lost` rows, each with its number."""
    marks = list[Mark]()
    for link in rows.of_box("lost"):
        with suppress(EntryError):
            row = decode_row(link.row)
            if isinstance(row, Lost):
                marks.append((link.seq, row))
    return marks


def _ask_sqlite(path: Path, rows: Gathered) -> int | None:
    """Adds the rows that SQLite still gives. Returns the number of the last row, None if SQLite
    doesn't read the file."""
    if not path.exists() or path.stat().st_size == 0:
        return None  # SQLite would take the log for a stranger's and remove it
    with (
        suppress(StoreError, *DB_ERRORS),
        closing(connect(f"file:{quote(str(path))}?mode=ro")) as db,
    ):
        reader = Reader(db, path, {})
        rows.add(OWN, _as_far_as_read(reader))
        return reader.last_row()
    return None


def _as_far_as_read(reader: Reader) -> Iterator[ChainLink]:
    with suppress(StoreError):
        yield from (item for item in reader.walk() if isinstance(item, ChainLink))
