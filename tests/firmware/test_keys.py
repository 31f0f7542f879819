"""The firmware's keys: from contacts to presses."""

import pytest

from seat_keypad.keys import Keys
from seat_keypad.matrix import Matrix, ghost_candidates
from seat_keypad.presses import Presses

LETTERS = b"123D456P789!B0KM"


class Hand:
    """Presses keys and lets time go by, a millisecond at a time."""

    def __init__(self, now: int = 1000) -> None:
        self.presses = Presses()
        self.keys = Keys(LETTERS, self.presses)
        self.now = now
        self.closed = 0

    def wait(self, ms: int) -> None:
        for _ in range(ms):
            self.keys.step(self.closed, self.now)
            self.now = (self.now + 1) & 0x3FFFFFFF

    def close(self, letters: str) -> None:
        for letter in letters:
            self.closed |= 1 << LETTERS.index(letter.encode())

    def open(self, letters: str) -> None:
        for letter in letters:
            self.closed &= ~(1 << LETTERS.index(letter.encode()))

    @property
    def typed(self) -> str:
        """The letters in the queue; held ones in brackets."""
        return "".join(
            f"({chr(self.presses.letter(at))})"
            if self.presses.held(at)
            else chr(self.presses.letter(at))
            for at in range(self.presses.count)
        )


@pytest.fixture
def hand() -> Hand:
    hand = Hand()
    hand.wait(5)
    return hand


def test_every_key_has_its_letter(hand: Hand) -> None:
    for letter in LETTERS.decode():
        hand.close(letter)
        hand.wait(50)
        hand.open(letter)
        hand.wait(50)
    assert hand.typed == LETTERS.decode()


def test_a_contact_of_three_milliseconds_is_a_press_and_a_shorter_one_is_not(hand: Hand) -> None:
    hand.close("5")
    hand.wait(3)
    hand.open("5")
    hand.wait(50)
    assert hand.typed == ""
    hand.close("5")
    hand.wait(4)
    assert hand.typed == "5"
    assert hand.presses.at(0) == hand.now - 4


def test_bounces_count_as_one_press(hand: Hand) -> None:
    for _ in range(8):
        hand.close("5")
        hand.wait(1)
        hand.open("5")
        hand.wait(2)
    hand.close("5")
    hand.wait(60)
    for _ in range(8):
        hand.open("5")
        hand.wait(20)
        hand.close("5")
        hand.wait(1)
    hand.open("5")
    hand.wait(40)
    assert hand.typed == "5"


def test_a_held_key_is_reported_once(hand: Hand) -> None:
    hand.close("B")
    hand.wait(1999)
    assert hand.typed == "B"
    hand.wait(4000)
    assert hand.typed == "B(B)"
    assert hand.presses.at(1) == hand.presses.at(0) + 2000


def test_the_ticks_counter_may_wrap_around(hand: Hand) -> None:
    hand = Hand(now=0x3FFFFFFF - 1000)
    hand.wait(999)
    hand.close("M")
    hand.wait(2010)
    assert hand.typed == "M(M)"


def test_a_key_down_at_the_start_is_ignored_until_released() -> None:
    hand = Hand()
    hand.close("7")
    hand.wait(5000)
    hand.close("8")
    hand.wait(10)
    assert hand.typed == "8"
    hand.open("78")
    hand.wait(50)
    hand.close("7")
    hand.wait(10)
    assert hand.typed == "87"


def test_two_keys_are_two_presses_and_a_third_makes_no_ghost(hand: Hand) -> None:
    hand.close("12")
    hand.wait(10)
    hand.close("45")  # 4 is pressed; that closes the rectangle, so 5 seems down, too
    hand.wait(50)
    assert hand.typed == "12"
    hand.open("1")
    hand.open("5")  # without the corner no ghost
    hand.wait(50)
    assert hand.typed == "124"


def test_ghost_candidates_are_all_corners_of_closed_rectangles() -> None:
    assert ghost_candidates(0b0000_0000_0011_0011) == 0b0000_0000_0011_0011
    assert ghost_candidates(0b1001_0000_0000_1001) == 0b1001_0000_0000_1001
    assert ghost_candidates(0b0000_0000_0001_0011) == 0
    assert ghost_candidates(0b1000_0100_0010_0001) == 0


class Wires:
    """A keypad's wires: a column is low while a closed key connects it to a low row, and for
    `rise_us` microseconds after that row was let go, as its pull-up has to charge the wire. Each
    look or change takes a microsecond."""

    def __init__(self) -> None:
        self.rows = [1, 1, 1, 1]
        self.closed: set[tuple[int, int]] = set()
        self.driven = 0
        self.rise_us = 0
        self._let_go = [-1000] * 4
        """When each row was let go."""
        self._us = 0

    def row(self, at: int) -> "object":
        def pin(value: int | None = None) -> int:
            self._us += 1
            if value is not None:
                if value and not self.rows[at]:
                    self._let_go[at] = self._us
                self.rows[at] = value
                self.driven = max(self.driven, self.rows.count(0))
            return self.rows[at]

        return pin

    def column(self, at: int) -> "object":
        def pin(value: int | None = None) -> int:
            assert value is None, "a column is only read"
            self._us += 1
            return int(not any(self._low(row) for row, column in self.closed if column == at))

        return pin

    def _low(self, row: int) -> bool:
        return not self.rows[row] or self._us - self._let_go[row] < self.rise_us

    def sleep_us(self, microseconds: int) -> None:
        self._us += microseconds


def matrix_on(wires: Wires) -> Matrix:
    rows, columns = (tuple(make(at) for at in range(4)) for make in (wires.row, wires.column))
    return Matrix(rows, columns, wires.sleep_us)  # type: ignore[arg-type]


def test_the_scan_reads_each_contact_with_one_row_low_at_a_time() -> None:
    wires = Wires()
    matrix = matrix_on(wires)
    for row in range(4):
        for column in range(4):
            wires.closed = {(row, column)}
            assert matrix.contacts() == 1 << (4 * row + column)
    wires.closed = {(0, 1), (3, 2)}
    assert matrix.contacts() == 1 << 1 | 1 << 14
    assert wires.driven == 1
    assert wires.rows == [1, 1, 1, 1]


def test_a_column_that_rises_late_makes_no_ghost_in_the_next_row() -> None:
    wires = Wires()
    wires.rise_us = 16
    matrix = matrix_on(wires)
    for row in range(4):
        for column in range(4):
            wires.closed = {(row, column)}
            for _ in range(2):  # the first row is read right after the last one
                assert matrix.contacts() == 1 << (4 * row + column)
