"""Which rows of a chain its box's seal covers.

A seal signs the newest row's hash, and each hash covers the row before it; so the seal covers all
rows back to the first place where one does not follow on the other. What is before such a gap is
covered only if the box sealed it earlier. A gap has to be declared by a row of the record that the
seal covers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlalchemy import Connection, select, update

from companion.club.keys import Head
from companion.core.errors import EntryError
from companion.hub.chains import (
    NOT_YET,
    PUSHED,
    Chain,
    RowRange,
    chain_of,
    chains_of,
    pushed_of,
    rows_where,
    stretches_text,
)
from companion.hub.schema import chains, rows
from companion.record.fold import Mark, known_by
from companion.record.rows import Lost
from companion.record.store.codec import decode_row
from companion.record.store.walk import Missing


def unsealed_before_gaps(
    db: Connection, chain: Chain, of_box: Mapping[int, Chain], since: Head
) -> tuple[RowRange | None, Missing | None]:
    """Of the chain's own rows after its row `since`, up to its head: those before a gap, of which
    the head's seal says nothing (None: it covers all of them), and the first gap that no sealed row
    declares lost (None: there is none). The box has sealed `since` earlier, or the chain begins
    after it."""
    gaps = [*_gaps(db, chain, since)]
    if not gaps:
        return None, None
    place, _ = gaps[-1]
    stretch = (since.seq + 1, place.seq) if place.seq > since.seq else None
    covered = replace(chain, unsealed=(*chain.unsealed, stretch)) if stretch else chain
    marks = marks_of(db, covered, {**of_box, chain.chain: covered})
    undeclared = (gap for _, gap in gaps if gap is not None and known_by(gap, marks) is None)
    return stretch, next(undeclared, None)


def _gaps(db: Connection, chain: Chain, since: Head) -> Iterator[tuple[Head, Missing | None]]:
    """Each place of the chain after `since` at which a row does not follow on the one before: that
    one, and what is missing there; None if the later row itself declares that."""
    own = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    new = rows.c.seq > since.seq, rows.c.seq <= chain.head.seq
    place = since
    for found in db.execute(select(*PUSHED).where(*own, *new).order_by(rows.c.seq)):
        row = pushed_of(found)
        if (row.seq, row.before) != (place.seq + 1, place.hash):
            why = "missing" if row.seq > place.seq + 1 else "unchained"
            declares = row.kind == "lost" and row.seq == place.seq + 1
            yield place, None if declares else Missing(place.seq + 1, row.seq - 1, why)
        place = Head(row.seq, row.hash)


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


def check_older_chains(db: Connection, own: str) -> None:
    """Finds, once, the rows without a seal in the chains of other clubs that a program before 0.4
    has taken. `own`: the hub's own club."""
    asked = select(chains).where(
        chains.c.club != own, chains.c.unsealed.is_(None), chains.c.seal != NOT_YET
    )
    for chain in map(chain_of, db.execute(asked).all()):
        mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
        first = select(rows.c.before).where(*mine, rows.c.seq == chain.first)
        since = Head(chain.first - 1, bytes(db.execute(first).scalar_one()))
        of_box = chains_of(db, chain.club, chain.box)
        stretch, _ = unsealed_before_gaps(db, chain, of_box, since)
        its = (
            chains.c.club == chain.club, chains.c.box == chain.box,
            chains.c.chain == chain.chain,
        )  # fmt: skip
        text = stretches_text([stretch] if stretch else [])
        db.execute(update(chains).where(*its).values(unsealed=text))
