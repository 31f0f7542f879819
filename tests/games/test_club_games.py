"""Random games of All Fives by every set of house rules: invariants after each entry."""

from random import Random

import pytest

from companion.games.all_fives import SETS
from companion.games.game import AnyState, parse_entry
from companion.games.line.game import LineGame
from companion.games.line.line import TilePlayed
from companion.record.journal import Journal
from companion.record.rows import GameOpened, Redo, Step, Undo
from companion.record.tally import format_tally, play_tally, read_tally
from tests.catalog import GAMES
from tests.club_games import ClubEvening, play_club_game
from tests.playing import counted_in
from tests.random_games import by_count, by_ends

SEEDS = range(20)
EACH = [(named, seed) for named in SETS for seed in SEEDS]
each_game = pytest.mark.parametrize(("named", "seed"), EACH)
RULES = GAMES["all-fives"]


def journal_of(evening: ClubEvening) -> Journal[object]:
    journal = Journal.begin(GameOpened("all-fives", evening.state.seats, evening.given), GAMES)
    for entry, _ in evening.played:
        journal = journal.fold(Step((entry,)))
    return journal


@pytest.mark.sampled(2, of="seed")
@each_game
def test_scores_are_the_sum_of_payments_and_partners_share_a_score(named: str, seed: int) -> None:
    evening, played = play_club_game(seed, named)
    before: AnyState = RULES.start(evening.state.seats, evening.state.options)
    for entry, told in played:
        after = told.whole
        scored = dict.fromkeys(after.seats, 0)
        for paid in after.effect.payments:
            assert paid.payer is None
            for seat in after.side_of(paid.to):
                scored[seat] += paid.points
        changed = {seat: after.scores[seat] - before.scores[seat] for seat in after.seats}
        assert changed == scored, entry
        assert all(len({after.scores[seat] for seat in side}) == 1 for side in after.scorers)
        assert after.winners in ((), *map(tuple, after.scorers))
        _check_win(after)
        before = after


def _check_win(state: AnyState) -> None:
    """Checks that there is no winner without the target, and that a side with the target has won,
    unless the hand has to be finished first."""
    assert isinstance(RULES, LineGame)
    best = max(state.scores.values)
    if state.winners:
        enough = best >= int(state.options["target"]) or state.time_up
        assert enough, "nobody wins with less"
        assert state.scores[state.winners[0]] == best
    elif state.options["finish-hand"] == "off":
        assert best < int(state.options["target"])


@pytest.mark.sampled(2, of="seed")
@each_game
def test_no_count_is_revealed_before_it_is_called(named: str, seed: int) -> None:
    evening, played = play_club_game(seed, named)
    journal = Journal.begin(GameOpened("all-fives", evening.state.seats, evening.given), GAMES)
    before = shown = journal.state
    for entry, told in played:
        journal = journal.fold(Step((entry,)))
        state = journal.state
        assert state.held_back is None
        if told.held_back is not None:
            assert state.winners == before.winners
            assert next(journal.newest_first())[2] == state
            line = state.board.hand.line
            assert (line.known_count, line.parts) == (None, ())
        else:
            assert state == told
        if told.held_back is not None and isinstance(entry, TilePlayed):
            assert state.scores == before.scores
            assert (state.effect.points, state.effect.payments) == (0, ())
            assert (counted_in(state).count, counted_in(state).parts) == (None, ())
        elif told.held_back is not None:  # said before the next player does anything
            assert state.effect.payments == told.whole.effect.payments
            assert {paid.points < 0 for paid in state.effect.payments} <= {True}
            assert all(state.scores[seat] <= shown.scores[seat] for seat in state.seats)
        before, shown = told.whole, state


@pytest.mark.sampled(1, of="seed")
@each_game
def test_a_game_can_be_read_from_its_tally_and_redo_reverses_undo(named: str, seed: int) -> None:
    evening, played = play_club_game(seed, named)
    journal = journal_of(evening)
    *_, last = play_tally(read_tally(format_tally(journal), GAMES), GAMES)
    assert last.journal.entries == journal.entries
    assert last.journal.state == journal.state
    assert journal.whole.state == played[-1][1].whole
    for entry, told in played:
        assert parse_entry(str(entry), RULES, told.seats) == entry
    assert journal.fold(Undo()).fold(Redo()).state == journal.state


@pytest.mark.sampled(1, of="seed")
@each_game
def test_entries_by_ends_and_by_count_have_the_same_result(named: str, seed: int) -> None:
    """Without calls, because a proof depends on the tiles."""
    evening = ClubEvening(Random(seed), named)
    evening.calling = 0.0
    for _ in range(20):
        if not evening.state.whole.finished:
            evening.play_hand()
    whole = [(entry, told.whole) for entry, told in evening.played]
    for entries in (by_ends(whole), by_count(whole)):
        state = RULES.start(evening.state.seats, evening.state.options)
        for entry in entries:
            state = RULES.apply(state, entry)
        assert state.whole.scores == whole[-1][1].scores
        assert state.whole.winners == whole[-1][1].winners
