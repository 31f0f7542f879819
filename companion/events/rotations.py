"""Ready-made rotations for 13 to 32 people at tables of four: nobody meets twice.

Each rotation is given by its first round. `a3` is place 3 of circle a: from round to round each
person moves to the next place of the circle, from the last to the first, while `v` to `z` stay
where they are. The tests check that nobody meets twice.

With one to three people fewer than a rotation is for, the missing ones are people who meet in one
of its rounds. If two or three are missing, that round is left out. So in each round that is played
they are missing from different tables, which become the tables of three.

With two or three missing somebody sits at a table of three twice while others never do, so only the
first round of such a rotation is drawn.
"""

from collections.abc import Sequence
from functools import cache

Rounds = list[list[list[str]]]
"""For each round its tables, each as a list of people."""

FIRST_ROUNDS = {
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


def ready_made(people: Sequence[str]) -> Rounds | None:
    """The rounds for these people in this order; None if there is no rotation for that many."""
    full = -(-len(people) // 4) * 4
    if full not in FIRST_ROUNDS:
        return None
    rounds = _rounds(full)
    lack = full - len(people)
    if not lack:
        return [[[people[one] for one in table] for table in each] for each in rounds]
    # The missing people sit together in the last round, which is left out if there are two or
    # three.
    missing = rounds[-1][0][:lack]
    there = [one for one in range(full) if one not in missing]
    who = dict(zip(there, people, strict=True))
    return [
        [[who[one] for one in table if one in who] for table in each]
        for each in (rounds if lack == 1 else rounds[:-1])
    ]


@cache
def _rounds(people: int) -> list[list[list[int]]]:
    many, first = FIRST_ROUNDS[people]
    tables = [table.split("-") for table in first.split()]
    names = sorted(one for table in tables for one in table)
    numbers = {name: at for at, name in enumerate(names)}
    return [
        [[numbers[_moved(one, step, many)] for one in table] for table in tables]
        for step in range(many)
    ]


def _moved(name: str, step: int, many: int) -> str:
    return name if len(name) == 1 else f"{name[0]}{(int(name[1:]) + step) % many}"
