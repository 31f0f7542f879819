"""Reads a whole record once, row by row: all games in order, and all faults.

A long record is divided among the processors. Each part except the first begins with the first row
of a game, at a place where all earlier games are over; this is so for nearly every game."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from companion.core.values import dataclass
from companion.games.game import AnyGame
from companion.record.fold import Fold, loss_line, row_number_of_loss
from companion.record.store.chain import ChainBreak, by_game
from companion.record.store.database import ChainLink, DamagedError, StoreError
from companion.record.store.reader import ABOVE_ALL_GAMES, Reader

# ---------------------------------------------------------------- all games


Progress = Callable[[float], None]
"""Receives the finished part of the work, from 0 to 1."""
T = TypeVar("T")

PARALLEL_FROM = 20_000
"""The number of rows above which several processes are faster, although they take time to start."""


@dataclass(frozen=True, slots=True)
class RecordPart:
    """The rows from number `first` up to but not including `end` (None: up to the record's last
    row)."""

    first: int = 1
    end: int | None = None


class Survey(Generic[T]):
    """Reads all games of a record and yields `of(fold)` for each; collects the missing rows in
    `missing`. Rows of games in `without` are checked, but not folded."""

    def __init__(
        self,
        reader: Reader,
        of: Callable[[Fold], T],
        progress: Progress = lambda _: None,
        without: frozenset[int] = frozenset(),
    ) -> None:
        self._reader, self._of, self._progress = reader, of, progress
        self._without = without
        self.missing: list[ChainBreak] = []

    def games(self, processors: int | None = None) -> Iterator[T]:
        """Yields `of(fold)` for each game, ordered by number. Raises StoreError."""
        spans = self._game_ranges()
        rows = sum(last - first for first, last in spans.values())
        many = (processors or os.cpu_count() or 1) if rows > PARALLEL_FROM else 1
        own, *rest = split_rows(spans, many if not self._reader.warnings else 1)
        if not rest:
            yield from self._read_range(own, spans)
            return
        # The modules for sharing the work are slow to load.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        work = _Worker(self._reader.path, self._reader.catalog, spans, self._without)
        with ProcessPoolExecutor(
            len(rest), get_context("fork"), initializer=work.become_current
        ) as others:
            parts = [others.submit(_Worker.read_range, share, self._of) for share in rest]
            yield from self._read_range(own, spans)
            for part in parts:
                found, missing = part.result()
                self.missing += missing
                yield from found

    def _read_range(self, share: RecordPart, spans: Mapping[int, tuple[int, int]]) -> Iterator[T]:
        """Yields `of(fold)` for each game as soon as its last row is read, so that few games are in
        memory at the same time."""
        ends = {
            game: last
            for game, (first, last) in spans.items()
            if share.first <= first and (share.end is None or first < share.end)
        }
        waiting = iter(sorted(ends))
        due, ready, folds = next(waiting, 0), dict[int, Fold](), dict[int, Fold]()
        for number, seq in self._add_rows_to_folds(share, folds):
            # Rows missing just after a game's last row are found with the next row of another game.
            for old in [one for one in folds if one != number and ends.get(one, seq) < seq]:
                ready[old] = folds.pop(old).end()
            while due in ready:
                yield self._of(ready.pop(due))
                due = next(waiting, 0)
        ready |= {number: fold.end() for number, fold in folds.items()}
        yield from (self._of(ready[number]) for number in sorted(ready))

    def _add_rows_to_folds(
        self, share: RecordPart, folds: dict[int, Fold]
    ) -> Iterator[tuple[int, int]]:
        """Adds every row to the fold of its game, and yields the numbers of the game and the
        row."""
        last = (share.end or self._reader.last_row()) - share.first + 1
        for number, item in by_game(self._reader.walk(share.first)):
            if isinstance(item, ChainLink):
                if share.end is not None and item.seq >= share.end:
                    return
                if item.seq % 1000 == 0:
                    self._progress((item.seq - share.first) / last)
            elif item not in self.missing[-9:]:
                self.missing.append(item)
            if not number or number in self._without:
                continue
            if number not in folds:
                folds[number] = self._reader.new_fold(number)
            folds[number].add(item)
            if isinstance(item, ChainLink):
                yield number, item.seq

    def _game_ranges(self) -> dict[int, tuple[int, int]]:
        """Each game's first and last row number; empty if damage makes this unknown."""
        games = "FROM record NOT INDEXED WHERE game > 0 AND game < ?"
        with suppress(DamagedError):
            question = f"SELECT game, min(seq), max(seq) {games} GROUP BY game"
            found = self._reader.query(question, ABOVE_ALL_GAMES)
            return {game: (first, last) for game, first, last in found if game not in self._without}
        return {}


def split_rows(spans: Mapping[int, tuple[int, int]], many: int) -> list[RecordPart]:
    """At most `many` ranges of similar size, none of which splits a game."""
    whole = max((last for _, last in spans.values()), default=0)
    cuts, latest = [1], 0
    for first, last in sorted(spans.values()):
        if first > latest and first > whole * len(cuts) / many and len(cuts) < many:
            cuts.append(first)
        latest = max(latest, last)
    return [RecordPart(first, end) for first, end in zip(cuts, [*cuts[1:], None], strict=True)]


@dataclass(frozen=True)
class _Worker:
    """The data that another process needs for reading a range of rows."""

    path: Path
    catalog: Mapping[str, AnyGame]
    spans: Mapping[int, tuple[int, int]]
    without: frozenset[int]
    current: ClassVar["_Worker"]

    def become_current(self) -> None:
        """Stores this data in the other process, for `read_range`."""
        _Worker.current = self

    @staticmethod
    def read_range(share: RecordPart, of: Callable[[Fold], T]) -> tuple[list[T], list[ChainBreak]]:
        """Reads a range of rows in the other process."""
        with Reader.open(_Worker.current.path, _Worker.current.catalog) as reader:
            survey = Survey(reader, of, without=_Worker.current.without)
            return list(survey._read_range(share, _Worker.current.spans)), survey.missing


# ---------------------------------------------------------------- in the background


ROWS_A_REST = 50
"""How many rows are checked before each pause."""


def new_damage(reader: Reader, rest: Callable[[], None] = lambda: None) -> str | None:
    """The first fault of the file or its rows that isn't recorded yet; None if there is none. Calls
    `rest` every ROWS_A_REST rows, to let other threads run. Raises StoreError if the cause isn't
    damage."""
    try:
        if found := next(file_faults(reader), None):
            return found
        for number, item in enumerate(reader.walk()):
            if (
                isinstance(item, ChainBreak)
                and row_number_of_loss(item, reader.loss_marks()) is None
            ):
                return str(item)
            if number % ROWS_A_REST == 0:
                rest()
    except DamagedError as error:
        return str(error)
    return None


def file_faults(reader: Reader) -> Iterator[str]:
    """Yields up to a hundred faults that SQLite finds in the file, including its indexes."""
    yield from (
        f"the file: {text}" for (text,) in reader.query("PRAGMA integrity_check") if text != "ok"
    )


# ---------------------------------------------------------------- verify


def verify(
    reader: Reader,
    progress: Progress = lambda _: None,
    played_before: frozenset[int] = frozenset(),
) -> list[str]:
    """Checks everything and returns a line for each fault. Games in `played_before` have passed the
    check with the present rules and the same rows, and are not folded again."""
    return list(_all_findings(reader, progress, played_before))


def _all_findings(
    reader: Reader, progress: Progress, played_before: frozenset[int]
) -> Iterator[str]:
    """Checks the file, each row and its place in the chain, and that each game can be folded."""
    yield from reader.warnings
    try:
        yield from file_faults(reader)
    except StoreError as error:
        yield str(error)
    try:
        survey = Survey(reader, _game_faults, progress, played_before)
        games = [line for lines in survey.games() for line in lines]
        yield from (loss_line(missing, reader.loss_marks()) for missing in survey.missing)
        yield from games
    except StoreError as error:
        yield str(error)


def _game_faults(fold: Fold) -> Sequence[str]:
    if fold.journal is not None:
        return fold.faults
    return [*fold.faults, f"game {fold.number} can't be shown: its first row is missing"]
