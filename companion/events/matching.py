"""Pairs as many people as possible: a largest matching in a graph (Edmonds, 1965).

A bounded search may miss the one way of pairing everybody; this finds it whenever there is one. So
it decides who can have a bye so that nobody else meets again.
"""

from collections.abc import Iterator, Sequence

NOBODY = -1


def bits_of(people: int) -> Iterator[int]:
    """The people in a set of bits, the lowest first."""
    while people:
        lowest = people & -people
        yield lowest.bit_length() - 1
        people ^= lowest


def largest_matching(free: Sequence[int], people: int) -> list[int]:
    """For each person the partner, NOBODY if there is none, with as many pairs as possible.
    `people`: those to pair, as bits; `free`: for each person, as bits, whom to pair with. Those who
    are near in the order are paired where that costs no pair."""
    search = _Search([each & people for each in free])
    for one in bits_of(people):
        search.pair_nearest(one)
    for one in bits_of(people):
        if search.partner[one] == NOBODY:
            search.pair_up(one)
    return search.partner


class _Search:
    """Pairs found so far. A path begins at somebody without a partner, and goes in turn to a
    possible partner and to that one's partner. `single`: who has no partner, as bits; `before`: for
    each person at an odd distance, the one who came before; `base`: for each person, the one that
    stands for the odd circle that both are in, else the person."""

    def __init__(self, free: Sequence[int]) -> None:
        self.free = free
        self.partner = [NOBODY] * len(free)
        self.single = (1 << len(free)) - 1
        self.before = list[int]()
        self.base = list[int]()

    def pair_nearest(self, one: int) -> None:
        """Pairs somebody with the nearest person who has no partner, if there is one."""
        if self.partner[one] != NOBODY:
            return
        open_to = self.free[one] & self.single
        before = (open_to & ((1 << one) - 1)).bit_length() - 1
        after = (open_to >> one & -(open_to >> one)).bit_length() - 1
        if before != NOBODY and (after == NOBODY or one - before <= after):
            self._pair(one, before)
        elif after != NOBODY:
            self._pair(one, one + after)

    def _pair(self, one: int, other: int) -> None:
        self.partner[one], self.partner[other] = other, one
        self.single &= ~(1 << one | 1 << other)

    def pair_up(self, root: int) -> None:
        """Pairs `root`, too, by changing other pairs, if that is possible."""
        at = self._end_of_path(root)
        while at != NOBODY:
            one = self.before[at]
            after = self.partner[one]
            self._pair(one, at)
            at = after

    def _end_of_path(self, root: int) -> int:
        """Somebody without a partner to whom a path leads from `root`; NOBODY if there is none."""
        many = len(self.free)
        self.before, self.base = [NOBODY] * many, list(range(many))
        even, queue = {root}, [root]
        for one in queue:
            if ends := self.free[one] & self.single & ~(1 << root):
                end = next(bits_of(ends))
                self.before[end] = one
                return end
            for other in bits_of(self.free[one]):
                if self.base[one] == self.base[other] or self.partner[one] == other:
                    continue
                if other == root or (
                    self.partner[other] != NOBODY and self.before[self.partner[other]] != NOBODY
                ):
                    for each in self._shrink(one, other):
                        if each not in even:
                            even.add(each)
                            queue.append(each)
                elif self.before[other] == NOBODY:
                    self.before[other] = one
                    even.add(self.partner[other])
                    queue.append(self.partner[other])
        return NOBODY

    def _shrink(self, one: int, other: int) -> list[int]:
        """Makes one of the odd circle that these two close. Returns who is in it."""
        base = self._common(one, other)
        circle = {*self._mark(one, base, other), *self._mark(other, base, one)}
        found = [each for each in range(len(self.base)) if self.base[each] in circle]
        for each in found:
            self.base[each] = base
        return found

    def _common(self, one: int, other: int) -> int:
        """The first base on the ways of both to the root."""
        seen = set[int]()
        while True:
            one = self.base[one]
            seen.add(one)
            if self.partner[one] == NOBODY:
                break
            one = self.before[self.partner[one]]
        other = self.base[other]
        while other not in seen:
            other = self.base[self.before[self.partner[other]]]
        return other

    def _mark(self, at: int, base: int, child: int) -> Iterator[int]:
        """Walks from `at` to the `base` of a circle, and notes the way back. Yields the bases on
        the way."""
        while self.base[at] != base:
            yield self.base[at]
            yield self.base[self.partner[at]]
            self.before[at] = child
            child = self.partner[at]
            at = self.before[child]
