"""The seat to play is obvious at a glance: its name is large, whatever was played and paid before.
With names, the display shows whose chips have which colour."""

from dataclasses import replace

import pytest

from companion.console.frame import Canvas, Frame
from companion.console.layout import KEYED_X, TableLayout, draw_table
from companion.console.line.turn import LineTurn
from companion.core.keys import Press
from companion.core.seats import Seat, Seats, chip_colours
from companion.record.rows import GameOpened, Reseat
from tests.console.rig import Rig, started
from tests.console.typist import Typist, recorded
from tests.manual.reading import in_a_line, reads

SCORED = "OK 1 6 3 OK "


def stands(frame: Frame, x: int, y: int, text: str) -> bool:
    """Returns whether the text is drawn in capitals with its top left corner at (`x`, `y`)."""
    canvas = Canvas()
    end = canvas.text(x, y, text, "caps")
    wanted = [row[x:end] for row in canvas.frame().rows()[y : y + 16]]
    return [row[x:end] for row in frame.rows()[y : y + 16]] == wanted


class CheckingRig(Rig):
    """A console that is checked after every key: the large name is that of the seat to move."""

    turns = 0

    def _one(self, press: Press) -> None:
        super()._one(press)
        if isinstance(self.screen, LineTurn):
            name = str(self.state.to_move).upper().replace("_", " ")
            assert stands(self.frame, 0, 0, name), (name, "\n".join(self.frame.rows()))
            self.turns += 1


@pytest.mark.parametrize("players, seed", [(2, 4), (3, 4), (4, 2)])
def test_the_large_name_is_always_the_seat_to_move(players: int, seed: int) -> None:
    rig = CheckingRig()
    rig.press(f"1 {players} 1 OK")
    typist = Typist(rig, "tile")
    for entry, after in recorded(seed, players):
        typist.enter(entry, after)
    assert rig.turns > 100


@pytest.mark.parametrize("lay", ["6 3", "6 5"], ids=["paid", "not paid"])
def test_the_entry_field_is_empty_after_a_play(lay: str) -> None:
    tile = lay.replace(" ", "-")
    rig = started().press("OK 1 " + lay)
    assert stands(rig.frame, KEYED_X, 32, tile)
    rig.press("OK")
    assert not stands(rig.frame, KEYED_X, 32, tile)
    assert reads(rig.frame, f"last {tile}"), "small, what was laid"
    assert stands(rig.frame, 0, 0, "RED")


def test_a_payment_shows_payer_receiver_and_points_until_the_next_entry() -> None:
    rig = started().press(SCORED)
    for keys in ("", "3"):
        rig.press(keys)
        assert reads(rig.frame, "RED pays BLUE")
        assert reads(rig.frame, "15")
    rig.press("4")
    assert reads(rig.frame, "RED pays BLUE"), "3-4 pays nothing: the payment before stays"
    rig.press("OK")
    assert not reads(rig.frame, "pays")


def test_a_keyed_plays_payment_replaces_the_last_one() -> None:
    rig = started().press(SCORED + "6 4 OK 3 1")
    assert reads(rig.frame, "RED pays BLUE")
    rig = started().press(SCORED + "3 4 OK 4 3 BACK BACK 4 2")
    assert not reads(rig.frame, "pays")


# ---------------------------------------------------------------- colours


def named(keys: str, players: int = 3, game: int = 1) -> Rig:
    """A set-up for people with names, up to the screen that shows the table; then these keys."""
    rig = Rig()
    rig.view = replace(rig.view, names=("Anna", "Bo", "Cleo", "Dan"))
    return rig.press(f"{game} {players} 2 " + "2 " * players + keys)


def test_seats_with_names_get_the_colours_in_turn_order() -> None:
    assert chip_colours(Seats.of("Anna", "Bo", "Cleo")).values == ("Red", "Blue", "Green")
    assert chip_colours(Seats.of("Blue", "Anna")).values == ("Blue", "Red"), "no colour twice"
    assert chip_colours(Seats.of(*"ABCDE")).values == ("Red", "Blue", "Green", "Yellow", "")
    assert chip_colours(Seats.of("Anna", "Bo"), "Green Red").values == ("Green", "Red")
    assert chip_colours(Seats.of("Anna", "Bo"), "Green Green").values == ("Red", "Blue")
    assert chip_colours(Seats.of("Anna", "Bo"), "Green").values == ("Red", "Blue")


def test_the_set_up_shows_the_colour_of_each_players_chips() -> None:
    rig = named("")
    assert reads(rig.frame, "Clockwise: Anna red, Bo blue, Cleo green. Bo scores: ANNA pays.")
    assert reads(named("DRAW").frame, "Anna red, Cleo blue, Bo green. Cleo")
    assert not in_a_line(Rig().press("1 3 1").frame, "Red red")
    assert not reads(named("", game=2).frame, "Clockwise"), "Five Up has no chips"


def test_a_payment_names_the_chips_colour() -> None:
    rig = named("OK OK 1 6 3")
    assert reads(rig.frame, "ANNA pays BO")
    assert in_a_line(rig.frame, "10+5 red")
    assert in_a_line(rig.press("OK").frame, "10+5 red")
    assert not in_a_line(started().press(SCORED).frame, "10+5 red"), "Red's name says it"


def test_the_colour_moves_above_the_chips_if_the_line_is_short() -> None:
    canvas = Canvas()
    draw_table(canvas, TableLayout("Bo", chips="2×10 back 5", colour="yellow", keyed="6-3"))
    assert in_a_line(canvas.frame(), "2×10 back 5")
    assert in_a_line(canvas.frame(), "yellow")


def test_listed_and_counted_chips_show_their_colour() -> None:
    rig = named("OK OK 1 6 3 OK MENU 3")
    assert reads(rig.frame, "Anna 0 red 135: 9×10+9×5")
    assert reads(rig.press("1 2").frame, "Red chips: how")
    assert reads(rig.press("BACK 1 3").frame, "Red chips move:")


def test_the_end_of_a_hand_names_the_colour() -> None:
    rig = named("OK OK 1 6 3 OK MENU 4 OK 3 3 OK OK 0 0 OK OK 5 5 OK OK")
    assert rig.name() == "BetweenHands"
    assert reads(rig.frame, "ANNA pays BO: 6 → 5 red")


def test_returned_and_corrected_chips_show_their_colour() -> None:
    rig = named("OK OK 1 6 3 OK")
    assert reads(rig.press("BACK").frame, "back 15: 10+5 red.")
    rig = named("OK OK 1 6 3 OK MENU 3 1 3 1 5 OK")
    assert reads(rig.frame, "15: 10+5 red.")
    rig = named("OK OK 1 6 3 OK MENU 2 OK 2")
    assert reads(rig.frame, "back 15: 10+5 red.")


# ---------------------------------------------------------------- everybody keeps their chips


def test_swapping_seats_keeps_everybodys_colour() -> None:
    rig = named("OK OK MENU 9 1 DRAW")
    assert reads(rig.frame, "Anna red, Cleo green, Bo blue. Cleo")
    rig.press("OK")
    assert isinstance(rig.rows[-1], Reseat)
    colours = rig.view.game.colours
    assert colours[Seat("Bo")] == "Blue"
    assert colours[Seat("Cleo")] == "Green"
    rig.press("MENU 9 2 2 OK 1")
    opened = rig.rows[-1]
    assert isinstance(opened, GameOpened)
    assert opened.colours[Seat("Bo")] == "Blue", "in a rematch, too"
    assert rig.view.game.colours == opened.colours
    assert opened.words == (("colours", "Red Green Blue"),)
    rig.press("OK MENU 9 1 DRAW OK MENU 9 2 2 OK 1")
    again = rig.rows[-1]
    assert isinstance(again, GameOpened)
    assert again.words == (), "in turn order again: nothing has to be said"


def test_seats_named_by_colour_do_not_repeat_it() -> None:
    rig = started(3).press("OK MENU 9 1 DRAW OK")
    assert rig.view.game.opened.seats.order == ("Red", "Green", "Blue")
    assert rig.view.game.colours.values == ("Red", "Green", "Blue")
    rig.press("MENU 9 2 2 OK 1")
    assert rig.view.game.opened.words == ()
