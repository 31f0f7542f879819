"""Ratings over the tables of events, by the places at each table; the same as those of a record's
games (rating.py). Only made where somebody asks for them, and never without their doubt.
"""

from collections.abc import Iterable

from companion.events.event import ClubEvent, EventError
from companion.players.rating import Rated, Rating, rate


def event_ratings(events: Iterable[ClubEvent]) -> dict[str, Rated]:
    """The rating of each player after all tables with a result, in their order, by id. Raises
    EventError where partners play: a rating is of one."""
    found: dict[str, Rated] = {}
    for event in events:
        if event.has_partners:
            raise EventError("ratings are of single players: leave the event of partners out")
        for each in event.rounds:
            for table in each.tables:
                if table.result is not None:
                    before = [found.get(seat, Rated(Rating(), 0)) for seat in table.seats]
                    places = [sum(more > own for more in table.result) for own in table.result]
                    after = rate([one.rating for one in before], places)
                    for seat, was, now in zip(table.seats, before, after, strict=True):
                        found[seat] = Rated(now, was.games + 1)
    return found
