"""A change of earlier entries moves a call along with the draw or pass that it named."""

import pytest

from companion.core.seats import Seat
from companion.games.bogus.calls import VerdictKind, ruling_of
from companion.games.game import parse_entry
from companion.record.journal import AmendedGame, Journal
from companion.record.rows import Amend, EntryParser, Step, Undo, decode_row, encode_row
from tests.record.test_later_turns import game, lines

BLUE = Seat("Blue")

PROVEN = """
    hand
    Red 6-6
    Blue pass
    Red 6-5
    Blue 6-3
    bogus Blue by Red turn 2
    Blue pips 20
    """
"""Blue passed although a six fitted, then played one that it must have held."""

CLEARED = """
    hand
    Red 6-6
    Blue draw
    Blue 6-3
    Red 3-4
    bogus Blue by Red turn 2
    rule Blue clear
    Blue 4-1
    Red 1-2
    Blue draw
    Blue draw
    Blue 2-5
    """


def changed(
    of: Journal[object], place: int, *texts: str, insert: bool = False, calls_stay: bool = False
) -> AmendedGame[object]:
    entries = tuple(parse_entry(text, of.game, of.opened.seats) for text in texts)
    return of.amended(Amend(place, entries, insert, calls_stay=calls_stay))


def test_inserting_a_draw_before_a_call_keeps_the_hand() -> None:
    begun = game(CLEARED)
    found = changed(begun, 3, "Blue draw", insert=True)
    assert (found.broken, found.gone, found.dropped) == (None, (), 0)
    expected = lines(begun)
    expected.insert(3, "Blue draw")
    assert lines(found.journal) == expected, "the call's draw is before it: its number stays"


def test_a_call_moves_with_its_draw_when_an_earlier_turn_is_inserted() -> None:
    begun = game(CLEARED)
    found = changed(begun, 2, "Blue draw", insert=True)
    assert (found.broken, found.gone, found.dropped) == (None, (), 0)
    assert lines(found.journal)[2:8] == [
        "Blue draw", "Blue draw", "Blue 6-3", "Red 3-4", "bogus Blue by Red turn 3",
        "rule Blue clear",
    ]  # fmt: skip
    assert lines(found.journal.fold(Undo())) == lines(begun)


def test_a_moved_call_moves_back_when_the_turn_is_removed_again() -> None:
    begun = game(CLEARED)
    put_in = changed(begun, 2, "Blue draw", insert=True).journal
    assert lines(changed(put_in, 2).journal) == lines(begun)


def test_a_proven_call_still_names_the_same_pass() -> None:
    begun = game(PROVEN)
    ruling = ruling_of(begun.state)
    assert ruling is not None
    assert ruling.verdict is VerdictKind.PROVEN
    after = changed(begun, 2, "Blue draw", insert=True)
    assert (after.broken, after.dropped) == (None, 0)
    assert "bogus Blue by Red turn 3" in lines(after.journal)
    moved = ruling_of(after.journal.state)
    assert moved is not None
    assert moved.turn == 3


def test_a_call_without_a_turn_keeps_the_turn_that_it_meant() -> None:
    begun = game(CLEARED.replace(" turn 2", "").replace("Red 3-4\n", "", 1).replace(
        "    Blue 4-1\n    Red 1-2\n    Blue draw\n    Blue draw\n    Blue 2-5\n", ""
    ))  # fmt: skip
    assert lines(begun)[-2:] == ["bogus Blue by Red", "rule Blue clear"]
    found = changed(begun, 3, "Blue draw", insert=True)
    assert lines(found.journal)[-2:] == ["bogus Blue by Red turn 2", "rule Blue clear"]


def test_a_call_whose_draw_is_removed_is_dropped_alone() -> None:
    begun = game(CLEARED)
    found = changed(begun, 2)
    assert found.broken is None
    assert [(place, str(entry), str(why)) for place, entry, why in found.gone] == [
        (5, "bogus Blue by Red turn 2", "the draw or pass that it was about is gone"),
        (6, "rule Blue clear", "the draw or pass that it was about is gone"),
    ]
    assert found.dropped == 2
    gone = ("Blue draw", "bogus Blue by Red turn 2", "rule Blue clear")
    assert lines(found.journal) == [
        *(line for line in lines(begun)[:7] if line not in gone), *lines(begun)[7:]
    ]  # fmt: skip


def test_a_call_of_a_pass_becomes_one_of_the_draw_that_replaced_it() -> None:
    begun = game("hand\nRed 6-6\nBlue pass\nRed 6-3\nbogus Blue by Red turn 2\nrule Blue clear")
    found = changed(begun, 2, "Blue draw", "Blue pass")
    assert (found.broken, found.gone) == (None, ())
    assert lines(found.journal)[2:] == [
        "Blue draw", "Blue pass", "Red 6-3", "bogus Blue by Red turn 2", "rule Blue clear",
    ]  # fmt: skip


def test_a_call_is_dropped_if_its_turn_becomes_another_seats() -> None:
    begun = game(
        "hand\nRed 6-6\nBlue pass\nGreen pass\nbogus Blue by Red turn 2\nrule Blue clear\nRed 6-3",
        "Red Blue Green",
    )
    found = changed(begun, 2, "Blue 6-4")
    assert [str(entry) for _, entry, _ in found.gone] == [
        "bogus Blue by Red turn 2", "rule Blue clear"
    ]  # fmt: skip
    assert lines(found.journal)[2:] == ["Blue 6-4", "Green pass", "Red 6-3"]


def test_a_ruling_is_dropped_if_the_record_now_decides() -> None:
    """After the call was excluded, all tiles that fit were shown elsewhere, so no ruling is needed
    any more."""
    begun = game("hand\nRed 6-6\nBlue draw\nbogus Blue by Red turn 2\nrule Blue clear\nBlue 6-3")
    found = changed(begun, 3, "Blue return 1-1", insert=True)
    assert [str(entry) for _, entry, _ in found.gone] == ["rule Blue clear"]
    assert (found.broken, found.dropped) == (None, 1)
    assert lines(found.journal)[-1] == "Blue 6-3"


def test_a_call_of_the_previous_hand_stays_with_it() -> None:
    begun = game(
        "hand\nRed 6-6\nBlue draw\nBlue 6-3\nRed 3-4\nblocked\nRed pips 20\nBlue pips 9\nhand\n"
        "bogus Blue by Red turn 2\nrule Blue clear\nBlue 5-5"
    )
    found = changed(begun, 2, "Blue draw", insert=True)
    assert (found.broken, found.gone) == (None, ())
    assert lines(found.journal)[-4:] == [
        "hand", "bogus Blue by Red turn 3", "rule Blue clear", "Blue 5-5",
    ]  # fmt: skip


@pytest.mark.parametrize("stay", [False, True])
def test_a_change_records_whether_calls_keep_their_turn_numbers(stay: bool) -> None:
    begun = game(CLEARED)
    words = EntryParser(begun.game, begun.opened.seats)
    entry = parse_entry("Blue draw", begun.game, begun.opened.seats)
    row = Amend(2, (entry,), insert=True, calls_stay=stay)
    assert decode_row(encode_row(row), words) == row
    old = '{"v": 2, "kind": "amend", "at": 2, "entries": ["Blue draw"], "insert": true}'
    assert decode_row(old, words) == Amend(2, (entry,), insert=True, calls_stay=True)


def test_a_call_keeps_its_turn_number_in_a_row_of_an_old_format() -> None:
    found = changed(game(CLEARED), 2, "Blue draw", insert=True, calls_stay=True)
    assert "bogus Blue by Red turn 2" in lines(found.journal)


def test_undo_and_steps_work_after_a_moved_call() -> None:
    begun = game(CLEARED)
    after = begun.fold(Amend(2, (parse_entry("Blue draw", begun.game, begun.opened.seats),), True))
    entry = parse_entry("Red 6-2", begun.game, begun.opened.seats)
    assert lines(after.fold(Step((entry,))))[-1] == "Red 6-2"
