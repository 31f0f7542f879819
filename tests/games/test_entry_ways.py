"""The three ways of entering a play agree."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import RuleError
from companion.games.bogus.calls import chips_of
from companion.games.game import AmbiguousEntry, AnyState, Entry, parse_entry
from companion.games.line.line import MAX_LINES, CandidateLines, End, Line, TilePlayed
from tests.catalog import GAMES
from tests.playing import counted_in, table
from tests.random_games import Played, by_count, by_ends, play_game
from tests.sampling import examples

Seeds = st.integers(0, 2**32)


def replayed(played: Played, entries: list[Entry], name: str) -> list[AnyState]:
    state = table(" ".join(played[0][1].seats), name).state
    states = []
    for entry in entries:
        state = GAMES[name].apply(state, entry)
        states.append(state)
    return states


@settings(max_examples=examples(40))
@given(Seeds, st.integers(2, 4), st.sampled_from(["high-five", "five-up"]))
def test_entry_by_tile_ends_or_count_gives_the_same_result(
    seed: int, players: int, name: str
) -> None:
    played = play_game(Random(seed), players, name)
    for way in (by_ends, by_count):
        for (_, by_tile), other in zip(played, replayed(played, way(played), name), strict=True):
            assert other.scores == by_tile.scores
            assert other.effect.payments == by_tile.effect.payments
            assert other.effect.points == by_tile.effect.points
            assert (other.winner, other.board.next_lead) == (
                by_tile.winner,
                by_tile.board.next_lead,
            )
            if other.board.hand is not None:
                assert len(other.board.hand.line.possible) <= MAX_LINES


@settings(max_examples=examples(30))
@given(Seeds, st.integers(2, 4), st.sampled_from(["high-five", "five-up"]))
def test_open_ends_show_every_place_to_play(seed: int, players: int, name: str) -> None:
    played = play_game(Random(seed), players, name)
    for entries in ([entry for entry, _ in played], by_ends(played), by_count(played)):
        for (_, by_tile), other in zip(played, replayed(played, entries, name), strict=True):
            hand = other.board.hand
            if hand is None or hand.line.lost or hand.line.known_ends is None:
                continue
            line = by_tile.board.hand.line.single
            fits = {place.pips for place in line.places}
            besides = hand.line.uncounted_pips()
            assert fits <= {*hand.line.known_ends, *(pips for pips, _ in besides)}
            assert {pips for pips, sure in besides if sure} <= fits
            if hand.line.single:
                assert besides == tuple((pips, True) for pips in sorted(fits - {*line.ends}))


def test_a_tile_that_fits_only_some_candidate_lines_is_marked() -> None:
    covered = Line(5, End(0, double=False), End(3, double=False))
    plain = Line(None, End(0, double=False), End(3, double=False))
    both = CandidateLines(((covered, 0), (plain, 0)), known_ends=(0, 3))
    assert both.uncounted_pips() == ((5, False),)
    assert CandidateLines(((covered, 0),), known_ends=(0, 3)).uncounted_pips() == ((5, True),)
    assert CandidateLines((), known_ends=(0, 3)).uncounted_pips() == ()


@settings(max_examples=examples(30))
@given(Seeds, st.randoms(use_true_random=False))
def test_ways_of_entry_can_change_at_any_time(seed: int, random: Random) -> None:
    """Mixed ways give the same scores as entering tiles; if they leave a play ambiguous, there is a
    question."""
    played = play_game(Random(seed))
    ways = [[entry for entry, _ in played], by_ends(played), by_count(played)]
    state = table().state
    game = GAMES["high-five"]
    for at, (_, by_tile) in enumerate(played):
        entry = random.choice(ways)[at]
        if isinstance(entry, TilePlayed) and entry.halves and entry.arm:
            entry = TilePlayed(entry.seat, entry.halves, ends=counted_in(by_tile).ends)
        state = game.apply(state, entry)
        assert state.scores == by_tile.scores


@settings(max_examples=examples(30))
@given(Seeds, st.integers(2, 4), st.sampled_from(["high-five", "five-up"]))
def test_every_random_game_obeys_the_invariants(seed: int, players: int, name: str) -> None:
    """All chips stay in the game, scores only rise, and every line reads back."""
    game, scores = GAMES[name], None
    for entry, state in play_game(Random(seed), players, name):
        assert parse_entry(str(entry), game, state.seats) == entry
        chips = chips_of(state)
        if chips is not None:
            for _, stock in chips.stocks.items():
                there = dict(stock.away)
                assert {v: n + there[v] for v, n in stock.home} == {10: 10, 5: 10}
                assert sum(v * n for v, n in stock.home) == stock.points
        if scores is not None:
            assert all(a <= b for a, b in zip(scores.values, state.scores.values, strict=True))
        scores = state.scores


def test_a_later_tile_decides_between_the_lines_that_explain_a_count() -> None:
    said = table().say("hand\nRed count 12\nBlue count 15\nRed count 7")
    assert counted_in(said.state).ends is not None or len(said.state.board.hand.line.possible) > 1
    said.say("Blue 4-4 count 11")
    assert counted_in(said.state).count == 11


def test_a_count_that_no_tile_makes_is_refused() -> None:
    with pytest.raises(RuleError, match="No tile makes the count 40"):
        table().say("hand\nRed 6-6\nBlue count 40")


def test_a_tile_after_counts_is_ambiguous_only_if_the_count_differs() -> None:
    said = table().say("hand\nRed 6-6\nRed out\nBlue pips 0\nhand\nRed count 10")
    with pytest.raises(AmbiguousEntry) as question:
        said.say("Blue 5-4")
    choices = question.value.choices
    assert [(choice.makes.ends, choice.makes.count) for choice in choices] == [
        ((4, 5, 5), 14),
        ((5, 6), 11),
    ]
    assert said.say(str(choices[0].entry)).state.board.hand.line.single is not None


def test_a_tile_with_the_same_count_on_every_line_is_not_ambiguous() -> None:
    said = table().say("hand\nRed 6-6\nBlue count 15\nRed count 7\nBlue count 8\nRed 4-4")
    assert counted_in(said.state).count is not None
