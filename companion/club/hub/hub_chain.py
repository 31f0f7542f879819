"""The hub's own rows, such as those of its events. They form a chain like any box's, with the club
itself as the box, so they are checked, exported and backed up like all others, and pushed to a
federation's hub."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, false, func, insert, select

from companion.club.box.keys import BOX_SEAL, Head
from companion.club.box.protocol import PushedRow
from companion.club.hub.chains import (
    PUSHED_COLUMNS,
    Chain,
    chains_of,
    pushed_row_from,
    rows_condition,
    shown_chain,
)
from companion.club.hub.database import boxes, rows
from companion.club.hub.store import OWN, RECORD_BEGINS, Acknowledged, Batch, HubStore
from companion.core.values import dataclass
from companion.record.store.database import ChainLink

NAME: Final = "the hub itself"


@dataclass(frozen=True, slots=True)
class NewRows:
    """The texts of new rows about event number `about` (from 1; 0: about people, not about an
    event). `by`: the person or page that enters them."""

    about: int
    texts: Sequence[str]
    by: str


class ClubChain:
    """The rows that a club's hub has written itself, as far as that hub has sealed them."""

    def __init__(self, club: str) -> None:
        self.club = club

    def rows_about(self, db: Connection, about: int) -> list[ChainLink]:
        """The rows about event number `about`, in order."""
        return self._links(db, rows.c.game == about)

    def newest_hash(self, db: Connection, about: int) -> bytes | None:
        """The hash of the newest row about event number `about`, which shows whether anything has
        changed; None if there is none."""
        asked = select(rows.c.hash).where(self._shown(db), rows.c.game == about)
        return db.execute(asked.order_by(rows.c.seq.desc()).limit(1)).scalar()

    def newest_hashes(self, db: Connection) -> dict[int, bytes]:
        """The hash of the newest row about each event, by the event's number."""
        mine = self._shown(db), rows.c.game > 0
        newest = select(func.max(rows.c.seq)).where(*mine).group_by(rows.c.game).scalar_subquery()
        asked = select(rows.c.game, rows.c.hash).where(*mine, rows.c.seq.in_(newest))
        return {number: bytes(own) for number, own in db.execute(asked)}

    def first_rows(self, db: Connection) -> list[ChainLink]:
        """The first row of each event, the newest event first."""
        mine = self._shown(db), rows.c.game > 0
        first = select(func.min(rows.c.seq)).where(*mine).group_by(rows.c.game).scalar_subquery()
        return sorted(self._links(db, rows.c.seq.in_(first)), key=lambda link: -link.game)

    def newest_times(self, db: Connection) -> dict[int, float]:
        """The time of the newest row of each event in seconds since 1970, by the event's number."""
        asked = select(rows.c.game, func.max(rows.c.at)).where(self._shown(db), rows.c.game > 0)
        return {number: at or 0.0 for number, at in db.execute(asked.group_by(rows.c.game))}

    def find_events_with(self, db: Connection, part: str) -> list[int]:
        """The numbers of the events that have a row with this text in it."""
        with_it = rows.c.game > 0, rows.c.row.contains(part)
        asked = select(rows.c.game).where(self._shown(db), *with_it)
        return [number for (number,) in db.execute(asked.distinct())]

    def _links(self, db: Connection, which: ColumnElement[bool]) -> list[ChainLink]:
        asked = select(*PUSHED_COLUMNS).where(self._shown(db), which).order_by(rows.c.seq)
        found = (pushed_row_from(one).link for one in db.execute(asked))
        return [link for link in found if link is not None]

    def _shown(self, db: Connection) -> ColumnElement[bool]:
        box_chains = chains_of(db, self.club, self.club)
        chain = shown_chain(box_chains.values())
        return false() if chain is None else rows_condition(chain, box_chains)


class HubChain(ClubChain):
    """The hub's own rows. Only the committer may call `add`, as it changes something."""

    def __init__(self, store: HubStore) -> None:
        super().__init__(store.club)
        self._store = store

    def add(self, decide: Callable[[Connection], NewRows]) -> NewRows:
        """Adds the rows that `decide` returns, all or none, and returns them after the commit. If
        another hub of the club adds rows first, `decide` is called again, so that it decides on
        current data. Raises whatever `decide` raises, and UnavailableError."""

        def add_rows(db: Connection) -> NewRows:
            # The head is read before `decide` reads: if other rows are added in between, the head
            # has moved, and everything is repeated.
            box_chains = chains_of(db, self._store.club, self._store.club)
            new_rows = decide(db)
            self._append(db, box_chains, new_rows)
            return new_rows

        return self._store.retry_transaction(add_rows)

    def _append(self, db: Connection, box_chains: dict[int, Chain], new_rows: NewRows) -> None:
        store, club = self._store, self._store.club
        chain = next(iter(box_chains.values()), None)
        head = chain.head if chain else RECORD_BEGINS
        new = list(_linked_rows(head, new_rows, store.clock()))
        last = Head(new[-1].seq, new[-1].hash)
        batch = Batch(club, club, head, new, last.make_seal(store.keys, BOX_SEAL, club, club))
        have = Acknowledged(last, store.countersign(batch), added=len(new))
        if chain:
            store.extend_chain(db, batch, chain, new, have)
            return
        db.execute(
            insert(boxes).values(
                club=club, box=club, key=store.keys.public, name=NAME, state=OWN,
                joined_at=store.clock(),
            )
        )  # fmt: skip
        store.begin_chain(db, batch, new, have, box_chains, parent=None)


def _linked_rows(head: Head, new_rows: NewRows, at: float) -> Iterator[PushedRow]:
    """Yields rows with these texts, chained to `head` and to each other."""
    for text in new_rows.texts:
        link = ChainLink.make(head.hash, (head.seq + 1, new_rows.about, text, at, new_rows.by))
        yield PushedRow.from_link(link, whole=True)
        head = Head(link.seq, link.hash)
