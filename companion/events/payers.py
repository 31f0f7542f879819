"""The order of seats round a table, which decides who pays whom."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from companion.events.event import payments

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
