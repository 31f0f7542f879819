"""What the organiser says of people, for all tables of the club: that two spellings are one person,
or that somebody is hidden.

Each such change is a row of the hub's own chain that belongs to no event, as a box's belong to no
game; each can be taken back. No box's record is changed. What a box itself has said counts, too; if
both speak of the same name, the organiser's word counts.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from sqlalchemy import Connection, select

from companion.core.errors import EntryError
from companion.core.words import composed
from companion.hub.chains import PUSHED, chains_of, pushed_of, rows_where, shown_chain
from companion.hub.own import OwnChain, OwnRows
from companion.hub.schema import rows
from companion.hub.store import HubStore
from companion.record.names import entered_renaming, rename_fault
from companion.record.people.people import OF_PEOPLE, People, changes_of, people_of
from companion.record.rows import Hidden, Renamed, Row, Undo
from companion.record.store.codec import decode_row, encode_row

OF_NO_EVENT = 0


class ClubPeople:
    """The people of a club. Only the committer, or a command, may call `say` and `take_back`."""

    def __init__(self, store: HubStore) -> None:
        self._store, self._own = store, OwnChain(store)

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
        self._own.add(lambda _db: OwnRows(OF_NO_EVENT, [encode_row(change)], by))

    def take_back(self, by: str) -> Renamed | Hidden:
        """Takes the newest change back, and gives it. Raises EntryError if there is none."""
        found: list[Renamed | Hidden] = []

        def decide(db: Connection) -> OwnRows:
            found[:] = changes_of(_said(db, self._store.club))
            if not found:
                raise EntryError("nothing was said of people that could be taken back")
            return OwnRows(OF_NO_EVENT, [encode_row(Undo())], by)

        self._own.add(decide)
        return found[-1]

    def changes(self) -> list[Renamed | Hidden]:
        """The changes that were not taken back, the oldest first. Raises AwayError."""
        with self._store.database.reading() as db:
            return changes_of(_said(db, self._store.club))


def people_of_club(db: Connection, club: str) -> People:
    """What a club's organiser has said of people."""
    return people_of(_said(db, club))


def together(one: People, other: People) -> People:
    """What `one` and `other` say of people; if both speak of a name, what `other` says."""
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
