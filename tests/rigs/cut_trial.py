"""Starts the program on every state that a power cut can have left, and lists the failures. The
processors share the states.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

from companion.core.errors import EntryError
from companion.record.repair.verify import new_damage
from companion.record.rows import Setting
from companion.record.store.database import COLUMNS, StoreError
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from tests.catalog import GAMES
from tests.rigs.cut_disk import Event, RowRefused
from tests.rigs.cut_log import Recorder
from tests.rigs.cut_states import Instant, instants, states

SEED = 1


@dataclass(frozen=True)
class StartResult:
    """The result of a start on a state: rows, its messages, or the error that ended it
    (`trouble`)."""

    rows: tuple[tuple[object, ...], ...] = ()
    messages: tuple[str, ...] = ()
    trouble: str = ""


def started(files: dict[str, bytes], place: Path) -> StartResult:
    """Starts on a state: opens the record, reads it all, and keeps one more row."""
    shutil.rmtree(place, ignore_errors=True)
    chance = Random(SEED)
    for name, content in files.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(chance.randbytes(len(content)) if name.endswith("-shm") else content)
    try:
        store = Store.open(place / "var" / "companion" / "record.db", GAMES)
        try:
            rows = tuple(store.query(f"SELECT {COLUMNS} FROM record ORDER BY seq"))
            store.keep(0, Setting("brightness", 3))
            return StartResult(rows, store.messages)
        finally:
            store.close()
    except (StoreError, EntryError) as error:
        return StartResult(trouble=str(error))


def entries(rows: Sequence[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """The rows except those that declare lost rows, which have the time of the start."""
    return [row for row in rows if '"kind": "lost"' not in str(row[2])]


def number(row: tuple[object, ...]) -> int:
    """The number of the row."""
    return int(str(row[0]))


AGAIN = "The last entry was found again in the copy"
SAVING = "An entry was being saved when the power went: check whether it is there"

States = Callable[[Instant, Random], Iterator[dict[str, bytes]]]


class Trial:
    """Starts on every state that a recorded run can have left, and checks the results."""

    tried = 0
    """How many states were tried in all trials in which nothing may be wrong."""

    def __init__(self, recorder: Recorder, place: Path) -> None:
        self._recorder, self._place = recorder, place
        self.rows: list[tuple[object, ...]] = []
        if recorder.record.exists():  # not on a disk that refused everything
            with Reader.open(recorder.record, GAMES) as reader:
                self.rows = entries(reader.query(f"SELECT {COLUMNS} FROM record ORDER BY seq"))
                assert new_damage(reader) is None
        self._refused = {event.at for event in recorder.events if isinstance(event, RowRefused)}
        self.states = 0

    def losses(self, events: Sequence[Event], quiet: bool = True, of: States = states) -> list[str]:
        """The failures, one line for each state that has any. `quiet`: a start must not report
        damage; `of` returns the states that an instant can leave."""
        shares = os.cpu_count() or 1
        with ProcessPoolExecutor(shares, get_context("fork")) as processors:
            parts = [
                processors.submit(self._share, events, quiet, of, (share, shares))
                for share in range(shares)
            ]
            results = [part.result() for part in parts]
        self.states = sum(many for many, _ in results)
        return [line for _, wrong in results for line in wrong]

    def nothing_lost(
        self, events: Sequence[Event], quiet: bool = True, of: States = states
    ) -> None:
        """Asserts that there are no failures in any state."""
        assert self.losses(events, quiet, of) == []
        Trial.tried += self.states

    def wrong_since(self, event: Event) -> list[str]:
        """The failures of the states from `event` on, tried in this process alone."""
        self.states = 0
        return list(self._wrong(self._recorder.events, False, states, since=event))

    def proves(self, events: Sequence[Event], quiet: bool = True, of: States = states) -> bool:
        """Whether there are failures. A run that was made worse on purpose must have some, or a run
        without failures would prove nothing."""
        return next(self._wrong(events, quiet, of), None) is not None

    def _share(
        self, events: Sequence[Event], quiet: bool, of: States, share: tuple[int, int]
    ) -> tuple[int, list[str]]:
        """The number of states in one `share` (its number, and the number of shares), and their
        failures."""
        self._place = self._place.with_name(f"{self._place.name}-{share[0]}")
        self.states = 0
        wrong = list(self._wrong(events, quiet, of, share))
        return self.states, wrong

    def _wrong(
        self,
        events: Sequence[Event],
        quiet: bool,
        of: States,
        share: tuple[int, int] = (0, 1),
        since: Event | None = None,
    ) -> Iterator[str]:
        chance, recorder = Random(SEED), self._recorder
        found = dict[tuple[tuple[str, bytes], ...], StartResult]()
        for instant in instants(recorder.before, events, recorder.rows_before, since):
            for files in of(instant, chance):
                key = tuple(files.items())
                if hash(key) % share[1] != share[0]:
                    continue
                self.states += 1
                if key not in found:
                    found[key] = started(files, self._place)
                if wrong := self._wrong_with(found[key], instant, quiet):
                    yield f"after row {instant.rows}: {wrong}"

    def _wrong_with(self, found: StartResult, instant: Instant, quiet: bool) -> str:
        """The failure in the result of a start; empty if there is none."""
        rows = entries(found.rows)
        more = [row for row in rows if number(row) > instant.rows]
        if found.trouble:
            return found.trouble
        if {row for row in self.rows if number(row) <= instant.rows} - set(rows):
            return f"only {len(rows)} rows; told {found.messages}"
        if len(more) > 1 or not self._were_written(rows):
            return "other rows than were written"
        if rows and rows[-1][3] in instant.refused and AGAIN not in found.messages:
            return "a row that was told not to be saved came back without a word"
        told = [AGAIN] * len(more) + [SAVING]
        return str(found.messages) if quiet and not set(found.messages) <= set(told) else ""

    def _were_written(self, rows: list[tuple[object, ...]]) -> bool:
        """Whether these rows were written; the last one may be one that was reported as not
        saved."""
        if rows and rows[-1][3] in self._refused and rows[:-1] == self.rows[: len(rows) - 1]:
            return True
        return rows == self.rows[: len(rows)]
