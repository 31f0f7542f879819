"""Draws the next round of an event, whatever its format (docs/events.md has the method)."""

from collections.abc import Callable

from companion.events.bracket import draw_bracket
from companion.events.draw import NextRound, next_round
from companion.events.event import ClubEvent, EventError, EventFormat, EventRound
from companion.events.history import past_rounds, seats_by_lot
from companion.events.lot import Lot, lot_order
from companion.events.search import seat
from companion.events.seating import Unit, drawn, field_of, seat_everybody

# ---------------------------------------------------------------- round robin
# Round robin: everybody plays everybody once.
#
# The circle method: one player keeps a place, the others move on by one place each round, and
# players who face each other play. A player who leaves gives the one opposite a bye; one who comes
# late takes the empty place, if there is one. If the rounds so far don't follow the circle (drawn
# by hand, or two came late), players are paired who haven't met.


Pairs = set[frozenset[str]]


def draw_round_robin(event: ClubEvent) -> NextRound:
    """The next round; without tables once all players have met."""
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
    """A round that pairs players who have not met, found by search; pairs that would meet again
    have byes instead."""
    past = past_rounds(event)
    field = field_of(event, past, units)
    seating = seat(field.sizes, field.costs, field.lot, None)
    found = drawn(field, [[units[one] for one in table] for table in seating])
    met = [table for table in found.tables if past.met[table.seats[0]][table.seats[1]]]
    byes = [*found.bye, *(one for table in met for one in table.seats)]
    return next_round(event, past, [one.seats for one in found.tables if one not in met], byes)


def _circle(event: ClubEvent) -> list[list[str]] | None:
    """The pairs that face each other in the next round of the circle. None if the rounds so far
    don't follow the circle, or it is complete."""
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
    """The pairs in round `number`, from 0, of a circle with `size` places, an even number. A pair
    of one name only has the empty place opposite."""
    moved = [(at + number) % (size - 1) for at in range(size - 1)]
    # The place that stays is the last one: with an odd number of players it is empty, so that a
    # player who comes late can fill it.
    places = [size - 1, *moved]
    pairs = [(places[at], places[size - 1 - at]) for at in range(size // 2)]
    return [[order[one] for one in pair if one < len(order)] for pair in pairs]


# ---------------------------------------------------------------- pairing

DRAWN_BY: dict[EventFormat, Callable[[ClubEvent], NextRound]] = {
    EventFormat.TABLES: seat_everybody,
    EventFormat.PARTNERS: seat_everybody,
    EventFormat.SWISS: seat_everybody,
    EventFormat.KNOCKOUT: draw_bracket,
    EventFormat.DOUBLE_KNOCKOUT: draw_bracket,
    EventFormat.ROUND_ROBIN: draw_round_robin,
}


def draw_round(event: ClubEvent) -> NextRound:
    """The next round. Raises EventError if a result is missing, everybody is out, or the event's
    format can't draw it."""
    for number, each in enumerate(event.rounds, start=1):
        for table in each.tables:
            if table.result is None:
                raise EventError(
                    "round {round}, table {table} has no result yet: enter it before the next "
                    "round is drawn",
                    round=number, table=table.number,
                )  # fmt: skip
    if not event.present:
        raise EventError("everybody is out: nobody is left for the next round")
    return DRAWN_BY[event.format](event)
