"""Checks that the hub keeps everything as it was pushed: all chains, forks and signatures."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from companion.club.keys import BY_BOX, BY_CLUB
from companion.core.errors import EntryError
from companion.core.values import Json
from companion.hub.chains import PUSHED, Chain, chain_of, pushed_of, rows_where
from companion.hub.database import Database
from companion.hub.members import Member, member_of
from companion.hub.schema import boxes, chains, clubs, rows
from companion.hub.store import OWN
from companion.record.fold import Mark, known_by
from companion.record.rows import Lost
from companion.record.store.chain import START
from companion.record.store.codec import decode_row
from companion.record.store.walk import Missing

MOST_LINES = 100
"""The most faults that are listed for one chain; more would help nobody."""


@dataclass(slots=True)
class ChainReport:
    """The findings on one chain. `private`: how many rows the hub has only the hashes of, so that
    it can't recompute them; `declared`: gaps that the record itself declares."""

    chain: Chain
    name: str
    rows: int = 0
    private: int = 0
    declared: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    @property
    def json(self) -> Json:
        """The report for another program; `whole`: no fault was found."""
        one = self.chain
        return {
            "club": one.club, "box": one.box, "name": self.name, "chain": one.chain,
            "parent": one.parent, "first": one.first, "seq": one.head.seq,
            "hash": one.head.hash.hex(), "state": one.state, "rows": self.rows,
            "private": self.private, "declared": self.declared, "whole": not self.faults,
            "faults": self.faults,
        }  # fmt: skip


def verify(database: Database) -> Json:
    """A report on every chain with its faults, and every fork that waits for the organiser. `well`:
    there are neither faults nor forks. Raises AwayError."""
    with database.reading() as db:
        keys = {one.club: bytes(one.key) for one in db.execute(select(clubs))}
        of_box: dict[tuple[str, str], dict[int, Chain]] = {}
        for one in db.execute(select(chains).order_by(chains.c.chain)):
            of_box.setdefault((one.club, one.box), {})[one.chain] = chain_of(one)
        members = [member_of(one) for one in db.execute(select(boxes).order_by(boxes.c.name))]
        reports = [
            _report(db, chain, member, of_box[member.club, member.box], keys)
            for member in members
            for chain in of_box.get((member.club, member.box), {}).values()
        ]
    forks = [
        {"club": club, "box": box, "chains": [one.chain for one in found.values() if one.is_live]}
        for (club, box), found in of_box.items()
        if sum(one.is_live for one in found.values()) > 1
    ]
    return {
        "well": not forks and not any(one.faults for one in reports),
        "boxes": sum(one.state != OWN for one in members),
        "rows": sum(one.rows for one in reports),
        "chains": [one.json for one in reports],
        "forks": forks,
    }


def _report(
    db: Connection,
    chain: Chain,
    member: Member,
    of_box: Mapping[int, Chain],
    keys: Mapping[str, bytes],
) -> ChainReport:
    report = ChainReport(chain, member.name)
    for line in _faults(db, report, of_box):
        if len(report.faults) < MOST_LINES:
            report.faults.append(line)
    head, place = chain.head, (chain.club, chain.box)
    if not chain.seal:
        report.faults.append(f"rows after {head.seq} are on their way: nothing is sealed yet")
        return report
    if not head.is_sealed(member.key, chain.seal, BY_BOX, *place):
        report.faults.append(f"the box's seal of row {head.seq} is wrong")
    if not head.is_sealed(keys[chain.club], chain.countersign, BY_CLUB, *place):
        report.faults.append(f"the club's signature of row {head.seq} is wrong")
    return report


def _faults(db: Connection, report: ChainReport, of_box: Mapping[int, Chain]) -> Iterator[str]:
    """A line for each row that is missing or not what was pushed. Counts the chain's own rows in
    the report, without those of its parents."""
    chain = report.chain
    mine = rows_where(chain, of_box)
    marks = marks_of(db, chain, of_box)
    seq, before = 0, START
    asked = select(*PUSHED, rows.c.chain).where(mine).order_by(rows.c.seq)
    for found in db.execute(asked.execution_options(yield_per=1000)):
        *columns, of = found
        row = pushed_of(columns)
        own = of == chain.chain
        report.rows += own
        report.private += own and row.link is None
        if own and row.link is not None and not row.link.intact:
            yield f"row {row.seq} was changed after it was pushed"
        if (row.seq != seq + 1 or row.before != before) and own:
            gap = Missing(seq + 1, row.seq - 1, "missing" if row.seq > seq + 1 else "unchained")
            if row.kind == "lost" or known_by(gap, marks) is not None:
                report.declared.append(str(gap))
            else:
                yield str(gap)
        seq, before = row.seq, row.hash
    if (seq, before) != (chain.head.seq, chain.head.hash):
        yield f"the chain ends with row {seq}, not with row {chain.head.seq} as was acknowledged"


def marks_of(db: Connection, chain: Chain, of_box: Mapping[int, Chain]) -> list[Mark]:
    """The rows of the chain that declare rows lost, each with its number."""
    asked = select(*PUSHED).where(
        rows_where(chain, of_box), rows.c.game == 0, rows.c.row.like('%"kind": "lost"%')
    )
    marks = []
    for found in db.execute(asked):
        link = pushed_of(found).link
        try:
            row = decode_row(link.row) if link else None
        except EntryError:
            continue
        if link and isinstance(row, Lost):
            marks.append((link.seq, row))
    return marks
