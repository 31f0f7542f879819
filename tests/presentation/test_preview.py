"""Previews of changes to earlier entries."""

from typing import Any

from companion.app.catalog import CATALOG
from companion.presentation.house_rule_words import progress_json
from companion.presentation.moment import Moment
from companion.presentation.preview import preview
from companion.record.journal import Journal
from companion.record.requests import RequestContext, RequestKind, RowRequest, row_for
from companion.record.tally import play_tally, read_tally
from tests.catalog import GAMES

FORGOTTEN_PASS = """tally 1
game high-five
seats Red Blue
hand
Red 6-6
Blue 6-3
Red draw
Red 3-4
"""
PAID = """tally 1
game high-five
seats Red Blue
hand
Red 6-6
Blue 6-3
Red 6-4
"""


def game(text: str) -> Journal[object]:
    *_, last = play_tally(read_tally(text, GAMES), GAMES)
    return last.journal


def look(
    journal: Journal[object] | None, kind: RequestKind, text: str = "", at: int = 0, **more: int
) -> Any:
    """The preview that a page gets of that request."""
    row = row_for(RowRequest(kind, text, at, **more), RequestContext(journal, 1, GAMES))
    return preview(Moment(CATALOG, journal, 7, 1), row)


def words(told: list[Any]) -> list[str]:
    return [one["words"] for one in told]


def test_undoing_a_payment_returns_its_pieces() -> None:
    told = look(game(PAID), RequestKind.CHANGE, "Blue 6-1", 2)
    moved = told["chips"][0]
    assert moved["words"] == "Blue gives Red back 15"
    assert moved["chips"]["said"]["words"] == "10 + 5"
    assert moved["chips"]["colour"] == "red"
    assert words(told["chips"]) == ["Blue gives Red back 15", "Blue pays Red 5"]
    assert told["scores"] == {"Red": [0, 5], "Blue": [15, 0]}
    assert told["winners"] is None


def test_changed_and_inserted_entries_are_described_like_new_ones() -> None:
    told = look(game(PAID), RequestKind.CHANGE, "Blue 6-1", 2)
    assert words(told["lines"]) == ["Blue lays 6-1"]
    put_in = look(game(FORGOTTEN_PASS), RequestKind.INSERT, "Blue pass", 2)
    assert words(put_in["lines"]) == ["Blue passes"]
    assert look(game(PAID), RequestKind.CHANGE, "", 2)["lines"] == []


def test_partners_share_a_score_in_previews() -> None:
    journal = game(
        "tally 1\ngame all-fives\nseats Anna Ben Cleo Dan\noption partners on\n"
        "hand lead Anna\nAnna 5-5\nBen 5-0\n"
    )
    told = look(journal, RequestKind.UNDO)
    assert told["scores"] == {"Anna + Cleo": [10, 10], "Ben + Dan": [10, 0]}
    assert progress_json(journal)["scores"] == {"Anna": None, "Cleo": 10, "Ben": None, "Dan": 10}


def test_an_inserted_turn_offers_to_move_later_turns() -> None:
    told = look(game(FORGOTTEN_PASS), RequestKind.INSERT, "Blue pass", 2)
    moved, stay = told["later"]
    assert (moved["later_turns"], moved["then"]["words"], moved["asked"]) == (1, "all kept", False)
    assert moved["said"]["words"] == "Move the later turns on by one seat"
    assert (stay["later_turns"], stay["then"]["words"], stay["asked"]) == (0, "3 lost", True)
    on = look(game(FORGOTTEN_PASS), RequestKind.INSERT, "Blue pass", 2, later_turns=1)
    assert on["lost"] is None
    assert on["later"][0]["asked"]
    assert look(game(FORGOTTEN_PASS), RequestKind.CHANGE, "Blue 6-1", 2)["later"] is None


CALLED = """tally 1
game high-five
seats Red Blue
hand
Red 6-6
Blue pass
Red 6-5
Blue 6-3
bogus Blue by Red turn 2
Blue pips 20
"""


def test_a_change_lists_calls_whose_verdict_changes() -> None:
    told = look(game(CALLED), RequestKind.INSERT, "Blue draw", 4)
    assert told["lost"] is None
    assert words(told["calls"]) == ["“Red calls Blue bogus”: now possible, was proven"]
    told = look(game(CALLED), RequestKind.INSERT, "Red draw", 3)
    assert words(told["calls"]) == [], "its number alone is another one"


def test_a_change_lists_calls_about_a_pass_that_is_dropped() -> None:
    told = look(
        game(CALLED.replace("Red 6-5\n", "").replace("Blue 6-3\n", "")), RequestKind.CHANGE, "", 2
    )
    assert words(told["calls"]) == [
        "“Red calls Blue bogus” is no longer possible, and 2 entries are lost: the draw or pass "
        "that it was about is gone"
    ]
    assert told["lost"] is None


def test_undo_and_redo_preview_their_effect() -> None:
    journal = game(PAID.replace("Red 6-4\n", ""))
    told = look(journal, RequestKind.UNDO)
    assert told["change"]["words"] == "Blue 6-3"
    assert words(told["chips"]) == ["Blue gives Red back 15"]
    again = look(
        journal.fold(row_for(RowRequest(RequestKind.UNDO), RequestContext(journal, 1, GAMES))),
        RequestKind.REDO,
    )
    assert words(again["chips"]) == ["Red pays Blue 15"]


def test_the_preview_shows_that_an_undo_reverses_a_win() -> None:
    journal = game(PAID + "chips Red 135 agreed\n")
    assert journal.state.winners == ("Blue",)
    assert look(journal, RequestKind.UNDO)["winners"]["words"] == "Then nobody has won"


def test_a_change_of_seats_previews_the_totals() -> None:
    told = look(game(PAID), RequestKind.RESEAT, "Blue Red")
    assert told["scores"] == {"Blue": [15, 15], "Red": [0, 0]}


def test_a_new_game_previews_its_house_rules_and_seats() -> None:
    told = look(
        None, RequestKind.OPEN, "game high-five\nseats Anna Blue Cleo\noption rotate-lead on"
    )
    assert words(told["lines"]) == [
        "High Five, clockwise: Anna, Blue, Cleo",
        "Blue scores: Anna pays",
        "Anna has the red chips",
        "Cleo has the green chips",
        "First lead rotates: yes",
    ]
