"""The current tables of a club: one for each box, with its game as a moment.

`Tables.refresh` reads the heads of all chains in one query. If a head has moved, it reads only the
new rows of that chain, including those that another hub of the club has stored. A game that was
begun or put on the table is read whole. Games are folded by the rules, never stored. `refresh` also
makes the object described in docs/telling.md for each table whose game has changed.

Pages call `Tables.current()` for all tables, `Tables.moment()` for one game, `Tables.games()` for a
box's games. Unless their docstring says otherwise, methods may wait for the database: call them in
Committer.read. `refresh` holds a lock, so that only one thread reads at a time.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from threading import Lock
from typing import Final

from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from companion.club.hub.chains import (
    PUSHED_COLUMNS,
    Chain,
    chain_from_row,
    chains_of,
    is_forked,
    rows_condition,
    shown_chain,
)
from companion.club.hub.database import Database, UnavailableError, chains, rows
from companion.club.hub.games import (
    BoxFacts,
    game_before,
    game_on_table,
    links_of,
    list_games,
    read_box_facts,
    read_game,
)
from companion.club.hub.members import Member, boxes_shown
from companion.club.hub.people import people_of_club
from companion.core.clock import Clock, month_before
from companion.core.values import Json, dataclass
from companion.core.words import Sentence, name_sort_key
from companion.presentation.club_words import CLUB_WORDS
from companion.presentation.game import PresentedGames, rules_of
from companion.presentation.language import ENGLISH, Language, present_names_of
from companion.presentation.moment import Moment, describe
from companion.presentation.sayings import fixed_words
from companion.record.fold import Fold, OpenedGame
from companion.record.people.forget import row_with_other_names
from companion.record.people.people import People
from companion.record.rows import EVENT_WORD, GameOpened
from companion.record.store.database import StoreError

# ---------------------------------------------------------------- one table

UNHEARD_S: Final = 30.0
"""Seconds of silence after which a box counts as unheard; a connected box is heard every ten
seconds."""
GHOST_S: Final = 24 * 3600.0
"""Seconds of silence after which a box without any game is no longer shown among the tables."""
NEEDS_NEWER: Final = "needs a newer hub"
"""The `fault` of a table whose rows were written by a newer version."""
FAILED: Final = "these rows can't be shown: the hub's log has the error"
"""The `fault` of a table on whose rows the program failed."""

_log = logging.getLogger("asyncio")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a box: its number, when it began by the box's own clock, in seconds since 1970
    (None if unknown), and the game as docs/telling.md describes it."""

    number: int
    opened_at: float | None
    moment: Json


@dataclass(frozen=True, slots=True)
class ClubTable:
    """The current state of one of the club's tables. `box` is the box's identity, `chain` the
    number of the chain that is shown, `row` the number of its newest row (0: none yet). `game` is
    the number of the game on the table and `moment` that game as docs/telling.md describes it.
    `moment` is None if the club has no game of this box yet, or if the game can't be shown; in the
    second case `fault` gives the reason in a line, such as “needs a newer hub”. `heard_at` is when
    the box was last heard and `grown_at` when its newest row came, both in seconds since 1970 by
    the hub's own clock (None: never). `forked`: the organiser has to choose between chains of this
    box. `state`: member, left or away. `opened_at`: when the game began, by the box's own clock
    (None if unknown). `place`: the game's place in an event, as “4.3.7” (empty if none);
    `other_games`: other games at that place, in their order. `number`: the table's, given by the
    organiser (None if there is none)."""

    club: str
    box: str
    name: str
    state: str
    chain: int
    row: int
    game: int | None
    moment: Json | None
    fault: str | None
    heard_at: float | None
    grown_at: float | None
    forked: bool
    opened_at: float | None = None
    place: str = ""
    other_games: tuple[PlayedGame, ...] = ()
    number: int | None = None
    described: Json | None = field(default=None, compare=False)
    """The moment in translatable sentences, with the players' original names."""
    called: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The players' present names, by their original names."""
    of: str = ""
    """At a federation the name of the club whose table it is; empty if it is the hub's own."""
    joined_at: float = 0.0
    """When the box joined, in seconds since 1970."""
    waiting: int = 0
    """The number of rows stored but not shown, since the box has not sealed them. It has sealed all
    rows up to `row`."""

    def moment_in(self, language: Language) -> Json | None:
        """`moment` in `language`; None if `moment` is None."""
        if self.described is None or not language.changes:
            return self.moment
        told: Json = language.with_names(self.called).translated(self.described)
        return told

    def is_heard(self, now: float) -> bool:
        """Whether the box was heard within the last UNHEARD_S seconds before `now`."""
        return self.heard_at is not None and now - self.heard_at < UNHEARD_S

    def is_ghost(self, now: float) -> bool:
        """Whether the box has no game and was not heard within the last GHOST_S seconds before
        `now`, like a box that somebody tried only once. It is shown again as soon as it is
        heard."""
        if self.game is not None or self.fault is not None:
            return False
        return now - max(self.heard_at or 0.0, self.joined_at) >= GHOST_S

    def seal_words(self) -> Sentence:
        """A sentence stating that the box has sealed all its rows, or how many it hasn't."""
        if not self.row:
            return fixed_words(CLUB_WORDS, "club.no-rows")
        if not self.waiting:
            return fixed_words(CLUB_WORDS, "club.sealed")
        template = CLUB_WORDS["club.unsealed"]
        parts = {"row": self.row, "many": self.waiting}
        return Sentence.made(template, parts, "club.unsealed")

    def json(self, now: float) -> Json:
        """Returns the table for another program, in the form that /api/tables sends: `heard_s` and
        `entered_s` are seconds before `now`."""
        return {
            "box": self.box,
            "name": self.name,
            "number": self.number,
            "state": self.state,
            "row": self.row,
            "game": self.game,
            "heard_s": None if self.heard_at is None else round(max(now - self.heard_at, 0.0), 1),
            "entered_s": None if self.grown_at is None else round(max(now - self.grown_at, 0.0), 1),
            "forked": self.forked,
            "fault": self.fault,
            "sealed": self.row > 0,
            "unsealed": self.waiting,
            "moment": self.moment,
            **({"of": self.of} if self.of else {}),
        }


# ---------------------------------------------------------------- all tables

GAMES_AT_ONCE: Final = 50
AT_A_PLACE: Final = 12
"""The number of a box's newest games that are searched for others at the same place in an event."""


@dataclass(slots=True)
class _ReadChain:
    """A chain that has been read up to some row, with the game on its table."""

    chain: Chain
    facts: BoxFacts
    fold: Fold | None = None
    fault: str | None = None
    newest: Moment | None = None
    """The game on the table; `moment` is the same as JSON in English. Both are None until `_table`
    sets them."""
    moment: Json | None = None
    described: Json | None = None
    called: Mapping[str, str] = field(default_factory=dict)
    """`described` is the moment in translatable sentences, `called` the players' present names
    (ClubTable)."""
    other_games: tuple[PlayedGame, ...] = ()


class Tables:
    """The tables of the club whose identity is `club`. Each refresh reads only what is new. `games`
    are those of the catalog. `keep_names_months`: how long games are shown with names; 0: for
    ever."""

    def __init__(
        self,
        database: Database,
        club: str,
        games: PresentedGames,
        clock: Clock,
        keep_names_months: int = 0,
    ) -> None:
        self._database, self._club, self._clock = database, club, clock
        self._months = keep_names_months
        self._games, self._rules = games, rules_of(games)
        self._read_chains: dict[str, _ReadChain] = {}
        self._now: tuple[ClubTable, ...] = ()
        self.are_read = False
        """Whether `refresh` has read the tables at least once."""
        self._own_chains = list[tuple[str, int, int]]()
        self._people: tuple[float, list[People]] = 0.0, []
        self._lock = Lock()

    # ------------------------------------------------------------ the current tables

    def refresh(self) -> tuple[str, ...]:
        """Reads all new rows and returns the boxes whose tables have changed or are no longer
        shown. Raises UnavailableError."""
        with self._lock, self._database.reading() as db:
            box_chains: dict[str, dict[int, Chain]] = {}
            members = boxes_shown(db, self._club)
            of = {one.box: one.club for one in members}
            own = []
            for one in db.execute(select(chains)):
                if of.get(one.box) == one.club:
                    box_chains.setdefault(one.box, {})[one.chain] = chain_from_row(one)
                elif one.box == one.club:
                    own.append((one.club, one.chain, one.seq))
            self._forget_if_names_changed(db, own)
            for box in self._read_chains.keys() - box_chains.keys():
                del self._read_chains[box]
            members.sort(key=lambda one: (name_sort_key(one.name), one.box))
            before = {table.box: table for table in self._now}
            self._now = tuple(
                self._read_table(db, one, box_chains.get(one.box, {})) for one in members
            )
            self.are_read = True
            gone = before.keys() - {one.box for one in self._now}
            return (*(one.box for one in self._now if before.get(one.box) != one), *gone)

    def _forget_if_names_changed(self, db: Connection, own: list[tuple[str, int, int]]) -> None:
        """Forgets all tables that were read if names have changed since then (an organiser renamed
        or hid people, or games became too old for names), so that they are read again with the
        present names."""
        since, people = self._people
        if own == self._own_chains and since == self.names_since():
            return
        found = self.names_since(), [people_of_club(db, club) for club, _, _ in own]
        if found != (since, people):
            self._read_chains.clear()
        self._own_chains, self._people = own, found

    def names_since(self) -> float:
        """The time from which on games are shown with names, in seconds since 1970."""
        return month_before(self._clock(), self._months) if self._months else 0.0

    def people_at(self, box: str) -> People:
        """The people who are renamed or hidden at the table of `box`, as `refresh` last read them.
        Uses no database."""
        found = self._read_chains.get(box)
        return found.facts.people if found else People()

    def newest_moment(self, box: str) -> Moment | None:
        """The game on a box's table as `refresh` last read it, such as for drawings. None if there
        is no game, or it can't be shown. Uses no database."""
        known = self._read_chains.get(box)
        return known.newest if known and known.fold and not known.fault else None

    def newest_hash(self, box: str) -> bytes | None:
        """The hash of the last row of the game on a box's table. None if there is no game, or it
        can't be shown. Uses no database."""
        known = self._read_chains.get(box)
        hashes = known.fold.hashes if known and known.fold and not known.fault else []
        return hashes[-1] if hashes else None

    def current(self) -> tuple[ClubTable, ...]:
        """All tables as `refresh` last read them, ordered by name (Table 2 before Table 10). They
        include those of boxes that have left (see ClubTable, `state`). Uses no database."""
        return self._now

    def _read_table(
        self, db: Connection, member: Member, box_chains: Mapping[int, Chain]
    ) -> ClubTable:
        """Reads the new rows of a box and returns its table. Rows that a rule of ours fails on
        are that table's fault alone, so that one box can't stop the tables of all others."""
        try:
            self._read_new_rows(db, member.box, box_chains)
            return self._table(member, box_chains)
        except (UnavailableError, SQLAlchemyError):
            raise
        except Exception:
            _log.exception("the rows of box %s can't be shown", member.box)
            chain = shown_chain(box_chains.values())
            assert chain is not None  # without one, there are no rows
            try:
                # Who is hidden at the box stays hidden in what is counted of its other games.
                facts = read_box_facts(db, chain, box_chains, self.names_since())
            except (UnavailableError, SQLAlchemyError):
                raise
            except Exception:  # these are the rows that a rule fails on: nothing of it is counted
                facts = BoxFacts(People(), [])
            self._read_chains[member.box] = _ReadChain(chain, facts, fault=FAILED)
            return self._table(member, box_chains)

    def _read_new_rows(self, db: Connection, box: str, box_chains: Mapping[int, Chain]) -> None:
        """Reads the new rows of the box's shown chain. Reads the whole chain again if a different
        chain is shown now, or if another game may have been put on the table."""
        chain, known = shown_chain(box_chains.values()), self._read_chains.get(box)
        if chain is None:
            self._read_chains.pop(box, None)
            return
        before = known and (known.chain.key, known.chain.unsealed)
        if known is None or before != (chain.key, chain.unsealed):
            self._read_chains[box] = self._read_anew(db, chain, box_chains)
            return
        if known.chain.head == chain.head:
            known.chain = chain
            return
        grown = rows_condition(chain, box_chains), rows.c.seq > known.chain.head.seq
        links = [*links_of(db.execute(select(*PUSHED_COLUMNS).where(*grown).order_by(rows.c.seq)))]
        fold = known.fold
        if fold is None or known.fault or any(link.game != fold.number for link in links):
            self._read_chains[box] = self._read_anew(db, chain, box_chains)
            return
        known.chain, known.newest, known.moment = chain, None, None
        try:
            for link in links:
                fold.add(link)
        except StoreError:
            known.fault = NEEDS_NEWER
        if fold.journal is not None and fold.journal.withdrawn:
            self._read_chains[box] = self._read_anew(db, chain, box_chains)

    def _read_anew(
        self, db: Connection, chain: Chain, box_chains: Mapping[int, Chain]
    ) -> _ReadChain:
        """Reads a whole chain again: the box's rows about people and lost rows, and the game on its
        table or, if that was taken back, the newest earlier one that was not."""
        found = _ReadChain(chain, read_box_facts(db, chain, box_chains, self.names_since()))
        number = game_on_table(db, chain, box_chains, found.facts)
        while number:
            try:
                facts = found.facts
                fold = read_game(db, chain, box_chains, number, rules=self._rules, facts=facts)
            except StoreError:
                found.fold, found.fault = Fold(number, self._rules, ()), NEEDS_NEWER
                return found
            if fold.journal is None or not fold.journal.withdrawn:
                found.fold = fold
                found.other_games = tuple(self._other_games(db, found, box_chains))
                return found
            number = game_before(db, chain, box_chains, number)
        return found

    def _other_games(
        self, db: Connection, of: _ReadChain, box_chains: Mapping[int, Chain]
    ) -> Iterator[PlayedGame]:
        """Other games of the box at the same place in an event as the one on its table."""
        assert of.fold is not None
        place = _event_place(of.fold.listed)
        newest = list_games(db, of.chain, box_chains, None, AT_A_PLACE) if place else []
        for one in reversed(newest):
            if one.number == of.fold.number or _event_place(one) != place:
                continue
            with suppress(StoreError):  # a newer version wrote the game, so it isn't counted
                facts, rules = of.facts, self._rules
                fold = read_game(db, of.chain, box_chains, one.number, rules=rules, facts=facts)
                if fold.journal is not None and not fold.journal.withdrawn:
                    described = describe(self._moment_of(fold))
                    called = present_names_of(fold.journal, facts.people)
                    yield PlayedGame(one.number, one.at, _in_english(described, called))

    def _table(self, member: Member, box_chains: Mapping[int, Chain]) -> ClubTable:
        known = self._read_chains.get(member.box)
        if known is None or not box_chains:
            state, heard = member.state, member.heard_at
            name = member.name
            return ClubTable(
                member.club, member.box, name, state, 0, 0, None, None, None, heard, None, False,
                number=member.number, of=member.of, joined_at=member.joined_at,
            )  # fmt: skip
        fold, fault = known.fold, known.fault
        if fold is not None and fault is None:
            fault = _fault_of(fold)
        if fold is not None and fault is None and known.moment is None:
            known.newest = self._moment_of(fold)
            known.described = describe(known.newest)
            known.called = present_names_of(known.newest.journal, known.facts.people)
            known.moment = _in_english(known.described, known.called)
        return ClubTable(
            member.club,
            member.box,
            member.name,
            member.state,
            known.chain.chain,
            known.chain.head.seq,
            fold.number if fold else None,
            None if fault else known.moment,
            fault,
            max(member.heard_at or 0.0, known.chain.grown_at),
            known.chain.grown_at,
            is_forked(box_chains.values()),
            fold.listed.at if fold and fold.listed else None,
            _event_place(fold.listed) if fold else "",
            known.other_games,
            member.number,
            None if fault else known.described,
            known.called,
            of=member.of,
            joined_at=member.joined_at,
            waiting=known.chain.waiting,
        )

    def _moment_of(self, fold: Fold) -> Moment:
        return Moment(self._games, fold.journal, fold.row, fold.number)

    def own_tables(self) -> tuple[ClubTable, ...]:
        """The tables of the club's own boxes, in the order of `current`, without those of a
        federation's clubs."""
        return tuple(one for one in self._now if one.club == self._club)

    def _chains_shown(self, db: Connection, box: str) -> dict[int, Chain]:
        """The chains of a box if its table is shown; otherwise empty."""
        club = next((one.club for one in boxes_shown(db, self._club) if one.box == box), None)
        return {} if club is None else chains_of(db, club, box)

    # ------------------------------------------------------------ games

    def game(self, box: str, game: int) -> Fold | None:
        """Returns a game of a box in its present state, without the names of hidden people; None if
        there is no game with that number, or it is private. Raises UnavailableError, and StoreError
        if a newer version wrote it."""
        with self._database.reading() as db:
            box_chains = self._chains_shown(db, box)
            if (chain := shown_chain(box_chains.values())) is None:
                return None
            facts = read_box_facts(db, chain, box_chains, self.names_since())
            fold = read_game(db, chain, box_chains, game, rules=self._rules, facts=facts)
        return fold if fold.journal is not None else None

    def moment(self, box: str, game: int, at: int | None = None) -> Json | None:
        """A moment of a game: the present one, or the one after the entry `at`, counted from 1.
        None if there is no such game. Raises UnavailableError and StoreError as `game` does, and
        IndexError if there is no such entry."""
        fold = self.game(box, game)
        return None if fold is None else describe(self._moment_of(fold), at)

    def games(self, box: str, before: int | None = None) -> list[OpenedGame]:
        """The newest games of a box that the club may see, the newest first, at most GAMES_AT_ONCE;
        `before`: only games with a lower number. Raises UnavailableError."""
        with self._database.reading() as db:
            box_chains = self._chains_shown(db, box)
            if (chain := shown_chain(box_chains.values())) is None:
                return []
            facts = read_box_facts(db, chain, box_chains, self.names_since())
            found = list_games(db, chain, box_chains, before, GAMES_AT_ONCE)
        return [self._with_present_names(one, facts) for one in found]

    def _with_present_names(self, listed: OpenedGame, facts: BoxFacts) -> OpenedGame:
        opened = listed.opened
        names = facts.replacement_names(opened, listed.at, self._rules.get(opened.game))
        new = row_with_other_names(opened, names)
        return replace(listed, opened=new) if names and isinstance(new, GameOpened) else listed


def _in_english(described: Json, called: Mapping[str, str]) -> Json:
    """The moment `described` in English, with each player's present name, taken from `called`."""
    found: Json = ENGLISH.with_names(called).translated(described)
    return found


def _event_place(listed: OpenedGame | None) -> str:
    """The place of a game in an event, such as “4.3.7”; empty if it has none."""
    return dict(listed.opened.words).get(EVENT_WORD, "") if listed else ""


def _fault_of(fold: Fold) -> str | None:
    """The reason why a game can't be shown, in a line; None if it can be shown."""
    if fold.journal is None:
        return str(fold.faults[0]) if fold.faults else "the game's first row is private"
    return None
