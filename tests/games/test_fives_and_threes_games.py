"""Random games of Fives and Threes against a simulator that shares no code with the rules: the
scores after every entry, the winner, and the record's verdict on every call."""

import pytest

from companion.core.seats import Seats
from companion.games.bogus.calls import judged_claim, ruling_of
from companion.games.game import AnyState, parse_entry, settle_options
from tests.catalog import GAMES
from tests.games.fives_and_threes_players import SETS, Game

RULES = GAMES["fives-and-threes"]
CASES = [(named, seed) for named in SETS for seed in range(1000)]


def played(game: Game) -> list[AnyState]:
    """The state after each line; checks scores and winners against the simulator's."""
    seats = Seats.of(*game.names)
    state = RULES.start(seats, settle_options(RULES, len(seats), game.options))
    states = []
    for told in game.lines:
        state = RULES.apply(state, parse_entry(told.text, RULES, seats))
        assert state.scores.values == told.scores, told.text
        assert set(state.winners) == set(told.won), told.text
        states.append(state)
    return states


@pytest.mark.sampled(20, of="seed")
@pytest.mark.parametrize(("named", "seed"), CASES)
def test_scores_equal_those_of_the_simulator_after_every_entry(named: str, seed: int) -> None:
    """Half of the games have some house rules changed."""
    game = Game(seed, named, changes=0.3 * (seed % 2))
    states = played(game)
    rulings = [ruling for state in states if (ruling := ruling_of(state)) is not None]
    assert [ruling.result == "bogus" for ruling in rulings] == game.guilty
    assert all(ruling.by == "record" for ruling in rulings)


WAYS = [(said, seed) for said in ("tile", "ends", "count", "mixed") for seed in range(500)]


@pytest.mark.sampled(8, of="seed")
@pytest.mark.parametrize(("said", "seed"), WAYS)
def test_no_verdict_is_false_however_plays_are_entered(said: str, seed: int) -> None:
    """If the record can't decide, the table rules truthfully."""
    game = Game(f"disputes {seed}", "K", said=said)
    seats, truth = Seats.of(*game.names), iter(game.guilty)
    state = RULES.start(seats, settle_options(RULES, len(seats), game.options))
    claim = None
    for told in game.lines:
        state = RULES.apply(state, parse_entry(told.text, RULES, seats))
        claim = judged_claim(state) or claim
        if " holds" not in told.text:
            continue
        guilty = next(truth)
        assert claim is not None
        kind = claim.claim.verdict.kind
        assert kind in ("possible", "proven" if guilty else "excluded"), told.text
        if kind == "possible":
            verdict = "bogus" if guilty else "clear"
            text = f"rule {claim.claim.accused} {verdict}"
            state = RULES.apply(state, parse_entry(text, RULES, seats))
        assert state.scores.values == told.scores, told.text
