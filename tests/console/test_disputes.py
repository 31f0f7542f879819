"""Calls of bogus play, key by key."""

import pytest

from companion.console.console import Console
from companion.console.fonts import text_strip
from companion.console.frame import RUN_COST, WIDTH
from companion.console.line.bogus_calls import ChooseTurn
from companion.console.line.turn import PROVEN_MARK
from companion.core.keys import Key, Press
from companion.core.seats import Seat, Seats
from companion.games.entries import BogusCalled, CallRuled, HoldingShown, PipsShown
from companion.games.game import parse_entry, settle_options
from companion.record.rows import GameOpened, Row, Setting, Step
from tests.catalog import GAMES
from tests.console.rig import Rig, started
from tests.console.typist import choose_line

RED, BLUE, GREEN, YELLOW = map(Seat, ("Red", "Blue", "Green", "Yellow"))
SCORED = "OK 1 6 3 OK "
PASSED = SCORED + "DRAW PASS OK "
"""Red draws and passes on 3 and 6."""
PROVEN = "OK 1 PASS OK 6 5 OK 6 3 OK "
"""Blue passes on a six, and lays 3-6 next."""
EXCLUDED = "0 0 0 1 0 2 1 2 2 2 1 3 1 1 OK "
"""Seven tiles without a six."""
EIGHT = "4 4 4 5 2 4 1 4 0 4 0 2 2 3 1 3 OK "


def steps(rig: Rig, number: int) -> list[Row]:
    return rig.rows[-number:]


def again(rig: Rig) -> None:
    """Restarts the console, as after a power cut: only the stored rows remain."""
    rig.console = Console.start()
    rig.frame = rig.console.show(rig.view).frame


def shows(rig: Rig, text: str) -> bool:
    """Whether this text is anywhere on the screen, in small letters."""
    strip = text_strip(text).pages[0].rstrip(b"\0")
    rows = [rig.frame.pixels[page * 128 : page * 128 + 128] for page in range(8)]
    flipped = bytes(255 - column for column in strip)
    return any(strip in row or flipped in row for row in rows)


def test_a_possible_call_ruled_bogus_is_paid_and_can_be_undone_in_one_step() -> None:
    rig = started().press(PASSED)
    before = rig.state
    rig.press("BOGUS OK")
    assert steps(rig, 1) == [Step((BogusCalled(RED, BLUE, 4),))]
    assert rig.name() == "ShowVerdict"
    rig.press("OK " + EIGHT)
    assert isinstance(rig.rows[-1], Step)
    assert isinstance(rig.rows[-1].entries[0], HoldingShown)
    assert rig.rows[-1].joined
    assert rig.name() == "AskRuling"
    rig.press("1 OK")
    assert steps(rig, 1) == [Step((CallRuled(RED, bogus=True),), joined=True)]
    assert rig.state.scores.values == (0, 65)
    assert rig.name() == "BetweenHands"
    rig.press("BACK OK OK")
    assert rig.state == before


def test_the_accuseds_tiles_may_be_keyed_without_ok() -> None:
    rig = started().press(PASSED + "BOGUS OK 4 4")
    assert rig.name() == "KeyHolding"


def test_a_possible_call_ruled_clear_resumes_the_turn() -> None:
    rig = started().press(PASSED)
    to_move = rig.state.to_move
    rig.press("BOGUS OK PASS 2 OK")
    assert rig.name() == "LineTurn"
    assert rig.state.to_move == to_move == BLUE
    assert rig.state.scores.values == (0, 15)
    rig.press("6 5 OK")
    assert not rig.refused


def test_a_bogus_ruling_without_a_holding_asks_for_the_pips() -> None:
    rig = started().press(PASSED + "BOGUS OK PASS 1")
    assert rig.name() == "KeyHolding"
    rig.press("5 4 OK")
    assert steps(rig, 1) == [Step((PipsShown(RED, 54),), joined=True)]
    assert rig.name() == "AskRuling"
    rig.press("1 OK")
    assert rig.state.scores.values == (0, 70)


def test_the_record_closes_a_disproved_call_and_hides_the_tiles() -> None:
    rig = started().press("OK 1 PASS OK BOGUS OK " + EXCLUDED)
    assert rig.name() == "ShowRuling"
    ruling = rig.state.board.ruling
    assert ruling is not None
    assert (ruling.verdict, ruling.result, ruling.by) == ("excluded", "clear", "record")
    rig.press("OK")
    assert rig.name() == "LineTurn"
    assert rig.state.to_move == RED
    rig.press("MENU")
    choose_line(rig, "History")
    assert shows(rig, "Blue showed")
    assert not any(shows(rig, tile) for tile in ("0-0", "0-1", "1-3", "1-1"))
    rig.press("OK")
    assert not any(shows(rig, tile) for tile in ("0-0", "0-1", "1-3", "1-1"))


def test_the_key_after_a_settled_call_counts() -> None:
    rig = started().press("OK 1 PASS OK BOGUS OK " + EXCLUDED + "6 4 OK")
    assert not rig.refused
    assert rig.state.board.hand.turns[-1].seat == RED


def test_tiles_keyed_in_a_claim_are_never_displayed() -> None:
    rig = started().press(PASSED + "BOGUS OK 4 5 4 4")
    assert not any(shows(rig, text) for text in ("4-5", "4-4"))
    assert shows(rig, "●●  ●●")
    rig.press("4 5 OK")
    assert not any(shows(rig, text) for text in ("4-5", "4-4"))


def test_the_ruling_screen_does_not_show_the_accuseds_tiles() -> None:
    rig = started().press("OK 1 DRAW PASS OK BOGUS 2 OK " + "0 6 0 1 0 2 1 2 2 2 1 3 1 1 0 0 OK")
    assert rig.name() == "AskRuling"
    assert not shows(rig, "0-6")


@pytest.mark.parametrize("told", ["mark", "aloud"])
def test_proven_bogus_plays_are_offered_first(told: str) -> None:
    rig = started()
    rig.view = rig._with(Setting("tell-bogus", told))
    rig.press(PROVEN)
    assert shows(rig, PROVEN_MARK)
    assert shows(rig, "If entered right: Blue bogus") == (told == "aloud")
    rig.press("3 BACK")
    assert shows(rig, PROVEN_MARK)
    assert not shows(rig, "If entered right: Blue bogus")
    rig.press("BOGUS")
    assert rig.name() == "ShowProof"
    rig.press("OK OK 2 0 OK")
    assert rig.rows[-2:] == [
        Step((BogusCalled(BLUE, RED, 2),)),
        Step((PipsShown(BLUE, 20),), joined=True),
    ]
    assert rig.name() == "ShowRuling"
    assert rig.state.scores.values == (50, 0)
    rig.press("OK")
    assert rig.name() == "BetweenHands"
    assert not shows(rig, PROVEN_MARK)


def test_long_names_leave_room_for_the_bogus_mark() -> None:
    rig, options = Rig(), settle_options(GAMES["high-five"], 2, {})
    rig.console = Console.start()
    rig.view = rig._with(
        GameOpened("high-five", Seats.of("Anna", "Bartholomea_Maximiliana"), options)
    )
    rig.view = rig._with(Setting("tell-bogus", "aloud"))
    again(rig)
    rig.press(PROVEN)
    assert shows(rig, "If entered right: Bart. bogus")


def test_a_proven_bogus_play_is_shown_only_with_the_setting() -> None:
    """Noticing is the opponents' part of the game."""
    rig = started().press(PROVEN)
    assert not shows(rig, "BOGUS")
    assert not shows(rig, "proven")
    rig.press("BOGUS")
    assert rig.name() == "ChooseTurn"
    rig.press("OK")
    claim = rig.state.board.watched.claim
    assert claim.verdict.kind == "proven", "who notices it is told why"


def test_the_bogus_mark_has_its_own_line_and_names_no_tile() -> None:
    rig = started()
    rig.view = rig._with(Setting("tell-bogus", "mark"))
    rig.press("OK 1 PASS OK 6 5 OK 6 3")
    before = rig.frame.rows()
    rig.press("OK")
    assert shows(rig, PROVEN_MARK)
    assert not any("#" in row[:30] for row in rig.frame.rows()[32:40]), "left of the tile"
    assert before[32:40] != rig.frame.rows()[32:40]
    rig.press("3 4 OK 4 0 OK")
    assert rig.state.effect.payments
    assert shows(rig, "pays")
    assert shows(rig, PROVEN_MARK), "beside a payment, too"


def test_keying_a_tile_hides_the_bogus_mark() -> None:
    """Below “1-2 doesn't fit”, the mark would seem to be about that tile."""
    rig = started()
    rig.view = rig._with(Setting("tell-bogus", "mark"))
    rig.press("OK 1 PASS OK 6 5 OK 6 3 OK")
    for key in ("1", "2", "OK", "OK", "BACK"):
        assert not shows(rig.press(key), PROVEN_MARK), key
    assert shows(rig.press("BACK"), PROVEN_MARK)


def test_the_bogus_mark_takes_at_most_one_line() -> None:
    rig, plain = started(), started().press(PROVEN)
    rig.view = rig._with(Setting("tell-bogus", "mark"))
    rig.press(PROVEN)
    assert rig.costs[-1] - plain.costs[-1] <= WIDTH + RUN_COST


def test_one_more_key_calls_a_turn_other_than_the_first_offered() -> None:
    rig = started().press(PROVEN + "3 4 OK DRAW BOGUS PASS 1")
    assert steps(rig, 1) == [Step((BogusCalled(BLUE, RED, 6),))]
    rig = started().press(PASSED + "BOGUS 2")
    assert steps(rig, 1) == [Step((BogusCalled(RED, BLUE, 3),))]


def test_turns_to_call_are_listed_with_their_open_ends() -> None:
    rig = started().press(PASSED + "DRAW BOGUS")
    assert isinstance(rig.screen, ChooseTurn)
    assert rig.screen.lines(rig.view) == (
        "Blue 2nd: draw on 3 6",
        "Red 2nd: pass on 3 6",
        "Red 2nd: draw on 3 6",
    )


@pytest.mark.parametrize(("players", "by"), [(3, RED), (4, RED)])
def test_the_caller_is_asked_for_if_several_seats_can_call(players: int, by: Seat) -> None:
    rig = started(players).press("OK 1 PASS OK BOGUS OK")
    assert rig.name() == "Choices"
    rig.press("OK")
    assert rig.view.chips is not None
    payee = rig.view.chips.payee_of(BLUE)
    assert steps(rig, 1) == [Step((BogusCalled(BLUE, payee, 2),))]
    other = next(seat for seat in rig.state.seats if seat not in (BLUE, payee))
    rig.press(f"BACK OK BOGUS OK {rig.state.seats.order.index(other) + 1}")
    assert steps(rig, 1) == [Step((BogusCalled(BLUE, other, 2),))]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_call_from_a_keypad_is_made_by_its_seat(players: int) -> None:
    rig = started(players).press("OK 1 PASS OK")
    rig.send(Press(Key.BOGUS, seat=RED))
    rig.press("OK")
    assert steps(rig, 1) == [Step((BogusCalled(BLUE, RED, 2),))]


def test_a_seat_does_not_call_itself() -> None:
    rig = started().press("OK 1 PASS OK")
    rig.send(Press(Key.BOGUS, seat=BLUE))
    assert rig.name() == "LineTurn"
    assert "Nobody else" in str(rig.console.message)


def test_a_seat_calls_the_same_turn_only_once() -> None:
    rig = started(3).press("OK 1 PASS OK BOGUS OK OK PASS 2 OK BOGUS OK")
    assert isinstance(rig.rows[-1], Step)
    assert isinstance(rig.rows[-1].entries[0], BogusCalled)
    rig.press("PASS 2 OK BOGUS")
    assert rig.name() == "Note"


def test_a_penalty_called_after_going_out_replaces_the_payment() -> None:
    rig = started().press("OK 1 PASS OK 6 1 OK MENU")
    choose_line(rig, "More", "Red is out")
    rig.press("OK DRAW 1 2 OK")
    assert rig.name() == "BetweenHands"
    before = rig.state
    rig.press("BOGUS OK 1 OK")
    assert rig.state.scores.values == (50, 0)
    assert shows(rig, "BLUE pays RED 40: 4×10."), "10 was paid for the out already"
    rig.press("OK")
    assert rig.name() == "BetweenHands"
    rig.press("BACK OK OK")
    assert rig.state == before


def test_calls_are_possible_until_the_next_hands_first_tile() -> None:
    rig = started().press("OK 1 PASS OK MENU")
    choose_line(rig, "Blocked")
    rig.press("OK DRAW 1 0 OK 2 0 OK")
    assert rig.name() == "BetweenHands"
    paid = rig.state.scores
    rig.press("OK BOGUS OK OK")
    assert rig.name() in ("KeyHolding", "AskRuling", "ShowVerdict")
    rig.press("1 OK")
    assert rig.state.board.before.bogus == BLUE
    assert rig.state.scores != paid
    assert rig.state.to_move == RED
    rig.press("BACK OK OK 1 BOGUS")
    assert rig.name() == "Note"


@pytest.mark.parametrize("keys", ["BOGUS OK", "BOGUS OK PASS", "BOGUS OK 4 4", "BOGUS OK PASS 1 3"])
def test_a_power_cut_keeps_the_open_call(keys: str) -> None:
    rig = started().press(PASSED + keys)
    again(rig)
    assert rig.name() == "ShowVerdict"
    rig.press("OK " + EIGHT)
    again(rig)
    assert rig.name() == "AskRuling"
    rig.press("1 OK")
    again(rig)
    assert rig.name() == "BetweenHands"
    rig.press("BACK OK OK")
    assert rig.state.board.watched.claim is None
    assert rig.state.board.watched.calls == frozenset()


def test_the_records_ruling_is_shown_again_after_a_power_cut() -> None:
    rig = started().press("OK 1 PASS OK BOGUS OK " + EXCLUDED)
    again(rig)
    assert rig.name() == "ShowRuling"
    rig.press("BACK OK")
    assert rig.state.board.ruling is None
    assert rig.state.to_move == RED


def test_returning_a_tile_is_forgiven_but_drawing_again_is_not() -> None:
    rig = started().press("OK 1 DRAW BACK 6 2 DRAW BOGUS OK")
    assert rig.name() == "ShowRuling"
    rig = started().press("OK 1 DRAW BACK 6 2 DRAW DRAW")
    rig.press("BOGUS OK 2 0 OK")
    assert rig.state.board.watched.bogus == BLUE


def test_the_table_overrules_the_record_if_a_house_rule_allows_it() -> None:
    rig = Rig().press("1 2 1 MENU")
    options = [option.name for option in rig.games["high-five"].rules.options]
    rig.press(f"{options.index('table-overrules') + 1} 2 BACK OK OK 1 PASS OK BOGUS OK {EXCLUDED}")
    assert isinstance(rig.rows[0], GameOpened)
    rig.press("PASS OK")
    assert steps(rig, 1) == [Step((CallRuled(BLUE, bogus=True),), joined=True)]
    assert rig.state.scores.values == (50, 0)
    rig.press("BACK OK OK")
    assert rig.state.scores.values == (0, 0)
    assert rig.state.board.watched.calls == frozenset()


def test_the_record_is_not_overruled_without_the_house_rule() -> None:
    rig = started().press("OK 1 PASS OK BOGUS OK " + EXCLUDED)
    rows = len(rig.rows)
    rig.press("PASS")
    assert len(rig.rows) == rows


def test_a_proven_call_is_shown_in_games_without_overruling() -> None:
    """In All Fives, with a penalty that depends on the tiles held."""
    rig = Rig().press("6 2 1 MENU 1 5 BACK OK " + PROVEN + "BOGUS OK")
    assert rig.name() == "ShowVerdict"
    assert rig.frame.words.startswith("PROVEN: BLUE'S TURN 1")
    assert "rule" not in rig.frame.words


def partners_game() -> Rig:
    rig = Rig()
    seats = Seats.of("Red", "Blue", "Green", "Yellow")
    options = settle_options(GAMES["all-fives"], 4, {"set": "R", "partners": "on"})
    rig.console, row = Console.start(), GameOpened("all-fives", seats, options)
    rig.view = rig._with(row)
    for text in ("hand lead Red", "Red 6-6", "Blue draw"):
        rig.view = rig._with(Step((parse_entry(text, GAMES["all-fives"], seats),)))
    again(rig)
    return rig


def test_on_the_box_only_an_opponent_can_be_the_caller() -> None:
    rig = partners_game().press("BOGUS")
    assert rig.name() == "ChooseTurn"
    rig.press("OK")
    assert "GREEN CALLS" in rig.frame.words.upper()
    assert "YELLOW CALLS" not in rig.frame.words.upper(), "a partner"
    rig.press("OK")
    assert steps(rig, 1) == [Step((BogusCalled(BLUE, GREEN, 2),))]


def test_a_keypad_calls_an_opponent_after_a_partner_passed() -> None:
    rig = partners_game()
    for text in ("Blue 6-5", "Green pass"):
        rig.view = rig._with(Step((parse_entry(text, GAMES["all-fives"], rig.state.seats),)))
    again(rig)
    rig.send(Press(Key.BOGUS, seat=RED))
    assert rig.name() == "ChooseTurn"
    rig.press("OK")
    assert steps(rig, 1) == [Step((BogusCalled(BLUE, RED, 2),))]


def test_a_seat_that_could_only_call_its_partner_sees_why_not() -> None:
    rig = partners_game()
    rig.send(Press(Key.BOGUS, seat=YELLOW))
    assert "Yellow can't call its own side" in rig.frame.words
