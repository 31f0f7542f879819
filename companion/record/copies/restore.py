"""A record from its copies: rows that only the copies have go back into it, or the copies alone
make a new one, such as the games of a stick for a record that has none yet.

Nothing that the record has is ever given up for this. If the copies tell another story, as after a
card has lost rows and play has gone on, a record beside it is made of them.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from glob import escape
from hashlib import sha256
from pathlib import Path

from companion.core.values import dataclass
from companion.record.copies.text_copy import Folder, folders
from companion.record.repair.salvage import OWN, Gathered, Own, Readable, add_copies, gaps_in
from companion.record.store.database import StoreError
from companion.record.store.reader import Reader
from companion.record.store.record_file import make_record, replace_record

# ---------------------------------------------------------------- offers


@dataclass(frozen=True, slots=True)
class Offer:
    """A record made of a stick's copies. `name`: of its file, beside the record that has no game;
    `games`: how many it has, also those that were taken back; `last`: when its last row was kept,
    in seconds since 1970, None if the clock was not set; `row`: the number of that row; `club`: the
    club that the games come from, if they come from no stick."""

    name: str
    games: int
    last: float | None
    row: int
    club: str = ""

    @property
    def age(self) -> tuple[float, int]:
        """A value by which to compare offers: the greater one was played last, as far as the box
        knew the time."""
        return self.last or 0.0, self.row

    def path(self, record: Path) -> Path:
        """The file of the offer, beside the record that may be replaced by it."""
        return record.with_name(self.name)

    def line(self) -> str:
        """The offer as a line for the running table."""
        return json.dumps([self.name, self.games, self.last, self.row])


def read_offer(line: str, record: Path) -> Offer | None:
    """The offer that a line is about, even if it has been answered and its file is gone; None if
    the line is something else, or is about no offer beside this record."""
    with suppress(ValueError, RecursionError):
        match json.loads(line):
            case [str(name), int(games), float() | int() | None as last, int(row)]:
                offer = Offer(name, games, last, row)
                return offer if fnmatchcase(name, _names(record)) else None
    return None


def offered_by(place: Path, record: Path) -> Path:
    """The file, beside a record, of the offer that is made of the copies at a place."""
    return record.with_name(f"{record.name}.offered-{sha256(bytes(place)).hexdigest()[:8]}")


def has_games(record: Path) -> bool:
    """Whether a game was ever begun in a record; also True if the record is there and can't be
    read."""
    if not record.exists():
        return False  # a table makes it as it opens
    try:
        with Reader.open(record, {}) as reader:
            return reader.newest_game() > 0
    except StoreError:
        return True


def drop_offers(record: Path) -> None:
    """Removes all offers to this record."""
    with suppress(OSError):
        for path in record.parent.glob(_names(record)):
            path.unlink(missing_ok=True)


def _names(record: Path) -> str:
    """The pattern of the file names of all offers to that record, which no other file fits."""
    return f"{escape(record.name)}.offered-{'[0-9a-f]' * 8}"


# ---------------------------------------------------------------- restoring


ON_A_STICK = "table-companion"
"""The name of the folder of copies on a stick."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was made. `has`: what it has, in words; `came_back`: how many rows came from copies;
    `kept`: the name under which the record is kept as it was; `others`: how many more rows the
    copies have, of another course of play."""

    has: str
    came_back: int
    kept: str | None
    others: int


def copies_at(places: Iterable[Path]) -> list[Folder]:
    """The folders of copies at these places that have rows; a place may be the root of a stick.
    Raises OSError."""
    near = (folder for place in places for folder in (place, place / ON_A_STICK))
    found = {folder.path: folder for place in near for folder in folders(place)}
    return [folder for folder in found.values() if next(folder.rows(), None)]


def restore(record: Path, copies: Sequence[Folder]) -> Restored:
    """Puts rows that only the copies have into a record, which nobody else may write meanwhile;
    without such rows it is left alone. Raises OSError, sqlite3.Error, StoreError."""
    if not record.exists():
        return make(record, copies)
    with Gathered() as rows:
        own = Own.of(record, rows)
        had = rows.length
        add_copies(rows, copies)
        found = own.with_copies()
        came_back, kept = rows.length - had, None
        if came_back:
            kept = replace_record(record, found.with_mark(record.name, None)).name
        return Restored(str(found), came_back, kept, rows.apart(OWN))


def make(record: Path, copies: Sequence[Folder]) -> Restored:
    """Makes a new record of copies alone. Raises OSError, sqlite3.Error; StoreError if there are no
    copies, or if they are of two records."""
    if not copies:
        raise StoreError("there are no copies of a record: name the folder where they are")
    names = {record_of(folder): folder.path for folder in copies}
    if len(names) > 1:
        listed_names = " or ".join(map(str, names.values()))
        raise StoreError(
            "copies of {many} records are there: name one of them: {names}",
            many=len(names),
            names=listed_names,
        )
    with Gathered() as rows:
        add_copies(rows, copies)
        *_, newest = sorted(
            (str(folder.path) for folder in copies), key=lambda it: rows.newest(it)[1]
        )
        rows.tell(newest)
        rows.fill()
        found = Readable(rows, gaps_in(rows, None if rows.last is None else rows.last.seq))
        make_record(record, found.with_mark(next(iter(names)), None))
        return Restored(str(found), rows.length, None, rows.apart(newest))


def make_offer(record: Path, place: Path, club: str = "") -> Offer | None:
    """An offer of the copies at a place: makes a record of them beside `record`, which has no game.
    Of the copies of several records it takes those of the record that was played last. None if the
    copies have no games, or `record` has some. `club`: as in Offer. Raises OSError, sqlite3.Error,
    StoreError."""
    made = offered_by(place, record)
    made.unlink(missing_ok=True)
    if has_games(record) or not (copies := newest(copies_at([place]))):
        return None
    make(made, copies)
    with Reader.open(made, {}) as reader:
        question = "SELECT count(DISTINCT nullif(game, 0)), max(at) FROM record"
        ((games, last),) = reader.ask(question)
        row = reader.last_row()
    if not games:
        made.unlink()
        return None
    return Offer(made.name, games, last or None, row, club)


def record_of(folder: Folder) -> str:
    """The name that all copies of one record share, also those that were set aside."""
    return folder.path.name.partition(".")[0]


def newest(copies: Iterable[Folder]) -> list[Folder]:
    """The copies of the record that was played last, among these copies. Raises OSError."""
    by_record: dict[str, list[Folder]] = {}
    for folder in copies:
        by_record.setdefault(record_of(folder), []).append(folder)
    if len(by_record) < 2:
        return [folder for same in by_record.values() for folder in same]
    return max(by_record.values(), key=_played_last)


def _played_last(copies: Iterable[Folder]) -> tuple[float, int]:
    """The time at which the last row was kept (0: the clock was not set), and the highest number of
    a row."""
    at, seq = 0.0, 0
    for link in (link for folder in copies for link in folder.rows()):
        at, seq = max(at, link.at or 0.0), max(seq, link.seq)
    return at, seq
