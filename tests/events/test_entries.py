"""Events stored as entries: undone entries leave the text unchanged. Impossible entries are refused
in one line and leave no trace."""

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.events.entries import (
    KEYS,
    EventCourse,
    EventEntry,
    drawn_entry,
    read_entry,
    result_of,
)
from companion.events.event import EventError
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.events.standings import standings
from tests.events.playing import Text, event_of, play, played

BEGUN = EventEntry("began", {"name": "Friday fives", "format": "tables", "seed": "2026-11-23"})


def came(people: int) -> list[EventEntry]:
    players = event_of(people)["players"]
    return [EventEntry("came", one) for one in players]


def begun(people: int = 9) -> EventCourse:
    return EventCourse([BEGUN, *came(people)])


def with_round(course: EventCourse, luck: Random | None) -> EventCourse:
    """The course with one more round drawn, and with results if `luck` is given."""
    drawn = draw_round(course.event())
    course = course.with_entries(drawn_entry(drawn))
    if luck is None:
        return course
    for table in played(drawn.as_json, luck)["tables"]:
        fields = {"round": drawn.number, "table": table["table"], "points": table["points"]}
        course = course.with_entries(EventEntry("result", fields))
    return course


def scored(text: Text) -> Any:
    """The text as the program reads it."""
    return read_event(json.dumps(text))


def test_an_event_built_from_entries_equals_one_written_directly() -> None:
    text = event_of(9)
    play(text, 3, seed=5)
    course, luck = begun(), Random(5)
    for _ in range(3):
        course = with_round(course, luck)
    assert scored(course.text) == scored(text)


def test_an_entry_is_read_as_it_was_written() -> None:
    course = with_round(begun(), Random(1))
    for entry in course.entries:
        assert read_entry(entry.as_text) == entry
        assert "\n" not in entry.as_text


def test_an_undone_entry_counts_again_when_its_undo_is_undone() -> None:
    course = with_round(begun(), None)
    result = EventEntry("result", {"round": 1, "table": 1, "points": [150, 80, 20]})
    with_result = course.with_entries(result)
    undone = with_result.with_entries(EventEntry("undo", {"entry": 12}))
    assert undone.text == course.text
    assert undone.counts[-2:] == [False, True]
    again = undone.with_entries(EventEntry("undo", {"entry": 13}))
    assert again.text == with_result.text
    assert undone.with_entries(result).text == with_result.text


def test_a_correction_counts_and_keeps_the_first_result() -> None:
    course = with_round(begun(), Random(1))
    before = course.text["rounds"][0]["tables"][0]["points"]
    fields = {"round": 1, "table": 1, "points": [5, 0, 150], "by": "Kim", "why": "a wrong count"}
    course = course.with_entries(EventEntry("corrected", fields))
    table = course.text["rounds"][0]["tables"][0]
    assert table["points"] == before
    assert result_of(table) == [5, 0, 150]


def test_latecomers_are_drawn_and_players_who_left_are_not() -> None:
    course = with_round(begun(), Random(1))
    course = course.with_entries(EventEntry("came", {"id": "late", "name": "Zoe"}))
    course = course.with_entries(EventEntry("left", {"id": "p3"}))
    seated = {one for table in draw_round(course.event()).tables for one in table.seats}
    assert "late" in seated and "p3" not in seated
    course = course.with_entries(EventEntry("returned", {"id": "p3"}))
    assert "p3" in {one for table in draw_round(course.event()).tables for one in table.seats}


def test_expected_players_are_not_drawn_before_they_arrive() -> None:
    course = begun(8).with_entries(
        EventEntry("listed", {"id": "zoe", "name": "Zoe", "rating": 1500})
    )
    assert course.text["out"] == ["zoe"]
    assert "zoe" not in {one for table in draw_round(course.event()).tables for one in table.seats}
    course = course.with_entries(EventEntry("came", {"id": "zoe", "name": "Zoe", "rating": 1500}))
    assert course.text["out"] == []
    with pytest.raises(EventError, match="Zoe has already checked in"):
        course.with_entries(EventEntry("came", {"id": "zoe", "name": "Zoe", "rating": 1500}))
    with pytest.raises(EventError, match="add a letter"):
        course.with_entries(EventEntry("listed", {"id": "zoe-2", "name": "zoe"}))


def test_a_misspelt_name_is_corrected_for_the_whole_event() -> None:
    course = with_round(begun(), Random(1))
    before = draw_round(course.event()).tables
    course = course.with_entries(EventEntry("named", {"id": "p1", "name": " Anne "}))
    assert course.text["players"][0]["name"] == "Anne"
    assert draw_round(course.event()).tables == before
    for name, why in (("name 2", "add a letter"), (" ", "not be empty")):
        with pytest.raises(EventError, match=why):
            course.with_entries(EventEntry("named", {"id": "p1", "name": name}))


def test_evening_settings_are_not_in_the_text() -> None:
    fields = {**BEGUN.fields, "period": 20, "phones": False}
    course = EventCourse([EventEntry("began", fields), *came(3)])
    assert not {"period", "phones"} & course.text.keys()
    for wrong in ({"period": 0}, {"period": "x"}, {"phones": 1}):
        with pytest.raises(EventError):
            EventCourse([EventEntry("began", {**BEGUN.fields, **wrong}), *came(3)])


def test_a_wish_to_sit_apart_lasts_one_round_but_a_wished_table_stays() -> None:
    course = begun()
    for wish in ({"apart": ["p1", "p2"]}, {"table": 1, "player": "p9"}, {"closed": 2}):
        course = course.with_entries(EventEntry("wish", wish))
    course = with_round(course, Random(1))
    assert course.text["wishes"] == [{"table": 1, "player": "p9"}, {"closed": 2}]


def test_seats_of_a_drawn_round_can_be_swapped() -> None:
    course = with_round(begun(), None)
    one, two = course.text["rounds"][0]["tables"][:2]
    a, b = [*one["seats"]], [*two["seats"]]
    a[0], b[0] = b[0], a[0]
    changed = [{"table": one["table"], "seats": a}, {"table": two["table"], "seats": b}]
    course = course.with_entries(EventEntry("reseated", {"round": 1, "tables": changed}))
    assert [table["seats"] for table in course.text["rounds"][0]["tables"][:2]] == [a, b]
    lonely = [{"table": one["table"], "seats": b}]
    with pytest.raises(EventError, match="only swap the players"):
        course.with_entries(EventEntry("reseated", {"round": 1, "tables": lonely}))


def test_results_are_missing_until_the_round_is_complete() -> None:
    course = with_round(begun(), None)
    assert course.missing == [1, 2, 3]
    with pytest.raises(EventError, match="table 1 has no result yet"):
        course.with_entries(EventEntry("drawn", {"round": 2, "tables": []}))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (("came", {"id": "p1", "name": "Somebody"}), "Somebody has already checked in"),
        (("came", {"id": "x", "name": "name 3"}), "add a letter"),
        (("left", {"id": "px"}), "nobody with the id px"),
        (("returned", {"id": "p1"}), "Name 1 is here"),
        (("drawn", {"round": 1, "tables": []}), "already been drawn"),
        (("result", {"round": 1, "table": 9, "points": [1, 2]}), "has no table 9"),
        (("result", {"round": 1, "table": 1, "points": [1, 2, 3]}), "already has a result"),
        (("result", {"round": 2, "table": 1, "points": [1, 2]}), "not been drawn yet"),
        (("corrected", {"round": 1, "table": 1, "points": [1], "by": "", "why": "x"}), "3 numbers"),
        (
            ("corrected", {"round": 1, "table": 1, "points": [1, 2, 3], "by": "", "why": " "}),
            "give a reason",
        ),
        (("undo", {"entry": 1}), "from 2"),
        (("undo", {"entry": 2}), "p1"),  # who came has played
        (("began", {"format": "swiss"}), "already begun"),
        (("reopened", {"round": 2, "why": "x"}), "not been drawn yet"),
        (("reopened", {"round": 1, "why": " "}), "give a reason"),
        (("named", {"id": "px", "name": "x"}), "nobody with the id px"),
    ],
)  # fmt: skip
def test_impossible_entries_are_refused(entry: tuple[str, Text], why: str) -> None:
    course = with_round(begun(), Random(1))
    with pytest.raises(EventError, match=why):
        course.with_entries(EventEntry(*entry))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"came": 1}', '{"came": {"id": "p1"}}', '{"came": {}, "left": {}}',
             '{"sang": {}}', '{"left": {"id": "p1", "why": 1}}']
)  # fmt: skip
def test_text_that_is_not_an_entry_is_refused(text: str) -> None:
    with pytest.raises(EventError):
        read_entry(text)


VALUES = st.one_of(
    st.integers(-2, 12),
    st.sampled_from(["p1", "p9", "Name 1", "", "x"]),
    st.none(),
    st.lists(st.integers(0, 3), max_size=3),
    st.lists(st.fixed_dictionaries({"table": st.integers(0, 4), "seats": st.just(["p1", "p2"])}),
             max_size=2),
)  # fmt: skip


@given(st.data())
def test_a_random_entry_is_accepted_or_raises_event_error(data: st.DataObject) -> None:
    course = with_round(begun(), Random(1))
    kind = data.draw(st.sampled_from(sorted(KEYS)))
    fields = {key: data.draw(VALUES) for key in KEYS[kind][0]}
    try:
        course = course.with_entries(read_entry(EventEntry(kind, fields).as_text))
    except EventError as error:
        assert "\n" not in str(error)
    else:
        assert course.event().players


WRONG: tuple[Any, ...] = (
    None, True, -1, 1.5, 10**30, "", "p1", "\ud800", [], {}, [[]], [None], [{"table": 1}], {"a": 1},
)  # fmt: skip
"""Values that no key, or hardly any, may have."""
SEATS = {"tables": [{"table": 1, "seats": ["p1", "p2", "p3"]}]}
RESULT = {"round": 1, "table": 1, "points": [150, 40, 20]}


def spoilt(value: Any) -> Iterator[Any]:
    """The value with each of its parts replaced by each of WRONG."""
    yield from WRONG
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            for other in spoilt(value[key]):
                copy: Any = value.copy()
                copy[key] = other
                yield copy


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("set", {"planned": 3, "late": 1, "penalty": {"points": 1}, "fee": 5, "prizes": 3}),
        ("came", {"id": "p9", "name": "Name 9", "rating": 3}),
        ("named", {"id": "p1", "name": "Anna"}),
        ("left", {"id": "p1", "after": 1}),
        ("partners", {"ids": ["p1", "p2"]}),
        ("wish", {"apart": ["p1", "p2"], "for": "ever"}),
        ("seating", {"rounds": [{"round": 2, **SEATS}]}),
        ("teams", {"teams": [{"name": "Ship", "people": ["p1"]}], "boards": 1}),
        ("proposed", {"round": 2, **SEATS, "bye": [], "method": 1, "seed": "x", "moved": True}),
        ("drawn", {"round": 2, **SEATS, "bye": [], "method": 1, "seed": "x", "moved": True}),
        ("reseated", {"round": 1, **SEATS}),
        ("absent", {"round": 1, "table": 1, "id": "p1"}),
        ("reported", {**RESULT, "id": "p1"}),
        ("result", {**RESULT, "box": "a1", "game": 3}),
        ("corrected", {**RESULT, "by": "Kim", "why": "a wrong count"}),
        ("penalty", {"round": 1, "id": "p1", "kind": "warning", "by": "Kim", "why": "late"}),
        ("clock", {"round": 1, "minutes": 20, "table": 1}),
        ("announced", {"text": "Table 1", "minutes": 3}),
        ("undo", {"entry": 2}),
    ],
)
def test_an_entry_with_spoilt_fields_is_read_or_refused(kind: str, fields: Text) -> None:
    """Entries also come from the hubs of other clubs, whatever program wrote them."""
    drawn = EventEntry("drawn", {"round": 1, **SEATS})
    rounds = [drawn] if kind in ("result", "absent") else [drawn, EventEntry("result", RESULT)]
    before = [BEGUN, *came(3), *rounds]
    for one in spoilt(fields):
        with suppress(EventError):
            entry = read_entry(EventEntry(kind, one).as_text)
            course = EventCourse([*before, entry])
            standings(course.event())
