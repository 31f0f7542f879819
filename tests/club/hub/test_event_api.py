"""An event run through the hub's addresses: roles, results that come from the tables, and the event
as text."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.cli import main
from companion.core.seats import Seats
from companion.events.reading import read_event
from companion.events.standings import standings
from companion.games.game import parse_entry
from companion.record.rows import GameOpened, Row, Setting, Step
from companion.web.past import COOKIE
from tests.club.hub.boxes import joined, record_of
from tests.club.hub.slow_draw import draw_slowly
from tests.starting import HubProcess, running_hub
from tests.waiting import wait_until

NAMES = ("Anna", "Ben", "Cleo", "Dan")


class Visitor:
    """A user of the hub's addresses with the access code of a `role`; None: without a code."""

    def __init__(self, hub: HubProcess, role: str | None) -> None:
        self._at = f"http://{hub.address}"
        words = json.loads((hub.data / "hub.codes").read_text())
        self._word = "" if role is None else words[role]

    def ask(self, path: str, said: object = None) -> tuple[int, Any]:
        """Requests `path`, or sends `said` to it; returns the status and the answer."""
        body = None if said is None else json.dumps(said).encode()
        headers = {"Authorization": f"Bearer {self._word}"}
        asked = urllib.request.Request(f"{self._at}{path}", body, headers)
        try:
            with urllib.request.urlopen(asked) as answer:
                text, status = answer.read().decode(), answer.status
        except urllib.error.HTTPError as error:
            text, status = error.read().decode(), error.code
        return status, json.loads(text) if text.startswith("{") else text


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("club") / "hub") as started:
        yield started


def begun(hub: HubProcess, name: str = "Friday fives") -> tuple[Visitor, dict[str, Any]]:
    """The organiser, and an event of four with its first round drawn."""
    organiser = Visitor(hub, "keep")
    settings = {"name": name, "game": "high-five", "format": "tables", "seed": "friday"}
    status, kept = organiser.ask("/api/events", settings)
    assert status == 201
    came = [{"came": {"id": name.lower(), "name": name}} for name in NAMES]
    path = f"/api/events/{kept['number']}"
    status, kept = organiser.ask(path, {"after": 1, "entries": came})
    assert status == 200
    status, kept = organiser.ask(path, {"after": 5, "draw": True})
    assert status == 200
    return organiser, kept


def test_only_the_organiser_sees_who_avoids_whom(hub: HubProcess) -> None:
    organiser, kept = begun(hub, "Apart")
    path = f"/api/events/{kept['number']}"
    wishes = [{"wish": {"apart": ["anna", "ben"]}}, {"wish": {"table": 1, "player": "cleo"}}]
    after = kept["after"]
    kept = organiser.ask(path, {"after": after, "entries": wishes})[1]
    assert [one["kind"] for one in kept["entries"]][-2:] == ["wish", "wish"]
    apart = {"apart": ["anna", "ben"]}
    whole = organiser.ask(f"{path}/text")[1]
    assert apart in whole["wishes"] and "withheld" not in whole
    for role in ("watch", "play"):
        other = Visitor(hub, role)
        for text in (other.ask(path)[1]["event"], other.ask(f"{path}/text")[1]):
            assert text["wishes"] == [{"table": 1, "player": "cleo"}]
            assert (text["event"], text["withheld"]) == (2, 1)
            assert read_event(json.dumps(text)).withheld == 1
        said = [one["said"] for one in other.ask(path)[1]["entries"] if one["kind"] == "wish"]
        assert said == [{"table": 1, "player": "cleo"}]
    # The organiser's text of a round still repeats its draw.
    result = {"round": 1, "table": 1, "points": [4, 3, 2, 1]}
    entered = {"after": kept["after"], "entries": [{"result": result}], "as_entered": True}
    kept = organiser.ask(path, entered)[1]
    assert organiser.ask(path, {"after": kept["after"], "draw": True})[0] == 200
    drawn_from = organiser.ask(f"{path}/text?before=2")[1]
    assert apart in drawn_from["wishes"]
    assert Visitor(hub, "watch").ask(f"{path}/text?before=2")[1]["withheld"] == 1


def test_a_page_gets_304_while_only_the_clock_changes(hub: HubProcess) -> None:
    organiser, kept = begun(hub, "Clocked")
    path = f"/api/events/{kept['number']}"
    said = {"after": kept["after"], "entries": [{"clock": {"round": 1, "minutes": 20}}]}
    kept = organiser.ask(path, said)[1]
    assert kept["left_s"] is not None

    def ask(tag: str) -> tuple[int, str]:
        word = json.loads((hub.data / "hub.codes").read_text())["keep"]
        headers = {"Authorization": f"Bearer {word}", "If-None-Match": tag}
        asked = urllib.request.Request(f"http://{hub.address}{path}", None, headers)
        try:
            with urllib.request.urlopen(asked) as answer:
                return answer.status, answer.headers["ETag"]
        except urllib.error.HTTPError as error:
            return error.code, error.headers["ETag"]

    status, tag = ask("")
    assert status == 200
    assert ask(tag) == (304, tag)
    organiser.ask(path, {"after": kept["after"], "entries": [{"left": {"id": "anna"}}]})
    status, newer = ask(tag)
    assert status == 200 and newer != tag


def test_a_season_counts_events_and_fixtures(hub: HubProcess) -> None:
    organiser, kept = begun(hub, "Season")
    number = kept["number"]
    result = {"round": 1, "table": 1, "points": [4, 3, 2, 1]}
    said = {"after": kept["after"], "entries": [{"result": result}], "as_entered": True}
    kept = organiser.ask(f"/api/events/{number}", said)[1]
    first = kept["standings"][0]["player"].title()
    boards = [[3, 1], [1, 3], [3, 0]]
    text = {
        "season": 1, "name": "Winter", "points": [10, 7, 5, 4],
        "divisions": [
            {"name": "Mondays", "events": [number]},
            {"name": "Teams", "fixtures": [{"home": "Ship", "away": "Crown", "boards": boards}]},
        ],
    }  # fmt: skip
    viewer = Visitor(hub, "watch")
    assert viewer.ask("/api/season", text)[0] == 403
    status, answer = organiser.ask("/api/season", {**text, "best": 0})
    assert status == 422 and "best" in answer["error"]
    unknown = {**text, "divisions": [{"name": "Mondays", "events": [999]}]}
    assert organiser.ask("/api/season", unknown)[0] == 422
    for best in (2, 3):  # the newer text replaces the older
        assert organiser.ask("/api/season", {**text, "best": best})[0] == 200
    assert viewer.ask("/api/season")[1]["seasons"] == [{**text, "best": 3}]

    word = json.loads((hub.data / "hub.codes").read_text())["watch"]
    url = f"http://{hub.address}/season"
    asked = urllib.request.Request(url, None, {"Cookie": f"{COOKIE}={word}"})
    with urllib.request.urlopen(asked) as page:
        shown = page.read().decode()
    place = '<tr><th scope="row"><span class="rank">1</span>'
    assert f"{place} <b>{first}</b></th><td><b>10</b></td><td>10</td>" in shown
    played = "<td>1</td><td>1</td><td>0</td><td>0</td><td>2</td><td>1</td>"
    assert f"{place} <b>Ship</b></th><td><b>2</b></td>{played}" in shown
    fixture = '<th scope="row">Ship – Crown</th><td>2–1</td><td>3–1, 1–3, 3–0</td>'
    assert fixture in shown


def finished() -> list[tuple[int, Row]]:
    """The rows of a game of the people at the first table, in another order of seats, won by
    Cleo."""
    seats = Seats.of(*reversed(NAMES))
    said = ["hand lead Cleo", *["Cleo points 35"] * 4, "Cleo points 10"]
    rules = CATALOG.rules["high-five"]
    steps = [Step((parse_entry(text, rules, seats),)) for text in said]
    return [(1, GameOpened("high-five", seats, {})), *((1, one) for one in steps)]


def test_each_access_code_grants_its_role_and_no_code_grants_nothing(hub: HubProcess) -> None:
    organiser, kept = begun(hub)
    path = f"/api/events/{kept['number']}"
    assert Visitor(hub, None).ask(path)[0] == 401
    viewer, judge = Visitor(hub, "watch"), Visitor(hub, "play")
    seen = viewer.ask(path)[1]
    assert (seen["event"], seen["may"]) == (kept["event"], "viewer")
    assert viewer.ask(path, {"after": 6, "draw": True})[0] == 403
    assert viewer.ask("/api/events", {"format": "tables"})[0] == 403
    late = {"after": 6, "entries": [{"came": {"id": "late", "name": "Zoe"}}]}
    assert judge.ask(path, late)[0] == 403
    result = {"round": 1, "table": 1, "points": [150, 80, 40, 20]}
    status, kept = judge.ask(path, {"after": 6, "entries": [{"result": result}]})
    assert (status, kept["played"]) == (200, 1)
    corrected = {**result, "points": [150, 85, 40, 20], "by": "Kim", "why": "a wrong count"}
    status, kept = judge.ask(path, {"after": 7, "entries": [{"corrected": corrected}]})
    assert status == 200
    assert [one["by"] for one in kept["entries"][-2:]] == ["judge", "judge"]
    assert judge.ask(path, {"after": 8, "entries": [{"undo": {"entry": 8}}]})[0] == 200
    assert judge.ask(path, {"after": 9, "entries": [{"undo": {"entry": 6}}]})[0] == 403
    text = organiser.ask(f"{path}/text")[1]
    rows = [row.as_json for row in standings(read_event(json.dumps(text)))]
    assert rows == viewer.ask(path)[1]["standings"]
    drawn_from = viewer.ask(f"{path}/text?before=1")[1]
    assert drawn_from == {key: text[key] for key in text if key != "wishes"} | {"rounds": []}
    assert [viewer.ask(f"{path}/text?before={one}")[0] for one in ("2", "x", "")] == [422] * 3


@pytest.mark.parametrize("role", ["keep", "play"])
def test_an_impossible_result_needs_confirmation(hub: HubProcess, role: str) -> None:
    _, kept = begun(hub, f"What can't be, {role}")
    path, who = f"/api/events/{kept['number']}", Visitor(hub, role)

    def enter(after: int, kind: str, points: Sequence[float], **more: object) -> tuple[int, Any]:
        said = {"round": 1, "table": 1, "points": points}
        if kind == "corrected":
            said |= {"by": "Kim", "why": "it was so"}
        return who.ask(path, {"after": after, "entries": [{kind: said}], **more})

    for points in ([1500, 15, -40, 12.5], [150] * 4, [10**9, 0, 0, 0], [150, 41, 20, 0]):
        status, found = enter(6, "result", points)
        assert (status, found["doubt"]) == (409, True), found
        assert found["error"].startswith("table 1: ") and found["error"].endswith(": as entered?")
    assert enter(6, "result", [150, 150, 0, 0], as_entered="yes")[0] == 409
    assert who.ask(path)[1]["after"] == 6
    assert enter(6, "result", [145, 20, 40, 0])[0] == 200  # the time was up
    status, found = enter(7, "corrected", [145, 20, 40, 1])
    assert (status, found["error"]) == (409, "table 1: 1 is not a multiple of five: as entered?")
    status, kept = enter(7, "corrected", [145, 20, 40, 1], as_entered=True)
    assert (status, kept["event"]["rounds"][0]["tables"][0]["corrected"]["points"][3]) == (200, 1)
    # What can't be entered at all is refused as before.
    assert "doubt" not in enter(8, "corrected", [1, 2, 3], as_entered=True)[1]
    assert "doubt" not in enter(8, "corrected", [1, 2, 3])[1]


def test_a_result_without_a_winner_is_refused_until_the_time_is_up(hub: HubProcess) -> None:
    organiser, kept = begun(hub, "With a clock")
    path = f"/api/events/{kept['number']}"
    clock = {"clock": {"round": 1, "minutes": 30}}
    assert organiser.ask(path, {"after": 6, "entries": [clock]})[0] == 200
    said = {"round": 1, "table": 1, "points": [145, 0, 0, 0]}
    status, found = organiser.ask(path, {"after": 7, "entries": [{"result": said}]})
    assert (status, "time is not up" in found["error"]) == (409, True)
    said["points"] = [150, 0, 0, 0]
    assert organiser.ask(path, {"after": 7, "entries": [{"result": said}]})[0] == 200


def test_invalid_entries_are_reported_and_not_kept(hub: HubProcess) -> None:
    organiser, kept = begun(hub)
    path = f"/api/events/{kept['number']}"
    for said, status, why in (
        ({"after": 6, "draw": True}, 422, "has no result yet"),
        ({"after": 5, "draw": True}, 409, "somebody else"),
        ({"after": 6, "entries": [{"sang": {}}]}, 422, "no key sang"),
        ({"after": 6, "entries": 7}, 422, "a list"),
        ({"entries": []}, 422, "after how many"),
        ([], 422, "not a JSON object"),
    ):
        found, answer = organiser.ask(path, said)
        assert (found, why in answer["error"]) == (status, True), (said, answer)
    assert organiser.ask(path)[1]["after"] == 6
    assert organiser.ask("/api/events/9999")[0] == 422
    assert organiser.ask("/api/events", {"name": "x" * (1 << 21)})[0] == 413


def test_a_table_s_game_is_proposed_as_its_result_and_counts_once(
    hub: HubProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organiser, kept = begun(hub)
    path = f"/api/events/{kept['number']}"
    record = record_of(tmp_path / "record.db", [(0, Setting("flip-1", "on"))])
    joined(hub, record, capsys)
    record_of(record, finished())
    assert main(["hub", "push", "--record", str(record), "--once"]) == 0
    kept = proposed(organiser, path)
    (table,) = kept["playing"]
    seats = kept["event"]["rounds"][0]["tables"][0]["seats"]
    assert table["result"]["points"] == [150 if one == "cleo" else 0 for one in seats]
    assert table["scores"]["Cleo"] == 150
    said = {"after": kept["after"], "entries": [{"result": table["result"]}]}
    status, kept = organiser.ask(path, said)
    assert (status, kept["standings"][0]["player"]) == (200, "cleo")
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    assert kept["playing"][0]["result"] is None  # the same four again: that game has counted


def proposed(organiser: Visitor, path: str) -> dict[str, Any]:
    """The event once the hub has found the game."""
    kept: dict[str, Any] = {}

    def is_found() -> bool:
        kept.update(organiser.ask(path)[1])
        return bool(kept["playing"][0]["result"])

    wait_until(is_found)
    return kept


def test_pasted_people_are_expected_and_check_in_by_phone(hub: HubProcess) -> None:
    organiser, viewer = Visitor(hub, "keep"), Visitor(hub, "watch")
    settings = {"name": "Door", "format": "tables", "seed": "x"}
    path = f"/api/events/{organiser.ask('/api/events', settings)[1]['number']}"
    pasted = {"after": 1, "text": "name,rating\nAnna,1500\nZoë,", "kind": "listed"}
    assert viewer.ask(f"{path}/people", pasted)[0] == 403
    status, kept = organiser.ask(f"{path}/people", pasted)
    assert (status, kept["event"]["out"]) == (200, ["anna", "zoe"])
    status, found = viewer.ask(f"{path}/here", {"id": "zoe"})
    assert (status, found["here"]) == (200, "Zoë")
    kept = viewer.ask(path)[1]
    assert (kept["event"]["out"], kept["entries"][-1]["by"]) == (["anna"], "a phone")
    status, found = viewer.ask(f"{path}/here", {"id": "zoe"})
    assert (status, found["error"]) == (422, "Zoë has already checked in")
    assert viewer.ask(f"{path}/here", {"id": "nobody"})[0] == 422
    assert {"Anna", "Zoë"} <= {*viewer.ask("/api/events/names")[1]["names"]}


def test_an_event_without_phones_lets_no_phone_check_in(hub: HubProcess) -> None:
    organiser = Visitor(hub, "keep")
    settings = {"name": "Quiet", "format": "tables", "seed": "x", "phones": False}
    path = f"/api/events/{organiser.ask('/api/events', settings)[1]['number']}"
    organiser.ask(f"{path}/people", {"after": 1, "text": "Anna", "kind": "listed"})
    status, found = Visitor(hub, "watch").ask(f"{path}/here", {"id": "anna"})
    assert (status, "at the desk" in found["error"]) == (422, True)


def test_a_knock_out_of_13_ends_with_its_winner(hub: HubProcess) -> None:
    """Best of three, with byes in the first round; a level match needs confirmation."""
    organiser, judge, luck = Visitor(hub, "keep"), Visitor(hub, "play"), Random(13)
    settings = {"name": "Cup", "format": "knockout", "seed": "x", "games": 3}
    path = f"/api/events/{organiser.ask('/api/events', settings)[1]['number']}"
    people = [f"Player {number}" for number in range(1, 14)]
    came = [{"came": {"id": f"p{at}", "name": name}} for at, name in enumerate(people)]
    _, kept = organiser.ask(path, {"after": 1, "entries": came})
    left = {one["id"] for one in kept["event"]["players"]}
    for number, (byes, matches) in enumerate([(3, 5), (0, 4), (0, 2), (0, 1)], start=1):
        status, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
        assert status == 200, kept
        drawn = kept["event"]["rounds"][-1]
        assert (len(drawn["bye"]), len(drawn["tables"])) == (byes, matches)
        assert {
            *drawn["bye"],
            *(one for table in drawn["tables"] for one in table["seats"]),
        } == left
        results = []
        for table in drawn["tables"]:
            points = luck.choice([[2, 0], [2, 1], [1, 2], [0, 2]])
            said = {"round": number, "table": table["table"], "points": points}
            results.append({"result": said})
            left.remove(table["seats"][points[0] > points[1]])
        first = results[0]["result"]
        level = {"result": {**first, "points": [1, 1]}}
        said = {"after": kept["after"], "entries": [level, *results[1:]]}
        after = judge.ask(path, said)[1]["after"]
        status, found = organiser.ask(path, {"after": after, "draw": True})
        assert (status, "needs a winner" in found["error"]) == (422, True), found
        corrected = {"corrected": {**first, "by": "Kim", "why": "they played on"}}
        status, kept = judge.ask(path, {"after": after, "entries": [corrected]})
        assert status == 200, kept
    assert len(left) == 1
    status, found = organiser.ask(path, {"after": kept["after"], "draw": True})
    assert (status, "no further round" in found["error"]) == (422, True), found
    found = Visitor(hub, "watch").ask(path)[1]
    assert len(found["event"]["rounds"]) == 4
    assert (found["over"], [found["winner"]]) == (True, [*left])
    (whole,) = Visitor(hub, "watch").ask(f"{path}/bracket")[1]["parts"]
    assert (whole.count("<rect"), whole.count("bye"), whole.count("★")) == (15, 3, 1)
    assert len(Visitor(hub, "watch").ask(f"{path}/bracket?most=4")[1]["parts"]) == 1
    assert Visitor(hub, None).ask(f"{path}/bracket")[0] == 401


def test_only_judges_see_calls(hub: HubProcess) -> None:
    status, found = Visitor(hub, "play").ask("/api/calls")
    assert (status, found["may"], found["calls"], found["asked"]) == (200, "judge", [], [])
    assert Visitor(hub, "watch").ask("/api/calls")[0] == 403
    assert Visitor(hub, None).ask("/api/calls")[0] == 401
    ruling = {"judge": "Kim", "game": 1, "tip": "00", "seat": 0, "bogus": True}
    judge = Visitor(hub, "play")
    assert judge.ask(f"/api/calls/{'0' * 16}", ruling)[0] == 422
    assert judge.ask(f"/api/calls/{'0' * 16}", {"judge": ""})[0] == 422
    assert Visitor(hub, "watch").ask(f"/api/calls/{'0' * 16}", ruling)[0] == 403


def test_an_event_with_impossible_house_rules_is_refused(hub: HubProcess) -> None:
    organiser = Visitor(hub, "keep")
    before = len(organiser.ask("/api/events")[1]["events"])
    for more, why in (
        ({"game": "chess"}, "no game chess"),
        ({"options": {"targt": 200}}, "targt"),
        ({"game": "all-fives", "options": {"match": 4}}, "match"),
    ):
        status, found = organiser.ask("/api/events", {"format": "tables", **more})
        assert (status, why in found["error"]) == (422, True), found
    assert len(organiser.ask("/api/events")[1]["events"]) == before
    said = {"format": "tables", "game": "all-fives", "options": {"match": 3, "target": 200}}
    assert organiser.ask("/api/events", said)[0] == 201


def test_a_request_with_an_access_code_has_no_time_limit(tmp_path: Path) -> None:
    """A busy machine draws a round for longer than a stranger's connection may last."""
    with running_hub(tmp_path / "hub", first=draw_slowly) as hub:
        _, kept = begun(hub)
        assert len(kept["event"]["rounds"]) == 1
