"""Refusals give their reason; OK closes them, and the keyed digits stay to be corrected."""

from typing import Any

import pytest

from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.line.line import TilePlayed
from companion.record.rows import Step
from tests.console.rig import Rig, started
from tests.manual.reading import in_a_line, reads
from tests.screens.scenes import SCENES

BLUE = Seat("Blue")
GO_ON = "OK: go on"
SCORED = "OK 1 6 3 OK "


def rigged(keys: str) -> Rig:
    return started().press(keys)


def named(keys: str) -> Rig:
    return Rig().press("1 2 2 1 " + keys)


REFUSED = {
    "a tile that doesn't fit": lambda: rigged("OK 1 6 3 OK 1 2 OK"),
    "half a tile that is held": lambda: SCENES["holding"]().press("5 OK"),
    "more chips than there are": lambda: rigged(SCORED + "MENU 3 1 2 9 9 OK"),
    "more points than there are": lambda: rigged(SCORED + "MENU 3 1 3 9 9 9 OK"),
    "no points": lambda: SCENES["number"]().press("BACK BACK BACK OK"),
    "a name without letters": lambda: named("OK"),
}


@pytest.mark.parametrize("why", REFUSED)
@pytest.mark.parametrize("key", ["OK", "BACK"])
def test_ok_and_back_close_a_refusal_and_keep_the_digits(why: str, key: str) -> None:
    rig = REFUSED[why]()
    screen: Any = rig.screen
    assert screen.why_not
    kept, keyed = len(rig.rows), getattr(screen, "keyed", None)
    assert reads(rig.frame, GO_ON) or reads(rig.frame, "OK: change")
    after: Any = rig.press(key).screen
    assert after.why_not is None
    assert getattr(after, "keyed", None) == keyed
    assert len(rig.rows) == kept, "nothing is entered by it, and nothing taken back"


def test_one_digit_corrects_a_refused_tile() -> None:
    rig = rigged("OK 1 6 3 OK 1 2 OK OK BACK 3 OK")
    assert rig.view.game.entries[-1] == TilePlayed(Seat("Red"), (1, 3))


def test_reversing_the_direction_clears_a_refusal() -> None:
    rig = rigged(SCORED + "MENU 3 1 3 9 9 9 OK DRAW")
    screen: Any = rig.screen
    assert screen.why_not is None
    assert screen.is_reversed


def test_ok_on_a_keypad_after_a_refused_lead_stores_nothing() -> None:
    """Blue's tile was played for Red in the first hand, so it can't be led again."""
    rig = rigged("OK")
    screen: Any = rig.screen
    rig.console = rig.console.__class__(screen.__class__(why_not="It is on the table."))
    assert Key.OK in rig.screen.keys(rig.view), "a joystick comes to it"
    rig.send(Press(Key.OK, BLUE))
    assert not any(isinstance(row, Step) and row.entries for row in rig.rows[2:])
    refused: Any = rig.screen
    assert refused.why_not is None


# ---------------------------------------------------------------- hints are read whole

HINTS = {
    "confirm": "OK: change  BACK: no",
    "confirm_broken": "OK: change  BACK: no",
    "bogus_overrule": "OK  PASS: overrule",
    "bogus_by_record": "By the record   OK",
    "setup_table_4": "OK  DRAW: swap  MENU: rules",
    "setup_options": "DRAW ↓ PASS ↑ OK: choose",
    "turn_pass": "OK: pass   BACK: no",
    "setup_spell": "DRAW: next  0: space  OK",
    "chips": "A digit: why, count, correct",
    "refused_menu": "Digit or OK: choose  BACK",
}


@pytest.mark.parametrize("scene", HINTS)
def test_key_hints_are_words_and_never_shortened(scene: str) -> None:
    assert in_a_line(SCENES[scene]().frame, HINTS[scene])


# ---------------------------------------------------------------- the place question


def test_the_question_which_end_was_meant_lists_counts() -> None:
    frame = SCENES["which_ends_asked"]().frame
    assert in_a_line(frame, "Which end? by count")
    assert in_a_line(frame, "1: 6")
    assert in_a_line(frame, "2: 12")


# ---------------------------------------------------------------- the line below the digits


def test_digits_after_a_refused_tile_ask_to_delete_it_first() -> None:
    """“OK first” would lead in circles: the tile is refused again."""
    rig = rigged("OK 1 3 1 6")
    assert rig.console.message == "BACK first: 3-1 is refused."
    assert rigged("OK 1 3 1 OK 6").console.message == "BACK first: 3-1 is refused."
    assert rigged("OK 1 6 3 3").console.message == "OK first: 6-3 is keyed."
    rig.press("BACK BACK 6 3 OK")
    assert rig.view.game.entries[-1] == TilePlayed(BLUE, (6, 3))


def test_refusals_are_complete_or_say_which_key_shows_them() -> None:
    by_ends = "OK 1 MENU 7 2 "
    frame = rigged(by_ends + "6 3 OK OK").frame
    assert in_a_line(frame, "Is the 6 a double?")
    assert not in_a_line(frame, "Key.")
    frame = rigged(by_ends + "6 3 3 6 6 OK OK").frame
    assert in_a_line(frame, "Refused. OK says why.")


def test_a_digit_above_the_highest_end_is_refused() -> None:
    rig = rigged(SCORED + "3 1 OK 6 1 OK")
    kept = len(rig.rows)
    assert rig.press("3").console.message == "Which end? 1 or 2."
    assert len(rig.rows) == kept
    assert rig.press("2").state.board.hand.line.known_count == 18


def test_a_tile_keyed_twice_in_a_holding_is_named() -> None:
    rig = SCENES["holding"]().press("5 6 6 5 OK")
    assert reads(rig.frame, "5-6 is keyed twice: a set has only one.")
    assert rig.press("OK").name() == "KeyHolding"
