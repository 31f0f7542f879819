"""Version 2 of an event's text: latecomers, players who leave after a round, drafts, wishes that
last, people who don't come, a plan of rounds."""

import json
from random import Random

import pytest

from companion.events.entries import EventCourse, EventEntry, drawn_entry
from companion.events.event import EventError
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.events.standings import standings
from tests.events.playing import event_of
from tests.events.test_entries import begun, with_round


def draft_of(course: EventCourse) -> EventEntry:
    return EventEntry("proposed", drawn_entry(draw_round(course.event())).fields)


def points_of(course: EventCourse, player: str) -> float:
    return next(float(one.points) for one in standings(course.event()) if one.player == player)


def test_a_draft_is_not_in_the_text_until_it_is_drawn() -> None:
    course = begun()
    drafted = course.with_entries(draft_of(course))
    assert (drafted.text, course.draft) == (course.text, None)
    assert drafted.draft == draft_of(course).fields
    moved = {**draft_of(course).fields, "moved": True, "seed": "again"}
    drafted = drafted.with_entries(EventEntry("proposed", moved))
    assert drafted.draft == moved
    drawn = drafted.with_entries(EventEntry("drawn", moved))
    assert drawn.draft is None
    each = drawn.text["rounds"][0]
    assert (each["seed"], each["moved"], drawn.text["event"]) == ("again", True, 2)
    assert drawn.event().rounds[0].moved
    again = drawn.with_entries(EventEntry("undo", {"entry": len(drawn.entries)}))
    assert again.draft == moved  # the round was published too early


def test_a_draft_that_could_not_be_drawn_is_refused() -> None:
    course = begun()
    fields = draft_of(course).fields
    with pytest.raises(EventError, match="names an unknown player"):
        course.with_entries(EventEntry("proposed", {**fields, "bye": ["nobody"]}))
    with pytest.raises(EventError, match="twice"):
        course.with_entries(EventEntry("proposed", {**fields, "bye": ["p1"]}))
    with pytest.raises(EventError, match="already been drawn"):
        course.with_entries(EventEntry("proposed", {**fields, "round": 2}))


def test_a_latecomer_gets_points_for_the_rounds_before_the_first_one_played() -> None:
    luck = Random(1)
    late = EventEntry("listed", {"id": "late", "name": "Zoe"})
    course = begun(8).with_entries(late, EventEntry("late", {"id": "late"}))
    course = with_round(with_round(course, luck), luck)
    assert points_of(course, "late") == 0.0  # may still not come
    assert next(one for one in standings(course.event()) if one.player == "late").place is None
    course = course.with_entries(EventEntry("came", late.fields))
    course = with_round(course, None)
    assert points_of(course, "late") == 4.0  # twice half of a win
    course = course.with_entries(EventEntry("set", {"late": 0.5}))
    assert (points_of(course, "late"), course.text["event"]) == (1.0, 2)
    with pytest.raises(EventError, match="late already"):
        course.with_entries(EventEntry("late", {"id": "late"}))


def test_a_player_may_leave_after_a_given_round() -> None:
    course, luck = begun(), Random(1)
    course = course.with_entries(EventEntry("left", {"id": "p3", "after": 2}))
    for _ in range(2):
        assert "p3" in course.event().present
        course = with_round(course, luck)
    assert "p3" not in course.event().present
    course = course.with_entries(EventEntry("returned", {"id": "p3"}))
    assert "p3" in course.event().present
    with pytest.raises(EventError, match="the last round"):
        course.with_entries(EventEntry("left", {"id": "p3", "after": 1}))


@pytest.mark.parametrize(("lasts", "rounds"), [(None, 0), ("evening", 2), ("ever", 2)])
def test_a_wish_to_sit_apart_lasts_for_its_stated_time(lasts: str | None, rounds: int) -> None:
    course, luck = begun(), Random(1)
    fields = {"apart": ["p1", "p2"], **({"for": lasts} if lasts else {})}
    course = course.with_entries(EventEntry("wish", fields))
    for _ in range(2):
        course = with_round(course, luck)
    assert len(course.text["wishes"]) == (1 if rounds else 0)
    with pytest.raises(EventError, match="for"):
        course.with_entries(EventEntry("wish", {"apart": ["p1", "p2"], "for": "always"}))


def test_an_absent_player_is_out_and_the_others_play_on() -> None:
    course = with_round(begun(), None)
    table = course.text["rounds"][0]["tables"][0]
    gone, *others = table["seats"]
    fields = {"round": 1, "table": table["table"], "id": gone}
    course = course.with_entries(EventEntry("absent", fields))
    assert course.text["rounds"][0]["tables"][0]["seats"] == others
    assert (gone in course.text["out"], course.text["event"]) == (True, 1)
    with pytest.raises(EventError, match="doesn't sit at table"):
        course.with_entries(EventEntry("absent", fields))
    course = course.with_entries(EventEntry("absent", {**fields, "id": others[0]}))
    each = course.text["rounds"][0]
    assert (len(each["tables"]), each["bye"]) == (2, [others[1]])  # nobody is left to play against
    assert points_of(course, others[1]) == 4.0


@pytest.mark.parametrize(("kind", "ends"), [("swiss", "bye"), ("knockout", "won")])
def test_the_opponent_of_an_absent_player_has_a_bye_or_wins(kind: str, ends: str) -> None:
    begins = EventEntry("began", {"format": kind, "seed": "x"})
    came = [EventEntry("came", one) for one in event_of(4)["players"]]
    course = with_round(EventCourse([begins, *came]), None)
    table = course.text["rounds"][0]["tables"][0]
    gone, other = table["seats"]
    course = course.with_entries(EventEntry("absent", {"round": 1, "table": 1, "id": gone}))
    each = course.text["rounds"][0]
    assert points_of(course, other) == 4.0
    assert each["bye"] == ([other] if ends == "bye" else [])
    assert len(each["tables"]) == (1 if ends == "bye" else 2)


@pytest.mark.parametrize("kind", ["knockout", "double-knockout"])
def test_if_neither_of_two_comes_both_are_out_and_have_lost(kind: str) -> None:
    begins = EventEntry("began", {"format": kind, "seed": "x"})
    came = [EventEntry("came", one) for one in event_of(8)["players"]]
    course = with_round(EventCourse([begins, *came]), None)
    gone = course.text["rounds"][0]["tables"][0]["seats"]
    for who in gone:
        course = course.with_entries(EventEntry("absent", {"round": 1, "table": 1, "id": who}))
    assert course.text["rounds"][0]["tables"][0]["points"] == [0, 0]
    assert course.text["out"] == gone
    with pytest.raises(EventError, match="has its result already"):
        course.with_entries(EventEntry("absent", {"round": 1, "table": 1, "id": gone[0]}))
    for table in course.text["rounds"][0]["tables"][1:]:
        table["points"] = [2, 1]
    drawn = draw_round(course.event())
    seated = {one for table in drawn.tables for one in table.seats}
    assert not {*gone} & {*seated, *drawn.bye}
    assert drawn.bye


def test_a_reported_winner_cannot_be_absent() -> None:
    """Only a win by the opponent's absence is taken away."""
    begins = EventEntry("began", {"format": "knockout", "seed": "x"})
    came = [EventEntry("came", one) for one in event_of(4)["players"]]
    course = with_round(EventCourse([begins, *came]), None)
    winner = course.text["rounds"][0]["tables"][0]["seats"][0]
    won = {"round": 1, "table": 1, "points": [1, 0]}
    course = course.with_entries(EventEntry("result", won))
    with pytest.raises(EventError, match="has its result already"):
        course.with_entries(EventEntry("absent", {"round": 1, "table": 1, "id": winner}))


def test_no_round_is_drawn_beyond_the_plan() -> None:
    course, luck = begun(), Random(1)
    course = course.with_entries(EventEntry("set", {"planned": 1}))
    course = with_round(course, luck)
    assert draw_round(course.event()).tables == ()
    course = course.with_entries(EventEntry("set", {"planned": 2}))
    assert draw_round(course.event()).tables
    assert course.setting("planned") == 2


def test_only_a_text_of_version_2_may_have_keys_of_version_2() -> None:
    for change in (
        {"planned": 3},
        {"late": 2},
        {"players": [{"id": "p1", "name": "Ann", "late": True}]},
        {"wishes": [{"apart": ["p1", "p2"], "for": "evening"}]},
        {"rounds": [{"tables": [], "seed": "x"}]},
    ):
        text = {**event_of(3), **change}
        with pytest.raises(EventError, match="has no key"):
            read_event(json.dumps(text))
        if "wishes" not in change or len(text["players"]) > 1:
            read_event(json.dumps({**text, "event": 2}))


def test_impossible_settings_are_refused() -> None:
    for fields in ({"fee": -1}, {"late": -1}, {"planned": 0}, {"prizes": 100}, {"fee": "five"}):
        with pytest.raises(EventError):
            begun().with_entries(EventEntry("set", fields))
