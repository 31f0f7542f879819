"""Salvages a damaged record: copies every readable row into a new one, and keeps the old file.

Rows come from SQLite, as far as it can still read them, and from the text copies beside the record
(copies/text_copy.py); each is verified by its hash (store/chain.py), and keeps its hash and number.
If some are still missing, a row records the gap.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.core.words import Sentence
from companion.record.copies.text_copy import ALL_ROWS, Folder, copies_folder, folders, read_tail
from companion.record.fold import LossMark, row_number_of_loss
from companion.record.rows import Gap, RowsLost, decode_row, encode_row
from companion.record.store.chain import ROWS_A_PAGE, ChainBreak, by_game, walk_links
from companion.record.store.database import (
    COLUMNS,
    DB_ERRORS,
    START,
    ChainLink,
    StoreError,
    connect,
)
from companion.record.store.reader import Reader
from companion.record.store.record_file import name_to_set_aside, replace_record

# ---------------------------------------------------------------- rows found anywhere


MEMORY_KIB = 8 << 10
"""How much memory SQLite may use for the rows, in KiB."""

_TABLES = f"""
PRAGMA cache_size = -{MEMORY_KIB};
PRAGMA journal_mode = OFF;
CREATE TABLE found (
  id INTEGER PRIMARY KEY, place TEXT, seq INTEGER, game INTEGER, row TEXT, at REAL, source TEXT,
  before BLOB, hash BLOB
);
CREATE INDEX by_seq ON found (seq);
CREATE TABLE story (seq INTEGER PRIMARY KEY, id INTEGER, before BLOB, hash BLOB);
"""
_LINK_COLUMNS = ", ".join(f"found.{column}" for column in COLUMNS.split(", "))
_STORY = "FROM story JOIN found ON found.id = story.id"
_FOUND_WITH_STORY = "FROM found LEFT JOIN story ON story.seq = found.seq"
_FROM_START = f"SELECT x'{START.hex()}' AS hash, 0 AS seq"
_IN_ORDER = "ORDER BY found.seq, found.id"


class FoundRows:
    """The rows found at several named places, and the “story”: the best chain made of them, with at
    most one row of each number. Every method raises sqlite3.Error if the disk is full."""

    def __init__(self) -> None:
        self._db = connect("")
        self._db.executescript(_TABLES)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._db.close()

    def add(self, place: str, links: Iterable[ChainLink]) -> None:
        """Adds rows found at `place`, in the order in which they were found."""
        self._db.executemany(
            "INSERT INTO found VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((place, *link.columns) for link in links),
        )

    def replace(self, place: str, link: ChainLink) -> None:
        """Replaces all rows at `place` that have the same number as `link` with `link`."""
        self._db.execute("DELETE FROM found WHERE seq = ? AND place = ?", (link.seq, place))
        self.add(place, (link,))

    # ------------------------------------------------------------ what there is

    def newest_of(self, place: str) -> tuple[float, int]:
        """The latest time at which a row of `place` was kept, in seconds since 1970 (0 if the clock
        was not set), and the highest row number."""
        question = "SELECT coalesce(max(at), 0), coalesce(max(seq), 0) FROM found WHERE place = ?"
        at, seq = self._query_one(question, place)
        return float(at), int(seq)

    @property
    def length(self) -> int:
        """The number of rows in the story."""
        return int(self._query_one("SELECT count(*) FROM story")[0])

    @property
    def last(self) -> ChainLink | None:
        """The story's last row; None if the story is empty."""
        return next(self._links(f"{_STORY} ORDER BY story.seq DESC LIMIT 1"), None)

    def links(self) -> Iterator[ChainLink]:
        """The story's rows, in order."""
        return self._links(f"{_STORY} ORDER BY story.seq")

    def box_links(self, kind: str) -> Iterator[ChainLink]:
        """The story's rows of that kind that belong to no game, in order."""
        some = f'found.game = 0 AND found.row LIKE \'%"kind": "{kind}"%\''
        return self._links(f"{_STORY} WHERE {some} ORDER BY story.seq")

    def last_row_of_games(self) -> dict[int, int]:
        """For each game, the number of its last row in the story."""
        return dict(self._db.execute(f"SELECT game, max(story.seq) {_STORY} GROUP BY game"))

    # ------------------------------------------------------------ making a story

    def build_story(self, place: str) -> None:
        """Builds the story from the rows of one place. Of two rows with the same number, of which
        one was never committed, it takes the one that fits its neighbours or, failing that, the
        later one."""
        self._db.execute("CREATE INDEX by_before ON found (before)")
        best: ChainLink | None = None
        tip = START
        for link in self._links(f"FROM found WHERE place = ? {_IN_ORDER}", place):
            if best is not None and link.seq == best.seq:
                best = self._choose_row(best, link, tip, place)
                continue
            if best is not None:
                self._add_to_story(best, place)
                tip = best.hash
            best = link
        if best is not None:
            self._add_to_story(best, place)
        self._db.execute("DROP INDEX by_before")  # without it more rows are added faster

    def _choose_row(self, one: ChainLink, later: ChainLink, tip: bytes, place: str) -> ChainLink:
        followed = "SELECT EXISTS (SELECT 1 FROM found WHERE before = ? AND place = ?)"

        def rank(link: ChainLink) -> tuple[bool, bool]:
            return link.before == tip, bool(self._query_one(followed, link.hash, place)[0])

        return one if rank(one) > rank(later) else later

    def _add_to_story(self, link: ChainLink, place: str) -> None:
        """Adds a row found at `place` to the story, unless the story has one with its number."""
        self._db.execute(
            "INSERT OR IGNORE INTO story SELECT seq, id, before, hash FROM found "
            "WHERE seq = ? AND hash = ? AND place = ? LIMIT 1",
            (link.seq, link.hash, place),
        )

    def fill(self, may: Callable[[ChainLink], bool] = lambda _: True) -> int:
        """Fills gaps in the story with rows found at any place. A row is added if the story has
        none with its number, its hash links it to the story's rows, directly or through other found
        rows, and `may` returns True for it. Returns how many were added."""
        self._db.executescript(
            f"""
            CREATE TABLE lacking AS SELECT found.id, found.seq, found.before, found.hash
              {_FOUND_WITH_STORY} WHERE story.seq IS NULL;
            CREATE INDEX lacking_before ON lacking (before);
            CREATE INDEX lacking_hash ON lacking (hash);
            CREATE TABLE fitting (seq INTEGER PRIMARY KEY, id INTEGER);
            """
        )
        self._extend_story("before", "hash")
        self._extend_story("hash", "before")
        many = 0
        chosen = "FROM fitting JOIN found ON found.id = fitting.id ORDER BY fitting.seq"
        allowed = (link for link in self._links(chosen) if may(link))
        for link in allowed:
            self._db.execute(
                "INSERT INTO story SELECT seq, id, ?, ? FROM fitting WHERE seq = ?",
                (link.before, link.hash, link.seq),
            )
            many += 1
        self._db.executescript("DROP TABLE lacking; DROP TABLE fitting")
        return many

    def _extend_story(self, column: str, story_column: str) -> None:
        """Extends the story: adds to each of its rows the next one that fits and whose number is
        free, and goes on from there. A row fits if its `column` (“before” or “hash”) equals the
        `story_column` of the row in the story."""
        start = "SELECT x'' AS hash, 0 AS seq" if column == "hash" else _FROM_START
        ends = f"SELECT story.{story_column} AS hash, story.seq FROM story"
        firsts = (
            f"SELECT max(lacking.id) FROM ({start} UNION ALL {ends}) AS tip "
            f"JOIN lacking ON lacking.{column} = tip.hash GROUP BY tip.seq ORDER BY tip.seq"
        )
        following = (
            f"SELECT other.id FROM lacking JOIN lacking AS other "
            f"ON other.{column} = lacking.{story_column} "
            f"WHERE lacking.id = ? ORDER BY other.id DESC"
        )
        take = "INSERT OR IGNORE INTO fitting SELECT seq, id FROM lacking WHERE id = ?"
        self._db.execute("CREATE UNIQUE INDEX IF NOT EXISTS lacking_id ON lacking (id)")
        for (first,) in self._db.execute(firsts):
            at: tuple[int] | None = (first,)
            while at is not None and self._db.execute(take, at).rowcount:
                at = self._db.execute(following, at).fetchone()

    def count_apart(self, besides: str) -> int:
        """Returns how many rows found at other places than `besides` continue the chain of the
        story's rows, directly or through other found rows, but aren't part of the story."""
        self._db.executescript(
            """
            CREATE TABLE apart (hash BLOB PRIMARY KEY) WITHOUT ROWID;
            CREATE INDEX story_hash ON story (hash);
            """
        )
        question = (
            f"SELECT found.before, found.hash {_FOUND_WITH_STORY} "
            f"WHERE story.hash IS NOT found.hash AND place <> ? {_IN_ORDER}"
        )
        known = "SELECT EXISTS (SELECT 1 FROM story WHERE hash = ?1) OR EXISTS "
        known += "(SELECT 1 FROM apart WHERE hash = ?1)"
        for before, own in self._db.execute(question, (besides,)):
            if self._query_one(known, before)[0]:
                self._db.execute("INSERT OR IGNORE INTO apart VALUES (?)", (own,))
        many = int(self._query_one("SELECT count(*) FROM apart")[0])
        self._db.executescript("DROP TABLE apart; DROP INDEX story_hash")
        return many

    def _links(self, which: str, *values: object) -> Iterator[ChainLink]:
        for columns in self._db.execute(f"SELECT {_LINK_COLUMNS} {which}", values):
            yield ChainLink(*columns)

    def _query_one(self, question: str, *values: object) -> Any:
        return self._db.execute(question, values).fetchone()


# ---------------------------------------------------------------- what can be read


SEQ_LEAP = 10_000
"""The jump in row numbers if it isn't known how many rows are lost at the end: the numbers between
stay free for rows that a copy may still have."""

OWN_FILES_PLACE = "its own files"
"""The name of the place in FoundRows for the record's own rows."""


def replace_damaged(
    path: Path, at: float | None = None, known_rows: Sequence[ChainLink] = ()
) -> Sentence:
    """Replaces a damaged record with a new one of all its readable rows; returns a line about it.
    `at`: the time for the row that records the loss, in seconds since 1970; `known_rows`: rows
    known from elsewhere. Raises OSError or sqlite3.Error; the damaged record is then still in
    place."""
    with read_damaged(path, known_rows) as found:
        kept = replace_record(path, found.with_mark(name_to_set_aside(path).name, at))
        return Sentence(
            "The record was damaged: kept as {kept}; {found}", kept=kept.name, found=str(found)
        )


@dataclass(frozen=True, slots=True)
class ReadableRows:
    """The readable part of a damaged record. `gaps`: losses that aren't recorded yet."""

    rows: FoundRows
    gaps: tuple[Gap, ...]

    def with_mark(self, kept: str, at: float | None) -> Iterator[ChainLink]:
        """Yields the rows, and one that records the gaps and the damaged file's new name,
        `kept`."""
        yield from self.rows.links()
        if self.gaps:
            end = self.rows.last
            last, before = (end.seq, end.hash) if end else (0, START)
            ends = [last, *(gap.last or gap.first + SEQ_LEAP for gap in self.gaps)]
            row = encode_row(RowsLost(self.gaps, kept))
            yield ChainLink.make(before, (max(ends) + 1, 0, row, at, None))

    def __str__(self) -> str:
        """A line with the number of rows, and the missing ones."""
        rows, end = self.rows.length, self.rows.last
        lost = sum(gap.last - gap.first + 1 for gap in self.gaps if gap.last)
        if end is None:
            return "no row is readable"
        named = [_gap_in_words(gap) for gap in self.gaps if gap.last and gap.last >= gap.first]
        are = "is" if lost == 1 else "are"
        losses = [f"{', '.join(named[:3])}{' …' * (len(named) > 3)} {are} lost"] if named else []
        whole = f"{rows} of {rows + lost}"
        if self.gaps and self.gaps[-1].last is None:
            whole = str(rows)
            losses.append(f"what came after row {end.seq} may be lost")
        return f"{whole} rows are readable" + (f": {'; '.join(losses)}" if losses else "")


def _gap_in_words(gap: Gap) -> str:
    return f"row {gap.first}" if gap.last == gap.first else f"rows {gap.first} to {gap.last}"


@contextmanager
def read_damaged(path: Path, known_rows: Sequence[ChainLink] = ()) -> Iterator[ReadableRows]:
    """All intact rows from the record's files, `known_rows` and the copies beside the record, with
    the gaps, as far as they can be determined. Raises OSError or sqlite3.Error."""
    with FoundRows() as rows:
        own = OwnRows.of(path, rows, known_rows)
        with suppress(OSError):  # the copies may be on the broken part of the disk, too
            add_copies(rows, folders(copies_folder(path)))
        yield own.with_rows_of_copies()


def add_copies(rows: FoundRows, copies: Iterable[Folder]) -> None:
    """Adds all rows of these copies. Raises OSError."""
    for folder in copies:
        rows.add(str(folder.path), folder.rows())


@dataclass(frozen=True, slots=True)
class OwnRows:
    """The rows of a record's own files, collected in `rows`. `last`: the number of the last row
    that SQLite returns (None if it returns none)."""

    path: Path
    rows: FoundRows
    last: int | None

    @classmethod
    def of(cls, path: Path, rows: FoundRows, known_rows: Sequence[ChainLink] = ()) -> "OwnRows":
        """Collects the rows of a record's files; `known_rows` replace those with the same numbers.
        Raises OSError."""
        last = _add_rows_of_sqlite(path, rows)
        for link in known_rows:
            rows.replace(OWN_FILES_PLACE, link)
        if known_rows:  # the last of these is the newest row that was written
            last = known_rows[-1].seq
        rows.build_story(OWN_FILES_PLACE)
        return cls(path, rows, last)

    def with_rows_of_copies(self) -> ReadableRows:
        """These rows, filled up with rows from copies. A recorded gap stays if its game went on
        afterwards, because the later entries were made without the lost rows. Raises OSError."""
        marks, ends, own = loss_marks_in(self.rows), self.rows.last_row_of_games(), self.rows.last

        def returns(link: ChainLink) -> bool:
            known_at = row_number_of_loss(ChainBreak(link.seq, link.seq), marks)
            return known_at is None or ends.get(link.game, 0) <= known_at

        self.rows.fill(returns)
        return ReadableRows(self.rows, gaps_in(self.rows, self._last_row(own.seq if own else 0)))

    def _last_row(self, own: int) -> int | None:
        """The number of the last row that the record ever had; None if unknown. `own`: the number
        of the last row found in its own files."""
        end, found = self.rows.last, self.last
        # The number counts only if it is plausible: damage may have changed it, or the table may
        # be another program's empty one.
        if found is not None and own <= found <= own + ROWS_A_PAGE and (found or not end):
            return max(found, end.seq if end else 0)
        tails = (read_tail(path) for path in copies_folder(self.path).glob(f"record-*/{ALL_ROWS}"))
        ends = (tail.newest for tail in tails if not tail.torn)
        if end is not None and any(last is not None and last.hash == end.hash for last in ends):
            return end.seq
        return None


def gaps_in(rows: FoundRows, last: int | None) -> tuple[Gap, ...]:
    """The gaps between and after these rows, except those that a row already records. `last`: the
    number of the last row that the record had (None if unknown)."""
    marks = loss_marks_in(rows)
    touched: dict[ChainBreak, list[int]] = {}
    playing = 0
    for game, item in by_game(walk_links(rows.links())):
        playing = game or playing
        if isinstance(item, ChainBreak) and row_number_of_loss(item, marks) is None:
            touched.setdefault(item, []).append(game)
    gaps = [
        Gap(hole.first, hole.last, tuple(filter(None, games))) for hole, games in touched.items()
    ]
    end = rows.last.seq + 1 if rows.last else 1
    if last is None or last >= end:
        gaps.append(Gap(end, last, (playing,) if playing else ()))
    return tuple(gaps)


def loss_marks_in(rows: FoundRows) -> list[LossMark]:
    """The `lost` rows in the story, with their numbers."""
    marks = list[LossMark]()
    for link in rows.box_links("lost"):
        with suppress(EntryError):
            row = decode_row(link.row)
            if isinstance(row, RowsLost):
                marks.append((link.seq, row))
    return marks


def _add_rows_of_sqlite(path: Path, rows: FoundRows) -> int | None:
    """Adds the rows that SQLite can still read. Returns the number of the last row; None if SQLite
    can't read the file."""
    if not path.exists() or path.stat().st_size == 0:
        return None  # SQLite would remove the log beside an empty file
    with (
        suppress(StoreError, *DB_ERRORS),
        closing(connect(f"file:{quote(str(path))}?mode=ro")) as db,
    ):
        reader = Reader(db, path, {})
        rows.add(OWN_FILES_PLACE, _rows_until_error(reader))
        return reader.last_row()
    return None


def _rows_until_error(reader: Reader) -> Iterator[ChainLink]:
    with suppress(StoreError):
        yield from (item for item in reader.walk() if isinstance(item, ChainLink))
