"""How long finished games keep names (`[record] keep_names_months`): which games are older than
that, and the record's rows without those names.

An old game then looks as if names had never been entered: its seats have the colours of their
chips. It is still shown and scored, but counts for no player. See docs/kept.md for details.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Final

from companion.core.errors import EntryError
from companion.core.seats import COLOUR_NAMES
from companion.core.values import dataclass
from companion.record.people.forget import Names, number_names, rewrite_rows
from companion.record.people.people import read_people, replacement_names
from companion.record.rows import Opened, OtherPeople, Renamed, Row, Setting, decode_row
from companion.record.settings import game_named_by, star_of
from companion.record.store.chain import COLUMNS, ChainLink, link_from_columns
from companion.record.store.reader import Reader

_NUMBERED_PLAYER: Final = re.compile(r"Player_\d+")
"""The name of a person whose real name was forgotten earlier."""


@dataclass(frozen=True, slots=True)
class NamesDue:
    """Names to be forgotten, with their replacements. `games`: by the number of each game that is
    older than names are kept; `people`: in the box's own rows, of people who are in no other
    game."""

    games: Mapping[int, Names] = field(default_factory=dict)
    people: Names = field(default_factory=dict)

    def names_to_replace(self, link: ChainLink, row: Row) -> Names:
        """The names to replace in a row."""
        game: int | None = link.game
        if isinstance(row, Setting):  # it may be about a game
            star = star_of(row.name)
            game = game_named_by(row.name) if star is None else star.game
        return self.games.get(game, {}) if game else self.people


def find_due(reader: Reader, before: float, now: float) -> NamesDue:
    """The names to forget in games from before `before`, at the time `now`: games that are over, or
    taken back, and not on the table. Raises StoreError."""
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
    """The `rows` of the record without the names that are `due`, written at `at`. Raises
    StoreError."""
    return rewrite_rows(rows, due.names_to_replace, (), reader.catalog, at)


def _old_games(reader: Reader, before: float, now: float) -> set[int]:
    """The games that were opened, and last had a row added, before `before`. A time after `now`
    came from a wrong clock and is ignored: such a game is as old as the next one whose time is
    known. A game after one that is not old isn't old either."""
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
    return isinstance(at, int | float)  # damage may leave text


def _is_name(seat: str) -> bool:
    """Whether a seat has a person's name: neither a colour nor the number of a forgotten player."""
    return seat not in COLOUR_NAMES and not _NUMBERED_PLAYER.fullmatch(seat)


def _opened_and_people(reader: Reader) -> tuple[dict[int, Opened], dict[int, list[str]]]:
    """Each game's first row, and the names that later rows give to its seats, by the game's
    number."""
    opened, others = dict[int, Opened](), dict[int, list[str]]()
    asked = (
        f"SELECT {COLUMNS} FROM record NOT INDEXED WHERE game > 0 AND "
        """(row LIKE '%"kind": "opened"%' OR row LIKE '%"kind": "people"%') ORDER BY seq"""
    )
    for columns in reader.query(asked):
        link = link_from_columns(columns)
        with suppress(EntryError):  # damaged, of a newer version, or an entry with these words
            row = decode_row(link.row) if link and link.intact else None
            if link and isinstance(row, Opened):
                opened[link.game] = row
            elif link and isinstance(row, OtherPeople):
                others.setdefault(link.game, []).extend(row.seats)
    return opened, others


def _is_over(reader: Reader, game: int) -> bool:
    """Whether a game is over or was taken back. Raises StoreError."""
    journal = reader.game(game)
    return journal is not None and (journal.withdrawn or bool(journal.state.finished))


def _names_in_no_other_game(reader: Reader, games: Mapping[int, Names], kept: set[str]) -> Names:
    """New names for people in these `games` or in renamings who are not among the `kept`. Hidden
    people keep theirs: otherwise they would be shown if they came again."""
    people = read_people(reader)
    still = kept | set(map(people.name_of, kept))
    said = dict.fromkeys(name for names in games.values() for name in names)
    for link in reader.box_links("renamed"):
        with suppress(EntryError):
            row = decode_row(link.row)
            if isinstance(row, Renamed):
                said |= dict.fromkeys((row.name, row.to))
    gone = [
        name
        for name in said
        if _is_name(name) and not {name, people.name_of(name)} & still and not people.hides(name)
    ]
    return number_names(gone, (*said, *sorted(kept)))
