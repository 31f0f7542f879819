"""The debounce is pure: every case is a list of edges with their times in milliseconds."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.keys import REPEATING, Key, Press
from companion.devices.gpio.debounce import Debounce, Edge, Timing

DOWN, UP = True, False
FIVE, HELD = Press(Key.D5), Press(Key.D5, held=True)


def presses_of(
    edges: Sequence[tuple[float, bool]], until: float = 10_000, timing: Timing | None = None
) -> list[Press]:
    """Returns the presses of key 5 until this time, in milliseconds; time only advances when the
    debounce requests it."""
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
def test_only_stable_contacts_count_as_presses(
    edges: list[tuple[float, bool]], presses: list[Press]
) -> None:
    assert presses_of(edges) == presses


def test_a_press_is_reported_three_milliseconds_after_contact() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.OK, DOWN, 1.0))
    assert debounce.wake_at == pytest.approx(1.003)
    assert debounce.advance(1.0029) == []
    assert debounce.advance(1.003) == [Press(Key.OK)]


def test_no_wake_up_is_scheduled_without_edges() -> None:
    debounce = Debounce()
    assert debounce.wake_at is None
    debounce.feed(Edge(Key.OK, DOWN, 0.0))
    debounce.feed(Edge(Key.OK, UP, 0.1))
    debounce.advance(0.2)
    assert debounce.wake_at is None


def test_a_stuck_key_is_reported_once_and_gives_no_press() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.DRAW, DOWN, 0.0))
    pressed = [press for at in range(200) for press in debounce.advance(at / 10)]
    assert pressed[0] == Press(Key.DRAW)
    assert not debounce.stuck
    assert debounce.wake_at == 20.0
    assert debounce.advance(20.0) == []
    assert debounce.stuck == (Key.DRAW,)
    assert debounce.stuck is debounce.stuck, "what has not changed is not made anew"
    assert debounce.wake_at is None
    assert debounce.advance(9000.0) == []


def test_a_stuck_key_works_again_once_released() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.OK, DOWN, 0.0))
    debounce.advance(30.0)
    debounce.feed(Edge(Key.D1, DOWN, 31.0))
    assert debounce.advance(31.1) == [Press(Key.D1)]
    debounce.feed(Edge(Key.D1, UP, 31.2))
    debounce.feed(Edge(Key.OK, UP, 32.0))
    assert debounce.stuck == (Key.OK,)
    assert debounce.advance(33.0) == []
    assert not debounce.stuck
    debounce.feed(Edge(Key.OK, DOWN, 34.0))
    assert debounce.advance(35.0) == [Press(Key.OK)]


def test_a_key_that_is_down_at_the_start_is_reported_but_not_pressed() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.PASS, DOWN, 5.0, found=True))
    assert debounce.wake_at == 7.0
    assert debounce.advance(6.9) == []
    assert not debounce.stuck
    assert debounce.advance(7.0) == []
    assert debounce.stuck == (Key.PASS,)
    assert debounce.feed(Edge(Key.PASS, UP, 8.0)) + debounce.advance(9.0) == []
    assert not debounce.stuck
    assert debounce.chatter == {}
    debounce.feed(Edge(Key.PASS, DOWN, 10.0))
    assert debounce.advance(10.1) == [Press(Key.PASS)]


def test_a_key_released_soon_after_the_start_is_not_stuck() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.PASS, DOWN, 5.0, found=True))
    debounce.feed(Edge(Key.PASS, UP, 6.0))
    assert debounce.advance(60.0) == []
    assert not debounce.stuck
    assert debounce.wake_at is None


def test_a_key_held_at_the_start_is_pressed_once() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.OK, DOWN, 5.0))
    debounce.feed(Edge(Key.OK, DOWN, 5.001, found=True))
    assert debounce.advance(5.1) == [Press(Key.OK)]


@pytest.mark.parametrize("key", REPEATING)
def test_keys_that_repeat_do_so_after_half_a_second(key: Key) -> None:
    debounce, times = Debounce(), []
    debounce.feed(Edge(key, DOWN, 0.0))
    while (at := debounce.wake_at) is not None and at < 1.0:
        times += [round(at, 3)] * debounce.advance(at).count(Press(key, repeated=True))
    assert times == [0.5, 0.62, 0.74, 0.86, 0.98]
    debounce.feed(Edge(key, UP, 1.0))
    assert debounce.advance(9.0) == []


def test_missed_repeats_are_not_made_up_for_later() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.DOWN, DOWN, 0.0))
    debounce.advance(0.1)
    assert debounce.advance(1.9) == [Press(Key.DOWN, repeated=True)]
    assert debounce.wake_at == 2.0


def test_presses_of_several_keys_are_ordered_by_the_time_of_confirmation() -> None:
    debounce = Debounce()
    debounce.feed(Edge(Key.D6, DOWN, 0.0))
    debounce.feed(Edge(Key.D2, DOWN, 0.001))
    debounce.feed(Edge(Key.D6, UP, 0.002))
    debounce.feed(Edge(Key.D6, DOWN, 0.0025))
    assert debounce.advance(0.1) == [Press(Key.D2), Press(Key.D6)]


def test_a_loop_that_advances_late_gets_the_same_presses() -> None:
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


def test_a_longer_release_time_ignores_the_chatter_of_a_worn_key() -> None:
    edges = [(0, DOWN), (40, UP), (110, DOWN), (150, UP)]
    assert presses_of(edges) == [FIVE, FIVE]
    assert presses_of(edges, timing=Timing(release_s=0.09)) == [FIVE]


bounces = st.lists(st.floats(0.05, 2.9), max_size=12)


@given(bounces, bounces, st.floats(40, 1000))
def test_any_pattern_of_bounces_gives_one_press(
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
