"""Every count compared with a slow, obvious recount, in random games of every kind."""

from random import Random
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json, replay
from companion.core.seats import Seat, Seats
from companion.games.entries import TilesDrawn, TurnPassed
from companion.games.game import parse_entry
from companion.games.line.hand import hand_of
from companion.games.round import Round, Stage
from companion.players.statistics import Count, Maximum, SeatCounts
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Step
from companion.record.tally import read_tally
from tests.catalog import GAMES
from tests.games.others.players import PLAYERS, tally
from tests.players.recount import Recount, recount
from tests.random_games import Evening, Players, by_count, by_ends

NAMES = ("Ada", "Bo", "Cy", "Di")
RECOUNTED = frozenset({*Count} - {Count.OPEN_PLAYS, Count.OPEN_BEST, Count.OPEN_MADE})
"""The counts that `recount` covers. The others are counted from the tiles really held, in
test_the_best_open_count_matches_the_tiles_that_were_really_held."""


def journal_of(name: str, seats: Seats, entries: list[Any], given: dict[str, str]) -> Journal[Any]:
    return Journal.begin(GameOpened(name, seats, given), GAMES).fold(Step(tuple(entries)))


def counted(journal: Journal[Any]) -> dict[str, SeatCounts]:
    of = {str(seat): SeatCounts() for seat in journal.opened.seats}
    CATALOG.statistics[journal.opened.game].count(journal, of)
    return of


def assert_recounted(journal: Journal[Any]) -> dict[str, Recount]:
    found, told = counted(journal), game_json(CATALOG, journal)
    expected = recount(told)
    for seat, mine in found.items():
        other = expected[seat]
        counts = {str(name): mine[name] for name in RECOUNTED}
        assert counts == {name: other.counts[name] for name in counts}
        tops = {best: top.value for best, top in mine.tops.items()}
        expect = {
            Maximum.BIGGEST: other.biggest,
            Maximum.RUN: other.run,
            Maximum.LEVEL: other.level,
        }
        assert tops == {best: value for best, value in expect.items() if value}
        assert mine.paid_by == dict(other.paid_by)
        assert mine.combinations == dict(other.combinations)
        for top in mine.tops.values():
            assert told["entries"][top.entry - 1]["seat"] == seat
        assert SeatCounts.from_json(mine.as_json) == mine
    return expected


class Cheating(Evening):
    """A game with bogus plays, but none before the lead, as the rules refuse that."""

    def take_turn(self, players: Players, seat: Seat) -> None:
        cheating = self.cheating
        self.cheating = cheating if players.line else 0.0
        super().take_turn(players, seat)
        self.cheating = cheating


def played(name: str, players: int, seed: int, *, cheating: float, calling: float) -> Evening:
    rounds = any(option.name == "rounding" for option in GAMES[name].options)
    options = {"rounding": "up"} if seed % 2 and rounds else {}
    if name == "domino":
        options = {"set": "individual"}  # the recount knows no partners
    evening = Cheating(
        Random(seed), name, Seats.of(*NAMES[:players]), options, cheating=cheating, calling=calling
    )
    while not evening.state.finished and len(evening.played) < 400:
        evening.play_hand()
    return evening


@pytest.mark.sampled(1, of="seed")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "name", ["high-five", "five-up", "all-fives", "fives-and-threes", "domino"]
)
def test_counts_of_line_games_match_a_recount(name: str, players: int, seed: int) -> None:
    cheats = 0.1 if name == "high-five" and seed % 3 else 0.0
    evening = played(name, players, seed, cheating=cheats, calling=cheats * 2)
    options = (option.name for option in GAMES[name].options)
    given = {option: str(evening.state.options[option]) for option in options}
    entries = [entry for entry, _ in evening.played]
    found = assert_recounted(journal_of(name, evening.state.seats, entries, given))
    assert all(one.counts["lays"] for one in found.values())
    if not cheats:  # the same game, told in other ways, gives the same counts
        for said in (by_ends(evening.played), by_count(evening.played)):
            assert_recounted(journal_of(name, evening.state.seats, said, given))


def test_the_random_games_contain_everything_that_is_counted() -> None:
    seen: set[str] = set()
    for seed in range(1, 6):
        evening = played("high-five", 2 + seed % 3, seed, cheating=0.1, calling=0.2)
        entries = [entry for entry, _ in evening.played]
        journal = journal_of("high-five", evening.state.seats, entries, {})
        seen |= {str(name) for one in counted(journal).values() for name, n in one.counts.items()}
    others = {Count.CAPTURES, Count.CAPTURING_TURNS, Count.LEVELS}
    others |= {Count.MATCHES, Count.MATCHES_WON}
    assert seen == {*Count} - others


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("name", "players"), [(name, players) for name in PLAYERS for players in GAMES[name].players]
)
def test_counts_of_other_games_match_a_recount(name: str, players: int, seed: int) -> None:
    lines = PLAYERS[name](Random(seed), players)
    journal, _, stopped = replay(read_tally(tally(name, players, lines), GAMES), GAMES)
    assert stopped is None
    assert_recounted(journal)


class Watched(Evening):
    """An honest game that records for every play the best possible score, and the actual one. After
    a draw, a seat's earlier notes of the hand are dropped, as what it held before is unknown.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.noted: dict[tuple[int, Seat], list[tuple[int, int]]] = {}
        """Of each hand and seat, a pair for each lay: (the most that was open, what was made)."""

    def take_turn(self, players: Players, seat: Seat) -> None:
        key = hand_of(self.state).round.number, seat
        lays = players.lays(seat)
        while not lays and players.boneyard:
            self.draw_or_pass(TilesDrawn(seat), bogus=False)
            players.holds[seat].append(players.boneyard.pop())
            lays, self.noted[key] = players.lays(seat), []
        if not lays:
            self.draw_or_pass(TurnPassed(seat), bogus=False)
            return
        counts = [after.open_count for _, after, _ in lays]
        tile, players.line, laid = self.random.choice(lays)
        players.holds[seat].remove(tile)
        self.say(laid)
        most = max((count for count in counts if count % 5 == 0), default=0)
        self.noted.setdefault(key, []).append((most, self.state.effect.points))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("name", "players"), [("high-five", 2), ("five-up", 2), ("five-up", 3)])
def test_the_best_open_count_matches_the_tiles_that_were_really_held(
    name: str, players: int, seed: int
) -> None:
    """Compares with the tiles that the players really held."""
    game = Watched(Random(seed), name, Seats.of(*NAMES[:players]), {})
    for _ in range(3):
        game.play_hand()
    found = counted(journal_of(name, game.state.seats, [e for e, _ in game.played], {}))
    hands = last_of_each_hand(game)
    for seat in game.state.seats:
        known = [
            (most, made)
            for (number, whose), noted in game.noted.items()
            for most, made in noted
            if whose == seat and most and knows_holding(hands[number], seat)
        ]
        mine = found[seat]
        expected = len(known), sum(most for most, _ in known), sum(made for _, made in known)
        assert (mine[Count.OPEN_PLAYS], mine[Count.OPEN_BEST], mine[Count.OPEN_MADE]) == expected


def last_of_each_hand(game: Watched) -> dict[int, Round]:
    return {hand_of(after).round.number: hand_of(after).round for _, after in game.played}


def knows_holding(now: Round, seat: Seat) -> bool:
    """Whether the hand is settled, and the seat's holding at its end is known: it showed its tiles
    or is out."""
    shown = now.shown[seat]
    told = now.out == seat or (shown is not None and shown.tiles is not None)
    return now.stage is Stage.OVER and told


def test_partners_of_the_winner_do_not_lose_and_uncalled_scores_do_not_count() -> None:
    journal = Journal.begin(
        GameOpened("all-fives", Seats.of(*NAMES), {"partners": "on", "called": "lost"}), GAMES
    )
    lines = "hand lead Ada/Ada 5-5/Ada not-called/Bo 5-0/blocked/Ada pips 1/Bo pips 9"
    for line in f"{lines}/Cy pips 2/Di pips 9".split("/"):
        journal = journal.fold(Step((parse_entry(line, journal.game, journal.opened.seats),)))
    of = counted(journal)
    assert [of[name][Count.LOST] for name in NAMES] == [0, 1, 0, 1]
    assert [of[name][Count.POINTS] for name in NAMES] == [0, 10, 0, 0]
    assert [of[name][Count.SCORING] for name in NAMES] == [0, 1, 0, 0]


def test_the_best_open_score_is_counted_in_the_configured_unit() -> None:
    journal = Journal.begin(
        GameOpened("all-fives", Seats.of("Ada", "Bo"), {"unit": "fives", "target": 61}), GAMES
    )
    for line in ["hand", "Ada 5-5", "blocked", "Ada holds 1-0", "Bo holds 5-0 6-0"]:
        journal = journal.fold(Step((parse_entry(line, journal.game, journal.opened.seats),)))
    journal = journal.fold(
        Step(
            tuple(
                parse_entry(line, journal.game, journal.opened.seats)
                for line in ("hand", "Ada 5-5")
            )
        )
    )
    for entry in ("Bo 5-0", "blocked", "Ada holds 1-0", "Bo holds 6-0 5-1 1-1 2-2 3-3 4-4"):
        journal = journal.fold(Step((parse_entry(entry, journal.game, journal.opened.seats),)))
    of = counted(journal)
    assert (of["Bo"][Count.OPEN_MADE], of["Bo"][Count.OPEN_BEST]) == (2, 2)
