"""Stores the rows that boxes push: each row once, every chain whole, nothing overwritten; and
returns them to a box that has lost them.

A batch is one transaction. A conditional UPDATE moves the head of a chain only if its `seq` and
`hash` are unchanged, so only one of several hub processes succeeds. Each process stores its batches
one after the other (database.py). docs/hub.md lists the guarantees.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion.club.box.keys import CLUB_SEAL, Head, KeyPair
from companion.club.box.protocol import BATCH_TEXT, PushedRow
from companion.club.hub.chains import (
    ASIDE,
    LIVE,
    PUSHED_COLUMNS,
    Chain,
    chains_of,
    insert_values,
    pushed_row_from,
    rows_condition,
    shown_chain,
)
from companion.club.hub.database import (
    Database,
    UnavailableError,
    boxes,
    chains,
    erased,
    notify_other_hubs,
    rows,
)
from companion.core.budgets import CHAINS, FORKS
from companion.core.clock import Clock
from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.record.rows import RowsLost, decode_row
from companion.record.store.database import START

# ---------------------------------------------------------------- batches and their answers


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that a box pushes, in order. `after`: the row before the first of them. `seal`: the
    box's signature of the last one, already checked. `lost`: the row of the record that declares a
    gap between these rows."""

    club: str
    box: str
    after: Head
    rows: Sequence[PushedRow]
    seal: bytes
    lost: PushedRow | None = None

    @property
    def head(self) -> Head:
        """The number and hash of the batch's last row."""
        return Head(self.rows[-1].seq, self.rows[-1].hash)


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """All rows of the batch are committed; `countersign`: the club's signature of the last one.
    `added`: how many were new. `fork`: whether a fork began with this batch."""

    head: Head
    countersign: bytes
    added: int
    fork: bool = False


@dataclass(frozen=True, slots=True)
class Unsealed:
    """The rows are committed and wait for the seal of their box: until it comes they are neither
    shown nor countersigned. `added`: how many were new."""

    head: Head
    added: int


@dataclass(frozen=True, slots=True)
class MissingRows:
    """Nothing was stored: the rows from number `seq` on are missing before or in this batch. If
    `seq` is 0, the hub doesn't know the row before the batch, so the box has to ask again which
    rows the hub has."""

    seq: int


@dataclass(frozen=True, slots=True)
class RefusedBatch:
    """Nothing was stored, and trying again doesn't help; `code` as in docs/hub.md."""

    code: str
    why: str


BatchAnswer = Acknowledged | Unsealed | MissingRows | RefusedBatch


def first_gap(batch: Batch) -> int | None:
    """The number of the first row that is missing in the batch without being declared lost by
    `batch.lost`; None if there is none."""
    place, gaps = batch.after, _declared_gaps(batch.lost)
    for row in batch.rows:
        follows = row.seq == place.seq + 1 and row.before == place.hash
        declared = row.seq > place.seq and any(
            first <= place.seq + 1 and row.seq - 1 <= last for first, last in gaps
        )
        if not follows and not declared and not (row.seq == place.seq + 1 and row.kind == "lost"):
            return place.seq + 1
        place = Head(row.seq, row.hash)
    return None


def _declared_gaps(lost: PushedRow | None) -> list[tuple[int, int]]:
    """The numbers of the first and last row of each gap that a row of the record declares."""
    if lost is None or lost.row is None or lost.game != 0:
        return []
    try:
        row = decode_row(lost.row)
    except EntryError:
        return []
    if not isinstance(row, RowsLost):
        return []
    ends = [(gap.first, lost.seq - 1 if gap.last is None else gap.last) for gap in row.gaps]
    return [(first, max(last, first - 1)) for first, last in ends]


# ---------------------------------------------------------------- store

RECORD_BEGINS: Final = Head(0, START)
"""Stands for the place before the first row of a record."""
TRIES: Final = 10
"""How many times a batch is tried while other processes move the same head."""
MEMBER, LEFT, AWAY, OWN = "member", "left", "away", "own"
"""The states of a box in its club. LEFT: it has left, or another box has taken its place. AWAY: the
organiser has expelled it. OWN: the hub itself, which is no box."""


THROWN_OUT: Final = "the organiser has thrown this box out"

T = TypeVar("T")


class _HeadMovedError(Exception):
    """Raised if another process has moved the head of a chain meanwhile."""


class HubStore:
    """Stores the rows of boxes' records. Any thread may read; only the committer may call
    `store_batch` and the other methods that change something."""

    def __init__(self, database: Database, keys: KeyPair, clock: Clock = time.time) -> None:
        self.database, self.keys, self.clock = database, keys, clock

    @property
    def club(self) -> str:
        """The identity of the hub's own club."""
        return self.keys.identity

    # ------------------------------------------------------------ a batch

    def store_batch(self, batch: Batch) -> BatchAnswer:
        """Stores a batch, whole or not at all, and returns the answer after the commit. Raises
        UnavailableError if nothing was stored and trying again may work."""
        if (gap := first_gap(batch)) is not None:
            return MissingRows(gap)
        return self.retry_transaction(lambda db: self._store_batch(db, batch))

    def retry_transaction(self, work: Callable[[Connection], T]) -> T:
        """Runs `work` in a transaction and returns its result; tries again while other hubs of the
        club move the same head. Raises UnavailableError, also after TRIES tries."""
        for _ in range(TRIES):
            try:
                with self.database.writing() as db:
                    return work(db)
            except _HeadMovedError:
                continue
            except UnavailableError as error:
                if not isinstance(error.__cause__, IntegrityError):
                    raise
        raise UnavailableError("other hubs of the club write the same chain: try again")

    @staticmethod
    def require_moved(changed: int) -> None:
        """Raises _HeadMovedError unless `changed`, the number of rows that an UPDATE of the head
        has changed, is 1: another process has moved the head first. retry_transaction then tries
        again."""
        if changed != 1:
            raise _HeadMovedError

    def _store_batch(self, db: Connection, batch: Batch) -> BatchAnswer:
        club, box = batch.club, batch.box
        state = db.execute(
            select(boxes.c.state).where(boxes.c.club == club, boxes.c.box == box)
        ).scalar()
        if state != MEMBER:
            return not_member_refusal(state)
        box_chains = chains_of(db, club, box)
        known = _known_rows(db, batch)
        new, place = _split_new_rows(batch, known)
        have = Acknowledged(batch.head, self.countersign(batch), added=len(new))
        if not new:
            return have
        if place != RECORD_BEGINS and place not in known:
            return MissingRows(0)
        grown = next((one for one in box_chains.values() if one.head == place), None)
        if grown is not None:
            return self.extend_chain(db, batch, grown, new, have)
        return self.begin_chain(
            db, batch, new, have, box_chains, parent=box_chains.get(known.get(place, 0))
        )

    def extend_chain(
        self,
        db: Connection,
        batch: Batch,
        chain: Chain,
        new: Sequence[PushedRow],
        have: Acknowledged,
    ) -> BatchAnswer:
        """Adds the `new` rows of a batch to the end of a chain, if its head hasn't moved; returns
        `have`, or a refusal if the chain is set aside."""
        if not chain.is_live:
            return _ASIDE
        head, moved = chain.head, self._head_values(batch, have)
        where = (
            chains.c.club == chain.club,
            chains.c.box == chain.box,
            chains.c.chain == chain.chain,
            chains.c.seq == head.seq,
            chains.c.hash == head.hash,
            chains.c.state == LIVE,
        )
        self.require_moved(db.execute(update(chains).where(*where).values(moved)).rowcount)
        db.execute(insert(rows), insert_values(new, chain.key))
        self._note_heard(db, batch.club, batch.box)
        notify_other_hubs(db, self.club)
        return have

    def begin_chain(
        self,
        db: Connection,
        batch: Batch,
        new: Sequence[PushedRow],
        have: Acknowledged,
        box_chains: dict[int, Chain],
        *,
        parent: Chain | None,
    ) -> BatchAnswer:
        """Begins a chain with the `new` rows of a batch: the first of the box, a fork of `parent`,
        or one that replaces chains in which somebody was forgotten. Returns `have`, which shows
        whether a fork began, or a refusal."""
        if parent is not None and not parent.is_live:
            return _ASIDE
        if parent is None:
            gone = erased.c.club == batch.club, erased.c.box == batch.box
            asked = select(erased.c.first).where(*gone, erased.c.first == new[0].hash)
            if db.execute(asked).first() is not None:
                why = "these rows were forgotten at this box: restore a newer copy"
                return RefusedBatch("forgotten", why)
        forgets = parent is None and new[0].seq == 1 and new[0].kind == "forgotten"
        if not forgets and (full := too_many_chains_refusal(box_chains)) is not None:
            return full
        number = max(box_chains, default=0) + 1
        if forgets:
            erase(db, batch.club, batch.box, box_chains)
        now = self.clock()
        db.execute(
            insert(chains).values(
                club=batch.club, box=batch.box, chain=number,
                parent=None if parent is None else parent.chain, first=new[0].seq,
                state=LIVE, began_at=now, **self._head_values(batch, have),
            )
        )  # fmt: skip
        db.execute(insert(rows), insert_values(new, (batch.club, batch.box, number)))
        self._note_heard(db, batch.club, batch.box)
        notify_other_hubs(db, self.club)
        return replace(have, fork=bool(box_chains) and not forgets)

    def _head_values(self, batch: Batch, have: Acknowledged) -> dict[str, object]:
        return {
            "seq": have.head.seq,
            "hash": have.head.hash,
            "seal": batch.seal,
            "countersign": have.countersign,
            "grown_at": self.clock(),
        }

    def countersign(self, batch: Batch) -> bytes:
        return batch.head.make_seal(self.keys, CLUB_SEAL, batch.club, batch.box)

    def _note_heard(self, db: Connection, club: str, *boxes_heard: str) -> None:
        heard = boxes.c.club == club, boxes.c.box.in_(boxes_heard)
        db.execute(update(boxes).where(*heard).values(heard_at=self.clock()))

    # ------------------------------------------------------------ other changes

    def note_heard(self, club: str, *boxes_heard: str) -> None:
        """Stores that these boxes are connected now."""
        if boxes_heard:
            with self.database.writing() as db:
                self._note_heard(db, club, *boxes_heard)

    def open_rows(self, club: str, box: str, opened: Sequence[PushedRow]) -> int:
        """Stores the content of rows that were pushed without it, after comparing it with the
        pushed hash. Returns how many rows were opened. Raises EntryError if one of `opened` has no
        content.
        """
        many = 0
        with self.database.writing() as db:
            for row in opened:
                if row.link is None:
                    raise EntryError("row {seq} is closed", seq=row.seq)
                where = rows.c.club == club, rows.c.box == box, rows.c.seq == row.seq
                told = {"game": row.game, "row": row.row, "at": row.at, "source": row.source}
                found = db.execute(update(rows).where(*where, rows.c.hash == row.hash).values(told))
                many += bool(found.rowcount)
        return many

    def choose_chain(self, club: str, box: str, chain: int) -> None:
        """Settles a fork as the organiser has chosen: this chain may grow, the box's others are set
        aside. Raises EntryError if there is no chain of that number."""
        mine = chains.c.club == club, chains.c.box == box
        with self.database.writing() as db:
            if chain not in chains_of(db, club, box):
                raise EntryError("there is no chain {chain} of that box", chain=chain)
            db.execute(update(chains).where(*mine).values(state=ASIDE))
            db.execute(update(chains).where(*mine, chains.c.chain == chain).values(state=LIVE))

    # ------------------------------------------------------------ reading for a box

    def find_newest_row(
        self, club: str, box: str, where: Sequence[Head]
    ) -> tuple[Head, Head] | None:
        """Returns the newest of the rows `where` that the hub has, and the head of its chain; None
        if the hub has none of them."""
        with self.database.reading() as db:
            box_chains = chains_of(db, club, box)
            asked = select(rows.c.chain, rows.c.seq, rows.c.hash).where(
                rows.c.club == club, rows.c.box == box, rows.c.seq.in_([one.seq for one in where])
            )
            known = {Head(seq, bytes(own)): chain for chain, seq, own in db.execute(asked)}
        found = max((one for one in where if one in known), key=lambda one: one.seq, default=None)
        if found is None:
            return None
        ends = [one.head for one in box_chains.values() if one.head == found]
        return found, ends[0] if ends else box_chains[known[found]].head


_ASIDE: Final = RefusedBatch(
    "aside", "the organiser chose the other branch of this box: leave the club and join anew"
)


def too_many_chains_refusal(box_chains: Mapping[int, Chain]) -> RefusedBatch | None:
    """The refusal if a box has too many chains to begin another; None if it may begin one."""
    live = sum(one.is_live for one in box_chains.values())
    if live < FORKS.most and len(box_chains) < CHAINS.most:
        return None
    return RefusedBatch("busy", "this box has too many records: the organiser has to choose first")


def not_member_refusal(state: str | None) -> RefusedBatch:
    """Returns the refusal of rows from a box that is not a member. `state`: the box's state (None
    if the box is unknown)."""
    match state:
        case "left":
            return RefusedBatch("unknown", "this box has left the club: join again")
        case "away":
            return RefusedBatch("sent-away", THROWN_OUT)
    return RefusedBatch("unknown", "this box is no member of the club: join first")


def _known_rows(db: Connection, batch: Batch) -> dict[Head, int]:
    """The rows that the hub has in the range from the row before the batch to the batch's last row,
    each with the number of its chain."""
    first = min(batch.after.seq, batch.rows[0].seq)
    asked = select(rows.c.chain, rows.c.seq, rows.c.hash).where(
        rows.c.club == batch.club,
        rows.c.box == batch.box,
        rows.c.seq.between(first, batch.rows[-1].seq),
    )
    return {Head(seq, bytes(own)): chain for chain, seq, own in db.execute(asked)}


def _split_new_rows(batch: Batch, known: dict[Head, int]) -> tuple[Sequence[PushedRow], Head]:
    """The rows of the batch that the hub doesn't have, and the row before them."""
    place = batch.after
    for number, row in enumerate(batch.rows):
        here = Head(row.seq, row.hash)
        if here not in known:
            return batch.rows[number:], place
        place = here
    return (), place


def erase(db: Connection, club: str, box: str, gone: Mapping[int, Chain]) -> None:
    """Deletes these chains of a box, with their rows. The hash of a record's first row is kept, so
    that the hub recognises the chain if it is pushed again."""
    mine = rows.c.club == club, rows.c.box == box
    for chain in gone.values():
        if chain.parent is None:
            begun = (rows.c.chain == chain.chain, rows.c.seq == chain.first)
            first = db.execute(select(rows.c.hash).where(*mine, *begun)).scalar()
            if first is not None:
                db.execute(insert(erased).values(club=club, box=box, first=bytes(first)))
    db.execute(delete(rows).where(*mine, rows.c.chain.in_(gone)))
    its = chains.c.club == club, chains.c.box == box
    db.execute(delete(chains).where(*its, chains.c.chain.in_(gone)))


# ---------------------------------------------------------------- rows for a box that lost them


def rows_after(database: Database, club: str, box: str, place: Head, most: int) -> list[PushedRow]:
    """The rows that follow the row `place`: at most `most`, private ones without their content.
    Empty if no box in the club has that row. If `place` is the beginning of a record, these are the
    rows of this box or, if it has none, of a box with the same name that has left the club."""
    with database.reading() as db:
        whose = _boxes_with_row(db, club, box, place)
        for one in whose:
            box_chains = chains_of(db, club, one)
            course = _chain_continuing_from(db, box_chains, place)
            if course is None:
                continue
            following = (
                select(*PUSHED_COLUMNS)
                .where(rows_condition(course, box_chains), rows.c.seq > place.seq)
                .order_by(rows.c.seq)
                .limit(most)
            )
            return rows_that_fit(pushed_row_from(found) for found in db.execute(following))
    return []


def _boxes_with_row(db: Connection, club: str, box: str, place: Head) -> Sequence[str]:
    """The boxes whose rows may follow `place`, this one first. At the beginning of a record the
    others are former boxes with the same name; otherwise all boxes that have that row."""
    if place == RECORD_BEGINS:
        mine = boxes.c.club == club
        name = select(boxes.c.name).where(mine, boxes.c.box == box).scalar_subquery()
        left = select(boxes.c.box).where(mine, boxes.c.name == name, boxes.c.state == LEFT)
        before = db.execute(left.order_by(boxes.c.joined_at.desc())).scalars()
    else:
        known = select(rows.c.box).where(
            rows.c.club == club, rows.c.seq == place.seq, rows.c.hash == place.hash
        )
        before = db.execute(known.distinct()).scalars()
    return [box, *(one for one in before if one != box)]


def _chain_continuing_from(
    db: Connection, box_chains: dict[int, Chain], place: Head
) -> Chain | None:
    """The chain of a box that continues from `place`: the one that is shown if it has that row,
    else another that has it; None if no chain has it."""
    shown = shown_chain(box_chains.values())
    if shown is None or place == RECORD_BEGINS:
        return shown
    for chain in (shown, *box_chains.values()):
        here = rows.c.seq == place.seq, rows.c.hash == place.hash
        if db.execute(select(rows.c.seq).where(rows_condition(chain, box_chains), *here)).first():
            return chain
    return None


def rows_that_fit(found: Iterable[PushedRow]) -> list[PushedRow]:
    """As many of the rows as fit into a message, but at least one if there are any."""
    taken, size = list[PushedRow](), 0
    for row in found:
        size += len(row.row or "") + len(row.source or "") + 300
        if taken and size > BATCH_TEXT:
            break
        taken.append(row)
    return taken
