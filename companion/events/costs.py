"""What a seating costs: wishes that are broken, people who meet again or pay the same player again,
turns at short tables.

People are numbers here, 0 for the first in the standings.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from companion.core.values import dataclass
from companion.events.history import orders_of, paid_again
from companion.events.matching import NOBODY, largest_matching

Seating = list[list[int]]
"""For each table, the people who sit there."""

AGAIN: Final = 100_000
"""The cost of meeting again, for each earlier meeting."""
WISH, PAYER, SHORT = 1_000 * AGAIN, AGAIN // 100, AGAIN // 10_000
"""The cost of a broken wish; of paying the same player again; and of a turn at a short table, for
each earlier one beyond the fewest that anybody had. However many there are of the lighter ones,
they don't make up for a heavier one."""
BYE: Final = WISH
"""The cost of a bye for everybody but the one who gets it."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of seating people. `pair`: for each person, the cost of sitting with each other
    person, 0 if there is no entry; `short`: for each size of a short table, the cost for each
    person to sit there; `free`: for each person, as bits, the people to sit with at no cost;
    `paid`: for each (payer, paid), how often so far."""

    pair: Sequence[dict[int, int]]
    short: dict[int, Sequence[int]]
    free: Sequence[int]
    paid: Mapping[tuple[int, int], int]

    def of(self, table: Sequence[int]) -> int:
        """The cost of a table."""
        cost = sum(self.pair[one].get(other, 0) for one, other in combinations(table, 2))
        if sizes := self.short.get(len(table)):
            cost += sum(sizes[one] for one in table)
        return cost

    def at(self, one: int, others: Sequence[int]) -> int:
        """The cost for the person `one` to sit at a table with `others`."""
        row = self.pair[one]
        cost = sum(row.get(other, 0) for other in others) if row else 0
        sizes = self.short.get(len(others) + 1)
        return cost + sizes[one] if sizes else cost

    def with_payers(self, table: Sequence[int]) -> int:
        """The cost of a table, including payments to the same player again, in the order of seats
        that has the fewest."""
        cost = self.of(table)
        if cost < AGAIN:  # who never met never paid
            return cost
        return cost + PAYER * min(paid_again(order, self.paid) for order in orders_of(table))

    def total(self, seating: Seating) -> int:
        """The cost of all tables."""
        return sum(map(self.of, seating))


def bye_costs(free: Sequence[int], byes: Sequence[int]) -> list[int]:
    """For each person the cost of the only bye: 0 for one of those who have had the fewest, with
    whose bye the fewest of the others meet again; of these it is the lowest in the standings.
    `byes`: how many each has had; `free`: as in Costs."""
    everybody = (1 << len(free)) - 1
    fewest, best, chosen = min(byes), -1, 0
    for one in reversed(range(len(free))):
        if byes[one] == fewest:
            rest = everybody & ~(1 << one)
            pairs = sum(other != NOBODY for other in largest_matching(free, rest)) // 2
            if pairs > best:
                best, chosen = pairs, one
            if 2 * pairs == len(free) - 1:
                break
    return [0 if one == chosen else BYE for one in range(len(free))]
