"""News from a club's hub about a round: other people, the clock, a judge's ruling."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.console.screens.given_seats import ConfirmGivenPeople, ConfirmGivenSeats
from companion.core.club import (
    Club,
    ClubRequest,
    ClubRequestKind,
    ClubStep,
    GivenSeats,
    HallCalls,
    JudgeRuling,
    NoSeats,
    RoundClock,
)
from companion.core.seats import Seat
from companion.presentation.news import author_json
from companion.record.journal import Journal
from companion.record.rows import PeopleReplaced
from companion.table.events import FromClub
from tests.proposing import Phone
from tests.rig import Rig

FOUR = GivenSeats(4, 3, 7, "high-five", ("Anna", "Ben", "Cleo", "Dan"))
WITH_EVE = replace(FOUR, seats=("Anna", "Eve", "Cleo", "Dan"))
TWO = GivenSeats(4, 3, 2, "high-five", ("Anna", "Ben"))
MUGGINS = replace(TWO, game="all-fives")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path / "record.db") as rig:
        yield rig


def told(rig: Rig) -> Club:
    return rig.told_club[-1]


def say(rig: Rig, news: FromClub | ClubRequest) -> None:
    rig.table.events.put(news)
    rig.wait(0.1)


def journal(rig: Rig) -> Journal[object]:
    found = rig.table.box.view().journal
    assert found is not None
    return found


def words(rig: Rig) -> str:
    return rig.frame.words


def enter(rig: Rig, text: str) -> None:
    for line in filter(None, text.split("\n")):
        Phone(f"phone-{len(rig.entries)}").says(rig, line)


# ---------------------------------------------------------------- wrong people


def play_some(rig: Rig, given: GivenSeats = FOUR) -> list[str]:
    say(rig, given)
    rig.press("OK")
    enter(rig, "hand\nAnna 6-6\nBen 6-3\nCleo draw\nCleo 6-2\nDan 3-4\n")
    return rig.entries


def test_one_ok_corrects_the_people_and_keeps_all_entries(rig: Rig) -> None:
    before, scores = play_some(rig), journal(rig).state.scores.values
    say(rig, WITH_EVE)
    assert isinstance(rig.table.box.console.screen, ConfirmGivenPeople)
    rig.press("OK")
    assert rig.entries == [entry.replace("Ben", "Eve") for entry in before]
    assert journal(rig).opened.seats.order == WITH_EVE.seats
    assert journal(rig).state.scores.values == scores
    rows = [kept.row for kept in rig.store.rows(1)]
    assert [row for row in rows if isinstance(row, PeopleReplaced)] == [rows[-1]]
    enter(rig, "Anna 6-5\nEve 2-2\n")
    assert rig.entries[-1] == "Eve 2-2"


def test_a_correction_of_people_can_be_taken_back(rig: Rig) -> None:
    before = play_some(rig)
    say(rig, WITH_EVE)
    rig.press("OK MENU 1 OK")
    assert rig.entries == before


def test_a_phone_can_answer_instead_of_the_box(rig: Rig) -> None:
    say(rig, FOUR)
    assert (told(rig).given, told(rig).others) == (FOUR, False)
    say(rig, ClubRequest(ClubRequestKind.BEGIN, "4.3.6"))
    assert rig.table.box.view().journal is None
    say(rig, ClubRequest(ClubRequestKind.BEGIN, FOUR.place))
    assert journal(rig).opened.seats.order == FOUR.seats
    assert told(rig).given is None
    assert not isinstance(rig.table.box.console.screen, ConfirmGivenSeats)
    enter(rig, "hand\nAnna 6-6\nBen 6-3\n")
    say(rig, WITH_EVE)
    assert (told(rig).given, told(rig).others) == (WITH_EVE, True)
    say(rig, ClubRequest(ClubRequestKind.BEGIN, FOUR.place))
    assert rig.entries[-1] == "Eve 6-3"
    assert told(rig).given is None


def test_declining_at_the_box_leaves_the_question_to_the_phones(rig: Rig) -> None:
    say(rig, FOUR)
    rig.press("BACK")
    assert told(rig).given == FOUR
    say(rig, NoSeats())
    assert told(rig).given is None


def test_seats_of_another_table_are_ignored(rig: Rig) -> None:
    play_some(rig)
    say(rig, replace(WITH_EVE, table=6))
    assert rig.table.box.console.screen is None
    assert told(rig).given is None


# ---------------------------------------------------------------- the clock


def test_the_clock_counts_minutes_on_the_display_and_for_pages(rig: Rig) -> None:
    play_some(rig)
    say(rig, Club(ClubStep.JOINED, "Fives", reached=True))
    say(rig, RoundClock(125.0))
    assert told(rig).left_s == 125
    assert "3 min" in words(rig)
    rig.wait(6)
    assert "2 min" in words(rig)
    rig.wait(61)
    assert "1 min" in words(rig)
    assert told(rig).left_s == 60
    rig.wait(61)
    assert "Time!" in words(rig)
    assert told(rig).left_s == 0
    say(rig, RoundClock(None))
    assert told(rig).left_s is None
    assert "Club" in words(rig)


def test_the_clubs_clock_enters_time_up_once(rig: Rig) -> None:
    say(rig, MUGGINS)
    rig.press("OK")
    enter(rig, "hand\nAnna 6-6\nBen 6-3\n")
    say(rig, RoundClock(30.0))
    rig.wait(29)
    assert rig.entries[-1] == "Ben 6-3"
    rig.wait(3)
    assert rig.entries[-1] == "time up"
    say(rig, RoundClock(0))
    assert rig.entries.count("time up") == 1
    kept = [*rig.store.rows(1)][-1]
    assert author_json(kept.author, {})["words"] == "The club"


def test_a_game_without_a_time_limit_goes_on(rig: Rig) -> None:
    before = play_some(rig)
    say(rig, RoundClock(1.0))
    rig.wait(5)
    assert rig.entries == before


# ---------------------------------------------------------------- a judge


FITS = {"judge": "Carla", "game": 1, "tip": "00", "seat": 0, "bogus": True}
CALLED = "hand\nBen 6-6\nAnna 6-3\nBen draw\nBen pass\nAnna 6-1\nbogus Ben by Anna\nBen pips 31\n"


def call(rig: Rig) -> JudgeRuling:
    say(rig, TWO)
    rig.press("OK")
    enter(rig, CALLED)
    seen = rig.snapshots[-1]
    return JudgeRuling(Seat("Carla"), seen.game or 0, seen.tip, 1, True)


def test_a_judges_ruling_names_the_judge_in_the_record(rig: Rig) -> None:
    ruling = call(rig)
    say(rig, ruling)
    assert rig.entries[-1] == "rule Ben bogus"
    kept = [*rig.store.rows(1)][-1]
    assert (kept.surface, kept.keyed_by) == ("judge", "Carla")
    assert author_json(kept.author, {})["words"] == "Judge Carla"


def test_a_ruling_on_an_outdated_game_is_ignored(rig: Rig) -> None:
    ruling = call(rig)
    enter(rig, "rule Ben clear\n")
    say(rig, ruling)
    assert rig.entries[-1] == "rule Ben clear"


@pytest.mark.parametrize(
    "said",
    [None, {}, {**FITS, "judge": ""}, {**FITS, "game": 0}, {**FITS, "tip": "x"},
     {**FITS, "seat": -1}, {**FITS, "bogus": 1}, {**FITS, "seat": "Ben"}],
)  # fmt: skip
def test_a_message_that_is_not_a_ruling_is_ignored(said: object) -> None:
    assert JudgeRuling.read(said) is None


def test_messages_of_a_hub_are_read_back() -> None:
    ruling = JudgeRuling(Seat("Carla_M"), 3, b"\x01\x02", 1, False)
    assert JudgeRuling.read(ruling.as_json) == ruling
    assert RoundClock.read({"left_s": None}) == RoundClock(None)
    assert RoundClock.read({"left_s": 12}) == RoundClock(12.0)
    assert [RoundClock.read(one) for one in (None, {}, {"left_s": -1}, {"left_s": "x"})] == [
        None
    ] * 4


# ---------------------------------------------------------------- calls


def test_calls_and_the_break_reach_the_pages_and_not_the_display(rig: Rig) -> None:
    play_some(rig)
    say(rig, Club(ClubStep.JOINED, "Fives", reached=True))
    before = words(rig)
    say(rig, HallCalls(("Table 7 needs a player",), 3, 125.0))
    assert told(rig).calls == HallCalls(("Table 7 needs a player",), 3, 125)
    assert words(rig) == before
    rig.wait(25)
    say(rig, NoSeats())
    assert told(rig).calls.left_s == 100, "the time goes on with every message of the club"
    say(rig, HallCalls())
    assert told(rig).calls == HallCalls()


def test_calls_are_dropped_without_the_hub_and_a_break_once_it_is_over(rig: Rig) -> None:
    hub = Club(ClubStep.JOINED, "Fives", reached=True)
    say(rig, hub)
    say(rig, HallCalls(("Table 7 needs a player",), 3, 20.0))
    say(rig, replace(hub, reached=False))
    assert told(rig).calls == HallCalls((), 3, 20)
    rig.wait(25)
    say(rig, replace(hub, reached=False))
    say(rig, hub)
    assert told(rig).calls == HallCalls()


@pytest.mark.parametrize(
    "said",
    [
        None,
        {},
        {"texts": "Table 7"},
        {"texts": ["Table 7", 8]},
        {"texts": [""]},
        {"texts": ["\x07"]},
        {"texts": ["x" * 81]},
        {"texts": [], "round": 0, "left_s": 5},
        {"texts": [], "round": 3, "left_s": -1},
        {"texts": [], "round": 3, "left_s": True},
    ],
)
def test_malformed_calls_are_ignored(said: object) -> None:
    assert HallCalls.read(said) is None


def test_the_newest_calls_are_kept_and_a_break_needs_both_parts() -> None:
    texts = [f"Table {number} needs a player" for number in range(1, 7)]
    said = {"texts": texts, "round": 3, "left_s": None}
    assert HallCalls.read(said) == HallCalls(tuple(texts[2:]))
    assert HallCalls.read({"texts": [], "round": 3, "left_s": 0}) == HallCalls((), 3, 0.0)
