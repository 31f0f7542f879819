"""Random games of Dominó, played and scored by a simulator that shares no code with the rules: it
knows the true deal, and gives each entry as a line of text and the scores after it.

Written from RULES.md, section 8. Players may pass although they could play; others call them for
it.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from random import Random

from tests.games.fives_and_threes_players import NAMES, Line, Pair

HOME = {
    "partners": "on", "target": "200", "lead": "winner", "partner-counts": "yes",
    "block-by": "side", "block-tie": "nobody", "block-counts": "all", "capicua": "0",
    "passes": "off", "renuncio": "hand",
}  # fmt: skip
SETS = {
    "home": HOME,
    "C": {**HOME, "block-by": "duel", "block-tie": "closer", "capicua": "25", "passes": "on"},
    "individual": {**HOME, "partners": "off", "target": "100", "block-by": "seat",
                   "renuncio": "50"},
}  # fmt: skip
VALUES = {
    "target": ("100", "150", "200", "250", "300", "500"), "lead": ("winner", "rotate"),
    "partner-counts": ("yes", "no"), "block-by": ("side", "seat", "duel"),
    "block-tie": ("nobody", "closer"), "block-counts": ("all", "others"), "capicua": ("0", "25"),
    "passes": ("off", "on"), "renuncio": ("off", "hand", "50"),
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A call: whether it is right, the lines with which the table may answer it, and its ruling."""

    guilty: bool
    answers: tuple[str, ...]


@dataclass(frozen=True)
class SimulatedEntry:
    """An entry with the scores and the winners after it, its unambiguous form with the open ends if
    it may be ambiguous, and its call."""

    text: str
    scores: tuple[int, ...]
    won: tuple[str, ...]
    clear: str = ""
    call: Call | None = None


class Game:
    """One random game, with its lines so far."""

    def __init__(self, seed: object, named: str, changes: float = 0.0, said: str = "tile") -> None:
        self.said = said
        self.random = random = Random(f"{seed} {named}")
        self.names = NAMES[: 4 if named != "individual" else random.choice((2, 3, 4))]
        self.rules = dict(SETS[named])
        self.options = {"set": named}
        self.partners = named != "individual"
        for option, values in VALUES.items():
            if random.random() < changes:
                allowed = [one for one in values if self.partners or one != "hand"]
                self.options[option] = self.rules[option] = random.choice(allowed)
        self.scores = dict.fromkeys(self.names, 0)
        self.won: tuple[str, ...] = ()
        self.leader: str | None = None
        self.lines: list[SimulatedEntry] = []
        hands = 0
        while not self.won and hands < 60:
            hands += 1
            self.play_hand(first=hands == 1)

    # ------------------------------------------------------------ scores

    def side(self, seat: str) -> tuple[str, ...]:
        return self.names[self.names.index(seat) % 2 :: 2] if self.partners else (seat,)

    def after(self, seat: str, places: int = 1) -> str:
        return self.names[(self.names.index(seat) + places) % len(self.names)]

    def say(self, text: str, clear: str = "", call: Call | None = None) -> None:
        self.lines.append(SimulatedEntry(text, tuple(self.scores.values()), self.won, clear, call))

    def score(self, seat: str, points: int) -> None:
        for each in self.side(seat):
            self.scores[each] += points

    def decide(self) -> None:
        """Decides the winners at a hand's end."""
        most = max(self.scores.values())
        best = tuple(name for name in self.names if self.scores[name] == most)
        won = most >= int(self.rules["target"]) and best == self.side(best[0])
        self.won = best if won else ()

    # ------------------------------------------------------------ a hand

    def deal(self) -> None:
        stock = list(combinations_with_replacement(range(7), 2))
        self.random.shuffle(stock)
        self.holds = {seat: [stock.pop() for _ in range(7)] for seat in self.names}
        self.called = set[tuple[str, str]]()
        self.passed: list[tuple[str, int, bool]] = []
        """The passes of the hand: the seat, the turn, and whether a tile fitted."""
        self.table: list[Pair] = []
        self.paid: list[tuple[str, int]] = []

    def play_hand(self, *, first: bool) -> None:
        self.deal()
        must: Pair | None = None
        if first:
            tiles = {tile: seat for seat in self.names for tile in self.holds[seat]}
            must = max(tiles, key=lambda tile: (tile[0] == tile[1], tile[1], tile[0]))
            self.leader = tiles[must]
            self.say(self.random.choice(("hand", f"hand lead {self.leader}")))
        else:
            self.say(f"hand lead {self.leader}" if self.random.random() < 0.3 else "hand")
        assert self.leader is not None
        led_by = seat = self.leader
        line, in_a_row, turn, last = Line(), 0, 0, seat
        while True:
            fitting = [(tile, at) for tile in self.holds[seat] for at in line.places(tile)]
            cheats = bool(line.ends) and self.random.random() < 0.05
            turn += 1
            if not fitting or cheats:
                in_a_row += 1
                self.passed.append((seat, turn, bool(fitting)))
                self.passes(line, turn, in_a_row, led_by, last)
                self.say(f"{seat} pass")
                if self.random.random() < 0.2 and self.call(led_by):
                    return
                if in_a_row == len(self.names):
                    break
            else:
                tile, at = self.random.choice(fitting)
                if must:
                    tile, at, must = must, 0, None
                before = {pips for pips, _ in line.ends}
                self.holds[seat].remove(tile)
                self.table.append(tile)
                line.lay(tile, at)
                shown, in_a_row, last = line.shown(), 0, seat
                ends = f"ends {' '.join(map(str, shown))}"
                self.say(f"{seat} {self.words_of(tile, shown)}", f"{seat} {ends}")
                if not self.holds[seat]:
                    self.out(seat, led_by, capicua=before == set(tile) and len(before) == 2)
                    return
                nothing_fits = not any(line.places(each) for each in self.off_table())
                if nothing_fits and self.random.random() < 0.5:
                    self.say("blocked")
                    break
            seat = self.after(seat)
        if self.random.random() < 0.2 and self.call(led_by):
            return
        self.blocked(led_by, last)

    def off_table(self) -> list[Pair]:
        every = combinations_with_replacement(range(7), 2)
        return [tile for tile in every if tile not in self.table]

    def passes(self, line: Line, turn: int, in_a_row: int, led_by: str, last: str) -> None:
        nothing_fits = not any(line.places(tile) for tile in self.off_table())
        if self.rules["passes"] == "off" or nothing_fits:
            return
        if turn == 2:
            low, high = self.table[0]
            self.score(led_by, 25 if low == high else 50)
        if in_a_row == 3 and in_a_row < len(self.names):
            self.score(last, 25)

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

    # ------------------------------------------------------------ its end

    def pips(self, seat: str) -> int:
        return sum(map(sum, self.holds[seat]))

    def show(self, seats: list[str], settle: list[tuple[str, int]]) -> None:
        """The seats show their holdings, the last of which settles the hand."""
        self.random.shuffle(seats)
        for place, seat in enumerate(seats):
            tiles = " ".join(f"{low}-{high}" for low, high in self.holds[seat])
            text = self.random.choice((f"holds {tiles}", f"pips {self.pips(seat)}"))
            if place == len(seats) - 1:
                self.settle(settle)
            self.say(f"{seat} {text}")

    def settle(self, paid: list[tuple[str, int]]) -> None:
        for seat, points in paid:
            self.score(seat, points)
        self.paid = paid
        self.decide()

    def out(self, seat: str, led_by: str, *, capicua: bool) -> None:
        if self.random.random() < 0.5:
            self.say(f"{seat} out")
        if self.random.random() < 0.2 and self.call(led_by):
            return
        own = self.side(seat) if self.rules["partner-counts"] == "no" else (seat,)
        count = [name for name in self.names if name not in own]
        points, paid = sum(map(self.pips, count)), list[tuple[str, int]]()
        paid.append((seat, points))
        low, high = self.table[-1]
        if capicua and low > 0 and low != high:
            paid.append((seat, int(self.rules["capicua"])))
        self.leader = seat if self.rules["lead"] == "winner" else self.after(led_by)
        if self.random.random() < 0.5:
            self.settle(paid)
            self.say(f"pips {points}")
        else:
            self.show(count, paid)
        if self.random.random() < 0.3:
            self.call(led_by)

    def blocked(self, led_by: str, last: str) -> None:
        rules, held = self.rules, {name: self.pips(name) for name in self.names}
        sides = {self.side(name) for name in self.names}
        if rules["block-by"] == "side":
            fewest = {side: sum(held[name] for name in side) for side in sides}
        elif rules["block-by"] == "seat":
            fewest = {side: min(held[name] for name in side) for side in sides}
        else:
            fewest = {self.side(name): held[name] for name in (last, self.after(last))}
        low = min(fewest.values())
        best = [side for side in fewest if fewest[side] == low]
        winner: tuple[str, ...] = best[0]
        if len(best) > 1:
            closer = rules["block-tie"] == "closer" and self.side(last) in best
            winner = self.side(last) if closer else ()
        paid = list[tuple[str, int]]()
        self.leader = self.after(led_by)
        if winner:
            own = winner if rules["block-counts"] == "others" else ()
            points = sum(held[name] for name in self.names if name not in own)
            paid.append((winner[0], points))
            if rules["lead"] == "winner":
                order = [self.after(led_by, places) for places in range(1, len(self.names) + 1)]
                fewest_of = min(held[name] for name in winner)
                self.leader = next(
                    name for name in order if name in winner and held[name] == fewest_of
                )
        self.show(list(self.names), paid)
        if self.random.random() < 0.3:
            self.call(led_by)

    # ------------------------------------------------------------ calls

    def call(self, led_by: str) -> bool:
        """A seat calls a pass, rightly or wrongly; returns whether that ends the hand."""
        if self.rules["renuncio"] == "off" or not self.passed:
            return False
        accused, turn, guilty = self.random.choice(self.passed)
        by = self.random.choice([one for one in self.names if one not in self.side(accused)])
        if (by, accused) in self.called:
            return False
        self.called.add((by, accused))
        off = sum(map(sum, self.off_table()))
        if guilty:
            for seat, points in self.paid:
                self.score(seat, -points)
            self.score(by, off if self.rules["renuncio"] == "hand" else 50)
            self.decide()
            self.leader = by
        tiles = " ".join(f"{low}-{high}" for low, high in self.holds[accused])
        answers = (
            f"{accused} holds {tiles}".strip(),
            f"pips {off}",
            f"rule {accused} {'bogus' if guilty else 'clear'}",
        )
        self.say(f"bogus {accused} by {by} turn {turn}", call=Call(guilty, answers))
        return guilty
