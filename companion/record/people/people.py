"""Which player a seat's name means, and games without the names of hidden people.

A name means a player, but a colour never does. Later information about names (two spellings of one
name, a name to be hidden) is in rows of its own, and changes no game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import reduce

from companion.core.errors import EntryError
from companion.core.seats import COLOUR_NAMES, Seat
from companion.core.values import dataclass
from companion.games.game import AnyGame
from companion.record.fold import Fold
from companion.record.names import name_fault
from companion.record.people.forget import Names, number_names
from companion.record.rows import (
    GameOpened,
    PlayerHidden,
    PlayerRenamed,
    Redo,
    Row,
    Undo,
    decode_row,
)
from companion.record.store.database import ChainLink, StoreError
from companion.record.store.reader import Reader

PEOPLE_ROWS = (PlayerRenamed, PlayerHidden, Undo, Redo)
PEOPLE_KINDS = ("renamed", "hidden", "undo", "redo")
"""The rows about people: their types, each with the name of its kind on the disk."""


@dataclass(frozen=True, slots=True)
class People:
    """The players behind the recorded names. `called`: for each renamed name, the name that it
    counts as; `hidden`: players who are left out everywhere."""

    called: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()

    def player(self, seat: str) -> str | None:
        """The player at a seat; None for a colour or a hidden player."""
        name = self.name_of(seat)
        return None if name in COLOUR_NAMES or name in self.hidden else name

    def is_hidden(self, seat: str) -> bool:
        """Whether the player at this seat is hidden."""
        return self.name_of(seat) in self.hidden

    def name_of(self, seat: str) -> str:
        """The name that a seat's name counts as after all renamings."""
        if seat not in self.called:  # a shortcut: nearly all names were never renamed
            return seat
        name, seen = seat, {seat}
        while (name := self.called.get(name, name)) not in seen:
            seen.add(name)
        return name

    def after(self, change: PlayerRenamed | PlayerHidden) -> "People":
        """The people after one more change."""
        called, hidden = dict(self.called), set(self.hidden)
        match change:
            case PlayerRenamed(name, to):
                called.pop(to, None)  # games played as `to` count as its own again
                called[name] = to
            case PlayerHidden(name, hide):
                (hidden.add if hide else hidden.discard)(name)
        return People(called, frozenset(hidden))


def changes_of(rows: Iterable[Row]) -> list[PlayerRenamed | PlayerHidden]:
    """The changes of people in these rows of the box, without those that were undone. Each can be
    undone, and redone until the next change."""
    done: list[PlayerRenamed | PlayerHidden] = []
    undone: list[PlayerRenamed | PlayerHidden] = []
    for row in rows:
        match row:
            case PlayerRenamed() | PlayerHidden():
                done.append(row)
                undone = []
            case Undo() if done:
                undone.append(done.pop())
            case Redo() if undone:
                done.append(undone.pop())
    return done


def people_of(rows: Iterable[Row]) -> People:
    """The people after these rows of the box, given in order."""
    return reduce(People.after, changes_of(rows), People())


def read_people(record: Reader) -> People:
    """The people of a record. Raises StoreError, also if a newer companion wrote one of the rows
    about people."""
    return people_of(_decode_people_row(link) for link in record.box_links(*PEOPLE_KINDS))


def _decode_people_row(link: ChainLink) -> Row:
    try:
        return decode_row(link.row)
    except EntryError as error:
        raise StoreError("row {row}: {why}", row=link.seq, why=error) from error


# ---------------------------------------------------------------- games without names


def without_names(reader: Reader, fold: Fold) -> Fold:
    return without_hidden(reader, fold, None)


def replacement_names(
    opened: GameOpened, people: People | None, game: AnyGame | None, others: Iterable[str] = ()
) -> Names:
    """Replacements for the names of hidden people in a game (`people` None: for all its players):
    the colour of their chips or, if that can't be used, a number. Unchanged names are left out.
    `others`: names that later rows give to the seats because people had been mixed up."""
    seats = opened.seats
    if named := [*dict.fromkeys((*map(str, seats), *others))][len(seats) :]:
        everybody = [*map(str, seats), *named]
        return number_names(
            [one for one in everybody if people is None or people.is_hidden(one)], everybody
        )
    hidden = [seat for seat in seats if people is None or people.is_hidden(seat)]
    names = {str(seat): Seat(opened.colours[seat]) for seat in hidden}
    now = [names.get(seat, seat) for seat in seats]
    if len({*now}) == len(now) and not any(name_fault(name, game) for name in names.values()):
        return {name: colour for name, colour in names.items() if name != colour}
    return number_names(hidden, seats)


def without_hidden(reader: Reader, fold: Fold, people: People | None) -> Fold:
    """The game without the names of hidden people (`people` None: without any player's); the same
    game if it has none of them. Raises StoreError."""
    if fold.listed is None:
        return fold
    opened = fold.listed.opened
    game = reader.catalog.get(opened.game)
    names = replacement_names(opened, people, game, fold.people)
    return reader.fold(fold.number, names) if names else fold
