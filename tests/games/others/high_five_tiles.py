"""Random games of High Five! with card tiles by honest players, and the results of such a game by
RULES.md, section 5.

Both are written independently of the program: a card is two letters, and the best combination with
jokers is found by trying every card for each.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from random import Random

RANKS = "23456789TJQKA"
DECK = [rank + suit for rank in RANKS for suit in "shcd"]
LADDER = (
    *("high-card", "pair", "two-pairs", "three-of-a-kind", "straight", "flush", "full-house"),
    *("four-of-a-kind", "straight-flush", "royal-flush", "high-five"),
)


def made_of(cards: list[str]) -> int:
    """[3] The rank of five cards without a joker among the combinations, from 0 for a high card."""
    counts = sorted(Counter(card[0] for card in cards).values())
    at = sorted(RANKS.index(card[0]) for card in cards)
    flush = len({card[1] for card in cards}) == 1
    in_order = at == [*range(at[0], at[0] + 5)]
    straight = in_order or at == [0, 1, 2, 3, 12]
    if counts == [5]:
        return 10
    if flush and in_order and at[0] == 8:
        return 9
    if flush and straight:
        return 8
    if counts == [1, 4]:
        return 7
    if counts == [2, 3]:
        return 6
    if flush:
        return 5
    if straight:
        return 4
    if counts == [1, 1, 3]:
        return 3
    return {3: 2, 4: 1, 5: 0}[len(counts)]


def best(cards: list[str]) -> str:
    """The best combination of these cards; every card of the deck is tried for each joker, even one
    that is already on the board."""
    known = [card for card in cards if card != "X"]
    jokers = len(cards) - len(known)
    tried = combinations_with_replacement(DECK, jokers)
    return LADDER[max(made_of([*known, *named]) for named in tried)]


# ---------------------------------------------------------------- the oracle


@dataclass
class Outcome:
    """The result of a game's lines."""

    scores: dict[str, int]
    points: list[int] = field(default_factory=list)
    finished: bool = False

    @property
    def winners(self) -> tuple[str, ...]:
        most = max(self.scores.values())
        return tuple(seat for seat in self.scores if self.scores[seat] == most)


def outcome(seats: list[str], lines: list[str], points: list[int]) -> Outcome:
    """Adds up the rows of a game, and the two points of the first player who is out: named in a
    line or, if every turn has the number of tiles played, found by counting. `points`: those of
    each combination."""
    found = Outcome(dict.fromkeys(seats, 0))
    holds = dict.fromkeys(seats, 5)
    supply, counted, first = 48 - 4 * len(seats), True, ""
    for line in lines:
        words = line.split()
        seat, won = words[0], 0
        if words[1:2] in (["row"], ["tile"]):
            if words[1] == "row":
                end = words.index("laid") if "laid" in words else len(words)
                name = (
                    words[2]
                    if words[2] in LADDER
                    else best([word.replace("10", "T") for word in words[2:end]])
                )
                won = points[LADDER.index(name)]
            counted = counted and (words[1] == "tile" or "laid" in words)
            if counted:
                holds[seat] -= 1 if words[1] == "tile" else int(words[-1])
                holds[seat] += min(2, supply)
                if holds[seat] == 0 and not first:
                    first, won = seat, won + 2
                found.finished = not any(holds.values())
            supply -= min(2, supply)
        elif words[1:2] == ["out"] and not first:
            first, won = seat, 2
        elif words == ["finish"]:
            found.finished = True
        found.points.append(won)
        if won:
            found.scores[seat] += won
    return found


# ---------------------------------------------------------------- the players


def play(random: Random, players: int) -> list[str]:
    """The lines of a whole random game. All, some or no turns have the number of new tiles."""
    seats = [f"P{number}" for number in range(players)]
    return [*_lines(random, seats, random.choice(["all", "all", "some", "none"]))]


def _lines(random: Random, seats: list[str], laid: str) -> Iterator[str]:
    deck = [*DECK]
    random.shuffle(deck)
    board = [deck.pop() for _ in range(4)]
    holds = {seat: ["X", *(deck.pop() for _ in range(4))] for seat in seats}
    seat = random.choice(seats)
    yield f"hand lead {seat}" if random.random() < 0.5 else "hand"
    first_out, begun, counted = "", set[str](), True
    while any(holds.values()):
        line, said = _turn(random, seat, holds[seat], board, first=seat not in begun, laid=laid)
        begun.add(seat)
        counted = counted and said
        yield line
        for _ in range(min(2, len(deck))):
            holds[seat].append(deck.pop())
        if not holds[seat] and not first_out:
            first_out = seat
            if not counted or random.random() < 0.3:
                yield f"{seat} out"
        after = [
            seats[(seats.index(seat) + step) % len(seats)] for step in range(1, len(seats) + 1)
        ]
        seat = next((one for one in after if holds[one]), seat)
    if not counted or random.random() < 0.3:
        yield "finish"


def _turn(
    random: Random, seat: str, holds: list[str], board: list[str], *, first: bool, laid: str
) -> tuple[str, bool]:
    """The entered line, and whether it has the number of new tiles."""
    random.shuffle(holds)
    most = min(4, len(holds))
    if most < (3 if first else 1) or random.random() < 0.2:
        board.append(holds.pop())
        return f"{seat} tile", True
    new = random.randint(3 if first else 1, most)
    old = random.sample(board, 5 - new) if len(board) >= 5 - new else None
    row = holds[:new] + (old or [])
    if old is None or row.count("X") > 2:
        board.append(holds.pop())
        return f"{seat} tile", True
    board += holds[:new]
    del holds[:new]
    random.shuffle(row)
    told = " ".join(card.replace("T", "10") if random.random() < 0.3 else card for card in row)
    name = told if random.random() < 0.5 else best(row)
    said = laid == "all" or (laid == "some" and random.random() < 0.7)
    return f"{seat} row {name}{f' laid {new}' if said else ''}", said
