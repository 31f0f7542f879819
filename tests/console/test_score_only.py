"""Points alone are keyed on the box: the seat's digit, the points, OK."""

from dataclasses import replace

from companion.console.line.play import ScoreTurn
from companion.console.line.turn import LineTurn
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.games.entries import BogusCalled, CallRuled, HandBlocked, PointsScored, WentOut
from companion.record.rows import Setting, Step
from tests.console.rig import Rig, started
from tests.manual.reading import reads

RED, BLUE = Seat("Red"), Seat("Blue")


def by_points(before: str = "OK") -> Rig:
    """A game in which only scores are keyed from here on: by default since the first deal."""
    rig = started().press(before)
    rig.view = replace(rig.view, settings={**rig.view.settings, "entry": "scores"})
    return rig


def last(rig: Rig) -> object:
    row = rig.rows[-1]
    return row.entries[0] if isinstance(row, Step) else row


def test_choosing_to_key_only_scores_shows_its_limits_once() -> None:
    rig = started().press("OK MENU 7 4")
    assert last(rig) == Setting("entry", "scores")
    assert reads(rig.frame, "bogus play can be proven.")
    assert reads(rig.press("OK").frame, "Who scores?")
    assert reads(rig.press("MENU").frame, "How you key: points")


def test_an_entry_way_of_another_game_is_ignored() -> None:
    rig = started().press("OK 1")
    rig.view = replace(rig.view, settings={**rig.view.settings, "entry": "points"})
    assert reads(rig.press("MENU").frame, "How you key: tile")


def test_a_score_is_keyed_as_seat_then_points_then_ok() -> None:
    rig = by_points().press("1 BACK")
    assert reads(rig.frame, "WHO SCORES?")
    rig.press("1 1 5")
    assert reads(rig.frame, "BLUE pays RED")
    rig.press("OK")
    assert last(rig) == PointsScored(RED, 15)
    assert rig.state.scores[RED] == 15
    assert isinstance(rig.screen, ScoreTurn)


def test_impossible_scores_are_refused_until_back() -> None:
    rig = by_points()
    rows = len(rig.rows)
    rig.press("1 7 OK")
    assert reads(rig.frame, "A play scores 5, 10")
    rig.press("OK BACK 2 0 OK")
    assert last(rig) == PointsScored(RED, 20)
    assert len(rig.rows) == rows + 1


def test_ok_draw_and_pass_alone_show_what_to_key() -> None:
    rig = by_points().press("OK")
    assert reads(rig.frame, "Who scores? 1 Red")
    rig.press("DRAW")
    assert reads(rig.frame, "Only scores are keyed")


def test_back_clears_the_seat_then_offers_undo() -> None:
    rig = by_points().press("1 1 0 OK 1 BACK 2 5 OK")
    assert rig.state.scores[BLUE] == 5
    rig.press("BACK OK")
    assert (rig.state.scores[BLUE], rig.state.scores[RED]) == (0, 10)


def test_ok_after_only_the_seat_means_it_is_out() -> None:
    rig = by_points().press("1 1 0 OK 2 OK")
    assert reads(rig.frame, "Blue is out?")
    rig.press("OK")
    assert last(rig) == WentOut(BLUE)


def test_a_hand_without_scores_can_end_by_going_out_or_blocked() -> None:
    assert last(by_points().press("2 OK OK")) == WentOut(BLUE)
    assert last(by_points().press("MENU 4 OK")) == HandBlocked()


def test_a_seats_own_keypad_needs_only_the_points() -> None:
    rig = by_points()
    for key in (Key("1"), Key("5"), Key.OK):
        rig.send(Press(key, seat=BLUE))
    assert last(rig) == PointsScored(BLUE, 15)


def test_after_a_score_the_hand_is_finished_by_scores_only() -> None:
    rig = by_points("OK 1 6 3 OK").press("1 1 0 OK MENU 7 1")
    assert isinstance(rig.screen, ScoreTurn), "the line of this hand is not known any more"
    rig.press("1 OK OK")
    assert last(rig) == WentOut(RED)


def test_plays_can_be_keyed_as_tiles_again_until_a_score_is_keyed() -> None:
    rig = by_points("OK 1 6 3 OK").press("MENU 7 1")
    assert isinstance(rig.screen, LineTurn)


def test_a_call_names_only_the_seat_and_is_ruled_by_the_table() -> None:
    rig = by_points().press("1 1 0 OK BOGUS")
    assert reads(rig.frame, "Who is called bogus?")
    rig.press("2")
    assert last(rig) == BogusCalled(BLUE, RED)
    assert reads(rig.frame, "possible: Blue called")
    rig.press("PASS 2 OK")
    assert last(rig) == CallRuled(BLUE, bogus=False)
    assert isinstance(rig.screen, ScoreTurn)


def test_a_turn_entered_earlier_can_still_be_called() -> None:
    rig = by_points("OK 1 PASS OK").press("1 1 0 OK BOGUS")
    assert reads(rig.frame, "A turn that was entered")
    rig.press("3 1")
    assert last(rig) == BogusCalled(BLUE, RED, 2)
