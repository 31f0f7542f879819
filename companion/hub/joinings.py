"""Requests to join a hub's club, with the addresses from which they came, so that strangers never
lock out a box.

A request is never refused for being one too many: it takes the place of the oldest of its own
address, or of the address that has most. So only those who ask again and again lose theirs.
"""

from collections import Counter
from dataclasses import dataclass, field

from companion.club.session import BOX
from companion.core.budgets import JOININGS, WAITING, WAITING_OF_ADDRESS
from companion.core.spending import Spending
from companion.hub.members import Joining, Members
from companion.web.access import is_loopback


@dataclass(slots=True)
class Joinings:
    """Whoever asks to join this hub."""

    members: Members
    spending: Spending
    _addresses: dict[str, str] = field(default_factory=dict)
    """The address of each box that asked here; others asked before the hub was started."""

    def may_ask(self, address: str) -> bool:
        """Whether one more request may come from that address now. This machine's own has no such
        limit, as a proxy that names no visitors asks from it."""
        return is_loopback(address) or self.spending.spend(JOININGS, address)

    def ask(self, key: bytes, name: str, digits: str, address: str, kind: str | None = BOX) -> None:
        """Notes that a box, or a club, asks to join. Only the committer may call this. Raises
        AwayError."""
        box = self.members.ask(key, name, digits, kind)
        self._addresses[box] = address
        waiting = self.members.waiting()
        self._addresses = {one.box: self._of(one) for one in waiting}
        others = [one for one in waiting if one.box != box]
        if sum(self._of(one) == address for one in waiting) > WAITING_OF_ADDRESS.most:
            self.spending.note(WAITING_OF_ADDRESS, address)
            self._drop_oldest(others, address)
        elif len(waiting) > WAITING.most:
            (busiest, _), *_ = Counter(map(self._of, others)).most_common(1)
            self.spending.note(WAITING, busiest)
            self._drop_oldest(others, busiest)

    def _of(self, one: Joining) -> str:
        return self._addresses.get(one.box, "")

    def _drop_oldest(self, waiting: list[Joining], address: str) -> None:
        oldest = next(one for one in waiting if self._of(one) == address)
        self.members.drop(oldest.box)
