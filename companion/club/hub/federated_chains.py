"""Chains of other clubs, as their hubs push them to a federation's hub. `club` is part of every
key; the rows, hashes and signatures are those of the boxes and their clubs.

A club's hub pushes a chain in parts, and only the newest row has the seal of its box. Rows before
that are stored and wait: they are neither shown nor countersigned, and they change nothing that was
sealed before (chains.py explains what a seal covers).
"""

from dataclasses import replace
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from companion.club.box.keys import BOX_SEAL, CLUB_SEAL, Head, identity_of
from companion.club.box.protocol import CLUB, PushedRow
from companion.club.hub.chains import (
    ASIDE,
    LIVE,
    NO_SEAL,
    PUSHED_COLUMNS,
    Chain,
    chains_of,
    format_ranges,
    insert_values,
    pushed_row_from,
    rows_condition,
    unsealed_before_gaps,
)
from companion.club.hub.database import Database, boxes, chains, clubs, erased, rows
from companion.club.hub.store import (
    AWAY,
    LEFT,
    MEMBER,
    OWN,
    RECORD_BEGINS,
    Acknowledged,
    Batch,
    BatchAnswer,
    HubStore,
    MissingRows,
    RefusedBatch,
    Unsealed,
    erase,
    first_gap,
    not_member_refusal,
    too_many_chains_refusal,
)
from companion.core.budgets import ALL_TABLES
from companion.core.errors import EntryError
from companion.core.values import dataclass

NO_CLUB: Final = RefusedBatch(
    "box",
    "this member was accepted as a box, and only a club pushes other boxes' tables: ask to join "
    "again, as a club, and let the organiser accept it as one",
)
NEEDS_PARTS: Final = RefusedBatch(
    "newer",
    "a chain of this length comes in parts, which a hub of 0.3 can't have acknowledged before its "
    "box has sealed them: update the club's hub",
)


@dataclass(frozen=True, slots=True)
class ChainPart:
    """Rows of a club's chain that follow the row `batch.after`; `parent`, `first` and `state` as in
    Chain. `countersign`: the club's signature of the chain's newest row; it and `batch.seal` are
    empty if more rows follow. A part without rows only reports the chain's state. `in_parts`:
    whether the club's hub understands the answer Unsealed, unlike hubs of version 0.3."""

    batch: Batch
    chain: int
    parent: int | None
    first: int
    state: str
    countersign: bytes
    in_parts: bool = True


class _PartRefusedError(Exception):
    """A part of a chain was refused: none of it is stored. `answer` has the reason."""

    def __init__(self, answer: BatchAnswer) -> None:
        super().__init__(answer)
        self.answer = answer


class FederatedChains:
    """The chains that a federation's hub keeps for its clubs. Only the committer may call methods
    that write."""

    def __init__(self, store: HubStore) -> None:
        self._store = store

    def note_box(self, club: bytes, club_name: str, box: bytes, name: str, state: str) -> None:
        """Stores a club with its key and name, and a box of that club with its name and state.
        Raises EntryError if a key or name is not valid or the club was not accepted, and
        UnavailableError."""
        if state not in (MEMBER, LEFT, AWAY, OWN) or (state == OWN) != (box == club):
            raise EntryError("that is not a state of a box")
        if identity_of(box) == self._store.club:
            raise EntryError("that is the key of this hub itself")
        of, its = identity_of(club), identity_of(box)
        now = self._store.clock()
        with self._store.database.writing() as db:
            if (refused := _refused(db, self._store.club, of)) is not None:
                raise EntryError(refused.why)
            _note_club(db, club, club_name)
            mine = boxes.c.club == of, boxes.c.box == its
            known = db.execute(select(boxes.c.key).where(*mine)).scalar()
            told = {"name": name, "state": state, "heard_at": now}
            if known is None:
                many = select(func.count()).select_from(boxes).where(boxes.c.club == of)
                if db.execute(many).scalar_one() >= ALL_TABLES.most:
                    raise EntryError("a club has {most} boxes at most", most=ALL_TABLES.most)
                values = {"club": of, "box": its, "key": box, "joined_at": now, **told}
                db.execute(insert(boxes).values(values))
            elif bytes(known) != box:
                raise EntryError("another box of that club has that identity")
            else:
                db.execute(update(boxes).where(*mine).values(told))

    def knows(self, club: str, box: str) -> bool:
        """Whether the club has registered that box before. Raises UnavailableError."""
        with self._store.database.reading() as db:
            mine = boxes.c.club == club, boxes.c.box == box
            return db.execute(select(boxes.c.box).where(*mine)).first() is not None

    def chains(self, club: str, box: str, *, in_parts: bool = True) -> list[list[object]]:
        """Returns how much of each chain of a box the federation has, in the form of chain_json.
        Raises UnavailableError."""
        with self._store.database.reading() as db:
            box_chains = chains_of(db, club, box)
            return [chain_json(db, one, in_parts=in_parts) for one in box_chains.values()]

    def store_part(self, part: ChainPart) -> BatchAnswer:
        """Stores the rows of a part, all or none, and returns the answer after the commit. Raises
        UnavailableError if nothing was stored and trying again may work."""
        if part.batch.rows and (gap := first_gap(part.batch)) is not None:
            return MissingRows(gap)
        try:
            return self._store.retry_transaction(lambda db: self._store_part(db, part))
        except _PartRefusedError as error:
            return error.answer

    def open_rows(self, club: str, box: str, opened: list[PushedRow]) -> int:
        """Stores the content of rows as HubStore.open_rows does. Raises EntryError, also for a club
        that was not accepted."""
        with self._store.database.reading() as db:
            if (refused := _refused(db, self._store.club, club)) is not None:
                raise EntryError(refused.why)
        return self._store.open_rows(club, box, opened)

    def _store_part(self, db: Connection, part: ChainPart) -> BatchAnswer:
        batch = part.batch
        if (refused := _refused(db, self._store.club, batch.club)) is not None:
            return refused
        box_chains = chains_of(db, batch.club, batch.box)
        chain = box_chains.get(part.chain)
        if not batch.rows:
            if chain is None:
                return MissingRows(0)
            _set_state(db, chain, part.state)
            if not chain.is_sealed:
                return Unsealed(chain.newest, added=0)
            return Acknowledged(chain.head, self._countersign(batch, chain.head), added=0)
        if not batch.seal and not part.in_parts:
            return NEEDS_PARTS
        now = self._store.clock()
        if chain is None:
            chain = _begin_chain(db, part, box_chains, now)
        elif batch.after != chain.newest:
            if batch.after != chain.head:
                return MissingRows(0)
            _drop_waiting(db, chain)
        db.execute(insert(rows), insert_values(batch.rows, chain.key))
        if not batch.seal:
            _update_head(db, chain, {"came_seq": batch.head.seq, "came_hash": batch.head.hash})
            return Unsealed(batch.head, added=len(batch.rows))
        _seal(db, chain, part, box_chains, now)
        return Acknowledged(batch.head, self._countersign(batch, batch.head), added=len(batch.rows))

    def _countersign(self, batch: Batch, head: Head) -> bytes:
        return head.make_seal(self._store.keys, CLUB_SEAL, batch.club, batch.box)


def check_seals(part: ChainPart, club: bytes, box: bytes) -> None:
    """Raises EntryError unless the signatures of the part's last row are those of `box` and `club`
    (their keys). A part without any signature is accepted: only the last part has them."""
    batch = part.batch
    if not batch.seal and not part.countersign:
        return
    place = batch.club, batch.box
    if not batch.head.has_valid_seal(box, batch.seal, BOX_SEAL, *place):
        raise EntryError("the seal of these rows is wrong: of another club or box")
    if not batch.head.has_valid_seal(club, part.countersign, CLUB_SEAL, *place):
        raise EntryError("the club has not signed these rows")


def chain_json(db: Connection, chain: Chain, *, in_parts: bool) -> list[object]:
    """Returns a chain in the form that hubs send each other: its number, its parent, its first row,
    number and hash of its newest sealed row, both signatures, its state, and how many of its rows
    about the box itself (of no game) have their content; with `in_parts` also number and hash of
    its newest row, sealed or not."""
    mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    newest = chain.newest if in_parts else chain.head
    open_here = *mine, rows.c.game == 0, rows.c.seq <= newest.seq
    opened = select(func.count()).select_from(rows).where(*open_here)
    found: list[object] = [
        chain.chain, chain.parent, chain.first, chain.head.seq, chain.head.hash.hex(),
        chain.seal.hex(), chain.countersign.hex(), chain.state, db.execute(opened).scalar_one(),
    ]  # fmt: skip
    return [*found, [newest.seq, newest.hash.hex()]] if in_parts else found


def boxes_of(database: Database, club: str) -> list[list[object]]:
    """Returns the key in hexadecimal digits, the name and the state of each box of a club. Raises
    UnavailableError."""
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
    asked = select(*PUSHED_COLUMNS).where(*mine).order_by(rows.c.seq).limit(most)
    return [pushed_row_from(one) for one in db.execute(asked)]


# ---------------------------------------------------------------- within a transaction


def _refused(db: Connection, own: str, club: str) -> RefusedBatch | None:
    """The reason why the hub of the club `own` refuses that club; None if the club is an accepted
    member."""
    its = boxes.c.club == own, boxes.c.box == club
    found = db.execute(select(boxes.c.state, boxes.c.kind).where(*its)).first()
    if found is None or found.state != MEMBER:
        return not_member_refusal(found and found.state)
    return None if found.kind == CLUB else NO_CLUB


def _note_club(db: Connection, key: bytes, name: str) -> None:
    mine = clubs.c.club == identity_of(key)
    known = db.execute(select(clubs).where(mine)).first()
    if known is None:
        db.execute(insert(clubs).values(club=identity_of(key), key=key, name=name))
    elif bytes(known.key) != key:
        raise EntryError("another club has that identity")
    elif known.name != name:
        db.execute(update(clubs).where(mine).values(name=name))


def _begin_chain(
    db: Connection, part: ChainPart, box_chains: dict[int, Chain], now: float
) -> Chain:
    """Begins a chain that has no rows yet. Raises _PartRefusedError if the part can't be the
    beginning of one."""
    batch = part.batch
    if (full := too_many_chains_refusal(box_chains)) is not None and batch.rows[
        0
    ].kind != "forgotten":
        raise _PartRefusedError(full)
    if part.first != batch.rows[0].seq or (part.parent is None) != (batch.after == RECORD_BEGINS):
        raise _PartRefusedError(_NOT_CONNECTED)
    if part.parent is None:
        gone = erased.c.club == batch.club, erased.c.box == batch.box
        asked = select(erased.c.first).where(*gone, erased.c.first == batch.rows[0].hash)
        if db.execute(asked).first() is not None:
            raise _PartRefusedError(
                RefusedBatch("forgotten", "these rows were forgotten at that box")
            )
    else:
        parent = box_chains.get(part.parent)
        if parent is None:
            raise _PartRefusedError(MissingRows(0))
        here = rows.c.seq == batch.after.seq, rows.c.hash == batch.after.hash
        if not db.execute(
            select(rows.c.seq).where(rows_condition(parent, box_chains), *here)
        ).first():
            raise _PartRefusedError(_NOT_CONNECTED)
    chain = Chain(
        batch.club, batch.box, part.chain, part.parent, part.first, batch.after, NO_SEAL, NO_SEAL,
        part.state, now, now,
    )  # fmt: skip
    db.execute(
        insert(chains).values(
            club=chain.club, box=chain.box, chain=chain.chain, parent=chain.parent,
            first=chain.first, seq=chain.head.seq, hash=chain.head.hash, seal=chain.seal,
            countersign=chain.countersign, state=chain.state, began_at=now, grown_at=now,
        )
    )  # fmt: skip
    return chain


_NOT_CONNECTED: Final = RefusedBatch("malformed", "these rows follow on none that are here")


def _update_head(db: Connection, chain: Chain, values: dict[str, object]) -> None:
    """Sets these values of a chain, unless another hub has added rows to it meanwhile."""
    came = None if chain.came is None else chain.came.seq
    where = (
        *_chain_condition(chain), chains.c.seq == chain.head.seq, chains.c.hash == chain.head.hash,
        chains.c.came_seq.is_not_distinct_from(came),
    )  # fmt: skip
    HubStore.require_moved(db.execute(update(chains).where(*where).values(values)).rowcount)


def _seal(
    db: Connection, chain: Chain, part: ChainPart, box_chains: dict[int, Chain], now: float
) -> None:
    """Makes the part's last row, which its box has sealed, the head of the chain. Raises
    _PartRefusedError if rows are missing before it."""
    head = part.batch.head
    new = replace(chain, head=head, came=None)
    stretch, missing = unsealed_before_gaps(db, new, box_chains, chain.head)
    if missing is not None:
        why = f"{missing}, and no row of that box declares it"
        raise _PartRefusedError(RefusedBatch("malformed", why))
    unsealed = (*chain.unsealed, stretch) if stretch else chain.unsealed
    values = {
        "seq": head.seq, "hash": head.hash, "seal": part.batch.seal,
        "countersign": part.countersign, "state": part.state, "grown_at": now,
        "came_seq": None, "came_hash": None, "unsealed": format_ranges(unsealed),
    }  # fmt: skip
    _update_head(db, chain, values)
    if not unsealed:
        _erase_replaced_chains(db, part, box_chains)


def _drop_waiting(db: Connection, chain: Chain) -> None:
    """Deletes the chain's rows that have no seal yet; the club's hub sends them again."""
    mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    db.execute(delete(rows).where(*mine, rows.c.seq > chain.head.seq))


def _chain_condition(chain: Chain) -> tuple[ColumnElement[bool], ...]:
    return (
        chains.c.club == chain.club, chains.c.box == chain.box, chains.c.chain == chain.chain,
    )  # fmt: skip


def _set_state(db: Connection, chain: Chain, state: str) -> None:
    if state not in (LIVE, ASIDE):
        raise EntryError("that is not a state of a chain")
    db.execute(update(chains).where(*_chain_condition(chain)).values(state=state))


def _erase_replaced_chains(db: Connection, part: ChainPart, box_chains: dict[int, Chain]) -> None:
    """Erases the older chains of the box if this chain replaces them, which it does if it begins
    with a `forgotten` row."""
    older = {number: one for number, one in box_chains.items() if number < part.chain}
    if part.parent is not None or not older:
        return
    club, box = part.batch.club, part.batch.box
    (first,) = rows_of_chain(db, (club, box, part.chain), part.first - 1)
    if first.seq == 1 and first.kind == "forgotten":
        erase(db, club, box, older)
