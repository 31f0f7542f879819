"""Random games of Highrise by honest players, and the results of such a game by RULES.md, section
4.

Both are written independently of the program. A half is "0" to "6" or "W"; a tile is two halves;
the building is a dictionary of the faces of its fields.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from random import Random

Tile = tuple[str, str]
Spot = tuple[int, int]
"""Row and column."""
HALVES = "0123456W"
SET: tuple[Tile, ...] = tuple(combinations_with_replacement(HALVES, 2))
SPOTS: tuple[Spot, ...] = tuple((row, column) for row in range(2) for column in range(8))


def pips(tile: Tile) -> int:
    """[5] The pips of a tile in a hand; a wild half counts 7."""
    return sum(7 if half == "W" else int(half) for half in tile)


def play_value(half: str, covered: str) -> int:
    """[3] The value of a half on the half `covered`: a wild half has that value, or 7 on a wild
    one."""
    if half != "W":
        return int(half)
    return 7 if covered == "W" else int(covered)


# ---------------------------------------------------------------- the building


@dataclass(frozen=True)
class Face:
    """A field as seen from above: its half, how many plays are below it, and a name for its
    tile."""

    half: str
    level: int
    owner: str


Tower = dict[Spot, Face]


def ground(tiles: list[Tile]) -> Tower:
    return {
        (row, column): Face(tile[row], 0, f"basement {column}")
        for column, tile in enumerate(tiles)
        for row in range(2)
    }


@dataclass(frozen=True)
class PossiblePlay:
    """One way to play a tile: the halves that it covers, its level, and the half that a spacer
    lifts."""

    on: tuple[str, str]
    level: int
    spacer: str | None
    spots: tuple[Spot, Spot]

    def words(self, tile: Tile) -> str:
        """All clauses of the play; for a double, the covered halves in the order in which they are
        written."""
        on = self.on
        if tile[0] == tile[1] and HALVES.index(on[0]) > HALVES.index(on[1]):
            on = on[::-1]
        lift = f" spacer {self.spacer}" if self.spacer else ""
        return f"on {on[0]} {on[1]} level {self.level}{lift}"

    def points(self, tile: Tile) -> int:
        return self.level * sum(map(play_value, tile, self.on))


def moves(tower: Tower, tile: Tile, spacers: int) -> Iterator[PossiblePlay]:
    """[2] Every place where a tile may be played, in both directions."""
    for spot in SPOTS:
        for step in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            beside = spot[0] + step[0], spot[1] + step[1]
            if beside not in tower:
                continue
            one, other = tower[spot], tower[beside]
            if one.owner == other.owner:
                continue
            if any(
                "W" not in (a, f.half) and a != f.half
                for a, f in zip(tile, (one, other), strict=True)
            ):
                continue
            higher = max(one.level, other.level)
            if one.level == other.level:
                yield PossiblePlay((one.half, other.half), higher + 1, None, (spot, beside))
            elif spacers and abs(one.level - other.level) == 1:
                low = one if one.level < other.level else other
                yield PossiblePlay((one.half, other.half), higher + 1, low.half, (spot, beside))


def built(tower: Tower, tile: Tile, move: PossiblePlay, name: str) -> Tower:
    faces = {
        spot: Face(half, move.level, name) for spot, half in zip(move.spots, tile, strict=True)
    }
    return {**tower, **faces}


def every_tower(lines: list[str]) -> list[frozenset[tuple[Spot, Face]]]:
    """Every possible form of the last hand's building; all lines have their clauses."""
    towers: set[frozenset[tuple[Spot, Face]]] = set()
    for number, line in enumerate(lines):
        words = line.split()
        if words[0] == "hand":
            towers = set()
        elif words[0] == "basement":
            towers = {frozenset(ground([tile_of(word) for word in words[1:]]).items())}
        elif "level" in words:
            tile, said = tile_of(words[1]), " ".join(words[2:])
            towers = {
                frozenset(built(dict(tower), tile, move, f"play {number}").items())
                for tower in towers
                for move in moves(dict(tower), tile, 12)
                if move.words(tile) == said
            }
    return [*towers]


def tile_of(word: str) -> Tile:
    one, other = word.split("-")
    return one, other


# ---------------------------------------------------------------- the oracle


@dataclass
class Outcome:
    """The result of the lines: the scores after each, and the winners."""

    scores: dict[str, int]
    points: list[int] = field(default_factory=list)
    winners: tuple[str, ...] = ()


def outcome(seats: list[str], lines: list[str], target: int | None = 300) -> Outcome:
    """Adds up plays, and holdings once all that count were shown. `target` None: the game is a
    single hand."""
    found = Outcome(dict.fromkeys(seats, 0))
    out: str | None = None
    shown: dict[str, int] = {}
    held: Counter[str] = Counter()
    for line in lines:
        words, points = line.split(), 0
        seat = words[0]
        if seat == "hand":
            out, shown, held = None, {}, Counter(dict.fromkeys(seats, 5))
        elif words[1:2] == ["draw"]:
            held[seat] += 1
        elif words[1:2] == ["out"]:
            out = seat
        elif words[1:2] in (["holds"], ["pips"]):
            tiles = map(tile_of, words[2:]) if words[1] == "holds" else ()
            shown[seat] = sum(map(pips, tiles)) if words[1] == "holds" else int(words[2])
            if {*shown, out} >= {*seats}:
                total = sum(points for who, points in shown.items() if who != out)
                if out:
                    found.scores[out] += total
                    points = total
                else:
                    for who in seats:
                        found.scores[who] -= shown[who]
                    points = -total
                best = max(found.scores.values())
                if target is None or best >= target:
                    first = tuple(who for who in seats if found.scores[who] == best)
                    found.winners = first if len(first) == 1 else ()
        elif seat in seats and re.fullmatch(r"[0-6W]-[0-6W]", words[1]):
            tile = tile_of(words[1])
            level = int(words[words.index("level") + 1])
            on = words[words.index("on") + 1 :][:2] if "on" in words else tile
            points = level * sum(map(play_value, tile, on))
            found.scores[seat] += points
            held[seat] -= 1
            out = seat if held[seat] == 0 else None
        found.points.append(points)
    return found


# ---------------------------------------------------------------- the players


def play(random: Random, players: int) -> list[str]:
    """The lines of a whole random game to 300: with the basement and all clauses, or without the
    basement."""
    seats = [f"P{number}" for number in range(players)]
    lines: list[str] = []
    lead, basement = random.choice(seats), random.random() < 0.7
    while not outcome(seats, lines).winners:
        named = not lines and random.random() < 0.5
        lines.append(f"hand lead {lead}" if named else "hand")
        lines += _hand(random, seats, lead, basement=basement)
        lead = seats[(seats.index(lead) + 1) % players]
    return lines


def _hand(random: Random, seats: list[str], lead: str, *, basement: bool) -> Iterator[str]:
    """The lines of one hand until it is settled: a player plays if possible, or else draws, or else
    passes."""
    pile = [tile if random.random() < 0.5 else tile[::-1] for tile in SET]
    random.shuffle(pile)
    below = [pile.pop() for _ in range(8)]
    if basement:
        yield " ".join(["basement", *map("-".join, below)])
    holds = {seat: [pile.pop() for _ in range(5)] for seat in seats}
    tower, spacers, passes, seat = ground(below), 12, 0, lead
    number = 0
    while passes < len(seats):
        able = [(tile, m) for tile in holds[seat] for m in moves(tower, tile, spacers)]
        if not able and pile:
            drawn = pile.pop()
            yield f"{seat} draw"
            passes = 0
            holds[seat].append(drawn)
            able = [(drawn, move) for move in moves(tower, drawn, spacers)]
        if able:
            tile, move = random.choice(able)
            number += 1
            tower = built(tower, tile, move, f"own {number}")
            spacers -= move.spacer is not None
            passes = 0
            holds[seat].remove(tile)
            yield f"{seat} {'-'.join(tile)} {_told(random, tile, move, basement=basement)}"
            if not holds[seat]:
                break
        else:
            passes = 0 if pile else passes + 1
            yield f"{seat} pass"
        seat = seats[(seats.index(seat) + 1) % len(seats)]
    out = seat if not holds[seat] else None
    if random.random() < 0.5:
        yield f"{seat} out" if out else "blocked"
    for who in random.sample(seats, len(seats)):
        if who != out:
            tiles = holds[who]
            as_tiles = " ".join([f"{who} holds", *map("-".join, tiles)])
            yield as_tiles if random.random() < 0.5 else f"{who} pips {sum(map(pips, tiles))}"


def _told(random: Random, tile: Tile, move: PossiblePlay, *, basement: bool) -> str:
    words = move.words(tile)
    if not basement and "W" not in tile and random.random() < 0.7:
        return words.split(maxsplit=3)[3]
    return words
