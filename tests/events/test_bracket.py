"""The bracket of a knock-out and of a double knock-out: worked cases by hand, and random events
counted without the code under test."""

import json
import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.events.bracket import Bracket, BracketSide, bracket_of
from companion.events.reading import read_event
from companion.web.export.event_bracket import bracket_svg, current_parts, parts_of
from tests.events.playing import Text, draw, event_of, play


def rated(people: int, form: str = "knockout") -> Text:
    """The text of a knock-out in which p1 is the strongest, p2 the second strongest …"""
    text = event_of(people, format=form)
    for at, one in enumerate(text["players"]):
        one["rating"] = 2000 - at
    return text


def add_round(text: Text, *upsets: str) -> None:
    """Plays a round that the stronger player wins, except against one of `upsets`."""
    drawn = draw(text)
    for table in drawn["tables"]:
        table["points"] = [
            1 if one in upsets else 0 if {*table["seats"]} & {*upsets} else 2000 - int(one[1:])
            for one in table["seats"]
        ]
        table["corrected"] = None
    text["rounds"].append({"tables": drawn["tables"], "bye": drawn["bye"]})


def bracket(text: Text) -> Bracket:
    found = bracket_of(read_event(json.dumps(text)))
    assert found is not None
    return found


def shown(found: Bracket) -> list[tuple[Any, ...]]:
    """Each match as (side, round, players sorted by name, sources, winner)."""
    return [
        (
            one.side.value[0],
            one.round,
            sorted(one.players, key=str),
            sorted(at for at in one.sources if at is not None),
            one.winner,
        )
        for one in found.matches
    ]


def test_only_a_knock_out_that_has_begun_has_a_bracket() -> None:
    text = event_of(8)
    play(text, 1)
    assert bracket_of(read_event(json.dumps(text))) is None
    assert bracket_of(read_event(json.dumps(rated(8)))) is None


def test_five_players_have_three_byes_and_a_tree_that_is_known_ahead() -> None:
    text = rated(5)
    drawn = draw(text)
    open_round = [{**one, "points": None} for one in drawn["tables"]]
    text["rounds"].append({"tables": open_round, "bye": drawn["bye"]})
    found = bracket(text)
    assert shown(found) == [
        ("w", 1, ["p1"], [], "p1"),
        ("w", 1, ["p4", "p5"], [], None),
        ("w", 1, ["p2"], [], "p2"),
        ("w", 1, ["p3"], [], "p3"),
        ("w", 2, [None, "p1"], [0, 1], None),
        ("w", 2, ["p2", "p3"], [2, 3], None),
        ("w", 3, [None, None], [4, 5], None),
    ]
    assert (found.is_over, found.winner) == (False, None)
    text["rounds"].pop()
    add_round(text, "p5")
    add_round(text)
    add_round(text, "p2")
    found = bracket(text)
    assert shown(found)[4:] == [
        ("w", 2, ["p1", "p5"], [0, 1], "p1"),
        ("w", 2, ["p2", "p3"], [2, 3], "p2"),
        ("w", 3, ["p1", "p2"], [4, 5], "p2"),
    ]
    assert (found.is_over, found.winner) == (True, "p2")
    assert draw(text)["tables"] == []


def test_a_player_who_leaves_gives_the_next_opponent_a_bye() -> None:
    text = rated(8)
    add_round(text)
    text["out"] = ["p1"]
    found = bracket(text)
    assert shown(found)[4:] == [
        ("w", 2, ["p4"], [1], "p4"),
        ("w", 2, ["p2", "p3"], [2, 3], None),
        ("w", 3, [None, "p4"], [4, 5], None),
    ]
    add_round(text)
    assert shown(bracket(text))[4:] == [
        ("w", 2, ["p4"], [1], "p4"),
        ("w", 2, ["p2", "p3"], [2, 3], "p2"),
        ("w", 3, ["p2", "p4"], [4, 5], None),
    ]


def test_if_neither_player_came_nobody_goes_on() -> None:
    text = rated(16)
    add_round(text)
    (absent,) = (one for one in text["rounds"][0]["tables"] if "p8" in one["seats"])
    absent["points"], text["out"] = [0, 0], absent["seats"]
    (other,) = (one for one in text["rounds"][0]["tables"] if "p1" in one["seats"])
    other["points"], text["out"] = [0, 0], [*absent["seats"], *other["seats"]]
    found = bracket(text)
    assert [one.winner for one in found.matches[:2]] == [None, None]
    later = shown(found)[8:]
    assert later[0] == ("w", 2, [], [], None)
    assert later[1:4] == [
        ("w", 2, ["p4", "p5"], [2, 3], None),
        ("w", 2, ["p2", "p7"], [4, 5], None),
        ("w", 2, ["p3", "p6"], [6, 7], None),
    ]
    add_round(text)
    assert [one[2] for one in shown(bracket(text)) if one[1] == 3] == [["p4"], ["p2", "p3"]]


def test_a_drawn_match_has_no_winner_until_it_is_corrected() -> None:
    text = rated(4)
    add_round(text)
    text["rounds"][0]["tables"][0]["points"] = [50, 50]
    assert [one.winner for one in bracket(text).matches][:2].count(None) == 1
    text["rounds"][0]["tables"][0]["corrected"] = {
        "points": [50, 55],
        "by": "Kim",
        "why": "went on",
    }
    assert None not in [one.winner for one in bracket(text).matches][:2]


def test_a_round_drawn_by_hand_shows_only_what_is_known() -> None:
    text = rated(8)
    add_round(text)
    seats = [("p1", "p2"), ("p3", "p4")]
    tables = [
        {"table": at, "seats": [*two], "points": [1, 0], "corrected": None}
        for at, two in enumerate(seats, start=1)
    ]
    text["rounds"].append({"tables": tables, "bye": []})
    assert [one[:3] for one in shown(bracket(text))[4:]] == [
        ("w", 2, ["p1", "p2"]),
        ("w", 2, ["p3", "p4"]),
    ]
    add_round(text)
    assert bracket(text).winner == "p1"


def test_a_double_knock_out_of_four_ends_with_a_decider() -> None:
    text = rated(4, "double-knockout")
    add_round(text)  # p1 beats p4, p2 beats p3
    found = bracket(text)
    assert shown(found)[2:] == [
        ("w", 2, ["p1", "p2"], [0, 1], None),
        ("f", 4, [None, None], [2], None),
    ]
    add_round(text)  # p1 beats p2, p3 beats p4
    assert shown(bracket(text))[2:] == [
        ("w", 2, ["p1", "p2"], [0, 1], "p1"),
        ("l", 2, ["p3", "p4"], [], "p3"),
        ("f", 4, [None, "p1"], [2], None),
    ]
    add_round(text)  # p2 beats p3, while p1 waits
    assert shown(bracket(text))[4:] == [
        ("l", 3, ["p2", "p3"], [3], "p2"),
        ("f", 4, ["p1", "p2"], [2, 4], None),
    ]
    add_round(text, "p2")
    found = bracket(text)
    assert shown(found)[5:] == [
        ("f", 4, ["p1", "p2"], [2, 4], "p2"),
        ("f", 5, ["p1", "p2"], [5, 5], None),
    ]
    assert not found.is_over
    add_round(text)
    found = bracket(text)
    assert shown(found)[6:] == [("f", 5, ["p1", "p2"], [5, 5], "p1")]
    assert (found.is_over, found.winner) == (True, "p1")
    assert draw(text)["tables"] == []


def test_no_decider_if_the_unbeaten_player_wins_the_final() -> None:
    text = rated(3, "double-knockout")
    while draw(text)["tables"]:
        add_round(text)
    found = bracket(text)
    assert [one.side for one in found.matches].count(BracketSide.FINAL) == 1
    assert (found.is_over, found.winner) == (True, "p1")


@pytest.mark.parametrize("people", [2, 3, 6, 7, 13, 16, 33])
@pytest.mark.parametrize("form", ["knockout", "double-knockout"])
def test_every_match_is_in_the_bracket_once(people: int, form: str) -> None:
    text, luck = event_of(people, format=form), Random(people)
    for at in range(40):
        if not draw(text)["tables"]:
            break
        play(text, 1, seed=luck.randrange(1000))
        if at == 1 and people > 6:
            text["out"] = [text["rounds"][0]["tables"][0]["seats"][0]]
        found = bracket(text)
        played = Counter(
            (number, table["table"])
            for number, each in enumerate(text["rounds"], start=1)
            for table in each["tables"]
        )
        assert played == Counter((one.round, one.table) for one in found.matches if one.table)
        for place, match in enumerate(found.matches):
            assert all(source < place for source in match.sources if source is not None)
            for player, source in zip(match.players, match.sources, strict=True):
                if source is not None and player is not None and match.side != "final":
                    assert found.matches[source].winner == player
        for most in (4, 8, 64):
            parts = parts_of(found, most)
            assert {at for part in parts for at in part} == {*range(len(found.matches))}
            check_current(found, current_parts(found, parts))
            drawn = [bracket_svg(found, names(text), read(text).format, part) for part in parts]
            assert all("<svg" in one for one in drawn)
    found = bracket(text)
    assert found.is_over and found.winner is not None
    lost = Counter(
        table["seats"][table["points"][0] > table["points"][1]]
        for each in text["rounds"]
        for table in each["tables"]
    )
    assert lost[found.winner] < (1 if form == "knockout" else 2)


def check_current(found: Bracket, parts: list[list[int]]) -> None:
    """Checks that what a TV shows has all matches of the round being played, and few columns."""
    assert parts
    undecided = [one.round for one in found.matches if one.winner is None]
    now = {at for at, one in enumerate(found.matches) if undecided and one.round == min(undecided)}
    shown = {at for part in parts for at in part}
    assert {at for at in now if found.matches[at].winner is None} <= shown
    for part in parts:
        assert len({found.matches[at].round for at in part}) <= 4


@pytest.mark.parametrize("teams", [8, 14, 16, 30])
def test_a_double_knock_out_can_be_read_on_a_tv_in_every_round(teams: int) -> None:
    text = event_of(teams, format="double-knockout")
    while draw(text)["tables"]:
        add_round(text)
        found = bracket(text)
        for part in current_parts(found, parts_of(found, 8)):
            drawn = bracket_svg(found, names(text), read(text).format, part, narrow=True)
            size = re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn)
            assert size
            scale = min(1824 / int(size[1]), 940 / int(size[2]))  # of a picture of 1920 × 1080
            assert 17 * scale >= 39


def test_a_table_s_long_number_leaves_room_for_the_names() -> None:
    text = rated(4)
    add_round(text)
    text["rounds"][0]["tables"][0]["table"] = 888
    drawn = bracket_svg(bracket(text), names(text), read(text).format)
    assert re.search(r'<text [^>]*textLength="17"[^>]*>888<', drawn)


def read(text: Text) -> Any:
    return read_event(json.dumps(text))


def names(text: Text) -> dict[str, str]:
    return {one["id"]: one["name"] for one in text["players"]}
