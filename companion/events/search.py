"""Puts people at tables so that, if possible, nobody meets again, and then so that people who are
near in the standings sit together.

People are numbers here, 0 for the first in the standings. There are three steps:

1. Seat everybody in the order of the standings, table after table. The short tables get the people
   who have sat at one least often, of these the lowest in the standings.
2. If that costs something (a repeated meeting, a broken wish, another turn at a short table),
   people of such tables swap seats with others as near in the standings as possible, as long as
   that lowers the cost. If some cost is left, pair as many people as can be (`largest_matching`)
   where two sit at a table, else search all ways of seating them (`cover`), then change seats by
   lot.
3. Change seats by lot so that people who are nearer in the standings come together (`bring_near`).

The work is bounded by counts, never by time, so every machine comes to the same tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from companion.core.values import dataclass
from companion.events.draw import Lot, distance, repeated_payments, seat_orders

# ---------------------------------------------------------------- matching
# A largest matching in a graph (Edmonds, 1965). A bounded search may miss the only way of pairing
# everybody; this finds it whenever there is one. So it decides who can have a bye without a repeat
# among the others.

NOBODY = -1


def bits_of(people: int) -> Iterator[int]:
    """The people in a bit mask, the lowest first."""
    while people:
        lowest = people & -people
        yield lowest.bit_length() - 1
        people ^= lowest


def largest_matching(free: Sequence[int], people: int) -> list[int]:
    """The partner of each person, NOBODY for none, with as many pairs as possible. `people`: bit
    mask of those to pair; `free`: for each person, the bit mask of possible partners. Neighbours in
    the standings are paired if that doesn't cost a pair."""
    search = _Matching([each & people for each in free])
    for one in bits_of(people):
        search.pair_nearest(one)
    for one in bits_of(people):
        if search.partner[one] == NOBODY:
            search.find_partner(one)
    return search.partner


class _Matching:
    """The matching so far, for Edmonds' blossom algorithm. A path begins at a person without a
    partner, and goes alternately to a possible partner and to that one's partner. `single`: bit
    mask of those without a partner; `before`: for each person at an odd distance, the previous one
    on the path; `base`: for each person, the base of the blossom (odd cycle) that contains them, or
    the person themselves."""

    def __init__(self, free: Sequence[int]) -> None:
        self.free = free
        self.partner = [NOBODY] * len(free)
        self.single = (1 << len(free)) - 1
        self.before = list[int]()
        self.base = list[int]()

    def pair_nearest(self, one: int) -> None:
        """Pairs this person with the nearest possible one who has no partner, if any."""
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

    def find_partner(self, root: int) -> None:
        """Finds a partner for `root` too, by changing other pairs, if that is possible."""
        at = self._find_path_end(root)
        while at != NOBODY:
            one = self.before[at]
            after = self.partner[one]
            self._pair(one, at)
            at = after

    def _find_path_end(self, root: int) -> int:
        """Searches for a path from `root` to another person without a partner. Returns that person,
        or NOBODY."""
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
                    for each in self._contract_blossom(one, other):
                        if each not in even:
                            even.add(each)
                            queue.append(each)
                elif self.before[other] == NOBODY:
                    self.before[other] = one
                    even.add(self.partner[other])
                    queue.append(self.partner[other])
        return NOBODY

    def _contract_blossom(self, one: int, other: int) -> list[int]:
        """Contracts the blossom (odd cycle) that these two close. Returns the people in it."""
        base = self._common_base(one, other)
        circle = {
            *self._record_way_back(one, base, other),
            *self._record_way_back(other, base, one),
        }
        found = [each for each in range(len(self.base)) if self.base[each] in circle]
        for each in found:
            self.base[each] = base
        return found

    def _common_base(self, one: int, other: int) -> int:
        """The first base that the paths of both to the root share."""
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

    def _record_way_back(self, at: int, base: int, child: int) -> Iterator[int]:
        """Walks from `at` to the blossom's `base` and records the way back. Yields the bases on the
        way."""
        while self.base[at] != base:
            yield self.base[at]
            yield self.base[self.partner[at]]
            self.before[at] = child
            child = self.partner[at]
            at = self.before[child]


# ---------------------------------------------------------------- costs of a seating
# Broken wishes, repeated meetings and payments, and turns at short tables.

Seating = list[list[int]]
"""For each table, the people who sit there."""

REPEAT_COST: Final = 100_000
"""The cost of a repeated meeting, for each earlier one."""
WISH_COST, PAYER_COST, SHORT_COST = 1_000 * REPEAT_COST, REPEAT_COST // 100, REPEAT_COST // 10_000
"""The cost of a broken wish; of paying the same player again; and of a turn at a short table, for
each turn beyond the fewest that anybody has had. Any number of lighter ones costs less than one
heavier one."""
BYE_COST: Final = WISH_COST
"""The cost of a bye for everybody except the one chosen for it."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of seating people. `pair`: for each person, the cost of sitting with others, 0 for
    those left out; `short`: for each size of short table, each person's cost of sitting there;
    `free`: for each person, the bit mask of those to sit with at no cost; `paid`: for each (payer,
    paid), how often so far."""

    pair: Sequence[dict[int, int]]
    short: dict[int, Sequence[int]]
    free: Sequence[int]
    paid: Mapping[tuple[int, int], int]

    def of_table(self, table: Sequence[int]) -> int:
        """The cost of a table."""
        cost = sum(self.pair[one].get(other, 0) for one, other in combinations(table, 2))
        if sizes := self.short.get(len(table)):
            cost += sum(sizes[one] for one in table)
        return cost

    def of_person(self, one: int, others: Sequence[int]) -> int:
        """The cost for the person `one` of sitting at a table with `others`."""
        row = self.pair[one]
        cost = sum(row.get(other, 0) for other in others) if row else 0
        sizes = self.short.get(len(others) + 1)
        return cost + sizes[one] if sizes else cost

    def with_payers(self, table: Sequence[int]) -> int:
        """The cost of a table, including the repeated payments in the seating order that has the
        fewest."""
        cost = self.of_table(table)
        if cost < REPEAT_COST:  # players who haven't met haven't paid each other
            return cost
        return cost + PAYER_COST * min(
            repeated_payments(order, self.paid) for order in seat_orders(table)
        )

    def total(self, seating: Seating) -> int:
        return sum(map(self.of_table, seating))


def bye_costs(free: Sequence[int], byes: Sequence[int]) -> list[int]:
    """For each person the cost of the round's only bye: 0 for the person chosen for it, who is, of
    those with the fewest byes so far, the one without whom the most others can be paired without a
    repeat; if there are several, the lowest in the standings. `byes`: each person's number so far;
    `free`: as in Costs."""
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
    return [0 if one == chosen else BYE_COST for one in range(len(free))]


# ---------------------------------------------------------------- near in the standings
# The last step: people swap seats by lot. A swap for the worse is also accepted, with a probability
# that falls with the heat of each lap, so that the search can leave a seating that no single swap
# improves (simulated annealing, with whole numbers only). The best seating that was found is the
# result: first the one with the lowest costs, then the one with the least distance. The number of
# changes that are tried depends only on the number of people.
#
# Rounds that seat neighbours in the standings together leave groups of people who have all met each
# other, so that somebody meets again a round or two earlier than necessary: with 40 people in the
# ninth. Avoiding repeats has priority, so shortly before such a round people are seated with those
# with whom they share the fewest acquaintances, and only then with neighbours.

LAPS: Final = 8 * ((4, 2, 14), (2, 1, 30), (2, 1, 8), (4, 2, 30))
"""For each lap three numbers: its heat, as a multiple of the mean distance at a table; the divisor
that turns the heat into the cost, as a distance, of one repeated meeting or one more turn at a
short table; and how many places apart in the standings people may swap seats."""
MAX_LAPS_IN_VAIN: Final = 16
"""The search ends after this many laps without improvement."""
MAX_CHANGES: Final = 20_000
"""The most changes that a lap tries; fewer if there are few people."""
REPEATS_PER_WISH: Final = 8
"""How many repeated meetings weigh as much as a broken wish."""

LOOK_AHEAD_THRESHOLDS: Final = ((range(20, 33), 1, 2), (range(33, 49), 3, 10))
"""The numbers of people for which later rounds are considered, and the part of the others
(numerator, denominator) that they must have met before. With fewer people somebody meets again too
soon for that to help; with more, that part isn't reached in ten rounds."""
AHEAD_WEIGHT: Final = 20
"""The weight of shared acquaintances at a table, as a multiple of the distance."""


def bring_near(seating: Seating, costs: Costs, places: Sequence[int], lot: Lot) -> Seating:
    """The seating after moving people so that they sit with others who are near them in the
    standings. `places`: each person's place there; the people are numbered in that order."""
    annealing, in_vain = _Annealing(seating, costs, places), 0
    for heat, parts, reach in LAPS if len(seating) > 1 else ():
        best = annealing.best
        annealing.run_lap(lot, heat, parts, reach)
        in_vain = in_vain + 1 if annealing.best is best else 0
        if in_vain == MAX_LAPS_IN_VAIN:
            break
    return annealing.best


class _Annealing:
    def __init__(self, seating: Seating, costs: Costs, places: Sequence[int]) -> None:
        self.best = seating
        self._costs, self._places = costs, places
        self._ahead_weight, self._shared = 0, list[list[int]]()
        far = sum(map(self._distance, seating))
        if _should_look_ahead(seating, costs):
            self._shared = _shared_acquaintances(costs)
            shared = sum(map(self._shared_at, seating))
            self._ahead_weight = AHEAD_WEIGHT * far // max(1, shared)
            far += self._ahead_weight * shared
        self._least = sum(map(self._costs.with_payers, seating)), far
        everybody = range(len(places))
        self._repeat_weight = [
            [_repeat_weight(row.get(other, 0)) for other in everybody] for row in costs.pair
        ]
        none = [0] * len(places)
        self._short: Mapping[int, Sequence[int]] = {
            size: [cost // SHORT_COST for cost in costs.short[size]]
            if size in costs.short
            else none
            for size in {*map(len, seating)}
        }

    def _distance(self, table: Sequence[int]) -> int:
        return distance([self._places[one] for one in table])

    def _shared_at(self, table: Sequence[int]) -> int:
        return sum(self._shared[one][other] for one, other in combinations(table, 2))

    def run_lap(self, lot: Lot, heat: int, parts: int, reach: int) -> None:
        """Tries one lap of seat changes, starting from the best seating so far."""
        places, weight, short, below = self._places, self._repeat_weight, self._short, lot.below
        tables = [list(table) for table in self.best]
        where = {one: at for at, table in enumerate(tables) for one in table}
        sums = [sum(places[one] for one in table) for table in tables]
        costs = [self._costs.with_payers(table) for table in tables]
        ahead, shared = self._ahead_weight, self._shared
        cost, far = self._least
        many, any_met = len(places), any(map(any, weight))
        reach, changes = min(reach, many - 1), min(MAX_CHANGES, 40 * many * many)
        hottest = heat + heat * far // len(tables)
        per_weight = 1 + hottest // parts
        for left in range(changes, 0, -1):
            one, step = divmod(below(many * 2 * reach), 2 * reach)
            other = one + step - reach + (step >= reach)
            if not 0 <= other < many or (a := where[one]) == (b := where[other]):
                continue
            mine, theirs = tables[a], tables[b]
            from_, to = places[one], places[other]
            squares = to * to - from_ * from_
            farther = (len(mine) - len(theirs)) * squares - 2 * (to - from_) * (
                sums[a] - from_ - sums[b] + to
            )
            if ahead:
                farther += ahead * _more_shared(shared, one, other, mine, theirs)
            worse = 0
            if any_met:
                its, others = weight[one], weight[other]
                for each in mine:
                    worse += others[each] - its[each]
                for each in theirs:
                    worse += its[each] - others[each]
                worse -= 2 * its[other]
            if len(mine) != len(theirs):
                at_a, at_b = short[len(mine)], short[len(theirs)]
                worse += at_a[other] - at_a[one] + at_b[one] - at_b[other]
            grows = farther + per_weight * worse
            bound = hottest * left**3 // changes**3 + 1
            if grows > 0 and grows > below(bound):
                continue
            new_a = [other if each == one else each for each in mine]
            new_b = [one if each == other else each for each in theirs]
            cost_a, cost_b = self._costs.with_payers(new_a), self._costs.with_payers(new_b)
            again = (
                _repeated_payers(cost_a)
                + _repeated_payers(cost_b)
                - _repeated_payers(costs[a])
                - _repeated_payers(costs[b])
            )
            if again > 0 and grows + per_weight * again > below(bound):
                continue
            tables[a], tables[b], where[one], where[other] = new_a, new_b, b, a
            sums[a] += to - from_
            sums[b] += from_ - to
            cost += cost_a + cost_b - costs[a] - costs[b]
            costs[a], costs[b] = cost_a, cost_b
            far += farther
            if (cost, far) < self._least:
                self._least, self.best = (cost, far), [list(table) for table in tables]


def _acquaintances(costs: Costs) -> list[int]:
    """For each person, the bit mask of those they have met."""
    return [
        sum(1 << other for other, cost in row.items() if cost % WISH_COST) for row in costs.pair
    ]


def _should_look_ahead(seating: Seating, costs: Costs) -> bool:
    many = len(costs.pair)
    met, others = sum(each.bit_count() for each in _acquaintances(costs)), many * (many - 1)
    return max(map(len, seating)) > 2 and any(
        many in people and met * whole >= others * part
        for people, part, whole in LOOK_AHEAD_THRESHOLDS
    )


def _shared_acquaintances(costs: Costs) -> list[list[int]]:
    """For each pair of people, how many others both have met."""
    met = _acquaintances(costs)
    return [
        [(its & others).bit_count() * (one != other) for other, others in enumerate(met)]
        for one, its in enumerate(met)
    ]


def _more_shared(
    shared: Sequence[Sequence[int]], one: int, other: int, mine: list[int], theirs: list[int]
) -> int:
    """The change in shared acquaintances over all pairs at the two tables if `one` of table `mine`
    and `other` of table `theirs` swap seats."""
    with_one, with_other = shared[one], shared[other]
    more = -2 * with_one[other]
    for each in mine:
        more += with_other[each] - with_one[each]
    for each in theirs:
        more += with_one[each] - with_other[each]
    return more


def _repeat_weight(cost: int) -> int:
    return cost // WISH_COST * REPEATS_PER_WISH + cost % WISH_COST // REPEAT_COST


def _repeated_payers(cost: int) -> int:
    """The number of players who would pay the same player again, from the cost of their table."""
    return cost % REPEAT_COST // PAYER_COST


# ---------------------------------------------------------------- cover
# Searches all ways of seating a few people for one that costs nothing, and stops at the first.
#
# The person with the fewest possible neighbours left is seated first; if no table is left for
# somebody, the search goes back. The work is bounded, because proving that a repeated meeting can't
# be avoided would take for ever. It starts again a few times, by lot, because one unlucky start
# takes longer than many new ones.


MAX_STARTS, MAX_TABLES = 10, 1_500
"""How often the search starts, and how many tables it tries each time."""
ShortTurns = Mapping[int, tuple[int, int]]
"""For each size of short table, two bit masks: the people who must sit at one, and those who
may."""


def find_free_seating(
    sizes: Sequence[int], free: Sequence[int], turns: ShortTurns, lot: Lot
) -> list[list[int]] | None:
    """Tables of these sizes, the full ones first, at which everybody is `free` to sit with
    everybody else (bit masks by person), and which respect the `turns` at short tables. None if no
    such seating was found."""
    people = sum(sizes)
    for start in range(MAX_STARTS):
        rank = [at + lot.below(1 + people * start // 4) for at in range(people)]
        found = _CoverSearch(free, turns, rank).seat((1 << people) - 1, tuple(sizes))
        if found is not None:
            return sorted(found, key=lambda table: -len(table))
    return None


class _CoverSearch:
    def __init__(self, free: Sequence[int], turns: ShortTurns, rank: Sequence[int]) -> None:
        self.free, self.turns, self.rank, self.left = free, turns, rank, MAX_TABLES

    def seat(self, people: int, sizes: tuple[int, ...]) -> list[list[int]] | None:
        """Tables of these `sizes` for all `people` (a bit mask); None if none were found."""
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
            for others in self._compatible_groups(allowed, size - 1, one, must):
                self.left -= 1
                if self.left < 0:
                    return None
                rest = people & ~(1 << one) & ~sum(1 << other for other in others)
                found = self.seat(rest, sizes[:at] + sizes[at + 1 :])
                if found is not None:
                    return [[one, *others], *found]
        return None

    def _compatible_groups(
        self, allowed: int, many: int, near: int, must: int
    ) -> Iterator[tuple[int, ...]]:
        """All groups of `many` people, out of `allowed`, who are free to sit with each other.
        People who `must` sit at a short table come first, then those nearest to `near`."""
        if not many:
            yield ()
            return
        rank = self.rank
        for one in sorted(
            bits_of(allowed),
            key=lambda each: (not must >> each & 1, abs(rank[each] - rank[near]), each),
        ):
            allowed &= ~(1 << one)
            for others in self._compatible_groups(allowed & self.free[one], many - 1, near, must):
                yield one, *others


# ---------------------------------------------------------------- search

MAX_PEOPLE_FOR_COVER = 72
"""The most people for whom step 2 also tries `cover` and changes by lot."""
SWAPS_BY_LOT, LAPS_BY_LOT = 16_000, 4


def find_seating(
    sizes: Sequence[int], costs: Costs, lot: Lot, places: Sequence[int] | None
) -> Seating:
    """Tables of these sizes, the full ones first. The people are numbered in the order of the
    standings; `places`: their places there; None without standings, and then step 3 of the module's
    docstring is skipped."""
    seating = _initial_seating(sizes, costs)
    _swap_while_cheaper(seating, costs)
    if costs.total(seating) and {*sizes} <= {1, 2}:
        seating = min(seating, _pair_everybody(costs), key=costs.total)
    if costs.total(seating) and sum(sizes) <= MAX_PEOPLE_FOR_COVER:
        seating = _best_of_few(seating, sizes, costs, lot)
    if places is not None:
        seating = bring_near(seating, costs, places, lot)
    return seating


def _pair_everybody(costs: Costs) -> Seating:
    """As many pairs as possible of people who have not met, then the remaining pairs, then the
    bye."""
    bye = [one for one, cost in enumerate(costs.short.get(1, ())) if not cost][:1]
    everybody = (1 << len(costs.free)) - 1
    partner = largest_matching(costs.free, everybody & ~sum(1 << one for one in bye))
    pairs = [[one, other] for one, other in enumerate(partner) if one < other]
    left = [one for one, other in enumerate(partner) if other == NOBODY and one not in bye]
    pairs += [left[at : at + 2] for at in range(0, len(left), 2)]
    _swap_while_cheaper(pairs, costs)
    return [*pairs, bye] if bye else pairs


def _initial_seating(sizes: Sequence[int], costs: Costs) -> Seating:
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
    if len(set(lengths)) == 1:  # only then do people at short tables sit with neighbours too
        seating = [short[start : start + lengths[0]] for start in range(0, len(short), lengths[0])]
    return full + seating


def _swap_while_cheaper(seating: Seating, costs: Costs) -> None:
    """Step 2: swaps people between tables, as near as possible, while that lowers the cost, up to a
    fixed number of tries."""
    again = [at for at, table in enumerate(seating) if costs.of_table(table)]
    turns = 20 * len(seating) + 200
    while again and turns:
        turns -= 1
        at = again.pop(0)
        while (
            costs.of_table(seating[at])
            and (other := _make_best_swap(seating, at, costs)) is not None
        ):
            if costs.of_table(seating[other]) and other not in again:
                again.append(other)


def _make_best_swap(seating: Seating, at: int, costs: Costs) -> int | None:
    """Makes the swap between table `at` and a nearby one that saves the most. Returns the number of
    the other table; None if no swap saves anything."""
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
    """The change in cost if the person in seat `at` of table `a` swaps with the one in seat `place`
    of `b`; negative if it gets cheaper."""
    rest, others = a[:at] + a[at + 1 :], b[:place] + b[place + 1 :]
    one, other = a[at], b[place]
    before = costs.of_person(one, rest) + costs.of_person(other, others)
    after = costs.of_person(other, rest) + costs.of_person(one, others)
    return after - before


# ---------------------------------------------------------------- a few people


def _best_of_few(seating: Seating, sizes: Sequence[int], costs: Costs, lot: Lot) -> Seating:
    """The cheapest seating found: the one from `cover`, which costs nothing, or, if there is none,
    the best one after random changes."""
    enough = {
        size: _short_table_people(each, sizes.count(size) * size)
        for size, each in costs.short.items()
    }
    if found := find_free_seating(sizes, costs.free, enough, lot):
        return found
    begun = [seating]
    if enough and (found := find_free_seating(sizes, costs.free, {}, lot)):
        _swap_while_cheaper(found, costs)
        begun.append(found)
    best = _swap_by_lot(min(begun, key=costs.total), costs, lot)
    _swap_while_cheaper(best, costs)
    return min([*begun, best], key=costs.total)


def _short_table_people(costs: Sequence[int], many: int) -> tuple[int, int]:
    """The people for the short tables of one size, with `many` seats in all, at the lowest cost, as
    two bit masks: those who must sit there, and those who may (including the former)."""
    dearest = sorted(costs)[many - 1]
    must, may = (
        sum(1 << one for one, cost in enumerate(costs) if cost < bound)
        for bound in (dearest, dearest + 1)
    )
    return must, may


def _swap_by_lot(seating: Seating, costs: Costs, lot: Lot) -> Seating:
    """The cheapest seating found in SWAPS_BY_LOT random swaps. A swap that costs more is also
    accepted, with a probability that falls during each lap."""
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
    lap = SWAPS_BY_LOT // LAPS_BY_LOT
    for step in range(SWAPS_BY_LOT):
        a = lot.below(many)
        b = (a + 1 + lot.below(many - 1)) % many
        mine, theirs = lot.below(len(tables[a])), lot.below(len(tables[b]))
        one, other = list(tables[a]), list(tables[b])
        one[mine], other[theirs] = other[theirs], one[mine]
        cost_one, cost_other = cost(one), cost(other)
        more = cost_one + cost_other - each[a] - each[b]
        if more > 0 and more > lot.below(2 * REPEAT_COST * (lap - step % lap) ** 3 // lap**3 + 1):
            continue
        tables[a], tables[b], each[a], each[b] = one, other, cost_one, cost_other
        if more < 0 and sum(each) < least:
            best, least = [list(table) for table in tables], sum(each)
    return best
