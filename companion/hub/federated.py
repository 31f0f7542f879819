"""Chains of other clubs, as their hubs push them on to a federation's hub. `club` is part of every
key; the rows, hashes and signatures are those of the boxes and their clubs.

A club's hub pushes a chain in parts. Only the newest row of a chain has a seal, so a chain that has
not come whole yet has none; `verify` reports that.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, func, insert, select, update

from companion.club.keys import BY_BOX, BY_CLUB, Head, identity_of
from companion.club.links import PushedRow
from companion.core.errors import EntryError
from companion.hub.batch import Batch, BatchAnswer, Have, RefusedBatch, Want, first_gap
from companion.hub.chains import (
    ASIDE,
    LIVE,
    PUSHED,
    Chain,
    chains_of,
    pushed_of,
    rows_where,
    values_of,
)
from companion.hub.database import Database
from companion.hub.schema import boxes, chains, clubs, erased, rows
from companion.hub.store import AWAY, LEFT, MEMBER, OWN, RECORD_BEGINS, HubStore, erase, no_member

NOT_YET: Final = b""
"""Stands in the place of a seal while a chain has not come whole yet."""
MOST_BOXES: Final = 5_000
"""The most boxes that one club may have."""


@dataclass(frozen=True, slots=True)
class ChainPart:
    """Rows of a club's chain that follow on `batch.after`; `parent`, `first` and `state` as in
    Chain. `countersign`: the club's signature of the chain's newest row; it and `batch.seal` are
    empty if more rows follow. A part without rows only tells the chain's state."""

    batch: Batch
    chain: int
    parent: int | None
    first: int
    state: str
    countersign: bytes


class FederatedChains:
    """The chains that a federation's hub keeps for its clubs. Only the committer may call the
    methods that change something."""

    def __init__(self, store: HubStore) -> None:
        self._store = store

    def note_box(self, club: bytes, club_name: str, box: bytes, name: str, state: str) -> None:
        """Notes a club by its key and name, and a box of that club with its name and state. Raises
        EntryError if either is unacceptable, and AwayError."""
        if state not in (MEMBER, LEFT, AWAY, OWN):
            raise EntryError("that is no state of a box")
        of, its = identity_of(club), identity_of(box)
        now = self._store.clock()
        with self._store.database.writing() as db:
            _note_club(db, club, club_name)
            mine = boxes.c.club == of, boxes.c.box == its
            known = db.execute(select(boxes.c.key).where(*mine)).scalar()
            told = {"name": name, "state": state, "heard_at": now}
            if known is None:
                many = select(func.count()).select_from(boxes).where(boxes.c.club == of)
                if db.execute(many).scalar_one() >= MOST_BOXES:
                    raise EntryError("a club has {most} boxes at most", most=MOST_BOXES)
                values = {"club": of, "box": its, "key": box, "joined_at": now, **told}
                db.execute(insert(boxes).values(values))
            elif bytes(known) != box:
                raise EntryError("another box of that club has that identity")
            else:
                db.execute(update(boxes).where(*mine).values(told))

    def chains(self, club: str, box: str) -> list[list[object]]:
        """What the federation has of each chain of a box, in the form of chain_json. Raises
        AwayError."""
        with self._store.database.reading() as db:
            return [chain_json(db, one) for one in chains_of(db, club, box).values()]

    def take(self, part: ChainPart) -> BatchAnswer:
        """Keeps the rows of a part, all or none, and returns the answer after the commit. Raises
        AwayError if nothing was kept and it can be tried again."""
        if part.batch.rows and (gap := first_gap(part.batch)) is not None:
            return Want(gap)
        return self._store.until_settled(lambda db: self._take(db, part))

    def _take(self, db: Connection, part: ChainPart) -> BatchAnswer:
        batch = part.batch
        its = boxes.c.club == self._store.club, boxes.c.box == batch.club
        if (state := db.execute(select(boxes.c.state).where(*its)).scalar()) != MEMBER:
            return no_member(state)
        of_box = chains_of(db, batch.club, batch.box)
        known = of_box.get(part.chain)
        if not batch.rows:
            if known is None:
                return Want(0)
            _set_state(db, known, part.state)
            return Have(known.head, self._countersign(batch, known.head), added=0)
        if known is not None:
            if known.head != batch.after:
                return Want(0)
            _grow(db, known, part, self._store.clock())
        elif why := _begin(db, part, of_box, self._store.clock()):
            return why
        if batch.seal:
            _forget(db, part, of_box)
        return Have(batch.head, self._countersign(batch, batch.head), added=len(batch.rows))

    def _countersign(self, batch: Batch, head: Head) -> bytes:
        return head.sealed(self._store.keys, BY_CLUB, batch.club, batch.box)


def check_seals(part: ChainPart, club: bytes, box: bytes) -> None:
    """Raises EntryError unless both `box` and `club` (their keys) have signed the part's last row.
    A part with neither signature passes: more rows follow it."""
    batch = part.batch
    if not batch.seal and not part.countersign:
        return
    place = batch.club, batch.box
    if not batch.head.is_sealed(box, batch.seal, BY_BOX, *place):
        raise EntryError("the seal of these rows is wrong: of another club or box")
    if not batch.head.is_sealed(club, part.countersign, BY_CLUB, *place):
        raise EntryError("the club has not signed these rows")


def chain_json(db: Connection, chain: Chain) -> list[object]:
    """A chain in the form that hubs send each other: number, parent, first row, number and hash of
    the newest row, both signatures, state, and how many rows about the box itself (of no game) are
    open."""
    mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    opened = select(func.count()).select_from(rows).where(*mine, rows.c.game == 0)
    return [
        chain.chain, chain.parent, chain.first, chain.head.seq, chain.head.hash.hex(),
        chain.seal.hex(), chain.countersign.hex(), chain.state, db.execute(opened).scalar_one(),
    ]  # fmt: skip


def boxes_of(database: Database, club: str) -> list[list[object]]:
    """For each box of a club its key in hexadecimal digits, its name and its state. Raises
    AwayError."""
    with database.reading() as db:
        asked = select(boxes).where(boxes.c.club == club).order_by(boxes.c.box)
        return [[bytes(one.key).hex(), one.name, one.state] for one in db.execute(asked)]


def rows_of_chain(
    db: Connection, chain: tuple[str, str, int], after: int, most: int = 1
) -> list[PushedRow]:
    """The chain's own rows with numbers above `after`, at most `most` of them. `chain` is its key:
    club, box and number."""
    club, box, number = chain
    mine = rows.c.club == club, rows.c.box == box, rows.c.chain == number, rows.c.seq > after
    asked = select(*PUSHED).where(*mine).order_by(rows.c.seq).limit(most)
    return [pushed_of(one) for one in db.execute(asked)]


# ---------------------------------------------------------------- within a transaction


def _note_club(db: Connection, key: bytes, name: str) -> None:
    mine = clubs.c.club == identity_of(key)
    known = db.execute(select(clubs).where(mine)).first()
    if known is None:
        db.execute(insert(clubs).values(club=identity_of(key), key=key, name=name))
    elif bytes(known.key) != key:
        raise EntryError("another club has that identity")
    elif known.name != name:
        db.execute(update(clubs).where(mine).values(name=name))


def _values(part: ChainPart, now: float) -> dict[str, object]:
    head = part.batch.head
    return {
        "seq": head.seq, "hash": head.hash, "seal": part.batch.seal,
        "countersign": part.countersign, "state": part.state, "grown_at": now,
    }  # fmt: skip


def _grow(db: Connection, chain: Chain, part: ChainPart, now: float) -> None:
    where = (
        chains.c.club == chain.club, chains.c.box == chain.box, chains.c.chain == chain.chain,
        chains.c.seq == chain.head.seq, chains.c.hash == chain.head.hash,
    )  # fmt: skip
    moved = db.execute(update(chains).where(*where).values(_values(part, now))).rowcount
    HubStore.expect_moved(moved)
    db.execute(insert(rows), values_of(part.batch.rows, chain.key))


def _begin(
    db: Connection, part: ChainPart, of_box: dict[int, Chain], now: float
) -> BatchAnswer | None:
    """Begins a chain with these rows; returns None, or the answer that says why it can't."""
    batch = part.batch
    if part.first != batch.rows[0].seq or (part.parent is None) != (batch.after == RECORD_BEGINS):
        return _WRONG
    if part.parent is None:
        gone = erased.c.club == batch.club, erased.c.box == batch.box
        asked = select(erased.c.first).where(*gone, erased.c.first == batch.rows[0].hash)
        if db.execute(asked).first() is not None:
            return RefusedBatch("forgotten", "these rows were forgotten at that box")
    else:
        parent = of_box.get(part.parent)
        if parent is None:
            return Want(0)
        here = rows.c.seq == batch.after.seq, rows.c.hash == batch.after.hash
        if not db.execute(select(rows.c.seq).where(rows_where(parent, of_box), *here)).first():
            return _WRONG
    place = {"club": batch.club, "box": batch.box, "chain": part.chain}
    begun = {"parent": part.parent, "first": part.first, "began_at": now}
    db.execute(insert(chains).values(**place, **begun, **_values(part, now)))
    db.execute(insert(rows), values_of(batch.rows, (batch.club, batch.box, part.chain)))
    return None


_WRONG: Final = RefusedBatch("malformed", "these rows follow on none that are here")


def _set_state(db: Connection, chain: Chain, state: str) -> None:
    if state not in (LIVE, ASIDE):
        raise EntryError("that is no state of a chain")
    mine = (
        chains.c.club == chain.club, chains.c.box == chain.box, chains.c.chain == chain.chain,
    )  # fmt: skip
    db.execute(update(chains).where(*mine).values(state=state))


def _forget(db: Connection, part: ChainPart, of_box: dict[int, Chain]) -> None:
    """If this chain begins the record anew with a row `forgotten`, erases the box's older chains,
    which it replaces."""
    older = {number: one for number, one in of_box.items() if number < part.chain}
    if part.parent is not None or not older:
        return
    club, box = part.batch.club, part.batch.box
    (first,) = rows_of_chain(db, (club, box, part.chain), part.first - 1)
    if first.seq == 1 and first.kind == "forgotten":
        erase(db, club, box, older)
