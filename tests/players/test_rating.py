"""Ratings compared with those of a library that computes the same."""

from random import Random

import pytest

from companion.players.rating import MEAN, SPREAD, Rating, rate, ratings_of
from companion.players.statistics import GameResult
from companion.record.people.people import People
from tests.players.builder import at, game

SEEDS = range(40)


@pytest.mark.openskill
@pytest.mark.parametrize("seed", SEEDS)
def test_ratings_equal_those_of_another_library(seed: int) -> None:
    from openskill.models import PlackettLuce

    random = Random(seed)
    ours = [Rating() for _ in range(6)]
    model = PlackettLuce()
    theirs = [model.rating() for _ in ours]
    for _ in range(30):
        many = random.randint(2, 6)
        who = random.sample(range(6), many)
        places = [random.randint(1, many) for _ in who]
        new = rate([ours[one] for one in who], places)
        rated = model.rate([[theirs[one]] for one in who], ranks=[float(one) for one in places])
        for one, mine, (other,) in zip(who, new, rated, strict=True):
            ours[one], theirs[one] = mine, other
        assert [one.mean for one in ours] == pytest.approx([one.mu for one in theirs], rel=1e-9)
        assert [one.spread for one in ours] == pytest.approx(
            [one.sigma for one in theirs], rel=1e-9
        )


def test_a_win_raises_the_rating_and_a_game_lowers_every_spread() -> None:
    winner, loser = rate([Rating(), Rating()], [1, 2])
    assert winner.mean > MEAN > loser.mean
    assert max(winner.spread, loser.spread) < SPREAD


def test_rating_a_game_needs_two_players_and_a_place_for_each() -> None:
    with pytest.raises(ValueError, match="two players"):
        rate([Rating()], [1])
    with pytest.raises(ValueError, match="place"):
        rate([Rating(), Rating()], [1])


def test_games_are_rated_in_order_and_each_kind_separately() -> None:
    games = [
        game(1, at(20), seats=("Ada", "Bo", "Cy"), winners=("Ada",)),
        game(2, at(21), seats=("Bo", "Red"), winners=("Bo",)),
        game(3, at(22), result=GameResult.OPEN),
        game(4, at(23), result=GameResult.WITHDRAWN),
    ]
    games[0].scores.update(Bo=90, Cy=40)  # type: ignore[attr-defined]
    found = ratings_of(games, People())
    assert found.keys() == {"high-five"}
    first = rate([Rating()] * 3, [1, 2, 3])
    second = rate([first[1], Rating()], [1, 2])
    rated = found["high-five"]
    assert {name: one.games for name, one in rated.items()} == {"Ada": 1, "Bo": 2, "Cy": 1}
    assert [rated[name].rating for name in ("Ada", "Bo", "Cy")] == [first[0], second[0], first[2]]
    assert "Bo" not in ratings_of(games, People(hidden=frozenset({"Bo"})))["high-five"]


def test_a_game_with_one_person_on_two_seats_is_not_rated() -> None:
    assert ratings_of([game(1, at(20))], People({"Ada": "Bo"})) == {}
