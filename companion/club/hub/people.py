"""The people in a club's games, for all its tables: the organiser's changes of names (two spellings
are one person, or somebody is hidden), people whom two clubs have in common, and forgetting a
person.

Each change is a row of the hub's own chain that belongs to no event, just as such a row at a box
belongs to no game. Each can be taken back. No box's record is changed. A box's own changes also
count; if both change a name, the organiser's change counts.

In a federation a person is a club and a name. Names of two clubs are one person only if both clubs'
organisers join them; each organiser's statement reaches the federation as such a row, signed by the
club.

Forgetting a person rewrites the hub's own chain without their name. The new chain begins with
`forgotten` and erases the one before, here and at a federation. A box's record is signed by the
box, so only `companion forget` at that box can rewrite it; the box then pushes the new record.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple, replace
from typing import Final
from unicodedata import normalize

from sqlalchemy import Connection, or_, select

from companion.club.box.keys import BOX_SEAL, Head
from companion.club.box.protocol import PushedRow
from companion.club.hub.chains import (
    PUSHED_COLUMNS,
    chains_of,
    pushed_row_from,
    rows_condition,
    shown_chain,
)
from companion.club.hub.database import boxes, clubs, rows
from companion.club.hub.hub_chain import ClubChain, HubChain, NewRows
from companion.club.hub.store import RECORD_BEGINS, Acknowledged, Batch, HubStore
from companion.core.errors import EntryError
from companion.core.seats import COLOUR_NAMES, display_name
from companion.core.values import Json, dataclass
from companion.core.words import composed, look_alike, same_name
from companion.events.reading import id_of
from companion.players.statistics import CountedGame, SeatCounts
from companion.record.names import rename_fault, renaming_as_kept
from companion.record.people.people import PEOPLE_ROWS, People, changes_of, people_of
from companion.record.rows import (
    GameOpened,
    NamesForgotten,
    PeopleReplaced,
    PlayerHidden,
    PlayerRenamed,
    Reseat,
    Row,
    Undo,
    decode_row,
    encode_row,
)
from companion.record.store.database import ChainLink

# ---------------------------------------------------------------- changes of names

OF_NO_EVENT = 0


class ClubPeople:
    """The people of a club. Only the committer, or a command, may call `add` and `take_back`, which
    write."""

    def __init__(self, store: HubStore) -> None:
        self._store, self._own = store, HubChain(store)

    def add(self, change: PlayerRenamed | PlayerHidden, by: str) -> None:
        """Stores a change of names. Raises EntryError if a name in it can't be a person's, and
        UnavailableError."""
        if isinstance(change, PlayerRenamed):
            change = renaming_as_kept(change)
            if fault := rename_fault(change):
                raise fault
        else:
            change = replace(change, name=composed(change.name))
        if change.name.split() != [change.name]:
            raise EntryError("write the name as the games have it")
        self._own.add(lambda _db: NewRows(OF_NO_EVENT, [encode_row(change)], by))

    def take_back(self, by: str) -> PlayerRenamed | PlayerHidden:
        """Takes back the newest change and returns it. Raises EntryError if there is none."""
        found: list[PlayerRenamed | PlayerHidden] = []

        def decide(db: Connection) -> NewRows:
            found[:] = changes_of(_stored_changes(db, self._store.club))
            if not found:
                raise EntryError("there is no change of people to undo")
            return NewRows(OF_NO_EVENT, [encode_row(Undo())], by)

        self._own.add(decide)
        return found[-1]

    def changes(self) -> list[PlayerRenamed | PlayerHidden]:
        """The changes that were not taken back, the oldest first. Raises UnavailableError."""
        with self._store.database.reading() as db:
            return changes_of(_stored_changes(db, self._store.club))


def people_of_club(db: Connection, club: str) -> People:
    """The changes of names that a club's organiser has made."""
    return people_of(_stored_changes(db, club))


def combine_people(one: People, other: People) -> People:
    """The combined changes of names of `one` and `other`; if both change a name, `other` counts."""
    return People({**one.called, **other.called}, one.hidden | other.hidden)


def _stored_changes(db: Connection, club: str) -> Iterator[Row]:
    for link in ClubChain(club).rows_about(db, OF_NO_EVENT):
        with suppress(EntryError):  # of a newer version
            row = decode_row(link.row)
            if isinstance(row, PEOPLE_ROWS):
                yield row


SAME, OTHER = "same_person", "other_person"
"""The kinds of rows: two names are one person, or no longer are."""
LONGEST: Final = 60
BY_ORGANISER: Final = "organiser"


@dataclass(frozen=True, slots=True)
class SamePerson:
    """A club organiser's statement that `name` in this club is the same person as `other` in the
    club with the identity or name `club`."""

    name: str
    club: str
    other: str

    def row(self, kind: str) -> str:
        """The JSON of the row that makes or withdraws this statement, depending on `kind`."""
        fields = {"name": self.name, "club": self.club, "other": self.other}
        return json.dumps({kind: fields}, ensure_ascii=False)


def add_same_person(store: HubStore, statement: SamePerson, *, same: bool) -> None:
    """Adds a row with the organiser's statement or, without `same`, one that withdraws it. Raises
    EntryError if a name can't be a person's, and UnavailableError."""
    for one in (statement.name, statement.other):
        if one.split() != [one] or one in COLOUR_NAMES or len(one) > LONGEST:
            raise EntryError("write the name as the games have it")
    if not statement.club.strip() or len(statement.club) > LONGEST:
        raise EntryError("name the club")
    statement = SamePerson(composed(statement.name), statement.club, composed(statement.other))
    row = statement.row(SAME if same else OTHER)
    HubChain(store).add(lambda _db: NewRows(OF_NO_EVENT, [row], BY_ORGANISER))


def same_people_of_club(db: Connection, club: str) -> set[SamePerson]:
    """The pairs of names that the club's organiser has declared to be one person, without those
    withdrawn since."""
    found = set[SamePerson]()
    for link in ClubChain(club).rows_about(db, OF_NO_EVENT):
        for kind, one in _read_statements(link.row):
            (found.add if kind == SAME else found.discard)(one)
    return found


def _read_statements(text: str) -> Iterator[tuple[str, SamePerson]]:
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


ClubPerson = tuple[str, str]
"""A person at a federation: the identity of the club, and the name there."""


class PersonNames:
    """Names for the people of several clubs: `Anna_(Ship_Inn)`. `own`: the hub's own club, whose
    people keep their plain names."""

    def __init__(self, db: Connection, own: str, of: Iterable[str]) -> None:
        named = {one.club: str(one.name) for one in db.execute(select(clubs))}
        self.own = own
        self._labels = dict[str, str]()
        for club in sorted({*of} - {own}):
            same = [one for one in named.values() if look_alike(one, named[club])]
            label = "_".join(named[club].split())
            self._labels[club] = label if len(same) == 1 else f"{label}_{club[:4]}"
        self._named = named

    @property
    def others(self) -> list[str]:
        """The identities of the clubs apart from the hub's own."""
        return [*self._labels]

    def name_of_club(self, club: str) -> str:
        """A club's name, with its mark if another club has the same name."""
        return display_name(self._labels[club]) if club in self._labels else self._named[club]

    def person_name_in(self, club: str) -> Callable[[str], str]:
        """Returns a function that turns a name used in that club into the name that the person has
        here."""
        if club == self.own or club not in self._labels:
            return str
        label = self._labels[club]
        return lambda name: name if name in COLOUR_NAMES else f"{name}_({label})"

    def people(self, club: str, people: People) -> People:
        """Returns `people`, changes of names in that club, with the names that its people have
        here."""
        of = self.person_name_in(club)
        called = {of(name): of(to) for name, to in people.called.items()}
        return People(called, frozenset(map(of, people.hidden)))

    def joined_across_clubs(self, db: Connection, people: People) -> People:
        """Returns `people` with two names joined into one person where both of their clubs state
        that they are the same. A person who is hidden in one club is not joined."""
        for (club, name), (other, its_name) in self.same_people(db):
            # By their present names, as each may already be joined to a person of a third club.
            a = people.name_of(self.person_name_in(club)(name))
            b = people.name_of(self.person_name_in(other)(its_name))
            if a != b and not {a, b} & people.hidden:
                people = People({**people.called, b: a}, people.hidden)
        return people

    def same_people(self, db: Connection) -> Iterator[tuple[ClubPerson, ClubPerson]]:
        """The pairs of people of two clubs whom both clubs state to be one person."""
        statements = {club: same_people_of_club(db, club) for club in (self.own, *self._labels)}
        for club, mine in statements.items():
            for one in sorted(mine, key=astuple):
                other = self.find_club(one.club)
                if other is None or other <= club:
                    continue
                back = SamePerson(one.other, "", one.name)
                if any(replace(each, club="") == back and self.find_club(each.club) == club
                       for each in statements[other]):  # fmt: skip
                    yield (club, one.name), (other, one.other)

    def find_club(self, word: str) -> str | None:
        """Returns the identity of the club whose identity or name is `word`; None if no club, or
        more than one, matches."""
        known = self.own, *self._labels
        if word in known:
            return word
        found = [one for one in known if look_alike(self._named.get(one, ""), word)]
        return found[0] if len(found) == 1 else None


def with_person_names(game: CountedGame, of: Callable[[str], str]) -> CountedGame:
    """Returns the game with each name on its seats replaced by the person's name, which `of`
    returns."""
    if of is str:
        return game

    def with_payers_renamed(found: SeatCounts) -> SeatCounts:
        return replace(found, paid_by={of(one): value for one, value in found.paid_by.items()})

    return replace(
        game,
        seats=tuple(map(of, game.seats)),
        winners=tuple(map(of, game.winners)),
        scores={of(one): value for one, value in game.scores.items()},
        by_seat={of(one): with_payers_renamed(found) for one, found in game.by_seat.items()},
        sides=tuple(tuple(map(of, side)) for side in game.sides),
    )


# ---------------------------------------------------------------- forgetting


@dataclass(frozen=True, slots=True)
class ForgetResult:
    """The result of forgetting a name. `rows`: how many of the hub's own rows contained it;
    `replacement`: the name that replaces it there; `boxes`: the names of boxes whose games still
    have the old name."""

    rows: int
    replacement: str
    boxes: tuple[str, ...]


def forget_person(store: HubStore, name: str) -> ForgetResult:
    """Forgets the person `name`, given in the form of games (`Uncle_Joe`). The readable form (Uncle
    Joe) is forgotten too, and both in any Unicode form. Raises UnavailableError."""
    name = composed(name)
    with store.database.reading() as db:
        still = tuple(_boxes_with_player(db, store.club, name))
    many, replacement = store.retry_transaction(lambda db: _rewrite_chain(db, store, name))
    return ForgetResult(many, replacement, still)


def _rewrite_chain(db: Connection, store: HubStore, name: str) -> tuple[int, str]:
    club, box_chains = store.club, chains_of(db, store.club, store.club)
    if (chain := shown_chain(box_chains.values())) is None:
        return 0, ""
    asked = select(*PUSHED_COLUMNS).where(rows_condition(chain, box_chains)).order_by(rows.c.seq)
    before = [link for one in db.execute(asked) if (link := pushed_row_from(one).link)]
    replacement = _free_name(link.row for link in before)
    names = {name: replacement, display_name(name): display_name(replacement)}
    names |= _event_names((link.row for link in before), {*names}, display_name(replacement))
    texts = [(link, _replace_names(link.row, names)) for link in before]
    many = sum(link.row != text for link, text in texts)
    if not many:
        return 0, ""
    head, new = RECORD_BEGINS, list[PushedRow]()
    said = [(0, encode_row(NamesForgotten((replacement,))), store.clock(), "organiser")]
    # Changes stored for people under that name no longer apply to anybody.
    said += [
        (link.game, text, link.at or 0.0, link.source or "")
        for link, text in texts
        if link.game or link.row == text
    ]
    for game, text, at, source in said:
        link = ChainLink.make(head.hash, (head.seq + 1, game, text, at, source))
        new.append(PushedRow.from_link(link, whole=True))
        head = Head(link.seq, link.hash)
    batch = Batch(club, club, RECORD_BEGINS, new, head.make_seal(store.keys, BOX_SEAL, club, club))
    have = Acknowledged(head, store.countersign(batch), added=len(new))
    store.begin_chain(db, batch, new, have, box_chains, parent=None)
    return many, replacement


def _replace_names(text: str, names: dict[str, str]) -> str:
    """A row's JSON with each of these `names` replaced by its new one; unchanged if it has none of
    them. The names are in composed form."""

    def replace_in(value: Json) -> Json:
        match value:
            case str():
                return names.get(composed(value), value)
            case list():
                return [replace_in(one) for one in value]
            case dict():
                return {
                    names.get(composed(key), key): replace_in(one) for key, one in value.items()
                }
        return value

    found = json.loads(text)
    new = replace_in(found)
    return text if new == found else json.dumps(new, ensure_ascii=False)


def _event_names(texts: Iterable[str], names: set[str], replacement: str) -> dict[str, str]:
    """Returns other texts that identify the person at events, each with its replacement: ids made
    from the name, and earlier misspellings of it."""
    said = [
        one
        for text in texts
        for kind, one in json.loads(text).items()
        if kind in ("came", "listed", "named") and isinstance(one, dict)
    ]
    ids = sorted({str(one["id"]) for one in said if composed(str(one.get("name", ""))) in names})
    found = {composed(str(one["name"])): replacement for one in said if one.get("id") in ids}
    return found | {one: id_of(f"{replacement} {at}") for at, one in enumerate(ids, start=1)}


def _free_name(texts: Iterable[str]) -> str:
    taken, number = " ".join(texts), 1
    while f"Player_{number}" in taken or f"Player {number}" in taken:
        number += 1
    return f"Player_{number}"


def _boxes_with_player(db: Connection, club: str, name: str) -> list[str]:
    """The names of the boxes with a game, other than private ones, in which somebody of that name
    plays."""
    found = []
    asked = select(boxes).where(boxes.c.club == club, boxes.c.box != club).order_by(boxes.c.name)
    forms = {json.dumps(normalize(form, name), ensure_ascii=False) for form in ("NFC", "NFD")}
    has_name = or_(*(rows.c.row.contains(form, autoescape=True) for form in forms))
    seated = rows.c.game > 0, has_name
    for box in db.execute(asked).all():
        mine = rows.c.club == club, rows.c.box == box.box
        texts = db.execute(select(rows.c.row).where(*mine, *seated)).scalars()
        if any(_has_player(text, name) for text in texts):
            found.append(str(box.name))
    return found


def _has_player(text: str, name: str) -> bool:
    try:
        row = decode_row(text)
    except EntryError:
        return False
    if not isinstance(row, GameOpened | Reseat | PeopleReplaced):
        return False
    return any(same_name(seat, name) for seat in row.seats)
