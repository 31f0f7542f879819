"""The quality of a draw: byes, and the distance in the standings of the players at a table, checked
by counting and exhaustive search, without the code under test."""

import json
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from companion.commands.events import pair_file
from companion.events.search import NOBODY, bits_of, largest_matching
from tests.events.playing import Text, draw, event_of, is_seated_once, meetings, paid, play, turns

HERE = Path(__file__).parent
STORED = [json.loads(line) for line in (HERE / "stored_events.jsonl").read_text().splitlines()]
"""Events of 9 to 60 players before a round, with the best result of six longer searches."""
ORDER = ("repeats", "payers_again", "second_threes", "distance")


def measured(text: Text, drawn: Text) -> Text:
    """The measure of a round, counted from the text."""
    met, again, threes = meetings(text), paid(text), turns(text, 3)
    place = places(text)
    tables = [table["seats"] for table in drawn["tables"]]
    partners = [{*pair} for pair in text.get("pairs", [])]
    pairs = [two for seats in tables for two in combinations(seats, 2)]
    after = {**text, "rounds": [*text["rounds"], {"tables": drawn["tables"], "bye": drawn["bye"]}]}
    paying = text["format"] != "partners" and text.get("game", "high-five") == "high-five"
    return {
        "repeats": sum(met[frozenset(two)] > 0 for two in pairs if {*two} not in partners),
        "payers_again": sum(again[pay] > 0 for pay in paid(after) - again) if paying else 0,
        "second_threes": sum(threes[one] > 0 for seats in tables if len(seats) == 3
                             for one in seats),
        "distance": sum((place[one] - place[other]) ** 2 for one, other in pairs),
    }  # fmt: skip


def places(text: Text) -> dict[str, int]:
    """The places in the standings, as `companion standings --json` gives them."""
    from companion.events.reading import read_event
    from companion.events.standings import standings

    rows = [row.as_json for row in standings(read_event(json.dumps(text)))]
    return {row["player"]: row["place"] or len(rows) + 1 for row in rows}


@pytest.mark.sampled(8)
@pytest.mark.parametrize("at", range(len(STORED)))
def test_stored_events_are_drawn_optimally(at: int) -> None:
    text, best = STORED[at]["event"], STORED[at]["best"]
    drawn = draw(text)
    assert is_seated_once(text, drawn)
    measure = drawn["measure"]
    assert list(measure) == list(ORDER)
    assert measure == measured(text, drawn)
    assert [measure[key] for key in ORDER[:3]] <= [best[key] for key in ORDER[:3]]
    assert measure["distance"] <= 1.1 * best["distance"]


def test_the_stored_events_have_9_to_60_players() -> None:
    many = [len(one["event"]["players"]) for one in STORED]
    assert (min(many), max(many)) == (9, 60)
    assert {one["event"]["format"] for one in STORED} == {"tables", "swiss", "partners"}


def test_pair_prints_the_measure_of_a_draw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "event.json"
    file.write_text(json.dumps(STORED[0]["event"]))
    assert pair_file(str(file), as_json=True) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["measure"] == draw(STORED[0]["event"])["measure"]
    assert printed["method"] == 2


# ---------------------------------------------------------------- byes


def may_have_the_bye(text: Text) -> list[str]:
    """The players without a bye so far whose bye leaves everybody else a new opponent, the lowest
    in the standings first; found by trying all pairings."""
    met, had, place = meetings(text), turns(text, 1), places(text)
    here = [one["id"] for one in text["players"] if one["id"] not in text.get("out", [])]

    def pairs(people: list[str]) -> bool:
        if not people:
            return True
        one, *others = people
        return any(
            not met[frozenset((one, other))] and pairs([each for each in others if each != other])
            for other in others
        )

    found = [one for one in here if not had[one] and pairs([each for each in here if each != one])]
    return sorted(found, key=place.__getitem__, reverse=True)


@pytest.mark.parametrize("people", [5, 7, 9])
@pytest.mark.parametrize("seed", range(6))
def test_the_bye_goes_to_the_lowest_player_without_whom_nobody_meets_again(
    people: int, seed: int
) -> None:
    text = event_of(people, format="swiss", seed=str(seed))
    play(text, 1, seed)
    for _ in range(3):
        before = places(text)
        candidates = may_have_the_bye(text)
        (drawn,) = play(text, 1, seed)
        (bye,) = drawn["bye"]
        if candidates:
            assert bye in candidates
            assert before[bye] == before[candidates[0]]
            assert drawn["repeats"] == []


def test_a_hard_to_find_bye_avoids_all_repeats() -> None:
    """Everybody else must meet their only remaining opponent, as all other pairings were played."""
    people = [f"p{at}" for at in range(1, 16)]
    text = event_of(15, format="swiss")
    last = [["p1", "p9"], ["p2", "p10"], ["p3", "p11"], ["p4", "p12"], ["p5", "p13"],
            ["p6", "p14"], ["p7", "p15"]]  # fmt: skip
    met = [two for two in combinations(people, 2) if [*two] not in last]
    for number, (one, other) in enumerate(met):
        text["rounds"].append(
            {"tables": [{"table": 1, "seats": [one, other], "points": [150, number % 29 * 5]}],
             "bye": []}
        )  # fmt: skip
    drawn = draw(text)
    assert drawn["bye"] == ["p8"]
    assert sorted(sorted(table["seats"]) for table in drawn["tables"]) == sorted(map(sorted, last))


def test_the_bye_of_fixed_partners_goes_to_the_lowest_pair() -> None:
    pairs = [[f"p{at}", f"p{at + 1}"] for at in range(1, 10, 2)]
    text = event_of(10, format="partners", pairs=pairs)
    play(text, 1)
    place, had = places(text), turns(text, 1)
    drawn = draw(text)
    lowest = max((pair for pair in pairs if not had[pair[0]]), key=lambda pair: place[pair[0]])
    assert place[drawn["bye"][0]] == place[lowest[0]]


@pytest.mark.parametrize("seed", range(40))
def test_as_many_people_as_possible_are_paired(seed: int) -> None:
    luck = Random(seed)
    many, likely = luck.randrange(1, 12), luck.random() * 0.6
    free = [0] * many
    for one, other in combinations(range(many), 2):
        if luck.random() < likely:
            free[one] |= 1 << other
            free[other] |= 1 << one
    people = luck.randrange(1 << many)
    partner = largest_matching(free, people)
    paired = [one for one, other in enumerate(partner) if other != NOBODY]
    assert all(partner[partner[one]] == one and free[one] >> partner[one] & 1 for one in paired)
    assert all(people >> one & 1 for one in paired)
    assert len(paired) == 2 * most_pairs(free, people)


def most_pairs(free: list[int], people: int) -> int:
    """The largest number of pairs, found by trying all of them."""
    if not people:
        return 0
    one, *_ = bits_of(people)
    rest = people & ~(1 << one)
    with_one = [1 + most_pairs(free, rest & ~(1 << other)) for other in bits_of(free[one] & rest)]
    return max([most_pairs(free, rest), *with_one])
