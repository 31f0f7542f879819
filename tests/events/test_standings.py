"""Standings, compared with a second, independent count."""

import json
from fractions import Fraction

import pytest

from companion.events.event import EventError
from companion.events.reading import read_event
from companion.events.standings import Standing, json_number, league_standings, standings
from tests.events.playing import Text, count_standings, event_of, play, play_by_lot


def rows_of(text: Text) -> list[Standing]:
    return standings(read_event(json.dumps(text)))


@pytest.mark.parametrize(
    ("people", "form"), [(22, "tables"), (200, "tables"), (9, "swiss"), (13, "knockout")]
)
def test_standings_agree_with_a_second_count(people: int, form: str) -> None:
    text = event_of(people, format=form)
    (play_by_lot if form == "tables" else play)(text, 4)
    table = text["rounds"][1]["tables"][0]
    table["corrected"] = {"points": [*range(len(table["seats"]))], "by": "judge", "why": "misread"}
    counted = count_standings(text)
    found = [
        (one.player, one.points, one.own - one.against, one.opponents) for one in rows_of(text)
    ]
    assert sorted(found) == sorted(counted)
    assert [one[1:] for one in found] == [one[1:] for one in counted]


def one_table(*points: int, people: int = 4) -> Text:
    text = event_of(people)
    seats = [f"p{at}" for at in range(1, len(points) + 1)]
    text["rounds"] = [{"tables": [{"table": 1, "seats": seats, "points": [*points]}], "bye": []}]
    return text


def test_shared_places_share_their_points() -> None:
    rows = rows_of(one_table(150, 150, 60, 60))
    assert [(one.player, one.place, json_number(one.points), one.won) for one in rows] == [
        ("p1", 1, 3, 1), ("p2", 1, 3, 1), ("p3", 3, 0.5, 0), ("p4", 3, 0.5, 0),
    ]  # fmt: skip
    assert [one.parted_by for one in rows] == ["shared"] * 4
    assert rows[0].as_json["against"] == 90


def matches(*results: tuple[str, str, int, int], people: int) -> Text:
    """The text of an event with two-player matches, one in each round, with these results."""
    text = event_of(people, format="swiss")
    text["rounds"] = [
        {"tables": [{"table": 1, "seats": [one, other], "points": [own, others]}], "bye": []}
        for one, other, own, others in results
    ]
    return text


def test_each_tie_break_is_shown_with_the_players_it_separated() -> None:
    won_more_clearly = matches(("p1", "p3", 150, 0), ("p2", "p4", 150, 100), people=4)
    assert [(one.player, one.parted_by) for one in rows_of(won_more_clearly)] == [
        ("p1", "difference"), ("p2", "difference"), ("p4", "difference"), ("p3", "difference"),
    ]  # fmt: skip
    against_the_better = matches(
        ("p1", "p3", 150, 100), ("p2", "p4", 150, 100), ("p4", "p5", 150, 0), people=5
    )
    rows = rows_of(against_the_better)
    assert [(one.player, one.place, one.parted_by) for one in rows][:3] == [
        ("p4", 1, "difference"), ("p2", 2, "opponents"), ("p1", 3, "opponents"),
    ]  # fmt: skip
    each_other = matches(
        ("p2", "p1", 150, 100), ("p1", "p3", 150, 100), ("p4", "p2", 150, 100),
        ("p3", "p5", 150, 100), ("p6", "p4", 150, 100), people=6,
    )  # fmt: skip
    assert "head-to-head" not in {one.parted_by for one in rows_of(each_other)[2:]}


def test_head_to_head_points_break_the_last_tie() -> None:
    text = matches(
        ("p1", "p2", 150, 100), ("p3", "p1", 150, 100), ("p2", "p4", 150, 100), people=4
    )  # fmt: skip
    rows = {one.player: one for one in rows_of(text)}
    assert rows["p1"].points == rows["p2"].points
    assert rows["p1"].opponents == 8
    assert rows["p2"].opponents == 4  # so it is the opponents that part them
    text = matches(
        ("p1", "p2", 150, 100), ("p3", "p1", 150, 100), ("p2", "p4", 150, 100),
        ("p4", "p5", 150, 0), ("p6", "p3", 150, 0), people=6,
    )  # fmt: skip
    rows = {one.player: one for one in rows_of(text)}
    assert rows["p1"].opponents == rows["p2"].opponents == 8
    assert (rows["p1"].parted_by, rows["p2"].parted_by) == ("head-to-head", "head-to-head")
    places = [row.player for row in rows.values() if row.place is not None]
    assert places.index("p1") + 1 == places.index("p2")


def test_a_bye_gives_the_points_of_a_win_and_nothing_else() -> None:
    text = event_of(3, format="swiss")
    text["rounds"] = [
        {"tables": [{"table": 1, "seats": ["p1", "p2"], "points": [150, 90]}], "bye": ["p3"]}
    ]
    row = next(one for one in rows_of(text) if one.player == "p3")
    assert (row.as_json["points"], row.own + row.against, row.won) == (4, Fraction(0), 0)


def test_partners_share_a_place() -> None:
    text = event_of(4, format="partners", pairs=[["p1", "p3"], ["p2", "p4"]])
    seats = ["p1", "p2", "p3", "p4"]
    text["rounds"] = [
        {"tables": [{"table": 1, "seats": seats, "points": [90, 150, 90, 150]}], "bye": []}
    ]
    rows = rows_of(text)
    keys = ("place", "player", "points", "for", "against")
    assert [tuple(one.as_json[key] for key in keys) for one in rows] == [
        (1, "p2", 4, 150, 90), (1, "p4", 4, 150, 90), (2, "p1", 0, 90, 150), (2, "p3", 0, 90, 150),
    ]  # fmt: skip


def test_a_league_counts_its_evenings_together() -> None:
    evenings = [event_of(8, seed=seed) for seed in ("first", "second")]
    for evening in evenings:
        play(evening, 2)
    together = {**evenings[0], "rounds": evenings[0]["rounds"] + evenings[1]["rounds"]}
    read = [read_event(json.dumps(evening)) for evening in evenings]
    assert league_standings(read) == rows_of(together)
    evenings[1]["players"][0]["name"] = "Somebody else"
    with pytest.raises(EventError, match="p1 is Name 1 in one event and Somebody else in another"):
        league_standings([read[0], read_event(json.dumps(evenings[1]))])


# ---------------------------------------------------------------- who never played


def event_with_gone(form: str = "tables") -> Text:
    """Four players won or lost a round and left; one was expected, and left before it."""
    text = event_of(5, format=form)
    text["players"][4]["name"] = "Gone"
    text["out"] = ["p5"]
    tables = [
        {"table": 1, "seats": ["p1", "p2", "p3", "p4"], "points": [150, 90, 70, 10]},
    ]
    if form == "knockout":
        text["seats"] = 2
        tables = [
            {"table": 1, "seats": ["p1", "p2"], "points": [150, 140]},
            {"table": 2, "seats": ["p3", "p4"], "points": [150, 20]},
        ]
    text["rounds"] = [{"tables": tables, "bye": []}]
    return text


@pytest.mark.parametrize("form", ["tables", "knockout"])
def test_players_without_a_table_or_bye_come_last_without_a_place(form: str) -> None:
    *played, gone = rows_of(event_with_gone(form))
    assert all(one.place is not None for one in played)
    assert gone.as_json == {
        "place": None, "player": "p5", "points": 0, "won": 0, "for": 0, "against": 0,
        "opponents": 0, "parted_by": None,
    }  # fmt: skip
    assert {one.player: one.parted_by for one in played}["p4"] in (None, "difference")


def test_an_unfinished_table_or_a_bye_is_enough_for_a_place() -> None:
    text = event_with_gone()
    text["rounds"][0]["tables"][0]["points"] = None
    text["rounds"][0]["bye"] = []
    assert [one.place for one in rows_of(text)] == [1, 1, 1, 1, None]
    text["rounds"] = []
    assert [one.place for one in rows_of(text)] == [None] * 5
    text = event_with_gone("knockout")
    text["rounds"][0]["bye"] = ["p5"]
    assert all(one.place is not None for one in rows_of(text))


def test_a_league_ranks_players_of_any_of_its_evenings() -> None:
    first, second = event_with_gone(), event_with_gone()
    second["rounds"][0]["tables"][0]["seats"] = ["p1", "p2", "p3", "p5"]
    second["out"] = ["p4"]
    found = league_standings([read_event(json.dumps(one)) for one in (first, second)])
    assert None not in [one.place for one in found]
