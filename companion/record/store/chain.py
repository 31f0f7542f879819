"""The record's one table, the chain of hashes through all its rows, and a game's check word.

Each row carries the hash of the row before it and its own, taken over that hash and its content. So
a row proves itself, whatever happened to the file around it, and two neighbours prove that nothing
was changed, put in or taken out between them.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator

from companion.core.values import dataclass

START = bytes(32)
"""What the first row carries as the hash of the row before it."""

COLUMNS = "seq, game, row, at, source, before, hash"

SCHEMA = """
PRAGMA journal_mode = WAL;
BEGIN;
CREATE TABLE record (
  seq INTEGER PRIMARY KEY,  -- counts all rows, from 1, without a gap
  game INTEGER NOT NULL,    -- counts games, from 1; 0: of the box
  row TEXT NOT NULL,        -- what happened, as JSON (codec.py)
  at REAL,                  -- wall time, seconds since 1970; NULL: the clock was not set
  source TEXT,              -- the press or proposal that made it, where it has an identity
  before BLOB NOT NULL,     -- the hash of the row before
  hash BLOB NOT NULL        -- SHA-256 of `before` and the columns above
);
CREATE INDEX by_game ON record (game);
CREATE UNIQUE INDEX by_source ON record (source) WHERE source IS NOT NULL;
CREATE TRIGGER never_changed BEFORE UPDATE ON record
BEGIN SELECT RAISE(ABORT, 'rows of the record are never changed'); END;
CREATE TRIGGER never_removed BEFORE DELETE ON record
BEGIN SELECT RAISE(ABORT, 'rows of the record are never removed'); END;
COMMIT;
"""

Content = tuple[int, int, str, float | None, str | None]
"""seq, game, row, at, source"""

INSERT = f"INSERT INTO record ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A row as it lies on the disk: the columns of the table, in that order."""

    seq: int
    game: int
    row: str
    at: float | None
    source: str | None
    before: bytes
    hash: bytes

    @classmethod
    def make(cls, before: bytes, content: Content) -> "ChainLink":
        """The link that follows on the one whose hash is `before`."""
        return cls(*content, before, hash_of(before, content))

    @property
    def intact(self) -> bool:
        """Whether the content is what was written."""
        content = self.seq, self.game, self.row, self.at, self.source
        return self.hash == hash_of(self.before, content)

    @property
    def columns(self) -> tuple[int, int, str, float | None, str | None, bytes, bytes]:
        """The values for INSERT."""
        return self.seq, self.game, self.row, self.at, self.source, self.before, self.hash


def hash_of(before: bytes, content: Content) -> bytes:
    """SHA-256 over the hash before and the content."""
    return hashlib.sha256(before + json.dumps(content).encode()).digest()


def link_of(columns: tuple[object, ...]) -> ChainLink | None:
    """A link from the columns as SQLite gave them; None if they can't be one."""
    match columns:
        case (
            int(seq),
            int(game),
            str(row),
            (None | float()) as at,
            (None | str()) as source,
            bytes(before),
            bytes(own),
        ):
            return ChainLink(seq, game, row, at, source, before, own)
    return None


def last_of(db: sqlite3.Connection) -> tuple[int, bytes]:
    """The number and the hash of the record's last row, as SQLite gives them."""
    found = db.execute("SELECT seq, hash FROM record ORDER BY seq DESC LIMIT 1").fetchone()
    return found or (0, START)


# ---------------------------------------------------------------- check words

# What a card has lost without a trace, such as the newest rows and their copies, no program can
# find. People can: a game whose check word is not the one they noted has other rows.

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
"""Sixteen and four, so that a word has sixteen bits: one loss in 65,536 is not noticed."""


def check_word(hashes: Iterable[bytes]) -> str:
    """The check word of a game, as in “lupod”: five letters made of its rows' hashes, in their
    order; short enough to note on the score sheet."""
    number = int.from_bytes(hashlib.sha256(b"".join(hashes)).digest()[:2], "big")
    return "".join(_letters(number))


def words_so_far(hashes: Iterable[bytes]) -> Iterator[str]:
    """The word that the game had after each of its rows."""
    so_far = b""
    for one in hashes:
        so_far += one
        yield check_word([so_far])


def _letters(number: int) -> Iterator[str]:
    for place, letters in enumerate((CONSONANTS, VOWELS) * 2 + (CONSONANTS,)):
        shift = (12, 10, 6, 4, 0)[place]
        yield letters[number >> shift & len(letters) - 1]
