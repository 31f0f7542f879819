"""A forgotten turn is inserted, or an extra one deleted: the hand's later turns move to the next
seat, entries about a certain seat stay, and the result is a game like any other."""

from textwrap import dedent
from typing import Any

import pytest

from companion.app.catalog import CATALOG
from companion.commands.replay import game_json
from companion.core.seats import Seat
from companion.games.entries import TurnPassed
from companion.games.game import parse_entry
from companion.games.line.line import TilePlayed
from companion.record.journal import AmendedGame, Journal
from companion.record.rows import Amend, Step, Undo
from companion.record.tally import format_tally, play_tally, read_tally
from tests.catalog import GAMES

RED, BLUE, GREEN, YELLOW = map(Seat, ("Red", "Blue", "Green", "Yellow"))


def game(entries: str, seats: str = "Red Blue", name: str = "high-five") -> Journal[Any]:
    text = f"tally 1\ngame {name}\nseats {seats}\n{dedent(entries)}"
    tally = read_tally(text, GAMES)
    journal = Journal.begin(tally.opened, GAMES)
    for played in play_tally(tally, GAMES):
        journal = played.journal
    return journal


def lines(of: Journal[Any]) -> list[str]:
    return [str(entry) for entry in of.entries]


def put_in(of: Journal[Any], place: int, text: str, later_turns: int = 1) -> AmendedGame[Any]:
    entry = parse_entry(text, of.game, of.opened.seats)
    return of.amended(Amend(place, (entry,), insert=True, later_turns=later_turns))


FORGOTTEN_PASS = """
    hand
    Red 6-6
    Blue 6-3
    Red draw
    Red 3-4
    Blue 4-1
    """
"""Blue's pass after the lead was forgotten, so each later turn is entered for the wrong seat."""


def test_inserting_a_forgotten_turn_keeps_the_later_ones() -> None:
    found = put_in(game(FORGOTTEN_PASS), 2, "Blue pass")
    assert (found.broken, found.dropped) == (None, 0)
    assert lines(found.journal) == [
        "hand",
        "Red 6-6",
        "Blue pass",
        "Red 6-3",
        "Blue draw",
        "Blue 3-4",
        "Red 4-1",
    ]
    assert dict(found.journal.state.scores.items()) == {"Red": 15, "Blue": 0}
    assert lines(found.journal.fold(Undo())) == lines(game(FORGOTTEN_PASS))


def test_later_turns_are_lost_if_they_do_not_move() -> None:
    found = put_in(game(FORGOTTEN_PASS), 2, "Blue pass", later_turns=0)
    assert found.broken is not None
    assert found.broken[:2] == (2, TilePlayed(BLUE, (6, 3)))
    assert str(found.broken[2]) == "Red is to move, not Blue"
    assert found.dropped == 4


def test_deleting_an_extra_turn_moves_the_later_ones_back() -> None:
    begun = game(
        "hand\nRed 6-6\nBlue pass\nGreen 6-3\nRed 3-4\nBlue draw\nBlue 4-1", "Red Blue Green"
    )
    found = begun.amended(Amend(2, (), later_turns=-1))
    assert (found.broken, found.dropped) == (None, 0)
    assert lines(found.journal)[2:] == ["Blue 6-3", "Green 3-4", "Red draw", "Red 4-1"]


def test_correcting_the_leader_moves_all_turns_by_as_many_seats() -> None:
    begun = game("hand\nRed 6-6\nBlue 6-3\nGreen 3-4\nYellow pass", "Red Blue Green Yellow")
    found = begun.amended(Amend(1, (TilePlayed(GREEN, (6, 6)),), later_turns=2))
    assert (found.broken, found.dropped) == (None, 0)
    assert lines(found.journal)[1:] == ["Green 6-6", "Yellow 6-3", "Red 3-4", "Blue pass"]


def test_a_returned_tile_moves_with_its_draw() -> None:
    begun = game("hand\nRed 6-6\nBlue draw\nBlue return 2-2\nBlue 6-3", "Red Blue Green")
    found = put_in(begun, 2, "Blue pass")
    assert (found.broken, found.dropped) == (None, 0)
    assert lines(found.journal)[3:] == ["Green draw", "Green return 2-2", "Green 6-3"]


def test_entries_out_of_turn_keep_their_seats() -> None:
    entries = """
        hand
        Red 6-6
        Green misdraw
        Blue 6-3
        chips Red 10 agreed
        audit Blue 150
        Green 3-4
        """
    found = put_in(game(entries, "Red Blue Green Yellow"), 2, "Blue pass")
    assert lines(found.journal)[3:] == [
        "Green misdraw",
        "Green 6-3",
        "chips Red 10 agreed",
        "audit Blue 150",
        "Yellow 3-4",
    ]


def test_the_first_invalid_entry_is_named_with_its_new_seat() -> None:
    """A misdraw can be entered only before the seat's first turn; later entries are dropped with
    it."""
    entries = "hand\nRed 6-6\nBlue 6-3\nGreen misdraw\nGreen 3-4"
    found = put_in(game(entries, "Red Blue Green"), 2, "Blue pass")
    assert found.broken is not None
    place, entry, why = found.broken
    assert (place, str(entry), found.dropped) == (3, "Green misdraw", 2)
    assert str(why) == "Green has had a turn in this hand: agree on a chip correction"

    found = put_in(game("hand\nRed 6-6\nBlue 6-3\nRed 3-5"), 2, "Blue 4-6")
    assert found.broken is None
    found = put_in(game("hand\nRed 6-6\nBlue 6-3\nRed 3-4"), 2, "Blue 6-3")
    assert found.broken is not None
    assert found.broken[:2] == (2, TilePlayed(RED, (6, 3))), "as it would be, moved on"


def test_calls_keep_their_seats_when_turns_move() -> None:
    entries = "hand\nRed 6-6\nBlue 6-3\nRed pass\nbogus Red by Blue\nrule Red clear\nBlue 3-4"
    found = put_in(game(entries), 2, "Blue pass")
    assert found.broken is None
    _, call, why = found.gone[0]
    assert str(call).startswith("bogus Red by Blue"), "the pass is Blue's then"
    assert str(why) == "Turn 4 is “Blue pass”: Red neither drew nor passed there"
    assert lines(found.journal)[2:] == ["Blue pass", "Red 6-3", "Blue pass", "Red 3-4"]


def test_holdings_keep_their_seats_when_turns_move() -> None:
    entries = "hand\nRed 6-6\nBlue 6-3\nRed out\nBlue holds 1-1"
    with pytest.raises(Exception, match="Blue laid last"):
        game(entries)
    begun = game("hand\nRed 6-6\nBlue 6-3\nBlue out\nRed holds 1-1")
    found = put_in(begun, 2, "Blue pass")
    assert found.broken is not None
    assert str(found.broken[1]) == "Blue out", "who was out is what the table saw"


def test_only_turns_of_the_same_hand_move() -> None:
    entries = """
        hand
        Red 6-6
        Blue 6-3
        Red 3-4
        blocked
        Red pips 20
        Blue pips 10
        hand
        Blue 5-5
        Red 5-4
        """
    found = put_in(game(entries), 3, "Red draw", later_turns=0)
    assert found.broken is None
    found = put_in(game(entries), 2, "Blue pass")
    assert (found.broken, found.dropped) == (None, 0)
    assert lines(found.journal)[3:] == [
        "Red 6-3",
        "Blue 3-4",
        "blocked",
        "Red pips 20",
        "Blue pips 10",
        "hand",
        "Blue 5-5",
        "Red 5-4",
    ]


def test_five_up_moves_later_turns_too() -> None:
    found = put_in(game(FORGOTTEN_PASS, name="five-up"), 2, "Blue pass")
    assert (found.broken, lines(found.journal)[-1]) == (None, "Red 4-1")


def test_an_amended_game_is_exported_and_replayed_in_full() -> None:
    amended = game(FORGOTTEN_PASS).fold(Amend(2, (TurnPassed(BLUE),), insert=True, later_turns=1))
    again = amended.fold(Step((TurnPassed(BLUE),)))
    text = format_tally(again)
    tally = read_tally(text, GAMES)
    *_, last = play_tally(tally, GAMES)
    assert format_tally(last.journal) == text
    assert game_json(CATALOG, last.journal) == game_json(CATALOG, again)
    assert last.journal.state == again.state
