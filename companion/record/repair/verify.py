"""Checks a whole record: a line for everything that is wrong with it, and where."""

from collections.abc import Iterator, Sequence

from companion.record.fold import Fold, loss_line
from companion.record.repair.check import file_faults
from companion.record.repair.whole import Progress, Survey
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader


def verify(
    reader: Reader,
    progress: Progress = lambda _: None,
    played_before: frozenset[int] = frozenset(),
) -> list[str]:
    """Checks everything; returns a line for each finding, none if all is well. Games in
    `played_before` were checked earlier by the present rules and have the same rows still: they are
    not played again."""
    return list(_findings(reader, progress, played_before))


def _findings(reader: Reader, progress: Progress, played_before: frozenset[int]) -> Iterator[str]:
    """Checks the file, every row and its place in the chain, and that every game can be folded."""
    yield from reader.warnings
    try:
        yield from file_faults(reader)
    except StoreError as error:
        yield str(error)
    try:
        survey = Survey(reader, _faults, progress, played_before)
        games = [line for lines in survey.games() for line in lines]
        yield from (loss_line(missing, reader.marks()) for missing in survey.missing)
        yield from games
    except StoreError as error:
        yield str(error)


def _faults(fold: Fold) -> Sequence[str]:
    if fold.journal is not None:
        return fold.faults
    return [*fold.faults, f"game {fold.number} can't be shown: its first row is missing"]
