"""What is known of the rounds so far: how often players met and paid each other, sat at tables of
each size and had a bye, and their places in the standings."""

from collections import Counter

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
