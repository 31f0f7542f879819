"""The draw of an event's rounds: who meets, who pays and who sits at a table of three, checked by
counting without the code under test."""

import json
from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.events.bracket import bracket_of
from companion.events.event import EventError
from companion.events.pairing import rotation_rounds, table_sizes
from companion.events.reading import read_event
from tests.events.playing import (
    Text,
    draw,
    event_of,
    is_seated_once,
    meetings,
    paid,
    play,
    played,
    turns,
)
from tests.sampling import examples


def test_nobody_sits_out_at_tables_of_four() -> None:
    assert [table_sizes(people, 4) for people in range(1, 12)] == [
        [1], [2], [3], [4], [3, 2], [3, 3], [4, 3], [4, 4], [3, 3, 3], [4, 3, 3], [4, 4, 3],
    ]  # fmt: skip
    assert table_sizes(5, 2) == [2, 2, 1]
    assert table_sizes(7, 3) == [3, 2, 2]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("people", "rounds"),
    [
        (9, 4),
        (15, 5),
        (16, 5),
        (20, 5),
        (24, 7),
        (27, 9),
        pytest.param(*(32, 9), marks=pytest.mark.whole),
        pytest.param(*(34, 8), marks=pytest.mark.whole),
        pytest.param(*(36, 8), marks=pytest.mark.whole),
        pytest.param(*(40, 9), marks=pytest.mark.whole),
        pytest.param(*(42, 8), marks=pytest.mark.whole),
        pytest.param(*(43, 9), marks=pytest.mark.whole),
        pytest.param(*(98, 9), marks=pytest.mark.whole),
        pytest.param(*(200, 9), marks=pytest.mark.whole),
    ],
)
def test_nobody_meets_or_pays_the_same_player_twice(people: int, rounds: int) -> None:
    text = event_of(people)
    for drawn in play(text, rounds):
        assert drawn["repeats"] == drawn["payers"] == []
    assert max(meetings(text).values()) == 1
    assert max(paid(text).values()) == 1


@pytest.mark.parametrize(
    "people", [22, *(pytest.param(one, marks=pytest.mark.whole) for one in (41, 50))]
)
def test_nobody_sits_at_a_table_of_three_twice_before_everybody_has_once(people: int) -> None:
    text = event_of(people)
    a_round = table_sizes(people, 4).count(3) * 3
    for number in range(1, people // a_round + 1):
        met, so_far = meetings(text), turns(text, 3)
        waiting = [one for one, times in so_far.items() if not times]
        drawn = play(text, 1, number)[0]
        assert len(drawn["threes"]) == a_round
        if max(turns(text, 3).values()) > 1:
            assert not could_sit(waiting, a_round, met)


def could_sit(people: list[str], seats: int, met: Counter[frozenset[str]]) -> bool:
    """Whether this many of `people` could sit at tables of three without a repeated meeting, found
    by trying every table."""
    if not seats:
        return True
    for at, one in enumerate(people):
        for table in ((one, *two) for two in combinations(people[at + 1 :], 2)):
            if not any(met[frozenset(two)] for two in combinations(table, 2)):
                rest = [other for other in people[at:] if other not in table]
                if could_sit(rest, seats - 3, met):
                    return True
    return False


def test_22_players_are_drawn_with_two_latecomers_and_one_who_leaves() -> None:
    text, luck = event_of(20), Random(22)
    for number in range(1, 9):
        if number == 2:
            text["players"] += [{"id": late, "name": late} for late in ("late 1", "late 2")]
        if number == 6:
            text["out"] = ["p3"]
        before, before_paid = meetings(text), paid(text)
        drawn = draw(text)
        assert is_seated_once(text, drawn)
        assert drawn["bye"] == []
        text["rounds"].append(played(drawn, luck))
        # Its own figures equal a count of the rounds.
        new = meetings(text) - before
        again = {(*sorted(two), met) for two in new if (met := meetings(text)[two]) > 1}
        told = {(*sorted(one["players"]), one["met"]) for one in drawn["repeats"]}
        assert told == again
        pays = {(*pay, paid(text)[pay]) for pay in paid(text) - before_paid}
        assert {(one["from"], one["to"], one["times"]) for one in drawn["payers"]} == {
            one for one in pays if one[2] > 1
        }
        if number < 6:
            assert again == set()
    assert max(meetings(text).values()) == 2


def test_after_the_first_round_level_players_sit_together() -> None:
    text = event_of(64)
    play(text, 1)
    drawn = draw(text)
    leaders = {table["seats"][table["points"].index(150)] for table in text["rounds"][0]["tables"]}
    first = [set(table["seats"]) for table in drawn["tables"][:4]]
    assert set().union(*first) == leaders


# ---------------------------------------------------------------- other formats


@pytest.mark.parametrize(
    ("people", "rounds"),
    [(8, 5), (9, 9), *(pytest.param(many, 9, marks=pytest.mark.whole) for many in (23, 100))],
)
def test_swiss_gives_a_bye_at_most_once(people: int, rounds: int) -> None:
    text = event_of(people, format="swiss")
    for drawn in play(text, rounds):
        assert is_seated_once(text, drawn)
        assert drawn["repeats"] == []
        assert len(drawn["bye"]) == people % 2
    assert max(turns(text, 1).values()) == people % 2


@pytest.mark.parametrize(("people", "rounds"), [(2, 1), (5, 3), (8, 3), (13, 4)])
def test_a_knock_out_is_played_to_its_end(people: int, rounds: int) -> None:
    text = event_of(people, format="knockout")
    drawn = play(text, rounds)
    assert len(drawn[0]["bye"]) == 2**rounds - people
    assert all(each["bye"] == [] for each in drawn[1:])
    assert sum(len(each["tables"]) for each in drawn) == people - 1
    assert draw(text)["tables"] == draw(text)["bye"] == []


@pytest.mark.parametrize("form", ["knockout", "double-knockout"])
def test_if_neither_player_comes_their_next_opponent_has_a_bye(form: str) -> None:
    text = event_of(8, format=form)
    play(text, 1)
    absent = text["rounds"][0]["tables"][0]
    absent["points"] = [0, 0]
    with pytest.raises(EventError, match="is a draw"):
        draw(text)
    text["out"] = absent["seats"]
    drawn = draw(text)
    seated = [one for table in drawn["tables"] for one in table["seats"]]
    unbeaten = {
        table["seats"][table["points"][0] < table["points"][1]]
        for table in text["rounds"][0]["tables"][1:]
    }
    assert not {*absent["seats"]} & {*seated, *drawn["bye"]}
    assert unbeaten <= {*seated, *drawn["bye"]} and {*drawn["bye"]} & unbeaten
    play(text, 1 if form == "double-knockout" else 2)
    bracket = bracket_of(read_event(json.dumps(text)))
    assert bracket and (form == "double-knockout" or bracket.winner in unbeaten)


def test_the_highest_rated_players_of_a_knock_out_meet_last() -> None:
    text = event_of(13, format="knockout")
    for at, one in enumerate(text["players"]):
        one["rating"] = 2000 - at
    for _ in range(4):
        drawn = draw(text)
        strong = {one["id"]: one["rating"] for one in text["players"]}
        for table in drawn["tables"]:
            table["points"] = [strong[seat] for seat in table["seats"]]
            table["corrected"] = None
        text["rounds"].append({"tables": drawn["tables"], "bye": drawn["bye"]})
    assert {*text["rounds"][0]["bye"]} == {"p1", "p2", "p3"}
    assert {*text["rounds"][3]["tables"][0]["seats"]} == {"p1", "p2"}
    semi = [{*table["seats"]} for table in text["rounds"][2]["tables"]]
    assert semi in ([{"p1", "p4"}, {"p2", "p3"}], [{"p2", "p3"}, {"p1", "p4"}])


@pytest.mark.parametrize("seed", range(4))
def test_a_player_is_out_after_two_losses_in_a_double_knock_out(seed: int) -> None:
    text, luck = event_of(13, format="double-knockout"), Random(seed)
    lost = dict.fromkeys((one["id"] for one in text["players"]), 0)
    while (drawn := draw(text))["tables"]:
        seated = {seat for table in drawn["tables"] for seat in table["seats"]} | {*drawn["bye"]}
        assert seated == {one for one, times in lost.items() if times < 2}
        text["rounds"].append(played(drawn, luck))
        for table in text["rounds"][-1]["tables"]:
            one, other = table["points"]
            lost[table["seats"][one > other]] += 1
        assert len(text["rounds"]) < 12
    assert sorted(lost.values()) in ([0] + [2] * 12, [1] + [2] * 12)


@pytest.mark.parametrize("people", [2, 7, 10])
def test_in_a_round_robin_all_meet_once(people: int) -> None:
    text = event_of(people, format="round-robin")
    play(text, people - 1 + people % 2)
    assert draw(text)["tables"] == []
    assert len(meetings(text)) == people * (people - 1) // 2
    assert {*meetings(text).values()} == {1}
    assert {*turns(text, 1).values()} == {people % 2}


def test_a_round_robin_goes_on_when_somebody_comes_and_goes() -> None:
    text = event_of(7, format="round-robin")
    play(text, 2)
    text["players"] += [{"id": "late", "name": "Late"}]
    play(text, 2)
    text["players"] += [{"id": "later", "name": "Later"}]
    text["out"], luck = ["p1"], Random(1)
    while (drawn := draw(text))["tables"]:
        assert is_seated_once(text, drawn)
        text["rounds"].append(played(drawn, luck))
        assert len(text["rounds"]) < 20
    assert {*meetings(text).values()} == {1}
    here = [one["id"] for one in text["players"] if one["id"] != "p1"]
    assert all(meetings(text)[frozenset(two)] == 1 for two in combinations(here, 2))


def test_fixed_partners_sit_opposite_and_meet_no_pair_twice() -> None:
    pairs = [[f"p{at}", f"p{at + 1}"] for at in range(1, 18, 2)]
    text = event_of(18, format="partners", pairs=pairs)
    for drawn in play(text, 5):
        assert is_seated_once(text, drawn)
        assert drawn["repeats"] == []
        assert sorted(drawn["bye"]) in [sorted(pair) for pair in pairs]
        for table in drawn["tables"]:
            a, b, c, d = table["seats"]
            assert {a, c} in map(set, pairs)
            assert {b, d} in map(set, pairs)
    assert max(turns(text, 1).values()) == 1


# ---------------------------------------------------------------- wishes


def test_wishes_are_granted_if_possible() -> None:
    wishes = [
        {"apart": ["p1", "p2", "p3"]}, {"closed": 1},
        {"table": 9, "player": "p4"}, {"table": 9, "player": "p5"}, {"table": 2, "player": "p6"},
    ]  # fmt: skip
    text = event_of(16, wishes=wishes)
    for _ in range(3):
        drawn = play(text, 1)[0]
        at = {seat: table["table"] for table in drawn["tables"] for seat in table["seats"]}
        assert drawn["broken"] == []
        assert len({at["p1"], at["p2"], at["p3"]}) == 3
        assert at["p4"] == at["p5"] == 9
        assert at["p6"] == 2
        assert 1 not in at.values()


def test_a_wish_that_cannot_be_granted_has_a_reason() -> None:
    wishes = [{"apart": ["p1", "p2"]}, {"closed": 3}, {"table": 3, "player": "p1"}]
    broken = draw(event_of(4, wishes=wishes))["broken"]
    assert broken == [
        {"wish": wishes[0], "why": "there is only one table"},
        {"wish": wishes[2], "why": "table 3 is closed"},
    ]


# ---------------------------------------------------------------- properties

EVENTS = st.builds(
    lambda people, form, rounds, out, seed: (
        event_of(people, format=form, seed=seed, out=[f"p{at}" for at in out if at <= people]),
        rounds,
    ),
    st.integers(6, 30),
    st.sampled_from(["tables", "swiss", "partners"]),
    st.integers(0, 3),
    st.sets(st.integers(1, 30), max_size=4),
    st.text("ab1", max_size=3),
)


@settings(max_examples=examples(12))
@given(EVENTS, st.randoms(use_true_random=False))
def test_the_order_of_tables_in_the_text_does_not_change_the_draw(
    event: tuple[Text, int], luck: Random
) -> None:
    text, rounds = event
    play(text, rounds)
    drawn = draw(text)
    assert is_seated_once(text, drawn)
    assert len(drawn["bye"]) <= (text["format"] == "swiss")
    for each in text["rounds"]:
        luck.shuffle(each["tables"])
    luck.shuffle(text["out"])
    assert draw(text) == drawn


def test_the_same_text_gives_the_same_tables_everywhere() -> None:
    """The expected tables are written here, so another machine, another Python or a later version
    must draw the same ones."""
    text = event_of(10)
    play(text, 2)
    assert [table["seats"] for table in text["rounds"][0]["tables"]] == FIRST
    assert [table["seats"] for table in draw(text)["tables"]] == THIRD


FIRST = [["p4", "p5", "p1", "p8"], ["p9", "p7", "p3"], ["p10", "p2", "p6"]]
THIRD = [["p5", "p7", "p4", "p2"], ["p8", "p9", "p10"], ["p3", "p6", "p1"]]


@pytest.mark.parametrize("people", range(13, 33))
def test_ready_made_rotations_repeat_no_meeting(people: int) -> None:
    names = [str(at) for at in range(people)]
    rounds = rotation_rounds(names)
    assert rounds is not None
    assert len(rounds) >= 4
    for each in rounds:
        assert sorted(one for table in each for one in table) == sorted(names)
        assert sorted(map(len, each), reverse=True) == table_sizes(people, 4)
    met = [frozenset(two) for each in rounds for table in each for two in combinations(table, 2)]
    assert len(met) == len({*met})
