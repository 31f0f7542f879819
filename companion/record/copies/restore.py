"""Restores a record from its copies: adds rows that only the copies have, or makes a new record
from the copies alone, for example from a stick if the record has no game yet.

The record never loses a row. If the copies contradict the record, for example because a card lost
rows and play then went on, their rows become a separate record beside it."""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from glob import escape
from hashlib import sha256
from pathlib import Path

from companion.core.values import dataclass
from companion.record.copies.text_copy import Folder, folders
from companion.record.repair.salvage import (
    OWN_FILES_PLACE,
    FoundRows,
    OwnRows,
    ReadableRows,
    add_copies,
    gaps_in,
)
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.record.store.record_file import make_record, replace_record

# ---------------------------------------------------------------- offers


@dataclass(frozen=True, slots=True)
class Offer:
    """A record made from copies on a stick or from a club, which can replace a record without
    games. `name`: its file name, in the same folder as that record; `games`: how many games it has,
    including those that were taken back; `last`: when its last row was kept, in seconds since 1970
    (None if the clock was not set); `row`: the number of that row; `club`: the club that the games
    come from (empty for a stick)."""

    name: str
    games: int
    last: float | None
    row: int
    club: str = ""

    @property
    def recency(self) -> tuple[float, int]:
        """A sort key: the offer with the latest row has the greatest. It compares times first,
        which are 0 if the clock was not set, and then row numbers."""
        return self.last or 0.0, self.row

    def path(self, record: Path) -> Path:
        """The path of the offer's record file, beside the `record` that it may replace."""
        return record.with_name(self.name)

    def to_line(self) -> str:
        """The offer as a line of JSON for the running table."""
        return json.dumps([self.name, self.games, self.last, self.row])


def parse_offer(line: str, record: Path) -> Offer | None:
    """Returns the offer in a line, even if it has been answered and its file removed; None if the
    line isn't an offer for this record."""
    with suppress(ValueError, RecursionError):
        match json.loads(line):
            case [str(name), int(games), float() | int() | None as last, int(row)]:
                offer = Offer(name, games, last, row)
                return offer if fnmatchcase(name, _offer_pattern(record)) else None
    return None


def offer_path(place: Path, record: Path) -> Path:
    """The path, beside `record`, for the offer made from the copies at `place`."""
    return record.with_name(f"{record.name}.offered-{sha256(bytes(place)).hexdigest()[:8]}")


def has_games(record: Path) -> bool:
    """Whether the record has a game, even one taken back; also True if it can't be read."""
    if not record.exists():
        return False  # the table makes a missing record when it starts
    try:
        with Reader.open(record, {}) as reader:
            return reader.newest_game() > 0
    except StoreError:
        return True


def drop_offers(record: Path) -> None:
    with suppress(OSError):
        for path in record.parent.glob(_offer_pattern(record)):
            path.unlink(missing_ok=True)


def _offer_pattern(record: Path) -> str:
    """A pattern that matches only the file names of offers for that record."""
    return f"{escape(record.name)}.offered-{'[0-9a-f]' * 8}"


# ---------------------------------------------------------------- restoring


ON_A_STICK = "table-companion"
"""The name of the folder on a stick that has the copies."""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """The result of restoring. `has`: a description of the record's present contents; `came_back`:
    how many rows came from copies; `kept`: the name under which the old record was kept, if it was;
    `others`: how many rows of the copies don't fit into the record."""

    has: str
    came_back: int
    kept: str | None
    others: int


def copies_at(places: Iterable[Path]) -> list[Folder]:
    """The folders of copies at these places, without empty ones; a place may be the root of a
    stick. Raises OSError."""
    near = (folder for place in places for folder in (place, place / ON_A_STICK))
    found = {folder.path: folder for place in near for folder in folders(place)}
    return [folder for folder in found.values() if next(folder.rows(), None)]


def restore(record: Path, copies: Sequence[Folder]) -> RestoreResult:
    """Adds to a record the rows that only the copies have, and returns the result. If there are no
    such rows, the record is left unchanged. No other process may be writing the record. Raises
    OSError, sqlite3.Error, StoreError."""
    if not record.exists():
        return make_from_copies(record, copies)
    with FoundRows() as rows:
        own = OwnRows.of(record, rows)
        had = rows.length
        add_copies(rows, copies)
        found = own.with_rows_of_copies()
        came_back, kept = rows.length - had, None
        if came_back:
            kept = replace_record(record, found.with_mark(record.name, None)).name
        return RestoreResult(str(found), came_back, kept, rows.count_apart(OWN_FILES_PLACE))


def make_from_copies(record: Path, copies: Sequence[Folder]) -> RestoreResult:
    """Makes a new record from copies alone, and returns the result. Raises OSError or
    sqlite3.Error, and StoreError if there are no copies or if they belong to different records."""
    if not copies:
        raise StoreError("there are no copies of a record: name the folder where they are")
    names = {record_of(folder): folder.path for folder in copies}
    if len(names) > 1:
        listed_names = " or ".join(map(str, names.values()))
        raise StoreError(
            "there are copies of {many} records: name one of them: {names}",
            many=len(names),
            names=listed_names,
        )
    with FoundRows() as rows:
        add_copies(rows, copies)
        *_, copies_played_last = sorted(
            (str(folder.path) for folder in copies), key=lambda it: rows.newest_of(it)[1]
        )
        rows.build_story(copies_played_last)
        rows.fill()
        found = ReadableRows(rows, gaps_in(rows, None if rows.last is None else rows.last.seq))
        make_record(record, found.with_mark(next(iter(names)), None))
        return RestoreResult(str(found), rows.length, None, rows.count_apart(copies_played_last))


def make_offer(record: Path, place: Path, club: str = "") -> Offer | None:
    """Makes a record beside `record` from the copies at a place, and returns the offer. If there
    are copies of several records, uses those of the one played last. Returns None if the copies
    have no games, or if `record` already has games. `club`: the club that the copies come from
    (empty for a stick). Raises OSError, sqlite3.Error, StoreError."""
    made = offer_path(place, record)
    made.unlink(missing_ok=True)
    if has_games(record) or not (copies := copies_played_last(copies_at([place]))):
        return None
    make_from_copies(made, copies)
    with Reader.open(made, {}) as reader:
        question = "SELECT count(DISTINCT nullif(game, 0)), max(at) FROM record"
        ((games, last),) = reader.query(question)
        row = reader.last_row()
    if not games:
        made.unlink()
        return None
    return Offer(made.name, games, last or None, row, club)


def record_of(folder: Folder) -> str:
    """The name shared by all copies of one record, including those set aside."""
    return folder.path.name.partition(".")[0]


def copies_played_last(copies: Iterable[Folder]) -> list[Folder]:
    """The copies that belong to the record with the newest rows. Raises OSError."""
    by_record: dict[str, list[Folder]] = {}
    for folder in copies:
        by_record.setdefault(record_of(folder), []).append(folder)
    if len(by_record) < 2:
        return [folder for same in by_record.values() for folder in same]
    return max(by_record.values(), key=_recency_of_copies)


def _recency_of_copies(copies: Iterable[Folder]) -> tuple[float, int]:
    """A sort key: when the last row was kept (0 if the clock was not set), and the highest row
    number."""
    at, seq = 0.0, 0
    for link in (link for folder in copies for link in folder.rows()):
        at, seq = max(at, link.at or 0.0), max(seq, link.seq)
    return at, seq
