"""The effects of a bad card on a record, and checks after the next start.

A trial damages a copy of the files, opens it as the table does, and compares. The expected rows are
found without the program's own search: all rows as long as SQLite's files are intact, otherwise
those whose lines are still in the text copy.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json
from companion.core.seats import COLOURS, Seats
from companion.games.game import settle_options
from companion.record.copies.text_copy import ALL_ROWS, copies_folder, format_line
from companion.record.repair.verify import Survey, new_damage, verify
from companion.record.rows import Amend, GameOpened, Setting, Step, Undo
from companion.record.store import record_file
from companion.record.store.database import COLUMNS, SCHEMA, ChainLink, StoreError, connect
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.table.session import BOX, TableSession
from tests.catalog import GAMES
from tests.random_games import play_game

SECTOR, PAGE = 512, 4096


def write_evening(path: Path, games: int, seed: int = 1, entries: int = 40) -> None:
    """Writes a record of this many games of two, three and four players, with settings and some
    changes."""
    chance = Random(seed)
    with closing(Store.open(path, GAMES, lambda: 1_800_000_000.5)) as store:
        for number in range(1, games + 1):
            players = 2 + number % 3
            seats = Seats.of(*COLOURS[:players])
            options = settle_options(GAMES["high-five"], players, {})
            store.keep(number, GameOpened("high-five", seats, options))
            store.keep(BOX, Setting("brightness", number % 3))
            for at, (entry, _) in enumerate(play_game(chance, players)[:entries]):
                store.keep(number, Step((entry,)), f"e6614103e7452d2f/7/{number * 1000 + at}")
            store.keep(number, Undo())
            store.keep(number, Amend(entries // 2, ()))


def unplugged(folder: Path, games: int, rows: int, seed: int = 1) -> Path:
    """A record like that of `write_evening`, with one more game of `rows` rows that are only in the
    log when the power is cut. Returns its path."""
    running, path = folder / "running" / "record.db", folder / "unplugged" / "record.db"
    write_evening(running, games, seed, 8)
    with closing(Store.open(running, GAMES, lambda: 1_800_000_000.5)) as store:
        number = store.next_game_number()
        store.keep(number, GameOpened("high-five", Seats.of("Red", "Blue"), {}))
        for at, (entry, _) in enumerate(play_game(Random(seed))[: rows - 1]):
            store.keep(number, Step((entry,)), f"e6614103e7452d2f/9/{at}")
        assert store.text is not None
        store.text.flush()  # as the table's thread does at once
        path.parent.mkdir()
        for end in ("", "-wal"):
            shutil.copyfile(f"{running}{end}", f"{path}{end}")
        shutil.copytree(copies_folder(running), copies_folder(path))
    return path


def drop_copies(path: Path) -> None:
    """Removes the copies beside a record, so that its lost rows stay lost."""
    shutil.rmtree(copies_folder(path), ignore_errors=True)


@contextmanager
def small_pages(size: int = 1024) -> Iterator[None]:
    """Inside this context new records have pages of `size` bytes."""
    try:
        vars(record_file)["SCHEMA"] = f"PRAGMA page_size = {size};{SCHEMA}"
        yield
    finally:
        vars(record_file)["SCHEMA"] = SCHEMA


@dataclass(frozen=True)
class RecordFiles:
    """A record, its log and its text copy, as bytes; `home`: the folder of the copy, beside the
    record."""

    file: bytes
    log: bytes
    text: bytes = b""
    home: str = ""

    @classmethod
    def of(cls, path: Path) -> "RecordFiles":
        log = Path(f"{path}-wal")
        found = cls(path.read_bytes(), log.read_bytes() if log.exists() else b"")
        for text in copies_folder(path).glob(f"*/{ALL_ROWS}"):
            found = replace(found, text=text.read_bytes(), home=text.parent.name)
        return found

    def with_file(self, which: str, data: bytes) -> "RecordFiles":
        """Returns a copy of these files in which the file `which` contains `data`."""
        return RecordFiles(**{**vars(self), which: data})

    def write(self, path: Path) -> None:
        shutil.rmtree(path.parent, ignore_errors=True)
        path.parent.mkdir(parents=True)
        Path(f"{path}.lock").touch()
        path.write_bytes(self.file)
        if self.log:
            Path(f"{path}-wal").write_bytes(self.log)
        if self.home:
            folder = copies_folder(path) / self.home
            folder.mkdir(parents=True)
            (folder / ALL_ROWS).write_bytes(self.text)


# ---------------------------------------------------------------- ways to damage it


Damage = Callable[[RecordFiles], RecordFiles]


def spoil(data: bytes, at: int, new: bytes) -> bytes:
    return data[:at] + new[: len(data) - at] + data[at + len(new) :]


def random_damage(chance: Random) -> Damage:
    """One to five random damages of the file, of the log or of the text copy: a flipped bit, bytes,
    sectors of zeros, ones or garbage, a page, or a cut."""

    def damage(files: RecordFiles) -> RecordFiles:
        which = chance.choice([name for name in ("file", "log", "text") if getattr(files, name)])
        data: bytes = getattr(files, which)
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            data = _spoilt(data, chance, cut=which != "log")
        return files.with_file(which, data)

    return damage


def _spoilt(data: bytes, chance: Random, *, cut: bool) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    match chance.randrange(8):
        case 0 | 1:
            return spoil(data, at, bytes([data[at] ^ 1 << chance.randrange(8)]))
        case 2:
            return spoil(data, at, chance.randbytes(chance.randrange(1, 40)))
        case 3:
            return spoil(data, at // SECTOR * SECTOR, bytes(SECTOR))
        case 4:
            return spoil(data, at // SECTOR * SECTOR, b"\xff" * SECTOR)
        case 5:
            return spoil(data, at // SECTOR * SECTOR, chance.randbytes(SECTOR))
        case 6:
            return spoil(data, at // PAGE * PAGE, bytes(PAGE))
    return data[: at // SECTOR * SECTOR] if cut else spoil(data, at, b"\xff")


def blocks(files: RecordFiles, size: int, chance: Random) -> Iterator[tuple[str, RecordFiles]]:
    """Each block of `size` bytes of the file, of the log and of the text copy, filled with zeros,
    ones or garbage, or as it was in an older file."""
    for which in ("file", "log", "text"):
        data: bytes = getattr(files, which)
        for at in range(0, len(data), size):
            for new in (_block(size, chance), _old(data, at, size, chance)):
                yield f"{which} {at}", files.with_file(which, spoil(data, at, new))


def _block(size: int, chance: Random) -> bytes:
    return chance.choice((bytes(size), b"\xff" * size, chance.randbytes(size)))


def _old(data: bytes, at: int, size: int, chance: Random) -> bytes:
    """The block as it may have been before: only its beginning was written, and the rest is another
    block's or empty."""
    written = chance.randrange(size)
    other = chance.randrange(max(len(data) - size, 1))
    rest = chance.choice((bytes(size), b"\n" * size, data[other : other + size]))
    return data[at : at + written] + rest[: size - written]


def bits(
    files: RecordFiles, places: Iterable[int] | None = None
) -> Iterator[tuple[str, RecordFiles]]:
    """Each bit of the log at these places, or every bit, flipped alone."""
    log = bytearray(files.log)
    for place in range(8 * len(log)) if places is None else places:
        log[place // 8] ^= 1 << place % 8
        yield f"bit {place % 8} of byte {place // 8}", replace(files, log=bytes(log))
        log[place // 8] ^= 1 << place % 8


# ---------------------------------------------------------------- trials


class Trials:
    """Trials on one record, each in a new folder."""

    def __init__(self, source: Path, place: Path) -> None:
        self.files = RecordFiles.of(source)
        self.path = place / "trial" / "record.db"
        with closing(connect(f"file:{source}?mode=ro")) as db:
            found = db.execute(f"SELECT {COLUMNS} FROM record ORDER BY seq").fetchall()
        self.links = [ChainLink(*columns) for columns in found]
        lines = self.files.text.splitlines()
        assert not lines or all(format_line(link).rstrip() in lines for link in self.links)
        self.shown = _shown(source)

    def wrong(self, files: RecordFiles, *, readers: bool = False) -> list[str]:
        """The failures after a start on these files; empty if there are none. `readers`: runs the
        commands that read first."""
        files.write(self.path)
        found = list(self._by_reading()) if readers else []
        try:
            return found + list(self._by_starting(files))
        except StoreError as error:
            return [*found, f"no start: {error}"]

    def wrong_rows(self, files: RecordFiles) -> list[str]:
        """The failures, found faster than with `wrong`: checks only that it starts, and which rows
        are there."""
        files.write(self.path)
        try:
            with closing(Store.open(self.path, GAMES, lambda: 1_800_000_000.5)) as store:
                TableSession.resumed(store)
                kept = {tuple(row) for row in store.query(f"SELECT {COLUMNS} FROM record")}
                return list(self._rows_wrong(files, kept, store.messages))
        except StoreError as error:
            return [f"no start: {error}"]

    def _rows_wrong(
        self, files: RecordFiles, kept: set[tuple[object, ...]], told: Sequence[str]
    ) -> Iterator[str]:
        own = {link.columns for link in self.links}
        whole = (files.file, files.log) == (self.files.file, self.files.log)
        lines = set(files.text.split(b"\n"))
        gone = [
            link.seq
            for link in self.links
            if link.columns not in kept and (whole or format_line(link).rstrip() in lines)
        ]
        if gone:
            yield f"readable rows are gone: {gone[:9]}; told {told}"
        if len(told) > 2:
            yield f"it tells too much: {told}"
        if any('"kind": "lost"' not in str(row[2]) for row in kept - own):
            yield "rows that nobody wrote"
        if own - kept and not told:
            yield f"{len(own - kept)} rows are gone, and nothing is told"

    def _by_starting(self, files: RecordFiles) -> Iterator[str]:
        with closing(Store.open(self.path, GAMES, lambda: 1_800_000_000.5)) as store:
            TableSession.resumed(store)
            with Reader.open(self.path, GAMES) as reader:
                damage = new_damage(reader)
            if damage:
                store.repair()
            told = store.messages
            kept = {tuple(row) for row in store.query(f"SELECT {COLUMNS} FROM record")}
            found = verify(store)
            number = store.next_game_number()
            store.keep(number, GameOpened("high-five", Seats.of("Red", "Blue"), {}))
        yield from self._rows_wrong(files, kept, told)
        yield from self._differences(told, found)
        yield from self._restart_failures(number, found)

    def _differences(self, told: Sequence[str], found: list[str]) -> Iterator[str]:
        after = _shown(self.path)
        for number, (game, faults) in self.shown.items():
            now = after.get(number, (None, []))
            if now[0] != game and not (told and (now[1] or now[0] is None or not found)):
                yield f"game {number} is another one, and nothing is told: {told} {now} {found[:5]}"
            if now[0] == game and faults != now[1] and not told:
                yield f"game {number}: {now[1]}"

    def _restart_failures(self, number: int, found: list[str]) -> Iterator[str]:
        """The failures of the next start, which must report no news and have all later entries."""
        with closing(Store.open(self.path, GAMES, lambda: 1_800_000_000.5)) as store:
            if any("damaged" in line or "found again" in line for line in store.messages):
                yield f"the next start tells {store.messages}"
            last = store.last_game()
            if last is None or last[0] != number:
                yield "the new game is not the last one"
            if verify(store) != found:
                yield "the next start finds something else wrong"

    def _by_reading(self) -> Iterator[str]:
        """The failures in the list of games: each must be as written, or have a warning."""
        try:
            after = _shown(self.path)
        except StoreError:
            return  # one line, and no list
        for number, (game, _) in self.shown.items():
            now = after.get(number)
            if now is not None and now[0] != game and not now[1]:
                yield f"game {number} is listed as another one"


Shown = dict[int, tuple[Any, Sequence[str]]]


def _shown(path: Path) -> Shown:
    """Each game as the reading commands show it, with their messages; under 0 the other rows."""
    with Reader.open(path, GAMES) as reader:
        return {
            fold.number: (
                json.dumps(game_json(CATALOG, fold.journal)) if fold.journal else None,
                fold.doubts or reader.warnings,
            )
            for fold in Survey(reader, lambda fold: fold).games()
        }
