"""Pages of players and evenings for all tables of a club: the same as a box has (players/pages),
made from the rows that all boxes have pushed.

A game is counted once, and again only if it has new rows. The games of all tables are ordered by
when they were played, by the clocks of their boxes, and so grouped into evenings. A person hidden
by any box is shown nowhere; two spellings of one name are one person everywhere in a club. At a
federation's hub a person is a club and a name (people.py).
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection, func, select

from companion.club.hub.chains import Chain, chain_of, rows_where, shown_chain
from companion.club.hub.database import Database, chains, rows
from companion.club.hub.games import OfBox, game_on_table, read_game, read_of_box
from companion.club.hub.members import Member, boxes_shown
from companion.club.hub.people import ClubNames, game_of_club, together
from companion.core.clock import BREAK_S, CLOCK_SET, Clock, month_before, now
from companion.core.html import element, joined, translated_by
from companion.core.words import phrase
from companion.players.history import PlayersHistory, count
from companion.players.pages.archive import EVENING, ArchivedGame
from companion.players.pages.document import ROOT
from companion.players.pages.evening import evening_page
from companion.players.pages.overview import overview
from companion.players.pages.player import player_page
from companion.players.statistics import CountedGame
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.game import rules_of
from companion.presentation.language import ENGLISH, Language
from companion.presentation.page_words import PAGE_WORDS
from companion.presentation.sayings import fixed_words
from companion.record.people.people import People
from companion.record.store.database import StoreError

TO_GAME: Final = re.compile(rf'<a href="{ROOT}/game/(\d+)((?:\?[^"]*)?)">([^<]*)</a>')
"""A link to a game in those pages: its number, the entry, and the words."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A counted game, with the number of its newest row at that time and the people as its box
    named them; `held`: it was on its table then. `game` is None if a newer companion wrote it."""

    row: int
    said: OfBox
    held: bool
    game: CountedGame | None


@dataclass(frozen=True, slots=True)
class _AtTable:
    """The table at which a game was played."""

    box: str
    name: str
    game: int


class ClubArchive:
    """The pages of a club's players and evenings. `games`: those of the catalog.
    `keep_names_months`: how long games are shown with names; 0: for ever."""

    def __init__(
        self,
        database: Database,
        club: str,
        games: Mapping[str, ArchivedGame],
        keep_names_months: int = 0,
        clock: Clock = time.time,
    ) -> None:
        self._database, self._club = database, club
        self._months, self._clock = keep_names_months, clock
        self._rules = rules_of(games)
        self._titles = {name: game.rules.title for name, game in games.items()}
        self._statistics = {name: game.statistics for name, game in games.items()}
        self._counted: dict[tuple[str, str, int, int], _Known] = {}
        self._places: dict[int, _AtTable] = {}

    def page(
        self,
        path: str,
        asked: Mapping[str, str],
        progress: Callable[[float], None] = lambda _: None,
        language: Language = ENGLISH,
    ) -> str | None:
        """The page at `path` in `language`, as HTML; None: there is none. `asked`: the query of its
        address. `progress` is called with how much is counted, 0 to 1. Raises AwayError."""
        with translated_by(language.put):
            return self._page(path, asked, progress)

    def _page(
        self, path: str, asked: Mapping[str, str], progress: Callable[[float], None]
    ) -> str | None:
        page: str | None = None
        history = self._history(progress)
        if path == ROOT:
            page = overview(history, self._titles, now(), asked)
        elif path == f"{ROOT}/player":
            page = player_page(asked.get("name", ""), history, self._titles, now(), asked)
        elif found := EVENING.fullmatch(path):
            page = evening_page(int(found[1]), history, self._titles, now(), lambda _: {})
        return None if page is None else self._of_the_club(page)

    def _of_the_club(self, page: str) -> str:
        """The page with its links changed to the club's pages: to all tables instead of to the one,
        and to each game at its own table."""
        one, all_tables = (
            str(element("a", words, href="/"))
            for words in (
                fixed_words(PAGE_WORDS, "label.to-table"),
                fixed_words(CLUB_WORDS, "club.to-all"),
            )
        )
        return TO_GAME.sub(self._link, page.replace(one, all_tables))

    def _link(self, found: re.Match[str]) -> str:
        number, entry, words = found.groups()
        at = self._places[int(number)]
        if words == joined(phrase("Game {number}", number=number)):
            words = joined(phrase("{table}, game {number}", table=at.name, number=at.game))
        return f'<a href="/games/{at.box}/{at.game}{entry}">{words}</a>'

    # ------------------------------------------------------------ counting

    def _history(self, progress: Callable[[float], None]) -> PlayersHistory:
        counted, people = list[tuple[_AtTable, CountedGame]](), People()
        with self._database.reading() as db:
            members = {one.box: one for one in boxes_shown(db, self._club)}
            persons = ClubNames(db, self._club, (one.club for one in members.values()))
            all_boxes: dict[str, dict[int, Chain]] = {}
            for found in map(chain_of, db.execute(select(chains))):
                if found.box in members and members[found.box].club == found.club:
                    all_boxes.setdefault(found.box, {})[found.chain] = found
            since = month_before(self._clock(), self._months) if self._months else 0.0
            records = [
                _record_of(db, members[box], chain, of_box, since)
                for box, of_box in sorted(all_boxes.items())
                if (chain := shown_chain(of_box.values())) is not None
            ]
            lost, counts_for = 0, _first_to_have(records)
            for place, one in enumerate(records):
                called = persons.of(one.box.club)
                people = together(people, persons.people(one.box.club, one.said.people))
                for at, (number, (row, first)) in enumerate(one.games.items()):
                    progress((place + at / len(one.games)) / len(records))
                    if counts_for[first] is not one:
                        continue
                    held = number == one.on_table
                    game = self._count(
                        db, one.chain, one.of_box, number, row=row, said=one.said, held=held
                    )
                    if game is None:
                        lost += 1
                    else:
                        at_table = _AtTable(one.box.box, one.box.name, number)
                        counted.append((at_table, game_of_club(game, called)))
            people = persons.joined(db, people)
        games_in_order, self._places = in_one_order(counted)
        return PlayersHistory(
            games_in_order, people, tells_proof=False, lost=lost, statistics=self._statistics
        )

    def _count(
        self,
        db: Connection,
        chain: Chain,
        of_box: Mapping[int, Chain],
        number: int,
        *,
        row: int,
        said: OfBox,
        held: bool,
    ) -> CountedGame | None:
        """Counts a game; `held`: it is on its table, so some of it may still be hidden."""
        key = *chain.key, number
        known = self._counted.get(key)
        if known is None or (known.row, known.said, known.held) != (row, said, held):
            game = None
            try:
                fold = read_game(db, chain, of_box, number, rules=self._rules, said=said)
                game = count(fold.end(), self._statistics, number)  # read_game() has left it
            except StoreError:
                pass  # of a newer version
            self._counted[key] = known = _Known(row, said, held, game)
        return known.game


@dataclass(frozen=True, slots=True, eq=False)
class _OfTable:
    """The part of a box's record that is shown. `games`: for each game that the club may see, the
    number of its newest row and the hash of its first."""

    box: Member
    chain: Chain
    of_box: Mapping[int, Chain]
    said: OfBox
    on_table: int
    games: Mapping[int, tuple[int, bytes]]


def _record_of(
    db: Connection, member: Member, chain: Chain, of_box: Mapping[int, Chain], names_since: float
) -> _OfTable:
    said, mine = read_of_box(db, chain, of_box, names_since), rows_where(chain, of_box)
    whole = mine, rows.c.game > 0, rows.c.row.is_not(None)
    first, newest = func.min(rows.c.seq), func.max(rows.c.seq)
    asked = select(rows.c.game, first, newest).where(*whole).group_by(rows.c.game)
    ends = [*db.execute(asked)]
    hashes = dict[int, bytes]()
    begins = select(first).where(*whole).group_by(rows.c.game).scalar_subquery()
    for seq, own in db.execute(select(rows.c.seq, rows.c.hash).where(mine, rows.c.seq.in_(begins))):
        hashes[seq] = bytes(own)
    games = {int(game): (int(last), hashes[begun]) for game, begun, last in ends}
    return _OfTable(member, chain, of_box, said, game_on_table(db, chain, of_box, said), games)


def _first_to_have(records: Iterable[_OfTable]) -> dict[bytes, _OfTable]:
    """For each game, by the hash of its first row, the box that it counts for: the first that had
    it. A box that replaced another also gets the games of the replaced box."""
    found = dict[bytes, _OfTable]()
    for one in sorted(records, key=lambda one: one.chain.began_at):
        for _, first in one.games.values():
            found.setdefault(first, one)
    return found


def in_one_order(
    counted: Iterable[tuple[_AtTable, CountedGame]],
) -> tuple[tuple[CountedGame, ...], dict[int, _AtTable]]:
    """The games of all tables in the order in which they began, each with a number of its own, and
    for each number where that game was played. The number is the second in which the game began, so
    that it stays the same when older games arrive later. A game from a box whose clock was not set
    comes before all others."""
    found, places, last, until = [], {}, 0, 0.0
    for at, game in sorted(counted, key=lambda one: (one[1].begun or 0.0, one[0].box, one[0].game)):
        number = max(last + 1, int((game.begun or 0.0) - CLOCK_SET))
        follows = game.begun is not None and game.begun - until < BREAK_S
        # A game that began at another table before this one ended belongs to the same evening.
        found.append(replace(game, number=number, follows=follows, opened=game.begun))
        places[number] = at
        last, until = number, max(until, game.played or 0.0)
    return tuple(found), places
