"""Checking a whole record: a line for everything that is wrong with it, and where."""

from collections.abc import Iterator
from typing import Any

from companion.record.chain import COLUMNS, START, link_of
from companion.record.faults import DamagedError, StoreError
from companion.record.reader import Reader

_CHUNK = 1000


def verify(reader: Reader) -> list[str]:
    """Checks everything; a line for each finding, none if all is well."""
    return list(_findings(reader))


def _findings(reader: Reader) -> Iterator[str]:
    """Checks the file, every row and its place in the chain, and that every game can be folded."""
    try:
        # Up to a hundred lines, one fault each; “ok” alone if there is none.
        yield from (
            f"the file: {text}" for (text,) in reader.ask("PRAGMA integrity_check") if text != "ok"
        )
        yield from _chain(reader)
        yield from _games(reader)
    except StoreError as error:
        yield str(error)


def _chain(reader: Reader) -> Iterator[str]:
    before, expected = START, 1
    for columns in _rows(reader):
        if isinstance(columns, str):
            yield columns
            before, expected = b"", expected + 1
            continue
        seq = int(columns[0])
        if seq > expected:
            rows = (
                f"row {expected} is" if seq == expected + 1 else f"rows {expected} to {seq - 1} are"
            )
            yield f"{rows} missing"
        link = link_of(columns)
        if link is None or not link.intact:
            yield f"row {seq} (game {columns[1]}) was changed after it was written"
        elif before and seq == expected and link.before != before:
            yield f"row {seq} (game {link.game}) does not follow on the row before it"
        before, expected = (link.hash if link else b""), seq + 1


def _rows(reader: Reader) -> Iterator[Any]:
    """The columns of every row, or a line about one that the disk doesn't give."""
    last = reader.ask("SELECT max(seq) FROM record")[0][0] or 0
    question = f"SELECT {COLUMNS} FROM record WHERE seq BETWEEN ? AND ? ORDER BY seq"
    for first in range(1, last + 1, _CHUNK):
        try:
            yield from reader.ask(question, first, first + _CHUNK - 1)
        except DamagedError:
            for seq in range(first, min(first + _CHUNK, last + 1)):
                try:
                    yield from reader.ask(question, seq, seq)
                except DamagedError:
                    yield f"row {seq} can't be read"


def _games(reader: Reader) -> Iterator[str]:
    for number in reader.numbers():
        try:
            journal, faults = reader.folded(number)
        except DamagedError as error:
            yield f"game {number}: {error}"
            continue
        yield from faults
        if journal is None:
            yield f"game {number} can't be shown: its first row is missing"
