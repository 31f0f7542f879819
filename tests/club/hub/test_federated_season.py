"""A season at a federation's hub over the events of two clubs, run on two real hubs of their own:
who gets how many points is counted here a second time, from the clubs' texts alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from random import Random
from typing import Any

import pytest

from companion.club.hub.folder import HubFolder
from companion.club.hub.hub_chain import HubChain, NewRows
from companion.club.hub.store import HubStore
from companion.commands.cli import main
from tests.club.hub.club_site import output_of_hub
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_draft import paper
from tests.starting import HubProcess, running_hub
from tests.waiting import wait_until

FRIDAY, SHIP = "Friday Fives", "Ship Inn"
BY_PLACE = [10, 8, 6, 5, 4, 3, 2, 1]
NAMES = {
    FRIDAY: ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana"),
    SHIP: ("Anna", "Ben", "Ida", "Jon", "Kim", "Leo", "Mia", "Uncle Joe"),
}


@dataclass
class League:
    """A federation of two clubs, each with two evenings of eight people over two rounds."""

    hub: HubProcess
    clubs: dict[str, HubProcess]

    def identity(self, club: str) -> str:
        return HubFolder.open(self.clubs[club].data).keys.identity

    def say(self, club: str, *words: str) -> None:
        """Runs a club organiser's command about people."""
        assert main(["hub", *words, "--data", str(self.clubs[club].data)]) == 0

    def text(self, club: str, number: int) -> Any:
        return Visitor(self.clubs[club], "keep").ask(f"/api/events/{number}/text")[1]

    def rows(self, query: str = "") -> list[list[str]]:
        """The rows of the season's page: place, name, clubs, total and the points of each
        evening."""
        page = str(paper(self.hub, "watch", f"/season{query}"))
        found = re.findall(
            r'<tr><th scope="row"><span class="rank">(\d+)</span> <b>([^<]*)</b>'
            r'(?: <span class="over">([^<]*)</span>)?</th><td><b>([^<]*)</b></td>(.*?)</tr>',
            page.partition("Winter: Evenings")[2].partition("</section>")[0],
        )
        return [
            [*map(unescape, (place, name, clubs, total)), *re.findall("<td>(.*?)</td>", rest)]
            for place, name, clubs, total, rest in found
        ]


def run_evening(hub: HubProcess, name: str, people: tuple[str, ...], seed: int) -> int:
    """An evening of two rounds with random results; returns its number."""
    organiser, luck = Visitor(hub, "keep"), Random(seed)
    status, kept = organiser.ask(
        "/api/events", {"name": name, "format": "tables", "seed": str(seed)}
    )
    assert status == 201
    path = f"/api/events/{kept['number']}"
    came = [{"came": {"id": one.lower().replace(" ", "-"), "name": one}} for one in people]
    _, kept = organiser.ask(path, {"after": 1, "entries": came})
    for round_ in (1, 2):
        _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
        results = [
            {"result": {"round": round_, "table": table["table"],
                        "points": [150, *(luck.randrange(29) * 5 for _ in table["seats"][1:])]}}
            for table in kept["event"]["rounds"][-1]["tables"]
        ]  # fmt: skip
        said = {"after": kept["after"], "entries": results, "as_entered": True}
        status, kept = organiser.ask(path, said)
        assert status == 200
    number: int = kept["number"]
    return number


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    place = tmp_path_factory.mktemp("league")
    with (
        running_hub(place / "league", "--name", "The League") as hub,
        running_hub(place / "one", "--name", FRIDAY) as one,
        running_hub(place / "two", "--name", SHIP) as two,
    ):
        made = League(hub, {FRIDAY: one, SHIP: two})
        for at, (name, club) in enumerate(made.clubs.items()):
            run_evening(club, "First", NAMES[name], seed=10 + at)
            run_evening(club, "Second", NAMES[name][:7], seed=20 + at)
            digits = output_of_hub("federate", hub.address, "--data", str(club.data))
            output_of_hub("accept", digits, "--club", "--data", str(hub.data))
        organiser = Visitor(hub, "keep")
        wait_until(lambda: organiser.ask("/api/season", season(made, best=2))[0] == 200)
        yield made


def evening_points(text: Any) -> dict[str, Fraction]:
    """The points of an evening for each player, by name, counted without the code under test."""
    names = {one["id"]: one["name"] for one in text["players"]}
    points, difference = dict.fromkeys(names, Fraction(0)), dict.fromkeys(names, Fraction(0))
    for each in text["rounds"]:
        for table in each["tables"]:
            scores = (table["corrected"] or table)["points"]
            worth = {4: [4, 2, 1, 0], 3: [4, 1, 0]}[len(scores)]
            best_first = sorted(scores, reverse=True)
            for seat, score in zip(table["seats"], scores, strict=True):
                shared = [worth[at] for at, one in enumerate(best_first) if one == score]
                points[seat] += Fraction(sum(shared), len(shared))
                others = Fraction(sum(scores) - score, len(scores) - 1)
                difference[seat] += score - others
    keys = {one: (points[one], difference[one]) for one in names}
    assert len({*keys.values()}) == len(keys)  # no tie-break beyond these two is needed
    order = sorted(names, key=keys.__getitem__, reverse=True)
    return {names[one]: Fraction(BY_PLACE[at]) for at, one in enumerate(order)}


def counted_rows(
    league: League, events: list[tuple[str, int]], best: int, one_person: dict[Any, Any]
) -> list[tuple[int, str, float]]:
    """The season's place, name and total of everybody. `one_person`: for a player of one club,
    the player of another club that is the same person."""
    found = dict[tuple[str, str], list[Fraction]]()
    for club, number in events:
        for name, points in evening_points(league.text(club, number)).items():
            found.setdefault(one_person.get((club, name), (club, name)), []).append(points)
    totals = {
        who: (sum(sorted(each, reverse=True)[:best]), sum(each)) for who, each in found.items()
    }
    return [
        (1 + sum(other > total for other in totals.values()), who[1], float(total[0]))
        for who, total in totals.items()
    ]


def season(league: League, best: int) -> dict[str, Any]:
    """A season over all evenings; one club is given by its name, the other by its identity."""
    events = [
        {"club": FRIDAY, "event": 1},
        {"club": league.identity(SHIP), "event": 1},
        {"club": FRIDAY, "event": 2},
        {"club": league.identity(SHIP), "event": 2},
    ]
    return {
        "season": 3, "name": "Winter", "best": best, "points": BY_PLACE,
        "divisions": [{"name": "Evenings", "events": events}],
    }  # fmt: skip


ALL = [(FRIDAY, 1), (SHIP, 1), (FRIDAY, 2), (SHIP, 2)]
ANNAS = {(SHIP, "Anna"): (FRIDAY, "Anna")}


def totals(rows: list[list[str]]) -> list[tuple[int, str, float]]:
    return sorted((int(place), name, float(total)) for place, name, _, total, *_ in rows)


def test_a_season_counts_the_events_of_two_clubs(league: League) -> None:
    found = league.rows()
    assert totals(found) == sorted(counted_rows(league, ALL, 2, {}))
    assert len(found) == 16  # each of two Annas and two Bens is a person of her own
    clubs = {(name, of) for _, name, of, *_ in found}
    assert clubs == {(name, of) for of, names in NAMES.items() for name in names}
    # One club alone has the places that it has among all.
    assert league.rows("?club=Ship+Inn") == [row for row in found if row[2] == SHIP]


def test_the_organiser_gets_the_events_of_all_clubs(league: League) -> None:
    found = Visitor(league.hub, "keep").ask("/api/season")[1]
    assert found["seasons"] == [season(league, best=2)]
    clubs = {one["name"]: (one["club"], one["events"]) for one in found["clubs"]}
    events = [{"event": 2, "name": "Second"}, {"event": 1, "name": "First"}]
    assert clubs == {club: (league.identity(club), events) for club in NAMES}
    seen = Visitor(league.hub, "watch").ask("/api/season")[1]
    assert seen == {"seasons": [season(league, best=2)]}


@pytest.mark.parametrize(
    ("ref", "word"),
    [
        ({"club": "Shop Inn", "event": 1}, "Shop Inn"),
        ({"club": SHIP, "event": 9}, "9"),
        ({"club": SHIP, "event": 1}, "twice"),  # there under the club's identity
        (1, "1"),  # the federation itself has no events
    ],
)
def test_a_season_with_an_event_that_cannot_be_counted_is_refused(
    league: League, ref: object, word: str
) -> None:
    organiser, text = Visitor(league.hub, "keep"), season(league, best=3)
    text["divisions"][0]["events"].append(ref)
    status, answer = organiser.ask("/api/season", text)
    assert status == 422 and word in answer["error"], answer
    assert organiser.ask("/api/season")[1]["seasons"] == [season(league, best=2)]


def test_a_correction_at_a_club_counts_at_the_federation(league: League) -> None:
    organiser, before = Visitor(league.clubs[SHIP], "keep"), totals(league.rows())
    kept = organiser.ask("/api/events/1")[1]
    table = kept["event"]["rounds"][1]["tables"][0]["table"]
    corrected = {"round": 2, "table": table, "points": [0, 5, 150, 10], "by": "Kim", "why": "seats"}
    said = {"after": kept["after"], "entries": [{"corrected": corrected}], "as_entered": True}
    assert organiser.ask("/api/events/1", said)[0] == 200
    wait_until(lambda: totals(league.rows()) != before)
    assert totals(league.rows()) == sorted(counted_rows(league, ALL, 2, {}))


def test_players_of_two_clubs_are_one_person_if_both_clubs_say_so(league: League) -> None:
    league.say(FRIDAY, "same-person", "Anna", SHIP, "Anna")
    league.say(FRIDAY, "rename", "Cleo", "Cleopatra")  # this arrives after what was said of Anna
    wait_until(lambda: any(name == "Cleopatra" for _, name, *_ in league.rows()))
    assert len(league.rows()) == 16
    league.say(FRIDAY, "take-back")
    league.say(SHIP, "same-person", "Anna", FRIDAY, "Anna")
    wait_until(lambda: {"Anna", "Cleo"} <= {row[1] for row in league.rows()} and
               len(league.rows()) == 15)  # fmt: skip
    assert totals(league.rows()) == sorted(counted_rows(league, ALL, 2, ANNAS))
    (anna,) = (row for row in league.rows() if row[1] == "Anna")
    assert anna[2] == f"{FRIDAY}, {SHIP}"
    assert sum(points.startswith("(") for points in anna[4:]) == 2  # two of her four don't count
    assert anna in league.rows("?club=Friday+Fives")
    assert anna in league.rows("?club=Ship+Inn")
    # Whoever is hidden in the own club isn't shown, and is no longer one person with anybody.
    league.say(FRIDAY, "hide", "Anna")
    wait_until(lambda: [row[2] for row in league.rows() if row[1] == "Anna"] == [SHIP])
    assert {*totals(league.rows())} < {*counted_rows(league, ALL, 2, {})}
    league.say(FRIDAY, "take-back")
    wait_until(lambda: anna in league.rows())
    league.say(SHIP, "same-person", "Anna", FRIDAY, "Anna", "--take-back")
    wait_until(lambda: totals(league.rows()) == sorted(counted_rows(league, ALL, 2, {})))


def test_a_forgotten_player_is_removed_from_the_season(league: League) -> None:
    (hana,) = (row for row in league.rows() if row[1] == "Hana")
    league.say(FRIDAY, "forget", "Hana")
    renamed = [hana[0], "Player 1", *hana[2:]]
    wait_until(lambda: renamed in league.rows())
    assert "Hana" not in {row[1] for row in league.rows()}


def run_match(hub: HubProcess, home: str, away: str, results: list[list[int]]) -> int:
    """A match of two teams over two boards, with these points of home and away; returns the
    number of the event."""
    organiser = Visitor(hub, "keep")
    _, kept = organiser.ask("/api/events", {"name": "Match", "format": "round-robin"})
    number: int = kept["number"]
    path, people = f"/api/events/{number}", {home: ("Ada", "Bo"), away: ("Cy", "Di")}
    came = [{"came": {"id": one.lower(), "name": one}} for each in people.values() for one in each]
    _, kept = organiser.ask(path, {"after": 1, "entries": came})
    teams = "\n".join(f"{team}: {', '.join(each)}" for team, each in people.items())
    _, kept = organiser.ask(path, {"after": kept["after"], "teams": teams, "boards": 2})
    seats = [{"table": 1, "seats": ["ada", "cy"]}, {"table": 2, "seats": ["di", "bo"]}]
    (first, second), drawn = results, {"round": 1, "tables": seats}
    entries = [
        {"drawn": drawn},
        {"result": {"round": 1, "table": 1, "points": first}},
        {"result": {"round": 1, "table": 2, "points": second[::-1]}},
    ]
    said = {"after": kept["after"], "entries": entries, "as_entered": True}
    status, answer = organiser.ask(path, said)
    assert status == 200, answer
    return number


def test_clubs_play_each_other_at_home_and_away(league: League) -> None:
    # Friday Fives wins 1½–½ at home and 2–0 at Ship Inn, whose hub spells the teams its own way.
    first = run_match(league.clubs[FRIDAY], FRIDAY, SHIP, [[150, 90], [70, 70]])
    second = run_match(league.clubs[SHIP], SHIP.upper(), FRIDAY.lower(), [[20, 150], [35, 150]])
    refs = [{"club": FRIDAY, "event": first}, {"club": SHIP, "event": second}]
    fixtures = [{"home": "Crown", "away": SHIP, "date": "2027-01-04"}]
    text = {"season": 3, "name": "Matches", "divisions": [
        {"name": "First", "matches": refs, "fixtures": fixtures},
    ]}  # fmt: skip
    organiser = Visitor(league.hub, "keep")
    wait_until(lambda: organiser.ask("/api/season", text)[0] == 200)

    def shown(query: str = "") -> list[list[str]]:
        page = str(paper(league.hub, "watch", f"/season{query}"))
        rows = re.findall("<tr>(.*?)</tr>", page.partition("Matches: First")[2])
        cells = (re.findall("<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows)
        return [[re.sub("<.*?>", "", unescape(one)) for one in row] for row in cells]

    won, lost = f"{FRIDAY} – {SHIP}", f"{SHIP} – {FRIDAY}"
    wait_until(lambda: "20–150, 35–150" in str(shown()))
    assert shown()[1:4] == [
        ["1 Friday Fives", "4", "2", "2", "0", "0", "3.5", "0.5"],
        ["2 Crown", "0", "0", "0", "0", "0", "0", "0"],
        ["3 Ship Inn", "0", "2", "0", "0", "2", "0.5", "3.5"],
    ]
    played = [
        ["Crown – Ship Inn", "", "", "2027-01-04"],
        [won, "1.5–0.5", "150–90, 70–70", f"Match {FRIDAY}"],
        [lost, "0–2", "20–150, 35–150", f"Match {SHIP}"],
    ]
    assert shown()[5:8] == played
    assert shown("?club=Friday+Fives")[5:7] == played[1:]
    assert shown("?club=Ship+Inn")[5:8] == played


def test_the_season_names_an_event_that_cannot_be_read(league: League) -> None:
    """A newer program may write entries that this one doesn't know."""
    before, organiser = league.rows(), Visitor(league.hub, "keep")
    number = run_evening(league.clubs[SHIP], "Third", NAMES[SHIP], seed=30)
    text = season(league, best=2)
    text["divisions"][0]["events"].append({"club": SHIP, "event": number})
    wait_until(lambda: organiser.ask("/api/season", text)[0] == 200)
    assert league.rows() != before
    folder = HubFolder.open(league.clubs[SHIP].data)
    store = HubStore(folder.open_database(), folder.keys)
    for about in (number, number + 1):
        new = NewRows(about, ['{"a-later-kind":{}}'], "organiser")
        HubChain(store).add(lambda _db, new=new: new)  # type: ignore[misc]
    store.database.close()
    wait_until(lambda: f"event {number} of" in str(paper(league.hub, "watch", "/season")))
    assert league.rows() == before
    events = organiser.ask("/api/season")[1]["clubs"]
    offered = {one["name"]: [each["event"] for each in one["events"]] for one in events}
    assert max(offered[SHIP]) == number
    assert organiser.ask("/api/season", season(league, best=2))[0] == 200


def test_an_expelled_club_no_longer_counts(league: League) -> None:
    organiser = Visitor(league.hub, "keep")
    assert organiser.ask("/api/season", season(league, best=4))[0] == 200
    assert main(["hub", "throw-out", SHIP, "--data", str(league.hub.data)]) == 0
    wait_until(lambda: {row[2] for row in league.rows()} == {FRIDAY})
    events = [(FRIDAY, 1), (FRIDAY, 2)]
    assert totals(league.rows()) == sorted(counted_rows(league, events, 4, {}))
    page = str(paper(league.hub, "watch", "/season"))
    assert "Not counted in" in page and "event 1 of" in page
