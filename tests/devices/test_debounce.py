"""The debounce is pure: every case is a list of edges with their times in milliseconds."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices.debounce import Debounce, Edge, Timing
from companion.keys import Key, Press

DOWN, UP = True, False
FIVE, HELD = Press(Key.D5), Press(Key.D5, held=True)


def presses_of(
    edges: Sequence[tuple[float, bool]], until: float = 10_000, timing: Timing | None = None
) -> list[Press]:
    """The presses of key 5, looked at only when the debounce wants it."""
    debounce, found = Debounce(timing), []
    for at, down in edges:
        found += debounce.feed(Edge(Key.D5, down, at / 1000))
    while (wake_at := debounce.wake_at) is not None and wake_at <= until / 1000:
        found += debounce.advance(wake_at)
    return found


@pytest.mark.parametrize(
    ("edges", "presses"),
    [
        ([(0, DOWN), (100, UP)], [FIVE]),
        ([(0, DOWN), (2, UP)], []),
        ([(0, DOWN), (2, UP), (2.5, DOWN), (100, UP)], [FIVE]),
        ([(0, DOWN), (50, UP), (60, DOWN), (100, UP)], [FIVE]),
        ([(0, DOWN), (50, UP), (76, DOWN), (100, UP)], [FIVE, FIVE]),
        ([(0, DOWN), (1999, UP)], [FIVE]),
        ([(0, DOWN), (2100, UP)], [FIVE, HELD]),
        ([(0, DOWN), (1000, UP), (1010, DOWN), (2100, UP)], [FIVE, HELD]),
        ([(0, DOWN), (1990, UP), (2005, DOWN), (2100, UP)], [FIVE, HELD]),
        ([(0, DOWN), (1990, UP)], [FIVE]),
        ([(0, DOWN), (9000, UP), (9100, DOWN), (9200, UP)], [FIVE, HELD, FIVE]),
    ],
    ids=[
        "a press",
        "a spike",
        "bouncing while closing",
        "bouncing while opening",
        "released long enough",
        "almost held",
        "held",
        "held with a bounce",
        "held, bouncing at the moment of truth",
        "let go at the moment of truth",
        "held once, however long",
    ],
)
def test_what_counts_as_a_press(edges: list[tuple[float, bool]], presses: list[Press]) -> None:
    assert presses_of(edges) == presses


def test_a_press_is_told_three_milliseconds_after_contact() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.OK, DOWN, 1.0))
    assert debounce.wake_at == pytest.approx(1.003)
    assert debounce.advance(1.0029) == []
    assert debounce.advance(1.003) == [Press(Key.OK)]


def test_nothing_to_wait_for_while_no_key_is_touched() -> None:
    debounce = Debounce()
    assert debounce.wake_at is None
    debounce.feed(Edge(Key.OK, DOWN, 0.0))
    debounce.feed(Edge(Key.OK, UP, 0.1))
    debounce.advance(0.2)
    assert debounce.wake_at is None


def test_a_held_key_is_not_looked_at_again() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.BACK, DOWN, 0.0))
    assert debounce.advance(5.0) == [Press(Key.BACK), Press(Key.BACK, held=True)]
    assert debounce.wake_at is None


def test_presses_of_several_keys_come_in_the_order_in_which_they_came_true() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.D6, DOWN, 0.0))
    debounce.feed(Edge(Key.D2, DOWN, 0.001))
    debounce.feed(Edge(Key.D6, UP, 0.002))
    debounce.feed(Edge(Key.D6, DOWN, 0.0025))
    assert debounce.advance(0.1) == [Press(Key.D2), Press(Key.D6)]


def test_a_late_loop_sees_the_same_presses() -> None:
    debounce = Debounce()
    found = debounce.feed(Edge(Key.D1, DOWN, 0.0))
    found += debounce.feed(Edge(Key.D1, UP, 0.05))
    found += debounce.feed(Edge(Key.D1, DOWN, 0.15))
    found += debounce.feed(Edge(Key.D1, UP, 0.2))
    assert found == [Press(Key.D1), Press(Key.D1)]


def test_each_bounce_is_counted_by_key() -> None:
    debounce = Debounce()
    for at, down in [(0, DOWN), (1, UP), (2, DOWN), (100, UP), (104, DOWN), (105, UP)]:
        debounce.feed(Edge(Key.D3, down, at / 1000))
    debounce.feed(Edge(Key.D4, DOWN, 0.2))
    assert debounce.chatter == {Key.D3: 2}


def test_a_worn_key_wants_longer_times() -> None:
    edges = [(0, DOWN), (40, UP), (110, DOWN), (150, UP)]
    assert presses_of(edges) == [FIVE, FIVE]
    assert presses_of(edges, timing=Timing(release_s=0.09)) == [FIVE]


bounces = st.lists(st.floats(0.05, 2.9), max_size=12)


@given(bounces, bounces, st.floats(40, 1000))
def test_however_it_bounces_one_push_is_one_press(
    closing: list[float], opening: list[float], pushed: float
) -> None:
    edges, at = [(0.0, DOWN)], 0.0
    for gaps, stable in ((closing, pushed), (opening, 30.0)):
        for gap in gaps + gaps:
            at += gap
            edges.append((at, not edges[-1][1]))
        at += stable
        edges.append((at, not edges[-1][1]))
    assert presses_of(edges[:-1]) == [FIVE]
