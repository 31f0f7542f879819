"""Decides which rows of a record go to the club whole, and which only as a number and two hashes.

Whole are games that were opened while the box had joined, what the box said of people who sit in
one of them, and the rows `forgotten` and `lost`. Everything else is private (docs/hub.md).
"""

from collections.abc import Iterator
from contextlib import suppress

from companion.club.links import PushedRow
from companion.club.membership import Membership
from companion.core.errors import EntryError
from companion.record.people.people import KINDS
from companion.record.rows import Hidden, Lost, Opened, OtherPeople, Redo, Renamed, Undo
from companion.record.store.chain import ChainLink
from companion.record.store.codec import decode_row
from companion.record.store.reader import Reader

NAMING = ('"kind": "opened"', '"kind": "people"')
"""One of these stands in each row that says who sits at a table."""


class SharedRows:
    """Knows which rows of a record go to the club whole. Call `look` before each push: later rows
    may make earlier ones concern the club."""

    def __init__(self, membership: Membership) -> None:
        self._membership = membership
        self._games: dict[int, bool] = {}
        self._names: set[str] = set()
        self._read_to = min((first for first, _ in membership.joined), default=0)
        self._whole: dict[int, ChainLink] = {}
        """By their numbers, the rows about people that go to the club whole."""
        self.lost: list[tuple[ChainLink, Lost]] = []
        """The rows that declare rows of the record lost."""

    def look(self, record: Reader) -> None:
        """Reads the rows that were added since the last call. Raises StoreError."""
        for item in record.walk(self._read_to + 1):
            if isinstance(item, ChainLink):
                self._take(item)
                self._read_to = item.seq
        self._whole = {link.seq: link for link in self._of_people(record)}
        self.lost = []
        for link in record.box_links("lost"):
            with suppress(EntryError):
                row = decode_row(link.row)
                if isinstance(row, Lost):
                    self.lost.append((link, row))

    def pushed(self, link: ChainLink, record: Reader) -> PushedRow:
        """The row as it goes to the club. Raises StoreError."""
        return PushedRow.of(link, whole=self._is_whole(link, record))

    def opened_since(self, last: int) -> list[ChainLink]:
        """The rows about people, up to number `last`, that go to the club whole."""
        return [link for seq, link in self._whole.items() if seq <= last]

    def _take(self, link: ChainLink) -> None:
        """If the row says who sits in a game that goes to the club, notes their names."""
        if not link.game or not any(kind in link.row for kind in NAMING):
            return
        if self._games.setdefault(link.game, self._membership.is_shared(link.seq)):
            with suppress(EntryError):  # of a newer version; nobody here knows who sits there
                row = decode_row(link.row)
                if isinstance(row, Opened | OtherPeople):
                    self._names |= {*row.seats}

    def _is_whole(self, link: ChainLink, record: Reader) -> bool:
        if link.game:
            if link.game not in self._games:
                first = record.ask("SELECT min(seq) FROM record WHERE game = ?", link.game)[0][0]
                self._games[link.game] = self._membership.is_shared(int(first or 0))
            return self._games[link.game]
        if link.seq in self._whole:
            return True
        return '"kind": "forgotten"' in link.row or '"kind": "lost"' in link.row

    def _of_people(self, record: Reader) -> Iterator[ChainLink]:
        """The rows that rename or hide people of the club's games, with the rows that undo or redo
        them."""
        names, changes = set(self._names), list(_changes(record))
        size = -1
        while size != len(names):  # the name that a name counts as may count as yet another
            size = len(names)
            for _, change in changes:
                if isinstance(change, Renamed) and {change.name, change.to} & names:
                    names |= {change.name, change.to}
        for links, change in changes:
            if change.name in names or (isinstance(change, Renamed) and change.to in names):
                yield from links


def _changes(record: Reader) -> Iterator[tuple[list[ChainLink], Renamed | Hidden]]:
    """Each renaming or hiding of people, with its own row and the rows that undid or redid it, in
    the order of people.changes_of."""
    found: list[tuple[list[ChainLink], Renamed | Hidden]] = []
    done: list[int] = []
    undone: list[int] = []
    for link in record.box_links(*KINDS):
        with suppress(EntryError):
            match decode_row(link.row):
                case (Renamed() | Hidden()) as change:
                    found.append(([link], change))
                    done.append(len(found) - 1)
                    undone = []
                case Undo() if done:
                    undone.append(done.pop())
                    found[undone[-1]][0].append(link)
                case Redo() if undone:
                    done.append(undone.pop())
                    found[done[-1]][0].append(link)
    yield from found
