"""Matches: a game that somebody left, and one that was won by a count which nobody has called
yet."""

from contextlib import closing
from pathlib import Path

from companion.app.catalog import CATALOG
from companion.core.seats import BySeat, Seat, Seats
from companion.games.game import parse_entry, settle_options
from companion.games.penalties import CountCalled
from companion.players.cache import beside
from companion.players.counted import Count, GameResult
from companion.players.history import read_history
from companion.record.journal import Journal
from companion.record.requests import rematch
from companion.record.rows import MatchGame, Opened, Redo, Setting, Step, Undo
from companion.record.settings import ON_TABLE
from companion.record.store.reader import Reader
from companion.record.store.store import Store
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


WON_UNCALLED = """hand lead Red
Red points 35
Red points 35
Red points 20
Red out
Blue pips 2
hand
Red 5-5"""


def test_a_win_by_a_count_that_nobody_called_is_told_once_another_game_has_begun(
    tmp_path: Path,
) -> None:
    """In the list of games, the statistics and the history; until then it is a secret."""
    path = tmp_path / "record.db"
    journal = played(*WON_UNCALLED.splitlines(), called="lost")

    def told() -> tuple[tuple[str, ...], str, int, int]:
        """Who won by the reader, how it ended by the statistics, the points of the lay in the
        history, and the points of lays by the statistics, which are kept from one time to the
        next."""
        with Reader.open(path, GAMES) as reader:
            shown = reader.game(1)
            counted = read_history(reader, beside(path), CATALOG.statistics).games[0]
        assert shown is not None
        points = counted.of[RED][Count.POINTS]
        return shown.state.winners, counted.result, shown.states[-1].effect.points, points

    with closing(Store.open(path, GAMES)) as store:
        store.keep(1, journal.opened)
        for entry in journal.entries:
            store.keep(1, Step((entry,)))
        assert told() == ((), GameResult.OPEN, 0, 0)
        store.keep(2, rematch(journal, 1, 1))
        assert told() == ((RED,), GameResult.WON, 10, 10)
        store.keep(2, Undo())
        assert told() == ((), GameResult.OPEN, 0, 0), "it is on the table again"
        store.keep(2, Redo())
        store.keep(0, Setting(ON_TABLE, 1))
        assert told() == ((), GameResult.OPEN, 0, 0)
        store.keep(1, Step((CountCalled(RED),)))
        assert told()[:2] == ((RED,), GameResult.WON)
