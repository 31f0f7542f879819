"""Highlights: streaks, records of the evening, who leads, and standings. They follow from the
entries, and none is shown before the count that it is about was called."""

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.catalog import CATALOG
from companion.core.seats import Seats
from companion.core.values import Json
from companion.games.entries import CountCalled
from companion.games.game import parse_entry
from companion.games.line.line import TilePlayed
from companion.players.statistics import Maximum, SeatCounts
from companion.presentation.drawing.race import game_over_json
from companion.presentation.drawing.svg import Paper
from companion.presentation.highlights import BestScores, best_scores
from companion.presentation.moment import Moment, describe
from companion.record.journal import Journal
from companion.record.rows import Amend, GameOpened, Step, Undo
from tests.catalog import GAMES
from tests.club_games import ClubEvening
from tests.games.others.players import PLAYERS, seats_of
from tests.presentation.test_moment import at_random, played
from tests.sampling import examples

LINE_GAMES = ["high-five", "five-up", "all-fives", "fives-and-threes"]


def highlights(journal: Journal[Any], earlier: BestScores | None = None) -> Json | None:
    found: Json | None = describe(Moment(CATALOG, journal, 7, 1, earlier=earlier))["highlights"]
    return found


def said(journal: Journal[Any], earlier: BestScores | None = None) -> list[str]:
    return [one["words"] for one in (highlights(journal, earlier) or {"said": []})["said"]]


def prefixes(journal: Journal[Any]) -> Iterator[Journal[Any]]:
    """The game after each of its entries."""
    so_far = Journal.begin(journal.begun, GAMES)
    for entry in journal.entries:
        so_far = so_far.fold(Step((entry,)))
        yield so_far


def other_game(name: str, seed: int) -> Journal[Any]:
    """A random game without a line of play."""
    players = 2 + seed % 3
    seats = Seats.of(*seats_of(players))
    journal = Journal.begin(GameOpened(name, seats, {}), GAMES)
    for line in PLAYERS[name](Random(seed), players):
        journal = journal.fold(Step((parse_entry(line, GAMES[name], seats),)))
    return journal


def any_game(name: str, seed: int) -> Journal[Any]:
    return other_game(name, seed) if name in PLAYERS else at_random(seed, name)


# ---------------------------------------------------------------- streaks


def longest_streaks(journal: Journal[Any]) -> dict[str, int]:
    """The longest streak that the highlights of each moment show, by seat."""
    found: dict[str, int] = {}
    for each in prefixes(journal):
        for one in (highlights(each) or {"said": []})["said"]:
            if one["key"] == "highlight.streak":
                seat, number = one["parts"]["seat"], one["parts"]["number"]
                found[seat] = max(found.get(seat, 0), number)
    return found


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([*LINE_GAMES, *PLAYERS]))
def test_streaks_match_the_players_statistics(seed: int, name: str) -> None:
    journal = any_game(name, seed % 1000)
    counted = {str(seat): SeatCounts() for seat in journal.state.seats}
    CATALOG[name].statistics.count(journal, counted)
    expected = {
        seat: top.value
        for seat, counts in counted.items()
        if (top := counts.tops.get(Maximum.RUN)) and top.value >= 3
    }
    assert longest_streaks(journal) == (expected if name != "highrise" else {})


# ---------------------------------------------------------------- records


def record_moment() -> Journal[Any]:
    """A game of High Five whose latest play has set a record for the evening."""
    for seed in range(60):
        for journal in prefixes(at_random(seed)):
            if any("Best count" in text for text in said(journal)):
                return journal
    raise AssertionError("no random game has a record")


def test_a_record_score_has_to_beat_earlier_games_of_the_evening() -> None:
    journal = record_moment()
    points = journal.state.effect.play_points
    assert f"Best count of the game: {points}" in said(journal)
    assert f"Best count tonight: {points}" in said(journal, BestScores(points - 5))
    for beaten in (points, points + 5):
        assert not [text for text in said(journal, BestScores(beaten)) if "Best" in text]


def test_a_record_score_disappears_when_an_entry_is_corrected_or_undone() -> None:
    journal = record_moment()
    assert not [text for text in said(journal.fold(Undo())) if "Best count" in text]
    best = best_scores(journal.newest_first())
    assert best.play == journal.state.effect.play_points
    first = next(
        place for place, entry in enumerate(journal.entries) if isinstance(entry, TilePlayed)
    )
    shorter = journal.fold(Amend(first, journal.entries[first : first + 1]))
    assert best_scores(shorter.newest_first()) == best, "the same entry changes nothing"


@pytest.mark.parametrize("name", [*GAMES])
def test_every_game_has_highlights_and_final_standings(name: str) -> None:
    """No game is left out: streaks, records, the lead, a hand's end, whatever fits it."""
    keys, places = set[str](), 0
    for seed in range(4):
        for journal in prefixes(any_game(name, seed)):
            found = highlights(journal) or {"said": [], "standings": [], "leads": None}
            keys.update(one["key"] for one in found["said"])
            assert bool(found["leads"]) == (bool(found["standings"]) and not journal.state.finished)
            if found["standings"]:
                places += 1
                assert sorted(seat for one in found["standings"] for seat in one["seats"]) == (
                    sorted(journal.state.seats)
                )
            if journal.state.finished:
                first = {s for one in found["standings"] if one["place"] == 1 for s in one["seats"]}
                assert first >= set(journal.state.winners)
    assert keys and places


def test_partners_share_a_place_and_lead_together() -> None:
    text = "hand lead Red\nRed 6-6\nRed out\npips 60"
    found = highlights(played(text, "domino", "Red Blue Green Yellow"))
    assert found is not None
    assert found["standings"] == [
        {"place": 1, "seats": ["Red", "Green"], "score": 60},
        {"place": 2, "seats": ["Blue", "Yellow"], "score": 0},
    ]
    assert found["leads"]["words"] == "Red and Green are ahead with 60"


# ---------------------------------------------------------------- counts that are called


@settings(max_examples=examples(12), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["T", "W"]))
def test_nothing_is_highlighted_before_the_count_is_called(seed: int, named: str) -> None:
    """Before the call the highlights are those of a play that scores nothing: none. After it they
    are those of the same play where counts are announced at once."""
    evening = ClubEvening(Random(seed), named)
    for _ in range(4):
        if not evening.state.whole.finished:
            evening.play_hand()
    opened = GameOpened("all-fives", evening.state.seats, evening.given)
    journal = Journal.begin(opened, GAMES)
    for entry, _ in evening.played:
        journal = journal.fold(Step((entry,)))
        if isinstance(entry, TilePlayed) and journal.holds_back:
            assert highlights(journal) is None, str(entry)
            whole = journal.whole
            if not whole.state.finished and whole.state.effect.play_points:
                told = journal.fold(Step((CountCalled(entry.seat),)))
                assert said(told) == said(whole)


# ---------------------------------------------------------------- the best play


@pytest.mark.parametrize("name", [name for name in GAMES if name != "five-up"])
def test_every_won_game_has_a_best_play_with_a_replay(name: str) -> None:
    """In a game in which no turn scores, the best play is the one that ended the best hand. Five Up
    is left out, because its random games are too long."""
    games = (any_game(name, seed) for seed in count())
    journal = next(one for one in games if one.state.winners)
    found = game_over_json(Moment(CATALOG, journal, 7, 1), {}, 1, replay=True)
    best = found["best"]
    assert best["points"] > 0
    assert best["ends_hand"] == (name == "domino")
    state, presentation = journal.states[best["at"] - 1], CATALOG[name].presentation
    is_known = presentation.draw(state, Paper(16, 9)) is not None
    assert is_known == bool(found["replay"]) and len(found["replay"]) <= 4
    assert all(drawing.startswith("<svg") for drawing in found["replay"])
