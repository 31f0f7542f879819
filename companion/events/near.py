"""Brings people together at tables who are near in the standings: the last step of a draw.

People change seats by lot. A change for the worse is made, too, with a chance that sinks with the
heat of each lap, so that the search gets out of a seating that no single change makes better
(simulated annealing, in whole numbers alone). The best seating that was met is the result: first
the one with the lowest costs, then the one with the least distance. The number of changes that are
tried depends on nothing but the number of people.

Rounds that are drawn near leave groups of people who have all met each other, and then somebody has
to meet again a round or two earlier than need be: of 40 people in the ninth. Meetings count first,
so once such a round comes in sight, people are seated with those with whom they share the fewest
acquaintances, and only then with those who are near.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from companion.events.costs import AGAIN, PAYER, SHORT, WISH, Costs, Seating
from companion.events.lot import Lot

LAPS: Final = 8 * ((4, 2, 14), (2, 1, 30), (2, 1, 8), (4, 2, 30))
"""For each lap its heat, as so many times the mean distance at a table; by what this is divided to
weigh one meeting again, or one more turn at a short table, against distance; and the range within
which people change seats, in the order of the standings."""
IN_VAIN: Final = 16
"""After so many laps that have found nothing better, no other follows."""
MOST_CHANGES: Final = 20_000
"""The changes that are tried in a lap with many people; few people need fewer."""
WISHED: Final = 8
"""How many meetings weigh as much as a broken wish."""

LOOKS_AHEAD: Final = ((range(20, 33), 1, 2), (range(33, 49), 3, 10))
"""How many people are seated for the sake of later rounds, too, once they have met such a part of
the others. Of fewer somebody meets again too soon for it to help; more don't come to it in ten
rounds."""
AHEAD: Final = 20
"""How many times as much as the distance the acquaintances weigh then who are shared at a table."""


def bring_near(seating: Seating, costs: Costs, places: Sequence[int], lot: Lot) -> Seating:
    """The seating improved. `places`: for each person the place in the standings; the people are in
    that order."""
    near, in_vain = _Near(seating, costs, places), 0
    for heat, parts, reach in LAPS if len(seating) > 1 else ():
        best = near.best
        near.change_seats(lot, heat, parts, reach)
        in_vain = in_vain + 1 if near.best is best else 0
        if in_vain == IN_VAIN:
            break
    return near.best


def distance(table: Sequence[int]) -> int:
    """The sum of the squared differences of these places, over all pairs."""
    return sum((one - other) ** 2 for one, other in combinations(table, 2))


class _Near:
    def __init__(self, seating: Seating, costs: Costs, places: Sequence[int]) -> None:
        self.best = seating
        self._costs, self._places = costs, places
        self._ahead, self._shared = 0, list[list[int]]()
        far = sum(map(self._distance, seating))
        if _looks_ahead(seating, costs):
            self._shared = _shared_acquaintances(costs)
            shared = sum(map(self._shares, seating))
            self._ahead = AHEAD * far // max(1, shared)
            far += self._ahead * shared
        self._least = sum(map(self._costs.with_payers, seating)), far
        everybody = range(len(places))
        self._weight = [[_weight(row.get(other, 0)) for other in everybody] for row in costs.pair]
        none = [0] * len(places)
        self._short: Mapping[int, Sequence[int]] = {
            size: [cost // SHORT for cost in costs.short[size]] if size in costs.short else none
            for size in {*map(len, seating)}
        }

    def _distance(self, table: Sequence[int]) -> int:
        return distance([self._places[one] for one in table])

    def _shares(self, table: Sequence[int]) -> int:
        return sum(self._shared[one][other] for one, other in combinations(table, 2))

    def change_seats(self, lot: Lot, heat: int, parts: int, reach: int) -> None:
        """A lap: changes seats, begun with the best seating so far."""
        places, weight, short, below = self._places, self._weight, self._short, lot.below
        tables = [list(table) for table in self.best]
        where = {one: at for at, table in enumerate(tables) for one in table}
        sums = [sum(places[one] for one in table) for table in tables]
        costs = [self._costs.with_payers(table) for table in tables]
        ahead, shared = self._ahead, self._shared
        cost, far = self._least
        many, any_met = len(places), any(map(any, weight))
        reach, changes = min(reach, many - 1), min(MOST_CHANGES, 40 * many * many)
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
            again = _payers(cost_a) + _payers(cost_b) - _payers(costs[a]) - _payers(costs[b])
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
    """For each person, as bits, whom they have met."""
    return [sum(1 << other for other, cost in row.items() if cost % WISH) for row in costs.pair]


def _looks_ahead(seating: Seating, costs: Costs) -> bool:
    many = len(costs.pair)
    met, others = sum(each.bit_count() for each in _acquaintances(costs)), many * (many - 1)
    return max(map(len, seating)) > 2 and any(
        many in people and met * whole >= others * part for people, part, whole in LOOKS_AHEAD
    )


def _shared_acquaintances(costs: Costs) -> list[list[int]]:
    """For each person, how many people they and each other person have both met."""
    met = _acquaintances(costs)
    return [
        [(its & others).bit_count() * (one != other) for other, others in enumerate(met)]
        for one, its in enumerate(met)
    ]


def _more_shared(
    shared: Sequence[Sequence[int]], one: int, other: int, mine: list[int], theirs: list[int]
) -> int:
    """By how many the shared acquaintances grow if `one` of table `mine` and `other` of `theirs`
    change seats."""
    with_one, with_other = shared[one], shared[other]
    more = -2 * with_one[other]
    for each in mine:
        more += with_other[each] - with_one[each]
    for each in theirs:
        more += with_one[each] - with_other[each]
    return more


def _weight(cost: int) -> int:
    return cost // WISH * WISHED + cost % WISH // AGAIN


def _payers(cost: int) -> int:
    """The payers of a table's cost who pay the same player again."""
    return cost % AGAIN // PAYER
