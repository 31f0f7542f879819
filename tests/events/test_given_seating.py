"""Seating that an organiser gives as text in place of a draw: each person sits once, nobody is
missing, tables have the right sizes. An error is one line."""

import json
from random import Random

import pytest

from companion.events.draw import METHOD, SEATS_GIVEN
from companion.events.entries import EventCourse, EventEntry
from companion.events.event import ClubEvent, EventError
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.events.seating_text import read_seating, seating_text
from tests.events.playing import Text, draw, event_of, played

NAMES = ["Anna", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus"]
TWO_ROUNDS = """
Table 1: Anna, Ben, cleo, DAN
3: Eve, Finn, Gus

2: Anna, Eve, Ben, Finn
Cleo, Dan, Gus
"""


def text_of(*names: str, **more: object) -> Text:
    text = event_of(0, event=2, **more)
    text["players"] = [{"id": name.lower(), "name": name} for name in names or NAMES]
    return text


def event(**more: object) -> ClubEvent:
    return read_event(json.dumps(text_of(**more)))


def given(text: Text, seating: str) -> Text:
    """The event's text with this seating."""
    known = read_event(json.dumps(text))
    return {**text, "seating": read_seating(seating, known)}


def test_given_rounds_are_drawn_as_they_were_written() -> None:
    text, luck = given(text_of(), TWO_ROUNDS), Random(1)
    first = draw(text)
    assert first["tables"] == [
        {"table": 1, "seats": ["anna", "ben", "cleo", "dan"]},
        {"table": 3, "seats": ["eve", "finn", "gus"]},
    ]
    assert (first["method"], first["bye"], first["threes"]) == (
        SEATS_GIVEN,
        [],
        ["eve", "finn", "gus"],
    )
    text["rounds"].append(played(first, luck))
    second = draw(text)
    assert second["tables"] == [
        {"table": 1, "seats": ["cleo", "dan", "gus"]},
        {"table": 2, "seats": ["anna", "eve", "ben", "finn"]},
    ]
    met = [sorted(one["players"]) for one in second["repeats"]]
    assert met == [["cleo", "dan"], ["anna", "ben"], ["eve", "finn"]]
    text["rounds"].append(played(second, luck))
    third = draw(text)
    assert (third["method"], third["round"]) == (METHOD, 3)  # no seating was given for this round


def test_seating_text_reads_back_as_the_same_seating() -> None:
    names = ["Smith, Cleo", 'Al "Ace"', "Guest 2", "Óscar", "- Dash"]
    text = {**text_of(*names), "format": "swiss"}
    text = given(text, '4: "Smith, Cleo", óscar\n1: Guest 2, "Al ""Ace"""\n-: - Dash')
    known = read_event(json.dumps(text))
    assert read_seating(seating_text(known), known) == text["seating"]
    text["rounds"].append(played(draw(text), Random(1)))
    assert seating_text(read_event(json.dumps(text))) == ""


def test_a_column_from_a_spreadsheet_is_read() -> None:
    assert read_seating("1:\tAnna\tBen\r\n2:\tCleo\tDan\r\n", event())[0]["tables"] == [
        {"table": 1, "seats": ["anna", "ben"]},
        {"table": 2, "seats": ["cleo", "dan"]},
    ]


@pytest.mark.parametrize(
    ("seating", "why"),
    [
        ("", "there are no tables: write one on each line, as in 1: Anna, Ben"),
        ("1: Anna, Bem", "line 1: nobody is called Bem; did you mean Ben?"),
        ("1: Anna, Xaverius", "line 1: nobody is called Xaverius"),
        ("1: Anna, Ben\n2: Cleo, anna", "line 2: Anna already has a place in this round"),
        ("1: Anna, Ben\n1: Cleo, Dan", "line 2: table 1 is already above"),
        ("0: Anna, Ben", "line 1: a table's number is from 1 to 999"),
        ("3:", "line 1: there is no name"),
        (f"3: {'Anna ' * 300}", "line 1 is too long for a table"),
    ],
)
def test_an_error_names_the_wrong_line_of_a_seating(seating: str, why: str) -> None:
    with pytest.raises(EventError) as error:
        read_seating(seating, event())
    assert str(error.value) == why


@pytest.mark.parametrize(
    ("seating", "more", "why"),
    [
        (
            "Anna, Ben, Cleo, Dan",
            {},
            "the seating of round 1 lacks Eve, Finn, Gus",
        ),
        (
            "Anna, Ben, Cleo, Dan\nEve, Finn",
            {},
            "the seating of round 1 lacks Gus",
        ),
        (
            "Anna, Ben, Cleo, Dan\nEve, Finn, Gus",
            {"out": ["ben"]},
            "the seating of round 1 has Ben, who can't play in it",
        ),
        (
            "Anna, Ben, Cleo, Dan\nEve, Finn, Gus",
            {"seats": 3},
            "table 1 has 4 players: 2–3 sit at a table here",
        ),
        (
            "Anna, Ben, Cleo\nDan, Eve\nFinn, Gus",
            {"format": "swiss"},
            "table 1 has 3 players: 2 sit at a table here",
        ),
        (
            "Anna, Ben, Cleo, Dan\nEve, Finn\n-: Gus",
            {},
            "only at tables of two can a player have a bye",
        ),
        (
            "Anna, Ben, Cleo, Dan\n4: Eve, Finn, Gus",
            {"wishes": [{"closed": 4}]},
            "table 4 is closed or in use: give its players another table",
        ),
    ],
)
def test_a_seating_that_does_not_fit_the_round_is_refused(
    seating: str, more: Text, why: str
) -> None:
    with pytest.raises(EventError) as error:
        draw(given(text_of(**more), seating))
    assert str(error.value) == why


def test_an_error_names_a_table_with_one_player() -> None:
    with pytest.raises(EventError) as error:
        draw(given(text_of(), "Anna, Ben, Cleo, Dan\nEve"))
    why = "the seating of round 1, table 2 has one player: two to four sit at a table"
    assert str(error.value) == why


def test_a_given_later_round_of_a_knock_out_has_to_seat_all_who_are_left() -> None:
    four = ["Anna", "Ben", "Cleo", "Dan"]
    text = given({**text_of(*four), "format": "knockout"}, "Anna, Cleo\nBen, Dan\n\nAnna, Dan")
    first = draw(text)
    text["rounds"].append(
        {"tables": [{**one, "points": [150, 0]} for one in first["tables"]], "bye": []}
    )
    with pytest.raises(EventError, match="the seating of round 2 lacks Ben"):
        draw(text)
    text["seating"][1]["tables"][0]["seats"] = ["anna", "ben"]
    assert draw(text)["tables"] == [{"table": 1, "seats": ["anna", "ben"]}]


def test_given_seating_makes_the_text_version_2() -> None:
    text = given(text_of(), TWO_ROUNDS)
    with pytest.raises(EventError, match="has no key seating"):
        read_event(json.dumps({**text, "event": 1}))
    twice = {**text, "seating": [*text["seating"], text["seating"][0]]}
    with pytest.raises(EventError, match="seating names 1 twice"):
        read_event(json.dumps(twice))
    text["seating"][0]["tables"][0]["seats"][0] = "nobody"
    with pytest.raises(
        EventError, match="the seating of round 1, table 1 seats 1 names an unknown"
    ):
        read_event(json.dumps(text))


def test_an_entry_replaces_the_seating_of_all_rounds_to_come() -> None:
    began = EventEntry("began", {"format": "tables", "seed": "friday"})
    came = [EventEntry("came", {"id": one.lower(), "name": one}) for one in NAMES]
    course = EventCourse([began, *came])
    rounds = read_seating(TWO_ROUNDS, course.event())
    course = course.with_entries(EventEntry("seating", {"rounds": rounds}))
    assert (course.text["event"], course.text["seating"]) == (2, rounds)
    assert draw_round(course.event()).method == SEATS_GIVEN
    course = course.with_entries(EventEntry("seating", {"rounds": []}))
    assert "seating" not in course.text
    assert draw_round(course.event()).method == METHOD
