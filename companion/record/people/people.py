"""Which player a seat's name stands for.

A name is a player; a colour never is. What people said of names later (two spellings of one name, a
name that should not be shown) is rows of the record, and changes nobody's game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import reduce

from companion.core.errors import EntryError
from companion.core.seats import NO_PEOPLE
from companion.core.values import dataclass
from companion.record.rows import Hidden, Redo, Renamed, Row, Undo
from companion.record.store.chain import ChainLink
from companion.record.store.codec import decode_row
from companion.record.store.faults import StoreError
from companion.record.store.reader import Reader

OF_PEOPLE = (Renamed, Hidden, Undo, Redo)
KINDS = ("renamed", "hidden", "undo", "redo")
"""The box's rows about people: their types, and their kinds as they are written."""


@dataclass(frozen=True, slots=True)
class People:
    """How names are read. `called`: the name as which each name counts; `hidden`: players who are
    shown nowhere."""

    called: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()

    def player(self, seat: str) -> str | None:
        """The player at a seat; None: a colour, or somebody hidden."""
        name = self.name_of(seat)
        return None if name in NO_PEOPLE or name in self.hidden else name

    def hides(self, seat: str) -> bool:
        """Whether the player at this seat is hidden."""
        return self.name_of(seat) in self.hidden

    def name_of(self, seat: str) -> str:
        """The name as which a seat's name counts, after all renamings."""
        if seat not in self.called:  # nearly always
            return seat
        name, seen = seat, {seat}
        while (name := self.called.get(name, name)) not in seen:
            seen.add(name)
        return name

    def after(self, change: Renamed | Hidden) -> "People":
        """The people after one more change."""
        called, hidden = dict(self.called), set(self.hidden)
        match change:
            case Renamed(name, to):
                called.pop(to, None)  # whose name is given to somebody goes by it again
                called[name] = to
            case Hidden(name, hide):
                (hidden.add if hide else hidden.discard)(name)
        return People(called, frozenset(hidden))


def changes_of(rows: Iterable[Row]) -> list[Renamed | Hidden]:
    """The changes of people in these rows of the box that still stand. Each can be undone, and done
    again until the next change."""
    done: list[Renamed | Hidden] = []
    undone: list[Renamed | Hidden] = []
    for row in rows:
        match row:
            case Renamed() | Hidden():
                done.append(row)
                undone = []
            case Undo() if done:
                undone.append(done.pop())
            case Redo() if undone:
                done.append(undone.pop())
    return done


def people_of(rows: Iterable[Row]) -> People:
    """The people after these rows of the box, in order."""
    return reduce(People.after, changes_of(rows), People())


def read_people(record: Reader) -> People:
    """The people of a record. Raises StoreError, also if a newer companion wrote such a row."""
    return people_of(_row(link) for link in record.box_links(*KINDS))


def _row(link: ChainLink) -> Row:
    try:
        return decode_row(link.row)
    except EntryError as error:
        raise StoreError("row {row}: {why}", row=link.seq, why=error) from error
