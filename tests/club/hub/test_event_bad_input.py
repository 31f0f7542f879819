"""Mistakes at an event: each leads to a clear question, nothing is lost, and no round is half
drawn."""

import urllib.error
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http.client import RemoteDisconnected
from pathlib import Path

import pytest

from companion.core.values import Json
from tests.club.hub.slow_draw import never_draw
from tests.club.hub.test_event_api import Visitor
from tests.events.playing import is_seated_once
from tests.starting import HubProcess, nothing, running_hub
from tests.waiting import wait_until

NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
POINTS = [150, 80, 40, 20]


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("club") / "hub") as started:
        yield started


class Evening:
    """An event of eight at two tables, with its organiser and its judge."""

    def __init__(self, hub: HubProcess, name: str, *, drawn: bool = True) -> None:
        self.organiser, self.judge = Visitor(hub, "keep"), Visitor(hub, "play")
        settings = {"name": name, "format": "tables", "seed": "friday"}
        number = self.organiser.ask("/api/events", settings)[1]["number"]
        self.path = f"/api/events/{number}"
        came = [{"came": {"id": one.lower(), "name": one}} for one in NAMES]
        assert self.enter(self.organiser, *came)[0] == 200
        if drawn:
            assert self.draw()[0] == 200

    @property
    def now(self) -> Json:
        found: Json = self.judge.ask(self.path)[1]
        return found

    def enter(self, who: Visitor, *entries: Json) -> tuple[int, Json]:
        return who.ask(self.path, {"after": self.now["after"], "entries": [*entries]})

    def draw(self) -> tuple[int, Json]:
        return self.organiser.ask(self.path, {"after": self.now["after"], "draw": True})

    def refuses(self, why: str, answer: tuple[int, Json]) -> None:
        """Checks that the answer is a refusal with the text `why`."""
        status, found = answer
        assert (status, why in found["error"]) == (422, True), found


def result(table: int, points: list[int] = POINTS) -> Json:
    return {"result": {"round": 1, "table": table, "points": points}}


def test_the_first_of_two_results_for_one_match_counts(hub: HubProcess) -> None:
    evening = Evening(hub, "Two results")
    assert evening.enter(evening.judge, result(1))[0] == 200
    before = evening.now
    other = result(1, [20, 40, 80, 150])
    for who in (evening.judge, evening.organiser):
        evening.refuses("table 1 already has a result: correct it", evening.enter(who, other))
    # Both in one message: nothing of it is kept, not even what would do alone.
    evening.refuses("table 2 already has a result",
                    evening.enter(evening.judge, result(2), result(2)))  # fmt: skip
    assert evening.now == before
    assert [one["points"] for one in before["event"]["rounds"][0]["tables"]] == [POINTS, None]


def test_a_table_without_a_result_is_listed_until_it_is_entered(hub: HubProcess) -> None:
    evening = Evening(hub, "Never reports")
    evening.enter(evening.judge, result(1))
    before = evening.now
    evening.refuses("table 2 has no result yet: enter it", evening.draw())
    assert evening.now == before
    silent = {"table": 2, "box": None, "scores": None, "result": None, "stands": None}
    assert before["playing"] == [{**silent, "others": False, "disputed": False}]
    assert evening.enter(evening.judge, result(2, [60, 60, 60, 60]))[0] == 200  # from its slip
    status, kept = evening.draw()
    assert (status, len(kept["event"]["rounds"])) == (200, 2)


def test_no_round_is_drawn_while_a_result_is_missing(hub: HubProcess) -> None:
    evening = Evening(hub, "Missing")
    before = evening.now
    tables = [{key: one[key] for key in ("table", "seats")}
              for one in before["event"]["rounds"][0]["tables"]]  # fmt: skip
    drawn = {"drawn": {"round": 2, "tables": tables, "bye": [], "method": 1}}
    evening.refuses("table 1 has no result yet", evening.enter(evening.organiser, drawn))
    evening.refuses("table 2 has no result yet", evening.enter(evening.organiser, result(1), drawn))
    again = {"drawn": {**drawn["drawn"], "round": 1}}
    evening.refuses("round 1 has already been drawn", evening.enter(evening.organiser, again))
    assert evening.now == before


def test_a_person_checked_in_twice_counts_once(hub: HubProcess) -> None:
    evening = Evening(hub, "Twice", drawn=False)
    came = {"came": {"id": "anna", "name": "Anna"}}
    evening.refuses("Anna has already checked in", evening.enter(evening.organiser, came))
    namesake = {"came": {"id": "anna-2", "name": "anna"}}
    evening.refuses("add a letter, as in anna B", evening.enter(evening.organiser, namesake))
    expected = {"listed": {"id": "zoe", "name": "Zoe"}}
    assert evening.enter(evening.organiser, expected)[0] == 200
    phones = [Visitor(hub, "watch") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(lambda one: one.ask(f"{evening.path}/here", {"id": "zoe"}), phones)]
    assert sorted(status for status, _ in answers) == [200, 422, 422, 422]
    for status, found in answers:
        assert status == 200 or found == {"error": "Zoe has already checked in"}
    came = {"came": {"id": "zoe", "name": "Zoe"}}
    evening.refuses("Zoe has already checked in", evening.enter(evening.organiser, came))
    kept = evening.now
    assert (len(kept["event"]["players"]), kept["event"]["out"]) == (9, [])


def test_simultaneous_entries_of_organiser_and_judge_are_all_kept(hub: HubProcess) -> None:
    evening = Evening(hub, "Same moment")
    for _ in range(5):
        after = evening.now["after"]
        said = [
            (evening.judge, {"after": after, "entries": [result(1)]}),
            (evening.organiser, {"after": after, "entries": [{"left": {"id": "hana"}}]}),
        ]
        with ThreadPoolExecutor(2) as pool:
            answers = [*pool.map(lambda one: one[0].ask(evening.path, one[1]), said)]
        assert sorted(status for status, _ in answers) == [200, 409]
        for (who, asked), (status, found) in zip(said, answers, strict=True):
            if status == 409:  # the page shows what stands now, and the person enters it again
                assert found["changed"]
                assert evening.enter(who, *asked["entries"])[0] == 200
        kept = evening.now
        assert kept["event"]["rounds"][0]["tables"][0]["points"] == POINTS
        assert kept["event"]["out"] == ["hana"]
        assert kept["after"] == after + 2
        taken = [{"undo": {"entry": after + 1}}, {"undo": {"entry": after + 2}}]
        assert evening.enter(evening.organiser, *taken)[0] == 200


def test_a_hub_restarted_during_a_draw_keeps_none_of_it(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    first = partial(never_draw, begun)
    with running_hub(tmp_path / "hub", first=first) as hub, ThreadPoolExecutor(1) as pool:
        evening = Evening(hub, "Restarted", drawn=False)
        before = evening.now

        def draw() -> None:
            with suppress(urllib.error.URLError, RemoteDisconnected, ConnectionError):
                evening.draw()
                raise AssertionError("it was drawn before the hub was killed")

        drawing = pool.submit(draw)
        wait_until(begun.exists)
        hub.kill()
        drawing.result()
        hub.first = nothing
        hub.start()
        assert evening.now == before
        status, kept = evening.draw()
        assert status == 200
        assert is_seated_once(kept["event"], kept["event"]["rounds"][0])
