"""Records with random games."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.games.game import Entry, parse_entry
from companion.players.history import PlayersHistory, read_history
from companion.record.rows import GameOpened, Row, Step
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.players.builder import at
from tests.random_games import play_game

NAMES = ("Ada", "Bo", "Cy")


class Clock:
    """Wall time that tests set."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@contextmanager
def kept(path: Path, clock: Clock) -> Iterator[Store]:
    store = Store.open(path, GAMES, clock)
    try:
        yield store
    finally:
        store.close()


@cache
def entries_of(seed: int, seats: tuple[str, ...], name: str = "high-five") -> Sequence[Entry]:
    """The entries of a random game between these seats."""
    played = play_game(Random(seed), len(seats), name)
    old = played[0][1].seats
    texts = " \n ".join(str(entry) for entry, _ in played)
    for colour, seat in zip(old, seats, strict=True):
        texts = f" {texts} ".replace(f" {colour} ", f" {seat} ")
    return [parse_entry(line, GAMES[name], Seats.of(*seats)) for line in texts.split("\n")]


def rows_of(seed: int, seats: tuple[str, ...], name: str = "high-five") -> list[Row]:
    """The rows of a whole random game, nine entries to a row."""
    opened = GameOpened(name, Seats.of(*seats), {})
    entries = entries_of(seed, seats, name)
    steps = (
        Step(tuple(entries[at_entry : at_entry + 9])) for at_entry in range(0, len(entries), 9)
    )
    return [opened, *steps]


def keep_game(store: Store, clock: Clock, rows: Sequence[Row], every_s: float = 60) -> int:
    """Keeps a game of these rows, one every `every_s` seconds; returns its number."""
    number = store.next_game_number()
    for row in rows:
        store.keep(number, row)
        clock.now += every_s
    return number


def record(path: Path) -> Path:
    """Keeps three games on two evenings in a new record; returns its path."""
    clock = Clock(at(20))
    with kept(path, clock) as store:
        keep_game(store, clock, rows_of(1, NAMES[:2]))
        keep_game(store, clock, rows_of(2, NAMES))
        clock.now = at(20, 8)
        keep_game(store, clock, rows_of(3, ("Bo", "Ada"), "five-up"))
    return path


def history(path: Path, cached_at: Path | None = None) -> PlayersHistory:
    with Reader.open(path, GAMES) as reader:
        return read_history(reader, cached_at, CATALOG.statistics)
