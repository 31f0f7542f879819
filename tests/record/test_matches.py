"""Matches: a game that somebody left, and one that was won by a count which nobody has called
yet."""

from companion.core.seats import BySeat, Seat, Seats
from companion.games.game import parse_entry, settle_options
from companion.record.journal import Journal
from companion.record.requests import rematch
from companion.record.rows import MatchGame, Opened, Step
from tests.catalog import GAMES

RED = Seat("Red")
SEATS = Seats.of("Red", "Blue")


def played(*lines: str, **options: str) -> Journal[object]:
    """A game, to 100, of a match of three with these entries."""
    rules = GAMES["all-fives"]
    given = settle_options(rules, len(SEATS), {"match": "3", "target": "100", **options})
    journal = Journal.begin(Opened("all-fives", SEATS, given), GAMES)
    for line in lines:
        journal = journal.fold(Step((parse_entry(line, rules, SEATS),)))
    return journal


def next_game(journal: Journal[object]) -> MatchGame | None:
    return rematch(journal, 1, None).match


def test_a_game_that_nobody_won_is_played_again() -> None:
    assert next_game(played("hand lead Red", "Red 5-5")) == MatchGame(1, 3, BySeat.all(SEATS, 0))
    last = MatchGame(3, 3, BySeat.make(SEATS, lambda _: 1))
    assert not last.decided(())
    assert last.decided((RED,))
    assert dict(last.next_words(())) == {"match": "3 of 3", "match-won": "1 1"}


def test_a_win_by_a_count_that_was_not_called_yet_is_a_win_in_the_match() -> None:
    by_scores = ("hand lead Red", "Blue wrong-count", "Red points 35", "Red points 5")
    lines = (*by_scores, "Red out", "Blue pips 2", "hand", "Red 5-5")
    journal = played(*lines, **{"called": "lost", "wrong-count": "50", "could-play-to": "opponent"})
    assert not journal.state.winners, "nothing is told of it before the call"
    assert next_game(journal) == MatchGame(2, 3, BySeat.make(SEATS, lambda seat: int(seat == RED)))
