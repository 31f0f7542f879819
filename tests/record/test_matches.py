"""Matches, including an unfinished game and one won by a count that was not called yet."""

from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.core.errors import EntryError, RuleError
from companion.core.seats import BySeat, Seat, Seats
from companion.games.entries import CountCalled
from companion.games.game import parse_entry, settle_options
from companion.players.cache import figures_path
from companion.players.history import read_history
from companion.players.statistics import Count, GameResult, SeatCounts
from companion.record.journal import Journal
from companion.record.match import MatchGame
from companion.record.requests import RequestContext, RequestKind, RowRequest, rematch, row_for
from companion.record.rows import GameOpened, PeopleReplaced, Redo, Reseat, Setting, Step, Undo
from companion.record.settings import ON_TABLE
from companion.record.store.reader import Reader
from companion.record.store.store import Store
from companion.record.tally import format_tally, play_tally, read_tally
from tests.catalog import GAMES

RED = Seat("Red")
SEATS = Seats.of("Red", "Blue")


def played(*lines: str, **options: str) -> Journal[object]:
    """A game to 100 with these entries, in a match of three."""
    rules = GAMES["all-fives"]
    given = settle_options(rules, len(SEATS), {"match": "3", "target": "100", **options})
    journal = Journal.begin(GameOpened("all-fives", SEATS, given), GAMES)
    for line in lines:
        journal = journal.fold(Step((parse_entry(line, rules, SEATS),)))
    return journal


def next_game(journal: Journal[object]) -> MatchGame | None:
    return rematch(journal, 1, None).match


def test_a_game_without_a_winner_is_played_again() -> None:
    assert next_game(played("hand lead Red", "Red 5-5")) == MatchGame(1, 3, BySeat.all(SEATS, 0))
    last = MatchGame(3, 3, BySeat.make(SEATS, lambda _: 1))
    state = GAMES["all-fives"].start(SEATS, settle_options(GAMES["all-fives"], 2, {}))
    assert not last.decided(state)
    assert last.decided(state._replace(winners=(RED,)))
    following = last.next(state)
    assert following is not None
    assert dict(following.words) == {"match": "3 of 3", "match-won": "1 1"}


def test_a_win_by_an_uncalled_count_counts_in_the_match() -> None:
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


def test_a_win_by_an_uncalled_count_is_shown_once_another_game_has_begun(
    tmp_path: Path,
) -> None:
    """In the list of games, the statistics and the history; until then it is secret."""
    path = tmp_path / "record.db"
    journal = played(*WON_UNCALLED.splitlines(), called="lost")

    def told() -> tuple[tuple[str, ...], str, int, int]:
        """The winner by the reader; the end by the statistics; the points of the play in the
        history; and the points of plays by the statistics, which are cached."""
        with Reader.open(path, GAMES) as reader:
            shown = reader.game(1)
            counted = read_history(reader, figures_path(path), CATALOG.statistics).games[0]
        assert shown is not None
        points = counted.by_seat[RED][Count.POINTS]
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


def test_a_match_counts_as_won_by_its_leader_with_its_last_game() -> None:
    """For the leader, although another player won the last game."""
    head = "tally 1\ngame all-fives\nmatch 5 of 5\nmatch-won 2 1 0 1\nseats Anna Ben Cleo Dan"
    text = f"{head}\noption target 100\nhand lead Cleo\n" + "Cleo points 35\n" * 3
    *_, last = play_tally(read_tally(text, GAMES), GAMES)
    of = {str(seat): SeatCounts() for seat in last.journal.opened.seats}
    CATALOG.statistics["all-fives"].count(last.journal, of)
    assert [counts[Count.MATCHES] for counts in of.values()] == [1, 1, 1, 1]
    assert [counts[Count.MATCHES_WON] for counts in of.values()] == [1, 0, 0, 0]


def after_five(won: str) -> Journal[Any]:
    """The fifth game of a match of five, won by Cleo, after these games won by each player."""
    head = f"tally 1\ngame all-fives\nmatch 5 of 5\nmatch-won {won}\nseats Anna Ben Cleo"
    text = f"{head}\noption target 100\nhand lead Cleo\n" + "Cleo points 35\n" * 3
    *_, last = play_tally(read_tally(text, GAMES), GAMES)
    return last.journal


def asked_again(text: str, journal: Journal[Any]) -> GameOpened:
    row = row_for(RowRequest(RequestKind.REMATCH, text), RequestContext(journal, 7, GAMES))
    assert isinstance(row, GameOpened)
    return row


def test_only_level_players_may_play_on_alone() -> None:
    journal = after_five("2 2 0")
    opened = asked_again("Ben Anna", journal)
    assert (opened.match, [*opened.seats]) == (
        MatchGame(6, 5, BySeat(Seats.of("Anna", "Ben"), (2, 2))), ["Anna", "Ben"],
    )  # fmt: skip
    match = Journal.begin(opened, GAMES).opened.match
    assert match is not None
    won = journal.state._replace(seats=opened.seats, winners=(Seat("Ben"),))
    assert match.decided(won)
    assert match.after(won).winner == ("Ben",)
    assert [*asked_again("", journal).seats] == ["Anna", "Ben", "Cleo"], "the others may, too"
    for names in ("Anna", "Anna Cleo", "Anna Ben Dan"):
        with pytest.raises(EntryError):
            asked_again(names, journal)
    with pytest.raises(EntryError):
        asked_again("Anna Ben", after_five("2 1 1"))


@pytest.mark.parametrize(
    ("people", "won"),
    [
        ("Ben Anna Cleo", "1 2 0"),  # they had been mixed up: everybody keeps the games won
        ("Anna Ben Dan", "2 1 0"),
        ("Dan Ben Cleo", "2 1 0"),  # Dan sits where Anna was said to
        ("Ben Dan Cleo", "1 2 0"),  # Ben sits where Anna was said to, and Dan is new
        ("Eve Fay Gus", "2 1 0"),
    ],
)
def test_games_won_stay_with_their_winners_when_people_are_replaced(people: str, won: str) -> None:
    text = "tally 1\ngame all-fives\nmatch 4 of 5\nmatch-won 2 1 0\nseats Anna Ben Cleo\nhand"
    journal = Journal.begin(read_tally(text, GAMES).opened, GAMES)
    journal = journal.fold(PeopleReplaced(Seats.of(*people.split())))
    match = journal.opened.match
    assert match is not None
    assert " ".join(map(str, match.won.values)) == won
    order = people.split()[::-1]
    journal = journal.fold(Reseat(Seats.of(*order)))
    assert journal.opened.match is not None
    assert " ".join(map(str, journal.opened.match.won.values)) == won[::-1]
    assert journal.fold(Undo()).fold(Undo()).opened.match == MatchGame(
        4, 5, BySeat(Seats.of("Anna", "Ben", "Cleo"), (2, 1, 0))
    )


KEPT = Path(__file__).parents[1] / "kept/format-3/matches/record.db"


def test_kept_games_show_the_right_winner_of_their_match() -> None:
    """The turn order was changed within games 2, 4, 7 and 9, by a program that counted by seat."""
    with Reader.open(KEPT, GAMES) as reader:
        found = {}
        for number in reader.game_numbers():
            journal = reader.game(number)
            if journal is not None and (match := journal.opened.match):
                stands = match.after(journal.state)
                won = {str(side[0]): games for side, games in stands.won.items()}
                found[number] = won, stands.winner
    assert found[2] == ({"Bob_B": 0, "Ann": 2}, ("Ann",))
    assert found[4] == ({"Bob_B": 1, "Åsa": 0, "Ann": 1}, None)
    assert found[7] == ({"Bob_B": 0, "Åsa": 0, "李": 0, "Ann": 2}, None)
    assert found[11] == ({"Bob_B": 1, "Åsa": 1}, None), "partners stay partners"


# ---------------------------------------------------------------- whole matches


NAMES = ("Anna", "Ben", "Cleo", "Dan")
Side = frozenset[str]


@dataclass
class Referee:
    """A match as people keep it: on a list of the winners of each game. A side has the games that
    all its players have won."""

    of: int
    games: list[Side] = field(default_factory=list)

    def won(self, side: Side) -> int:
        return min(sum(name in winners for winners in self.games) for name in side)

    def leaders(self, sides: list[Side]) -> list[Side]:
        most = max(map(self.won, sides))
        return [side for side in sides if self.won(side) == most]

    def winner(self, sides: list[Side]) -> Side | None:
        first, *others = self.leaders(sides)
        enough = 2 * self.won(first) > self.of or len(self.games) >= self.of
        return first if enough and not others else None


def sides_of(order: list[str], partners: bool) -> list[Side]:
    """The sides in that turn order."""
    if partners:
        return [frozenset(order[0::2]), frozenset(order[1::2])]
    return [frozenset({name}) for name in order]


def kept_and_read(journal: Journal[Any], path: Path) -> Journal[Any]:
    """The game as another program reads it from a record, and from the tally of that."""
    with closing(Store.open(path, GAMES)) as store:
        number = store.next_game_number()
        store.keep(number, journal.opened)
        for entry in journal.entries:
            store.keep(number, Step((entry,)))
        kept = store.game(number)
    assert kept is not None
    *_, last = play_tally(read_tally(format_tally(kept), GAMES), GAMES)
    return last.journal


@pytest.mark.parametrize("of", [3, 5])
@pytest.mark.parametrize(("players", "partners"), [(2, False), (3, False), (4, False), (4, True)])
def test_a_match_is_won_by_players_wherever_they_sat(
    players: int, partners: bool, of: int, tmp_path: Path
) -> None:
    longest = 0
    for seed in range(12):
        chance, referee = Random(seed), Referee(of)
        rules, given = GAMES["all-fives"], {"match": str(of), "target": "100"}
        options = settle_options(rules, players, given | ({"partners": "on"} if partners else {}))
        opened: GameOpened = GameOpened("all-fives", Seats.of(*NAMES[:players]), options)
        for _ in range(60):
            order = list(map(str, opened.seats))
            journal = Journal.begin(opened, GAMES)
            winner = chance.choice(order)
            lines = [f"hand lead {winner}", *[f"{winner} points 35"] * 3]
            if leaves := chance.random() < 0.2:
                lines[-1] = "end late"
            for line in lines:
                if chance.random() < 0.2:
                    chance.shuffle(order)
                    with suppress(RuleError):
                        journal = journal.fold(Reseat(Seats.of(*order)))
                order = list(map(str, journal.opened.seats))
                entry = parse_entry(line, rules, journal.opened.seats)
                journal = journal.fold(Step((entry,)))
            sides = sides_of(order, partners)
            if not leaves:
                referee.games.append(next(side for side in sides if winner in side))
            if chance.random() < 0.1:
                journal = kept_and_read(journal, tmp_path / f"{seed}.db")
            match, state = journal.opened.match, journal.state
            assert match is not None
            stands = match.after(state)
            assert {frozenset(side): games for side, games in stands.won.items()} == {
                side: referee.won(side) for side in sides
            }
            decided = referee.winner(sides) if not leaves else None
            assert match.decided(state) == (decided is not None)
            assert decided is None or frozenset(stands.winner or ()) == decided
            level = len(referee.games) >= of and referee.winner(sides) is None
            assert set(map(frozenset, stands.level)) == set(referee.leaders(sides) if level else ())
            opened = rematch(journal, 1, None)
            if decided is not None:
                assert dict(opened.words).keys().isdisjoint({"match", "match-won"})
                break
            assert opened.match is not None
            assert opened.match.number == len(referee.games) + 1
        else:
            pytest.fail("nobody wins this match")
        longest = max(longest, len(referee.games))
    assert longest >= of
