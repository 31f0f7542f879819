"""Random games of Dominó against a simulator that shares no code with the rules: the scores after
every entry, the winner, and the record's verdict on every call."""

import pytest

from companion.core.seats import Seats
from companion.games.bogus.calls import judged_claim, ruling_of
from companion.games.game import AmbiguousEntry, AnyState, parse_entry, settle_options
from companion.games.line.hand import hand_of
from companion.games.round import Stage
from tests.catalog import GAMES
from tests.games.domino_players import SETS, Game, SimulatedEntry

RULES = GAMES["domino"]
CASES = [(named, seed) for named in SETS for seed in range(1000)]


class EnteredGame:
    """A random game that is entered line by line."""

    def __init__(self, game: Game) -> None:
        self.seats = Seats.of(*game.names)
        self.state: AnyState = RULES.start(
            self.seats, settle_options(RULES, len(self.seats), game.options)
        )
        self.by_record = self.calls = 0
        shown_early = False
        """Whether a holding shown in a call counts at the end of this hand."""
        for told in game.lines:
            shown_early = shown_early and not told.text.startswith("hand")
            if shown_early and hand_of(self.state).round.stage is Stage.OVER and not told.call:
                continue
            try:
                self.say(told.text)
            except AmbiguousEntry:
                self.say(told.clear)
            if told.call is not None:
                self.answer(told)
                shown_early |= hand_of(self.state).round.stage is not Stage.PLAY
            settled = hand_of(self.state).round.stage is Stage.OVER
            if shown_early and (told.call is None or (settled and not told.call.guilty)):
                continue
            assert self.state.scores.values == told.scores, told.text
            assert set(self.state.winners) == set(told.won), told.text

    def say(self, text: str) -> None:
        self.state = RULES.apply(self.state, parse_entry(text, RULES, self.seats))

    def answer(self, told: SimulatedEntry) -> None:
        """The accused shows its tiles, and the table counts and rules, as far as the record needs
        it. Checks the verdict against the truth."""
        assert told.call is not None
        self.calls += 1
        for at, answer in enumerate(("", *told.call.answers)):
            if answer:
                self.say(answer)
            ruling, claim = ruling_of(self.state), judged_claim(self.state)
            kind = ruling.verdict if ruling is not None else claim and claim.claim.verdict.kind
            assert kind in ("possible", "proven" if told.call.guilty else "excluded"), told.text
            if ruling is not None:
                assert ruling.result == ("bogus" if told.call.guilty else "clear")
                self.by_record += at == 0
                return
        raise AssertionError("the ruling of the table closes every call")


@pytest.mark.sampled(20, of="seed")
@pytest.mark.parametrize(("named", "seed"), CASES)
def test_scores_equal_those_of_the_simulator_after_every_entry(named: str, seed: int) -> None:
    """Half of the games have some house rules changed."""
    EnteredGame(Game(seed, named, changes=0.3 * (seed % 2)))


WAYS = [(said, seed) for said in ("tile", "ends", "count", "mixed") for seed in range(250)]


@pytest.mark.sampled(8, of="seed")
@pytest.mark.parametrize(("said", "seed"), WAYS)
def test_no_verdict_is_false_however_plays_are_entered(said: str, seed: int) -> None:
    """If the record can't decide, the table rules truthfully."""
    EnteredGame(Game(f"disputes {seed}", "home", said=said))
