"""Which scores are possible at the end of a game, by each game's rules."""

from fractions import Fraction

import pytest

from companion.app.catalog import CATALOG
from companion.games.game import games_of_match, settle_options


def doubt(game: str, scores: str, time_left: bool = False, **options: str) -> str | None:
    """The game's doubt about these scores."""
    found = [Fraction(one) for one in scores.split()]
    rules = CATALOG.rules[game]
    given = {name.replace("_", "-"): value for name, value in options.items()}
    many = len(found) if len(found) in rules.players else max(rules.players)
    return rules.doubt(found, settle_options(rules, many, given), time_left)


@pytest.mark.parametrize(
    ("game", "scores"),
    [
        ("high-five", "150 50 100 120"), ("high-five", "150 0"), ("high-five", "145 0 5"),
        ("high-five", "0 0"),
        ("five-up", "250 0"), ("five-up", "270 245 100"), ("five-up", "100 95"),
        ("high-fives", "50 30 20"), ("high-fives", "50 31 12"),
        ("highrise", "312 305"), ("highrise", "300 -14 20"), ("highrise", "120 118"),
        ("high-five-tiles", "41 43"),
        ("all-fives", "150 85 40 20"),
    ],
)  # fmt: skip
def test_plausible_results_are_accepted(game: str, scores: str) -> None:
    assert doubt(game, scores) is None


@pytest.mark.parametrize(
    ("game", "scores", "why"),
    [
        ("high-five", "1500 15 -40 12.5", "12.5 is not a multiple of five"),
        ("high-five", "1500 15 40 10", "1500 is more than 150"),
        ("high-five", "150 -40", "-40 is less than 0"),
        ("high-five", "150 150 150 150", "only one can win, and 4 have 150"),
        ("high-five", "1000000000 0", "1000000000 is more than 150"),
        ("high-five", "150 41 20", "41 is not a multiple of five"),
        ("five-up", "250 250", "only one can win, and 2 have 250"),
        ("five-up", "265 255", "only one can win, and 2 have 250"),
        ("five-up", "425 0", "425 is more than 420"),
        ("high-fives", "60 41", "all tiles hold 100 points, not 101"),
        ("high-fives", "50 -1", "-1 is less than 0"),
        ("highrise", "305 305", "only one can win, and 2 have 300"),
        ("highrise", "3000 0", "3000 is more than 1300"),
        ("high-five-tiles", "9999 0", "9999 is more than 502"),
        ("high-five-tiles", "4.5 0", "4.5 is not a whole number"),
        ("all-fives", "151 0", "151 is not a multiple of five"),
    ],
)  # fmt: skip
def test_implausible_results_have_a_reason(game: str, scores: str, why: str) -> None:
    assert doubt(game, scores) == why


def test_house_rules_decide_which_results_are_plausible() -> None:
    assert doubt("five-up", "200 150", target="200") is None
    assert doubt("five-up", "255 250", finish_hand="on") is None
    assert doubt("all-fives", "151 0", rounding="none") is None
    assert doubt("all-fives", "150 -30") == "-30 is less than 0"
    assert doubt("all-fives", "150 -30", could_play="30-or-20%") is None
    assert doubt("all-fives", "2 1", match="3") is None
    assert doubt("all-fives", "150 40", match="3") == "150 is more than 2"
    assert doubt("all-fives", "61 60", target="61", unit="fives") is None
    assert doubt("highrise", "14 -3", target="hand") is None


def test_a_winner_may_be_missing_only_once_the_time_is_up() -> None:
    for game in ("high-five", "five-up", "highrise", "all-fives"):
        assert doubt(game, "50 40") is None
        assert "time is not up" in (doubt(game, "50 40", True) or "")
    assert doubt("high-fives", "50 40", True) is None


def test_impossible_numbers_of_games_won_are_doubted() -> None:
    def said(scores: str, games: int, time_left: bool = False) -> str | None:
        return games_of_match([Fraction(one) for one in scores.split()], games, time_left=time_left)

    assert said("2 1", 3) is said("2 0", 3) is said("1 1 1", 3) is said("1 0", 3) is None
    assert said("3 0", 3) == "3 is more than 2"
    assert said("2 2", 3) == "a match has 3 games, not 4"
    assert said("1 0", 3, True) == "nobody has 2, and time is not up"
    assert said("0.5 1", 3) == "0.5 is not a whole number"


@pytest.mark.parametrize("name", CATALOG)
def test_every_game_explains_an_impossible_result(name: str) -> None:
    assert doubt(name, "1000000000 0") is not None
    assert doubt(name, "0 0") is None
