"""Searches all ways of seating a few people for one that costs nothing, and stops at the first.

The person with the fewest possible neighbours left is seated first; if no table is left for
somebody, the search goes back. The work is bounded, because it would take for ever to find that
nobody can avoid meeting again. It begins anew a few times, by lot, because one unlucky beginning
takes longer than many fresh ones.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.events.lot import Lot
from companion.events.matching import bits_of

BEGINNINGS, TRIES = 10, 1_500
"""The number of times that the search begins, and of tables that it tries each time."""
ShortTurns = Mapping[int, tuple[int, int]]
"""For each size of short tables, as bits: the people who must sit there, and those who may."""


def cover(
    sizes: Sequence[int], free: Sequence[int], turns: ShortTurns, lot: Lot
) -> list[list[int]] | None:
    """Tables of these sizes, the full ones first, at which all are `free` to sit with each other
    (bits by person) and which keep to the `turns` at short tables. None if no such seating was
    found."""
    people = sum(sizes)
    for beginning in range(BEGINNINGS):
        rank = [at + lot.below(1 + people * beginning // 4) for at in range(people)]
        found = _Cover(free, turns, rank).seat((1 << people) - 1, tuple(sizes))
        if found is not None:
            return sorted(found, key=lambda table: -len(table))
    return None


class _Cover:
    def __init__(self, free: Sequence[int], turns: ShortTurns, rank: Sequence[int]) -> None:
        self.free, self.turns, self.rank, self.left = free, turns, rank, TRIES

    def seat(self, people: int, sizes: tuple[int, ...]) -> list[list[int]] | None:
        """Tables of these `sizes` for all `people` (bits); None if none were found."""
        if not people:
            return []
        short = next((size for size in sizes if size in self.turns), None)
        must, may = (0, people) if short is None else self.turns[short]
        if short is None and any(people & turns[0] for turns in self.turns.values()):
            return None
        first = people & must or people & may
        if not first:
            return None
        one = min(
            bits_of(first),
            key=lambda each: ((self.free[each] & people).bit_count(), self.rank[each]),
        )
        for size in dict.fromkeys(reversed(sizes)):
            if must >> one & 1 and size != short:
                continue
            allowed = people & self.free[one] & self.turns.get(size, (0, -1))[1]
            at = sizes.index(size)
            for others in self._together(allowed, size - 1, one, must):
                self.left -= 1
                if self.left < 0:
                    return None
                rest = people & ~(1 << one) & ~sum(1 << other for other in others)
                found = self.seat(rest, sizes[:at] + sizes[at + 1 :])
                if found is not None:
                    return [[one, *others], *found]
        return None

    def _together(self, allowed: int, many: int, near: int, must: int) -> Iterator[tuple[int, ...]]:
        """All groups of `many` of the people `allowed` who are free to sit with each other. People
        who `must` sit at a short table come first, then those nearest to `near`."""
        if not many:
            yield ()
            return
        rank = self.rank
        for one in sorted(
            bits_of(allowed),
            key=lambda each: (not must >> each & 1, abs(rank[each] - rank[near]), each),
        ):
            allowed &= ~(1 << one)
            for others in self._together(allowed & self.free[one], many - 1, near, must):
                yield one, *others
