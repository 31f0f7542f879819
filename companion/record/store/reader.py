"""Reads the record of a running or a stopped service, even for another user of the service's group.

The order comes from `seq` alone, as a Pi's clock doesn't survive switching off. No data is trusted:
every row is checked, and no index is used (chain.py).

If a power cut has damaged SQLite's log, SQLite reads nothing after the damaged place. Rows that are
then only in the text copy are read from a copy of the record, until the next start of the table
recovers them.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from itertools import takewhile
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple, Self

from companion.core.errors import EntryError
from companion.core.words import Sentence
from companion.games.game import AnyGame
from companion.games.house_rules import Value
from companion.record.copies.text_copy import copies_folder, find_tail
from companion.record.fold import Fold, LossMark, OpenedGame, row_number_of_loss
from companion.record.journal import Journal
from companion.record.people.forget import Names
from companion.record.rows import (
    EntryParser,
    GameOpened,
    KeptRow,
    Row,
    RowsLost,
    Setting,
    agreed_by,
    decode_row,
    keyed_by,
)
from companion.record.settings import ON_TABLE
from companion.record.store.chain import ChainBreak, LinkOrBreak, by_game, check_word, walk
from companion.record.store.database import (
    COLUMNS,
    DB_ERRORS,
    INSERT,
    ChainLink,
    DamagedError,
    StepLimit,
    StoreError,
    connect,
    copy_record,
    is_damage,
    is_opening,
    last_row,
    link_from_columns,
    read_only_address,
    reason,
    writer_of,
)

BOX_ROWS_AT_ONCE = 256
ABOVE_ALL_GAMES = 2**62
"""Greater than the number of any game, but less than text, which only damage can put there."""


class Reader:
    """A record, read-only. Every method raises StoreError if the file can't be read, and
    DamagedError if it is so damaged that SQLite finds no rows."""

    _index_clause = "NOT INDEXED"
    """How queries find the rows of a game: without an index, which may have unnoticed damage."""

    def __init__(self, db: sqlite3.Connection, path: Path, catalog: Mapping[str, AnyGame]) -> None:
        self._db = db
        self.path = path
        self.catalog = catalog
        self._held_files = ExitStack()
        self._loss_marks: tuple[LossMark, ...] | None = None
        self._limit = StepLimit(path)
        self.warnings: list[Sentence] = []
        """A line for each problem of the files."""

    @classmethod
    def open(cls, path: Path, catalog: Mapping[str, AnyGame]) -> "Reader":
        """Opens the record of a running or stopped service, without changing anything on the
        disk."""
        try:
            address, held = read_only_address(path)
            reader = cls(connect(address), path, catalog)
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            raise StoreError(
                "{path} can't be read: {reason}", path=path, reason=reason(error)
            ) from error
        reader._held_files = held
        try:
            reader.query(f"SELECT {COLUMNS} FROM record ORDER BY seq LIMIT 1")
            reader._add_rows_of_text_copy()
        except StoreError:
            reader.close()
            raise
        return reader

    def _add_rows_of_text_copy(self) -> None:
        """Includes rows that SQLite drops because of a damaged log, or warns that they can't be
        read yet."""
        found = find_rows_in_text_copy(self._db, self.path, self.hash_of)
        self.warnings += found.warnings
        if found.copy is not None:
            self.close()
            self._db, self._held_files = found.copy

    def close(self) -> None:
        self._db.close()
        self._held_files.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ games

    def last_game(self) -> tuple[int, Journal[object]] | None:
        """The newest game that was not taken back, with its number; None if there is none."""
        return self.previous(ABOVE_ALL_GAMES)

    def previous(self, game: int) -> tuple[int, Journal[object]] | None:
        """The newest game before this one that was not taken back, with its number; None if there
        is none."""
        for number in self._older_than(game):
            journal = self.game(number)
            if journal and not journal.withdrawn:
                return number, journal
        return None

    def next(self, game: int) -> tuple[int, Journal[object]] | None:
        """The next game, with its number, even if it was taken back (a redo in it restores it);
        None if there is none."""
        for number in self._newer_than(game):
            if journal := self.game(number):
                return number, journal
        return None

    def game(self, game: int) -> Journal[object] | None:
        """A game after all its rows; None if there is no such game."""
        return self.game_with_doubts(game)[0]

    def game_with_doubts(self, game: int) -> tuple[Journal[object] | None, list[str]]:
        """A game after all its rows, and a line for each row that is no longer valid or missing."""
        fold = self.fold(game)
        return fold.journal, fold.doubts

    def fold(self, game: int, names: Names | None = None) -> Fold:
        """The fold of all the game's rows; `names`: replacements for some names."""
        fold = self._fold(game, names)
        if (
            fold.journal is not None
            and fold.journal.holds_back
            and self._has_later_game_on_table(game)
        ):
            fold.reveal_all()
        return fold

    def _fold(self, game: int, names: Names | None = None) -> Fold:
        fold = Fold(game, self.catalog, self.loss_marks(), names)
        for item in self._rows_of_game(game):
            fold.add(item)
        return fold.end()

    def _has_later_game_on_table(self, game: int) -> bool:
        """Whether a later game was begun and is on the table."""
        if self.settings(since=self.newest_game()).get(ON_TABLE) == game:
            return False
        later = (self._fold(number).journal for number in self._newer_than(game))
        return any(journal is not None and not journal.withdrawn for journal in later)

    def game_on_table(self) -> int:
        """The number of the game on the table: the earlier game that was put back there since the
        newest one was begun, or else the newest that was not taken back; 0 if there is none."""
        chosen = self.settings(since=self.newest_game()).get(ON_TABLE)
        if isinstance(chosen, int) and (journal := self.game(chosen)) and not journal.withdrawn:
            return chosen
        last = self.last_game()
        return last[0] if last else 0

    def new_fold(self, game: int) -> Fold:
        """An empty fold of the game, to which its rows can be added."""
        return Fold(game, self.catalog, self.loss_marks())

    def games(self) -> Iterator[OpenedGame]:
        """The games of the record, oldest first, including those taken back. Reads all rows only
        once."""
        # SQLite takes the columns from the row that has the minimum.
        firsts = f"SELECT min(seq), {COLUMNS} FROM record NOT INDEXED WHERE game > 0 AND game < ?"
        for _, *columns in self.query(f"{firsts} GROUP BY game", ABOVE_ALL_GAMES):
            yield from _read_listed(columns)

    def newest_games(self) -> Iterator[OpenedGame]:
        """The games, newest first, each read only when needed."""
        for number in self._older_than():
            yield from self.iter_listed_game(number)

    def iter_listed_game(self, game: int) -> Iterator[OpenedGame]:
        """Yields the game as an item of the list of games; nothing if its first row can't be
        read."""
        first = (
            f"SELECT {COLUMNS} FROM record {self._index_clause} WHERE game = ? ORDER BY seq LIMIT 1"
        )
        for columns in self.query(first, game):
            yield from _read_listed(columns)

    def rows(self, game: int) -> Iterator[KeptRow]:
        """The unchanged rows of a game (0 for the box), oldest first. Raises EntryError for a row
        that can't be read."""
        parser = None
        for item in self._rows_of_game(game):
            if isinstance(item, ChainLink):
                row = decode_row(item.row, parser)
                if isinstance(row, GameOpened):
                    parser = EntryParser.of(row, self.catalog)
                elif parser is not None:
                    parser = parser.after(row)
                yield kept_row(item, row)

    def game_numbers(self) -> Iterator[int]:
        """The numbers of all games, the oldest first."""
        asked = "SELECT DISTINCT game FROM record NOT INDEXED WHERE game > 0 AND game < ?"
        yield from sorted(game for (game,) in self.query(asked, ABOVE_ALL_GAMES))

    def settings(self, since: int | None = None) -> dict[str, Value]:
        """The newest value of each setting of the box. `since`: only settings made after that game
        was opened; none if there is no such game."""
        opened = 0 if since is None else self._row_range(since)[0]
        if opened is None:
            return {}
        found = {}
        for link in self._box_rows(after=opened):
            with suppress(EntryError):
                row = decode_row(link.row)
                if isinstance(row, Setting):
                    found[row.name] = row.value
        return found

    def box_links(self, *kinds: str) -> Iterator[ChainLink]:
        """The unchanged rows of the box, oldest first; only those of `kinds`, if any are given."""
        found = " OR ".join(f'row LIKE \'%"kind": "{kind}"%\'' for kind in kinds)
        return self._box_rows(f"AND ({found})" if found else "")

    def loss_marks(self) -> tuple[LossMark, ...]:
        """The `lost` rows, which record losses, with their numbers."""
        if self._loss_marks is None:
            found = []
            for link in self.box_links("lost"):
                with suppress(EntryError):
                    row = decode_row(link.row)
                    if isinstance(row, RowsLost):
                        found.append((link.seq, row))
            self._loss_marks = tuple(found)
        return self._loss_marks

    def _last_row_and_hash(self) -> tuple[int, bytes]:
        return last_row(self._db)

    def newest_game(self) -> int:
        """The highest game number; 0 if there is none."""
        return next(self._older_than(), 0)

    def last_row(self) -> int:
        """The number of the newest row, 0 if there is none; a fast query."""
        return int(self.query("SELECT max(seq) FROM record")[0][0] or 0)

    def hash_of(self, row: int) -> bytes | None:
        """The hash in the row of that number; None if there is no such row."""
        found = self.query("SELECT hash FROM record WHERE seq = ?", row)
        return bytes(found[0][0]) if found and isinstance(found[0][0], bytes) else None

    def last_game_row(self) -> tuple[int, float | None]:
        """The number of the newest row of any game (0 if there is none), and when it was kept, in
        seconds since 1970 (None if the clock was not set)."""
        question = "SELECT seq, at FROM record WHERE game > 0 ORDER BY seq DESC LIMIT 1"
        found = self.query(question)
        return (int(found[0][0]), found[0][1]) if found else (0, None)

    def check_word(self, game: int) -> str:
        """The game's check word (chain.py), from the hashes alone: its rows are not checked."""
        question = f"SELECT hash FROM record {self._index_clause} WHERE game = ? ORDER BY seq"
        return check_word(bytes(own) for (own,) in self.query(question, game) if own is not None)

    def last_press(self, keypad: str, boot: int) -> int:
        """The highest number among those presses of `keypad`, since its start number `boot`, that
        made a row; 0 if none did."""
        before = f"{keypad}/{boot}/"
        question = (
            "SELECT max(CAST(substr(source, ?) AS INTEGER)) FROM record "
            "WHERE source >= ? AND source < ?"
        )
        found: int | None = self.query(question, len(before) + 1, before, f"{before[:-1]}0")[0][0]
        return found or 0

    def row_made_by(self, source: str) -> int | None:
        """The number of the row that the press or proposal with this identity made; None if it made
        none."""
        found = self.query("SELECT seq FROM record WHERE source = ?", source)
        return int(found[0][0]) if found else None

    def tip(self, game: int) -> bytes:
        """The hash of a game's last row; empty if there is no such game."""
        question = (
            f"SELECT hash FROM record {self._index_clause} WHERE game = ? ORDER BY seq DESC LIMIT 1"
        )
        found = self.query(question, game)
        return bytes(found[0][0]) if found and isinstance(found[0][0], bytes) else b""

    def rows_after(self, tip: bytes, most: int) -> tuple[KeptRow, ...]:
        """The rows of all games after the one with the hash `tip`, oldest first, without settings
        and unreadable rows. Returns at most the newest `most` rows, and these also if no row has
        that hash."""
        question = f"SELECT {COLUMNS} FROM record WHERE game > 0 ORDER BY seq DESC LIMIT ?"
        links = (link_from_columns(columns) for columns in self.query(question, most))
        since = takewhile(lambda link: link is None or link.hash != tip, links)
        found = list[KeptRow]()
        for link in since:
            with suppress(EntryError):  # an unreadable row is left out
                if link is not None and link.intact:
                    found.append(
                        kept_row(link, decode_row(link.row, self._entry_parser_of(link.game)))
                    )
        return tuple(reversed(found))

    def _entry_parser_of(self, game: int) -> EntryParser | None:
        """The parser for a game's entries; None if the game's first row can't be read. Raises
        EntryError."""
        listed = next(self.iter_listed_game(game), None)
        if listed is None:
            return None
        parser = EntryParser.of(listed.opened, self.catalog)
        question = (
            f"SELECT row FROM record {self._index_clause} WHERE game = ? AND row LIKE ? "
            "ORDER BY seq"
        )
        for (text,) in self.query(question, game, '%"kind": "people"%'):
            with suppress(EntryError):  # an entry's text may match the query by chance
                parser = parser.after(decode_row(text, parser))
        return parser

    def walk(self, first: int = 1) -> Iterator[LinkOrBreak]:
        """Every row from number `first` on, checked, with a ChainBreak for each gap."""
        return walk(self.query, first)

    def all_rows(self) -> list[ChainLink]:
        """Every remaining row. Raises StoreError if there is unrecorded damage."""
        links = []
        for item in self.walk():
            if isinstance(item, ChainLink):
                links.append(item)
            elif row_number_of_loss(item, self.loss_marks()) is None:
                raise StoreError(
                    "{what}: start the table once to repair it, then forget", what=item
                )
        return links

    # ------------------------------------------------------------ reading links

    def _rows_of_game(self, game: int) -> Iterator[LinkOrBreak]:
        """The rows of a game, and its gaps."""
        first, last = self._row_range(game)
        if first is None or last is None:
            return
        for number, item in by_game(self.walk(first)):
            if number == game:
                yield item
            elif number and isinstance(item, ChainLink) and item.seq > last:
                return

    def _row_range(self, game: int) -> tuple[int | None, int | None]:
        """The numbers of a game's first and last row; None if it has no rows."""
        question = f"SELECT min(seq), max(seq) FROM record {self._index_clause} WHERE game = ?"
        first, last = self.query(question, game)[0]
        return first, last

    def _box_rows(self, which: str = "", after: int = 0) -> Iterator[ChainLink]:
        """Rows of the box with numbers above `after`."""
        question = (
            f"SELECT {COLUMNS} FROM record {self._index_clause} WHERE game = 0 AND seq > ? {which} "
            f"ORDER BY seq LIMIT {BOX_ROWS_AT_ONCE}"
        )
        seq = after
        while found := self.query(question, seq):
            for columns in found:
                link = link_from_columns(columns)
                if link is not None and link.intact:
                    yield link
                else:
                    self._note_damage(ChainBreak(columns[0], columns[0], "changed", 0))
            if found[-1][0] <= seq:
                raise self._damaged_error("its rows are out of order")
            seq = found[-1][0]

    def _note_damage(self, missing: ChainBreak) -> None:
        """Called when a row of the box turns out to be damaged. A reader ignores it; a writer
        overrides this."""

    def _newer_than(self, game: int) -> Iterator[int]:
        """The numbers of the games after this one, found one by one, so that games which aren't
        needed cost no time."""
        question = f"SELECT min(game) FROM record {self._index_clause} WHERE game > ? AND game < ?"
        while (game := self.query(question, game, ABOVE_ALL_GAMES)[0][0]) is not None:
            yield game

    def _older_than(self, game: int = ABOVE_ALL_GAMES) -> Iterator[int]:
        question = f"SELECT max(game) FROM record {self._index_clause} WHERE game < ? AND game > 0"
        while (game := self.query(question, game)[0][0]) is not None:
            yield game

    def query(self, question: str, *values: int | str) -> list[Any]:
        """All rows returned by an SQL query; stops an endless query."""
        try:
            self._limit.watch(self._db)
            return self._db.execute(question, values).fetchall()
        except DB_ERRORS as error:
            fault = DamagedError if is_damage(error) else StoreError
            raise fault(
                "{path} can't be read: {reason}", path=self.path, reason=reason(error)
            ) from error

    def _damaged_error(self, why: str) -> DamagedError:
        return DamagedError(
            "{path} can't be read: the file is damaged ({why})", path=self.path, why=why
        )


def _read_listed(columns: Any) -> Iterator[OpenedGame]:
    """Yields the game opened by a first row with these columns; nothing if they can't be read."""
    link = link_from_columns(columns)
    with suppress(EntryError):
        row = decode_row(link.row) if link and link.intact else None
        if link and isinstance(row, GameOpened):
            yield OpenedGame(link.game, row, link.at)


def kept_row(link: ChainLink, row: Row) -> KeptRow:
    """The decoded row with its place in the record."""
    whose, agreed = keyed_by(link.row), agreed_by(link.row)
    return KeptRow(link.seq, link.game, row, link.at, link.source, whose, agreed, link.hash)


# ---------------------------------------------------------------- rows of the text copy


RECOVERY_S = 1.0
"""How many seconds a reader waits for a table that is recovering rows."""

OpenedCopy = tuple[sqlite3.Connection, ExitStack]
"""A connection to a copy of the record that includes the rows of the text copy, and the resources
to close afterwards."""


class TextCopyRows(NamedTuple):
    """Rows that only the text copy has. `copy`: a copy of the record that includes them, to be read
    instead (None to read the record itself). `warnings`: a line for each problem."""

    copy: OpenedCopy | None = None
    warnings: tuple[Sentence, ...] = ()


def find_rows_in_text_copy(
    db: sqlite3.Connection, path: Path, hash_of: Callable[[int], bytes | None]
) -> TextCopyRows:
    """The rows of the record at `path` that only the text copy has. `db`: a connection to the
    record; `hash_of` returns the hash of one of its rows. There are none while a table is running,
    as it has recovered them."""
    writer = writer_of(path)
    if (writer and not is_opening(path)) or not _has_rows_in_log(path):
        return TextCopyRows()
    try:
        seq, tip = last_row(db)
        tail = find_tail(copies_folder(path), seq, hash_of)
    except (*DB_ERRORS, OSError):
        return TextCopyRows()  # readers then get only the rows that SQLite returns
    rows, newest = tail.rows_after(tip), tail.newest
    if writer:
        if rows and not _wait_for_row(db, rows[-1].seq):
            return TextCopyRows(warnings=(_sentence_being_recovered(len(rows)),))
        return TextCopyRows()
    copy, warnings = None, list[Sentence]()
    if rows:
        copy = _copy_record_with(rows, path)
        warnings.append(_sentence_only_in_copy(rows) if copy else _sentence_not_shown(rows))
    if newest is not None and newest.seq > seq + len(rows):
        warnings.append(Sentence("row {row} was being saved when the power went", row=newest.seq))
    return TextCopyRows(copy, tuple(warnings))


def _has_rows_in_log(path: Path) -> bool:
    """Whether SQLite's log has content: a table that was stopped properly leaves it empty."""
    try:
        return Path(f"{path}-wal").stat().st_size > 0
    except OSError:
        return False


def _wait_for_row(db: sqlite3.Connection, row: int) -> bool:
    """Waits up to RECOVERY_S for SQLite to return that row, which a starting table is recovering;
    returns whether it does."""
    until = monotonic() + RECOVERY_S
    while last_row(db)[0] < row:
        if monotonic() >= until:
            return False
        sleep(RECOVERY_S / 20)
    return True


def _copy_record_with(rows: list[ChainLink], path: Path) -> OpenedCopy | None:
    """A copy of the record with these rows added; None if the record is being written, or there is
    no room for a copy."""
    try:
        found = copy_record(path)
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


def _sentence_being_recovered(many: int) -> Sentence:
    if many == 1:
        return Sentence("an entry is being recovered: ask again in a moment")
    return Sentence("{many} entries are being recovered: ask again in a moment", many=many)


def _sentence_only_in_copy(rows: list[ChainLink]) -> Sentence:
    first, last = rows[0].seq, rows[-1].seq
    if first == last:
        return Sentence("row {first} is only in the copy: the next start adds it", first=first)
    return Sentence(
        "rows {first} to {last} are only in the copy: the next start adds them",
        first=first,
        last=last,
    )


def _sentence_not_shown(rows: list[ChainLink]) -> Sentence:
    first, last = rows[0].seq, rows[-1].seq
    if first == last:
        return Sentence(
            "row {first} is only in the copy and not shown: the next start adds it",
            first=first,
        )
    return Sentence(
        "rows {first} to {last} are only in the copy and not shown: the next start adds them",
        first=first,
        last=last,
    )
