"""Counts that are called aloud (RULES: All Fives 4): how long they are held back."""

from random import Random
from typing import Any

import pytest

from companion.core.seats import Seat, Seats
from companion.games.entries import (
    CountCalled,
    CountNotCalled,
    HandDealt,
    MugginsCalled,
    TilesDrawn,
    TurnPassed,
)
from companion.games.game import parse_entry
from companion.games.line.line import TilePlayed
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step, Undo
from tests.catalog import GAMES
from tests.club_games import ClubEvening

BLUE = Seat("Blue")
RULES = GAMES["all-fives"]
CALLED = {"called": "lost", "could-play": "30-or-20%", "could-play-ends": "never"}
LAID = "hand lead Red\nRed 6-6\nBlue draw\nBlue 6-3"
"""Blue's play counts 15, and its draw can be called."""


def journal_of(text: str, **options: str) -> Journal[Any]:
    """The game after these lines, as the players may know it."""
    seats = Seats.of("Red", "Blue")
    given = {**CALLED, "wrong-count": "100", **options}
    return said(Journal.begin(GameOpened("all-fives", seats, given), GAMES), text)


def said(journal: Journal[Any], text: str) -> Journal[Any]:
    for line in text.splitlines():
        journal = journal.fold(Step((parse_entry(line, RULES, journal.opened.seats),)))
    return journal


def told_points(journal: Journal[Any]) -> int:
    """The points of all payments that the players may know."""
    return sum(max(0, paid.points) for state in journal.states for paid in state.effect.payments)


@pytest.mark.parametrize(
    ("lines", "taken_off"),
    [
        ("time up", 0),
        ("Blue wrong-count", 100),
        ("bogus Blue by Red turn 2\nrule Blue bogus", 30),
        ("bogus Blue by Red turn 2\nBlue pips 9\nrule Blue bogus", 30),
        ("time up\nRed wrong-count\nBlue wrong-count\nbogus Blue by Red\nrule Blue clear", 100),
    ],
)
def test_only_the_next_turn_reveals_a_count(lines: str, taken_off: int) -> None:
    journal = journal_of(LAID)
    for line in lines.splitlines():
        journal = said(journal, line)
        assert told_points(journal) == 0, line
        assert journal.state.held_back is None, line
    assert journal.state.scores[BLUE] == -taken_off
    journal = said(journal, "Red draw")
    assert (told_points(journal), journal.state.scores[BLUE]) == (15, 15 - taken_off)
    assert told_points(journal.fold(Undo())) == 0


@pytest.mark.parametrize("lines", ["Red wrong-count", "bogus Blue by Red turn 2\nrule Blue bogus"])
def test_a_penalty_that_ends_the_game_reveals_all_scores(lines: str) -> None:
    """After the game there is no next action, so a count held back would never be revealed."""
    options = {"could-play-ends": "always", "could-play-to": "opponent", "target": "100"}
    journal = said(journal_of(f"{LAID}\ntime up", **options), lines)
    assert journal.state.winners
    assert journal.state.scores == journal.whole.state.scores
    assert told_points(journal) >= 15


def test_after_a_ruling_the_next_hand_reveals_the_count() -> None:
    journal = journal_of(
        f"{LAID}\nbogus Blue by Red turn 2\nrule Blue bogus", **{"could-play-ends": "always"}
    )
    assert (told_points(journal), journal.state.scores[BLUE]) == (0, -30)
    journal = said(journal, "hand")
    assert (told_points(journal), journal.state.scores[BLUE]) == (15, -15)


def test_going_out_reveals_no_count_before_tiles_are_shown() -> None:
    told = "hand lead Red\nRed 6-6\nBlue pass\nRed 6-1\nBlue pass\nRed 6-2\nBlue pass\nRed 1-1"
    journal = journal_of(
        f"{told}\nBlue pass\nRed 1-5 ends 2 5\nBlue pass\nRed 2-5 ends 5 5\nRed out"
    )
    assert told_points(journal) == 0
    assert told_points(said(journal, "Blue pips 7")) > 0


def test_calling_the_count_of_a_win_reveals_the_win() -> None:
    journal = journal_of("hand lead Red\nRed 6-6\nblocked\nRed pips 3\nBlue pips 95", target="100")
    journal = said(journal, "hand lead Red\nRed 5-5")
    assert journal.state.winners == ()
    assert said(journal, "Red called").state.winners == ("Red",)


def points_in_the_history(journal: Journal[Any]) -> list[int]:
    return [state.effect.points for state in journal.states]


def test_each_count_is_known_after_the_next_turn() -> None:
    """The rulebook's example: 10 for 5-5, 10 for 0-5, nothing for 5-6, 10 for 4-0."""
    journal = said(journal_of("hand lead Red"), "Red 5-5")
    run, known = [10, 10, 0, 10], [0]
    for lay, line in enumerate(("Blue 0-5", "Red 5-6", "Blue 4-0", "Red draw")):
        journal = said(journal, line)
        known.append(run[lay])
        assert points_in_the_history(journal) == [*known, 0], line
    assert journal.whole is journal


ACTS = HandDealt, TilePlayed, TilesDrawn, TurnPassed, CountCalled, CountNotCalled, MugginsCalled
"""Entries that make the count of the previous play public."""


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("named", ["T", "W"])
def test_the_history_shows_exactly_the_counts_that_players_know(named: str, seed: int) -> None:
    evening = ClubEvening(Random(seed), named)
    evening.play_hand()
    journal = Journal.begin(GameOpened("all-fives", evening.state.seats, evening.given), GAMES)
    for entry, _ in evening.played:
        journal = journal.fold(Step((entry,)))
        entries, known = journal.entries, points_in_the_history(journal)
        later = [place for place, one in enumerate(entries) if isinstance(one, ACTS)]
        if journal.holds_back:
            last = max(place for place in later if isinstance(entries[place], TilePlayed))
            assert (later[-1], known[last]) == (last, 0)
            del known[last:]
        assert known == points_in_the_history(journal.whole)[: len(known)]
