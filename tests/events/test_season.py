"""Seasons: points per evening, the best evenings, and fixtures at home and away, with numbers
worked out by hand."""

import json
from fractions import Fraction
from typing import Any

import pytest

from companion.core.values import Json
from companion.events.event import ClubEvent, EventError
from companion.events.reading import read_event
from companion.events.season import (
    EventRef,
    SeasonEvent,
    evening_points,
    fixtures_of,
    read_season,
    season_table,
    team_table,
)
from companion.events.standings import standings


def evening(**results: int) -> ClubEvent:
    """An evening of one table with these points."""
    players = [{"id": name, "name": name.title()} for name in results]
    table = {"table": 1, "seats": [*results], "points": [*results.values()], "corrected": None}
    text = {"event": 1, "format": "tables", "players": players, "rounds": [{"tables": [table]}]}
    return read_event(json.dumps(text))


def with_standings(event: ClubEvent, *more: Any) -> SeasonEvent:
    return SeasonEvent(event, standings(event), *more)


def season(divisions: list[Json], **more: Any) -> str:
    return json.dumps({"season": 1, "name": "Winter", "divisions": divisions, **more})


MONDAYS = {"name": "Mondays", "events": [1, 2, 3]}
EVENINGS = [
    evening(anna=100, ben=80, cleo=60, dan=40),
    evening(anna=50, ben=90, cleo=90, dan=20),
    evening(ben=10, cleo=20, dan=30),
]


def test_equal_places_share_the_points_of_an_evening() -> None:
    points = [Fraction(one) for one in (10, 7, 5, 4)]
    # Ben and Cleo are level on points and on everything else: 10 and 7 are shared.
    found = evening_points(standings(EVENINGS[1]), points)
    half = Fraction(17, 2)
    assert found == {"ben": half, "cleo": half, "anna": 5, "dan": 4}
    assert evening_points(standings(EVENINGS[0]), points[:2]) == {
        "anna": 10,
        "ben": 7,
        "cleo": 0,
        "dan": 0,
    }
    assert evening_points(standings(EVENINGS[0]), []) == {"anna": 4, "ben": 2, "cleo": 1, "dan": 0}


def test_only_the_best_evenings_of_a_season_count() -> None:
    # By hand, 10-7-5-4, best 2 of 3:
    #   Anna 10   5    –   best 15, all 15
    #   Ben   7   8.5  5   best 15.5
    #   Cleo  5   8.5  7   best 15.5, all 20.5 (Ben's too: 20.5)
    #   Dan   4   4   10   best 14
    read = read_season(season([MONDAYS], best=2, points=[10, 7, 5, 4]))
    rows = season_table(read, [*map(with_standings, EVENINGS)])
    assert [(row.place, row.player, float(row.total)) for row in rows] == [
        (1, "ben", 15.5),
        (1, "cleo", 15.5),
        (3, "anna", 15.0),
        (4, "dan", 14.0),
    ]
    counted = {row.player: row.counted for row in rows}
    assert counted == {"ben": {0, 1}, "cleo": {1, 2}, "anna": {0, 1}, "dan": {0, 2}}
    assert [*rows[2].evenings] == [10, 5, None]
    read = read_season(season([MONDAYS], points=[10, 7, 5, 4]))
    everything = season_table(read, [*map(with_standings, EVENINGS)])
    assert [(row.player, float(row.total)) for row in everything] == [
        ("ben", 20.5), ("cleo", 20.5), ("dan", 18.0), ("anna", 15.0),
    ]  # fmt: skip


def test_fixtures_at_home_and_away_count_by_board() -> None:
    fixtures = [
        {"home": "Ship", "away": "Crown", "boards": [[3, 1], [2, 2], [1, 3], [3, 0]]},  # 2.5–1.5
        {"home": "Crown", "away": "Ship", "boards": [[3, 0], [0, 3]]},  # 1–1
        {"home": "Bell", "away": "Crown", "boards": [[0, 3], [1, 3]]},  # 0–2
        {"home": "Ship", "away": "Bell", "date": "2026-12-07"},  # not played yet
    ]
    read = read_season(season([{"name": "One", "fixtures": fixtures}]))
    rows = team_table(read.divisions[0], read.divisions[0].fixtures)
    found = [
        (row.place, row.team, row.played, row.won, row.drawn, row.lost, float(row.boards),
         float(row.against), float(row.points)) for row in rows
    ]  # fmt: skip
    # Level on 3 points: Crown has 4.5 boards to 3.5 (+1), Ship 3.5 to 2.5 (+1): more boards won.
    assert found == [
        (1, "Crown", 3, 1, 1, 1, 4.5, 3.5, 3.0),
        (2, "Ship", 2, 1, 1, 0, 3.5, 2.5, 3.0),
        (3, "Bell", 1, 0, 0, 1, 0.0, 2.0, 0.0),
    ]
    three = read_season(season([{"name": "One", "fixtures": fixtures, "win": 3, "draw": 1}]))
    rows = team_table(three.divisions[0], three.divisions[0].fixtures)
    assert [float(row.points) for row in rows] == [4.0, 4.0, 0.0]


def test_matches_of_teams_at_an_event_count_as_fixtures() -> None:
    players = [{"id": f"p{at}", "name": f"Name {at}"} for at in range(1, 5)]
    teams = [{"name": "Ship", "people": ["p1", "p2"]}, {"name": "Bell", "people": ["p3", "p4"]}]
    text: Json = {
        "event": 2, "name": "Night", "format": "swiss", "players": players, "teams": teams,
        "rounds": [
            {"tables": [
                {"table": 1, "seats": ["p1", "p3"], "points": [2, 1]},
                {"table": 2, "seats": ["p4", "p2"], "points": [0, 2]},
            ]},
            {"tables": [{"table": 1, "seats": ["p1", "p3"], "points": [0, 2]}], "bye": ["p2"]},
            {"tables": [{"table": 1, "seats": ["p1", "p3"]}]},
        ],
    }  # fmt: skip
    one = {"name": "One", "matches": [7], "fixtures": [{"home": "Bell", "away": "Swan"}]}
    read = read_season(season([one], season=2))
    assert read.events == [EventRef(7)]
    event = with_standings(read_event(json.dumps(text)))
    fixtures = fixtures_of(read.divisions[0], {EventRef(7): event})
    shown = [
        (each.home, each.away, [[int(one) for one in board] for board in each.boards])
        for each in fixtures
    ]
    assert shown == [
        ("Bell", "Swan", []),
        ("Ship", "Bell", [[2, 1], [2, 0]]),
        ("Ship", "Bell", [[0, 2], [1, 0]]),  # Bell had nobody for the second board
        ("Ship", "Bell", []),  # still played
    ]
    rows = team_table(read.divisions[0], fixtures)
    found = [(row.team, row.played, row.won, row.drawn, float(row.boards)) for row in rows]
    assert found == [("Ship", 2, 1, 1, 3.0), ("Bell", 2, 0, 1, 1.0), ("Swan", 0, 0, 0, 0.0)]
    assert fixtures_of(read.divisions[0], {}) == [*read.divisions[0].fixtures]
    with pytest.raises(EventError, match="has no key matches"):
        read_season(season([one]))


def test_one_person_has_a_single_row_for_events_of_two_clubs() -> None:
    # By hand, 10-7-5-4, best 2: Anna of Ship is Anna of Bell (10, 5 and 10), Ben of Ship (7 and
    # 8.5) isn't Ben of Bell (7).
    both = {"anna": "anna"}
    at_ship = {**both, "ben": "ship ben", "cleo": "ship cleo", "dan": "ship dan"}
    events = [
        with_standings(EVENINGS[0], "Ship", at_ship),
        with_standings(EVENINGS[1], "Ship", at_ship),
        with_standings(EVENINGS[0], "Bell", both),
    ]
    refs = [{"club": "Ship", "event": 1}, 2, {"club": "Bell", "event": 1}]
    division = {"name": "One", "events": refs}
    read = read_season(season([division], season=3, best=2, points=[10, 7, 5, 4]))
    assert read.events == [EventRef(1, "Ship"), EventRef(2), EventRef(1, "Bell")]
    found = [
        (row.place, row.player, row.clubs, float(row.total)) for row in season_table(read, events)
    ]
    assert found == [
        (1, "anna", ("Ship", "Bell"), 20.0),
        (2, "ship ben", ("Ship",), 15.5),
        (3, "ship cleo", ("Ship",), 13.5),
        (4, "ship dan", ("Ship",), 8.0),
        (5, "ben", ("Bell",), 7.0),
        (6, "cleo", ("Bell",), 5.0),
        (7, "dan", ("Bell",), 4.0),
    ]


def night(home: str, away: str, *points: int) -> ClubEvent:
    """An event with a match of one board; without points it is still played."""
    players = [{"id": "p1", "name": "Name 1"}, {"id": "p2", "name": "Name 2"}]
    teams = [{"name": home, "people": ["p1"]}, {"name": away, "people": ["p2"]}]
    table = {"table": 1, "seats": ["p1", "p2"], "points": [*points] or None}
    text = {"event": 2, "name": "Night", "format": "swiss", "players": players, "teams": teams,
            "rounds": [{"tables": [table]}]}  # fmt: skip
    return read_event(json.dumps(text))


def test_a_team_is_one_team_however_each_club_spells_it() -> None:
    refs = [{"club": "Ship Inn", "event": 1}, {"club": "Crown", "event": 1}]
    read = read_season(season([{"name": "One", "matches": refs}], season=3))
    events = {
        EventRef(1, "Ship Inn"): with_standings(night("Ship Inn", "Crown", 2, 1), "Ship Inn"),
        EventRef(1, "Crown"): with_standings(night("CROWN", "Ship inn", 0, 2), "Crown"),
    }
    fixtures = fixtures_of(read.divisions[0], events)
    found = [(one.home, one.away, one.club, [*map(int, one.result)]) for one in fixtures]
    assert found == [
        ("Ship Inn", "Crown", "Ship Inn", [1, 0]),
        ("Crown", "Ship Inn", "Crown", [0, 1]),
    ]
    rows = team_table(read.divisions[0], fixtures)
    assert [(row.team, row.won, row.lost) for row in rows] == [("Ship Inn", 2, 0), ("Crown", 0, 2)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (season([{"name": "One"}]), 'divisions 1 must have either "events" or "fixtures"'),
        (season([MONDAYS, MONDAYS]), "divisions"),
        (season([{"name": "", "events": [1]}]), "must not be empty"),
        (season([{"name": "One", "events": [1, 1]}]), "different numbers"),
        (season([MONDAYS], best=0), "best must be a whole number from 1"),
        (season([{"name": "A", "fixtures": [{"home": "X", "away": "X"}]}]), "two teams"),
        (season([{"name": "A", "fixtures": [{"home": "X", "away": "Y", "boards": [[1]]}]}]),
         "games won by home and by away"),
        (season([{"name": "A", "events": [{"club": "X", "event": 1}]}], season=2),
         "events 1 must be a whole number"),
        (season([{"name": "A", "events": [{"club": "", "event": 1}]}], season=3),
         "must not be empty"),
        (season([{"name": "A", "events": [{"club": "X"}]}], season=3), "lacks its key event"),
        (season([{"name": "A", "matches": [{"club": "X", "event": 1}] * 2}], season=3),
         "different numbers"),
        (season([MONDAYS], season=4), "season must be a whole number from 1 to 3"),
        ("[]", "the season must be an object"),
    ],
)  # fmt: skip
def test_an_error_names_the_place_of_a_fault_in_a_season(text: str, fault: str) -> None:
    with pytest.raises(EventError, match=fault):
        read_season(text)
