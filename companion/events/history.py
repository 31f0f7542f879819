"""What is known of the rounds so far: how often players met and paid each other, sat at tables of
each size and had a bye, and their places in the standings."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from companion.core.values import dataclass
from companion.events.event import ClubEvent, payments
from companion.events.standings import standings

PayerAndPaid = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PastRounds:
    """Counts over the rounds. `met`: by player, how often each other player sat at the same table
    (with fixed partners: on the other side); `paid`: by (payer, paid); `sat`: by (player, number of
    seats at the table), 1 being a bye."""

    met: dict[str, Counter[str]]
    paid: Counter[PayerAndPaid]
    sat: Counter[tuple[str, int]]


def past_rounds(event: ClubEvent) -> PastRounds:
    """Counts over all rounds of the event, whether or not they have results."""
    met = {one.id: Counter[str]() for one in event.players}
    paid, sat = Counter[PayerAndPaid](), Counter[tuple[str, int]]()
    partner = {one: other for pair in event.pairs for one, other in (pair, pair[::-1])}
    for each in event.rounds:
        for player in each.bye:
            sat[player, 1] += 1
        for table in each.tables:
            for seat in table.seats:
                sat[seat, len(table.seats)] += 1
                met[seat].update(
                    other for other in table.seats if other not in (seat, partner.get(seat))
                )
            paid.update(payments(table.seats))
    return PastRounds(met, paid, sat)


def places_of(event: ClubEvent) -> dict[str, int]:
    """For each player the place in the standings, 1 for all before the first round. Players without
    a place have the one behind the last."""
    rows = standings(event) if event.rounds else []
    place = {row.player: row.place for row in rows}
    last = len(event.players) + 1
    return {one.id: place.get(one.id, 1) or last for one in event.players}


# ---------------------------------------------------------------- payers
# The order of seats round a table, which decides who pays whom.


T = TypeVar("T")


def orders_of(table: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """All orders round the table that differ in the neighbours or opposites of a seat; orders that
    only begin at another seat are given once."""
    if len(table) == 3:
        one, a, b = table
        yield from ((one, a, b), (one, b, a))
    elif len(table) == 4:
        one, a, b, c = table
        for opposite, left, right in ((b, a, c), (a, b, c), (c, a, b)):
            yield from ((one, left, opposite, right), (one, right, opposite, left))
    else:
        yield tuple(table)


def paid_again(order: Sequence[T], paid: Mapping[tuple[T, T], int]) -> int:
    """The weight of payments that repeat an earlier one: the sum, over the payers at the table, of
    the square of how often they paid the same player before."""
    return sum(paid.get(pay, 0) ** 2 for pay in payments(order))


def seats_by_lot(table: Sequence[T], paid: Mapping[tuple[T, T], int], turned: int) -> tuple[T, ...]:
    """The order of seats with the least `paid_again`. Among several such orders, and for the seat
    that comes first, `turned` decides: a number below 24 drawn by lot."""
    orders = list(orders_of(table))
    again = [paid_again(order, paid) for order in orders]
    best = [order for order, each in zip(orders, again, strict=True) if each == min(again)]
    chosen = best[turned // 4 % len(best)]
    first = turned % len(chosen)
    return (*chosen[first:], *chosen[:first])
