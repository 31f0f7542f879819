"""Puts people at tables so that nobody meets again while that is possible, then so that those who
stand level sit together.

People are numbers here, 0 for who stands first. Three steps, each a few lines to say:

1. Everybody in the order of the standing, table after table; the short tables get those who have
   sat at one least often, the lowest of them.
2. Where that costs something (a meeting again, a wish broken, a second turn at a short table), one
   of the table changes seats with somebody as near in the standing as possible, as long as all
   gets cheaper. Where that doesn't help, by every way of seating them (`cover`), then by lot.
3. Changes of seats that cost nothing and bring people of nearer standing together.

Nothing here looks at a clock: work is bounded by counts, so every machine comes to the same tables.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from companion.core.values import dataclass
from companion.events.cover import cover
from companion.events.lot import Lot
from companion.events.payers import orders_of, paid_again

Seating = list[list[int]]
"""For each table, who sits there."""

AGAIN = 1_000
"""What one earlier meeting costs; a wish that is broken costs far more, the rest far less."""
WISH, BYE, PAYER, SHORT = 1_000 * AGAIN, 50 * AGAIN, AGAIN // 20, AGAIN // 50
"""What it costs to break a wish, to have a bye or sit at a short table after each such turn before,
and to pay the same player again."""
FEW = 72
"""People up to whom every way is searched, and seats are changed by lot."""
SWAPS_BY_LOT, LAPS = 16_000, 4
NEAR = 12
"""Tables on each side among which step 3 looks for somebody."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What seating costs. `pair`: for each person what it costs to sit with another, nothing where
    there is no such entry; `short`: for each size of a short table what it costs each to sit there;
    `free`: for each person, as bits, with whom sitting costs nothing; `paid`: (payer, paid), how
    often so far."""

    pair: Sequence[dict[int, int]]
    short: dict[int, Sequence[int]]
    free: Sequence[int]
    paid: Mapping[tuple[int, int], int]

    def of(self, table: Sequence[int]) -> int:
        """What a table costs."""
        cost = sum(self.pair[one].get(other, 0) for one, other in combinations(table, 2))
        if sizes := self.short.get(len(table)):
            cost += sum(sizes[one] for one in table)
        return cost

    def at(self, one: int, others: Sequence[int]) -> int:
        """What it costs this person to sit with those others."""
        row = self.pair[one]
        cost = sum(row.get(other, 0) for other in others) if row else 0
        sizes = self.short.get(len(others) + 1)
        return cost + sizes[one] if sizes else cost

    def with_payers(self, table: Sequence[int]) -> int:
        """What a table costs, with what is paid again in the best order of its seats."""
        cost = self.of(table)
        if cost < AGAIN:  # who never met never paid
            return cost
        return cost + PAYER * min(paid_again(order, self.paid) for order in orders_of(table))

    def total(self, seating: Seating) -> int:
        """What all tables cost."""
        return sum(map(self.of, seating))


def seat(sizes: Sequence[int], costs: Costs, lot: Lot, ranked: bool) -> Seating:
    """Tables of these sizes, the full ones first. `ranked`: whether the order of the people means
    anything, so that step 3 has something to do."""
    seating = _first(sizes, costs)
    _mend(seating, costs)
    if costs.total(seating) and sum(sizes) <= FEW:
        seating = _best_of_few(seating, sizes, costs, lot)
    if ranked:
        _bring_near(seating, costs)
    return seating


def _first(sizes: Sequence[int], costs: Costs) -> Seating:
    """Step 1."""
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
    """Step 2: as long as a change of seats makes all cheaper, the nearest that does."""
    again = [at for at, table in enumerate(seating) if costs.of(table)]
    turns = 20 * len(seating) + 200
    while again and turns:
        turns -= 1
        at = again.pop(0)
        while costs.of(seating[at]) and (other := _swap_cheaper(seating, at, costs)) is not None:
            if costs.of(seating[other]) and other not in again:
                again.append(other)


def _swap_cheaper(seating: Seating, at: int, costs: Costs) -> int | None:
    """Makes the change that saves most among the nearest; the other table, or None."""
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
    """What a change of seats between two tables adds to the costs."""
    rest, others = a[:at] + a[at + 1 :], b[:place] + b[place + 1 :]
    one, other = a[at], b[place]
    before = costs.at(one, rest) + costs.at(other, others)
    after = costs.at(other, rest) + costs.at(one, others)
    return after - before


# ---------------------------------------------------------------- few people


def _best_of_few(seating: Seating, sizes: Sequence[int], costs: Costs, lot: Lot) -> Seating:
    """The cheapest found: of all ways, if one of them needs no meeting again, else by lot."""
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
    """As bits, whose turn it is at short tables that seat so many, and who else may sit there."""
    dearest = sorted(costs)[many - 1]
    must, may = (
        sum(1 << one for one, cost in enumerate(costs) if cost < bound)
        for bound in (dearest, dearest + 1)
    )
    return must, may


def _by_lot(seating: Seating, costs: Costs, lot: Lot) -> Seating:
    """Changes of seats by lot; one that costs more is taken, too, but less and less readily."""
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


# ---------------------------------------------------------------- by standing


def _bring_near(seating: Seating, costs: Costs) -> None:
    """Step 3: changes of seats that cost nothing and bring people of nearer standing together."""
    for _ in range(3):
        seating.sort(key=lambda table: sum(table) / len(table))
        changed = False
        for at in range(len(seating)):
            for other in range(at + 1, min(at + NEAR, len(seating))):
                changed |= _nearer(seating[at], seating[other], costs)
        if not changed:
            break


def _nearer(a: list[int], b: list[int], costs: Costs) -> bool:
    """Changes seats between two tables where that brings nearer; whether it did."""
    changed = False
    for mine in range(len(a)):
        for theirs in range(len(b)):
            if (
                _spread_after(a, mine, b, theirs) < _spread(a) + _spread(b)
                and swap_cost(a, mine, b, theirs, costs) <= 0
            ):
                before = costs.with_payers(a) + costs.with_payers(b)
                a[mine], b[theirs] = b[theirs], a[mine]
                if costs.with_payers(a) + costs.with_payers(b) <= before:
                    changed = True
                else:
                    a[mine], b[theirs] = b[theirs], a[mine]
    return changed


def _spread(table: Sequence[int]) -> int:
    """Squared distances between all at the table, scaled so that sizes compare."""
    total = sum(table)
    return (len(table) * sum(one * one for one in table) - total * total) * 12 // len(table)


def _spread_after(a: list[int], mine: int, b: list[int], theirs: int) -> int:
    return _spread([*a[:mine], b[theirs], *a[mine + 1 :]]) + _spread(
        [*b[:theirs], a[mine], *b[theirs + 1 :]]
    )
