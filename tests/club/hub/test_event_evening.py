"""A whole evening with the page alone, on an organiser's phone: 22 people, three rounds, a
latecomer, somebody who leaves and somebody who doesn't come, a wrong result, results from a box and
from phones. Taps are counted; the standings are those of an independent count."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from companion.core.values import Json
from tests.club.hub.club_site import ClubSite, club_site
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_page import Open, paste, step
from tests.club.hub.test_pages_browser import opened as opened  # noqa: PLC0414  # a fixture
from tests.events.playing import count_standings, meetings
from tests.waiting import wait_until
from tests.web.in_browser import WAIT_MS
from tests.web.in_browser import pytestmark as pytestmark  # noqa: PLC0414

NAMES = [
    *("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ines", "Jon", "Kim", "Lea"),
    *("Max", "Noa", "Otto", "Pia", "Rob", "Sue", "Tom", "Uma", "Vic", "Zoe"),
]
PHONE = {"width": 360, "height": 640}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClubSite]:
    with club_site(tmp_path_factory.mktemp("club")) as made:
        made.join("Table 1")
        yield made


class OrganisersPhone:
    """The organiser's page of an event; counts taps for each task."""

    def __init__(self, site: ClubSite, tab: Any) -> None:
        self.tab, self.task, self.taps = tab, "", Counter[str]()
        self._site, self._random = site, Random(22)
        self.number = tab.url.rpartition("/")[2]

    def tap(self, selector: str) -> None:
        self.tab.click(selector, timeout=WAIT_MS)
        self.taps[self.task] += 1

    def event(self) -> Json:
        found: Json = Visitor(self._site.hub, "keep").ask(f"/api/events/{self.number}")[1]
        return found

    def until(self, what: str) -> None:
        self.tab.wait_for_selector(what, timeout=WAIT_MS)

    def check_in(self, *names: str) -> None:
        for name in names:
            row = f'.tick:has(.player:text-is("{name}"))'
            self.tap(row)
            self.until(f"{row}[aria-checked=true]")

    def draw(self, number: int) -> None:
        """Draws and publishes a round, from the results of the one before it."""
        self.task = "draw"
        if number == 1:
            self.tap("#next-key")  # to the tables
            self.tap("#next-key")  # to the draw
        self.tap(f'#next-key:text-is("Draw round {number}")')
        self.tap(f'#next-key:text-is("Publish round {number}")')
        self.until("#tables .seat-table")

    def enter(self, table: int, *points: int) -> None:
        self.task = "result"
        box = f'.seat-table[data-table="{table}"]'
        self.tap(f"{box} .act >> text=Enter the result")
        for seat, each in enumerate(points):
            self.tab.fill(f"{box} input >> nth={seat}", str(each))
        self.tap(f"{box} form .button")
        self.until(f"{box} .won")

    def enter_open_tables(self) -> None:
        """Enters a possible result of each table that has none."""
        tables = self.event()["event"]["rounds"][-1]["tables"]
        for table in [one for one in tables if one["points"] is None]:
            points = [5 * self._random.randrange(29) for _ in table["seats"]]
            points[self._random.randrange(len(points))] = 150
            self.enter(table["table"], *points)


def play_at_box(site: ClubSite, names: list[str]) -> list[int]:
    """The people of table 1 play a game at its box, which the second of them wins."""
    text = "\n".join(
        [f"hand lead {names[1]}", *[f"{names[1]} points 35"] * 4, f"{names[1]} points 10"]
    )
    site.play("Table 1", text, " ".join(names))
    return [150 if one == names[1] else 0 for one in names]


def begin(site: ClubSite, opened: Open) -> OrganisersPhone:
    """Begins the event; 20 of 22 expected people come, and one of the others is late."""
    tab = opened("/event", "keep", viewport=PHONE)
    tab.fill("#new input >> nth=0", "Friday fives")
    tab.fill("#new input[type=number] >> nth=0", "3")
    tab.click("#new .button")
    tab.wait_for_selector("#check-in:not([hidden])", timeout=WAIT_MS)
    phone = OrganisersPhone(site, tab)
    paste(tab, "\n".join(NAMES), "Add all as expected")
    tab.click('.filter:text-is("Expected 22")', timeout=WAIT_MS)
    phone.task = "check-in"
    phone.check_in(*NAMES[:20])
    phone.task = "late"
    phone.tap('.row:has-text("Vic") .dots')
    phone.tap('.tray .act:text-is("Late")')
    return phone


def play_first_round(site: ClubSite, phone: OrganisersPhone) -> tuple[str, str, Visitor]:
    """One table plays at its box, one reports by phone, one player did not come; the organiser
    enters the rest. Returns who did not come, and somebody with a phone."""
    kept = phone.event()
    names = {one["id"]: one["name"] for one in kept["event"]["players"]}
    first, second, third = kept["event"]["rounds"][0]["tables"][:3]
    assert first["table"] == 1
    expected = play_at_box(site, [names[one] for one in first["seats"]])
    for id_ in second["seats"][:2]:
        visitor = Visitor(site.hub, "watch")
        _, found = visitor.ask(f"/api/events/{phone.number}/here", {"id": id_})
        visitor._word = found["mine"]
        told = {"round": 1, "table": second["table"], "points": [150, 80, 40, 20]}
        assert visitor.ask(f"/api/events/{phone.number}/mine", told)[0] == 200
    phone.task = "did not come"
    phone.tap(f'.seat-table[data-table="{third["table"]}"] .dots')
    phone.tap(f'.seat-table[data-table="{third["table"]}"] .act:text-is("Did not come")')
    phone.tap(f'.seat-table form .act:text-is("{names[third["seats"][0]]}")')

    def points_of(table: int) -> list[int] | None:
        found: list[int] | None = phone.event()["event"]["rounds"][0]["tables"][table]["points"]
        return found

    wait_until(lambda: points_of(0) is not None and points_of(1) is not None)
    assert (points_of(0), points_of(1)) == (expected, [150, 80, 40, 20])
    phone.until(f'.seat-table[data-table="{first["table"]}"] .won')
    phone.enter_open_tables()
    return third["seats"][0], second["seats"][1], visitor


def correct(phone: OrganisersPhone) -> None:
    """Corrects the result of the first table; who moves is shown before it counts."""
    table = phone.event()["event"]["rounds"][-1]["tables"][0]
    box, tab = f'.seat-table[data-table="{table["table"]}"]', phone.tab
    phone.task = "correction"
    phone.tap(f"{box} .act >> text=Correct")
    for seat in range(len(table["seats"])):
        tab.fill(f"{box} input >> nth={seat}", "150" if seat == 0 else str(5 * seat))
    tab.fill(f"{box} .reason >> nth=0", "mixed up")
    tab.fill(f"{box} .reason >> nth=1", "Kim")
    phone.tap(f"{box} form .button")
    phone.until(f"{box} .moves li")
    phone.tap(f'{box} .button:text-is("Correct it so")')
    phone.until(f"{box} >> text=corrected by Kim")


def test_22_players_play_an_evening_of_three_rounds(site: ClubSite, opened: Open) -> None:
    phone = begin(site, opened)
    phone.draw(1)
    gone, left, leaver = play_first_round(site, phone)
    step(phone.tab, "people")
    phone.task = "latecomer"
    phone.tab.fill("#find", "Vic")
    phone.check_in("Vic")
    phone.tab.fill("#find", "")
    step(phone.tab, "results")
    phone.draw(2)
    assert leaver.ask(f"/api/events/{phone.number}/mine", {"leave": True})[0] == 200
    phone.enter_open_tables()
    correct(phone)
    phone.draw(3)
    phone.enter_open_tables()
    phone.tap('#next-key:text-is("Next: standings")')
    # An independent count: who sat where, and the standings.
    text = phone.event()["event"]
    rounds = [{*(one for table in each["tables"] for one in table["seats"])}
              for each in text["rounds"]]  # fmt: skip
    assert [len(one) for one in rounds] == [19, 20, 19]
    assert gone not in rounds[1] | rounds[2] and left in rounds[1] - rounds[2]
    assert "vic" in rounds[1] - rounds[0] and "zoe" not in {*rounds[0], *rounds[1], *rounds[2]}
    assert max(meetings(text).values()) == 1  # nobody met twice
    counted = {one: points for one, points, _, _ in count_standings(text)}
    counted["vic"] += 2  # half of a win at a table of two, for the first round
    shown = {row["player"]: Fraction(str(row["points"])) for row in phone.event()["standings"]}
    assert shown == counted
    # One tap for each person who comes, four and then two for each draw, two for a result.
    taps = phone.taps
    assert (taps["check-in"], taps["late"], taps["latecomer"]) == (20, 2, 1)
    assert (taps["draw"], taps["did not come"], taps["correction"]) == (8, 3, 3)
    assert taps["result"] == 2 * (3 + 5 + 5) + 1
