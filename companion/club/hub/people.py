"""The organiser's changes of people's names, for all tables of the club: two spellings are one
person, or somebody is hidden.

Each such change is a row of the hub's own chain that belongs to no event, as a box's belong to no
game; each can be taken back. No box's record is changed. What a box itself has said counts, too; if
both speak of the same name, the organiser's word counts.

In a federation a person is a club and a name. Two clubs' names are one person only where both
clubs' organisers say so; each gets to the federation as such a row, with the club's signature.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from typing import Final

from sqlalchemy import Connection, select

from companion.club.hub.chains import PUSHED, chains_of, pushed_of, rows_where, shown_chain
from companion.club.hub.database import clubs, rows
from companion.club.hub.hub_chain import HubChain, NewRows
from companion.club.hub.store import HubStore
from companion.core.errors import EntryError
from companion.core.seats import COLOUR_NAMES
from companion.core.words import composed, look_alike
from companion.players.statistics import CountedGame, SeatCounts
from companion.record.names import entered_renaming, rename_fault
from companion.record.people.people import OF_PEOPLE, People, changes_of, people_of
from companion.record.rows import Hidden, Renamed, Row, Undo
from companion.record.store.codec import decode_row, encode_row

OF_NO_EVENT = 0


class ClubPeople:
    """The people of a club. Only the committer, or a command, may call `say` and `take_back`."""

    def __init__(self, store: HubStore) -> None:
        self._store, self._own = store, HubChain(store)

    def say(self, change: Renamed | Hidden, by: str) -> None:
        """Notes a change. Raises EntryError if its names can't be those of people, and
        AwayError."""
        if isinstance(change, Renamed):
            change = entered_renaming(change)
            if fault := rename_fault(change):
                raise fault
        else:
            change = replace(change, name=composed(change.name))
        if change.name.split() != [change.name]:
            raise EntryError("say the name as the games have it")
        self._own.add(lambda _db: NewRows(OF_NO_EVENT, [encode_row(change)], by))

    def take_back(self, by: str) -> Renamed | Hidden:
        """Takes the newest change back, and gives it. Raises EntryError if there is none."""
        found: list[Renamed | Hidden] = []

        def decide(db: Connection) -> NewRows:
            found[:] = changes_of(_said(db, self._store.club))
            if not found:
                raise EntryError("nothing was said of people that could be taken back")
            return NewRows(OF_NO_EVENT, [encode_row(Undo())], by)

        self._own.add(decide)
        return found[-1]

    def changes(self) -> list[Renamed | Hidden]:
        """The changes that were not taken back, the oldest first. Raises AwayError."""
        with self._store.database.reading() as db:
            return changes_of(_said(db, self._store.club))


def people_of_club(db: Connection, club: str) -> People:
    """The changes of names that a club's organiser has made."""
    return people_of(_said(db, club))


def together(one: People, other: People) -> People:
    """The changes of names in `one` and `other`; where both change a name, that of `other`."""
    return People({**one.called, **other.called}, one.hidden | other.hidden)


def _said(db: Connection, club: str) -> Iterator[Row]:
    of_box = chains_of(db, club, club)
    if (chain := shown_chain(of_box.values())) is None:
        return
    mine = rows_where(chain, of_box), rows.c.game == OF_NO_EVENT
    for found in db.execute(select(*PUSHED).where(*mine).order_by(rows.c.seq)):
        if (link := pushed_of(found).link) is not None:
            with suppress(EntryError):  # of a newer version
                row = decode_row(link.row)
                if isinstance(row, OF_PEOPLE):
                    yield row


SAME, OTHER = "same_person", "other_person"
"""The kinds of rows: two names are one person, or are not any more."""
LONGEST: Final = 60
BY: Final = "organiser"


@dataclass(frozen=True, slots=True)
class SamePerson:
    """What a club's organiser says: our `name` is the person whom the other `club` (its identity,
    or what it is called) has as `other`."""

    name: str
    club: str
    other: str

    def row(self, kind: str) -> str:
        """The row that states it, or takes it back."""
        said = {"name": self.name, "club": self.club, "other": self.other}
        return json.dumps({kind: said}, ensure_ascii=False)


def save_same_person(store: HubStore, said: SamePerson, *, same: bool) -> None:
    """Adds the row in which this club's organiser joins two people, or takes it back. Raises
    EntryError if a name can't be a person's, and AwayError."""
    for one in (said.name, said.other):
        if one.split() != [one] or one in COLOUR_NAMES or len(one) > LONGEST:
            raise EntryError("say the name as the games have it")
    if not said.club.strip() or len(said.club) > LONGEST:
        raise EntryError("say which club")
    said = SamePerson(composed(said.name), said.club, composed(said.other))
    row = said.row(SAME if same else OTHER)
    HubChain(store).add(lambda _db: NewRows(OF_NO_EVENT, [row], BY))


def same_people_of_club(db: Connection, club: str) -> set[SamePerson]:
    """The people whom the organiser of a club has joined and not separated since."""
    found = set[SamePerson]()
    chain = shown_chain((of_box := chains_of(db, club, club)).values())
    if chain is None:
        return found
    mine = rows_where(chain, of_box), rows.c.game == OF_NO_EVENT
    for each in db.execute(select(*PUSHED).where(*mine).order_by(rows.c.seq)):
        if (link := pushed_of(each).link) is None:
            continue
        for kind, one in _read(link.row):
            (found.add if kind == SAME else found.discard)(one)
    return found


def _read(text: str) -> Iterator[tuple[str, SamePerson]]:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return
    for kind in (SAME, OTHER):
        match told:
            case {**row} if isinstance(said := row.get(kind), dict):
                values = [said.get(key) for key in ("name", "club", "other")]
                if all(isinstance(one, str) for one in values):
                    yield kind, SamePerson(*map(str, values))


class ClubNames:
    """How the people of several clubs are told apart. `own`: the hub's own club, whose people go by
    their names alone."""

    def __init__(self, db: Connection, own: str, of: Iterable[str]) -> None:
        named = {one.club: str(one.name) for one in db.execute(select(clubs))}
        self._own = own
        self._labels = dict[str, str]()
        for club in sorted({*of} - {own}):
            same = [one for one in named.values() if look_alike(one, named[club])]
            label = "_".join(named[club].split())
            self._labels[club] = label if len(same) == 1 else f"{label}_{club[:4]}"
        self._named = named

    def of(self, club: str) -> Callable[[str], str]:
        """Gives for each name of that club the name of the person."""
        if club == self._own or club not in self._labels:
            return str
        label = self._labels[club]
        return lambda name: name if name in COLOUR_NAMES else f"{name}_({label})"

    def people(self, club: str, people: People) -> People:
        """What a box of that club and its organiser say, by the names of persons."""
        of = self.of(club)
        called = {of(name): of(to) for name, to in people.called.items()}
        return People(called, frozenset(map(of, people.hidden)))

    def joined(self, db: Connection, people: People) -> People:
        """The `people`, with those one person whose clubs both say so. Whoever is hidden in one
        club is joined to nobody."""
        said = {club: same_people_of_club(db, club) for club in (self._own, *self._labels)}
        for club, mine in said.items():
            for one in sorted(mine, key=astuple):
                other = self._club(one.club, said)
                if other is None or other <= club:
                    continue
                back = SamePerson(one.other, "", one.name)
                agreed = any(replace(each, club="") == back and self._club(each.club, said) == club
                             for each in said[other])  # fmt: skip
                # As they are called by now: each may be joined to somebody of a third club already.
                a = people.name_of(self.of(club)(one.name))
                b = people.name_of(self.of(other)(one.other))
                if agreed and a != b and not {a, b} & people.hidden:
                    people = People({**people.called, b: a}, people.hidden)
        return people

    def _club(self, word: str, said: Mapping[str, object]) -> str | None:
        """The identity of the club that `word` identifies or names; None: there is none, or
        several."""
        if word in said:
            return word
        found = [one for one in said if look_alike(self._named.get(one, ""), word)]
        return found[0] if len(found) == 1 else None


def game_of_club(game: CountedGame, of: Callable[[str], str]) -> CountedGame:
    """The game with the names of persons in place of those of its seats."""
    if of is str:
        return game

    def counts(found: SeatCounts) -> SeatCounts:
        return replace(found, paid_by={of(one): value for one, value in found.paid_by.items()})

    return replace(
        game,
        seats=tuple(map(of, game.seats)),
        winners=tuple(map(of, game.winners)),
        scores={of(one): value for one, value in game.scores.items()},
        by_seat={of(one): counts(found) for one, found in game.by_seat.items()},
        sides=tuple(tuple(map(of, side)) for side in game.sides),
    )
