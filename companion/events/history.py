"""What the rounds so far say of each player: whom they met, whom they paid, how often they sat at
tables of each size and how often they had a bye."""

from collections import Counter

from companion.core.values import dataclass
from companion.events.event import ClubEvent, payments

PayerAndPaid = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PastRounds:
    """Counts over the rounds. `met`: by player, how often each other sat at the same table (with
    fixed partners: on the other side); `paid`: (payer, paid); `sat`: (player, seats of the table),
    where 1 is a bye."""

    met: dict[str, Counter[str]]
    paid: Counter[PayerAndPaid]
    sat: Counter[tuple[str, int]]


def past_rounds(event: ClubEvent) -> PastRounds:
    """Counts the rounds of the text."""
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
