"""Counts a game's statistics the slow way: from the lines of `replay --json` alone.

Written from docs/players.md and docs/tally.md, independently of the program: it never looks at a
state. The tiles that each seat held, the seats that went out and the winners are counted again from
the entries.
"""

import itertools
from collections import Counter
from dataclasses import dataclass, field

from companion.core.values import Json

LADDER = (
    *("high-card", "pair", "two-pairs", "three-of-a-kind", "straight", "flush", "full-house"),
    *("four-of-a-kind", "straight-flush", "royal-flush", "high-five"),
)
"""The combinations in the order of their points on the house's own card, 0 to 10."""


@dataclass
class Recount:
    counts: Counter[str] = field(default_factory=Counter)
    biggest: int = 0
    run: int = 0
    level: int = 0
    paid_by: Counter[str] = field(default_factory=Counter)
    combinations: Counter[str] = field(default_factory=Counter)


def recount(told: Json) -> dict[str, Recount]:
    found = {seat: Recount() for seat in told["seats"]}
    count_runs(told, found)
    for line in told["entries"]:
        for paid in line["payments"]:
            if paid["from"]:
                found[paid["to"]].paid_by[paid["from"]] += paid["points"]
    if told["game"] in ("high-five", "five-up", "all-fives", "fives-and-threes", "domino"):
        count_neighbours(told, found)
        count_calls(told, found)
        hands = {line["hand"] for line in told["entries"] if line["hand"]}
        for hand in hands:
            count_hand(told, hand, found)
    if told["game"] == "highrise":
        for hand in {line["hand"] for line in told["entries"] if line["hand"]}:
            count_highrise_hand(told, hand, found)
    return found


def words(line: Json) -> list[str]:
    return str(line["entry"]).split()


def is_play(line: Json) -> bool:
    """Whether the line is a play: a tile, a row, or points. Any other line with a seat and a turn
    has draw, pass or return after the seat."""
    if line["seat"] is None or line["turn"] is None:
        return False
    return words(line)[1] not in ("draw", "pass", "return")


def play_points(line: Json) -> int:
    whys = ("count", "capture", "lay", "row")
    if any(paid["from"] for paid in line["payments"]):
        return int(line["points"])  # what was paid may be less: the payer had no more
    return sum(paid["points"] for paid in line["payments"] if paid["why"] in whys)


def count_runs(told: Json, found: dict[str, Recount]) -> None:
    for seat, mine in found.items():
        run = 0
        for line in told["entries"]:
            if not (is_play(line) and line["seat"] == seat):
                continue
            points = play_points(line)
            mine.counts.update(lays=1, points=points, scoring=points > 0)
            run = run + 1 if points else 0
            mine.run = max(mine.run, run)
            if points:
                mine.biggest = max(mine.biggest, line["count"] or points)
            if told["game"] == "high-fives" and words(line)[1] != "points":
                caught = ("takes" in words(line)) + ("pair" in words(line))
                mine.counts.update(capturing_turns=1, captures=caught)
            if told["game"] == "highrise":
                level = int(words(line)[words(line).index("level") + 1])
                mine.counts["levels"] += level
                mine.level = max(mine.level, level)
            if told["game"] == "high-five-tiles" and words(line)[1] == "row":
                mine.combinations[LADDER[points]] += 1
        for line in told["entries"]:
            if line["seat"] == seat and words(line)[1] == "draw":
                mine.counts["drawn"] += int(([*words(line), "1"])[2])
            if line["seat"] == seat and words(line)[1] == "return":
                mine.counts["drawn"] -= 1
            if line["seat"] == seat and words(line)[1] == "pass":
                mine.counts["passes"] += 1


def count_neighbours(told: Json, found: dict[str, Recount]) -> None:
    seats = told["seats"]
    for hand in {line["hand"] for line in told["entries"]}:
        turns = [line for line in told["entries"] if line["hand"] == hand and line["turn"]]
        turns = [line for line in turns if words(line)[1] not in ("draw", "return")]
        for line, after in itertools.pairwise(turns):
            left = seats[(seats.index(line["seat"]) + 1) % len(seats)]
            if not is_play(line) or after["seat"] != left:
                continue
            if is_play(after):
                found[line["seat"]].counts.update(followed=1, given=play_points(after))
            else:
                found[line["seat"]].counts["forced"] += 1


def payee(seats: list[str], seat: str) -> str:
    step = 1 if len(seats) == 3 else len(seats) // 2
    return seats[(seats.index(seat) + step) % len(seats)]


def count_calls(told: Json, found: dict[str, Recount]) -> None:
    for place, line in enumerate(told["entries"]):
        if words(line)[0] != "bogus":
            continue
        result = next(one["ruling"] for one in told["entries"][place:] if one.get("ruling"))
        by = words(line)[words(line).index("by") + 1]
        right = result["result"] == "bogus"
        found[by].counts["called_right" if right else "called_wrong"] += 1
    for hand in {line["hand"] for line in told["entries"]}:
        lines = [line for line in told["entries"] if line["hand"] == hand]
        if any((line.get("ruling") or {}).get("result") == "bogus" for line in lines):
            continue
        proven = {
            (notice["seat"], notice["turn"])
            for line in lines
            for notice in line["notices"]
            if notice["kind"] == "bogus-proven"
        }
        for seat, _ in proven:
            found[seat].counts["uncalled"] += 1


def count_hand(told: Json, hand: int, found: dict[str, Recount]) -> None:
    seats, lines = told["seats"], [line for line in told["entries"] if line["hand"] == hand]
    held = dict.fromkeys(seats, int(told["options"].get("deal", 7)))
    out = bogus = None
    shown: dict[str, int] = {}
    claimed: dict[str, int] = {}
    claim = False
    settled = any(line["hand"] > hand for line in told["entries"])
    for line in lines:
        said = words(line)
        claim = claim or said[0] == "bogus"
        if is_play(line):
            held[said[0]] -= 1
            out = said[0] if held[said[0]] == 0 else out
        elif said[1:2] == ["draw"]:
            held[said[0]] += int(([*said, "1"])[2])
        elif said[1:2] in (["holds"], ["pips"]):
            (claimed if claim else shown)[said[0]] = pips_of(said)
        if line.get("ruling"):
            claim = False
            if line["ruling"]["result"] == "bogus":
                bogus = line["ruling"]["seat"]
                shown |= claimed
            claimed = {}
        settled = settled or any(
            paid["why"] in ("out", "blocked", "bogus") for paid in line["payments"]
        )
    if not settled:
        return
    winner = payee(seats, bogus) if bogus else out
    if winner is None and shown:
        fewest = [seat for seat in seats if shown[seat] == min(shown.values())]
        winner = fewest[0] if len(fewest) == 1 else None
    for seat in seats:
        mine = found[seat].counts
        mine.update(
            hands=1,
            dominoed=out == seat and bogus is None,
            blocked=out is None and bogus is None,
            lost=winner is not None and winner != seat,
        )
        if seat in shown and seat != out:
            mine.update(shown=1, pips=shown[seat])


def pips_of(said: list[str]) -> int:
    if said[1] == "pips":
        return int(said[2])
    halves = [half for tile in said[2:] for half in tile.split("-")]
    return sum(7 if half == "W" else int(half) for half in halves)


def count_highrise_hand(told: Json, hand: int, found: dict[str, Recount]) -> None:
    lines = [line for line in told["entries"] if line["hand"] == hand]
    whys = {paid["why"] for line in lines for paid in line["payments"]}
    seats = told["seats"]
    held = dict.fromkeys(seats, 5)
    for line in lines:
        if is_play(line):
            held[line["seat"]] -= 1
        elif words(line)[1:2] == ["draw"]:
            held[line["seat"]] += 1
    out = next((seat for seat in seats if held[seat] == 0), None)
    later = any(line["hand"] > hand for line in told["entries"])
    if not (later or told["finished"] or whys & {"out", "blocked"}):
        return
    shown = {line["seat"]: pips_of(words(line)) for line in lines
             if words(line)[1:2] in (["holds"], ["pips"])}  # fmt: skip
    for seat in seats:
        mine = found[seat].counts
        mine.update(
            hands=1, dominoed=out == seat, blocked=out is None, lost=out not in (None, seat)
        )
        if seat in shown and seat != out:
            mine.update(shown=1, pips=shown[seat])
