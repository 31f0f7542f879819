"""Chains of a box as the database has them: where each branches off its parent, and which rows
belong to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from companion.club.keys import Head
from companion.club.links import PushedRow
from companion.hub.schema import chains, rows

LIVE, ASIDE = "live", "aside"
"""The states of a chain. LIVE: it may grow. ASIDE: the organiser chose another branch of the fork.
"""


@dataclass(frozen=True, slots=True)
class Chain:
    """A course of rows of a box. `first`: the number of its own first row; the rows before that are
    those of its `parent` (None: it begins with the record). `head`: its newest row. `seal`: the
    box's signature of the head; `countersign`: the club's. Times are by the hub's clock, in seconds
    since 1970."""

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

    @property
    def key(self) -> tuple[str, str, int]:
        """The key of its row in the database."""
        return self.club, self.box, self.chain

    @property
    def is_live(self) -> bool:
        """Whether it may grow."""
        return self.state == LIVE


def chain_of(found: Any) -> Chain:
    """A chain from its row in the database."""
    return Chain(
        found.club, found.box, found.chain, found.parent, found.first,
        Head(found.seq, bytes(found.hash)), bytes(found.seal), bytes(found.countersign),
        found.state, found.began_at, found.grown_at,
    )  # fmt: skip


def chains_of(db: Connection, club: str, box: str) -> dict[int, Chain]:
    """The chains of a box, by their numbers, the oldest first."""
    asked = select(chains).where(chains.c.club == club, chains.c.box == box)
    return {one.chain: chain_of(one) for one in db.execute(asked.order_by(chains.c.chain))}


def lineage(chain: Chain, of_box: Mapping[int, Chain]) -> list[tuple[Chain, int]]:
    """The chains whose rows make this one, itself first, each with its last row that counts."""
    found, last = [(chain, chain.head.seq)], chain.first - 1
    while chain.parent is not None:
        chain = of_box[chain.parent]
        found.append((chain, last))
        last = min(last, chain.first - 1)
    return found


def rows_where(chain: Chain, of_box: Mapping[int, Chain]) -> ColumnElement[bool]:
    """The condition that finds this chain's rows in the table `rows`, with those of its parents."""
    parts = [
        and_(rows.c.chain == one.chain, rows.c.seq <= last) for one, last in lineage(chain, of_box)
    ]
    return and_(rows.c.club == chain.club, rows.c.box == chain.box, or_(*parts))


PUSHED = (
    rows.c.seq, rows.c.game, rows.c.row, rows.c.at, rows.c.source, rows.c.before, rows.c.hash,
)  # fmt: skip
"""The columns of a PushedRow, in its order."""


def pushed_of(found: Sequence[Any]) -> PushedRow:
    """The PushedRow from a database row with the columns PUSHED."""
    seq, game, row, at, source, before, own = found
    return PushedRow(seq, game, row, at, source, bytes(before), bytes(own))


def values_of(pushed: Iterable[PushedRow], key: tuple[str, str, int]) -> list[dict[str, Any]]:
    """The values with which to INSERT these rows into the chain with this `key`."""
    club, box, chain = key
    return [{"club": club, "box": box, "chain": chain, **row._asdict()} for row in pushed]


def shown_chain(of_box: Iterable[Chain]) -> Chain:
    """The chain of a box that pages show. Of the chains that may grow (if there are none, of all)
    it is the one that grew last."""
    return max(of_box, key=lambda one: (one.is_live, one.grown_at, one.chain))


def is_forked(of_box: Iterable[Chain]) -> bool:
    """Whether the organiser has to choose between chains of a box."""
    return sum(one.is_live for one in of_box) > 1
