"""Random games of High Fives by honest players, and the results of such a game by RULES.md, section
3.

Both are written independently of the program: tiles are pairs of numbers, and a game is its lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement
from random import Random

Pair = tuple[int, int]
SET: tuple[Pair, ...] = tuple(combinations_with_replacement(range(16), 2))
HANDS = {2: (13, 1, 65), 3: (8, 11, 40), 4: (6, 11, 30), 5: (6, 11, 24), 6: (5, 11, 20),
         7: (5, 19, 16), 8: (5, 3, 16)}  # fmt: skip
"""The number of hands, of left-over tiles and of turns of each player, by the number of players."""


def value(tile: Pair) -> int:
    """[5] The points of a captured tile."""
    pips = sum(tile)
    fives = pips // 5 if pips and pips % 5 == 0 else 0
    return fives + (1 if tile[0] == tile[1] else 0)


# ---------------------------------------------------------------- the oracle


@dataclass
class Outcome:
    """The result of a game's lines."""

    scores: dict[str, int]
    points: list[int] = field(default_factory=list)
    """The points of each line."""
    left: int | None = None

    @property
    def missing(self) -> int | None:
        return None if self.left is None else 100 - sum(self.scores.values()) - self.left


def outcome(seats: list[str], lines: list[str]) -> Outcome:
    """Adds up the lines. The tiles left at the end are those that were turned up or played and not
    captured."""
    found = Outcome(dict.fromkeys(seats, 0))
    lying: set[Pair] | None = set()
    shown = 0
    for line in lines:
        tiles = [tuple(sorted(map(int, tile))) for tile in re.findall(r"(\d+)-(\d+)", line)]
        taken: list[tuple[int, ...]] = []
        points = 0
        if line.startswith("tableau"):
            shown += 1
            if lying is not None:
                lying |= {(low, high) for low, high in tiles}
        elif " points " in line:
            lying, points = None, int(line.split()[-1])
        elif line.startswith("left "):
            found.left = int(line.split()[1])
        elif tiles:
            if " takes " in line:
                taken += tiles[:2]
            if " pair " in line:
                taken += tiles[-2:]
            points = sum(value((low, high)) for low, high in taken)
            if lying is not None:
                lying = (lying | {(tiles[0][0], tiles[0][1])}) - {(a, b) for a, b in taken}
        found.points.append(points)
        if points:
            found.scores[line.split()[0]] += points
    if lying is not None and shown == 2:
        found.left = sum(map(value, lying))
    return found


# ---------------------------------------------------------------- the players


def play(random: Random, players: int) -> list[str]:
    """The lines of a whole random game. Some tables enter every tile; others leave out the tableau,
    or enter only points from some turn on."""
    seats = [f"P{number}" for number in range(players)]
    told = random.choice(["tiles", "tiles", "no tableau", "points", "one turn by points"])
    return [*_lines(random, seats, told)]


def _lines(random: Random, seats: list[str], told: str) -> Iterator[str]:
    hands, over, turns = HANDS[len(seats)]
    stock = [*SET]
    random.shuffle(stock)
    lying, leader = [stock.pop() for _ in range(5)], random.choice(seats)
    captured = 0
    number = 0
    for hand in range(1, hands + 1):
        each = _each(len(seats), hand)
        holds = {seat: [stock.pop() for _ in range(each)] for seat in seats}
        named = hand == 1 and random.random() < 0.5
        yield f"hand lead {leader}" if named or random.random() < 0.2 else "hand"
        up = lying if hand == 1 else []
        if hand == hands:
            assert len(stock) == over
            up, lying = stock, lying + stock
        if up and told != "no tableau":
            yield " ".join(["tableau", *map(written, up)])
        for turn in range(each * len(seats)):
            seat = seats[(seats.index(leader) + turn) % len(seats)]
            tile = holds[seat].pop(random.randrange(len(holds[seat])))
            line, taken = _turn(random, seat, tile, lying)
            lying = [one for one in [*lying, tile] if one not in taken]
            captured += sum(map(value, taken))
            number += 1
            by_points = told == "points" or (told == "one turn by points" and number == 30)
            yield f"{seat} points {sum(map(value, taken))}" if by_points else line
    assert number == turns * len(seats)
    assert captured + sum(map(value, lying)) == 100
    if told != "tiles":
        yield f"left {sum(map(value, lying))}" if random.random() < 0.8 else "left"


def _each(players: int, hand: int) -> int:
    if hand == 1:
        return 5 if players <= 4 else 4
    return 5 if players <= 4 else 4 if players <= 6 else 3


def _turn(random: Random, seat: str, tile: Pair, lying: list[Pair]) -> tuple[str, list[Pair]]:
    """The entered line, and the captured tiles."""
    words, taken = [seat, written(tile, random)], []
    takes = [other for other in lying if set(other) & set(tile)]
    if takes and random.random() < 0.8:
        taken = [tile, random.choice(takes)]
        words += ["takes", written(taken[1], random)]
    pairs = [
        p for p in combinations([t for t in lying if t not in taken], 2) if set(p[0]) & set(p[1])
    ]
    if pairs and random.random() < 0.5:
        pair = random.choice(pairs)
        taken += pair
        words += ["pair", *(written(one, random) for one in pair)]
    return " ".join(words), taken


def written(tile: Pair, random: Random | None = None) -> str:
    """The tile's text, with its halves in either order."""
    low, high = tile if random is None or random.random() < 0.5 else tile[::-1]
    return f"{low}-{high}"
