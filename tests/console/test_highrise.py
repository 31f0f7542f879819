"""Highrise keyed on the box: whole games, the questions, what is kept, and mistakes at the
table."""

from dataclasses import replace
from statistics import median

import pytest

from companion.console.console import Console
from companion.console.highrise import HighriseTurn
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.entries import HandDealt
from companion.games.highrise.entries import OneTileDrawn, TileStacked
from companion.record.rows import Amend, Redo, Setting, Step, Undo
from tests.console.builder import BASEMENT, build_game, keyed, set_up
from tests.console.rig import Rig
from tests.manual.reading import reads

LAID = BASEMENT + "4 3 OK "
RED, BLUE = Seat("Red"), Seat("Blue")


def entry_of(rig: Rig) -> str:
    """The entries of the last row, in text form."""
    row = rig.rows[-1]
    assert isinstance(row, Step), row
    return " / ".join(map(str, row.entries))


# ---------------------------------------------------------------- whole games


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(12))
def test_a_game_keyed_on_the_box_matches_the_rules(seed: int) -> None:
    builder, expected = build_game(seed, 2 + seed % 3)
    rig = builder.rig
    assert not rig.refused
    assert rig.state.scores == expected.scores
    assert rig.state.winners == expected.winners != ()
    assert rig.name() in ("LastPayment", "GameOver")


def test_most_turns_ask_no_question() -> None:
    asked = [question for seed in range(9) for question in build_game(seed, 2 + seed % 3)[0].asked]
    numbered = [number for wild, number in asked if not wild]
    assert sum(number == 0 for number in numbered) / len(numbered) > 0.65
    assert max(number for _, number in asked) <= 5


def test_most_presses_change_little_of_the_picture() -> None:
    costs = [cost for seed in range(3) for cost in build_game(seed, 2 + seed)[0].rig.costs]
    assert median(costs) <= 129


@pytest.mark.parametrize("seed", [1, 4, 8])
def test_plays_are_stored_with_everything_that_the_box_derived(seed: int) -> None:
    """So that a row can be read without those before it."""
    for builder, _ in keyed(seed, 2 + seed % 3):
        row = builder.rig.rows[-1]
        for entry in row.entries if isinstance(row, Step) else ():
            if isinstance(entry, TileStacked):
                told = builder.rig.state.board.layouts is not None
                assert entry.level is not None
                assert (entry.on is not None) or not told


# ---------------------------------------------------------------- what is asked


@pytest.mark.parametrize(
    "keys, kept",
    [
        (BASEMENT + "4 3 OK", "Red 4-3 on 4 3 level 1"),
        (BASEMENT + "3 4 OK", "Red 3-4 on 3 4 level 1"),
        (LAID + "6 3 1 OK", "Blue 6-3 on 6 W level 1"),
        (LAID + "6 3 2 OK", "Blue 6-3 on 6 3 level 2 spacer 6"),
        (LAID + "6 3 OK 2", "Blue 6-3 on 6 3 level 2 spacer 6"),
        (LAID + "6 3 OK OK 1", "Blue 6-3 on 6 W level 1"),
        (LAID + "6 3 2 BACK 1 OK", "Blue 6-3 on 6 W level 1"),
        (LAID + "6 3 9 1 OK", "Blue 6-3 on 6 W level 1"),
        ("1 DRAW 6 3 2 OK", "Red 6-3 level 2"),
        ("1 DRAW 6 3 1 2 OK", "Red 6-3 level 12"),
        ("1 DRAW 6 3 2 DRAW OK", "Red 6-3 level 2 spacer 6"),
        ("1 DRAW 6 3 2 DRAW DRAW OK", "Red 6-3 level 2 spacer 3"),
        ("1 DRAW 6 3 2 DRAW DRAW DRAW OK", "Red 6-3 level 2"),
        ("1 DRAW 6 3 DRAW 2 OK", "Red 6-3 level 2 spacer 6"),
        ("1 DRAW 6 6 2 DRAW DRAW OK", "Red 6-6 level 2"),
        ("1 DRAW 7 3 4 3 OK", "Red W-3 on 4 3 level 3"),
        ("1 DRAW 7 7 4 7 2 OK", "Red W-W on 4 W level 2"),
        ("1 DRAW 7 7 7 4 2 DRAW OK", "Red W-W on 4 W level 2 spacer 4"),
    ],
)
def test_a_play_is_stored_with_every_keyed_detail(keys: str, kept: str) -> None:
    assert entry_of(set_up(2).press(keys)) == kept


def test_the_open_levels_are_listed_with_their_points() -> None:
    rig = set_up(2).press(LAID + "6 3")
    assert reads(rig.frame, "Level? 1: 9 2: 18")
    assert reads(rig.press("2").frame, "6-3 × 2 = 18")


def test_a_wild_half_asks_what_it_covers() -> None:
    rig = set_up(2).press(LAID + "7 3")
    assert reads(rig.frame, "W covers?")
    rig.press("1")
    assert rig.console.message == "W covers? 0, 2, 5, 6"
    assert entry_of(rig.press("5 OK")) == "Blue W-3 on 5 3 level 2 spacer 5"


def test_two_digit_levels_can_be_keyed() -> None:
    rig = set_up(2).press(BASEMENT)
    board = rig.state.board
    low = board.layouts[0]
    tops = (top._replace(level=9) if top.half in (4, 3) else top for top in low.tops)
    high = replace(low, tops=tuple(tops))
    state = rig.state._replace(board=board._replace(layouts=(low, high)))
    journal = rig.view.game
    journal = replace(journal, _now=journal._now.with_state(state))
    rig.view, rig.console = replace(rig.view, journal=journal), Console.start()
    rig.press("4 3")
    assert reads(rig.frame, "01: 7 10: 70")
    rig.press("1")
    assert reads(rig.frame, "Level?")
    rig.press("0 OK")
    assert entry_of(rig) == "Red 4-3 on 4 3 level 10"


# ---------------------------------------------------------------- the basement


@pytest.mark.parametrize(
    "keys, says",
    [
        ("1 OK", "8 tiles are missing."),
        ("1 4 1 3 5 6 2 6 0 7 1 0 5 2 2 1 OK", "1 tile is missing."),
        ("1 4 1 DRAW", "BACK deletes it."),
        ("1 8", "a wild half is 7."),
        ("1 4 1 1 4", "1-4 is keyed twice:"),
        ("1 4 1 3 5 6 2 6 0 7 1 0 5 2 2 1 3 5", "All eight are keyed:"),
        ("1 DRAW 6 3 OK OK", "Level?"),
        ("1 DRAW 6 8", "a wild half is 7."),
        ("1 DRAW 6 3 1 DRAW OK", "on level 2 at least"),
        ("1 DRAW DRAW DRAW", "One tile is drawn in a turn:"),
        (BASEMENT + "5 5 OK", "5-5 fits nowhere:"),
        (BASEMENT + "3 5 OK", "is already in the building:"),
        (BASEMENT + "5 5 1", "BACK first: 5-5 is refused."),
        (BASEMENT + "4 3 1", "OK first: 4-3 is keyed."),
        (BASEMENT + "4 OK", "Key both halves, 7 for a wild one"),
        (BASEMENT + "OK", "Key both halves"),
        ("OK", "Who starts? 1 Red, 2 Blue"),
        ("DRAW", "Who starts? 1 Red, 2 Blue"),
        (BASEMENT + "BOGUS", "no penalty for a bogus play."),
    ],
)
def test_a_refused_turn_is_explained_and_not_stored(keys: str, says: str) -> None:
    rig = set_up(2).press(keys)
    assert reads(rig.frame, says)
    assert not rig.refused
    entries = [entry for row in rig.rows if isinstance(row, Step) for entry in row.entries]
    assert not any(isinstance(entry, TileStacked) for entry in entries)


def test_ok_pressed_twice_stores_a_play_once() -> None:
    rig = set_up(2).press(LAID + "OK OK OK")
    assert [type(row) for row in rig.rows].count(Step) == 3
    assert rig.state.to_move == BLUE


def test_the_basement_is_skipped_until_the_menu_asks_for_it_again() -> None:
    rig = set_up(2).press("1 DRAW")
    assert rig.rows[-1] == Setting("basement", "not-told")
    assert rig.name() == "HighriseTurn"
    rig.press("MENU 7 1")
    assert rig.name() == "KeyBasement"


def test_a_wrong_basement_is_removed_and_the_plays_stay() -> None:
    rig = set_up(2).press(LAID + "6 3 2 OK 4 4 OK MENU 3 OK")
    assert isinstance(rig.rows[-1], Amend)
    assert rig.state.scores.values == (7, 18)
    assert rig.state.board.layouts is None
    rig.press("4 4 1 OK")
    assert entry_of(rig) == "Red 4-4 level 1"
    rig.press("BACK OK BACK OK")
    assert rig.state.board.layouts is not None


# ---------------------------------------------------------------- turns, draws, passes


def test_passing_after_a_draw_takes_one_key_otherwise_it_waits_for_ok() -> None:
    rig = set_up(2).press(BASEMENT + "DRAW PASS")
    assert [str(row.entries[0]) for row in rig.rows[-2:] if isinstance(row, Step)] == [
        "Red draw",
        "Red pass",
    ]
    rows = len(rig.rows)
    rig.press("PASS")
    assert reads(rig.frame, "Blue passes? 17 left to draw")
    assert len(rig.rows) == rows
    assert entry_of(rig.press("OK")) == "Blue pass"


def test_spacers_and_tiles_left_are_shown() -> None:
    rig = set_up(2).press(LAID)
    assert reads(rig.frame, "spacers 12 pile 18")
    assert reads(rig.press("6 3 2 OK DRAW").frame, "spacers 11 pile 17")


def test_a_forgotten_draw_is_inserted_before_the_last_play_without_a_draw() -> None:
    for builder, _ in keyed(15, 2):
        rig = builder.rig
        if rig.name() == "HighriseAskOut":
            break
    seat = rig.state.board.round.out
    rig.press("5")
    assert rig.console.message is not None
    rig.press("DRAW")
    assert rig.state.board.round.held[seat] == 1
    assert rig.name() == "HighriseTurn"


# ---------------------------------------------------------------- history, undo, amend


def test_the_history_of_highrise_gives_reasons() -> None:
    rig = set_up(2).press(LAID + "6 3 2 OK MENU 2")
    assert reads(rig.frame, "Blue 6-3 × 2, spacer +18")
    assert reads(rig.press("2").frame, "6-3 × 2 = 18")


def test_a_wild_half_is_shown_as_what_it_covers() -> None:
    rig = set_up(2).press("1 DRAW 7 3 4 3 OK MENU 2")
    assert reads(rig.frame, "Red W-3: 4-3 × 3 +21")


def test_undo_and_redo_of_every_step_restore_the_state() -> None:
    builder, expected = build_game(3, 2)
    rig = builder.rig
    steps = sum(isinstance(row, Step) for row in rig.rows)
    for _ in range(steps):
        rig.view = rig._with(Undo())
    assert rig.view.game.length == 0
    for _ in range(steps):
        rig.view = rig._with(Redo())
    assert rig.state.scores == expected.scores


def test_undo_names_the_basement() -> None:
    rig = set_up(2).press(BASEMENT + "BACK")
    assert reads(rig.frame, "Take back the basement?")
    assert rig.press("OK").name() == "KeyBasement"
    assert rig.press("BACK DRAW").state.board.basement is not None


def test_a_play_is_changed_on_the_screen_on_which_it_was_keyed() -> None:
    rig = set_up(2).press(LAID + "6 3 2 OK MENU 2 OK 1 6 3 1 OK")
    assert reads(rig.frame, "new Red 7, Blue 9")
    rig.press("OK")
    assert rig.state.scores.values == (7, 9)


# ---------------------------------------------------------------- seats' own keypads


def from_seat(rig: Rig, seat: Seat, keys: str) -> Rig:
    """Presses the keys of that seat's keypad."""
    for key in keys.split():
        rig.send(Press(Key(key), seat))
    return rig


def test_ok_on_a_seats_keypad_chooses_that_seat_as_starter() -> None:
    rig = from_seat(set_up(3), BLUE, "OK")
    assert entry_of(rig) == "hand lead Blue"


def test_a_seats_keypad_is_refused_during_other_seats_turns() -> None:
    rig = from_seat(set_up(2).press(BASEMENT), RED, "4 3 OK")
    assert entry_of(rig) == "Red 4-3 on 4 3 level 1"
    rows = len(rig.rows)
    from_seat(rig, RED, "DRAW")
    assert len(rig.rows) == rows
    assert rig.console.message == "It is Blue's turn: Red waits."
    assert entry_of(from_seat(rig, BLUE, "6 3 2 OK")).startswith("Blue 6-3")


def test_everybody_may_key_the_basement() -> None:
    rig = from_seat(set_up(2).press("1"), BLUE, "4 1 3 5")
    from_seat(rig, RED, "6 2 6 0 7 1 0 5 2 2 1 3 OK")
    assert rig.state.board.basement is not None


def test_a_hand_without_a_starter_asks_whose_turn_it_is() -> None:
    rig = set_up(2)
    rig.view = replace(rig.view, journal=rig.view.game.fold(Step((HandDealt(),))))
    rig.press(BASEMENT.removeprefix("1 "))
    assert rig.name() == "AskSeat"
    rig.press("OK")
    assert rig.console.message == "Whose turn? 1 Red, 2 Blue"
    assert entry_of(rig.press("2 4 3 OK")) == "Blue 4-3 on 4 3 level 1"
    assert rig.state.to_move == RED


def test_rows_from_elsewhere_keep_the_digits_of_an_unchanged_turn() -> None:
    rig = set_up(2).press(LAID + "6 3")
    before = rig.view
    rig.view = replace(before, journal=before.game.fold(Step((OneTileDrawn(BLUE),))))
    rig.console = rig.console.after_row_elsewhere(before, rig.view, "Blue drew")
    screen = rig.screen
    assert isinstance(screen, HighriseTurn)
    assert screen.keyed == (6, 3)
    assert entry_of(rig.press("2 OK")) == "Blue 6-3 on 6 3 level 2 spacer 6"


# ---------------------------------------------------------------- ends


def test_a_blocked_hand_costs_every_seat_points_even_below_zero() -> None:
    rig = set_up(2).press("1 DRAW 0 0 1 OK MENU 4 OK 7 7 OK OK DRAW 1 2 OK")
    assert rig.state.scores.values == (-14, -12)
    assert reads(rig.frame, "Red −14 Blue −12")
    assert reads(rig.frame, "Red -14")


def test_the_target_is_checked_after_a_hand_and_ties_play_on() -> None:
    rig = set_up(2, "MENU 1 1 0 0 BACK OK").press("1 DRAW 6 6 1 0 OK 6 5 1 OK MENU 4 OK")
    assert rig.state.scores.values == (120, 11)
    assert not rig.state.finished
    rig.press("DRAW 0 OK 0 OK")
    assert rig.state.winners == (RED,)
    assert rig.name() == "GameOver"
    tied = set_up(2, "MENU 1 1 0 0 BACK OK").press("1 DRAW 6 6 1 0 OK 6 4 1 2 OK MENU 4 OK")
    tied.press("DRAW 0 OK 0 OK")
    assert tied.state.scores.values == (120, 120)
    assert tied.name() == "BetweenHighriseHands"
    assert tied.state.winners == ()
