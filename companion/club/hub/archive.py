"""The club's pages of players and evenings, like those of a box (players/pages), made from the rows
that all boxes have pushed.

A game's statistics are counted once, and again only after new rows. The counts are stored in the
hub's folder (`club.figures`), each with the number and the hash of the newest row it covers, so
that a hub that was restarted goes on from there. The games of all tables are ordered by the time at
which they were played, according to their boxes' clocks, and grouped into evenings. A person hidden
by any box is shown nowhere; two spellings of one name are one person everywhere in a club. At a
federation's hub a person is a club and a name (people.py).
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import astuple, replace
from itertools import starmap
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, func, select

from companion.club.hub.chains import Chain, chain_from_row, rows_condition, shown_chain
from companion.club.hub.database import Database, chains, clubs, rows
from companion.club.hub.games import MANY_ROWS, BoxFacts, game_on_table, read_box_facts, read_game
from companion.club.hub.members import Member, boxes_shown
from companion.club.hub.people import PersonNames, combine_people, with_person_names
from companion.core.clock import BREAK_S, CLOCK_SET, Clock, month_before, now
from companion.core.html import translated_by
from companion.core.values import dataclass
from companion.core.words import Sentence, phrase
from companion.players.cache import (
    fields_of_game,
    game_of_fields,
    gc_paused,
    read_figures,
    write_figures,
)
from companion.players.history import PlayersHistory, count
from companion.players.pages.archive import EVENING_PATH, ArchivedGame
from companion.players.pages.document import ROOT, PageLinks, linked_by
from companion.players.pages.evening import evening_page
from companion.players.pages.overview import overview
from companion.players.pages.player import player_page
from companion.players.statistics import CountedGame
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.game import rules_of
from companion.presentation.language import ENGLISH, Language
from companion.presentation.sayings import fixed_words
from companion.record.people.people import People
from companion.record.store.database import StoreError

FIGURES: Final = "club.figures"
"""The file in the hub's folder with the counts, which can be deleted at any time."""
STORED_AGAIN_S: Final = 600.0
"""Seconds between two writes of the counts if games have only grown. If names have
changed, or games are no longer shown, they are written at once."""
EDGES_AT_ONCE: Final = 500
"""The most rows that are read by their numbers in one query."""
_Key = tuple[str, str, int, int]
"""The club, the box, and the numbers of the chain and of the game."""


@dataclass(frozen=True, slots=True)
class _CountBasis:
    """The state from which a game was counted: the number and hash of its newest row, the digest of
    the facts about its box (BoxFacts), and whether it was the game on its table (`held`)."""

    row: int
    tip: str
    facts: str
    held: bool


@dataclass(frozen=True, slots=True)
class _StoredCount:
    """A counted game. `game` is None if a newer companion wrote it."""

    basis: _CountBasis
    game: CountedGame | None


@dataclass(frozen=True, slots=True)
class _PlayedAt:
    """The table at which a game was played, and the name of its club."""

    box: str
    name: str
    club: str
    game: int


class ClubArchive:
    """The pages of a club's players and evenings. `games`: those of the catalog.
    `keep_names_months`: how long games are shown with names; 0: for ever. `figures`: the file in
    which the counts are stored; None: they are not."""

    def __init__(
        self,
        database: Database,
        club: str,
        games: Mapping[str, ArchivedGame],
        keep_names_months: int = 0,
        clock: Clock = time.time,
        *,
        figures: Path | None = None,
    ) -> None:
        self._database, self._club, self._figures = database, club, figures
        self._months, self._clock = keep_names_months, clock
        self._rules = rules_of(games)
        self._titles = {name: game.rules.title for name, game in games.items()}
        self._statistics = {name: game.statistics for name, game in games.items()}
        self._counted: dict[_Key, _StoredCount] = {} if figures is None else _read_counts(figures)
        self._stored_at: float | None = None
        self._tables_of_games: dict[int, _PlayedAt] = {}

    def page(
        self,
        path: str,
        asked: Mapping[str, str],
        progress: Callable[[float], None] = lambda _: None,
        language: Language = ENGLISH,
    ) -> str | None:
        """The page at `path` in `language`, as HTML; None if there is none. `asked`: the query of
        the page's address. `progress` is called with the share of games that is counted, 0 to 1.
        Raises UnavailableError."""
        home, club = fixed_words(CLUB_WORDS, "club.to-all"), asked.get("club", "")
        links = PageLinks(self._game_address, self._game_words, home, club=club)
        with translated_by(language.translate), linked_by(links):
            return self._page(path, asked, progress)

    def _page(
        self, path: str, asked: Mapping[str, str], progress: Callable[[float], None]
    ) -> str | None:
        history, names = self._history(progress, asked.get("club", ""))
        if path == ROOT:
            return overview(history, self._titles, now(), asked, names)
        if path == f"{ROOT}/player":
            return player_page(asked.get("name", ""), history, self._titles, now(), asked)
        if found := EVENING_PATH.fullmatch(path):
            return evening_page(int(found[1]), history, self._titles, now(), lambda _: {})
        return None

    def _game_address(self, number: int, entry: int | None) -> str:
        at = self._tables_of_games[number]
        return f"/games/{at.box}/{at.game}" + (f"?entry={entry}" if entry else "")

    def _game_words(self, number: int) -> Sentence:
        at = self._tables_of_games[number]
        return phrase("{table}, game {number}", table=at.name, number=at.game)

    # ------------------------------------------------------------ counting

    def _history(
        self, progress: Callable[[float], None], club: str
    ) -> tuple[PlayersHistory, list[str]]:
        """Returns the games of the club with this name (of all clubs if it is empty), and the names
        of all clubs."""
        counted, people = list[tuple[_PlayedAt, CountedGame]](), People()
        with self._database.reading() as db:
            members = {one.box: one for one in boxes_shown(db, self._club)}
            persons = PersonNames(db, self._club, (one.club for one in members.values()))
            all_boxes: dict[str, dict[int, Chain]] = {}
            for found in map(chain_from_row, db.execute(select(chains))):
                if found.box in members and members[found.box].club == found.club:
                    all_boxes.setdefault(found.box, {})[found.chain] = found
            since = month_before(self._clock(), self._months) if self._months else 0.0
            records = [
                _read_table_record(db, members[box], chain, box_chains, since)
                for box, box_chains in sorted(all_boxes.items())
                if (chain := shown_chain(box_chains.values())) is not None
            ]
            own = db.execute(select(clubs.c.name).where(clubs.c.club == self._club)).scalar()
            lost, counts_for = 0, _records_that_count(records)
            before, self._counted = self._counted, {}
            for place, one in enumerate(records):
                called = persons.person_name_in(one.box.club)
                people = combine_people(people, persons.people(one.box.club, one.facts.people))
                digest = one.facts.digest
                for at, (number, (row, first, tip)) in enumerate(one.games.items()):
                    progress((place + at / len(one.games)) / len(records))
                    if counts_for[first] is not one:
                        continue
                    basis = _CountBasis(row, tip.hex(), digest, number == one.on_table)
                    key = *one.chain.key, number
                    known = before.get(key)
                    if known is None or known.basis != basis:
                        known = _StoredCount(basis, self._count(db, one, number))
                    self._counted[key], game = known, known.game
                    of = one.box.of or str(own)
                    if game is None:
                        lost += club in ("", of)
                    else:
                        at_table = _PlayedAt(one.box.box, one.box.name, of, number)
                        counted.append((at_table, with_person_names(game, called)))
            people = persons.joined_across_clubs(db, people)
        self._write_counts(before, sum(one.rows for one in records))
        names = sorted({at.club for at, _ in counted}, key=str.casefold)
        shown = [one for one in counted if club in ("", one[0].club)]
        games_in_order, self._tables_of_games = number_games_by_time(shown)
        history = PlayersHistory(
            games_in_order, people, reveals_uncalled=False, lost=lost, statistics=self._statistics
        )
        return history, names

    def _count(self, db: Connection, of: "_TableRecord", number: int) -> CountedGame | None:
        """Counts a game; None if a newer companion wrote it."""
        try:
            fold = read_game(db, of.chain, of.box_chains, number, rules=self._rules, facts=of.facts)
            return count(
                fold.end(), self._statistics, number
            )  # not None: read_game() returned a game
        except StoreError:
            return None

    def _write_counts(self, before: Mapping[_Key, _StoredCount], many: int) -> None:
        """Writes the counts to their file if they differ from `before`; if games have only grown,
        at most once in STORED_AGAIN_S. `many`: the number of rows they cover; below MANY_ROWS,
        deletes the file instead."""
        if self._figures is None:
            return
        if many < MANY_ROWS:
            with suppress(OSError):
                self._figures.unlink(missing_ok=True)
            return
        now, games = time.monotonic(), self._counted
        changed = any(before.get(key) != known for key, known in games.items())
        outdated = any(
            key not in games or games[key].basis.facts != known.basis.facts
            for key, known in before.items()
        )
        long_ago = self._stored_at is None or now - self._stored_at >= STORED_AGAIN_S
        if outdated or (changed and long_ago):
            write_figures(self._figures, [*starmap(_count_fields, games.items())])
            self._stored_at = now


def _read_counts(path: Path) -> dict[_Key, _StoredCount]:
    """The counts stored at `path`; empty if the file is missing, damaged or of another version."""
    found = dict[_Key, _StoredCount]()
    with gc_paused(), suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        for (club, box, chain, number), basis, game in read_figures(path) or []:
            counted = None if game is None else game_of_fields(game)
            found[club, box, chain, number] = _StoredCount(_CountBasis(*basis), counted)
        return found
    return {}


def _count_fields(key: _Key, known: _StoredCount) -> list[Any]:
    game = None if known.game is None else fields_of_game(known.game)
    return [key, astuple(known.basis), game]


@dataclass(frozen=True, slots=True, eq=False)
class _TableRecord:
    """The part of a box's record that is shown. `games`: for each game that the club may see, the
    number of its newest row, the hash of its first and that of its newest. `rows`: how many rows
    the record has."""

    box: Member
    chain: Chain
    box_chains: Mapping[int, Chain]
    facts: BoxFacts
    on_table: int
    games: Mapping[int, tuple[int, bytes, bytes]]

    @property
    def rows(self) -> int:
        return self.chain.head.seq


def _read_table_record(
    db: Connection,
    member: Member,
    chain: Chain,
    box_chains: Mapping[int, Chain],
    names_since: float,
) -> _TableRecord:
    facts, mine = (
        read_box_facts(db, chain, box_chains, names_since),
        rows_condition(chain, box_chains),
    )
    whole = mine, rows.c.game > 0, rows.c.row.is_not(None)
    first, newest = func.min(rows.c.seq), func.max(rows.c.seq)
    asked = select(rows.c.game, first, newest).where(*whole).group_by(rows.c.game)
    ends = [*db.execute(asked)]
    hashes = dict[int, bytes]()
    edges = sorted({int(seq) for _, *both in ends for seq in both})
    for at in range(0, len(edges), EDGES_AT_ONCE):
        some = rows.c.seq.in_(edges[at : at + EDGES_AT_ONCE])
        found = db.execute(select(rows.c.seq, rows.c.hash).where(mine, some))
        hashes |= {int(seq): bytes(own) for seq, own in found}
    games = {int(game): (int(last), hashes[begun], hashes[last]) for game, begun, last in ends}
    return _TableRecord(
        member, chain, box_chains, facts, game_on_table(db, chain, box_chains, facts), games
    )


def _records_that_count(records: Iterable[_TableRecord]) -> dict[bytes, _TableRecord]:
    """Returns the record in which each game counts, by the hash of the game's first row: the record
    of the first box that had the game, or of the box that has replaced that one."""
    found = dict[bytes, _TableRecord]()
    for one in sorted(records, key=lambda one: one.chain.began_at):
        for _, first, _ in one.games.values():
            found.setdefault(first, one)
    return found


def number_games_by_time(
    counted: Iterable[tuple[_PlayedAt, CountedGame]],
) -> tuple[tuple[CountedGame, ...], dict[int, _PlayedAt]]:
    """Returns the games of all tables in the order in which they began, each with a new number, and
    for each number the table at which the game was played. The number is the second in which the
    game began, so that it doesn't change when older games arrive later. A game from a box whose
    clock was not set comes before all others."""
    found, places, last, until = [], {}, 0, 0.0
    for at, game in sorted(counted, key=lambda one: (one[1].begun or 0.0, one[0].box, one[0].game)):
        number = max(last + 1, int((game.begun or 0.0) - CLOCK_SET))
        follows = game.begun is not None and game.begun - until < BREAK_S
        # A game that began at another table before this one ended belongs to the same evening.
        found.append(replace(game, number=number, follows=follows, opened=game.begun))
        places[number] = at
        last, until = number, max(until, game.played or 0.0)
    return tuple(found), places
