"""Round robin: everybody plays everybody once.

By the circle: one stays, the others move a place on, and those who face each other play. Somebody
who goes leaves a bye; somebody who comes late takes the empty place, if there is one. Where the
rounds so far are no circle (drawn by hand, or two came late), those play who haven't met.
"""

from companion.events.draw import NextRound, next_round
from companion.events.event import ClubEvent, EventRound
from companion.events.history import past_rounds
from companion.events.lot import Lot, lot_order
from companion.events.payers import seats_by_lot
from companion.events.search import seat
from companion.events.seating import Unit, drawn, field_of

Pairs = set[frozenset[str]]


def draw_round_robin(event: ClubEvent) -> NextRound:
    """The next round; one without tables where all have met."""
    past = past_rounds(event)
    here = event.present
    left = {one: [other for other in here if other != one and not past.met[one][other]]
            for one in here}  # fmt: skip
    if not any(left.values()):
        return next_round(event, past, [], [])
    facing = _circle(event)
    if facing is None:
        order = sorted(lot_order(event.seed, "circle", here), key=lambda one: -len(left[one]))
        return _unmet(event, [(one,) for one in order])
    there = {*here}
    tables, lot = [], Lot(event.seed, "seats", len(event.rounds) + 1)
    for pair in facing:
        if len(found := [one for one in pair if one in there]) == 2:
            tables.append(seats_by_lot(found, past.paid, lot.below(24)))
    seated = {one for table in tables for one in table}
    return next_round(event, past, tables, [one for one in here if one not in seated])


def _unmet(event: ClubEvent, units: list[Unit]) -> NextRound:
    """The round of those who have not met; those who would meet again have a bye."""
    past = past_rounds(event)
    field = field_of(event, past, units)
    seating = seat(field.sizes, field.costs, field.lot, ranked=False)
    found = drawn(field, [[units[one] for one in table] for table in seating])
    met = [table for table in found.tables if past.met[table.seats[0]][table.seats[1]]]
    byes = [*found.bye, *(one for table in met for one in table.seats)]
    return next_round(event, past, [one.seats for one in found.tables if one not in met], byes)


def _circle(event: ClubEvent) -> list[list[str]] | None:
    """Who faces whom in the next round; None where the rounds so far were not the circle's, or it
    is through."""
    first = event.rounds[0] if event.rounds else EventRound((), tuple(event.present))
    began = {*first.bye, *(seat for table in first.tables for seat in table.seats)}
    order = lot_order(event.seed, "circle", began)
    order += [one.id for one in event.players if one.id not in began]
    size = len(order) + len(order) % 2
    played = [{frozenset(table.seats) for table in each.tables} for each in event.rounds]
    for number, pairs in enumerate(played):
        faced = {frozenset(pair) for pair in _facing(order, size, number)}
        if not pairs <= faced:
            return None
    return _facing(order, size, len(played)) if len(played) < size - 1 else None


def _facing(order: list[str], size: int, number: int) -> list[list[str]]:
    """The pairs of a round; one that has a single name faces the empty place."""
    moved = [(at + number) % (size - 1) for at in range(size - 1)]
    # The last of an odd number takes the place that stays, so that the empty one can be filled.
    places = [size - 1, *moved]
    pairs = [(places[at], places[size - 1 - at]) for at in range(size // 2)]
    return [[order[one] for one in pair if one < len(order)] for pair in pairs]
