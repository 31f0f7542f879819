"""Knock-out and double knock-out, worked out from the rounds so far.

The first round orders players by rating, those without one by lot behind them, and fills up the
bracket to a power of two with byes, which go to the first in that order. From then on each table
and each bye of the first round is a line of the bracket, and the winners of neighbouring lines
meet.
"""

from collections.abc import Sequence

from companion.events.costs import AGAIN, Costs, bye_costs
from companion.events.draw import NextRound, next_round
from companion.events.event import ClubEvent, EventError, EventFormat, EventTable
from companion.events.history import PastRounds, past_rounds, seats_by_lot
from companion.events.lot import Lot, lot_order
from companion.events.search import seat

LIVES = {EventFormat.KNOCKOUT: 1, EventFormat.DOUBLE_KNOCKOUT: 2}
"""The number of losses after which a player is out."""


def draw_bracket(event: ClubEvent) -> NextRound:
    """The next round; without tables once the event is decided. Raises EventError if a match is a
    draw or has more than two players, or if a player came after the first round."""
    past = past_rounds(event)
    order = _order(event)
    if not event.rounds:
        here = [one for one in order if one not in event.out]
        # The first in the order meets the last, at the places of a bracket.
        places = _places(max(1, (len(here) - 1).bit_length()))
        lines = [
            [here[one] for one in places[at : at + 2] if one < len(here)]
            for at in range(0, len(places), 2)
        ]
        return _round(event, past, lines)
    lost = _losses(event)
    began = {one for line in _first_lines(event) for one in line}
    if late := [one for one in event.present if one not in began]:
        raise EventError(
            "{player} came after the first round, and a knock-out can't take anybody in: put "
            "{player} in out",
            player=late[0],
        )
    lives = LIVES[event.format]
    alive = [one for one in order if one in began and lost[one] < lives and one not in event.out]
    if len(alive) < 2:
        return _round(event, past, [])
    unbeaten = [one for one in alive if not lost[one]]
    beaten = [one for one in alive if lost[one]]
    if len(unbeaten) <= 1 and len(beaten) <= 1:
        return _round(event, past, [unbeaten + beaten])
    return _round(
        event, past, [*_next_lines(event, unbeaten, order), *_beaten(event, past, beaten)]
    )


def winner(event: ClubEvent) -> str | None:
    """The id of the winner; None while the event is not decided, or if it is no knock-out."""
    if event.format not in LIVES or not event.rounds:
        return None
    lost = _losses(event)
    began = [one for line in _first_lines(event) for one in line]
    left = [one for one in began if lost[one] < LIVES[event.format] and one not in event.out]
    return left[0] if len(left) == 1 else None


def _order(event: ClubEvent) -> list[str]:
    """All players, the strongest first: by rating, then by lot."""
    rating = {one.id: one.rating for one in event.players}
    drawn = lot_order(event.seed, "bracket", rating)

    def weakness(one: str) -> tuple[bool, object]:
        value = rating[one]
        return value is None, 0 if value is None else -value

    return sorted(drawn, key=weakness)


def _places(doublings: int) -> list[int]:
    """The order of 2**doublings players in a bracket in which the first two meet last: 0, 3, 1, 2
    of four players is 0 against 3 and 1 against 2."""
    places = [0]
    for _ in range(doublings):
        many = 2 * len(places)
        places = [each for one in places for each in (one, many - 1 - one)]
    return places


def _losses(event: ClubEvent) -> dict[str, int]:
    lost = dict.fromkeys((one.id for one in event.players), 0)
    for number, each in enumerate(event.rounds, start=1):
        for table in each.tables:
            lost[_loser(number, table)] += 1
    return lost


def _loser(number: int, table: EventTable) -> str:
    if len(table.seats) != 2:
        raise EventError(
            "round {round}, table {table} has {seats} players: two play a match of a knock-out",
            round=number, table=table.number, seats=len(table.seats),
        )  # fmt: skip
    assert table.result is not None  # asked before
    one, other = table.result
    if one == other:
        raise EventError(
            "round {round}, table {table} is a draw: a knock-out needs a winner, so let them play "
            "on and correct the result",
            round=number, table=table.number,
        )  # fmt: skip
    return table.seats[one > other]


def _first_lines(event: ClubEvent) -> list[list[str]]:
    first = event.rounds[0]
    return [*([one] for one in first.bye), *(list(table.seats) for table in first.tables)]


def _next_lines(event: ClubEvent, alive: list[str], order: list[str]) -> list[list[str]]:
    """The lines of the unbeaten players: the winners of neighbouring parts of the bracket meet. If
    a round drawn by hand left the bracket, neighbours in the bracket's order meet."""
    strength = {one: at for at, one in enumerate(order)}
    lines = sorted(_first_lines(event), key=lambda line: min(map(strength.__getitem__, line)))
    places = _places((len(lines) - 1).bit_length())
    line_of = {one: at for at, line in enumerate(lines) for one in line}
    at = {one: places.index(line_of[one]) for one in alive}
    parts = [list[str]() for _ in range(len(places))]
    for one in alive:
        parts[at[one] >> len(event.rounds)].append(one)
    if any(len(part) > 2 for part in parts):
        ordered = sorted(alive, key=at.__getitem__)
        parts = [ordered[start : start + 2] for start in range(0, len(ordered), 2)]
    return [part for part in parts if part]


def _beaten(event: ClubEvent, past: PastRounds, people: list[str]) -> list[list[str]]:
    """The lines of the players who have lost once: if possible nobody meets again, and the bye goes
    to a player who had none."""
    if not people:
        return []
    sizes = [2] * (len(people) // 2) + [1] * (len(people) % 2)
    number = {one: at for at, one in enumerate(people)}
    pair = [
        {number[other]: AGAIN * times for other, times in past.met[one].items() if other in number}
        for one in people
    ]
    everybody = (1 << len(people)) - 1
    free = [
        everybody & ~(1 << one) & ~sum(1 << other for other in row) for one, row in enumerate(pair)
    ]
    short: dict[int, Sequence[int]] = {}
    if 1 in sizes:
        short[1] = bye_costs(free, [past.sat[one, 1] for one in people])
    lot = Lot(event.seed, "beaten", len(event.rounds) + 1)
    seating = seat(sizes, Costs(pair, short, free, {}), lot, None)
    return [[people[one] for one in table] for table in seating]


def _round(event: ClubEvent, past: PastRounds, lines: Sequence[Sequence[str]]) -> NextRound:
    lot = Lot(event.seed, "seats", len(event.rounds) + 1)
    tables = [seats_by_lot(line, past.paid, lot.below(24)) for line in lines if len(line) == 2]
    return next_round(event, past, tables, [line[0] for line in lines if len(line) == 1])
