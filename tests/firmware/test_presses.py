"""The queue of presses that the host has not taken yet."""

from seat_keypad.presses import LAST, PLACES, Presses


def filled(count: int) -> Presses:
    presses = Presses()
    for at in range(count):
        presses.put(ord("0") + at % 10, False, at)
    return presses


def test_press_numbers_continue_whatever_was_acknowledged() -> None:
    presses = filled(5)
    assert (presses.first, presses.count) == (1, 5)
    assert presses.take(3) == 3
    assert (presses.first, presses.count, presses.letter(0)) == (4, 2, ord("3"))
    assert presses.take(3) == 0, "that one is gone already"
    assert presses.take(6) == 0, "that one was not given out"
    assert presses.take(5) == 2
    assert (presses.first, presses.count) == (6, 0)


def test_an_overflow_takes_the_last_place_in_the_queue() -> None:
    presses = filled(PLACES - 1)
    assert all(presses.letter(at) for at in range(PLACES - 1))
    presses.put(ord("D"), False, 99)
    presses.put(ord("P"), False, 99)
    assert presses.count == PLACES
    assert presses.letter(PLACES - 1) == 0
    assert presses.lost(PLACES - 1) == 2
    presses.take(10)
    presses.put(ord("K"), False, 99)
    assert presses.lost(presses.count - 1) == 3, "the lost ones are neighbours"


def test_an_overflow_being_sent_is_not_changed() -> None:
    presses = filled(PLACES)
    presses.take(PLACES - 1)
    assert presses.letter(0) == 0
    presses.fix_number(0)
    presses.put(ord("K"), False, 99)
    assert (presses.lost(0), presses.letter(1)) == (1, ord("K"))


def test_an_overflow_stops_counting_at_its_limit() -> None:
    presses = filled(PLACES + 70_000)
    assert presses.lost(PLACES - 1) == 65535


def test_drop_counts_queued_and_lost_presses() -> None:
    presses = filled(PLACES + 4)
    assert presses.drop() == PLACES - 1 + 5
    assert (presses.first, presses.count) == (PLACES + 1, 0)
    assert presses.drop() == 0


def test_presses_are_refused_after_the_highest_number() -> None:
    presses = filled(0)
    presses.renumber_after(LAST - 1)
    assert not presses.worn_out
    presses.put(ord("1"), False, 0)
    assert presses.worn_out
    presses.put(ord("2"), False, 0)
    assert (presses.first, presses.count) == (LAST, 1)
