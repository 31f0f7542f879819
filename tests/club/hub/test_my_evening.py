"""“My evening”: one player's table, result and place, for a phone with that player's link."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_draft import begun, paper
from tests.starting import HubProcess, running_hub
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("club") / "hub") as started:
        yield started


class Phone(Visitor):
    """The phone of one player, which has checked in at the event at `path`."""

    def __init__(self, hub: HubProcess, path: str, player: str) -> None:
        super().__init__(hub, "watch")
        status, found = self.ask(f"{path}/here", {"id": player})
        assert status == 200, found
        self._word, self._path = found["mine"], f"{path}/mine"

    def mine(self, said: object = None) -> tuple[int, Any]:
        return self.ask(self._path, said)


def test_a_phone_sees_its_player_s_evening(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    phone = Phone(hub, path, "anna")
    found = phone.mine()[1]
    assert (found["you"], found["rounds"], found["place"]) == ("Anna", [], None)
    kept = organiser.ask(path)[1]
    _, kept = organiser.ask(path, {"after": kept["after"], "propose": True})
    assert phone.mine()[1]["rounds"] == []  # a draft is nobody's table yet
    _, kept = organiser.ask(path, {"after": kept["after"], "publish": True})
    (mine,) = phone.mine()[1]["rounds"]
    seats = kept["event"]["rounds"][0]["tables"][0]["seats"]
    assert seats[mine["seat"]] == "anna"
    assert mine["seats"][mine["seat"]] == "Anna"
    assert mine["pays"] == mine["paid_by"] == mine["seats"][(mine["seat"] + 2) % 4]
    status, found = phone.mine({"round": 1, "table": mine["table"], "points": [150, 80, 40, 20]})
    assert (status, found["rounds"][0]["mine"]) == (200, [150, 80, 40, 20])
    other = Phone(hub, path, seats[(mine["seat"] + 1) % 4])
    told = {"round": 1, "table": mine["table"], "points": [150, 80, 40, 20]}
    assert other.mine(told)[0] == 200
    wait_until(lambda: organiser.ask(path)[1]["played"] == 1)
    given = {"penalty": {"round": 1, "id": "anna", "kind": "warning", "why": "slow-play"}}
    after = organiser.ask(path)[1]["after"]
    assert organiser.ask(path, {"after": after, "entries": [given]})[0] == 200
    found = phone.mine()[1]
    assert found["penalties"] == [{"round": 1, "kind": "warning", "why": "slow-play"}]
    assert found["rounds"][0]["gained"] == [4, 2, 1, 0][mine["seat"]]
    assert (found["of"], found["place"]) == (4, mine["seat"] + 1)


def test_a_link_belongs_to_one_player_until_it_is_taken_back(hub: HubProcess) -> None:
    organiser, path, _ = begun(hub)
    phone = Phone(hub, path, "ben")
    status, found = Visitor(hub, "watch").ask(f"{path}/here", {"id": "ben"})
    assert (status, found["error"]) == (422, "Ben has already checked in")
    for wrong in ("", "1.aaaaaaaaaaaaaaaa", "6.aaaaaaaaaaaaaaaa", "999999.aaaaaaaaaaaaaaaa"):
        stranger = Visitor(hub, None)
        stranger._word = wrong
        assert stranger.ask(f"{path}/mine")[0] == 401
    kept = organiser.ask(path)[1]
    assert kept["with_phone"] == ["ben"]
    assert "with_phone" not in Visitor(hub, "watch").ask(path)[1]
    number = next(one["number"] for one in kept["entries"] if one["kind"] == "phone")
    undo = {"after": kept["after"], "entries": [{"undo": {"entry": number}}]}
    assert organiser.ask(path, undo)[0] == 200
    status, found = phone.mine()
    assert (status, "ask at the desk" in found["error"]) == (401, True)
    assert Phone(hub, path, "ben").mine()[0] == 200


def test_a_phone_calls_a_judge_and_leaves_after_the_round(hub: HubProcess) -> None:
    organiser, path, _ = begun(hub)
    phone = Phone(hub, path, "cleo")
    assert phone.mine({"call": True})[0] == 422  # there is no round yet
    assert phone.mine({"sing": True})[0] == 422
    kept = organiser.ask(path)[1]
    organiser.ask(path, {"after": kept["after"], "draw": True})
    assert phone.mine({"call": True})[1]["called"] is True
    kept = organiser.ask(path)[1]
    assert [one["id"] for one in kept["calls"]] == ["cleo"]
    table = kept["calls"][0]["table"]
    helped = {"after": kept["after"], "entries": [{"helped": {"round": 1, "table": table}}]}
    assert Visitor(hub, "play").ask(path, helped)[0] == 200
    assert phone.mine()[1]["called"] is False
    assert phone.mine({"leave": True})[1]["leaves"] is True
    kept = organiser.ask(path)[1]
    assert next(one for one in kept["event"]["players"] if one["id"] == "cleo")["until"] == 1
    assert phone.mine({"leave": False})[1]["leaves"] is False


def test_the_organiser_may_enter_either_of_two_different_reports(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    phones = [Phone(hub, path, name) for name in ("anna", "ben")]
    kept = organiser.ask(path)[1]
    kept = organiser.ask(path, {"after": kept["after"], "draw": True})[1]
    table = kept["event"]["rounds"][0]["tables"][0]["table"]
    reports = [[150, 80, 40, 20], [80, 150, 40, 20]]
    for phone, points in zip(phones, reports, strict=True):
        assert phone.mine({"round": 1, "table": table, "points": points})[0] == 200
    odd = organiser.ask(path)[1]["odd"]
    assert [one["points"] for one in odd] == reports
    assert {one["why"] for one in odd} == {f"table {table}: the players report different results"}
    after = organiser.ask(path)[1]["after"]
    decided = {"result": {"round": 1, "table": table, "points": reports[0]}}
    kept = organiser.ask(path, {"after": after, "entries": [decided]})[1]
    assert kept["odd"] == []  # the other report doesn't ask again
    assert phones[1].mine({"round": 1, "table": table, "points": reports[1]})[0] == 200
    (odd,) = organiser.ask(path)[1]["odd"]  # but a newer one does
    assert (odd["now"], odd["points"]) == (reports[0], reports[1])


def set_teams(organiser: Visitor, path: str, lines: str, **more: object) -> dict[str, Any]:
    said = {"after": organiser.ask(path)[1]["after"], "teams": lines, **more}
    status, kept = organiser.ask(path, said)
    assert status == 200, kept
    return dict(kept)


def test_a_phone_sees_the_match_and_the_place_of_its_team(hub: HubProcess) -> None:
    names = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn")
    organiser, path, _ = begun(hub, *names, format="round-robin")
    phones = {name: Phone(hub, path, name.lower()) for name in names}
    kept = set_teams(organiser, path, "Ship Inn: Anna, Ben, Cleo\nCrown: Dan, Eve, Finn", boards=2)
    team = phones["Anna"].mine()[1]["team"]
    assert team == {"name": "Ship Inn", "place": None, "of": 0, "points": 0}
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    tables = kept["event"]["rounds"][0]["tables"]
    assert [sorted(one["seats"]) for one in tables] == [["anna", "dan"], ["ben", "eve"]]
    (mine,) = phones["Ben"].mine()[1]["rounds"]
    assert mine["match"] == {"opponent": "Crown", "won": [0, 0], "board": 2}
    for name, opponent in (("Cleo", "Crown"), ("Finn", "Ship Inn")):  # reserves
        (mine,) = phones[name].mine()[1]["rounds"]
        assert (mine["table"], mine["bye"]) == (None, False)
        assert mine["match"] == {"opponent": opponent, "won": [0, 0], "board": None}
    for table, winner, won in ((tables[0], "dan", [0, 1]), (tables[1], "ben", [1, 1])):
        points = [150 if one == winner else 40 for one in table["seats"]]
        entry = {"result": {"round": 1, "table": table["table"], "points": points}}
        after = organiser.ask(path)[1]["after"]
        assert organiser.ask(path, {"after": after, "entries": [entry]})[0] == 200
        assert phones["Anna"].mine()[1]["rounds"][0]["match"]["won"] == won
    assert phones["Dan"].mine()[1]["team"] == {"name": "Crown", "place": 1, "of": 2, "points": 1}


def test_teams_of_a_knock_out_are_drawn_in_its_bracket(hub: HubProcess) -> None:
    names = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn")
    organiser, path, _ = begun(hub, *names, format="knockout", game="domino")
    phone = Phone(hub, path, "anna")
    kept = set_teams(organiser, path, "Ship Inn: Anna, Ben\nCrown: Cleo, Dan\nBell: Eve, Finn")

    def enter(*entries: dict[str, Any]) -> dict[str, Any]:
        said = {"after": kept["after"], "entries": [*entries], "as_entered": True}
        status, found = organiser.ask(path, said)
        assert status == 200, found
        return dict(found)

    for number in (1, 2):  # Bell has a bye; Ship Inn loses; the final is level
        _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
        tables = kept["event"]["rounds"][-1]["tables"]
        kept = enter(*(
            {"result": {"round": number, "table": one["table"],
                        "points": [0 if seat in ("anna", "ben") else 60 + at
                                   for at, seat in enumerate(one["seats"])]}}
            for one in tables
        ))  # fmt: skip
    mine = phone.mine()[1]
    assert mine["rounds"][0]["match"] == {"opponent": "Crown", "won": [0, 2], "board": 1}
    assert mine["knocked_out"] and mine["rounds"][1]["match"] is None
    status, found = organiser.ask(path, {"after": kept["after"], "draw": True})
    assert status == 422 and "Bell and Crown are level in boards" in found["error"]
    assert (kept["over"], kept["winner"]) == (False, None)
    fixed = {"round": 2, "table": tables[0]["table"], "points": [90, 10]}
    kept = enter({"corrected": {**fixed, "by": "Kim", "why": "one more game"}})
    assert (kept["over"], kept["winner"]) == (True, "Bell")
    assert "points" not in kept["matches"][1][0]
    kept = enter({"corrected": {**fixed, "points": [60, 80], "by": "Kim", "why": "no, this"}})
    assert kept["matches"][1][0]["won"] == [1, 1]
    assert sorted(kept["matches"][1][0]["points"]) == [121, 140]
    kept = enter({"undo": {"entry": kept["after"]}})
    drawn = "".join(organiser.ask(f"{path}/bracket")[1]["parts"])
    assert all(name in drawn for name in ("Ship Inn", "Crown", "Bell")) and "Cleo" not in drawn
    assert "Bell has won" in str(paper(hub, "keep", f"{path}/bracket"))


def test_a_phone_reports_only_results_of_its_own_table(hub: HubProcess) -> None:
    names = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana")
    organiser, path, _ = begun(hub, *names)
    phone = Phone(hub, path, "anna")
    kept = organiser.ask(path)[1]
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    tables = kept["event"]["rounds"][0]["tables"]
    mine = next(one["table"] for one in tables if "anna" in one["seats"])
    other = next(one["table"] for one in tables if "anna" not in one["seats"])
    told = {"round": 1, "table": other, "points": [150, 0, 0, 0]}
    found = phone.mine(told)[1]
    assert found["rounds"][0]["mine"] == [150, 0, 0, 0]  # it counts for the player's own table
    entry = organiser.ask(path)[1]["entries"][-1]
    assert (entry["kind"], entry["said"]["table"]) == ("reported", mine)
    assert phone.mine({**told, "points": [1, 2]})[0] == 422


def test_only_json_objects_are_accepted(hub: HubProcess) -> None:
    _, path, _ = begun(hub)
    phone = Phone(hub, path, "dan")
    at = f"http://{hub.address}{path}/mine"
    for body in (b"[]", b"x", json.dumps({"points": "x"}).encode()):
        headers = {"Authorization": f"Bearer {phone._word}"}
        with pytest.raises(urllib.error.HTTPError, match="422"):
            urllib.request.urlopen(urllib.request.Request(at, body, headers))


def test_a_phone_shows_the_winner_of_a_knock_out(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub, "Anna", "Ben", format="knockout")
    phone = Phone(hub, path, "anna")
    kept = organiser.ask(path)[1]
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    assert (phone.mine()[1]["ended"], phone.mine()[1]["winner"]) == (False, None)
    seats = kept["event"]["rounds"][0]["tables"][0]["seats"]
    table = kept["event"]["rounds"][0]["tables"][0]["table"]
    result = {"round": 1, "table": table, "points": [150, 40]}
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": [{"result": result}]})
    found = phone.mine()[1]
    assert (found["ended"], found["winner"]) == (True, seats[0].title())
