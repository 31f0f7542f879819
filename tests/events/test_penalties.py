"""Penalties in an event's text and in its standings: worked cases."""

import json
from fractions import Fraction
from typing import Any

import pytest

from companion.commands.cli import main
from companion.events.bracket import bracket_of
from companion.events.entries import EventCourse, EventEntry
from companion.events.event import EventError
from companion.events.reading import read_event
from companion.events.standings import standings
from tests.events.playing import Text

FOUR = ["anna", "ben", "cleo", "dan"]


def evening(points: list[int] | None, **more: object) -> Text:
    """The text of an event with one table of four, and its result."""
    return {
        "event": 2,
        "format": "tables",
        "players": [{"id": one, "name": one.title()} for one in FOUR],
        "rounds": [{"tables": [{"table": 1, "seats": FOUR, "points": points}]}],
        **more,
    }


def given(player: str, kind: str, **more: object) -> dict[str, Any]:
    return {"player": player, "round": 1, "kind": kind, **more}


def counted(text: Text) -> dict[str, tuple[float, int]]:
    """For each player the match points and the tables won."""
    rows = standings(read_event(json.dumps(text)))
    return {row.player: (float(row.points), row.won) for row in rows}


def test_penalties_without_rules_are_only_listed() -> None:
    text = evening([150, 80, 40, 20])
    before = counted(text)
    text["penalties"] = [given("anna", kind) for kind in ("warning", "points", "game")]
    assert counted(text) == before == {
        "anna": (4, 1), "ben": (2, 0), "cleo": (1, 0), "dan": (0, 0),
    }  # fmt: skip


def test_penalties_take_off_the_points_that_the_rules_set() -> None:
    text = evening([150, 80, 40, 20], penalty={"warning": 0.5, "points": 3})
    text["penalties"] = [given("anna", "points"), given("anna", "warning"), given("dan", "points")]
    found = counted(text)
    assert (found["anna"], found["dan"]) == ((0.5, 1), (-3, 0))
    assert [row.player for row in standings(read_event(json.dumps(text)))][-1] == "dan"


def test_a_lost_game_is_worth_the_last_place_and_the_others_move_up() -> None:
    text = evening([150, 80, 40, 20], penalty={"game": True}, penalties=[given("anna", "game")])
    assert counted(text) == {"ben": (4, 1), "cleo": (2, 0), "dan": (1, 0), "anna": (0, 0)}
    text["penalties"].append(given("ben", "game"))
    assert counted(text) == {"cleo": (4, 1), "dan": (2, 0), "ben": (0, 0), "anna": (0, 0)}
    row = next(one for one in standings(read_event(json.dumps(text))) if one.player == "anna")
    assert row.own == 150  # game points stay as they were played


def test_equal_scores_still_share_their_places_after_a_lost_game() -> None:
    text = evening([150, 80, 80, 20], penalty={"game": True}, penalties=[given("anna", "game")])
    assert counted(text) == {"ben": (3, 1), "cleo": (3, 1), "dan": (1, 0), "anna": (0, 0)}


def test_partners_lose_a_game_together() -> None:
    text = evening([150, 80, 150, 80], penalty={"game": True}, penalties=[given("anna", "game")])
    text |= {"format": "partners", "pairs": [["anna", "cleo"], ["ben", "dan"]]}
    assert counted(text) == {"ben": (4, 1), "dan": (4, 1), "anna": (0, 0), "cleo": (0, 0)}


@pytest.mark.parametrize(("lost", "winner"), [([], "anna"), (["anna"], "ben"),
                                              (["anna", "ben"], None)])  # fmt: skip
def test_in_a_knock_out_the_opponent_of_a_penalised_player_goes_on(
    lost: list[str], winner: str | None
) -> None:
    seats = FOUR[:2]
    text = {
        "event": 2,
        "format": "knockout",
        "players": [{"id": one, "name": one.title()} for one in seats],
        "rounds": [{"tables": [{"table": 1, "seats": seats, "points": [150, 80]}]}],
        "penalty": {"game": True},
        "penalties": [given(one, "game") for one in lost],
    }
    found = bracket_of(read_event(json.dumps(text)))
    assert found is not None
    assert (found.is_over, found.winner) == (True, winner)


def test_standings_list_penalties_below(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    said = given("dan", "game", by="Kim", why="left the table")
    (tmp_path / "event.json").write_text(
        json.dumps(evening([150, 80, 40, 20], penalties=[given("anna", "warning"), said]))
    )
    assert main(["standings", str(tmp_path / "event.json")]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "round 1, Anna: a warning",
        "round 1, Dan: game lost by Kim: left the table",
    ]


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"penalties": [given("anna", "red card")]}, "is not red card"),
        ({"penalties": [given("zoe", "warning")]}, "names an unknown player: zoe"),
        ({"penalty": {"points": -1}}, "must be between 0 and 1000"),
        ({"penalty": {"game": 1}}, "must be true or false"),
        ({"event": 1, "penalties": []}, "has no key penalties"),
    ],
)
def test_a_wrong_penalty_is_refused(more: Text, why: str) -> None:
    with pytest.raises(EventError, match=why):
        read_event(json.dumps(evening([150, 80, 40, 20], **more)))


def course() -> EventCourse:
    came = [EventEntry("came", {"id": one, "name": one.title()}) for one in FOUR]
    drawn = {"round": 1, "tables": [{"table": 1, "seats": FOUR[:3]}]}
    began = EventEntry("began", {"format": "tables", "penalty": {"points": 1.5}})
    return EventCourse([began, *came, EventEntry("left", {"id": "dan"}),
                        EventEntry("drawn", drawn)])  # fmt: skip


def test_a_penalty_is_an_entry_that_can_be_undone() -> None:
    entry = EventEntry("penalty", {"round": 1, "id": "ben", "kind": "points", "by": "Kim"})
    after = course().with_entries(entry)
    assert after.text["event"] == 2
    assert after.text["penalties"] == [{"player": "ben", "round": 1, "kind": "points", "by": "Kim"}]
    rows = {row.player: row.points for row in standings(after.event())}
    assert rows["ben"] == Fraction(-3, 2)
    undone = after.with_entries(EventEntry("undo", {"entry": len(after.entries)}))
    assert "penalties" not in undone.text
    none = after.with_entries(EventEntry("set", {"penalty": None}))
    assert {row.points for row in standings(none.event())} == {0}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"round": 2, "id": "ben", "kind": "warning"}, "has not been drawn yet"),
        ({"round": 1, "id": "dan", "kind": "game"}, "Dan has no game in round 1"),
        ({"round": 1, "id": "ben", "kind": "yellow"}, "a penalty is not yellow"),
        ({"round": 1, "id": "zoe", "kind": "warning"}, "nobody with the id zoe"),
    ],
)
def test_a_penalty_that_can_t_be_given_is_refused(said: dict[str, Any], why: str) -> None:
    with pytest.raises(EventError, match=why):
        course().with_entries(EventEntry("penalty", said))


def test_calls_and_breaks_are_checked_and_leave_the_text_alone() -> None:
    before = course()
    after = before.with_entries(EventEntry("announced", {"text": "Table 7 needs a player"}),
                              EventEntry("break", {"round": 2, "minutes": 10}))  # fmt: skip
    assert after.text == before.text
    for said, why in (({"text": " "}, "from 1 to 80"), ({"text": "x" * 81}, "from 1 to 80"),
                      ({"text": "x", "minutes": 0}, "minutes")):  # fmt: skip
        with pytest.raises(EventError, match=why):
            before.with_entries(EventEntry("announced", said))
    with pytest.raises(EventError, match="before the next round"):
        before.with_entries(EventEntry("break", {"round": 1, "minutes": 10}))
