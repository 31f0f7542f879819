"""Rows that a box pushes, the hub's answers, and what is missing between them."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.club.box.keys import Head
from companion.club.box.session import PushedRow
from companion.core.errors import EntryError
from companion.record.rows import Lost
from companion.record.store.codec import decode_row


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that a box pushes, in their order. `after`: the row of its record before the first of
    them. `seal`: the box's signature of the last one, already checked. `lost`: the row of the
    record that declares a gap between these rows."""

    club: str
    box: str
    after: Head
    rows: Sequence[PushedRow]
    seal: bytes
    lost: PushedRow | None = None

    @property
    def head(self) -> Head:
        """Number and hash of its last row."""
        return Head(self.rows[-1].seq, self.rows[-1].hash)


@dataclass(frozen=True, slots=True)
class Have:
    """All rows of the batch are committed; `countersign`: the club's signature of the last one.
    `added`: how many were not there before. `fork`: with this batch a fork began."""

    head: Head
    countersign: bytes
    added: int
    fork: bool = False


@dataclass(frozen=True, slots=True)
class Unsealed:
    """The rows are committed, and wait for the seal of their box: they are neither shown nor
    countersigned before it comes. `added`: how many were not there before."""

    head: Head
    added: int


@dataclass(frozen=True, slots=True)
class Want:
    """Nothing was kept: the rows from number `seq` on are missing before or in this batch. 0: the
    hub doesn't know the row before it, so the box asks for its place again."""

    seq: int


@dataclass(frozen=True, slots=True)
class RefusedBatch:
    """Nothing was kept, and trying again doesn't help; `code` as in docs/hub.md."""

    code: str
    why: str


BatchAnswer = Have | Unsealed | Want | RefusedBatch


def first_gap(batch: Batch) -> int | None:
    """The number of the first row that is missing in the batch and that `batch.lost` does not
    declare lost; None: no row is."""
    place, gaps = batch.after, _declared(batch.lost)
    for row in batch.rows:
        follows = row.seq == place.seq + 1 and row.before == place.hash
        declared = row.seq > place.seq and any(
            first <= place.seq + 1 and row.seq - 1 <= last for first, last in gaps
        )
        if not follows and not declared and not (row.seq == place.seq + 1 and row.kind == "lost"):
            return place.seq + 1
        place = Head(row.seq, row.hash)
    return None


def _declared(lost: PushedRow | None) -> list[tuple[int, int]]:
    """First and last row of each gap that a row of the record declares."""
    if lost is None or lost.row is None or lost.game != 0:
        return []
    try:
        row = decode_row(lost.row)
    except EntryError:
        return []
    if not isinstance(row, Lost):
        return []
    ends = [(gap.first, lost.seq - 1 if gap.last is None else gap.last) for gap in row.gaps]
    return [(first, max(last, first - 1)) for first, last in ends]
