"""Draws the next round of an event, whatever its format (docs/events.md has the method)."""

from collections.abc import Callable

from companion.events.bracket import draw_bracket
from companion.events.draw import NextRound
from companion.events.event import ClubEvent, EventError, EventFormat
from companion.events.round_robin import draw_round_robin
from companion.events.seating import seat_everybody

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
