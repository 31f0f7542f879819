"""The data that a draw needs and returns: the meetings and payments of earlier rounds, the lot, and
the drawn round with its unavoidable repeats and broken wishes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import combinations, count
from struct import unpack
from typing import TypeVar

from companion.core.values import Json, dataclass
from companion.core.words import phrase
from companion.events.event import ClubEvent, EventTable, Wish, payments
from companion.events.standings import standings

PayerAndPaid = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PastRounds:
    """Counts over all rounds so far. `met`: for each player, how often each other player sat at the
    same table (with teams or fixed partners: on the other side); `paid`: how often, by (payer,
    paid); `sat`: how often, by (player, number of seats at the table), where 1 is a bye."""

    met: dict[str, Counter[str]]
    paid: Counter[PayerAndPaid]
    sat: Counter[tuple[str, int]]


def past_rounds(event: ClubEvent) -> PastRounds:
    """Counts over all rounds of the event, with or without results."""
    met = {one.id: Counter[str]() for one in event.players}
    paid, sat = Counter[PayerAndPaid](), Counter[tuple[str, int]]()
    mates = event.mates
    for each in event.rounds:
        for player in each.bye:
            sat[player, 1] += 1
        for table in each.tables:
            for seat in table.seats:
                sat[seat, len(table.seats)] += 1
                own = mates.get(seat, (seat,))
                met[seat].update(other for other in table.seats if other not in own)
            paid.update(payments(table.seats))
    return PastRounds(met, paid, sat)


def places_of(event: ClubEvent) -> dict[str, int]:
    """Each player's place in the standings; 1 for everybody before the first round. Players without
    a place get the number of players plus one."""
    rows = standings(event) if event.rounds else []
    place = {row.player: row.place for row in rows}
    last = len(event.players) + 1
    return {one.id: place.get(one.id, 1) or last for one in event.players}


def distance(table: Sequence[int]) -> int:
    """The sum, over all pairs at the table, of the squared differences of their places."""
    return sum((one - other) ** 2 for one, other in combinations(table, 2))


# ---------------------------------------------------------------- payers
# The order of seats round a table, which decides who pays whom.


T = TypeVar("T")


def seat_orders(table: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """All different orders round the table. Orders that differ only in where they begin count as
    one."""
    if len(table) == 3:
        one, a, b = table
        yield from ((one, a, b), (one, b, a))
    elif len(table) == 4:
        one, a, b, c = table
        for opposite, left, right in ((b, a, c), (a, b, c), (c, a, b)):
            yield from ((one, left, opposite, right), (one, right, opposite, left))
    else:
        yield tuple(table)


def repeated_payments(order: Sequence[T], paid: Mapping[tuple[T, T], int]) -> int:
    """The weight of payments that repeat an earlier one: the sum, over the payers at the table, of
    the squared number of times they have already paid the same player."""
    return sum(paid.get(pay, 0) ** 2 for pay in payments(order))


def draw_seats(
    table: Sequence[T], paid: Mapping[tuple[T, T], int], lot_number: int
) -> tuple[T, ...]:
    """The order of seats with the smallest `repeated_payments`. `lot_number`, a number below 24
    drawn by lot, chooses among equally good orders, and decides which seat comes first."""
    orders = list(seat_orders(table))
    again = [repeated_payments(order, paid) for order in orders]
    best = [order for order, each in zip(orders, again, strict=True) if each == min(again)]
    chosen = best[lot_number // 4 % len(best)]
    first = lot_number % len(chosen)
    return (*chosen[first:], *chosen[:first])


# ---------------------------------------------------------------- the next round

METHOD = 2
"""The version of the drawing method (docs/events.md); every drawn round records it."""
SEATS_GIVEN = 0
"""Recorded in place of METHOD if the organiser gave the seats."""


@dataclass(frozen=True, slots=True)
class BrokenWish:
    """A wish that was not granted, and the reason."""

    wish: Wish
    why: str


@dataclass(frozen=True, slots=True)
class Measure:
    """The quality of a draw. Smaller is better, and an earlier field outweighs the later ones.
    `repeats`: pairs that meet again; `payers_again`: players who would pay the same player again;
    `second_threes`: players who sit at a table of three again while others sit at full tables;
    `distance`: the sum, over all pairs at a table, of the squared difference of their places in the
    standings."""

    repeats: int
    payers_again: int
    second_threes: int
    distance: int

    @property
    def as_json(self) -> Json:
        """The measure's JSON, as printed by `companion pair --json`."""
        return {
            "repeats": self.repeats,
            "payers_again": self.payers_again,
            "second_threes": self.second_threes,
            "distance": self.distance,
        }


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round: its tables, the players who have a bye, and what could not be avoided. `repeats`:
    pairs that meet again, with the number of meetings including this one; `payers`: (payer, paid)
    pairs that repeat, with the number of payments including this one; `threes`: players at a table
    of three; `method`: METHOD or SEATS_GIVEN."""

    number: int
    tables: tuple[EventTable, ...]
    bye: tuple[str, ...]
    repeats: tuple[tuple[PayerAndPaid, int], ...]
    payers: tuple[tuple[PayerAndPaid, int], ...]
    threes: tuple[str, ...]
    broken: tuple[BrokenWish, ...]
    measure: Measure
    seed: str
    method: int = METHOD

    @property
    def as_json(self) -> Json:
        """The round's JSON, as printed by `companion pair --json`."""
        return {
            "round": self.number,
            "tables": [{"table": one.number, "seats": list(one.seats)} for one in self.tables],
            "bye": list(self.bye),
            "repeats": [{"players": list(pair), "met": times} for pair, times in self.repeats],
            "payers": [
                {"from": payer, "to": paid, "times": times} for (payer, paid), times in self.payers
            ],
            "threes": list(self.threes),
            "broken": [{"wish": one.wish.as_json, "why": one.why} for one in self.broken],
            "measure": self.measure.as_json,
            "seed": self.seed,
            "method": self.method,
        }


def next_round(
    event: ClubEvent, past: PastRounds, tables: Sequence[Sequence[str]], bye: Sequence[str]
) -> NextRound:
    """The round with these tables, each a list of players in seat order. Tables get the numbers
    that their players wished for; the others are numbered from 1 in the order given, without the
    closed and taken numbers."""
    return measured_round(event, past, _number_tables(event, tables), bye)


def measured_round(
    event: ClubEvent, past: PastRounds, numbered: Sequence[EventTable], bye: Sequence[str]
) -> NextRound:
    """The round with exactly these tables, with its measure, its unavoidable repeats and its broken
    wishes."""
    mates = event.mates
    pairs = [
        ((one, other), past.met[one][other] + 1)
        for table in numbered
        for one, other in combinations(table.seats, 2)
        if past.met[one][other] and other not in mates.get(one, ())
    ]
    paid = [pay for table in numbered for pay in payments(table.seats)]
    again = [(pay, past.paid[pay] + 1) for pay in paid if past.paid[pay] and event.shows_payers]
    threes = [seat for table in numbered for seat in table.seats if len(table.seats) == 3]
    place = places_of(event)
    measure = Measure(
        len(pairs),
        len(again),
        sum(past.sat[one, 3] > 0 for one in threes) if event.seats == 4 else 0,
        sum(distance([place[seat] for seat in table.seats]) for table in numbered),
    )
    return NextRound(
        len(event.rounds) + 1,
        tuple(numbered),
        tuple(bye),
        tuple(pairs),
        tuple(again),
        tuple(threes),
        tuple(_broken_wishes(event, numbered, set(bye))),
        measure,
        event.seed,
    )


def wished_tables(event: ClubEvent) -> dict[str, int]:
    """The table that each player wished for; the first wish for an open table counts."""
    closed = {wish.closed for wish in event.wishes}
    found = dict[str, int]()
    for wish in event.wishes:
        if wish.player is not None and wish.table is not None and wish.table not in closed:
            found.setdefault(wish.player, wish.table)
    return found


def _number_tables(event: ClubEvent, tables: Sequence[Sequence[str]]) -> list[EventTable]:
    closed = {wish.closed for wish in event.wishes}
    wished, given = wished_tables(event), dict[int, int]()
    for at, seats in enumerate(tables):
        for number in (wished[seat] for seat in seats if seat in wished):
            if at not in given and number not in given.values():
                given[at] = number
    taken, number = closed | set(given.values()), 0
    for at in range(len(tables)):
        if at not in given:
            number += 1
            while number in taken:
                number += 1
            given[at] = number
    each = [EventTable(given[at], tuple(seats)) for at, seats in enumerate(tables)]
    return sorted(each, key=lambda table: table.number)


def _broken_wishes(
    event: ClubEvent, tables: Sequence[EventTable], bye: set[str]
) -> list[BrokenWish]:
    at = {seat: table.number for table in tables for seat in table.seats}
    together = [set(table.seats) for table in tables]
    found = []
    for wish in event.wishes:
        if len({*wish.apart}) > 1:
            why = _why_not_apart(event, wish, together)
        elif wish.player is not None:
            why = _why_not_at_table(event, wish, at, bye)
        else:
            why = None
        if why is not None:
            found.append(BrokenWish(wish, why))
    return found


def _why_not_apart(event: ClubEvent, wish: Wish, together: Sequence[set[str]]) -> str | None:
    if all(len(table & {*wish.apart}) < 2 for table in together):
        return None
    if len(together) == 1:
        return phrase("there is only one table")
    partners = [{*pair} for pair in event.pairs]
    if any(pair <= {*wish.apart} for pair in partners):
        return phrase("they are partners")
    if sum(any(one in table for table in together) for one in wish.apart) > len(together):
        return phrase("there are fewer tables than players to keep apart")
    return phrase("no seating was found that keeps them apart")


def _why_not_at_table(
    event: ClubEvent, wish: Wish, at: Mapping[str, int], bye: set[str]
) -> str | None:
    assert wish.player is not None
    if at.get(wish.player) == wish.table:
        return None
    if any(other.closed == wish.table for other in event.wishes):
        return phrase("table {table} is closed", table=wish.table)
    if wish.player in event.out:
        return phrase("{player} is out", player=wish.player)
    if wish.player in bye:
        return phrase("{player} has a bye", player=wish.player)
    if wish.player not in at:
        return phrase("{player} has stopped playing", player=wish.player)
    return phrase("it clashes with another wish for that table, or of a player there")


# ---------------------------------------------------------------- the lot
# Random numbers that can be drawn again, the same on every machine and with every version of
# Python, whose own generator may change: SHA-256 of the seed, the purpose of the draw and a counter
# gives eight numbers of 32 bits at a time. So an auditor can repeat a draw in any programming
# language.


class Lot:
    """Random numbers for one purpose, derived from a seed."""

    def __init__(self, seed: str, *purpose: object) -> None:
        self._key = "\n".join(["companion event 1", seed, *map(str, purpose)]).encode()
        self._numbers = self._generate()

    def _generate(self) -> Iterator[int]:
        for block in count():
            yield from unpack(">8I", sha256(self._key + b"\n%d" % block).digest())

    def below(self, bound: int) -> int:
        """The next number, from 0 up to but not including `bound` (at most 2**32). All are equally
        likely, to within `bound` / 2**32."""
        return next(self._numbers) * bound >> 32


def lot_order(seed: str, purpose: object, names: Iterable[str]) -> list[str]:
    """The names in an order drawn by lot. Each name's lot depends only on that name, so a late
    player doesn't change the order of the others."""

    def lot(name: str) -> bytes:
        return sha256("\n".join(["companion event 1", seed, str(purpose), name]).encode()).digest()

    return sorted(names, key=lot)
