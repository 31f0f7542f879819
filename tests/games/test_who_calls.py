"""Which seats may call a bogus play: rules, box, keypads and phones agree, and respect sides."""

import pytest

from companion.core.seats import Seat, Seats
from companion.games.bogus.calls import judged_claim, may_call, turns_to_call, usual_caller
from companion.games.game import parse_entry
from companion.presentation.line.keys import LINE_KEYS
from companion.record.rows import GameOpened
from companion.record.tally import play_tally, read_tally
from tests.catalog import GAMES
from tests.playing import TextGame, refused, table

PASSED = "hand lead Anna\nAnna 6-6\nBen pass"


def partners(seats: str = "Anna Ben Cleo Dan", **options: str) -> TextGame:
    return table(seats, "all-fives", set="R", partners="on", **options)


def caller(said: TextGame) -> str:
    claim = judged_claim(said.state)
    assert claim is not None
    return claim.claim.by


def test_a_seat_cannot_call_its_own_side() -> None:
    state = partners().say(PASSED).state
    assert may_call(state, Seat("Ben")) == ("Cleo", "Anna")
    assert turns_to_call(state, Seat("Dan")) == ()
    assert len(turns_to_call(state, Seat("Anna"))) == len(turns_to_call(state)) == 1
    assert refused(partners().say(PASSED), "bogus Ben by Dan") == "Dan can't call its own side"


@pytest.mark.parametrize(("accused", "usual"), [("Ben", "Cleo"), ("Cleo", "Dan"), ("Dan", "Anna")])
def test_a_call_that_names_no_caller_is_never_attributed_to_the_partner(
    accused: str, usual: str
) -> None:
    said = partners().say("hand lead Anna\nAnna 6-6\nBen pass\nCleo pass\nDan pass")
    assert caller(said.say(f"bogus {accused}")) == usual


@pytest.mark.parametrize("seats", ["Anna Ben", "Anna Ben Cleo", "Anna Ben Cleo Dan"])
def test_without_chips_the_next_seat_is_the_usual_caller(seats: str) -> None:
    said = table(seats, "all-fives", set="R").say(PASSED)
    assert caller(said.say("bogus Ben")) == ("Cleo" if "Cleo" in seats else "Anna")


def test_with_chips_the_usual_caller_is_the_seat_that_the_accused_pays() -> None:
    said = table("Anna Ben Cleo Dan").say("hand\nAnna 6-6\nBen draw")
    assert may_call(said.state, Seat("Ben"))[0] == usual_caller(said.state, Seat("Ben")) == "Dan"
    assert caller(said.say("bogus Ben")) == "Dan"


def test_a_game_begun_under_older_rules_keeps_its_callers() -> None:
    old = f"""tally 1
rules 2
game all-fives
seats Anna Ben Cleo Dan
option set R
option partners on

{PASSED}
bogus Ben
rule Ben clear
Cleo 6-5
"""
    tally = read_tally(old, GAMES)
    played = list(play_tally(tally, GAMES))
    claim = judged_claim(played[3].journal.states[3])
    assert claim is not None
    assert claim.claim.by == "Dan"
    assert len(played) == 6, "it replays to its end"
    now = list(play_tally(read_tally(old.replace("rules 2\n", ""), GAMES), GAMES))
    claim = judged_claim(now[3].journal.states[3])
    assert claim is not None
    assert claim.claim.by == "Cleo"


def test_phones_do_not_offer_to_call_a_partner() -> None:
    state = partners().say(PASSED).state
    acts = LINE_KEYS.acts(GAMES["all-fives"], state, {})
    assert {str(act.entry) for act in acts if act.name == "bogus"} == {
        "bogus Ben by Anna",
        "bogus Ben by Cleo",
    }


def test_there_is_no_payee_outside_games_with_chips() -> None:
    assert not hasattr(Seats, "payee_of")
    assert GAMES["all-fives"].chips(partners().state) is None


def test_new_games_have_the_new_rules() -> None:
    seats = Seats.of("Anna", "Ben")
    assert GameOpened("all-fives", seats, {}).rules == 3
    assert parse_entry("bogus Ben", GAMES["all-fives"], seats)
