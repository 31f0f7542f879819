"""Chips: every payment can be made exactly, in pieces of one colour."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import EntryError
from companion.core.seats import Seat, Seats
from companion.games.chips import Chips, parse_chip_set, parse_pieces, points_of
from companion.games.high_five import CHIP_SETS
from tests.sampling import examples

SEATS = Seats.of("Red", "Blue")
RED = Seat("Red")


@settings(max_examples=examples(200))
@given(
    st.sampled_from([*CHIP_SETS, "10x14+5x2", "50x1+10x8+5x4", "100x1+20x2+5x2", "15x4+10x6+5x6"]),
    st.lists(st.integers(-30, 30).filter(bool), max_size=40),
)
def test_any_payment_can_be_made_and_no_piece_is_lost(chip_set: str, moves: list[int]) -> None:
    parse_chip_set(chip_set)
    whole = parse_pieces(chip_set)
    chips = Chips.full(SEATS, chip_set)
    for fives in moves:
        points = 5 * fives
        if not -chips.won_from(RED) <= points <= chips.left(RED):
            continue
        before = chips.left(RED)
        chips, exchange = chips.pay(RED, points)
        assert chips.left(RED) == before - points
        stock = chips.stocks[RED]
        if chip_set in CHIP_SETS:
            assert points_of(exchange.over) - points_of(exchange.back) == points
            assert points_of(stock.home) == stock.points
        assert all(number >= 0 for _, number in stock.home + stock.away)
        away = dict(stock.away)
        assert tuple((value, number + away[value]) for value, number in stock.home) == whole


def test_points_are_right_even_if_chips_cannot_make_change() -> None:
    chips = Chips.full(SEATS, "70x2+5x2")
    for _ in range(3):
        chips, exchange = chips.pay(RED, 5)
    assert chips.left(RED) == 135
    assert (exchange.over, exchange.back) == ((), ())
    chips, exchange = chips.pay(RED, 65)
    assert chips.left(RED) == points_of(chips.stocks[RED].home) == 70
    assert (exchange.over, exchange.back) == (((70, 1),), ())


def test_a_payment_moves_the_fewest_pieces() -> None:
    chips = Chips.full(SEATS, "10x10+5x10")
    _, exchange = chips.pay(RED, 15)
    assert (exchange.over, exchange.back) == (((10, 1), (5, 1)), ())


def test_a_payment_gives_change() -> None:
    chips = Chips.full(SEATS, "10x14+5x2")
    chips, _ = chips.pay(RED, 5)
    chips, _ = chips.pay(RED, 5)
    _, exchange = chips.pay(RED, 5)
    assert (exchange.over, exchange.back) == (((10, 1),), ((5, 1),))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10x10", "150"),
        ("10x10+5x8", "140"),
        ("50x3", "too few fives"),
        ("3x50", "worth 5"),
        ("ten", "not a set"),
        ("0x3+5x30", "worth 5"),
        ("-5x30", "not a set"),
    ],
)
def test_impossible_sets_are_refused(text: str, reason: str) -> None:
    with pytest.raises(EntryError, match=reason):
        parse_chip_set(text)
