"""Plays events with random results, and checks them by counting without the code under test."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations, islice
from random import Random
from typing import Any

from companion.events.pairing import draw_round, table_sizes
from companion.events.reading import read_event

Text = dict[str, Any]


def event_of(people: int, **more: object) -> Text:
    """The text of an event with this many players, before its first round."""
    return {
        "event": 1,
        "name": "Friday fives",
        "format": "tables",
        "players": [{"id": f"p{n}", "name": f"Name {n}"} for n in range(1, people + 1)],
        "rounds": [],
        "seed": "2026-11-23",
        **more,
    }


def draw(text: Text) -> Text:
    """The output of `companion pair --json`."""
    found: Text = json.loads(json.dumps(draw_round(read_event(json.dumps(text))).as_json))
    return found


def played(drawn: Text, luck: Random) -> Text:
    """The round with random results: one seat of each table has won, the others have any points."""
    tables = []
    for table in drawn["tables"]:
        points = [luck.randrange(0, 29) * 5 for _ in table["seats"]]
        points[luck.randrange(len(points))] = 150
        tables.append({**table, "points": points, "corrected": None})
    return {"tables": tables, "bye": drawn["bye"]}


def play(text: Text, rounds: int, seed: int = 1) -> list[Text]:
    """Plays this many rounds into `text`; returns the rounds as drawn."""
    luck, drawn = Random(seed), []
    for _ in range(rounds):
        drawn.append(draw(text))
        text["rounds"].append(played(drawn[-1], luck))
    return drawn


def play_by_lot(text: Text, rounds: int, seed: int = 1) -> None:
    """Plays this many rounds into `text` with people at random tables of four or fewer, for tests
    of results that don't depend on the draw."""
    luck = Random(seed)
    people = [one["id"] for one in text["players"]]
    for _ in range(rounds):
        luck.shuffle(people)
        left = iter(people)
        tables = [
            {"table": at, "seats": [*islice(left, size)]}
            for at, size in enumerate(table_sizes(len(people), 4), start=1)
        ]
        text["rounds"].append(played({"tables": tables, "bye": []}, luck))


# ---------------------------------------------------------------- the checker


def meetings(text: Text) -> Counter[frozenset[str]]:
    """How often every two players have sat at the same table; fixed partners don't count."""
    partners = {frozenset(pair) for pair in text.get("pairs", [])}
    return Counter(
        frozenset(two)
        for each in text["rounds"]
        for table in each["tables"]
        for two in combinations(table["seats"], 2)
        if frozenset(two) not in partners
    )


PAYER = {2: {0: 1, 1: 0}, 3: {0: 2, 1: 0, 2: 1}, 4: {0: 2, 1: 3, 2: 0, 3: 1}}
"""The payer for the scorer at each seat, by the number of seats at the table, written out from the
rules: turns pass clockwise, so at a table of three seat 3 is on the right of seat 1."""


def paid(text: Text) -> Counter[tuple[str, str]]:
    """How often each player would have paid each other: (payer, scorer)."""
    return Counter(
        (seats[payer], seats[scorer])
        for each in text["rounds"]
        for table in each["tables"]
        for seats in [table["seats"]]
        for scorer, payer in PAYER[len(seats)].items()
    )


def turns(text: Text, size: int) -> Counter[str]:
    """How often each player has sat at a table of this size; size 1 is a bye."""
    found = Counter(dict.fromkeys((one["id"] for one in text["players"]), 0))
    for each in text["rounds"]:
        found.update(each["bye"] if size == 1 else [])
        for table in each["tables"]:
            found.update(table["seats"] if len(table["seats"]) == size else [])
    return found


def is_seated_once(text: Text, drawn: Text) -> bool:
    """Whether everybody who isn't out sits once or has a bye, and no two tables have the same
    number."""
    seats = Counter([*drawn["bye"], *(one for table in drawn["tables"] for one in table["seats"])])
    here = [one["id"] for one in text["players"] if one["id"] not in text.get("out", [])]
    numbers = [table["table"] for table in drawn["tables"]]
    return seats == Counter(here) and len({*numbers}) == len(numbers)


def count_standings(text: Text) -> list[tuple[str, Fraction, Fraction, Fraction]]:
    """The standings as (player, match points, difference, opponents), best first, for tables at
    which everybody plays alone. Counted slowly from EVENT.md, without the code under test."""
    by_place = {4: (4, 2, 1, 0), 3: (4, 1, 0), 2: (4, 0)}
    points = {one["id"]: Fraction(0) for one in text["players"]}
    difference = dict(points)
    for each in text["rounds"]:
        for one in each["bye"]:
            points[one] += 4
        for table in each["tables"]:
            scores = (table["corrected"] or table)["points"]
            worth = by_place[len(scores)]
            for seat, own in zip(table["seats"], scores, strict=True):
                places = [at for at, each in enumerate(sorted(scores, reverse=True)) if each == own]
                points[seat] += Fraction(sum(worth[at] for at in places), len(places))
                difference[seat] += own - Fraction(sum(scores) - own, len(scores) - 1)
    opponents = {
        one: sum(
            points[other]
            for each in text["rounds"]
            for table in each["tables"]
            for other in table["seats"]
            if one in table["seats"] and other != one
        )
        for one in points
    }
    rows = [(one, points[one], difference[one], Fraction(opponents[one])) for one in points]
    return sorted(rows, key=lambda row: row[1:], reverse=True)
