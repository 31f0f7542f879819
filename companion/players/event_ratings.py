"""Ratings over the tables of events, by the places at each table, worked out like those over a
record's games (rating.py). They are only made if somebody asks for them, and never shown without
their doubt.
"""

from collections.abc import Iterable

from companion.events.event import ClubEvent, EventError
from companion.players.rating import Rated, Rating, rate


def event_ratings(events: Iterable[ClubEvent]) -> dict[str, Rated]:
    """The rating of each player, by id, after all tables with a result, in their order. Raises
    EventError for an event with partners: a rating is of one player."""
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
