"""Dominó at the box: who leads, a hand in two entries, blocks, and the pips of a renuncio."""

from dataclasses import replace

from companion.console.line.play import AskHighestDouble, BetweenHands, between_table
from companion.console.screen import scored_at_once
from companion.record.tally import play_tally, read_tally
from tests.catalog import GAMES
from tests.console.rig import Rig

FOUR = "8 4 1 OK OK "
"""The set-up of four, two against two, and the deal."""
ENDS_ALONE = FOUR + "MENU 7 4 OK "
"""Only the ends of hands are entered."""


def entries(rig: Rig) -> list[str]:
    return [str(entry) for entry in rig.view.game.entries]


def scores(rig: Rig) -> list[int]:
    return [*rig.state.scores.values]


def test_someone_must_hold_the_double_six_if_all_tiles_are_dealt() -> None:
    rig = Rig().press(FOUR + "PASS")
    assert isinstance(rig.screen, AskHighestDouble)
    assert rig.screen.why_not == "All tiles are dealt: somebody holds it."
    assert entries(rig.press("OK 2")) == ["hand", "Blue 6-6"]


def test_if_tiles_are_undealt_the_tile_with_the_highest_half_leads() -> None:
    """6-2 comes before 5-4, which has more pips."""
    rig = Rig().press("8 3 1 OK OK " + "PASS " * 7)
    tiles = []
    for _ in range(7):
        assert isinstance(rig.screen, AskHighestDouble)
        tiles.append(rig.screen.tile(rig.view))
        rig.press("PASS")
    assert tiles == [(6, 5), (6, 4), (6, 3), (6, 2), (6, 1), (6, 0), (5, 4)]


def test_after_going_out_all_pips_are_keyed_as_one_number() -> None:
    rig = Rig().press(ENDS_ALONE + "1 OK OK DRAW 2 2 OK")
    assert entries(rig) == ["hand", "Red out", "pips 22"]
    assert scores(rig) == [22, 0, 22, 0]
    assert isinstance(rig.screen, BetweenHands)


def test_tiles_are_keyed_seat_by_seat_after_going_out() -> None:
    rig = Rig().press(ENDS_ALONE + "1 OK OK 5 6 OK 1 1 OK 0 0 OK")
    assert entries(rig)[2:] == ["Blue holds 5-6", "Green holds 1-1", "Yellow holds 0-0"]
    assert scores(rig) == [13, 0, 13, 0]


def test_tiles_are_keyed_seat_by_seat_in_a_blocked_hand() -> None:
    rig = Rig().press(ENDS_ALONE + "MENU 4 OK DRAW 1 2 OK 9 OK 4 OK 5 OK")
    assert entries(rig)[1:] == ["blocked", *(
        f"{seat} pips {pips}" for seat, pips in
        (("Red", 12), ("Blue", 9), ("Green", 4), ("Yellow", 5))
    )]  # fmt: skip
    assert scores(rig) == [0, 30, 0, 30]


def test_scores_cannot_be_keyed_in_a_game_without_scoring_plays() -> None:
    rig = Rig().press(ENDS_ALONE + "1 5")
    assert entries(rig) == ["hand"]


def test_playing_the_last_tile_ends_the_hand_without_a_question() -> None:
    lays = "1 6 4 OK 6 5 OK PASS OK " + "4 3 OK PASS OK PASS OK PASS OK 3 2 OK 5 1 OK "
    rig = Rig().press("8 2 1 OK OK " + lays)
    assert rig.refused == []


def test_a_call_counts_the_pips_that_are_not_on_the_table() -> None:
    """Entered by counts, the tile played may be 2-2 or 4-2: the record can't know the pips left."""
    counts = "MENU 7 3 1 6 OK 6 OK 8 OK PASS OK "
    rig = Rig().press(FOUR + "1 " + counts + "BOGUS 1 2 PASS 1 1 2 0 OK")
    assert entries(rig)[-1] == "pips 120"
    rig.press("PASS 1 OK")
    assert entries(rig)[-1] == "rule Red bogus"
    assert 120 in scores(rig)


CAPICUA = """tally 1
game domino
seats Anna Ben Cleo Dan
option set C
hand
Anna 6-6
Ben 6-4
Cleo 6-2
Dan 4-2 ends 2 2
Dan out
pips 30"""


def test_points_scored_together_are_shown_as_a_sum() -> None:
    *_, last = play_tally(read_tally(CAPICUA, GAMES), GAMES)
    view = replace(Rig().press(FOUR).view, journal=last.journal)
    table = between_table(view)
    assert (table.number, table.say) == ("55", "DAN scores 30 + 25")
    paid = view.state.effect.payments[0]
    assert scored_at_once(view.state, paid) == (30, 25)
