"""Reads games from the rows that the hub has of a box. Games are folded by the rules, never stored.

A person who is hidden at the box is also hidden here, under a colour, and so is everybody in games
that are too old for the hub to show names. If rows are lost, the game is doubtful from there on, as
in the record itself.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, func, select

from companion.club.hub.chains import PUSHED_COLUMNS, Chain, pushed_row_from, rows_condition
from companion.club.hub.database import rows
from companion.club.hub.people import combine_people, people_of_club
from companion.core.errors import EntryError
from companion.core.json_text import ROWS, is_whole
from companion.core.values import dataclass
from companion.games.game import AnyGame
from companion.record.fold import Fold, LossMark, OpenedGame
from companion.record.people.forget import Names
from companion.record.people.people import PEOPLE_ROWS, People, people_of, replacement_names
from companion.record.rows import (
    GameOpened,
    PeopleReplaced,
    Row,
    RowsLost,
    Setting,
    decode_row,
    encode_row,
)
from companion.record.settings import ON_TABLE
from companion.record.store.chain import ChainBreak, LinkOrBreak
from companion.record.store.database import ChainLink

MANY_ROWS: Final = 5000
"""If a club has this many rows or more, its past is counted before anybody requests it (pages.py),
and its counts are stored (archive.py). A smaller club is counted in a moment."""


@dataclass(frozen=True, slots=True)
class BoxFacts:
    """Facts about a box that belong to no game. `people`: who is renamed or hidden, by the box or
    by the club's organiser. `marks`: the rows that declare rows of the record lost, each with its
    number. `put_on_table`: the games that somebody put on the table by hand, each as the row's
    number and the game's. `names_since`: in games begun before that time, in seconds since 1970,
    everybody is shown like a hidden person."""

    people: People
    marks: Sequence[LossMark]
    put_on_table: Sequence[tuple[int, int]] = ()
    names_since: float = 0.0

    @property
    def digest(self) -> str:
        """A hash of these facts, the same in every process."""
        facts = [
            sorted(self.people.called.items()),
            sorted(self.people.hidden),
            [(seq, encode_row(lost)) for seq, lost in self.marks],
            [*self.put_on_table],
            self.names_since,
        ]
        return sha256(repr(facts).encode()).hexdigest()

    def replacement_names(
        self,
        opened: GameOpened,
        begun: float | None,
        game: AnyGame | None,
        others: Iterable[str] = (),
    ) -> Names:
        """The names shown in a game that began at the time `begun`, in place of people's own names
        (see record/people/people.py)."""
        is_old = begun is not None and begun < self.names_since
        return replacement_names(opened, None if is_old else self.people, game, others)


def read_box_facts(
    db: Connection, chain: Chain, box_chains: Mapping[int, Chain], names_since: float
) -> BoxFacts:
    """Reads the rows of this chain that belong to no game, as far as the hub has their content, and
    the organiser's changes of names."""
    asked = select(*PUSHED_COLUMNS).where(rows_condition(chain, box_chains), rows.c.game == 0)
    people, marks, put_on_table = list[Row](), list[LossMark](), list[tuple[int, int]]()
    for link in links_of(db.execute(asked.order_by(rows.c.seq))):
        with suppress(EntryError):  # another version wrote it, so its meaning is unknown
            row = decode_row(link.row)
            if isinstance(row, PEOPLE_ROWS):
                people.append(row)
            elif isinstance(row, RowsLost):
                marks.append((link.seq, row))
            elif isinstance(row, Setting) and row.name == ON_TABLE and is_whole(row.value, ROWS):
                put_on_table.append((link.seq, row.value))
    people_now = combine_people(people_of(people), people_of_club(db, chain.club))
    return BoxFacts(people_now, marks, put_on_table, names_since)


def game_on_table(
    db: Connection, chain: Chain, box_chains: Mapping[int, Chain], facts: BoxFacts
) -> int:
    """The number of the game on a box's table, by the same rule as at the box: the last game put
    there by hand since the newest one began, else the newest. 0: there is none."""
    mine = rows_condition(chain, box_chains), rows.c.game > 0
    newest = int(db.execute(select(func.max(rows.c.game)).where(*mine)).scalar() or 0)
    if not newest or not facts.put_on_table:
        return newest
    began = db.execute(select(func.min(rows.c.seq)).where(*mine, rows.c.game == newest)).scalar()
    put_on_table = [game for seq, game in facts.put_on_table if seq > int(began or 0)]
    return put_on_table[-1] if put_on_table else newest


def game_before(db: Connection, chain: Chain, box_chains: Mapping[int, Chain], game: int) -> int:
    """The number of a box's next older game that has rows; 0: there is none. A box may skip
    millions of numbers."""
    older = rows_condition(chain, box_chains), rows.c.game > 0, rows.c.game < game
    return int(db.execute(select(func.max(rows.c.game)).where(*older)).scalar() or 0)


def links_of(found: Iterable[Any]) -> Iterator[ChainLink]:
    """The rows that have content, from database rows with the columns PUSHED_COLUMNS."""
    for one in found:
        if (link := pushed_row_from(one).link) is not None:
            yield link


def read_game(
    db: Connection,
    chain: Chain,
    box_chains: Mapping[int, Chain],
    game: int,
    *,
    rules: Mapping[str, AnyGame],
    facts: BoxFacts,
) -> Fold:
    """Returns the present state of a game, without the names of hidden people; its `journal` is
    None if there is no such game. Secrets of a game are held back only while it is on its table.
    Raises StoreError if a newer companion wrote it."""
    fold = _fold_game(db, chain, box_chains, game, rules=rules, facts=facts)
    if fold.journal is not None and fold.journal.holds_back:
        on_table = game_on_table(db, chain, box_chains, facts)
        while on_table > game and _is_withdrawn(
            db, chain, box_chains, on_table, rules=rules, facts=facts
        ):
            on_table = game_before(db, chain, box_chains, on_table)
        if on_table != game:
            fold.reveal_all()
    return fold


def _is_withdrawn(
    db: Connection,
    chain: Chain,
    box_chains: Mapping[int, Chain],
    game: int,
    *,
    rules: Mapping[str, AnyGame],
    facts: BoxFacts,
) -> bool:
    """Whether a game was taken back, or there is no game of that number."""
    journal = _fold_game(db, chain, box_chains, game, rules=rules, facts=facts).journal
    return journal is None or journal.withdrawn


def _fold_game(
    db: Connection,
    chain: Chain,
    box_chains: Mapping[int, Chain],
    game: int,
    *,
    rules: Mapping[str, AnyGame],
    facts: BoxFacts,
) -> Fold:
    mine = rows_condition(chain, box_chains)
    asked = select(*PUSHED_COLUMNS).where(mine, rows.c.game == game).order_by(rows.c.seq)
    items: list[LinkOrBreak] = [*links_of(db.execute(asked))]
    links = [one for one in items if isinstance(one, ChainLink)]
    if facts.marks and links:
        after = select(rows.c.seq).where(mine, rows.c.seq >= links[0].seq).order_by(rows.c.seq)
        items += _find_gaps(db.execute(after).scalars())
        items.sort(key=lambda one: one.seq if isinstance(one, ChainLink) else one.first)
    fold = Fold(game, rules, facts.marks, _replacement_names(links, rules, facts))
    for item in items:
        fold.add(item)
    return fold


def _find_gaps(numbers: Iterable[int]) -> Iterator[ChainBreak]:
    """The gaps in these ascending row numbers."""
    before: int | None = None
    for number in numbers:
        if before is not None and number > before + 1:
            yield ChainBreak(before + 1, number - 1)
        before = number


def _replacement_names(
    links: Sequence[ChainLink], rules: Mapping[str, AnyGame], facts: BoxFacts
) -> Names:
    """The substitutes for hidden people's names in the game that has these rows, by the hidden
    name. Empty if nobody is hidden, or if the first row can't be read."""
    with suppress(EntryError):
        row = decode_row(links[0].row) if links else None
        if isinstance(row, GameOpened):
            later = (_names_given_later(link.row) for link in links)
            others = [one for seats in later for one in seats]
            begun = next((link.at for link in links if link.at is not None), None)
            return facts.replacement_names(row, begun, rules.get(row.game), others)
    return {}


def _names_given_later(text: str) -> Iterable[str]:
    """The names that a row gives to seats in the course of a game (PeopleReplaced); empty if it
    isn't such a row."""
    if '"kind": "people"' not in text:
        return ()
    with suppress(EntryError):  # the text of an ordinary entry may contain this too
        row = decode_row(text)
        return row.seats if isinstance(row, PeopleReplaced) else ()
    return ()


def list_games(
    db: Connection, chain: Chain, box_chains: Mapping[int, Chain], before: int | None, most: int
) -> list[OpenedGame]:
    """The newest games of a box, the newest first, at most `most` of them; `before`: only games
    with a lower number. Games whose first row is private or of a newer version are left out."""
    mine = rows_condition(chain, box_chains)
    firsts = select(func.min(rows.c.seq)).where(mine, rows.c.game > 0).group_by(rows.c.game)
    if before is not None:
        firsts = firsts.where(rows.c.game < before)
    chosen = firsts.order_by(rows.c.game.desc()).limit(most).scalar_subquery()
    asked = select(*PUSHED_COLUMNS).where(mine, rows.c.seq.in_(chosen)).order_by(rows.c.game.desc())
    found = []
    for link in links_of(db.execute(asked)):
        with suppress(EntryError):
            row = decode_row(link.row)
            if isinstance(row, GameOpened):
                found.append(OpenedGame(link.game, row, link.at))
    begun = _begun_at(db, mine, (one.number for one in found if one.at is None))
    return [replace(one, at=begun.get(one.number, one.at)) for one in found]


def _begun_at(db: Connection, mine: Any, games: Iterable[int]) -> dict[int, float]:
    """For each of these games, the time of its first row that has a time. The games were opened
    before their box's clock was set (Fold.begun_at)."""
    timed = mine, rows.c.game.in_(tuple(games)), rows.c.at.is_not(None)
    firsts = select(func.min(rows.c.seq)).where(*timed).group_by(rows.c.game).scalar_subquery()
    asked = select(rows.c.game, rows.c.at).where(mine, rows.c.seq.in_(firsts))
    return {int(game): float(at) for game, at in db.execute(asked)}
