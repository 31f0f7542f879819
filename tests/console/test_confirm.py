"""An entry that contradicts the counted tiles, or costs points, has to be confirmed."""

from companion.console.line.holding import KeyHolding
from companion.console.screens.confirm import ConfirmEntry
from companion.console.screens.menu import Menu
from companion.core.seats import Seat
from companion.games.entries import WentOut
from companion.games.line.line import TilePlayed
from companion.games.tiles import DOUBLE_SIX
from companion.record.rows import Step
from tests.console.rig import started
from tests.console.typist import choose_line, until

SCORED = "OK 1 6 3 OK"
RED = Seat("Red")


def test_going_out_against_the_tile_counts_needs_confirmation() -> None:
    rig = started().press(SCORED + " 3 4 OK MENU")
    choose_line(rig, "More", "Red is out")
    assert isinstance(rig.screen, ConfirmEntry)
    assert "Red still holds 5 tiles" in rig.screen.text
    rig.press("OK")
    assert rig.rows[-1] == Step((WentOut(RED),))


def test_out_is_not_offered_after_a_first_tile_or_a_later_turn() -> None:
    rig = started().press(SCORED + " MENU")
    assert isinstance(rig.screen, Menu)
    assert not [line for line in rig.screen.lines(rig.view) if line.endswith("is out")]
    rig = started().press(SCORED + " 3 4 OK DRAW MENU")
    assert isinstance(rig.screen, Menu)
    assert not [line for line in rig.screen.lines(rig.view) if line.endswith("is out")]


def test_blocking_with_tiles_left_to_draw_needs_confirmation() -> None:
    rig = started().press(SCORED + " MENU")
    choose_line(rig, "Blocked")
    assert isinstance(rig.screen, ConfirmEntry)
    assert "14 tiles are left to draw" in rig.screen.text
    rig.press("BACK BACK 3 4 OK")
    assert rig.rows[-1] == Step((TilePlayed(RED, (3, 4)),))


def test_a_holding_of_the_wrong_size_needs_confirmation() -> None:
    rig = until("KeyHolding", 1, 2)
    assert isinstance(rig.screen, KeyHolding)
    seat = rig.screen.seat
    held = rig.state.board.hand.round.held[seat]
    shown = [
        tile for tile in DOUBLE_SIX.tiles if not rig.state.board.hand.line.laid_for_sure & tile.bit
    ]
    halves = [str(half) for tile in shown[: held + 1] for half in (tile.low, tile.high)]
    rig.press(" ".join(halves) + " OK")
    assert isinstance(rig.screen, ConfirmEntry)
    assert f"should hold {held}" in rig.screen.text
    assert f"{held + 1} are keyed" in rig.screen.text
    rig.press("BACK")
    assert rig.name() == "KeyHolding"
    rig.press("OK OK")
    assert isinstance(rig.rows[-1], Step)
    assert rig.name() == "BetweenHands"


def test_a_misdraw_shows_its_payment_before_it_is_stored() -> None:
    rig = started().press("OK MENU")
    choose_line(rig, "More", "Misdraw")
    rig.press("1")
    assert isinstance(rig.screen, ConfirmEntry)
    assert "pays Blue 50" in rig.screen.text
    assert rig.state.scores.values == (0, 0)
    assert rig.press("OK").state.scores.values == (0, 50)


def test_another_key_closes_an_undo_offer_and_still_counts() -> None:
    rig = started().press(SCORED + " BACK 3 4 OK")
    assert rig.rows[-1] == Step((TilePlayed(RED, (3, 4)),))
    assert rig.press("BACK MENU").name() == "Menu"
