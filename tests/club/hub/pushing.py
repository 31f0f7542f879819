"""Boxes that push simulated records to a hub's store, without a network."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from companion.club.box.keys import BOX_SEAL, Head, KeyPair
from companion.club.box.protocol import PushedRow
from companion.club.hub.database import Database
from companion.club.hub.members import Members
from companion.club.hub.store import RECORD_BEGINS, Batch, BatchAnswer, HubStore
from companion.record.rows import GameOpened, Row, RowsLost, Setting, encode_row
from companion.record.store.database import START, ChainLink

AT = 1_790_000_000.0
"""The time of everything, in seconds since 1970, unless a test sets another one."""


def grown(
    links: Sequence[ChainLink], rows: Iterable[tuple[int, Row | str]], at: float | None = AT
) -> list[ChainLink]:
    """The chain `links` with these `rows` after it; each row comes with its game's number."""
    found = list(links)
    for game, row in rows:
        text = row if isinstance(row, str) else encode_row(row)
        before = found[-1].hash if found else START
        seq = found[-1].seq + 1 if found else 1
        found.append(ChainLink.make(before, (seq, game, text, at, None)))
    return found


def settings(many: int, value: str = "on") -> list[tuple[int, Row | str]]:
    """Rows whose content does not matter."""
    return [(0, Setting(f"flip-{number}", value)) for number in range(many)]


@dataclass
class Pusher:
    """A box with its key, a member of the club."""

    store: HubStore
    keys: KeyPair = field(default_factory=KeyPair.generate)

    @classmethod
    def joined(cls, store: HubStore, name: str = "Kitchen") -> "Pusher":
        box = cls(store)
        members = Members(store.database, store.club, store.clock)
        members.store_request(box.keys.public, name, "012345")
        members.accept("012345")
        return box

    @property
    def box(self) -> str:
        return self.keys.identity

    def batch(
        self,
        links: Sequence[ChainLink],
        after: Head | None = None,
        *,
        closed: bool = False,
        lost: ChainLink | None = None,
    ) -> Batch:
        """These rows, sealed. `after`: the head before them, if not the one that the first row
        names; `closed`: the rows go without their content; `lost`: the row that declares a gap
        between them."""
        head = Head(links[-1].seq, links[-1].hash)
        first = links[0]
        before = Head(first.seq - 1, first.before) if first.seq > 1 else RECORD_BEGINS
        return Batch(
            self.store.club,
            self.box,
            before if after is None else after,
            [PushedRow.from_link(link, whole=not closed) for link in links],
            head.make_seal(self.keys, BOX_SEAL, self.store.club, self.box),
            None if lost is None else PushedRow.from_link(lost, whole=True),
        )

    def push(self, links: Sequence[ChainLink]) -> BatchAnswer:
        return self.store.store_batch(self.batch(links))


def club(database: Database, keys: KeyPair | None = None) -> HubStore:
    """The store of a club's hub, in a new database or, with the same `keys`, in one that another
    hub has, too."""
    keys = keys or KeyPair.generate()
    store = HubStore(database, keys, lambda: AT)
    Members(database, store.club, store.clock).begin(keys, "Friday Fives")
    return store


def follows(links: Sequence[ChainLink]) -> bool:
    """Whether each row directly follows the one before."""
    return all(later.before == one.hash for one, later in pairwise(links))


__all__ = ["AT", "GameOpened", "Pusher", "RowsLost", "club", "follows", "grown", "settings"]
