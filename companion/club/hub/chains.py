"""The chains of a box in the database: where each branches off its parent, which rows belong to it,
and which of them the box has sealed.

Pages, statistics and programs read a chain through `rows_condition` and `shown_chain`, which leave
out everything that the box itself has not sealed.

A seal signs the newest row's hash, and each hash covers the row before it; so the seal covers all
rows back to the nearest gap. Rows before a gap are covered only if the box sealed them earlier. A
gap has to be declared by a row of the record that the seal covers.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, and_, not_, or_, select, update

from companion.club.box.keys import Head
from companion.club.box.protocol import PushedRow
from companion.club.hub.database import chains, rows
from companion.core.errors import EntryError
from companion.core.values import dataclass
from companion.record.fold import LossMark, row_number_of_loss
from companion.record.rows import RowsLost, decode_row
from companion.record.store.chain import ChainBreak

LIVE, ASIDE = "live", "aside"
"""The states of a chain. LIVE: it may grow. ASIDE: the organiser chose another branch of the fork.
"""
NO_SEAL: Final = b""
"""The placeholder for a seal while the box has sealed nothing of a chain."""
RowRange = tuple[int, int]
"""The numbers of the first and the last of consecutive rows."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A sequence of a box's rows. `first`: the number of its own first row; the rows before that
    are those of its `parent` (None if it begins with the record). `head`: its newest row that the
    box has sealed; the row before `first` if it has sealed none. `seal`: the box's signature of the
    head; `countersign`: the club's. Times are by the hub's clock, in seconds since 1970. `came`:
    the newest row that arrived, if the box has not sealed it. `unsealed`: rows before a gap, which
    the head's seal doesn't cover. `came` and `unsealed` occur only in chains from a club of a
    federation; a box seals everything that it sends."""

    club: str
    box: str
    chain: int
    parent: int | None
    first: int
    head: Head
    seal: bytes
    countersign: bytes
    state: str
    began_at: float
    grown_at: float
    came: Head | None = None
    unsealed: tuple[RowRange, ...] = ()

    @property
    def key(self) -> tuple[str, str, int]:
        """The key of its row in the database."""
        return self.club, self.box, self.chain

    @property
    def is_live(self) -> bool:
        """Whether new rows may be added to the chain."""
        return self.state == LIVE

    @property
    def is_sealed(self) -> bool:
        """Whether the box has sealed any row of the chain."""
        return self.seal != NO_SEAL

    @property
    def newest(self) -> Head:
        """The chain's newest row, whether or not the box has sealed it."""
        return self.came or self.head

    @property
    def waiting(self) -> int:
        """The number of rows that the hub keeps but doesn't show yet, because the box has not
        sealed them."""
        kept = self.newest.seq - self.head.seq
        return kept + sum(last - first + 1 for first, last in self.unsealed)


def chain_from_row(found: Any) -> Chain:
    """A chain from its row in the database."""
    came = None if found.came_seq is None else Head(found.came_seq, bytes(found.came_hash))
    return Chain(
        found.club, found.box, found.chain, found.parent, found.first,
        Head(found.seq, bytes(found.hash)), bytes(found.seal), bytes(found.countersign),
        found.state, found.began_at, found.grown_at, came, parse_ranges(found.unsealed),
    )  # fmt: skip


def parse_ranges(text: str | None) -> tuple[RowRange, ...]:
    """The ranges of rows from their text in the database, such as “4-17 60-60”."""
    ends = (one.split("-") for one in (text or "").split())
    return tuple((int(first), int(last)) for first, last in ends)


def format_ranges(stretches: Iterable[RowRange]) -> str:
    """The ranges as text, in the form that `parse_ranges` reads."""
    return " ".join(f"{first}-{last}" for first, last in stretches)


def chains_of(db: Connection, club: str, box: str) -> dict[int, Chain]:
    """The chains of a box by their numbers, oldest first."""
    asked = select(chains).where(chains.c.club == club, chains.c.box == box)
    return {one.chain: chain_from_row(one) for one in db.execute(asked.order_by(chains.c.chain))}


def lineage(chain: Chain, box_chains: Mapping[int, Chain]) -> list[tuple[Chain, int]]:
    """This chain and its ancestors, beginning with itself, each with its last row that belongs to
    this chain."""
    found, last = [(chain, chain.head.seq)], chain.first - 1
    while chain.parent is not None:
        chain = box_chains[chain.parent]
        found.append((chain, last))
        last = min(last, chain.first - 1)
    return found


def rows_condition(chain: Chain, box_chains: Mapping[int, Chain]) -> ColumnElement[bool]:
    """The SQL condition for this chain's rows and those of its parents, as far as the box has
    sealed them."""
    unsealed = [
        and_(rows.c.chain == one.chain, rows.c.seq.between(first, last))
        for one, _ in lineage(chain, box_chains)
        for first, last in one.unsealed
    ]
    kept = stored_rows_condition(chain, box_chains)
    return and_(kept, not_(or_(*unsealed))) if unsealed else kept


def stored_rows_condition(chain: Chain, box_chains: Mapping[int, Chain]) -> ColumnElement[bool]:
    """The SQL condition for this chain's rows up to its head and those of its parents, even those
    that the seal doesn't cover."""
    parts = [
        and_(rows.c.chain == one.chain, rows.c.seq <= last)
        for one, last in lineage(chain, box_chains)
    ]
    return and_(rows.c.club == chain.club, rows.c.box == chain.box, or_(*parts))


PUSHED_COLUMNS = (
    rows.c.seq, rows.c.game, rows.c.row, rows.c.at, rows.c.source, rows.c.before, rows.c.hash,
)  # fmt: skip
"""The columns of a PushedRow, in its order."""


def pushed_row_from(found: Sequence[Any]) -> PushedRow:
    """The PushedRow from a database row with the columns PUSHED_COLUMNS."""
    seq, game, row, at, source, before, own = found
    return PushedRow(seq, game, row, at, source, bytes(before), bytes(own))


def insert_values(pushed: Iterable[PushedRow], key: tuple[str, str, int]) -> list[dict[str, Any]]:
    """The values for inserting these rows into the chain with this `key`."""
    club, box, chain = key
    return [{"club": club, "box": box, "chain": chain, **row._asdict()} for row in pushed]


def shown_chain(box_chains: Iterable[Chain]) -> Chain | None:
    """The chain of a box that pages show: of its sealed chains the one that grew last, with live
    chains before others. None if it has no sealed chain."""
    sealed = (one for one in box_chains if one.is_sealed)
    return max(sealed, key=lambda one: (one.is_live, one.grown_at, one.chain), default=None)


def is_forked(box_chains: Iterable[Chain]) -> bool:
    """Whether the organiser has to choose between chains of a box."""
    return sum(one.is_live and one.is_sealed for one in box_chains) > 1


def find_forks(db: Connection, club: str) -> dict[str, list[Chain]]:
    """For each forked box of the club, the chains that the organiser has to choose from
    (HubStore.choose_chain)."""
    asked = select(chains).where(chains.c.club == club, chains.c.state == LIVE)
    found = defaultdict[str, list[Chain]](list)
    for one in db.execute(asked.order_by(chains.c.chain)):
        found[one.box].append(chain_from_row(one))
    return {box: live for box, live in found.items() if is_forked(live)}


def unsealed_before_gaps(
    db: Connection, chain: Chain, box_chains: Mapping[int, Chain], since: Head
) -> tuple[RowRange | None, ChainBreak | None]:
    """Looks at the chain's own rows after row `since`, up to its head. Returns those before a gap,
    which the head's seal doesn't cover (None if it covers all), and the first gap that no sealed
    row declares lost (None if there is none). The box sealed `since` earlier, or the chain begins
    after it."""
    gaps = [*_find_gaps(db, chain, since)]
    if not gaps:
        return None, None
    place, _ = gaps[-1]
    stretch = (since.seq + 1, place.seq) if place.seq > since.seq else None
    covered = replace(chain, unsealed=(*chain.unsealed, stretch)) if stretch else chain
    marks = loss_marks_in(db, covered, {**box_chains, chain.chain: covered})
    undeclared = (
        gap for _, gap in gaps if gap is not None and row_number_of_loss(gap, marks) is None
    )
    return stretch, next(undeclared, None)


def _find_gaps(
    db: Connection, chain: Chain, since: Head
) -> Iterator[tuple[Head, ChainBreak | None]]:
    """Each row of the chain, from `since` on, that is followed by a gap, with the range of missing
    rows (None if the row after the gap declares it)."""
    own = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
    new = rows.c.seq > since.seq, rows.c.seq <= chain.head.seq
    place = since
    for found in db.execute(select(*PUSHED_COLUMNS).where(*own, *new).order_by(rows.c.seq)):
        row = pushed_row_from(found)
        if (row.seq, row.before) != (place.seq + 1, place.hash):
            why = "missing" if row.seq > place.seq + 1 else "unchained"
            declares = row.kind == "lost" and row.seq == place.seq + 1
            yield place, None if declares else ChainBreak(place.seq + 1, row.seq - 1, why)
        place = Head(row.seq, row.hash)


def loss_marks_in(db: Connection, chain: Chain, box_chains: Mapping[int, Chain]) -> list[LossMark]:
    """The rows of the chain that declare rows lost, each with its number."""
    asked = select(*PUSHED_COLUMNS).where(
        rows_condition(chain, box_chains), rows.c.game == 0, rows.c.row.like('%"kind": "lost"%')
    )
    marks = []
    for found in db.execute(asked):
        link = pushed_row_from(found).link
        try:
            row = decode_row(link.row) if link else None
        except EntryError:
            continue
        if link and isinstance(row, RowsLost):
            marks.append((link.seq, row))
    return marks


def check_older_chains(db: Connection, own: str) -> None:
    """Marks unsealed rows in the chains of other clubs, which versions before 0.4 accepted. Each
    chain is checked only once. `own`: the hub's own club."""
    asked = select(chains).where(
        chains.c.club != own, chains.c.unsealed.is_(None), chains.c.seal != NO_SEAL
    )
    for chain in map(chain_from_row, db.execute(asked).all()):
        mine = rows.c.club == chain.club, rows.c.box == chain.box, rows.c.chain == chain.chain
        first = select(rows.c.before).where(*mine, rows.c.seq == chain.first)
        since = Head(chain.first - 1, bytes(db.execute(first).scalar_one()))
        box_chains = chains_of(db, chain.club, chain.box)
        stretch, _ = unsealed_before_gaps(db, chain, box_chains, since)
        its = (
            chains.c.club == chain.club, chains.c.box == chain.box,
            chains.c.chain == chain.chain,
        )  # fmt: skip
        text = format_ranges([stretch] if stretch else [])
        db.execute(update(chains).where(*its).values(unsealed=text))
