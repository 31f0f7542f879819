"""Random games of Fives and Threes, played and scored by a simulator that shares no code with the
rules: it knows the true deal, and gives each entry as a line of text and the scores after it.

Written from RULES.md, section 7. Players may knock although they could play; others call them for
it.
"""

from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from random import Random

NAMES = ("Red", "Blue", "Green", "Yellow")
Pair = tuple[int, int]
SETS: dict[str, dict[str, str]] = {
    "home": {"exact": "on", "out-on-lead": "yes", "last-tile": "1", "hand-end": "both-out",
             "held-playable": "off", "lead": "next"},
    "K": {"exact": "on", "out-on-lead": "no", "last-tile": "0", "hand-end": "one-out",
          "held-playable": "8", "lead": "next"},
    "Te": {"exact": "on", "out-on-lead": "no", "last-tile": "0", "hand-end": "both-out",
           "held-playable": "off", "lead": "next"},
}  # fmt: skip
VALUES = {
    "exact": ("on", "off"), "out-on-lead": ("yes", "no"), "last-tile": ("0", "1"),
    "hand-end": ("one-out", "both-out"), "held-playable": ("off", "8"), "lead": ("next", "winner"),
    "target": ("31", "61", "121"),
}  # fmt: skip
SCORE = {3: 1, 5: 1, 6: 2, 9: 3, 10: 2, 12: 4, 15: 8, 18: 6, 20: 4}


@dataclass
class Line:
    """Two ends, each as (pips, whether all of a double shows); a led double is both."""

    ends: list[tuple[int, bool]] = field(default_factory=list)
    alone: bool = False

    def shown(self) -> list[int]:
        """The open ends as players read them."""
        ends = self.ends[:1] if self.alone else self.ends
        return sorted(pips for pips, double in ends for _ in range(1 + double))

    def places(self, tile: Pair) -> list[int]:
        if not self.ends:
            return [0]
        return [at for at in (0, 1) if self.ends[at][0] in tile]

    def lay(self, tile: Pair, at: int) -> None:
        low, high = tile
        if not self.ends:
            self.alone = low == high
            self.ends = [(low, low == high), (high, low == high)]
            return
        outer = high if self.ends[at][0] == low else low
        self.ends[at], self.alone = (outer, low == high), False


@dataclass(frozen=True)
class SimulatedEntry:
    """An entry, and the scores and the winners after it."""

    text: str
    scores: tuple[int, ...]
    won: tuple[str, ...]


class Game:
    """One random game, with its lines so far."""

    def __init__(self, seed: object, named: str, changes: float = 0.0, said: str = "tile") -> None:
        self.said = said
        self.random = Random(f"{seed} {named}")
        random = self.random
        number = random.choice((2, 3, 4) if named == "home" else (2, 4))
        self.names = NAMES[:number]
        self.partners = number == 4 and (named != "home" or random.random() < 0.7)
        self.rules = dict(SETS[named], target="121" if named == "K" and number == 4 else "61")
        self.options = {"set": named}
        if number == 4 and named == "home":
            self.options["partners"] = "on" if self.partners else "off"
        for option, values in VALUES.items():
            if random.random() < changes:
                self.options[option] = self.rules[option] = random.choice(values)
        self.deal = {"home": (7, 5, 5), "K": (9, 0, 6), "Te": (9, 0, 6)}[named][number - 2]
        self.scores = dict.fromkeys(self.names, 0)
        self.won: tuple[str, ...] = ()
        self.lead = random.choice(self.names)
        self.lines: list[SimulatedEntry] = []
        self.guilty: list[bool] = []
        """For each call, whether a tile was held back."""
        hands = 0
        while not self.won and hands < 60:
            hands += 1
            self.play_hand(first=hands == 1)

    # ------------------------------------------------------------ scores

    def side(self, seat: str) -> tuple[str, ...]:
        if not self.partners:
            return (seat,)
        parity = self.names.index(seat) % 2
        return self.names[parity::2]

    def left(self, seat: str) -> str:
        return self.names[(self.names.index(seat) + 1) % len(self.names)]

    def say(self, text: str) -> None:
        self.lines.append(SimulatedEntry(text, tuple(self.scores.values()), self.won))

    def score(self, seat: str, points: int, *, leads: bool = False) -> None:
        target, total = int(self.rules["target"]), self.scores[seat] + points
        if self.rules["exact"] == "on" and total > target:
            return
        if leads and self.rules["out-on-lead"] == "no" and total >= target:
            return
        for each in self.side(seat):
            self.scores[each] = total
        if total >= target:
            self.won = self.side(seat)

    # ------------------------------------------------------------ a hand

    def play_hand(self, *, first: bool) -> None:
        stock = list(combinations_with_replacement(range(7), 2))
        self.random.shuffle(stock)
        self.holds = {seat: [stock.pop() for _ in range(self.deal)] for seat in self.names}
        self.say(f"hand lead {self.lead}" if first or self.random.random() < 0.3 else "hand")
        line, seat, knocks, leader = Line(), self.lead, 0, self.lead
        out: list[str] = []
        self.faced: dict[str, list[set[int]]] = {name: [] for name in self.names}
        next_lead = self.left(leader)
        while True:
            fitting = [(tile, at) for tile in self.holds[seat] for at in line.places(tile)]
            if not fitting or (line.ends and self.random.random() < 0.07):
                self.faced[seat].append({pips for pips, _ in line.ends})
                knocks += 1
                if knocks == len(self.names) - len(out):
                    self.say(f"{seat} pass")
                    break
                self.say(f"{seat} pass")
            else:
                tile, at = self.random.choice(fitting)
                leads, knocks = not line.ends, 0
                self.holds[seat].remove(tile)
                line.lay(tile, at)
                shown = line.shown()
                self.score(seat, SCORE.get(sum(shown), 0), leads=leads)
                text = f"{seat} {self.words_of(tile, shown)}"
                if not self.won and not self.holds[seat]:
                    out.append(seat)
                    needed = self.side(seat) if self.rules["hand-end"] == "both-out" else (seat,)
                    if set(needed) <= set(out):
                        if self.rules["lead"] == "winner":
                            next_lead = next(name for name in out if name in self.side(seat))
                        self.score(seat, int(self.rules["last-tile"]))
                        self.say(text)
                        if self.random.random() < 0.5:
                            self.say(f"{seat} out")
                        break
                self.say(text)
                if self.won:
                    break
            seat = self.left(seat)
            while seat in out:
                seat = self.left(seat)
        self.lead = next_lead
        self.call_knocked_seats(leader)

    def words_of(self, tile: Pair, shown: list[int]) -> str:
        """The entry for a play: the tile and its ends, the ends alone, or the count alone; perhaps
        mixed."""
        ends = f"ends {' '.join(map(str, shown))}"
        said = self.said if self.said != "mixed" else self.random.choice(("tile", "ends", "count"))
        return {
            "tile": f"{tile[0]}-{tile[1]} {ends}",
            "ends": ends,
            "count": f"count {sum(shown)}",
        }[said]

    def call_knocked_seats(self, leader: str) -> None:
        """Other seats call those that have knocked in this hand, rightly or wrongly."""
        if self.rules["held-playable"] == "off":
            return
        for accused in self.names:
            others = [name for name in self.names if name not in self.side(accused)]
            if not self.faced[accused] or self.random.random() < 0.5:
                continue
            by, held = self.random.choice(others), self.holds[accused]
            self.say(f"bogus {accused} by {by}")
            guilty = any(set(tile) & ends for ends in self.faced[accused] for tile in held)
            if guilty and self.scores[accused] >= 8:
                for each in self.side(accused):
                    self.scores[each] -= 8
                if self.won and accused in self.won:
                    self.won, self.lead = (), self.left(leader)
            elif guilty and not self.won:
                self.score(by, 8)
            self.guilty.append(guilty)
            self.say(" ".join([f"{accused} holds", *(f"{a}-{b}" for a, b in held)]))
