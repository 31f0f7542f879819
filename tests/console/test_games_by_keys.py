"""Whole games by keys alone come to what the rules alone come to."""

import pytest

from companion.games.chips import STOCK_POINTS
from tests.console.typist import WAYS, type_game


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_high_five(players: int, way: str) -> None:
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
def test_five_up_needs_no_screen_of_its_own(way: str) -> None:
    rig, expected = type_game(5, 3, way, "five-up")
    assert rig.state.scores == expected.scores
    assert rig.state.winner == expected.winner
