"""What an event's organiser shows on the hall's TV, the bracket of a knock-out, and penalties of a
judge, at a running hub."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.club.hub.database import Database
from companion.club.hub.event_desk import EventDesk, StoredEvent
from companion.club.hub.event_round import announced_now
from companion.events.entries import EventEntry
from tests.club.hub.pushing import club
from tests.club.hub.test_event_api import Visitor
from tests.club.hub.test_event_desk import with_people
from tests.club.hub.test_event_draft import begun, paper
from tests.starting import HubProcess, running_hub


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HubProcess]:
    with running_hub(tmp_path_factory.mktemp("club") / "hub") as started:
        yield started


def test_the_bracket_is_printed_and_no_round_follows_the_final(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub, "Anna", "Ben", format="knockout")
    assert paper(hub, "watch", f"{path}/bracket") == 404
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    assert (kept["over"], kept["winner"]) == (False, None)
    seats = kept["event"]["rounds"][0]["tables"][0]["seats"]
    result = {"round": 1, "table": 1, "points": [150, 40]}
    _, kept = organiser.ask(path, {"after": kept["after"], "entries": [{"result": result}]})
    assert (kept["over"], kept["winner"]) == (True, seats[0])
    printed = str(paper(hub, "watch", f"{path}/bracket"))
    assert "<svg" in printed and f"{seats[0].title()} has won" in printed
    status, found = organiser.ask(path, {"after": kept["after"], "propose": True})
    assert (status, "no further round" in found["error"]) == (422, True)
    undo = {"after": kept["after"], "entries": [{"undo": {"entry": kept["after"]}}]}
    _, kept = organiser.ask(path, undo)
    assert (kept["over"], kept["winner"]) == (False, None)


def test_only_the_organiser_makes_calls_and_everybody_sees_them(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub)
    call = {"announced": {"text": "Table 7 needs a player"}}
    entries = {"after": kept["after"], "entries": [call, {"break": {"round": 1, "minutes": 5}}]}
    for role in ("watch", "play"):
        assert Visitor(hub, role).ask(path, entries)[0] == 403
    status, kept = organiser.ask(path, entries)
    assert status == 200, kept
    seen = Visitor(hub, "watch").ask(path)[1]
    (shown,) = seen["announced"]
    assert shown["text"] == "Table 7 needs a player"
    assert 290 <= seen["break_left_s"] <= 300
    undo = {"after": kept["after"], "entries": [{"undo": {"entry": shown["entry"]}}]}
    assert organiser.ask(path, undo)[1]["announced"] == []
    _, kept = organiser.ask(path, {"after": kept["after"] + 1, "draw": True})
    assert kept["break_left_s"] is None  # the round has begun


def kept_event(database: Database, *entries: EventEntry) -> StoredEvent:
    desk = EventDesk(club(database))
    kept = with_people(desk)
    return desk.enter(kept.number, kept.after, entries, "Kim")


def test_calls_end_when_their_time_is_up_and_a_break_stays_at_zero(database: Database) -> None:
    kept = kept_event(
        database,
        EventEntry("announced", {"text": "first"}),
        EventEntry("announced", {"text": "second", "minutes": 1}),
        EventEntry("break", {"round": 1, "minutes": 2}),
    )
    at = kept.entered[-1][0]

    def seen(after_s: float) -> tuple[list[str], int | None]:
        found = announced_now([kept], at + after_s)
        return found["texts"], found["left_s"]

    assert seen(0) == (["first", "second"], 120)
    assert seen(59) == (["first", "second"], 61)
    assert seen(61) == (["first"], 59)
    assert seen(185) == ([], 0)
    assert announced_now([kept], at)["round"] == 1
    assert seen(4 * 3600) == ([], None)  # the event is over
    later = replace(kept, entered=[(when + 9, by) for when, by in kept.entered])
    both = announced_now([later, kept], at + 10)
    assert (both["texts"], both["left_s"]) == (["first", "second"] * 2, 119)


def test_a_judge_gives_a_penalty_that_counts_by_the_event_s_rules(hub: HubProcess) -> None:
    organiser, path, kept = begun(hub, penalty={"points": 1})
    _, kept = organiser.ask(path, {"after": kept["after"], "draw": True})
    (table,) = kept["event"]["rounds"][0]["tables"]
    who = table["seats"][0]
    judge = Visitor(hub, "play")
    of_event = next(
        one for one in judge.ask("/api/calls")[1]["playing"] if path.endswith(f"/{one['event']}")
    )
    assert (of_event["round"], of_event["after"]) == (1, kept["after"])
    assert [one["id"] for one in of_event["tables"][0]["players"]] == table["seats"]
    given = {"penalty": {"round": 1, "id": who, "kind": "points", "by": "Kim"}}
    said = {"after": kept["after"], "entries": [given]}
    assert Visitor(hub, "watch").ask(path, said)[0] == 403
    status, kept = judge.ask(path, said)
    assert (status, kept["event"]["penalties"][0]["player"]) == (200, who)
    row = next(one for one in kept["standings"] if one["player"] == who)
    assert row["points"] == -1
    result = {"round": 1, "table": table["table"], "points": [150, 80, 40, 20]}
    _, kept = judge.ask(path, {"after": kept["after"], "entries": [{"result": result}]})
    row = next(one for one in kept["standings"] if one["player"] == who)
    assert row["points"] == 3
    assert "Points off" in str(paper(hub, "watch", f"{path}/standings"))
    undo = {"undo": {"entry": kept["after"] - 1}}
    status, kept = judge.ask(path, {"after": kept["after"], "entries": [undo]})
    assert (status, kept["standings"][0]["points"]) == (200, 4)
