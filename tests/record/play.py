"""A scripted evening for the record: rows, and the game that they make."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.core.seats import Seats
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Redo, Rewind, Row, Step, Undo
from companion.record.store.store import Store
from tests.sample_games import RACE_RULES, Scored

SEATS = Seats.of("Red", "Blue")
NOON = 1_782_000_000.0
"""The time of rows, in seconds since 1970. It is fixed because rows' hashes contain it: check words
have only 16 bits, so with real times two of them would sometimes be equal."""
OPENED = GameOpened("race", SEATS, {"goal": 200})


def scored(turn: int, points: int) -> Scored:
    return Scored(SEATS.order[turn % 2], points)


SCRIPT: tuple[Row, ...] = (
    Step((scored(0, 5),)),
    Step((scored(1, 10), scored(2, 7))),
    Step((scored(3, 1),), joined=True),
    Undo(),
    Redo(),
    Amend(1, (scored(1, 20),)),
    Step((scored(4, 3),)),
    Undo(),
    Undo(),
    Redo(),
    Rewind(2),
    Step((scored(2, 11),)),
    Undo(),
    Undo(),
)


def folded(rows: tuple[Row, ...], opened: GameOpened = OPENED) -> Journal[Any]:
    journal = Journal.begin(opened, RACE_RULES)
    for row in rows:
        journal = journal.fold(row)
    return journal


def same(one: Journal[Any] | None, other: Journal[Any] | None) -> bool:
    """Whether both games are equal, with the same undo and redo."""
    if one is None or other is None:
        return one is other
    return (
        one.entries == other.entries
        and one.states == other.states
        and one.opened == other.opened
        and one.withdrawn == other.withdrawn
        and one.next_undo == other.next_undo
        and one.next_redo == other.next_redo
    )


@contextmanager
def opened_store(path: Path, at: float = NOON) -> Iterator[Store]:
    store = Store.open(path, RACE_RULES, lambda: at)
    try:
        yield store
    finally:
        store.close()


def play(path: Path, *rows: Row, at: float = NOON) -> int:
    """Keeps a new game of these rows; returns its number."""
    with opened_store(path, at) as store:
        number = store.next_game_number()
        for row in (OPENED, *rows):
            store.keep(number, row)
    return number
