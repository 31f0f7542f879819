"""An evening of 60 people over seven rounds: python -m tests.club.hub.sixty_players [SEED]

Through a real hub and the records of five boxes: latecomers, leavers, a wrong result in every other
round, and a box that dies in the middle of a game of the third round. Pairings and standings
are compared with an independent count (tests/events/playing.py). Prints what was measured; the exit
status is 1 if anything differs.
"""

import sys
import time
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.core.values import Json
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import Visitor
from tests.events.playing import count_standings, meetings
from tests.waiting import wait_until

PEOPLE, ROUNDS, BOXES = 60, 7, 5
LATE: Final = {2: ("Pat57", "Pat58"), 3: ("Pat59",)}
"""By round, who comes only then; Pat60 never comes."""
LEAVE: Final = {3: ("Pat05",), 5: ("Pat06", "Pat07")}
"""By round, who has left before it."""
DIES_IN, DEAD_BOX = 3, 4


class Organiser:
    """The organiser of the event, who enters again if somebody was faster."""

    def __init__(self, site: ClubSite) -> None:
        self._visitor = Visitor(site.hub, "keep")
        self.path, self.entered = "/api/events", 0
        settings = {
            "event": 2, "name": "Sixty", "game": "high-five", "format": "tables", "seed": "sixty",
            "planned": ROUNDS,
        }  # fmt: skip
        status, kept = self._visitor.ask(self.path, settings)
        assert status == 201, kept
        self.path = f"{self.path}/{kept['number']}"

    def event(self) -> Json:
        found: Json = self._visitor.ask(self.path)[1]
        return found

    def send(self, said: Json, to: str = "") -> Json:
        while True:
            after = self.event()["after"]
            found: Json
            status, found = self._visitor.ask(f"{self.path}{to}", {**said, "after": after})
            if status != 409 or not found.get("changed"):
                assert status == 200, (said, found)
                self.entered += 1
                return found

    def enter(self, kind: str, **said: Any) -> Json:
        return self.send({"entries": [{kind: said}], "as_entered": True})


def draw(organiser: Organiser) -> tuple[Json, float]:
    """Draws and publishes the next round; returns it, and the seconds that this took."""
    began = time.monotonic()
    organiser.send({"propose": True})
    kept = organiser.send({"publish": True})
    return kept["event"]["rounds"][-1], time.monotonic() - began


def play_at_boxes(
    site: ClubSite, number: int, tables: list[Json], names: dict[str, str]
) -> set[int]:
    """The people of the first tables play at their boxes; the second seat wins. Returns the tables
    whose box finished the game."""
    finished = set()
    for box, table in enumerate(tables[:BOXES]):
        if box == DEAD_BOX and number > DIES_IN:
            continue
        seats = [names[one] for one in table["seats"]]
        dies = box == DEAD_BOX and number == DIES_IN
        plays = [f"{seats[1]} points 35"] * (2 if dies else 4)
        lines = [f"hand lead {seats[1]}", *plays, *([] if dies else [f"{seats[1]} points 10"])]
        site.play(f"Table {box + 1}", "\n".join(lines), " ".join(seats), number=number)
        if not dies:
            finished.add(int(table["table"]))
    return finished


def play_round(site: ClubSite, organiser: Organiser, number: int, random: Random) -> float:
    """Plays a round; returns the seconds for its draw."""
    drawn, took = draw(organiser)
    names = {one["id"]: one["name"] for one in organiser.event()["event"]["players"]}
    finished = play_at_boxes(site, number, drawn["tables"], names)

    def open_tables() -> dict[int, Json]:
        tables = organiser.event()["event"]["rounds"][-1]["tables"]
        return {int(one["table"]): one for one in tables if one["points"] is None}

    wait_until(lambda: not finished & open_tables().keys())
    for at, table in open_tables().items():
        points = [5 * random.randrange(29) for _ in table["seats"]]
        points[random.randrange(len(points))] = 150
        organiser.enter("result", round=number, table=at, points=points)
    if number % 2 == 0:
        wrong = organiser.event()["event"]["rounds"][-1]["tables"][-1]
        points = [150 if seat == 0 else 5 * seat for seat in range(len(wrong["seats"]))]
        organiser.enter("corrected", round=number, table=wrong["table"], points=points,
                        by="Kim", why="mixed up")  # fmt: skip
    return took


def main(seed: int = 60) -> int:
    random, began = Random(seed), time.monotonic()
    names = [f"Pat{number:02}" for number in range(1, PEOPLE + 1)]
    with TemporaryDirectory(prefix="sixty-") as folder, club_site(Path(folder)) as site:
        for box in range(1, BOXES + 1):
            site.join(f"Table {box}")
        organiser = Organiser(site)
        organiser.send({"text": "\n".join(names), "kind": "listed"}, "/people")
        ids = {one["name"]: one["id"] for one in organiser.event()["event"]["players"]}
        absent = {one for late in LATE.values() for one in late} | {names[-1]}
        for name in (*absent,):
            organiser.enter("late", id=ids[name])
        for name in names:
            if name not in absent:
                organiser.enter("came", id=ids[name], name=name)
        draws = []
        for number in range(1, ROUNDS + 1):
            for name in LATE.get(number, ()):
                organiser.enter("came", id=ids[name], name=name)
            for name in LEAVE.get(number, ()):
                organiser.enter("left", id=ids[name])
            draws.append(play_round(site, organiser, number, random))
        kept = organiser.event()
    text = kept["event"]
    met = max(meetings(text).values())
    counted = {one: points for one, points, _, _ in count_standings(text)}
    for number, late in LATE.items():
        for name in late:
            counted[ids[name]] += 2 * (number - 1)
    shown = {row["player"]: Fraction(str(row["points"])) for row in kept["standings"]}
    seated = [sum(len(table["seats"]) for table in each["tables"]) for each in text["rounds"]]
    same = all(shown.get(one, Fraction(0)) == points for one, points in counted.items())
    print(f"{PEOPLE} people, seated by round: {seated}; most meetings of two: {met}; "
          f"standings {'equal' if same else 'DIFFERENT'}; {organiser.entered} entries of the "
          f"organiser; slowest draw {max(draws):.1f} s; {time.monotonic() - began:.0f} s in "
          f"all")  # fmt: skip
    return 0 if same and met == 1 and seated == [56, 58, 58, 58, 56, 56, 56] else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
