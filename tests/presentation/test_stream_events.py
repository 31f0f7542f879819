"""The stream of events: it is made from moments alone, reports everything once, and nothing before
pages show it."""

import json
from pathlib import Path
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.values import Json
from companion.presentation.moment import Moment, describe
from companion.presentation.stream_events import EVENTS, Stream, table_event
from companion.record.journal import Journal
from companion.record.rows import Redo, Step, Undo
from tests.presentation.test_moment import at_random, opened, played
from tests.presentation.test_uncalled_counts import games, leaves
from tests.sampling import Draw

GUIDE = (Path(__file__).parents[2] / "docs" / "stream.md").read_text()
GAME = """
    hand
    Red 6-6
    Blue 6-3
"""

RULED = 2
"""The seed of an evening with calls and rulings."""


def moment(journal: Journal[Any] | None, number: int | None = 1, row: int = 7) -> Json:
    return describe(Moment(CATALOG, journal, row, number, {}))


def heard(*moments: Json) -> list[list[Json]]:
    stream = Stream()
    return [stream.hear(each) for each in moments]


def names(events: list[Json]) -> list[str]:
    return [event["event"] for event in events]


def test_the_first_moment_makes_one_table_event() -> None:
    (first,) = heard(moment(played(GAME)))
    assert names(first) == ["table"]
    assert first[0]["to_move"] == "Red"
    assert first[0]["seats"][1] == {
        "seat": "Blue", "colour": "blue", "sign": "■", "score": 15, "to_move": False, "won": False,
    }  # fmt: skip


def test_a_play_makes_entry_score_turn_and_table_events() -> None:
    _, events = heard(moment(played("hand\nRed 6-6")), moment(played(GAME)))
    assert names(events) == ["entry", "score", "turn", "table"]
    entry, score, turn, _ = events
    assert (entry["seat"], entry["entry"], entry["points"]) == ("Blue", "Blue 6-3", 15)
    assert entry["payments"] == [
        {"from": "Red", "to": "Blue", "points": 15, "said": "Red pays Blue 15"}
    ]
    assert entry["aloud"] == "Red pays Blue 15"
    assert (score["scores"], score["gained"]) == ({"Red": 0, "Blue": 15}, {"Blue": 15})
    assert (turn["seat"], turn["colour"], turn["said"]) == ("Red", "red", "Red's turn")


def test_new_games_and_hands_make_events() -> None:
    _, events, dealt = heard(moment(None, None), moment(opened()), moment(played("hand")))
    assert names(events)[:1] == ["game"]
    assert [one["seat"] for one in events[0]["seats"]] == ["Red", "Blue"]
    assert names(dealt)[:2] == ["hand", "entry"]


def test_missed_entries_are_sent_oldest_first() -> None:
    _, events = heard(moment(opened()), moment(played(GAME)))
    assert [one["at"] for one in events if one["event"] == "entry"] == [1, 2, 3]
    assert [bool(one["aloud"]) for one in events if one["event"] == "entry"] == [False, False, True]


def test_an_undo_makes_a_change_event_without_an_entry() -> None:
    journal = played(GAME)
    _, undone, redone = heard(
        moment(journal), moment(journal.fold(Undo())), moment(journal.fold(Undo()).fold(Redo()))
    )
    assert names(undone) == ["change", "score", "turn", "table"]
    assert undone[1]["gained"] == {"Blue": -15}
    assert names(redone) == ["entry", "score", "turn", "table"]


def test_an_unchanged_moment_sends_no_event() -> None:
    assert heard(moment(played(GAME)), moment(played(GAME), row=8))[1] == []


def test_another_game_makes_no_score_or_turn_events() -> None:
    _, events = heard(moment(played(GAME)), moment(opened(), 2))
    assert names(events) == ["game", "table"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(12))
def test_events_are_documented_and_ordered_and_a_game_ends_once(seed: int) -> None:
    journal, stream, told = at_random(seed), Stream(), list[Json]()
    for number in range(1, journal.length + 1):
        of_moment = stream.hear(describe(Moment(CATALOG, journal, number, 1, {}), number))
        order = [EVENTS.index(name) for name in names(of_moment) if name != "table"]
        assert order == sorted(order)
        told += of_moment
    for event in told:
        assert f"`{event['event']}`" in GUIDE
        assert not [key for key in event if f"`{key}`" not in GUIDE]
    entries = [one["at"] for one in told if one["event"] == "entry"]
    assert entries == [*range(2, journal.length + 1)]
    assert names(told).count("over") == journal.state.finished


def test_call_events_hide_holdings_and_proofs(draw: Draw[int]) -> None:
    found = set[str]()
    for seed in (RULED, *draw(range(30), 8)):
        journal, stream = at_random(seed), Stream()
        for number in range(1, journal.length + 1):
            told = describe(Moment(CATALOG, journal, number, 1, {}), number)
            for event in stream.hear(told):
                if event["event"] == "claim":
                    assert set(event) == {
                        "stream", "event", "row", "number", "game", "by", "accused", "said",
                    }  # fmt: skip
                    assert told["claim"]["open"]
                found.add(event["event"])
    assert {"claim", "ruling"} <= found


def test_events_reveal_only_what_the_moment_shows(draw: Draw[int]) -> None:
    """Every value of an event is in its moment: the stream computes nothing that pages don't
    get."""
    for seed in draw(range(8), 3):
        journal, stream = at_random(seed), Stream()
        for number in range(1, journal.length + 1):
            told = describe(Moment(CATALOG, journal, number, 1, {}), number)
            known = {one for _, one in leaves(told)} | {None, *EVENTS}
            known |= set(told["latest"][0]["scores"]) if told["latest"] else set()
            for event in stream.hear(told):
                for path, value in leaves(event):
                    assert value in known or path.startswith(".gained"), (path, value)


@pytest.mark.parametrize("named", ["T", "W"])
def test_events_hide_an_uncalled_count(named: str) -> None:
    """If counts are announced at once, the play's event has its points; if they are called, only
    the call's event has them."""
    looked = 0
    for here, there, _ in games(named, [*range(6)]):
        _, told = heard(moment(there.fold(Undo())), moment(there))
        _, held = heard(moment(here.fold(Undo())), moment(here))
        counts, silent = ([one for one in each if one["event"] == "entry"] for each in (told, held))
        assert [one["entry"] for one in silent[-1:]] == [one["entry"] for one in counts[-1:]]
        if counts and counts[-1]["points"]:
            assert not silent[-1]["points"]
            assert not silent[-1]["payments"]
            assert not silent[-1]["why"]
            assert not silent[-1]["aloud"]
            assert "over" not in names(held)
            looked += 1
    assert looked


def test_events_are_serializable() -> None:
    assert json.loads(json.dumps(table_event(moment(played(GAME)))))["finished"] is False


def test_a_row_with_several_entries_makes_one_event_per_entry() -> None:
    journal = opened()
    whole = played(GAME)
    steps = journal.fold(Step(tuple(whole.entries)))
    assert names(heard(moment(journal), moment(steps))[1]).count("entry") == 3
