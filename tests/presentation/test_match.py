"""What pages are told of a match: which game it is, how many each has won, and which comes next."""

from typing import Any

from companion.app.catalog import CATALOG
from companion.presentation.moment import Moment, describe
from companion.record.tally import play_tally, read_tally
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


def test_a_game_of_a_match_says_which_and_who_has_won_one() -> None:
    moment = told("2 of 3", "1 0 1 0", "hand lead Anna\nAnna 5-5")
    assert moment["match"]["said"]["words"] == "Match: game 2 of 3"
    assert (moment["match"]["decided"], moment["match"]["next"]) == (False, None)
    assert games_won(moment) == ["1 game won", None, "1 game won", None]


def test_after_a_game_the_next_one_is_named() -> None:
    moment = told("2 of 3", "0 1 0 1", WINS)
    assert moment["match"]["next"]["words"] == "Game 3 of 3"
    assert games_won(moment) == ["1 game won"] * 4
    assert moment["asked"]["words"] == "Anna and Cleo won together"


def test_who_wins_most_of_the_games_wins_the_match() -> None:
    moment = told("2 of 3", "1 0 1 0", WINS)
    assert (moment["match"]["decided"], moment["match"]["next"]) == (True, None)
    assert games_won(moment) == ["2 games won", None, "2 games won", None]
    assert moment["asked"]["words"] == "Anna and Cleo won the match"


def test_a_game_that_nobody_won_is_played_again() -> None:
    moment = told("2 of 3", "1 0 1 0", "hand lead Anna\nend late")
    assert moment["match"]["next"]["words"] == "Game 2 of 3"
