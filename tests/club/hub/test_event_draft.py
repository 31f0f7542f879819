"""A round is a draft until it is published: nobody but the organiser sees it, and its papers show
that it is one. Two events at once use different tables; settled results are entered
automatically."""

import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.club.hub.event_desk import EventDesk
from companion.club.hub.event_results import settled_results
from companion.club.hub.event_round import TableOfRound
from companion.events.entries import EventEntry
from tests.club.hub.pushing import club
from tests.club.hub.test_event_api import NAMES, Visitor
from tests.starting import HubProcess, running_hub

FIVES = {"event": 2, "name": "Friday fives", "format": "tables", "seed": "friday"}


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("club") / "hub") as started:
        yield started


def begun(hub: HubProcess, *names: str, **more: object) -> tuple[Visitor, str, dict[str, Any]]:
    """The organiser, the path of a new event, and the event with these people."""
    organiser = Visitor(hub, "keep")
    status, kept = organiser.ask("/api/events", {**FIVES, **more})
    assert status == 201, kept
    came = [{"came": {"id": name.lower(), "name": name}} for name in names or NAMES]
    path = f"/api/events/{kept['number']}"
    status, kept = organiser.ask(path, {"after": 1, "entries": came})
    assert status == 200, kept
    return organiser, path, kept


def paper(hub: HubProcess, role: str, path: str) -> str | int:
    """A paper as the owner of that access code gets it; if it is refused, the status."""
    word = Visitor(hub, role)._word
    asked = urllib.request.Request(
        f"http://{hub.address}{path.removeprefix('/api').replace('events', 'event')}",
        headers={"Cookie": f"word={word}"},
    )
    try:
        with urllib.request.urlopen(asked) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        return error.code


def test_only_the_organiser_sees_a_draft(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    viewer = Visitor(hub, "watch")
    assert viewer.ask(path, {"after": kept["after"], "propose": True})[0] == 403
    status, kept = organiser.ask(path, {"after": kept["after"], "propose": True})
    assert (status, kept["event"]["rounds"]) == (200, [])
    assert kept["draft"]["measure"]["repeats"] == 0
    assert len(kept["draft"]["tables"][0]["seats"]) == 4
    seen = viewer.ask(path)[1]
    assert "draft" not in seen and seen["entries"][-1]["kind"] == "came"
    assert seen["event"]["rounds"] == []
    assert "DRAFT" in str(paper(hub, "keep", f"{path}/slips"))
    assert paper(hub, "watch", f"{path}/slips") == 404
    # Two people change places by hand, then it is drawn anew from other words.
    table = kept["draft"]["tables"][0]
    moved = {"round": 1, "tables": [{**table, "seats": table["seats"][::-1]}], "moved": True}
    status, kept = organiser.ask(path, {"after": kept["after"], "entries": [{"proposed": moved}]})
    assert (status, kept["draft"]["moved"]) == (200, True)
    said = {"after": kept["after"], "propose": True, "seed": "once more"}
    _, kept = organiser.ask(path, said)
    assert (kept["draft"]["seed"], kept["draft"]["moved"]) == ("once more", False)
    status, kept = organiser.ask(path, {"after": kept["after"], "publish": True})
    assert (status, len(kept["event"]["rounds"]), kept["draft"]) == (200, 1, None)
    assert viewer.ask(path)[1]["event"]["rounds"][0]["seed"] == "once more"
    assert "DRAFT" not in str(paper(hub, "watch", f"{path}/slips"))
    drawn_from = viewer.ask(f"{path}/text?before=1")[1]
    assert (drawn_from["seed"], drawn_from["rounds"]) == ("once more", [])


def test_a_draft_that_lacks_a_present_player_is_not_published(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    _, kept = organiser.ask(path, {"after": kept["after"], "propose": True})
    late = {"after": kept["after"], "entries": [{"came": {"id": "zoe", "name": "Zoe"}}]}
    _, kept = organiser.ask(path, late)
    assert (kept["draft"]["lacks"], kept["draft"]["has"]) == (["zoe"], [])
    status, found = organiser.ask(path, {"after": kept["after"], "publish": True})
    assert (status, found["error"]) == (422, "Zoe isn't in this draft: draw again")
    gone = {"after": kept["after"], "entries": [{"left": {"id": "zoe"}}, {"left": {"id": "ben"}}]}
    _, kept = organiser.ask(path, gone)
    assert (kept["draft"]["lacks"], kept["draft"]["has"]) == ([], ["ben"])
    assert organiser.ask(path, {"after": kept["after"], "publish": True})[0] == 422


def test_papers_after_the_last_round_show_that_round(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub, planned=1)
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    (table,) = kept["event"]["rounds"][0]["tables"]
    result = {"round": 1, "table": table["table"], "points": [150, 80, 40, 20]}
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": [{"result": result}]})
    assert kept["over"]
    status, found = organiser.ask(path, {"after": kept["after"], "propose": True})
    assert (status, "no further round" in found["error"]) == (422, True)
    cards = str(paper(hub, "watch", f"{path}/cards"))
    assert "Round 1" in cards and "Round 2" not in cards


def test_two_events_at_once_use_different_tables(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    mine = [one["table"] for one in kept["event"]["rounds"][0]["tables"]]
    organiser, other_path, other = begun(hub, *NAMES, "Eve", "Finn", "Gus", name="Beginners")
    assert mine in [one["tables"] for one in other["others"]]
    _, other = organiser.ask(other_path, {"after": other["after"], "propose": True})
    theirs = [one["table"] for one in other["draft"]["tables"]]
    assert len(theirs) == 2
    assert not {*mine} & {*theirs}
    # The organiser takes one of the tables nevertheless: it stays open.
    closed = next(one for one in other["entries"] if one["said"] == {"closed": mine[0]})
    undo = {"after": other["after"], "entries": [{"undo": {"entry": closed["number"]}}]}
    _, other = organiser.ask(other_path, undo)
    _, other = organiser.ask(other_path, {"after": other["after"], "propose": True})
    assert mine[0] in [one["table"] for one in other["draft"]["tables"]]


def test_a_table_closed_for_another_event_opens_once_that_is_over(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub, planned=1)
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    (mine,) = (one["table"] for one in kept["event"]["rounds"][0]["tables"])
    _, other_path, other = begun(hub, name="Beginners")
    mine_too = {"after": other["after"], "entries": [{"wish": {"closed": 40}}]}
    _, other = organiser.ask(other_path, mine_too)
    _, other = organiser.ask(other_path, {"after": other["after"], "propose": True})
    assert {"closed": mine} in other["event"]["wishes"] and other["reopening"] == []
    (theirs,) = (one["table"] for one in other["draft"]["tables"])
    assert theirs != mine
    result = {"result": {"round": 1, "table": mine, "points": [150, 40, 30, 20]}}
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": [result]})
    assert kept["over"]
    _, other = organiser.ask(other_path)
    assert other["reopening"] == [mine]
    _, other = organiser.ask(other_path, {"after": other["after"], "propose": True})
    assert {"closed": mine} not in other["event"]["wishes"] and other["reopening"] == []
    assert {"closed": 40} in other["event"]["wishes"]  # the organiser closed that one
    # One more round there: the table is closed here again.
    more = {"after": kept["after"], "entries": [{"set": {"planned": 2}}]}
    _, kept = organiser.ask(path, more)
    assert organiser.ask(path, {"after": kept["after"], "draw": True})[0] == 200
    _, other = organiser.ask(other_path, {"after": other["after"], "propose": True})
    assert {"closed": mine} in other["event"]["wishes"]


def test_a_permanent_wish_applies_to_the_next_event(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    wish = {"wish": {"apart": ["anna", "ben"], "for": "ever"}}
    assert organiser.ask(path, {"after": kept["after"], "entries": [wish]})[0] == 200
    _, _, later = begun(hub)
    assert later["event"]["wishes"] == [wish["wish"]]
    _, _, without = begun(hub, "Anna", "Cleo")
    assert without["event"].get("wishes", []) == []


def test_only_the_organiser_sees_payments(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub, fee=5)
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": [{"paid": {"id": "ben"}}]})
    assert (kept["fee"], kept["paid"]) == (5, ["ben"])
    seen = Visitor(hub, "watch").ask(path)[1]
    assert "paid" not in seen
    assert not {"paid", "set"} & {one["kind"] for one in seen["entries"]}
    assert "fee" not in str(seen["event"])


def test_settled_results_are_entered_once_and_only_if_they_are_possible(tmp_path: Path) -> None:
    from companion.club.hub.database import Database

    database = Database.from_address(tmp_path / "hub.db")
    database.migrate()
    desk = EventDesk(club(database))
    desk.begin(FIVES, "Kim")
    came = [EventEntry("came", {"id": name.lower(), "name": name}) for name in NAMES]
    kept = desk.enter(1, 1, came, "Kim")
    kept = desk.enter(1, kept.after, desk.draw(1, kept.after), "Kim")
    rules = CATALOG.rules

    def settled(*points: int, box: str | None = "a", quiet_s: float = 60.0) -> list[EventEntry]:
        said = {"round": 1, "table": 1, "points": [*points], "box": box, "game": 3}
        at_table = TableOfRound(1, box, EventEntry("result", said) if points else None, None)
        tables: Any = [type("Table", (), {"box": "a", "grown_at": 1000.0})()]
        return settled_results(kept, [at_table], tables, rules, 1000.0 + quiet_s)

    (entry,) = settled(150, 80, 40, 20)
    assert settled(150, 80, 40, 20, quiet_s=5.0) == []  # somebody may still take it back
    assert settled(150, 150, 40, 20) == []
    # Without a box, two players who report the same.
    seats = kept.course.text["rounds"][0]["tables"][0]["seats"]
    for number, points in ((0, [150, 80, 40, 20]), (1, [150, 85, 40, 20])):
        said = {"round": 1, "table": 1, "points": points, "id": seats[number]}
        kept = desk.enter(1, kept.after, [EventEntry("reported", said)], "a phone")
        assert settled(box=None) == []
    said = {"round": 1, "table": 1, "points": [150, 80, 40, 20], "id": seats[1]}
    kept = desk.enter(1, kept.after, [EventEntry("reported", said)], "a phone")
    assert [one.fields["points"] for one in settled(box=None)] == [[150, 80, 40, 20]]
    kept = desk.enter(1, kept.after, [entry], "the tables")
    kept = desk.enter(1, kept.after, [EventEntry("undo", {"entry": kept.after})], "Kim")
    assert settled(150, 80, 40, 20) == []  # somebody has taken it back
    database.close()


SEATS = "51: Dan, Cleo\n53: Ben, Anna\n\n51: Anna, Cleo, Ben, Dan"


def test_seats_given_by_the_organiser_become_a_draft_for_each_round(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    viewer = Visitor(hub, "watch")
    status, found = organiser.ask(
        path, {"after": kept["after"], "propose": True, "seating": "51: Anna, Ben, Dan"}
    )
    assert (status, found["error"]) == (422, "the seating of round 1 lacks Cleo")
    assert organiser.ask(path)[1]["after"] == kept["after"]
    said = {"after": kept["after"], "propose": True, "seating": SEATS}
    assert viewer.ask(path, said)[0] == 403
    status, kept = organiser.ask(path, said)
    assert (status, kept["draft"]["method"], kept["seating"]) == (200, 0, SEATS)
    first = [
        {"table": 51, "seats": ["dan", "cleo"]},
        {"table": 53, "seats": ["ben", "anna"]},
    ]
    assert kept["draft"]["tables"] == first
    # Nobody else sees who will sit where, neither in the event nor in its text.
    for seen in (viewer.ask(path)[1], viewer.ask(f"{path}/text")[1]):
        assert "seating" not in str(seen) and "draft" not in seen
    _, kept = organiser.ask(path, {"after": kept["after"], "publish": True})
    tables = kept["event"]["rounds"][0]["tables"]
    assert [{"table": one["table"], "seats": one["seats"]} for one in tables] == first
    assert [one["round"] for one in viewer.ask(path)[1]["event"]["seating"]] == [1]
    drawn_from = viewer.ask(f"{path}/text?before=1")[1]
    assert ([one["round"] for one in drawn_from["seating"]], drawn_from["rounds"]) == ([1], [])
    results = [{"result": {"round": 1, "table": at, "points": [150, 80]}} for at in (51, 53)]
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": results})
    # The second round is the one given, until the organiser draws it after all.
    _, kept = organiser.ask(path, {"after": kept["after"], "propose": True})
    assert kept["draft"]["tables"] == [{"table": 51, "seats": ["anna", "cleo", "ben", "dan"]}]
    _, kept = organiser.ask(path, {"after": kept["after"], "propose": True, "lot": True})
    assert (kept["draft"]["method"], kept["seating"]) == (2, "")


def test_a_draft_is_not_published_at_tables_that_another_event_has_taken(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    _, kept = organiser.ask(path, {"after": kept["after"], "propose": True})
    mine = kept["draft"]["tables"][0]["table"]
    _, other_path, other = begun(hub, "Eve", "Finn", name="Beginners")
    _, other = organiser.ask(
        other_path, {"after": other["after"], "propose": True, "seating": f"{mine}: Eve, Finn"}
    )
    _, other = organiser.ask(other_path, {"after": other["after"], "publish": True})
    status, found = organiser.ask(path, {"after": kept["after"], "publish": True})
    assert (status, found["error"]) == (422, f"another event uses table {mine} now: draw again")
    said = {"after": kept["after"], "propose": True, "seating": f"{mine}: Anna, Ben, Cleo, Dan"}
    status, found = organiser.ask(path, said)
    why = f"table {mine} is closed or in use: give its players another table"
    assert (status, found["error"]) == (422, why)
    _, kept = organiser.ask(path, {"after": kept["after"], "propose": True})
    assert mine not in [one["table"] for one in kept["draft"]["tables"]]
    assert organiser.ask(path, {"after": kept["after"], "publish": True})[0] == 200
