"""Draws the next round of an event (docs/events.md describes the method). Either everybody plays
(at tables, with fixed partners or in Swiss pairs), or it is a knock-out or a round robin."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, zip_longest

from companion.core.values import dataclass
from companion.core.words import listed
from companion.events.draw import (
    SEATS_GIVEN,
    Lot,
    NextRound,
    PastRounds,
    distance,
    draw_seats,
    lot_order,
    measured_round,
    next_round,
    past_rounds,
    places_of,
    wished_tables,
)
from companion.events.event import ClubEvent, EventError, EventFormat, EventRound, EventTable
from companion.events.search import (
    REPEAT_COST,
    SHORT_COST,
    WISH_COST,
    Costs,
    bye_costs,
    find_seating,
)
from companion.events.teams import (
    home_first,
    matches_of,
    places_played,
    team_standings,
    units_of,
    with_teams_as_players,
)

# ---------------------------------------------------------------- rotations
# Ready-made rotations for 13 to 32 people at tables of four: nobody meets twice.
#
# Each rotation is given by its first round. `a3` is place 3 of circle a: from round to round each
# person moves to the next place of the circle, from the last to the first, while `v` to `z` stay
# where they are. The tests check that nobody meets twice.
#
# With one to three people fewer than a rotation is for, the missing ones are people who meet in one
# of its rounds. If two or three are missing, that round is left out. So in each round that is
# played they are missing from different tables, which become the tables of three.
#
# With two or three missing somebody sits at a table of three twice while others never do, so only
# the first round of such a rotation is drawn.


Rounds = list[list[list[str]]]
"""For each round its tables, each a list of people."""

ROTATIONS = {
    16: (
        5,
        "a0-c3-b4-z b0-a2-a3-b3 c0-a1-c1-a4 b1-b2-c2-c4",
    ),
    20: (
        5,
        "a0-d3-b4-d4 b0-c0-d1-a4 d0-c1-b2-b3 a1-a2-d2-c4 b1-c2-a3-c3",
    ),
    24: (
        7,
        "a0-b5-c5-x b0-a1-c2-y c0-b3-c4-c6 b1-b2-a6-b6 c1-a2-a4-a5 a3-c3-b4-z",
    ),
    28: (
        9,
        "a0-c1-b2-z b0-b5-a8-b8 c0-a2-b6-a7 a1-b4-c5-c6 b1-b3-a5-c8 c2-c4-b7-c7 a3-c3-a4-a6",
    ),
    32: (
        9,
        "a0-a1-b1-a6 b0-c0-a3-v c1-b6-a8-w a2-c3-b5-x b2-c4-b7-b8 "
        "c2-a4-c7-c8 b3-c6-a7-y b4-a5-c5-z",
    ),
}
"""For each number of people: the number of rounds, and the first round."""


def rotation_rounds(people: Sequence[str]) -> Rounds | None:
    """The rounds for these people in this order; None if there is no rotation for that many."""
    full = -(-len(people) // 4) * 4
    if full not in ROTATIONS:
        return None
    rounds = _rotation(full)
    lack = full - len(people)
    if not lack:
        return [[[people[one] for one in table] for table in each] for each in rounds]
    # The empty seats are all at one table in the last round, which is left out if two or three
    # seats are empty.
    missing = rounds[-1][0][:lack]
    there = [one for one in range(full) if one not in missing]
    who = dict(zip(there, people, strict=True))
    return [
        [[who[one] for one in table if one in who] for table in each]
        for each in (rounds if lack == 1 else rounds[:-1])
    ]


@cache
def _rotation(people: int) -> list[list[list[int]]]:
    many, first = ROTATIONS[people]
    tables = [table.split("-") for table in first.split()]
    names = sorted(one for table in tables for one in table)
    numbers = {name: at for at, name in enumerate(names)}
    return [
        [[numbers[_rotated_name(one, step, many)] for one in table] for table in tables]
        for step in range(many)
    ]


def _rotated_name(name: str, step: int, many: int) -> str:
    return name if len(name) == 1 else f"{name[0]}{(int(name[1:]) + step) % many}"


# ---------------------------------------------------------------- everybody plays

Unit = tuple[str, ...]
"""Players who are always seated together: a single player, or two partners."""


def table_sizes(people: int, seats: int) -> list[int]:
    """The sizes of the tables for `people` players, the full ones (`seats`) first; 1 is a bye. If
    `seats` is 4, there are up to three tables of three, five people sit at a table of three and one
    of two, and a person has a bye only if there is nobody else."""
    if seats == 2:
        return [2] * (people // 2) + [1] * (people % 2)
    short = -people % seats
    full = (people - short * (seats - 1)) // seats
    if full >= 0:
        return [seats] * full + [seats - 1] * short
    return {1: [1], 2: [2], 3: [3], 5: [3, 2]}[people]


@dataclass(frozen=True, slots=True)
class SeatingProblem:
    """The units (single players or fixed partners) that play the next round, in the order of the
    standings, with the table sizes and the costs of seating them. `places`: each unit's place in
    the standings; None in the first round."""

    event: ClubEvent
    past: PastRounds
    units: list[Unit]
    sizes: list[int]
    costs: Costs
    places: list[int] | None = None

    @property
    def lot(self) -> Lot:
        """The lot for the seats of this round, restarted at its first number."""
        return Lot(self.event.seed, "seats", len(self.event.rounds) + 1)


def seat_everybody(event: ClubEvent, place: Mapping[str, int] | None = None) -> NextRound:
    """The next round of an event in which everybody plays. `place`: each player's place, unless the
    event's standings give it. Raises EventError if, in an event with partners, a player has no
    partner or the partner is out."""
    past = past_rounds(event)
    place = place or places_of(event)
    units = _ranked_units(event, place)
    problem = seating_problem(event, past, units)
    if event.rounds:
        problem = replace(problem, places=[place[unit[0]] for unit in units])
    seating = _best_rotation_round(problem) or [
        [problem.units[one] for one in table]
        for table in find_seating(problem.sizes, problem.costs, problem.lot, problem.places)
    ]
    return round_from_seating(problem, seating)


def seating_problem(event: ClubEvent, past: PastRounds, units: list[Unit]) -> SeatingProblem:
    """The problem of seating these units, which are in the order of the standings."""
    seats = 2 if event.pairs else event.seats
    sizes = table_sizes(len(units), seats)
    return SeatingProblem(
        event, past, units, sizes, _seating_costs(event, past, units, sizes, seats)
    )


def round_from_seating(problem: SeatingProblem, seating: Sequence[Sequence[Unit]]) -> NextRound:
    """The round with this seating: tables numbered in the order of the standings, seats by lot. A
    player who sits alone has a bye."""
    order = {unit: at for at, unit in enumerate(problem.units)}
    lot = problem.lot
    ranked = sorted(
        seating, key=lambda table: 12 * sum(map(order.__getitem__, table)) // len(table)
    )
    tables, bye = list[Unit](), list[str]()
    for table in ranked:
        lot_number = lot.below(24)
        if len(table) == 1:
            bye += table[0]
        elif len(table[0]) == 2:
            (a, b), (c, d) = table if lot_number % 2 else table[::-1]
            tables.append((a, c, b, d) if lot_number // 2 % 2 else (a, d, b, c))
        else:
            people = [one for unit in table for one in unit]
            tables.append(draw_seats(people, problem.past.paid, lot_number))
    return next_round(problem.event, problem.past, tables, bye)


# ---------------------------------------------------------------- identification


def _ranked_units(event: ClubEvent, place: Mapping[str, int]) -> list[Unit]:
    """The units that play, by their `place` in the standings; level players in an order drawn by
    lot. Raises EventError if, in an event with partners, a player has no partner or the partner is
    out."""
    here = event.present
    ranked = sorted(lot_order(event.seed, len(event.rounds) + 1, here), key=place.__getitem__)
    if not event.pairs:
        return [(one,) for one in ranked]
    partner = {one: pair for pair in event.pairs for one in pair}
    for one in here:
        if one not in partner:
            raise EventError("{player} has no partner: add the two to pairs, or {player} to out",
                             player=one)  # fmt: skip
        if other := next((each for each in partner[one] if each in event.out), None):
            raise EventError(
                "{player}'s partner {other} is out: put {player} in out, too",
                player=one, other=other,
            )  # fmt: skip
    return list(dict.fromkeys(partner[one] for one in ranked))


# ---------------------------------------------------------------- costs


def _seating_costs(
    event: ClubEvent, past: PastRounds, units: list[Unit], sizes: list[int], seats: int
) -> Costs:
    number = {one: at for at, unit in enumerate(units) for one in unit}
    pair = [dict[int, int]() for _ in units]

    def add_cost(one: str, other: str, cost: int) -> None:
        a, b = number.get(one), number.get(other)
        if a is not None and b is not None and a != b:
            pair[a][b] = pair[a].get(b, 0) + cost

    for unit in units:
        for other, times in past.met[unit[0]].items():
            add_cost(unit[0], other, REPEAT_COST * times * (1 if len(unit) == 1 else 2))
    for wish in event.wishes:
        for one, other in permutations(wish.apart, 2):
            add_cost(one, other, WISH_COST)
    wished = wished_tables(event)
    for player, with_whom in permutations(wished, 2):
        if wished[player] != wished[with_whom]:
            add_cost(player, with_whom, WISH_COST)
    for row in _groups_wished_together(wished, number):
        for at in row:  # sitting with anybody else costs, so that the group stays together
            for place in {*range(len(units))} - {*row}:
                add_cost(units[at][0], units[place][0], WISH_COST)
                add_cost(units[place][0], units[at][0], WISH_COST)
    everybody = (1 << len(units)) - 1
    free = [
        everybody & ~(1 << one) & ~sum(1 << other for other, cost in row.items() if cost)
        for one, row in enumerate(pair)
    ]
    paid = {
        (number[payer], number[to]): times
        for (payer, to), times in past.paid.items()
        if payer in number and to in number and event.shows_payers
    }
    return Costs(pair, _short_table_costs(past, units, sizes, seats, free), free, paid)


def _groups_wished_together(wished: dict[str, int], number: dict[str, int]) -> list[list[int]]:
    at = dict[int, list[int]]()
    for one, table in wished.items():
        if one in number:
            at.setdefault(table, []).append(number[one])
    return [row for row in at.values() if len(row) > 1]


def _short_table_costs(
    past: PastRounds, units: list[Unit], sizes: list[int], seats: int, free: Sequence[int]
) -> dict[int, Sequence[int]]:
    """For each size of short table, the cost of seating each unit there: 0 for the units with the
    fewest turns so far, or for the one that gets the bye."""
    found = dict[int, Sequence[int]]()
    for size in {*sizes} - {seats}:
        turns = [past.sat[unit[0], size] for unit in units]
        fewest = min(turns)
        found[size] = [(each - fewest) * SHORT_COST for each in turns]
        if size == 1:
            found[size] = bye_costs(free, turns)
    return found


# ---------------------------------------------------------------- ready-made rotations


def _best_rotation_round(problem: SeatingProblem) -> list[list[Unit]] | None:
    """The best unplayed round of a ready-made rotation: the one with the smallest distance among
    those without costs. None if there is none, if no rotation fits the event, or if an earlier
    round doesn't belong to it."""
    event = problem.event
    if event.format is not EventFormat.TABLES or event.seats != 4:
        return None
    if (
        event.rounds and problem.sizes.count(3) > 1
    ):  # the same players would soon be at a table of three again
        return None
    people = lot_order(event.seed, "rotation", [unit[0] for unit in problem.units])
    left = {frozenset(map(frozenset, tables)): tables for tables in rotation_rounds(people) or ()}
    for each in event.rounds:
        if left.pop(frozenset(frozenset(table.seats) for table in each.tables), None) is None:
            return None
    number = {unit[0]: at for at, unit in enumerate(problem.units)}
    numbered = [[[number[one] for one in table] for table in tables] for tables in left.values()]
    free = [tables for tables in numbered if not problem.costs.total(tables)]
    places = problem.places or [1] * len(problem.units)
    chosen = min(
        free,
        key=lambda tables: sum(distance([places[one] for one in table]) for table in tables),
        default=None,
    )
    return None if chosen is None else [[problem.units[one] for one in table] for table in chosen]


# ---------------------------------------------------------------- knock-out
# Knock-out and double knock-out, worked out from the rounds so far.
#
# The first round orders players by rating, those without one by lot behind them, and fills up the
# bracket to a power of two with byes, which go to the first in that order. After that, each table
# and each bye of the first round is a line of the bracket, and the winners of neighbouring lines
# meet.

LIVES = {EventFormat.KNOCKOUT: 1, EventFormat.DOUBLE_KNOCKOUT: 2}
"""The number of losses after which a player is out."""


def draw_bracket(event: ClubEvent) -> NextRound:
    """The next round; without tables once the event is decided. Raises EventError if a match is a
    draw or has more than two players, or if a player came after the first round."""
    past = past_rounds(event)
    order = _bracket_order(event)
    if not event.rounds:
        here = [one for one in order if one not in event.out]
        # The strongest player meets the weakest, according to the bracket.
        places = _bracket_places(max(1, (len(here) - 1).bit_length()))
        lines = [
            [here[one] for one in places[at : at + 2] if one < len(here)]
            for at in range(0, len(places), 2)
        ]
        return _bracket_round(event, past, lines)
    lost = _count_losses(event)
    began = {one for line in _bracket_lines_of_round_1(event) for one in line}
    if late := [one for one in event.present if one not in began]:
        raise EventError(
            "{player} came after the first round, and a knock-out can't take anybody in: put "
            "{player} in out",
            player=late[0],
        )
    lives = LIVES[event.format]
    alive = [one for one in order if one in began and lost[one] < lives and one not in event.out]
    if len(alive) < 2:
        return _bracket_round(event, past, [])
    unbeaten = [one for one in alive if not lost[one]]
    beaten = [one for one in alive if lost[one]]
    if len(unbeaten) <= 1 and len(beaten) <= 1:
        return _bracket_round(event, past, [unbeaten + beaten])
    return _bracket_round(
        event, past, [*_next_bracket_lines(event, unbeaten), *_pair_beaten(event, past, beaten)]
    )


def _bracket_order(event: ClubEvent) -> list[str]:
    """All players, the strongest first: by rating, then by lot."""
    rating = {one.id: one.rating for one in event.players}
    by_lot = lot_order(event.seed, "bracket", rating)

    def weakness(one: str) -> tuple[bool, object]:
        value = rating[one]
        return value is None, 0 if value is None else -value

    return sorted(by_lot, key=weakness)


def _bracket_places(exponent: int) -> list[int]:
    """The seeds of 2**`exponent` players in the order of a bracket in which the two strongest (0
    and 1) can meet only in the final. For four players, 0, 3, 1, 2 means 0 against 3 and 1 against
    2."""
    places = [0]
    for _ in range(exponent):
        many = 2 * len(places)
        places = [each for one in places for each in (one, many - 1 - one)]
    return places


def _count_losses(event: ClubEvent) -> dict[str, int]:
    lost = dict.fromkeys((one.id for one in event.players), 0)
    for number, each in enumerate(event.rounds, start=1):
        for table in each.tables:
            losers = losers_of(event, number, table)
            if not losers:
                raise EventError(
                    "round {round}, table {table} is a draw: a knock-out needs a winner, so let "
                    "them play on and correct the result",
                    round=number, table=table.number,
                )  # fmt: skip
            for loser in losers:
                lost[loser] += 1
    return lost


def losers_of(event: ClubEvent, number: int, table: EventTable) -> Sequence[str]:
    """The players who lost at a table of the round `number`: normally one of the two; both if
    neither came (a draw of two who have left) or both lost by a penalty; none without a result or
    after a draw. Raises EventError if more than two sit there."""
    if len(table.seats) != 2:
        raise EventError(
            "round {round}, table {table} has {seats} players: two play a match of a knock-out",
            round=number, table=table.number, seats=len(table.seats),
        )  # fmt: skip
    if table.result is None:
        return ()
    if table.lost:
        return [one for one in table.seats if one in table.lost]
    one, other = table.result
    if one == other:
        return table.seats if {*table.seats} <= event.out else ()
    return [table.seats[one > other]]


def _bracket_lines_of_round_1(event: ClubEvent) -> list[list[str]]:
    first = event.rounds[0]
    return [*([one] for one in first.bye), *(list(table.seats) for table in first.tables)]


def bracket_places(event: ClubEvent) -> dict[str, int]:
    """For each player of the first round, the place of their match or bye in the bracket, from 0;
    neighbours meet in the second round."""
    strength = {one: at for at, one in enumerate(_bracket_order(event))}
    lines = sorted(
        _bracket_lines_of_round_1(event), key=lambda line: min(map(strength.__getitem__, line))
    )
    places = _bracket_places((len(lines) - 1).bit_length())
    return {one: places.index(at) for at, line in enumerate(lines) for one in line}


def _next_bracket_lines(event: ClubEvent, alive: list[str]) -> list[list[str]]:
    """The next matches (two players) and byes (one) of the unbeaten players: the winners of
    neighbouring parts of the bracket meet. If a round drawn by hand left the bracket, players who
    are neighbours in the bracket's order meet."""
    places = bracket_places(event)
    at = {one: places[one] for one in alive}
    parts = [list[str]() for _ in range(max(places.values()) + 1)]
    for one in alive:
        parts[at[one] >> len(event.rounds)].append(one)
    if any(len(part) > 2 for part in parts):
        ordered = sorted(alive, key=at.__getitem__)
        parts = [ordered[start : start + 2] for start in range(0, len(ordered), 2)]
    return [part for part in parts if part]


def _pair_beaten(event: ClubEvent, past: PastRounds, people: list[str]) -> list[list[str]]:
    """The next matches of the players with one loss: if possible with new opponents, and the bye
    for a player who has had none."""
    if not people:
        return []
    sizes = [2] * (len(people) // 2) + [1] * (len(people) % 2)
    number = {one: at for at, one in enumerate(people)}
    pair = [
        {
            number[other]: REPEAT_COST * times
            for other, times in past.met[one].items()
            if other in number
        }
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
    seating = find_seating(sizes, Costs(pair, short, free, {}), lot, None)
    return [[people[one] for one in table] for table in seating]


def _bracket_round(event: ClubEvent, past: PastRounds, lines: Sequence[Sequence[str]]) -> NextRound:
    lot = Lot(event.seed, "seats", len(event.rounds) + 1)
    tables = [draw_seats(line, past.paid, lot.below(24)) for line in lines if len(line) == 2]
    return next_round(event, past, tables, [line[0] for line in lines if len(line) == 1])


# ---------------------------------------------------------------- round robin
# Round robin: everybody plays everybody once.
#
# The circle method: one player keeps a place, the others move on by one place each round, and
# players who face each other play. A player who leaves gives the one opposite a bye; one who comes
# late takes the empty place, if there is one. If the rounds so far don't follow the circle (drawn
# by hand, or two came late), the search pairs players who haven't met.


Pairs = set[frozenset[str]]


def draw_round_robin(event: ClubEvent) -> NextRound:
    """The next round; without tables once everybody has met."""
    past = past_rounds(event)
    here = event.present
    left = {one: [other for other in here if other != one and not past.met[one][other]]
            for one in here}  # fmt: skip
    if not any(left.values()):
        return next_round(event, past, [], [])
    facing = _next_circle_pairs(event)
    if facing is None:
        order = sorted(lot_order(event.seed, "circle", here), key=lambda one: -len(left[one]))
        return _pair_unmet(event, [(one,) for one in order])
    there = {*here}
    tables, lot = [], Lot(event.seed, "seats", len(event.rounds) + 1)
    for pair in facing:
        if len(found := [one for one in pair if one in there]) == 2:
            tables.append(draw_seats(found, past.paid, lot.below(24)))
    seated = {one for table in tables for one in table}
    return next_round(event, past, tables, [one for one in here if one not in seated])


def _pair_unmet(event: ClubEvent, units: list[Unit]) -> NextRound:
    """A round between players who have not met, found by search; players for whom only a repeat is
    left have byes."""
    past = past_rounds(event)
    problem = seating_problem(event, past, units)
    seating = find_seating(problem.sizes, problem.costs, problem.lot, None)
    found = round_from_seating(problem, [[units[one] for one in table] for table in seating])
    met = [table for table in found.tables if past.met[table.seats[0]][table.seats[1]]]
    byes = [*found.bye, *(one for table in met for one in table.seats)]
    return next_round(event, past, [one.seats for one in found.tables if one not in met], byes)


def _next_circle_pairs(event: ClubEvent) -> list[list[str]] | None:
    """The pairs that face each other in the next round of the circle. None if the rounds so far
    don't follow the circle, or if it is complete."""
    first = event.rounds[0] if event.rounds else EventRound((), tuple(event.present))
    began = {*first.bye, *(one for table in first.tables for one in table.seats)}
    order = lot_order(event.seed, "circle", began)
    order += [one.id for one in event.players if one.id not in began]
    size = len(order) + len(order) % 2
    played = [{frozenset(table.seats) for table in each.tables} for each in event.rounds]
    for number, pairs in enumerate(played):
        faced = {frozenset(pair) for pair in _circle_pairs(order, size, number)}
        if not pairs <= faced:
            return None
    return _circle_pairs(order, size, len(played)) if len(played) < size - 1 else None


def _circle_pairs(order: list[str], size: int, number: int) -> list[list[str]]:
    """The pairs in round `number`, from 0, of a circle with `size` places, an even number. A “pair”
    with a single name is a bye."""
    moved = [(at + number) % (size - 1) for at in range(size - 1)]
    # The place that stays is the last one: with an odd number of players it is empty, so that a
    # player who comes late can fill it.
    places = [size - 1, *moved]
    pairs = [(places[at], places[size - 1 - at]) for at in range(size // 2)]
    return [[order[one] for one in pair if one < len(order)] for pair in pairs]


# ---------------------------------------------------------------- teams


def draw_teams(event: ClubEvent) -> NextRound:
    """The next round of an event between teams: each match on tables side by side, the first
    player or pair of one team against the first of the other, and so on. The teams take turns at
    seat 1, and the home team begins. A player whose board the other team can't fill has a bye, and
    so have all players of a team without a match. Raises EventError if somebody who plays is in no
    team, or a match of a knock-out has no winner."""
    teams, units = with_teams_as_players(event), units_of(event)
    mates, here = event.mates, {*event.present}
    if lacking := [one.name for one in event.players if one.id in here and one.id not in mates]:
        raise EventError(
            "{name} is in no team: add {name} to a team, or take {name} out of the round",
            name=lacking[0],
        )
    last = len(event.teams) + 1
    if event.is_knockout:
        _check_winners(event)
        drawn = draw_bracket(teams)
    elif _every_team_meets(event):
        drawn = draw_round_robin(replace(teams, format=EventFormat.ROUND_ROBIN))
    else:
        place = {one.team: one.place or last for one in team_standings([event])}
        drawn = seat_everybody(replace(teams, format=EventFormat.SWISS), place)
    tables, played = list[Unit](), places_played(event)
    bye = [one for team in drawn.bye for unit in units[team] for one in unit]
    for match in drawn.tables:
        home, away = (units[team] for team in home_first(match.seats, played))
        for board, (one, other) in enumerate(zip_longest(home, away)):
            if one is None or other is None:
                bye += one or other
            else:
                first, second = (other, one) if board % 2 else (one, other)
                tables.append(tuple(seat for both in zip(first, second, strict=True)
                                    for seat in both))  # fmt: skip
    return next_round(event, past_rounds(event), tables, bye)


def _check_winners(event: ClubEvent) -> None:
    for number in range(1, len(event.rounds) + 1):
        for match in matches_of(event, number):
            if match.loser is None:
                raise EventError(
                    "round {round}: {home} and {away} are level in boards and game points: let "
                    "them play on, and correct the result of a board",
                    round=number, home=match.home, away=match.away,
                )  # fmt: skip


def _every_team_meets(event: ClubEvent) -> bool:
    """Whether every team plays every other team once: always in a round robin, and with partners if
    exactly as many rounds are planned as a round robin has."""
    many = len(event.teams)
    return event.format is EventFormat.ROUND_ROBIN or (
        event.has_partners and event.planned == many - 1 + many % 2
    )


# ---------------------------------------------------------------- seats given by the organiser


def seat_as_given(event: ClubEvent, given: EventRound) -> NextRound:
    """The next round with exactly these tables. Raises EventError if somebody who plays in it has
    no seat or bye, somebody who doesn't play has one, or a table is closed or has the wrong number
    of seats."""
    number, by_pairs = len(event.rounds) + 1, event.seats == 2 or event.has_partners
    least = event.seats if by_pairs else 2
    closed = {wish.closed for wish in event.wishes}
    for table in given.tables:
        if not least <= len(table.seats) <= event.seats:
            raise EventError(
                "table {table} has {seats} players: {fit} sit at a table here",
                table=table.number,
                seats=len(table.seats),
                fit=least if least == event.seats else f"{least}–{event.seats}",
            )
        if table.number in closed:
            raise EventError(
                "table {table} is closed or in use: give its players another table",
                table=table.number,
            )
    if given.bye and not by_pairs:
        raise EventError("only at tables of two can a player have a bye")
    plays = {*event.present}
    if event.is_knockout:
        drawn = draw_teams(event) if event.teams else draw_bracket(event)
        if not drawn.tables:
            return drawn
        plays = {*drawn.bye, *(seat for table in drawn.tables for seat in table.seats)}
        if event.teams:  # also the reserves of the teams that are still in it
            plays = {*event.present} & {mate for one in plays for mate in event.mates[one]}
    seated = {*given.bye, *(seat for table in given.tables for seat in table.seats)}
    lacks, has = (
        listed(one.name for one in event.players if one.id in those)
        for those in (plays - seated, seated - plays)
    )
    if lacks and not event.teams:  # a team may have reserves, who don't play
        raise EventError("the seating of round {round} lacks {names}", round=number, names=lacks)
    if has:
        raise EventError(
            "the seating of round {round} has {names}, who can't play in it",
            round=number,
            names=has,
        )
    found = measured_round(event, past_rounds(event), given.tables, given.bye)
    return replace(found, method=SEATS_GIVEN)


# ---------------------------------------------------------------- drawing in any format

DRAW_FUNCTIONS: dict[EventFormat, Callable[[ClubEvent], NextRound]] = {
    EventFormat.TABLES: seat_everybody,
    EventFormat.PARTNERS: seat_everybody,
    EventFormat.SWISS: seat_everybody,
    EventFormat.KNOCKOUT: draw_bracket,
    EventFormat.DOUBLE_KNOCKOUT: draw_bracket,
    EventFormat.ROUND_ROBIN: draw_round_robin,
}


def draw_round(event: ClubEvent) -> NextRound:
    """The next round; without tables once all planned rounds have been drawn. Raises EventError if
    a result is missing, everybody is out, or the event's format doesn't allow another round."""
    for number, each in enumerate(event.rounds, start=1):
        for table in each.tables:
            if table.result is None:
                raise EventError(
                    "round {round}, table {table} has no result yet: enter it before the next "
                    "round is drawn",
                    round=number, table=table.number,
                )  # fmt: skip
    if not event.present:
        raise EventError("everybody is out: no players are left for the next round")
    if event.is_complete:
        return next_round(event, past_rounds(event), [], [])
    given = event.seating.get(len(event.rounds) + 1)
    if given is not None:
        return seat_as_given(event, given)
    return draw_teams(event) if event.teams else DRAW_FUNCTIONS[event.format](event)
