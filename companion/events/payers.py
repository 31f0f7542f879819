"""The order of seats at a table: round it, whoever pays whom follows from it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from companion.events.event import payments

T = TypeVar("T")


def orders_of(table: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """The orders that differ in who sits beside or opposite whom; each may begin anywhere."""
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
    """How much is paid to somebody who was paid by the same before; the third time counts for
    more than the second."""
    return sum(paid.get(pay, 0) ** 2 for pay in payments(order))


def seats_by_lot(table: Sequence[T], paid: Mapping[tuple[T, T], int], turned: int) -> tuple[T, ...]:
    """The order in which the least is paid again; of several, and for who sits first, `turned`
    decides, a number of the lot below 24."""
    orders = list(orders_of(table))
    again = [paid_again(order, paid) for order in orders]
    best = [order for order, each in zip(orders, again, strict=True) if each == min(again)]
    chosen = best[turned // 4 % len(best)]
    first = turned % len(chosen)
    return (*chosen[first:], *chosen[:first])
