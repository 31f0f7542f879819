"""Teams that meet board by board: who meets whom and who sits where, and the teams' standings,
compared with a count that shares no code with them."""

import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest

from companion.events.bracket import bracket_of, names_in_bracket
from companion.events.entries import EventCourse, EventEntry
from companion.events.event import EventError
from companion.events.pairing import draw_round
from companion.events.reading import read_event
from companion.events.seating_text import read_teams, teams_text
from companion.events.standings import standings
from companion.events.teams import matches_of, team_standings
from tests.events.playing import Text, draw, event_of, played

NAMES = ["Ship", "Crown", "Bell", "Anchor", "Plough", "Swan", "Globe"]


def league(sizes: list[int], **more: Any) -> Text:
    """The text of an event between teams of these sizes."""
    text = event_of(sum(sizes), event=2, **{"format": "swiss", **more})
    ids = iter(one["id"] for one in text["players"])
    text["teams"] = [
        {"name": name, "people": [next(ids) for _ in range(size)]}
        for name, size in zip(NAMES, sizes, strict=False)
    ]
    return text


def team_of(text: Text) -> dict[str, str]:
    return {one: team["name"] for team in text["teams"] for one in team["people"]}


def pairings(text: Text, drawn: Text) -> Counter[frozenset[str]]:
    """How many tables each two teams share in a round."""
    team = team_of(text)
    return Counter(frozenset(team[one] for one in table["seats"]) for table in drawn["tables"])


def teams_with_bye(text: Text, drawn: Text) -> set[str]:
    team = team_of(text)
    seated = {team[one] for table in drawn["tables"] for one in table["seats"]}
    return {team[one] for one in drawn["bye"]} - seated


def partner_points(text: Text, drawn: Text, luck: Random) -> Text:
    """A round with random results; partners have the same points."""
    each = played(drawn, luck)
    for table in each["tables"]:
        if len(table["seats"]) == 4:
            table["points"][2:] = table["points"][:2]
    return each


def count_teams(text: Text) -> dict[str, tuple[Fraction, ...]]:
    """For each team its match points, boards won and lost, and game points for and against,
    counted slowly from docs/events.md without the code under test."""
    team = team_of(text)
    found = {one["name"]: [Fraction(0)] * 5 for one in text["teams"]}
    for each in text["rounds"]:
        boards = dict[frozenset[str], Counter[str]]()
        for table in each["tables"]:
            one, other = (team[seat] for seat in table["seats"][:2])
            a, b = table["points"][:2]
            count = boards.setdefault(frozenset((one, other)), Counter({one: 0, other: 0}))
            count[one] += 2 * (a > b) + (a == b)
            count[other] += 2 * (b > a) + (a == b)
            for name, own, against in ((one, a, b), (other, b, a)):
                found[name][3] += own
                found[name][4] += against
        side = 2 if text["format"] == "partners" else 1
        for name, many in Counter(team[one] for one in each["bye"]).items():
            match = next((pair for pair in boards if name in pair), None)
            if match is None:
                found[name][0] += 2
            else:
                boards[match][name] += 2 * many // side
        for pair, halves in boards.items():
            one, other = pair
            for name, against in ((one, other), (other, one)):
                found[name][1] += Fraction(halves[name], 2)
                found[name][2] += Fraction(halves[against], 2)
                found[name][0] += (
                    1 + (halves[name] > halves[against]) - (halves[name] < halves[against])
                )
    return {name: tuple(row) for name, row in found.items()}


def check_standings(text: Text) -> None:
    counted = count_teams(text)
    rows = team_standings([read_event(json.dumps(text))])
    got = {
        row.team: (row.points, row.boards, row.boards_against, row.own, row.against) for row in rows
    }
    assert got == counted

    def key(name: str) -> tuple[Fraction, ...]:
        points, boards, lost, own, against = counted[name]
        return points, boards - lost, boards, own - against

    for row in rows:
        assert row.place == 1 + sum(key(other) > key(row.team) for other in counted)
        assert row.played == row.won + row.drawn + row.lost


SIZES = [
    [3, 3, 3, 3],
    [4, 3, 5],
    [1, 1],
    [2, 3, 2, 4, 2],
    [4, 4, 4, 4, 4, 4],
    [3, 5, 4, 3, 3, 3, 4],
]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_every_team_meets_every_other_once(sizes: list[int], seed: int) -> None:
    text, luck = league(sizes, format="round-robin", seed=str(seed)), Random(seed)
    many = len(sizes)
    met, boards = Counter[frozenset[str]](), min(sizes)
    for _ in range(many - 1 + many % 2):
        drawn = draw(text)
        shared = pairings(text, drawn)
        assert {*shared.values()} == {boards}  # each match has all its boards
        assert all(len(pair) == 2 for pair in shared)
        assert len(teams_with_bye(text, drawn)) == many % 2
        met.update(shared.keys())
        text["rounds"].append(played(drawn, luck))
        check_standings(text)
    assert met == Counter(map(frozenset, combinations(NAMES[:many], 2)))
    assert draw(text)["tables"] == []


@pytest.mark.parametrize("seed", range(3))
def test_swiss_teams_never_meet_or_have_a_bye_twice(seed: int) -> None:
    text, luck = league([3] * 7, seed=str(seed)), Random(seed)
    met, byes = Counter[frozenset[str]](), Counter[str]()
    for _ in range(4):
        drawn = draw(text)
        met.update(pairings(text, drawn).keys())
        byes.update(teams_with_bye(text, drawn))
        text["rounds"].append(played(drawn, luck))
        check_standings(text)
    assert {*met.values()} == {1} and {*byes.values()} == {1} and sum(byes.values()) == 4


def test_board_meets_board_and_the_teams_take_turns_at_the_first_seat() -> None:
    text = league([3, 3])
    drawn = draw(text)
    board = {one: at for team in text["teams"] for at, one in enumerate(team["people"])}
    assert [[board[one] for one in table["seats"]] for table in drawn["tables"]] == [
        [0, 0], [1, 1], [2, 2],
    ]  # fmt: skip
    first = [team_of(text)[table["seats"][0]] for table in drawn["tables"]]
    assert first[0] != first[1] and first[0] == first[2]
    assert [table["table"] for table in drawn["tables"]] == [1, 2, 3]


@pytest.mark.parametrize("seed", range(3))
def test_partners_of_a_team_sit_opposite(seed: int) -> None:
    sizes = [4, 5, 6, 4, 4]
    text = league(sizes, format="partners", planned=5, seed=str(seed))
    luck, met = Random(seed), Counter[frozenset[str]]()
    for _ in range(5):  # as many as it takes for all to meet: a round robin
        drawn = draw(text)
        for table in drawn["tables"]:
            one, other, *partners = (team_of(text)[seat] for seat in table["seats"])
            assert [one, other] == partners and one != other
        shared = pairings(text, drawn)
        assert {*shared.values()} == {2}
        met.update(shared.keys())
        text["rounds"].append(partner_points(text, drawn, luck))
        check_standings(text)
    assert {*met.values()} == {1} and len(met) == 10
    text["planned"] = 4
    text["rounds"] = text["rounds"][:3]
    assert len(draw(text)["tables"]) == 4  # Swiss


def test_a_team_short_of_a_player_loses_the_last_board_without_play() -> None:
    text = league([3, 3, 3, 3], boards=3)
    text["out"] = ["p2"]  # of Ship
    drawn = draw(text)
    (alone,) = drawn["bye"]
    assert alone in {"p6", "p9", "p12"}  # the third of the team that meets Ship
    text["rounds"].append(played(drawn, Random(1)))
    check_standings(text)
    event = read_event(json.dumps(text))
    match = next(one for one in matches_of(event, 1) if "Ship" in (one.home, one.away))
    won = match.boards[2]
    assert won.table is None and won.won is not None
    assert won.won[match.home == "Ship"] == 1 and sum(won.won) == 1
    row = next(one for one in standings(event) if one.player == alone)
    assert [row.points, row.own] == [4, 0]  # worth a win at a table of two


def test_reserves_play_only_on_a_free_board() -> None:
    text = league([3, 5])
    seated = {one for table in draw(text)["tables"] for one in table["seats"]}
    assert seated == {"p1", "p2", "p3", "p4", "p5", "p6"}
    text["out"] = ["p4"]
    seated = {one for table in draw(text)["tables"] for one in table["seats"]}
    assert seated == {"p1", "p2", "p3", "p5", "p6", "p7"}
    assert draw({**text, "boards": 4})["bye"] == ["p8"]


def test_a_match_counts_once_all_boards_have_results() -> None:
    text = league([2, 2])
    each = played(draw(text), Random(1))
    each["tables"][1]["points"] = None
    text["rounds"].append(each)
    event = read_event(json.dumps(text))
    assert all(not row.points and not row.played for row in team_standings([event]))
    assert sum(matches_of(event, 1)[0].boards_won) == 1
    with pytest.raises(EventError, match="table 2 has no result yet"):
        draw(text)


def test_a_game_lost_by_a_penalty_loses_the_board() -> None:
    text = league([1, 1], penalty={"game": True})
    each = draw(text)
    seats = each["tables"][0]["seats"]
    text["rounds"].append({"tables": [{**each["tables"][0], "points": [150, 40]}], "bye": []})
    text["penalties"] = [{"player": seats[0], "round": 1, "kind": "game"}]
    rows = team_standings([read_event(json.dumps(text))])
    assert [row.team for row in rows] == [team_of(text)[one] for one in reversed(seats)]
    assert [one for row in rows for one in (row.points, row.own)] == [2, 40, 0, 150]


def test_closed_tables_are_left_out_and_people_stay_in_their_teams() -> None:
    text = league([2, 2, 2, 2], wishes=[{"closed": 2}, {"apart": ["p1", "p3"]}])
    for seed in range(10):
        drawn = draw({**text, "seed": str(seed)})
        assert [table["table"] for table in drawn["tables"]] == [1, 3, 4, 5]
        assert frozenset(("Ship", "Crown")) not in pairings(text, drawn)
        assert drawn["broken"] == []


def home_and_away(text: Text) -> dict[str, list[int]]:
    """Each team's matches in order: 1 for a match at home, -1 for one away. The team at seat 1 of
    the match's first table is at home."""
    team, found = team_of(text), {one["name"]: list[int]() for one in text["teams"]}
    for each in text["rounds"]:
        seen = set[frozenset[str]]()
        for table in each["tables"]:
            home, away = (team[one] for one in table["seats"][:2])
            if frozenset((home, away)) not in seen:
                seen.add(frozenset((home, away)))
                found[home].append(1)
                found[away].append(-1)
    return found


@pytest.mark.parametrize("form", ["round-robin", "swiss", "partners"])
@pytest.mark.parametrize("many", [4, 5, 7, 10])
@pytest.mark.parametrize("seed", range(3))
def test_teams_are_at_home_as_often_as_away(form: str, many: int, seed: int) -> None:
    text = league([2] * many, format=form, seed=str(seed), boards=1)
    ids = iter(one["id"] for one in event_of(2 * many)["players"])
    text["teams"] = [{"name": f"Team {at}", "people": [next(ids), next(ids)]} for at in range(many)]
    luck = Random(seed)
    for _ in range(many - 1):
        drawn = draw(text)
        text["rounds"].append(partner_points(text, drawn, luck))
        assert all(abs(sum(row)) <= 2 for row in home_and_away(text).values())


# ---------------------------------------------------------------- knock-out


def cup(sizes: list[int], **more: Any) -> Text:
    """A knock-out of teams, with as many points for everybody as can be told from their board."""
    return league(sizes, **{"format": "knockout", **more})


def add_result(text: Text, *points: tuple[str, list[list[int]]]) -> Text:
    """Plays the round; `points`: for each team, by its name, own and other points at each board."""
    drawn, team, board = draw(text), team_of(text), Counter[str]()
    for table in drawn["tables"]:
        home = team[table["seats"][0]]
        for name, rows in points:
            if name in (home, team[table["seats"][1]]):
                own, other = rows[board[name]]
                table["points"] = [own, other] if name == home else [other, own]
                board[name] += 1
        table["corrected"] = None
    text["rounds"].append({"tables": drawn["tables"], "bye": drawn["bye"]})
    return drawn


@pytest.mark.parametrize("seed", range(3))
def test_winning_teams_of_a_knock_out_play_on(seed: int) -> None:
    text, luck = cup([3, 3, 3, 4, 3, 3], seed=str(seed)), Random(seed)
    left = {one["name"] for one in text["teams"]}
    while (drawn := draw(text))["tables"]:
        shared = pairings(text, drawn)
        byes = teams_with_bye(text, drawn)
        assert {one for pair in shared for one in pair} | byes == left
        assert {*shared.values()} == {3}
        assert len(byes) == (2 if len(text["rounds"]) == 0 else 0)
        text["rounds"].append(played(drawn, luck))
        lost = set[str]()
        for pair in shared:
            one, other = sorted(pair)
            tables = [
                (team_of(text)[table["seats"][0]], table["points"])
                for table in text["rounds"][-1]["tables"]
                if {team_of(text)[seat] for seat in table["seats"]} == pair
            ]
            ahead = sum((a > b) == (home == one) for home, (a, b) in tables)
            lost.add(other if ahead >= 2 else one)
        left -= lost
        found = bracket_of(read_event(json.dumps(text)))
        assert found is not None
        played_now = [one for one in found.matches if one.round == len(text["rounds"])]
        assert {one.winner for one in played_now} == left
    assert len(text["rounds"]) == 3
    found = bracket_of(read_event(json.dumps(text)))
    assert found is not None and found.is_over and {found.winner} == left
    row = team_standings([read_event(json.dumps(text))])[0]
    assert row.team == found.winner


def test_a_match_with_equal_boards_is_decided_by_game_points() -> None:
    text = cup([2, 2], name="Cup")
    add_result(text, ("Ship", [[150, 40], [60, 150]]))
    event = read_event(json.dumps(text))
    (match,) = matches_of(event, 1)
    level = Fraction(1), Fraction(1)
    assert match.result == level and match.loser == "Crown"
    assert match.deciding_points is not None
    points = dict(zip((match.home, match.away), match.deciding_points, strict=True))
    assert points == {"Ship": 210, "Crown": 190}
    assert draw(text)["tables"] == []
    found = bracket_of(event)
    assert found is not None and (found.winner, found.matches[0].points) == ("Ship", level)
    rows = team_standings([event])
    assert [(row.team, row.won, row.drawn, row.lost) for row in rows] == [
        ("Ship", 1, 0, 0), ("Crown", 0, 0, 1)
    ]  # fmt: skip
    assert [int(row.points) for row in rows] == [2, 0]
    assert names_in_bracket(event) == {"Ship": "Ship", "Crown": "Crown"}


def test_level_teams_of_a_knock_out_wait_for_the_organiser() -> None:
    text = cup([2, 2])
    add_result(text, ("Ship", [[150, 40], [40, 150]]))
    with pytest.raises(EventError, match=r"(Ship and Crown|Crown and Ship) are level in boards"):
        draw(text)
    found = bracket_of(read_event(json.dumps(text)))
    assert found is not None and not found.is_over and found.matches[0].winner is None
    table = text["rounds"][0]["tables"][1]
    table["corrected"] = {"points": [0, 150], "by": "Kim", "why": "one more hand"}
    assert draw(text)["tables"] == []


def test_a_double_knock_out_of_teams_ends_after_two_losses() -> None:
    text, luck = cup([2, 2, 2, 2], format="double-knockout", boards=1), Random(4)
    lost = Counter[str]()
    while (drawn := draw(text))["tables"]:
        assert all(lost[one] < 2 for pair in pairings(text, drawn) for one in pair)
        text["rounds"].append(played(drawn, luck))
        for table in text["rounds"][-1]["tables"]:
            least = min(range(2), key=table["points"].__getitem__)
            lost[team_of(text)[table["seats"][least]]] += 1
    assert sorted(lost.values())[-3:] == [2, 2, 2]
    found = bracket_of(read_event(json.dumps(text)))
    assert found is not None and found.is_over and lost[found.winner or ""] < 2


def test_reserves_may_sit_in_a_given_round_of_a_knock_out_but_not_those_who_are_out() -> None:
    text = cup([2, 3, 2, 2], boards=2)
    text["rounds"].append(played(draw(text), Random(3)))
    event = read_event(json.dumps(text))
    gone = {match.loser for match in matches_of(event, 1)}
    (home, away), people = (
        [one for one in text["teams"] if one["name"] not in gone],
        {one["name"]: one["people"] for one in text["teams"]},
    )
    seats = [home["people"][-2:], away["people"][-2:]]
    tables: list[Text] = [
        {"table": at, "seats": [*two]} for at, two in enumerate(zip(*seats, strict=True), 1)
    ]
    assert draw({**text, "seating": [{"round": 2, "tables": tables, "bye": []}]})["method"] == 0
    tables[0]["seats"][0] = people[str(sorted(gone, key=str)[0])][0]
    with pytest.raises(EventError, match="who can't play in it"):
        draw({**text, "seating": [{"round": 2, "tables": tables, "bye": []}]})


def test_several_evenings_of_a_league_are_added_up() -> None:
    texts = [league([3, 3, 3, 3], seed=str(at)) for at in range(2)]
    for text in texts:
        for _ in range(2):
            text["rounds"].append(played(draw(text), Random(2)))
    counts = [count_teams(text) for text in texts]
    rows = team_standings([read_event(json.dumps(text)) for text in texts])
    assert {row.team: row.points for row in rows} == {
        name: counts[0][name][0] + counts[1][name][0] for name in NAMES[:4]
    }


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"format": "tables"}, "teams is not for the format tables"),
        ({"teams": [{"name": "A", "people": []}]}, "teams 1 needs people"),
        ({"teams": [{"name": "", "people": ["p1"]}]}, "teams 1 name must have from 1 to 40"),
        ({"teams": [{"name": "A", "people": ["p1"]}] * 2}, "teams names A twice"),
        ({"teams": [{"name": "A", "people": ["p1"]}, {"name": "B", "people": ["p1"]}]},
         "teams names p1 twice"),
        ({"boards": 0}, "boards must be a whole number from 1"),
        ({"event": 1}, "the event has no key teams"),
    ],
)  # fmt: skip
def test_a_fault_in_the_text_is_named(more: Text, why: str) -> None:
    with pytest.raises(EventError, match=why):
        read_event(json.dumps({**league([2, 2]), **more}))


@pytest.mark.parametrize(
    ("tables", "why"),
    [
        ([["p1", "p2"]], "round 1, table 1: two teams play at a table, one on each side"),
        ([["p1", "p3"], ["p2", "p5"]], "round 1: Ship plays against Crown and Bell"),
        ([["p1", "p7"]], "round 1, table 1: Name 7 is in no team"),
    ],
)
def test_tables_that_are_no_matches_of_two_teams_are_refused(
    tables: list[list[str]], why: str
) -> None:
    text = league([2, 2, 2])
    text["players"].append({"id": "p7", "name": "Name 7"})
    each = [{"table": at, "seats": seats} for at, seats in enumerate(tables, start=1)]
    text["rounds"] = [{"tables": each}]
    with pytest.raises(EventError, match=why):
        read_event(json.dumps(text))


def test_a_person_without_a_team_cannot_play() -> None:
    text = league([2, 2])
    text["players"].append({"id": "p5", "name": "Name 5"})
    with pytest.raises(EventError, match="Name 5 is in no team: add Name 5 to a team, or"):
        draw(text)
    assert len(draw({**text, "out": ["p5"]})["tables"]) == 2


def test_an_entry_sets_the_teams_and_a_newer_one_replaces_them() -> None:
    began = EventEntry("began", {"format": "round-robin", "seed": "friday"})
    came = [EventEntry("came", {"id": f"p{at}", "name": f"Name {at}"}) for at in range(1, 5)]
    course = EventCourse([began, *came])
    assert course.text["event"] == 1
    teams = [{"name": "A", "people": ["p1", "p2"]}, {"name": "B", "people": ["p3", "p4"]}]
    course = course.with_entries(EventEntry("teams", {"teams": teams, "boards": 2}))
    assert (course.text["event"], course.text["teams"], course.text["boards"]) == (2, teams, 2)
    assert len(draw_round(course.event()).tables) == 2
    again = read_event(json.dumps(course.text))
    assert again == course.event()
    with pytest.raises(EventError, match="names p1 twice"):
        course.with_entries(
            EventEntry("teams", {"teams": [*teams, {"name": "C", "people": ["p1"]}]})
        )
    course = course.with_entries(EventEntry("teams", {"teams": []}))
    assert "teams" not in course.text and "boards" not in course.text


def test_teams_are_written_and_read_again() -> None:
    text = event_of(0, event=2, format="swiss")
    names = ["Anna", "Smith, Cleo", 'Al "Ace"', "Óscar"]
    text["players"] = [{"id": f"p{at}", "name": name} for at, name in enumerate(names)]
    event = read_event(json.dumps(text))
    written = 'Ship  Inn: anna, "Smith, Cleo"\n\nThe Bell: Óscar, "Al ""Ace"""'
    text["teams"] = read_teams(written, event)
    assert text["teams"] == [
        {"name": "Ship Inn", "people": ["p0", "p1"]},
        {"name": "The Bell", "people": ["p3", "p2"]},
    ]
    shown = teams_text(read_event(json.dumps(text)))
    assert read_teams(shown, event) == text["teams"]
    assert read_teams("\n", event) == [] and teams_text(event) == ""


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("Ship Inn Name 1", "line 1: write the name of a team, a colon, and its people"),
        (": Name 1", "line 1: write the name of a team"),
        ("Ship: Name 1\nBell: Name 2, name 1", "line 2: Name 1 is already in a team"),
        ("Ship: Nome 1", "line 1: nobody is called Nome 1; did you mean Name 1"),
        ("Ship:", "line 1: there is no name"),
    ],
)
def test_a_line_that_is_not_a_team_is_named_in_the_error(written: str, why: str) -> None:
    with pytest.raises(EventError, match=why):
        read_teams(written, read_event(json.dumps(event_of(2))))
