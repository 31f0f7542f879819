"""Forgets the names in games that are older than `[record] keep_names_months` allows, before the
table opens its record.

`record.clock` beside the record has the latest time at which the network had set the clock: a game
grows old by that time alone. docs/kept.md says what is promised.
"""

import os
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from errno import EIO
from pathlib import Path
from threading import Event
from typing import Final

from companion.app.club import membership_of
from companion.core.clock import (
    BREAK_S,
    CLOCK_SET,
    Clock,
    day,
    kernel_says_synchronized,
    month_before,
)
from companion.core.errors import SetupError
from companion.core.regular_file import read_private, write_private
from companion.core.threads import NamedThread
from companion.core.words import counted, phrase
from companion.games.game import AnyGame
from companion.players import cache
from companion.presentation.dates import date_words
from companion.record.copies.text_copy import Folder, copies_folder
from companion.record.people.retention import NamesDue, find_due, without_old_names
from companion.record.store.chain import ChainLink
from companion.record.store.database import DB_ERRORS, LockedError, StoreError, reason, take_lock
from companion.record.store.reader import Reader
from companion.record.store.record_file import make_record, overwrite_record

LOOK_S: Final = 600.0
"""Seconds between two looks at the clock and for names that are due."""
LONGEST: Final = 40
"""The most characters that `record.clock` may have."""


class Retention:
    """Keeps the names in a record's finished games for so many `months`. `places`: folders with
    copies, besides the one beside the record. `synchronized`: whether the network has set the
    clock."""

    def __init__(
        self,
        record: Path,
        catalog: Mapping[str, AnyGame],
        months: int,
        places: Iterable[Path] = (),
        *,
        clock: Clock = time.time,
        synchronized: Callable[[], bool] = kernel_says_synchronized,
    ) -> None:
        self._record, self._catalog, self._months = record, catalog, months
        self._places = (copies_folder(record), *places)
        self._clock, self._synchronized = clock, synchronized
        self._looks = 0
        self._searched: str | None = None
        self._stopped = Event()
        self.message: str | None = None
        """A line for people, if names were forgotten, or if that can't be done."""
        self.asks_to_restart = False
        """Whether the table was stopped so that its next start forgets names."""

    # ------------------------------------------------------------ at the start

    def apply(self) -> None:
        """Forgets the names that are due. The record must not be open."""
        now = last_known_time(self._record)
        if now is None or not self._record.exists():
            return
        try:
            self.message = self._forget(now)
        except LockedError:
            pass  # opening the record says so
        except (StoreError, *DB_ERRORS, OSError, SetupError) as error:
            why = error if isinstance(error, StoreError | SetupError) else reason(error)
            self.message = phrase("The names in old games can't be forgotten: {why}", why=why)

    def _forget(self, now: float) -> str | None:
        stamp = cache.Stamp.of(self._record)
        with Reader.open(self._record, self._catalog) as reader:
            due = due_names(reader, self._months, now)
            if not due.games or self._is_played(reader):
                return None
            before = reader.all_rows()
            rows = list(without_old_names(reader, before, due, self._clock()))
        new = Path(f"{self._record}.renamed")
        with take_lock(self._record):
            if cache.Stamp.of(self._record) != stamp:
                return None  # somebody writes it: at the next start
            make_record(new, rows)
            self._read_back(new, rows)
            # The old record is deleted last: the next start finds in it what has to be done.
            self._delete_copies(before[0])
            mine = membership_of(self._record)
            if mine is not None and rows[-1].seq > before[-1].seq:
                mine.moved().save(self._record)
            overwrite_record(self._record, new)
        return phrase(
            "The names in {games} from before {day} are forgotten",
            games=counted("1 game", "{number} games", len(due.games)),
            day=date_words(month_before(now, self._months), None),
        )

    def _read_back(self, new: Path, rows: list[ChainLink]) -> None:
        """Raises OSError or StoreError if the new record hasn't these rows."""
        with Reader.open(new, self._catalog) as reader:
            if [*reader.walk()] != rows:
                raise OSError(EIO, os.strerror(EIO), str(new))

    def _delete_copies(self, first: ChainLink) -> None:
        """Deletes the copies, at the places that are there, of the record that begins with this
        row, and what was counted of it. Raises OSError."""
        for place in self._places:
            name = Folder.of(place, first).path.name
            for folder in (*place.glob(name), *place.glob(f"{name}.ahead-*")):
                shutil.rmtree(folder)
        cache.figures_path(self._record).unlink(missing_ok=True)

    # ------------------------------------------------------------ while the table runs

    def watch(self, restart: Callable[[], None] | None) -> Callable[[], None]:
        """Notes, while the table runs, when the network has set the clock. If names are due, and
        nobody has played for hours, calls `restart` (None: names wait for the next start). Returns
        the function that ends this."""

        def look() -> None:
            self.look(restart)
            while not self._stopped.wait(LOOK_S):
                self.look(restart)

        NamedThread("names", look).start()
        return self._stopped.set

    def look(self, restart: Callable[[], None] | None) -> None:
        """Looks once, as `watch` does every LOOK_S; for names that are due only once a day."""
        self._looks += 1
        try:
            now = self._note_time()
            rested = self._looks * LOOK_S > BREAK_S
            if now is None or restart is None or not rested or self._searched == day(now):
                return
            with Reader.open(self._record, self._catalog) as reader:
                if self._is_played(reader):
                    return
                self._searched = day(now)
                due = due_names(reader, self._months, now)
        except (StoreError, OSError):
            return  # the next look may find it well
        if due.games:
            self.asks_to_restart = True
            restart()

    def _note_time(self) -> float | None:
        """The latest time at which the network had set the clock, noted once a day; None: it never
        did. Raises OSError."""
        now, noted = self._clock(), last_known_time(self._record)
        if now < CLOCK_SET or day(now) == day(noted) or not self._synchronized():
            return noted
        write_private(clock_file(self._record), f"{now:.0f}\n")
        return now

    def _is_played(self, reader: Reader) -> bool:
        _, at = reader.last_game_row()
        return isinstance(at, int | float) and abs(self._clock() - at) < BREAK_S


def clock_file(record: Path) -> Path:
    """The file that has the latest time at which the network had set the clock."""
    return record.with_suffix(".clock")


def last_known_time(record: Path) -> float | None:
    """The latest time, in seconds since 1970, at which the network had set the clock, as a table
    noted it; None: it never did."""
    try:
        return float(read_private(clock_file(record), LONGEST))
    except (OSError, ValueError):
        return None


def due_names(reader: Reader, months: int, now: float) -> NamesDue:
    """The names that are due at the time `now`. Raises StoreError."""
    return find_due(reader, month_before(now, months), now)
