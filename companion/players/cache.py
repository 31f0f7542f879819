"""A cache of a record's counts: `record.figures` beside `record.db`. A club's hub caches the counts
of its games in the same way (club/hub/archive.py).

It contains nothing that the record doesn't, and can be deleted at any time. It is valid as long as
the counted rows are unchanged, which is checked with a hash of every thousand rows. If it is
damaged, or was written by another version of the program, which may have other rules, everything is
counted again.
"""

import gc
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.core.regular_file import read_bytes
from companion.core.values import dataclass
from companion.core.version import VERSION as PROGRAM
from companion.players.statistics import CountedGame, GameResult, SeatCounts
from companion.record.store.database import COLUMNS
from companion.record.store.reader import Reader

VERSION = 3
"""The version of the way of counting; when it is increased, everything is counted again."""
FILE_MODE = 0o600
BLOCK = 1000
"""The number of rows that share a hash."""
FRAME = 4096
"""The minimum number of bytes for a row in SQLite's log."""


def figures_path(record: Path) -> Path:
    """The path of a record's cache."""
    return record.with_suffix(".figures")


@dataclass(frozen=True, slots=True)
class FileStamp:
    """The sizes, times and inodes of the record's files, which change when a file is written."""

    file: tuple[int, ...]
    log: tuple[int, ...]

    @classmethod
    def of(cls, record: Path) -> "FileStamp":
        """The stamp of the files as they are now; raises OSError."""
        return cls(_stat_fields(record), _stat_fields(Path(f"{record}-wal")))

    @property
    def rows_in_log(self) -> int:
        """An upper limit on the number of rows that are only in the database's write-ahead log."""
        return self.log[0] // FRAME if self.log else 0


def _stat_fields(path: Path) -> tuple[int, ...]:
    with suppress(FileNotFoundError):
        found = path.stat()
        return found.st_size, found.st_mtime_ns, found.st_ino
    return ()


@dataclass(frozen=True, slots=True)
class CachedCounts:
    """The statistics counted from the rows up to number `last`, as stored in the cache."""

    stamp: FileStamp
    last: int
    tip: bytes
    """The hash of row `last`."""
    blocks: tuple[str, ...]
    firsts: dict[int, int]
    """The number of the first row of each game."""
    box: tuple[tuple[int, str], ...]
    """The rows about the box itself that affect the counts, each with its number."""
    games: tuple[CountedGame, ...]
    lost: int = 0
    """The number of games that could not be shown."""
    on_table: int = 0
    """The number of the game that was on the table then."""


def blocks(reader: Reader, start: int, last: int) -> Iterator[str]:
    """The hash of each block of rows after row `start`, up to row `last`. Raises StoreError."""
    question = f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE seq > ? AND seq <= ? ORDER BY seq"
    for begin in range(start, last, BLOCK):
        rows = reader.query(question, begin, min(begin + BLOCK, last))
        yield hashlib.sha256(repr(rows).encode()).hexdigest()


def is_current(cached: CachedCounts, reader: Reader, stamp: FileStamp) -> bool:
    """Whether the counted rows are unchanged; this is quick if the files have not been written
    since. Raises StoreError."""
    if cached.stamp == stamp:
        return True
    start = 0
    if cached.stamp.file == stamp.file:  # only the log has changed, and with it the last rows
        start = max(cached.last - cached.stamp.rows_in_log - BLOCK, 0) // BLOCK * BLOCK
    expected = cached.blocks[start // BLOCK :]
    return tuple(blocks(reader, start, cached.last)) == expected


# ---------------------------------------------------------------- the file


def load(path: Path) -> CachedCounts | None:
    """The cached counts at `path`; None if the cache is missing, damaged or from another
    version."""
    with gc_paused():
        return _load_cache(path)


@contextmanager
def gc_paused() -> Iterator[None]:
    """A context in which the garbage collector doesn't run: it would only cost time while thousands
    of objects are created and none becomes garbage."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _load_cache(path: Path) -> CachedCounts | None:
    try:
        if (kept := read_figures(path)) is None:
            return None
        stamp, last = kept["stamp"], kept["last"]
        return CachedCounts(
            FileStamp(tuple(stamp[0]), tuple(stamp[1])),
            last[0],
            bytes.fromhex(last[1]),
            tuple(kept["blocks"]),
            {int(game): first for game, first in kept["firsts"].items()},
            tuple((seq, row) for seq, row in kept["box"]),
            tuple(map(game_of_fields, kept["games"])),
            kept["lost"],
            kept["on_table"],
        )
    except (OSError, ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None


def save(path: Path, cached: CachedCounts) -> None:
    """Writes `cached` to `path` atomically; ignores disk errors."""
    write_figures(
        path,
        {
            "stamp": [cached.stamp.file, cached.stamp.log],
            "last": [cached.last, cached.tip.hex()],
            "blocks": cached.blocks,
            "firsts": cached.firsts,
            "box": cached.box,
            "games": [*map(fields_of_game, cached.games)],
            "lost": cached.lost,
            "on_table": cached.on_table,
        },
    )


def read_figures(path: Path) -> Any:
    """The JSON that `write_figures` wrote to `path`; None if the file is damaged or was written by
    another version. Raises OSError and ValueError."""
    head, _, body = read_bytes(path).partition(b"\n")
    return json.loads(body) if head == _head_line(body) else None


def write_figures(path: Path, found: Any) -> None:
    """Writes JSON to `path` atomically, readable by its owner only; ignores disk errors."""
    body = json.dumps(found, separators=(",", ":")).encode()
    new = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        try:
            new.touch(FILE_MODE)
            new.write_bytes(_head_line(body) + b"\n" + body)
            new.replace(path)
        except OSError:
            new.unlink(missing_ok=True)


def _head_line(body: bytes) -> bytes:
    """The first line: the kind of file, the version of the program, and a hash of the rest."""
    return f"companion figures {VERSION} {PROGRAM} {hashlib.sha256(body).hexdigest()}".encode()


def fields_of_game(game: CountedGame) -> list[Any]:
    """The counts of a game as plain data for JSON, which `game_of_fields` reads back."""
    counts = [game.by_seat[seat].as_json for seat in game.seats]
    scores = [game.scores[seat] for seat in game.seats]
    return [
        game.number, game.game, game.seats, game.opened, game.begun, game.played, game.follows,
        game.entries, game.result, game.winners, scores, counts, game.doubtful,
        game.sides,
    ]  # fmt: skip


def game_of_fields(fields: list[Any]) -> CountedGame:
    """The counts of a game, read from the data of `fields_of_game`. Raises ValueError, TypeError
    and KeyError."""
    (
        number, game, seats, opened, begun, played, follows,
        entries, result, winners, scores, counts, doubtful, sides,
    ) = fields  # fmt: skip
    return CountedGame(
        number=number,
        game=game,
        seats=tuple(seats),
        opened=opened,
        begun=begun,
        played=played,
        follows=follows,
        entries=entries,
        result=GameResult(result),
        winners=tuple(winners),
        scores=dict(zip(seats, scores, strict=True)),
        by_seat={seat: SeatCounts.from_json(one) for seat, one in zip(seats, counts, strict=True)},
        doubtful=doubtful,
        sides=tuple(map(tuple, sides)),
    )
