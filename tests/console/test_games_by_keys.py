"""Whole games, keyed on the box, lead to the same scores as the rules alone."""

from random import Random

import pytest

from companion.games.chips import STOCK_POINTS
from tests.console.rig import Rig
from tests.console.typist import WAYS, Typist, type_game
from tests.manual.reading import in_a_line, reads
from tests.random_games import play_game


@pytest.mark.sampled(4)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_hand_of_high_five_is_played_with_keys(players: int, way: str) -> None:
    rig, expected = type_game(players, players, way)
    assert not rig.refused
    assert rig.state.scores == expected.scores
    assert rig.state.winner == expected.winner is not None
    chips = rig.view.chips
    assert chips is not None
    assert all(
        sum(v * (n + m) for (v, n), (_, m) in zip(stock.home, stock.away, strict=True))
        == STOCK_POINTS
        for stock in chips.stocks.values
    )
    assert rig.name() in ("LastPayment", "GameOver")


@pytest.mark.parametrize("way", WAYS)
def test_five_up_is_played_on_the_screens_of_high_five(way: str) -> None:
    rig, expected = type_game(5, 3, way, "five-up")
    assert rig.state.scores == expected.scores
    assert rig.state.winner == expected.winner


def test_five_up_names_no_shuffler_between_hands() -> None:
    """The rules of Five Up don't say who shuffles."""
    rig = Rig()
    typist = Typist(rig.press(f"{list(rig.games).index('five-up') + 1} 2 1 OK"), "tile")
    played = iter(play_game(Random(4), 2, "five-up"))
    while rig.name() != "BetweenHands" or rig.view.game.length < 2:
        typist.enter(*next(played))
    assert rig.state.board.next_lead in rig.state.seats, "the hand was dominoed"
    assert in_a_line(rig.frame, "OK: deal")
    assert not reads(rig.frame, "shuffles.")
