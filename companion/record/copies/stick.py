"""The games of a stick, for a record that has none yet.

They are made into a record beside it before anybody is asked. To take them is then to put one file
in the place of another: done in a moment, whole or not at all, and nobody waits for a stick.
"""

import json
from contextlib import suppress
from fnmatch import fnmatchcase
from glob import escape
from hashlib import sha256
from pathlib import Path

from companion.core.values import dataclass
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader


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
