"""An evening of 60 people over seven rounds: python -m tests.club.hub.sixty_players [SEED]

Through a real hub, the records of five boxes, and 20 phones: latecomers, leavers, a box that dies
in the middle of a game of the third round, and a hub that is killed in the fifth. At six tables
without a box, two phones report the result; at one more they report different ones, and the
organiser decides. A wrong result of every other round is corrected. Pairings, payers, standings and
what the phones show are compared with an independent count (tests/events/playing.py). Prints what
was measured; the exit status is 1 if anything differs.
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
from tests.club.hub.test_my_evening import Phone
from tests.events.playing import count_standings, is_seated_once, meetings, paid
from tests.waiting import wait_until

PEOPLE, ROUNDS, BOXES = 60, 7, 5
LATE: Final = {2: ("Pat57", "Pat58"), 3: ("Pat59",)}
"""By round, who comes only then; Pat60 never comes."""
LEAVE: Final = {3: ("Pat05",), 5: ("Pat06", "Pat07")}
"""By round, who has left before it."""
DIES_IN, DEAD_BOX = 3, 4
KILLED_IN: Final = 5
PHONES: Final = 20
AGREE: Final = 6
"""The most tables without a box of a round at which two phones report the same result."""


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


class Hall:
    """The people with a phone, and the counts of what they did."""

    def __init__(self, site: ClubSite, organiser: Organiser, random: Random) -> None:
        self.site, self.organiser, self.random = site, organiser, random
        self.phones = dict[str, Phone]()
        self.wrong = list[str]()
        self.agreed = self.decided = 0
        self.draws = list[float]()

    def play_round(self, number: int) -> None:
        """Draws and plays a round, and notes in `wrong` what should not be."""
        before = self.organiser.event()["event"]
        drawn, took = draw(self.organiser)
        self.draws.append(took)
        if not is_seated_once(_present(before, number), drawn):
            self.wrong.append(f"round {number}: somebody sits twice, or not at all")
        names = {one["id"]: one["name"] for one in before["players"]}
        finished = play_at_boxes(self.site, number, drawn["tables"], names)
        wait_until(lambda: not finished & self.open_tables().keys())
        if number == KILLED_IN:
            self.site.hub.kill()
            self.site.hub.start()
        self.report(number)
        for at, table in self.open_tables().items():
            points = self.random_points(table)
            self.organiser.enter("result", round=number, table=at, points=points)
        if number % 2 == 0:
            wrong = self.organiser.event()["event"]["rounds"][-1]["tables"][-1]
            points = [150 if seat == 0 else 5 * seat for seat in range(len(wrong["seats"]))]
            self.organiser.enter("corrected", round=number, table=wrong["table"], points=points,
                                 by="Kim", why="mixed up")  # fmt: skip

    def open_tables(self) -> dict[int, Json]:
        """The tables of the newest round without a result, by number."""
        tables = self.organiser.event()["event"]["rounds"][-1]["tables"]
        return {int(one["table"]): one for one in tables if one["points"] is None}

    def random_points(self, table: Json) -> list[int]:
        points = [5 * self.random.randrange(29) for _ in table["seats"]]
        points[self.random.randrange(len(points))] = 150
        return points

    def report(self, number: int) -> None:
        """Phones report results of tables that no box plays at: of one table different ones."""
        dead = number >= DIES_IN and DEAD_BOX + 1
        expected = dict[int, list[int]]()
        pairs = (
            (at, table, [self.phones[one] for one in table["seats"] if one in self.phones][:2])
            for at, table in self.open_tables().items()
            if at > BOXES or at == dead
        )
        disputed = None
        for at, table, phones in pairs:
            if len(phones) < 2 or len(expected) >= AGREE:
                continue
            points = self.random_points(table)
            told = [points, points]
            if disputed is None:
                disputed, told = at, [points, [*points[1:], points[0]]]
            else:
                expected[at] = points
            for phone, each in zip(phones, told, strict=True):
                status, found = phone.mine({"round": number, "table": at, "points": each})
                assert status == 200, found
        wait_until(lambda: not expected.keys() & self.open_tables().keys())
        kept = self.organiser.event()
        for table in kept["event"]["rounds"][-1]["tables"]:
            if expected.get(table["table"], table["points"]) != table["points"]:
                self.wrong.append(f"round {number}: table {table['table']} has another result")
        self.agreed += len(expected)
        if disputed is not None:
            odd = [one for one in kept["odd"]
                   if (one["round"], one["table"]) == (number, disputed)]  # fmt: skip
            if len(odd) != 2:
                self.wrong.append(f"round {number}: nobody decides about table {disputed}")
            self.organiser.enter("result", round=number, table=disputed, points=odd[0]["points"])
            self.decided += 1
            if self.organiser.event()["odd"]:
                self.wrong.append(f"round {number}: something is still to be decided")


def _present(text: Json, number: int) -> Json:
    """The event's text before round `number`, with those who have left before it in `out`."""
    gone = [one["id"] for one in text["players"] if one.get("until", number) < number]
    return {**text, "out": [*text["out"], *gone]}


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
        hall = Hall(site, organiser, random)
        for name in names[7 : 7 + PHONES]:
            hall.phones[ids[name]] = Phone(site.hub, organiser.path, ids[name])
        for number in range(1, ROUNDS + 1):
            for name in LATE.get(number, ()):
                organiser.enter("came", id=ids[name], name=name)
            for name in LEAVE.get(number, ()):
                organiser.enter("left", id=ids[name])
            hall.play_round(number)
        kept = organiser.event()
        evenings = {one: phone.mine()[1] for one, phone in hall.phones.items()}
    text, wrong = kept["event"], hall.wrong
    counted = {one: points for one, points, _, _ in count_standings(text)}
    for number, late in LATE.items():
        for name in late:
            counted[ids[name]] += 2 * (number - 1)
    shown = {row["player"]: Fraction(str(row["points"])) for row in kept["standings"]}
    wrong += [
        f"{one} has {shown.get(one)}, not {points}"
        for one, points in counted.items()
        if shown.get(one, Fraction(0)) != points
    ]
    wrong += [
        f"the phone of {one} shows {found['points']}, not {counted[one]}"
        for one, found in evenings.items()
        if Fraction(str(found["points"])) != counted[one]
    ]
    seated = [sum(len(table["seats"]) for table in each["tables"]) for each in text["rounds"]]
    if seated != [56, 58, 58, 58, 56, 56, 56]:
        wrong.append("other numbers are seated than should be")
    met, again = max(meetings(text).values()), sum(each - 1 for each in paid(text).values())
    wrong += ["two people met twice"] * (met > 1) + ["somebody paid again"] * (again > 0)
    print(f"{PEOPLE} people, seated by round: {seated}; most meetings of two: {met}; paid again: "
          f"{again}; {hall.agreed} results of two phones, {hall.decided} decided of two reports; "
          f"{organiser.entered} entries of the organiser; slowest draw {max(hall.draws):.1f} s; "
          f"{time.monotonic() - began:.0f} s in all; "
          f"{'; '.join(wrong) or 'all as counted'}")  # fmt: skip
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
