"""Undo and redo of an entry, and returning a drawn tile, key by key."""

import pytest

from companion.console.screens.menu import Menu
from companion.core.seats import Seat
from companion.games.entries import TileReturned, TilesDrawn
from companion.games.line.line import TilePlayed
from companion.games.tiles import DOUBLE_SIX
from companion.record.rows import Redo, Step, Undo
from tests.console.rig import SCORED, last, started
from tests.manual.reading import reads as seen

RED, BLUE = Seat("Red"), Seat("Blue")


def test_undo_names_the_entry_and_redo_restores_it() -> None:
    rig = started().press(SCORED + " BACK OK")
    assert last(rig) == Undo()
    assert rig.state.scores.values == (0, 0)
    rig.press("BACK DRAW")
    assert last(rig) == Redo()
    assert rig.state.scores.values == (0, 15)


def test_back_then_draw_without_a_redo_stores_no_draw() -> None:
    rig = started().press(SCORED + " BACK DRAW")
    assert last(rig) == Step((TilePlayed(BLUE, (6, 3)),))
    assert rig.console.message == "There is nothing to redo."
    assert rig.press("BACK").name() == "LineTurn"
    assert last(rig.press("DRAW")) == Step((TilesDrawn(RED),))


def test_the_menu_offers_to_undo_the_deal() -> None:
    rig = started().press("OK MENU")
    assert isinstance(rig.screen, Menu)
    assert rig.screen.lines(rig.view)[0] == "Undo the deal"


def test_a_new_game_that_was_undone_can_be_redone() -> None:
    rig = started().press("BACK OK")
    assert rig.name() == "ShowTable"
    rig.press(f"BACK BACK BACK {len(rig.games) + 1}")
    assert last(rig) == Redo()
    assert rig.name() == "BetweenHands"


def test_a_returned_tile_is_entered_with_its_pips() -> None:
    rig = started().press(SCORED + " DRAW BACK DRAW 2 DRAW")
    assert last(rig) == Step((TilesDrawn(RED),))
    assert last(rig.press("2 DRAW")) == Step((TileReturned(RED, DOUBLE_SIX.tile(2, 2)),))
    rig = started().press(SCORED + " DRAW MENU 5 2 3 2 DRAW")
    assert last(rig) == Step((TileReturned(RED, DOUBLE_SIX.tile(2, 3)),))
    rig = started().press(SCORED + " DRAW BACK 2 3 BACK 2 DRAW")
    assert last(rig) == Step((TileReturned(RED, DOUBLE_SIX.tile(2, 2)),))
    assert rig.state.to_move == RED
    rig = started().press(SCORED + " DRAW BACK OK")
    assert last(rig) == Undo()


@pytest.mark.parametrize("below", ["DRAW", "DRAW DRAW"])
@pytest.mark.parametrize("right", ["6 3 OK", "PASS OK", "DRAW"])
def test_back_and_draw_redo_a_correct_entry_over_any_screen(below: str, right: str) -> None:
    rig = started().press(f"OK 1 {below} {right}")
    entries = rig.view.game.entries
    rig.press("BACK OK")
    assert rig.view.game.entries == entries[:-1]
    rig.press("BACK")
    assert seen(rig.frame, f"DRAW: {'Blue 6-3' if right == '6 3 OK' else ''}".strip())
    rig.press("DRAW")
    assert last(rig) == Redo()
    assert rig.view.game.entries == entries


def test_pressing_back_then_draw_after_a_draw_asks_for_the_tile() -> None:
    rig = started().press(SCORED + " DRAW BACK DRAW")
    assert last(rig) == Step((TilesDrawn(RED),))
    assert rig.console.message == "Which tile goes back? Its halves, then DRAW."
    assert last(rig.press("2 2 DRAW")) == Step((TileReturned(RED, DOUBLE_SIX.tile(2, 2)),))


def test_the_undo_question_also_has_room_for_redo() -> None:
    rig = started().press(SCORED + " 3 4 OK BACK OK BACK")
    assert seen(rig.frame, "OK: yes   BACK: no")
    assert seen(rig.frame, "DRAW: Red 3-4 again")
    assert seen(rig.press("OK BACK OK BACK OK BACK").frame, "BACK: no")
