"""Puts people at tables so that, if possible, nobody meets again, and then so that people who are
near in the standings sit together.

People are numbers here, 0 for the first in the standings. There are three steps:

1. Seat everybody in the order of the standings, table after table. The short tables get the people
   who have sat at one least often, of these the lowest in the standings.
2. If that costs something (a meeting again, a broken wish, another turn at a short table), people
   of such tables change seats with others as near in the standings as possible, as long as that
   lowers the cost. If some cost is left, pair as many people as can be (`matching`) where two sit
   at a table, else search all ways of seating them (`cover`), then change seats by lot.
3. Change seats by lot so that people who are nearer in the standings come together (`near`).

The work is bounded by counts, never by time, so every machine comes to the same tables.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.events.costs import AGAIN, Costs, Seating
from companion.events.lot import Lot
from companion.events.matching import NOBODY, bits_of, largest_matching
from companion.events.near import bring_near

# ---------------------------------------------------------------- cover
# Searches all ways of seating a few people for one that costs nothing, and stops at the first.
#
# The person with the fewest possible neighbours left is seated first; if no table is left for
# somebody, the search goes back. The work is bounded, because it would take for ever to find that
# nobody can avoid meeting again. It begins anew a few times, by lot, because one unlucky beginning
# takes longer than many fresh ones.


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


# ---------------------------------------------------------------- search

FEW = 72
"""The most people for whom step 2 also tries `cover` and changes by lot."""
SWAPS_BY_LOT, LAPS = 16_000, 4


def seat(sizes: Sequence[int], costs: Costs, lot: Lot, places: Sequence[int] | None) -> Seating:
    """Tables of these sizes, the full ones first. `places`: for each person the place in the
    standings, which the people are in the order of; None: there are none, and step 3 is left
    out."""
    seating = _first(sizes, costs)
    _mend(seating, costs)
    if costs.total(seating) and {*sizes} <= {1, 2}:
        seating = min(seating, _pairs(costs), key=costs.total)
    if costs.total(seating) and sum(sizes) <= FEW:
        seating = _best_of_few(seating, sizes, costs, lot)
    if places is not None:
        seating = bring_near(seating, costs, places, lot)
    return seating


def _pairs(costs: Costs) -> Seating:
    """Pairs that have not met, as many as there can be, then those that are left, then the bye."""
    bye = [one for one, cost in enumerate(costs.short.get(1, ())) if not cost][:1]
    everybody = (1 << len(costs.free)) - 1
    partner = largest_matching(costs.free, everybody & ~sum(1 << one for one in bye))
    pairs = [[one, other] for one, other in enumerate(partner) if one < other]
    left = [one for one, other in enumerate(partner) if other == NOBODY and one not in bye]
    pairs += [left[at : at + 2] for at in range(0, len(left), 2)]
    _mend(pairs, costs)
    return [*pairs, bye] if bye else pairs


def _first(sizes: Sequence[int], costs: Costs) -> Seating:
    """Step 1: seats everybody in the order of the standings, the full tables first."""
    people = list(range(sum(sizes)))
    seating = Seating()
    for size in reversed(sizes):
        if turns := costs.short.get(size):
            chosen = sorted(people, key=lambda one: (turns[one], -one))[:size]
            people = [one for one in people if one not in set(chosen)]
            seating.append(sorted(chosen))
    at = 0
    full = Seating()
    for size in sizes:
        if size not in costs.short:
            full.append(people[at : at + size])
            at += size
    short = sorted(one for table in seating for one in table)
    lengths = [len(table) for table in seating]
    if len(set(lengths)) == 1:  # those at short tables sit with their like, too
        seating = [short[start : start + lengths[0]] for start in range(0, len(short), lengths[0])]
    return full + seating


def _mend(seating: Seating, costs: Costs) -> None:
    """Step 2: makes changes of seats that lower the cost, between tables as near as possible, until
    none does or a bounded number was tried."""
    again = [at for at, table in enumerate(seating) if costs.of(table)]
    turns = 20 * len(seating) + 200
    while again and turns:
        turns -= 1
        at = again.pop(0)
        while costs.of(seating[at]) and (other := _swap_cheaper(seating, at, costs)) is not None:
            if costs.of(seating[other]) and other not in again:
                again.append(other)


def _swap_cheaper(seating: Seating, at: int, costs: Costs) -> int | None:
    """Makes the change of seats with table `at` that saves most among those with near tables.
    Returns the number of the other table; None if no change saves anything."""
    table, best = seating[at], 0
    found: tuple[int, int, int] | None = None
    for other in sorted(range(len(seating)), key=lambda each: abs(each - at))[1:]:
        for mine in range(len(table)):
            for theirs in range(len(seating[other])):
                saved = -swap_cost(table, mine, seating[other], theirs, costs)
                if saved > best:
                    best, found = saved, (mine, other, theirs)
        if found and abs(found[1] - at) + 2 < abs(other - at):
            break
    if found is None:
        return None
    mine, other, theirs = found
    table[mine], seating[other][theirs] = seating[other][theirs], table[mine]
    return other


def swap_cost(a: list[int], at: int, b: list[int], place: int, costs: Costs) -> int:
    """The growth of the costs if the person at place `at` of table `a` changes seats with the one
    at `place` of `b`; negative if they fall."""
    rest, others = a[:at] + a[at + 1 :], b[:place] + b[place + 1 :]
    one, other = a[at], b[place]
    before = costs.at(one, rest) + costs.at(other, others)
    after = costs.at(other, rest) + costs.at(one, others)
    return after - before


# ---------------------------------------------------------------- few people


def _best_of_few(seating: Seating, sizes: Sequence[int], costs: Costs, lot: Lot) -> Seating:
    """The cheapest seating found: one of `cover`, which costs nothing, if it finds any; else the
    best of changes by lot."""
    enough = {size: _turns(each, sizes.count(size) * size) for size, each in costs.short.items()}
    if found := cover(sizes, costs.free, enough, lot):
        return found
    begun = [seating]
    if enough and (found := cover(sizes, costs.free, {}, lot)):
        _mend(found, costs)
        begun.append(found)
    best = _by_lot(min(begun, key=costs.total), costs, lot)
    _mend(best, costs)
    return min([*begun, best], key=costs.total)


def _turns(costs: Sequence[int], many: int) -> tuple[int, int]:
    """Who sits at the short tables of one size, with `many` seats in all, if that is to cost least:
    the people who must, and those who may (among them those who must), as bits."""
    dearest = sorted(costs)[many - 1]
    must, may = (
        sum(1 << one for one, cost in enumerate(costs) if cost < bound)
        for bound in (dearest, dearest + 1)
    )
    return must, may


def _by_lot(seating: Seating, costs: Costs, lot: Lot) -> Seating:
    """The cheapest seating met in SWAPS_BY_LOT random changes of seats. A change that costs more is
    taken, too, with a chance that sinks in each of LAPS laps."""
    many = len(seating)
    if many < 2:
        return seating
    known = dict[tuple[int, ...], int]()

    def cost(table: list[int]) -> int:
        key = tuple(sorted(table))
        found = known.get(key)
        if found is None:
            found = known[key] = costs.with_payers(key)
        return found

    tables, each = [list(table) for table in seating], [cost(table) for table in seating]
    best, least = seating, sum(each)
    lap = SWAPS_BY_LOT // LAPS
    for step in range(SWAPS_BY_LOT):
        a = lot.below(many)
        b = (a + 1 + lot.below(many - 1)) % many
        mine, theirs = lot.below(len(tables[a])), lot.below(len(tables[b]))
        one, other = list(tables[a]), list(tables[b])
        one[mine], other[theirs] = other[theirs], one[mine]
        cost_one, cost_other = cost(one), cost(other)
        more = cost_one + cost_other - each[a] - each[b]
        if more > 0 and more > lot.below(2 * AGAIN * (lap - step % lap) ** 3 // lap**3 + 1):
            continue
        tables[a], tables[b], each[a], each[b] = one, other, cost_one, cost_other
        if more < 0 and sum(each) < least:
            best, least = [list(table) for table in tables], sum(each)
    return best
