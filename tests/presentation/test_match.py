"""Matches in a moment: the number of the game, the games won, and the next game."""

from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.presentation.moment import Moment, describe
from companion.record.tally import TallyError, play_tally, read_tally
from tests.catalog import GAMES

WINS = (
    "hand lead Anna\nAnna 5-5\nBen 5-0\nblocked\nAnna pips 3\nBen pips 60\nCleo pips 2\nDan pips 45"
)


def told(match: str, won: str, text: str) -> Any:
    head = f"tally 1\ngame all-fives\nmatch {match}\nmatch-won {won}\nseats Anna Ben Cleo Dan"
    options = "option match 3\noption partners on\noption target 100"
    *_, last = play_tally(read_tally(f"{head}\n{options}\n{text}", GAMES), GAMES)
    return describe(Moment(CATALOG, last.journal, 7, 4))


def games_won(moment: Any) -> list[str | None]:
    labels = (seat["labels"].get("games") for seat in moment["seats"])
    return [label and label["words"] for label in labels]


def test_a_match_game_shows_its_number_and_the_games_won() -> None:
    moment = told("2 of 3", "1 0 1 0", "hand lead Anna\nAnna 5-5")
    assert moment["match"]["said"]["words"] == "Match: game 2 of 3"
    assert (moment["match"]["decided"], moment["match"]["next"]) == (False, None)
    assert games_won(moment) == ["1 game won", None, "1 game won", None]


def test_the_end_of_a_game_names_the_next_game_of_the_match() -> None:
    moment = told("2 of 3", "0 1 0 1", WINS)
    assert moment["match"]["next"]["words"] == "Game 3 of 3"
    assert games_won(moment) == ["1 game won"] * 4
    assert moment["asked"]["words"] == "Anna and Cleo won together"


def test_the_winner_of_most_games_wins_the_match() -> None:
    moment = told("2 of 3", "1 0 1 0", WINS)
    assert (moment["match"]["decided"], moment["match"]["next"]) == (True, None)
    assert games_won(moment) == ["2 games won", None, "2 games won", None]
    assert moment["asked"]["words"] == "Anna and Cleo won the match"


def test_a_game_that_nobody_won_is_played_again() -> None:
    moment = told("2 of 3", "1 0 1 0", "hand lead Anna\nend late")
    assert moment["match"]["next"]["words"] == "Game 2 of 3"


def three(match: str, won: str, players: str = "Anna Ben Cleo") -> Any:
    """The moment in which Cleo has won a game of a match."""
    head = f"tally 1\ngame all-fives\nmatch {match}\nmatch-won {won}\nseats {players}"
    text = "hand lead Cleo\n" + "Cleo points 35\n" * 3
    *_, last = play_tally(read_tally(f"{head}\noption target 100\n{text}", GAMES), GAMES)
    return describe(Moment(CATALOG, last.journal, 7, 4))


def test_a_match_goes_on_after_three_seats_won_a_game_each() -> None:
    moment = three("3 of 3", "1 1 0")
    match = moment["match"]
    assert (match["decided"], match["winners"]) == (False, [])
    assert match["level"] == ["Anna", "Ben", "Cleo"]
    assert match["next"]["words"] == "Extra game 1"
    level = "Anna, Ben and Cleo are level in the match: play on until one leads"
    assert moment["asked"]["words"] == level
    moment = three("4 of 3", "1 1 1")
    assert moment["match"]["said"]["words"] == "Match: extra game 1"
    assert (moment["match"]["decided"], moment["match"]["winners"]) == (True, ["Cleo"])


def test_a_tied_match_goes_on() -> None:
    match = three("5 of 5", "2 2 0")["match"]
    assert match["level"] == ["Anna", "Ben"]
    assert (match["decided"], match["won"]) == (False, {"Anna": 2, "Ben": 2, "Cleo": 1})


def test_the_leader_wins_the_match_not_the_winner_of_the_last_game() -> None:
    moment = three("5 of 5", "2 1 0 1", "Anna Ben Cleo Dan")
    assert (moment["winners"], moment["match"]["winners"]) == (["Cleo"], ["Anna"])
    assert moment["asked"]["words"] == "Anna won the match"


@pytest.mark.parametrize(
    ("match", "options", "wrong"),
    [
        ("match 2 of 3", "option match 5", "3: “match 2 of 3” is a game of a match of 3"),
        ("match 10 of 5", "", "3: a match of 5 games has no game 10"),
        ("match 2 of 4", "", "3: a game of a match is written “match 2 of 3”"),
        ("match 2", "", "3: a game of a match is written “match 2 of 3”"),
        ("match 2 of 3\nmatch-won 1 0 0", "", "3: the games won before are written"),
        ("match 2 of 3\nmatch-won 1 x", "", "3: the games won before are written"),
    ],
)
def test_contradictory_match_lines_are_refused(match: str, options: str, wrong: str) -> None:
    with pytest.raises(TallyError) as refused:
        read_tally(f"tally 1\ngame all-fives\n{match}\nseats Anna Ben\n{options}\nhand", GAMES)
    assert str(refused.value).startswith(wrong)


@pytest.mark.parametrize("options", ["", "option match 3", "option set W", "option set R"])
def test_the_tally_line_of_a_match_has_its_number_of_games(options: str) -> None:
    text = f"tally 1\ngame all-fives\nmatch 2 of 3\nseats Anna Ben\n{options}\nhand"
    opened = read_tally(text, GAMES).opened
    assert opened.options["match"] == 3
    assert opened.match is not None
    assert (opened.match.number, opened.match.of) == (2, 3)


def test_a_match_of_partners_has_one_total_per_side() -> None:
    text = "tally 1\ngame all-fives\nmatch 2 of 3\nmatch-won 1 0\nseats A B C D\noption partners on"
    opened = read_tally(text, GAMES).opened
    assert dict(opened.words)["match-won"] == "1 0 1 0"
