"""Whether a record is sound: found out quickly, without holding up those who play meanwhile."""

from collections.abc import Callable, Iterator

from companion.record.fold import known_by
from companion.record.store.faults import DamagedError
from companion.record.store.reader import Reader
from companion.record.store.walk import Missing

REST_AFTER = 50
"""Rows that are checked before each rest."""


def new_damage(reader: Reader, rest: Callable[[], None] = lambda: None) -> str | None:
    """The first thing that is wrong with the file or its rows and that no mark tells of; None if
    all is well. `rest` is called every REST_AFTER rows, to let others work. Raises StoreError if
    the trouble is the machine's."""
    try:
        if found := next(file_faults(reader), None):
            return found
        for number, item in enumerate(reader.walk()):
            if isinstance(item, Missing) and known_by(item, reader.marks()) is None:
                return str(item)
            if number % REST_AFTER == 0:
                rest()
    except DamagedError as error:
        return str(error)
    return None


def file_faults(reader: Reader) -> Iterator[str]:
    """What SQLite itself finds wrong with the file, its indexes included: up to a hundred lines."""
    yield from (
        f"the file: {text}" for (text,) in reader.ask("PRAGMA integrity_check") if text != "ok"
    )
