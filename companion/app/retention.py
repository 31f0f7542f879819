"""How long finished games keep names (`[record] keep_names_months`): finds older games, and
rewrites the record without their names, before the table opens it.

An old game then looks as if names had never been entered: its seats have the colours of their
chips. It is still shown and scored, but counts for no player. See docs/kept.md for details. The
file `record.clock`, beside the record, stores the latest time at which the network had set the
clock. The age of a game is measured only against that time."""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
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
    is_clock_synchronized,
    month_before,
)
from companion.core.errors import EntryError, SetupError
from companion.core.regular_file import read_private, write_private
from companion.core.seats import COLOUR_NAMES
from companion.core.threads import NamedThread
from companion.core.values import dataclass
from companion.core.words import counted, phrase
from companion.games.game import AnyGame
from companion.players import cache
from companion.presentation.dates import date_words
from companion.record.copies.text_copy import Folder, copies_folder
from companion.record.people.forget import Names, number_names, rewrite_rows
from companion.record.people.people import read_people, replacement_names
from companion.record.rows import (
    GameOpened,
    PeopleReplaced,
    PlayerRenamed,
    Row,
    Setting,
    decode_row,
)
from companion.record.settings import game_named_by, star_of
from companion.record.store.database import (
    COLUMNS,
    DB_ERRORS,
    ChainLink,
    LockedError,
    StoreError,
    link_from_columns,
    reason,
    take_lock,
)
from companion.record.store.reader import Reader
from companion.record.store.record_file import make_record, overwrite_record

LOOK_S: Final = 600.0
"""Seconds between checks of the clock and for names that are due."""
MAX_CLOCK_FILE_BYTES: Final = 40
"""The most characters in `record.clock`."""


class Retention:
    """Keeps the names in a record's finished games for a limited number of `months`. `places`:
    folders with copies, besides the one beside the record. `synchronized`: returns whether the
    network has set the clock."""

    def __init__(
        self,
        record: Path,
        catalog: Mapping[str, AnyGame],
        months: int,
        places: Iterable[Path] = (),
        *,
        clock: Clock = time.time,
        synchronized: Callable[[], bool] = is_clock_synchronized,
    ) -> None:
        self._record, self._catalog, self._months = record, catalog, months
        self._places = (copies_folder(record), *places)
        self._clock, self._synchronized = clock, synchronized
        self._looks = 0
        self._searched: str | None = None
        self._stopped = Event()
        self.message: str | None = None
        """A line for people if names were forgotten, or that failed."""
        self.asks_to_restart = False
        """Whether the table was stopped so that its next start forgets names."""

    # ------------------------------------------------------------ at the start

    def apply(self) -> None:
        """Forgets the names that are due. The record must not be open."""
        now = last_known_time(self._record)
        if now is None or not self._record.exists():
            return
        try:
            self.message = self._forget_due_names(now)
        except LockedError:
            pass  # opening the record reports it
        except (StoreError, *DB_ERRORS, OSError, SetupError) as error:
            why = error if isinstance(error, StoreError | SetupError) else reason(error)
            self.message = phrase("The names in old games can't be forgotten: {why}", why=why)

    def _forget_due_names(self, now: float) -> str | None:
        stamp = cache.FileStamp.of(self._record)
        with Reader.open(self._record, self._catalog) as reader:
            due = due_names(reader, self._months, now)
            if not due.games or self._is_being_played(reader):
                return None
            before = reader.all_rows()
            rows = list(without_old_names(reader, before, due, self._clock()))
        new = Path(f"{self._record}.renamed")
        with take_lock(self._record):
            if cache.FileStamp.of(self._record) != stamp:
                return None  # in use: try again at the next start
            make_record(new, rows)
            self._check_new_record(new, rows)
            # The old record is deleted last: the next start finds in it what has to be done.
            self._delete_copies(before[0])
            mine = membership_of(self._record)
            if mine is not None and rows[-1].seq > before[-1].seq:
                mine.with_row_inserted().save(self._record)
            overwrite_record(self._record, new)
        return phrase(
            "The names in {games} from before {day} are forgotten",
            games=counted("1 game", "{number} games", len(due.games)),
            day=date_words(month_before(now, self._months), None),
        )

    def _check_new_record(self, new: Path, rows: list[ChainLink]) -> None:
        """Raises OSError or StoreError if the new record doesn't have these rows."""
        with Reader.open(new, self._catalog) as reader:
            if [*reader.walk()] != rows:
                raise OSError(EIO, os.strerror(EIO), str(new))

    def _delete_copies(self, first: ChainLink) -> None:
        """Deletes the accessible copies of the record whose first row this is, and the statistics
        cached for it. Raises OSError."""
        for place in self._places:
            name = Folder.of(place, first).path.name
            for folder in (*place.glob(name), *place.glob(f"{name}.ahead-*")):
                shutil.rmtree(folder)
        cache.figures_path(self._record).unlink(missing_ok=True)

    # ------------------------------------------------------------ while the table runs

    def watch(self, restart: Callable[[], None] | None) -> Callable[[], None]:
        """Starts to record, while the table runs, the times at which the network has set the clock.
        Calls `restart` once names are due and nobody has played for hours; if `restart` is None,
        due names wait for the next start. Returns the function that ends this."""

        def look() -> None:
            self.look(restart)
            while not self._stopped.wait(LOOK_S):
                self.look(restart)

        NamedThread("names", look).start()
        return self._stopped.set

    def look(self, restart: Callable[[], None] | None) -> None:
        """Makes one of the checks that `watch` repeats every LOOK_S seconds. Searches for due names
        at most once a day."""
        self._looks += 1
        try:
            now = self._note_time()
            rested = self._looks * LOOK_S > BREAK_S
            if now is None or restart is None or not rested or self._searched == day(now):
                return
            with Reader.open(self._record, self._catalog) as reader:
                if self._is_being_played(reader):
                    return
                self._searched = day(now)
                due = due_names(reader, self._months, now)
        except (StoreError, OSError):
            return  # the next check may succeed
        if due.games:
            self.asks_to_restart = True
            restart()

    def _note_time(self) -> float | None:
        """Returns the latest time at which the network had set the clock, and stores it once a day;
        returns None if the network never has. Raises OSError."""
        now, noted = self._clock(), last_known_time(self._record)
        if now < CLOCK_SET or day(now) == day(noted) or not self._synchronized():
            return noted
        write_private(clock_file(self._record), f"{now:.0f}\n")
        return now

    def _is_being_played(self, reader: Reader) -> bool:
        _, at = reader.last_game_row()
        return isinstance(at, int | float) and abs(self._clock() - at) < BREAK_S


def clock_file(record: Path) -> Path:
    """Returns the path of the file with the latest time at which the network had set the clock."""
    return record.with_suffix(".clock")


def last_known_time(record: Path) -> float | None:
    """Returns the stored time, in seconds since 1970, at which the network had last set the clock;
    None if no time is stored."""
    try:
        return float(read_private(clock_file(record), MAX_CLOCK_FILE_BYTES))
    except (OSError, ValueError):
        return None


# ---------------------------------------------------------------- names in old games


_NUMBERED_PLAYER: Final = re.compile(r"Player_\d+")
"""The name given to a person whose real name was forgotten earlier."""


@dataclass(frozen=True, slots=True)
class NamesDue:
    """Names to be forgotten, with their replacements. `games`: the names in each game that is old
    enough, by the game's number; `people`: the names in the box's own rows, for people who are in
    no other game."""

    games: Mapping[int, Names] = field(default_factory=dict)
    people: Names = field(default_factory=dict)

    def names_to_replace(self, link: ChainLink, row: Row) -> Names:
        """Returns the names that have to be replaced in a row, with their replacements."""
        game: int | None = link.game
        if isinstance(row, Setting):  # it may be about a game
            star = star_of(row.name)
            game = game_named_by(row.name) if star is None else star.game
        return self.games.get(game, {}) if game else self.people


def find_due(reader: Reader, before: float, now: float) -> NamesDue:
    """Returns the names to forget in games from before `before` that are over or taken back, and
    not on the table. `now`: the present time; both are in seconds since 1970. Raises StoreError."""
    if not (old := _old_games(reader, before, now)):
        return NamesDue()
    opened, others = _opened_and_people(reader)
    table, games = reader.game_on_table(), dict[int, Names]()
    for number in old & opened.keys() - {table}:
        one, later = opened[number], others.get(number, [])
        if any(map(_is_name, (*one.seats, *later))) and _is_over(reader, number):
            games[number] = replacement_names(one, None, reader.catalog.get(one.game), later)
    kept = {
        str(name)
        for number, one in opened.items()
        if number not in games
        for name in (*one.seats, *others.get(number, ()))
    }
    return NamesDue(games, _names_in_no_other_game(reader, games, kept) if games else {})


def without_old_names(
    reader: Reader, rows: Iterable[ChainLink], due: NamesDue, at: float | None
) -> Iterator[ChainLink]:
    """Yields the `rows` of the record without the names that are `due`. `at`: the time at which
    they are forgotten, stored with the record's first row. Raises StoreError."""
    return rewrite_rows(rows, due.names_to_replace, (), reader.catalog, at)


def _old_games(reader: Reader, before: float, now: float) -> set[int]:
    """Returns the numbers of the games whose first and last rows are from before `before`. A time
    after `now` came from a wrong clock and is ignored: such a game is as old as the next one with a
    known time. Once a game isn't old, no later game is."""
    asked = "SELECT game, min(at), max(at) FROM record NOT INDEXED WHERE game > 0 GROUP BY game"
    old, unsure = set[int](), set[int]()
    for game, begun, newest in sorted(reader.query(asked)):
        if not _is_time(newest) or newest < before:
            unsure.add(game)
        if _is_time(begun) and begun <= now:
            if begun >= before:
                break
            old |= unsure
    return old


def _is_time(at: object) -> bool:
    return isinstance(at, int | float)  # a damaged row may have text here


def _is_name(seat: str) -> bool:
    """Returns whether a seat is named after a person: not after a colour, nor with the number of a
    forgotten player."""
    return seat not in COLOUR_NAMES and not _NUMBERED_PLAYER.fullmatch(seat)


def _opened_and_people(reader: Reader) -> tuple[dict[int, GameOpened], dict[int, list[str]]]:
    """Returns two mappings, both by the game's number: to the game's first row, and to the names
    that later rows give to its seats."""
    opened, others = dict[int, GameOpened](), dict[int, list[str]]()
    asked = (
        f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE game > 0 AND "
        """(row LIKE '%"kind": "opened"%' OR row LIKE '%"kind": "people"%') ORDER BY seq"""
    )
    for columns in reader.query(asked):
        link = link_from_columns(columns)
        with suppress(EntryError):  # damaged, of a newer version, or an entry with these words
            row = decode_row(link.row) if link and link.intact else None
            if link and isinstance(row, GameOpened):
                opened[link.game] = row
            elif link and isinstance(row, PeopleReplaced):
                others.setdefault(link.game, []).extend(row.seats)
    return opened, others


def _is_over(reader: Reader, game: int) -> bool:
    """Returns whether a game is over or was taken back. Raises StoreError."""
    journal = reader.game(game)
    return journal is not None and (journal.withdrawn or bool(journal.state.finished))


def _names_in_no_other_game(
    reader: Reader, games: Mapping[int, Names], kept_names: set[str]
) -> Names:
    """Returns replacements for the names in these `games`, and in renamings, that are not among the
    `kept_names`. Hidden people keep their names, because otherwise they would be shown again in
    their next game."""
    people = read_people(reader)
    still = kept_names | set(map(people.name_of, kept_names))
    said = dict.fromkeys(name for names in games.values() for name in names)
    for link in reader.box_links("renamed"):
        with suppress(EntryError):
            row = decode_row(link.row)
            if isinstance(row, PlayerRenamed):
                said |= dict.fromkeys((row.name, row.to))
    gone = [
        name
        for name in said
        if _is_name(name)
        and not {name, people.name_of(name)} & still
        and not people.is_hidden(name)
    ]
    return number_names(gone, (*said, *sorted(kept_names)))


def due_names(reader: Reader, months: int, now: float) -> NamesDue:
    """Returns the names that are due at the time `now`, in seconds since 1970. Raises
    StoreError."""
    return find_due(reader, month_before(now, months), now)
