"""Checks that everything in the hub's database is as it was pushed: all chains, forks and
signatures. Also lists rows that are stored but that no page shows."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from sqlalchemy import Connection, select

from companion.club.box.keys import BOX_SEAL, CLUB_SEAL
from companion.club.box.protocol import CLUB
from companion.club.hub.chains import (
    PUSHED_COLUMNS,
    Chain,
    chain_from_row,
    is_forked,
    loss_marks_in,
    pushed_row_from,
    stored_rows_condition,
)
from companion.club.hub.database import Database, boxes, chains, clubs, rows
from companion.club.hub.members import Member, member_of
from companion.club.hub.store import AWAY, OWN
from companion.core.values import Json, dataclass
from companion.record.fold import row_number_of_loss
from companion.record.store.chain import ChainBreak
from companion.record.store.database import START

MOST_LINES = 100
"""The most faults listed for one chain."""


@dataclass(slots=True)
class ChainReport:
    """The findings on one chain. `private`: the number of rows of which the hub has only the
    hashes, so that it can't recompute them; `declared`: gaps that the record itself declares;
    `not_shown`: the parts of the chain that no page shows, and why."""

    chain: Chain
    name: str
    rows: int = 0
    private: int = 0
    declared: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    not_shown: list[str] = field(default_factory=list)

    @property
    def json(self) -> Json:
        """The report for another program; `whole`: no fault was found."""
        one = self.chain
        return {
            "club": one.club, "box": one.box, "name": self.name, "chain": one.chain,
            "parent": one.parent, "first": one.first, "seq": one.head.seq,
            "hash": one.head.hash.hex(), "state": one.state, "rows": self.rows,
            "private": self.private, "declared": self.declared, "whole": not self.faults,
            "faults": self.faults, "waiting": one.newest.seq - one.head.seq,
            "not_shown": self.not_shown,
        }  # fmt: skip


def verify(database: Database, own: str = "") -> Json:
    """Returns a report on every chain with its faults, and every fork that waits for the organiser.
    `well`: whether there are neither faults nor forks. `own`: the hub's own club, if known; chains
    that came through an expelled member are then marked. Raises UnavailableError."""
    with database.reading() as db:
        keys = {one.club: bytes(one.key) for one in db.execute(select(clubs))}
        box_chains: dict[tuple[str, str], dict[int, Chain]] = {}
        for one in db.execute(select(chains).order_by(chains.c.chain)):
            box_chains.setdefault((one.club, one.box), {})[one.chain] = chain_from_row(one)
        members = [member_of(one) for one in db.execute(select(boxes).order_by(boxes.c.name))]
        of_hub = {one.box: one for one in members if one.club == own}
        reports = [
            _complete_report(db, ChainReport(chain, member.name), member.key, found, keys)
            for member in members
            for found in (box_chains.get((member.club, member.box), {}),)
            for chain in found.values()
        ]
    for report in reports:
        report.not_shown = [*_hidden_parts(report.chain, of_hub)]
    forks = [
        {"club": club, "box": box, "chains": _live_chains(found)}
        for (club, box), found in box_chains.items()
        if is_forked(found.values())
    ]
    return {
        "well": not forks and not any(one.faults for one in reports),
        "boxes": sum(one.state != OWN for one in members),
        "rows": sum(one.rows for one in reports),
        "chains": [one.json for one in reports],
        "forks": forks,
    }


def _complete_report(
    db: Connection,
    report: ChainReport,
    key: bytes,
    box_chains: Mapping[int, Chain],
    keys: Mapping[str, bytes],
) -> ChainReport:
    """Completes the report on a chain of the box with this `key`, and returns it."""
    chain = report.chain
    for line in _find_faults(db, report, box_chains):
        if len(report.faults) < MOST_LINES:
            report.faults.append(line)
    head, place = chain.head, (chain.club, chain.box)
    if not chain.is_sealed and head.seq < chain.first:
        return report  # the box has sealed nothing of it yet
    if not head.has_valid_seal(key, chain.seal, BOX_SEAL, *place):
        report.faults.append(f"the box's seal of row {head.seq} is wrong")
    if not head.has_valid_seal(keys[chain.club], chain.countersign, CLUB_SEAL, *place):
        report.faults.append(f"the club's signature of row {head.seq} is wrong")
    return report


def _live_chains(box_chains: Mapping[int, Chain]) -> list[int]:
    return [one.chain for one in box_chains.values() if one.is_live and one.is_sealed]


def _hidden_parts(chain: Chain, of_hub: Mapping[str, Member]) -> Iterator[str]:
    """Yields a line for each part of the chain that no page shows. `of_hub`: the hub's own members,
    by their identities; empty: unknown."""
    waiting = [(chain.head.seq + 1, chain.came.seq)] if chain.came else []
    for first, last in (*chain.unsealed, *waiting):
        yield f"rows {first} to {last} came without the seal of their box: not shown"
    if of_hub and chain.club not in (one.club for one in of_hub.values()):
        through = of_hub.get(chain.club)
        if through is None or through.kind != CLUB:
            yield "came through a member that is no club: not shown"
        elif through.state == AWAY:
            yield f"came through {through.name}, which was thrown out: not shown"
        elif chain.box in of_hub:
            yield "this box is a member of the hub itself: its own record is shown"


def _find_faults(
    db: Connection, report: ChainReport, box_chains: Mapping[int, Chain]
) -> Iterator[str]:
    """Yields a line for each row that is missing or differs from the pushed one. Also counts the
    chain's own rows, without those of its parents, in the report."""
    chain = report.chain
    mine = stored_rows_condition(chain, box_chains)
    marks = loss_marks_in(db, chain, box_chains)
    seq, before = 0, START
    asked = select(*PUSHED_COLUMNS, rows.c.chain).where(mine).order_by(rows.c.seq)
    for found in db.execute(asked.execution_options(yield_per=1000)):
        *columns, of = found
        row = pushed_row_from(columns)
        own = of == chain.chain
        report.rows += own
        report.private += own and row.link is None
        if own and row.link is not None and not row.link.intact:
            yield f"row {row.seq} was changed after it was pushed"
        if (row.seq != seq + 1 or row.before != before) and own:
            gap = ChainBreak(seq + 1, row.seq - 1, "missing" if row.seq > seq + 1 else "unchained")
            if row.kind == "lost" or row_number_of_loss(gap, marks) is not None:
                report.declared.append(str(gap))
            else:
                yield str(gap)
        seq, before = row.seq, row.hash
    if (seq, before) != (chain.head.seq, chain.head.hash):
        yield f"the chain ends with row {seq}, not with row {chain.head.seq} as was acknowledged"
