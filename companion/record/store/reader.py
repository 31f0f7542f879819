"""Reading a record: of a running service, of a stopped one, also as another user of its group.

Order comes from `seq` alone; no clock survives the power switch of a Pi. Nothing that is read is
trusted: every row is checked, and no index is used (chain.py).

Where a power cut has left SQLite's log damaged, SQLite reads nothing behind the damaged place. Rows
that only the text copy has are then read from a copy of the record, until the next start of the
table puts them back.
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
from companion.games.options import Value
from companion.record.copies.text_copy import beside, tail_beside
from companion.record.fold import Fold, Listed, Mark, known_by
from companion.record.journal import Journal
from companion.record.people.forget import Names
from companion.record.rows import Kept, Lost, Opened, Row, Setting
from companion.record.settings import ON_TABLE
from companion.record.store.chain import (
    COLUMNS,
    INSERT,
    ChainLink,
    Missing,
    Walked,
    by_game,
    check_word,
    last_of,
    link_of,
    walk,
)
from companion.record.store.codec import GameWords, agreed_by, decode_row, keyed_by
from companion.record.store.database import (
    DB_ERRORS,
    DamagedError,
    StepLimit,
    StoreError,
    connect,
    copy_address,
    is_damage,
    is_opening,
    read_address,
    reason,
    writer_of,
)

_CHUNK = 256
NEVER = 2**62
"""Greater than the number of any game; SQLite sorts text, which only damage puts there, above
this."""


class Reader:
    """The record, read-only. Every method raises StoreError if the file can't be read, and
    DamagedError if so much is damaged that SQLite finds no rows."""

    _by = "NOT INDEXED"
    """How a query finds the rows of a game: without an index, which may be damaged unnoticed."""

    def __init__(self, db: sqlite3.Connection, path: Path, catalog: Mapping[str, AnyGame]) -> None:
        self._db = db
        self.path = path
        self.catalog = catalog
        self._held = ExitStack()
        self._known: tuple[Mark, ...] | None = None
        self._limit = StepLimit(path)
        self.warnings: list[Sentence] = []
        """What is wrong with the files, one line each."""

    @classmethod
    def open(cls, path: Path, catalog: Mapping[str, AnyGame]) -> "Reader":
        """Opens the record of a running or a stopped service; changes nothing on the disk."""
        try:
            address, held = read_address(path)
            reader = cls(connect(address), path, catalog)
        except StoreError:
            raise
        except (*DB_ERRORS, OSError) as error:
            raise StoreError(
                "{path} can't be read: {reason}", path=path, reason=reason(error)
            ) from error
        reader._held = held
        try:
            reader.ask(f"SELECT {COLUMNS} FROM record ORDER BY seq LIMIT 1")
            reader._read_the_text_too()
        except StoreError:
            reader.close()
            raise
        return reader

    def _read_the_text_too(self) -> None:
        """Reads also the rows that SQLite drops from a damaged log, or warns that they can't be
        read yet."""
        found = rows_in_text(self._db, self.path, self.hash_of)
        self.warnings += found.warnings
        if found.copy is not None:
            self.close()
            self._db, self._held = found.copy

    def close(self) -> None:
        """Lets go of the file."""
        self._db.close()
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------ games

    def last_game(self) -> tuple[int, Journal[object]] | None:
        """The newest game that was not taken back, with its number; None if there is none."""
        return self.previous(NEVER)

    def previous(self, game: int) -> tuple[int, Journal[object]] | None:
        """The newest game before this one that was not taken back, with its number; None if there
        is none."""
        for number in self._older_than(game):
            journal = self.game(number)
            if journal and not journal.withdrawn:
                return number, journal
        return None

    def next(self, game: int) -> tuple[int, Journal[object]] | None:
        """The game after this one, with its number, even if it was taken back (Redo in it brings it
        back); None if there is none."""
        for number in self._newer_than(game):
            if journal := self.game(number):
                return number, journal
        return None

    def game(self, game: int) -> Journal[object] | None:
        """A game as it stands; None if there is no such game."""
        return self.folded(game)[0]

    def folded(self, game: int) -> tuple[Journal[object] | None, list[str]]:
        """A game as it stands, and a line for each row that no longer holds or is missing."""
        fold = self.fold(game)
        return fold.journal, fold.doubts

    def fold(self, game: int, names: Names | None = None) -> Fold:
        """A game with everything that its rows say; `names`: for some of the names in
        the record, the name to use in its place."""
        fold = self._fold(game, names)
        if fold.journal is not None and fold.journal.holds_back and self._is_left(game):
            fold.leave()
        return fold

    def _fold(self, game: int, names: Names | None = None) -> Fold:
        fold = Fold(game, self.catalog, self.marks(), names)
        for item in self._items(game):
            fold.take(item)
        return fold.end()

    def _is_left(self, game: int) -> bool:
        """Whether another game was begun after this one, and is on the table."""
        if self.settings(since=self.newest_game()).get(ON_TABLE) == game:
            return False
        later = (self._fold(number).journal for number in self._newer_than(game))
        return any(journal is not None and not journal.withdrawn for journal in later)

    def on_table(self) -> int:
        """The number of the game that is on the table: the one put there since the newest game was
        begun, else the newest that was not taken back; 0 if there is none."""
        chosen = self.settings(since=self.newest_game()).get(ON_TABLE)
        if isinstance(chosen, int) and (journal := self.game(chosen)) and not journal.withdrawn:
            return chosen
        last = self.last_game()
        return last[0] if last else 0

    def new_fold(self, game: int) -> Fold:
        """The fold of a game before its first row."""
        return Fold(game, self.catalog, self.marks())

    def games(self) -> Iterator[Listed]:
        """The games of the record, the oldest first, also those that were taken back. All rows are
        searched once, and not once for each game."""
        # SQLite takes the columns from the row that has the minimum.
        firsts = f"SELECT min(seq), {COLUMNS} FROM record NOT INDEXED WHERE game > 0 AND game < ?"
        for _, *columns in self.ask(f"{firsts} GROUP BY game", NEVER):
            yield from _listed(columns)

    def newest_games(self) -> Iterator[Listed]:
        """The games, the newest first; each is searched for when it is asked for."""
        for number in self._older_than():
            yield from self.listed(number)

    def listed(self, game: int) -> Iterator[Listed]:
        """The game as the list of games has it; nothing if its first row can't be read."""
        first = f"SELECT {COLUMNS} FROM record {self._by} WHERE game = ? ORDER BY seq LIMIT 1"
        for columns in self.ask(first, game):
            yield from _listed(columns)

    def rows(self, game: int) -> Iterator[Kept]:
        """The rows of a game (0: of the box) that are as they were written, oldest first. Raises
        EntryError at a row that can't be read."""
        table = None
        for item in self._items(game):
            if isinstance(item, ChainLink):
                row = decode_row(item.row, table)
                if isinstance(row, Opened):
                    table = GameWords.of(row, self.catalog)
                elif table is not None:
                    table = table.after(row)
                yield kept(item, row)

    def numbers(self) -> Iterator[int]:
        """The numbers of all games, the oldest first."""
        asked = "SELECT DISTINCT game FROM record NOT INDEXED WHERE game > 0 AND game < ?"
        yield from sorted(game for (game,) in self.ask(asked, NEVER))

    def settings(self, since: int | None = None) -> dict[str, Value]:
        """The last value of each setting of the box. `since`: only of settings made after that game
        was opened; none if there is no such game."""
        opened = 0 if since is None else self._span(since)[0]
        if opened is None:
            return {}
        found = {}
        for link in self._box(after=opened):
            with suppress(EntryError):
                row = decode_row(link.row)
                if isinstance(row, Setting):
                    found[row.name] = row.value
        return found

    def box_links(self, *kinds: str) -> Iterator[ChainLink]:
        """The rows of the box itself that are as they were written, oldest first; only of these
        kinds, if any are named."""
        found = " OR ".join(f'row LIKE \'%"kind": "{kind}"%\'' for kind in kinds)
        return self._box(f"AND ({found})" if found else "")

    def marks(self) -> tuple[Mark, ...]:
        """The `lost` rows, each with its number: what the record knows it has lost."""
        if self._known is None:
            found = []
            for link in self.box_links("lost"):
                with suppress(EntryError):
                    row = decode_row(link.row)
                    if isinstance(row, Lost):
                        found.append((link.seq, row))
            self._known = tuple(found)
        return self._known

    def _last(self) -> tuple[int, bytes]:
        """The number and the hash of the last row, as SQLite gives them."""
        return last_of(self._db)

    def newest_game(self) -> int:
        """The highest number of a game; 0 if there is none."""
        return next(self._older_than(), 0)

    def last_row(self) -> int:
        """The number of the newest row, 0 if there is none: a quick query."""
        return int(self.ask("SELECT max(seq) FROM record")[0][0] or 0)

    def hash_of(self, row: int) -> bytes | None:
        """The hash that stands in that row; None where there is none."""
        found = self.ask("SELECT hash FROM record WHERE seq = ?", row)
        return bytes(found[0][0]) if found and isinstance(found[0][0], bytes) else None

    def last_of_a_game(self) -> tuple[int, float | None]:
        """The newest row that belongs to a game: its number (0: there is none), and when it was
        kept, in seconds since 1970 (None: the clock had not been set)."""
        question = "SELECT seq, at FROM record WHERE game > 0 ORDER BY seq DESC LIMIT 1"
        found = self.ask(question)
        return (int(found[0][0]), found[0][1]) if found else (0, None)

    def check_word(self, game: int) -> str:
        """The game's check word (chain.py), from the hashes alone: its rows are not checked."""
        question = f"SELECT hash FROM record {self._by} WHERE game = ? ORDER BY seq"
        return check_word(bytes(own) for (own,) in self.ask(question, game) if own is not None)

    def last_press(self, keypad: str, boot: int) -> int:
        """The highest number of a press that made a row, among the presses of `keypad` since its
        start `boot`; 0: none did."""
        before = f"{keypad}/{boot}/"
        question = (
            "SELECT max(CAST(substr(source, ?) AS INTEGER)) FROM record "
            "WHERE source >= ? AND source < ?"
        )
        found: int | None = self.ask(question, len(before) + 1, before, f"{before[:-1]}0")[0][0]
        return found or 0

    def row_of(self, source: str) -> int | None:
        """The number of the row that the press or the proposal of this identity made; None: it made
        none."""
        found = self.ask("SELECT seq FROM record WHERE source = ?", source)
        return int(found[0][0]) if found else None

    def tip(self, game: int) -> bytes:
        """The hash of a game's last row; empty where there is no such game."""
        question = f"SELECT hash FROM record {self._by} WHERE game = ? ORDER BY seq DESC LIMIT 1"
        found = self.ask(question, game)
        return bytes(found[0][0]) if found and isinstance(found[0][0], bytes) else b""

    def came_after(self, tip: bytes, most: int) -> tuple[Kept, ...]:
        """The rows of any game after the row whose hash is `tip`, oldest first: at most the newest
        `most` rows, and these also if no row has that hash. Settings are left out, and so is what
        can't be read."""
        question = f"SELECT {COLUMNS} FROM record WHERE game > 0 ORDER BY seq DESC LIMIT ?"
        links = (link_of(columns) for columns in self.ask(question, most))
        since = takewhile(lambda link: link is None or link.hash != tip, links)
        found = list[Kept]()
        for link in since:
            with suppress(EntryError):  # what can't be read can't be told
                if link is not None and link.intact:
                    found.append(kept(link, decode_row(link.row, self._table_of(link.game))))
        return tuple(reversed(found))

    def _table_of(self, game: int) -> GameWords | None:
        """What it takes to read a game's entries; None if the game's first row can't be read.
        Raises EntryError."""
        listed = next(self.listed(game), None)
        if listed is None:
            return None
        words = GameWords.of(listed.opened, self.catalog)
        question = f"SELECT row FROM record {self._by} WHERE game = ? AND row LIKE ? ORDER BY seq"
        for (text,) in self.ask(question, game, '%"kind": "people"%'):
            with suppress(EntryError):  # an entry may have these words, too
                words = words.after(decode_row(text, words))
        return words

    def walk(self, first: int = 1) -> Iterator[Walked]:
        """Every row from number `first` on, checked, and what is missing between them."""
        return walk(self.ask, first)

    def all_rows(self) -> list[ChainLink]:
        """Every row that is left. Raises StoreError if some are damaged, and the record doesn't say
        so yet."""
        links = []
        for item in self.walk():
            if isinstance(item, ChainLink):
                links.append(item)
            elif known_by(item, self.marks()) is None:
                raise StoreError(
                    "{what}: start the table once, it mends that; then forget", what=item
                )
        return links

    # ------------------------------------------------------------ reading links

    def _items(self, game: int) -> Iterator[Walked]:
        """The rows of a game, and what is missing of it."""
        first, last = self._span(game)
        if first is None or last is None:
            return
        for number, item in by_game(self.walk(first)):
            if number == game:
                yield item
            elif number and isinstance(item, ChainLink) and item.seq > last:
                return

    def _span(self, game: int) -> tuple[int | None, int | None]:
        """The numbers of the first and the last row of a game; None if it has no rows."""
        question = f"SELECT min(seq), max(seq) FROM record {self._by} WHERE game = ?"
        first, last = self.ask(question, game)[0]
        return first, last

    def _box(self, which: str = "", after: int = 0) -> Iterator[ChainLink]:
        """Rows of the box itself, those after row `after`."""
        question = (
            f"SELECT {COLUMNS} FROM record {self._by} WHERE game = 0 AND seq > ? {which} "
            f"ORDER BY seq LIMIT {_CHUNK}"
        )
        seq = after
        while found := self.ask(question, seq):
            for columns in found:
                link = link_of(columns)
                if link is not None and link.intact:
                    yield link
                else:
                    self._noticed(Missing(columns[0], columns[0], "changed", 0))
            if found[-1][0] <= seq:
                raise self._damaged("its rows are out of order")
            seq = found[-1][0]

    def _noticed(self, missing: Missing) -> None:
        """Called when a row of the box turns out to be damaged. A reader goes on; a writer
        overrides this."""

    def _newer_than(self, game: int) -> Iterator[int]:
        """The numbers of the games after this one, found one by one: a stored game costs nothing
        until it is asked for."""
        question = f"SELECT min(game) FROM record {self._by} WHERE game > ? AND game < ?"
        while (game := self.ask(question, game, NEVER)[0][0]) is not None:
            yield game

    def _older_than(self, game: int = NEVER) -> Iterator[int]:
        question = f"SELECT max(game) FROM record {self._by} WHERE game < ? AND game > 0"
        while (game := self.ask(question, game)[0][0]) is not None:
            yield game

    def ask(self, question: str, *values: int | str) -> list[Any]:
        """All rows that an SQL query gives; a query that has no end is stopped."""
        try:
            self._limit.watch(self._db)
            return self._db.execute(question, values).fetchall()
        except DB_ERRORS as error:
            fault = DamagedError if is_damage(error) else StoreError
            raise fault(
                "{path} can't be read: {reason}", path=self.path, reason=reason(error)
            ) from error

    def _damaged(self, why: str) -> DamagedError:
        return DamagedError(
            "{path} can't be read: the file is damaged ({why})", path=self.path, why=why
        )


def _listed(columns: Any) -> Iterator[Listed]:
    """The game that these columns of its first row open; nothing if they can't be read."""
    link = link_of(columns)
    with suppress(EntryError):
        row = decode_row(link.row) if link and link.intact else None
        if link and isinstance(row, Opened):
            yield Listed(link.game, row, link.at)


def kept(link: ChainLink, row: Row) -> Kept:
    """A row that was read, with its place in the record."""
    whose, agreed = keyed_by(link.row), agreed_by(link.row)
    return Kept(link.seq, link.game, row, link.at, link.source, whose, agreed, link.hash)


# ---------------------------------------------------------------- rows of the text copy


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
