"""Finger movements keep their order, and are far enough apart for the debounce to believe them."""

import asyncio
import itertools
import selectors
from collections.abc import Callable
from typing import Any

import pytest

from companion.core.budgets import KEY_MOVEMENTS
from companion.core.keys import Key, Press
from companion.devices.gpio.debounce import Debounce, Edge
from companion.web.key_pacing import Keyboard, KeyPace, PressedKeys, TooFastError


class JumpingSelector(selectors.SelectSelector):
    """A selector that never waits: it moves the loop's clock forward instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


class Page:
    """A page whose visitor has ten fingers."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.tips = PressedKeys(keyboard)
        self.playing = asyncio.create_task(self.tips.play())

    def tap(self, *keys: Key) -> None:
        for key in keys:
            self.tips.put(key, True)
            self.tips.put(key, False)


def played(script: Callable[[Callable[[], Page]], Any], late_s: float = 0.0) -> list[Edge]:
    """The movements that reach the pins. `script` gets a function that opens a page, and moves all
    fingers; it may be a coroutine. `late_s`: how long the first movement takes to its pin, as on a
    busy machine."""
    selector, edges = JumpingSelector(), list[Edge]()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        loop = runner.get_loop()
        loop.time = lambda: selector.now  # type: ignore[method-assign]

        async def play() -> None:
            def move(key: Key, down: bool) -> None:
                selector.now += 0.0 if edges else late_s
                edges.append(Edge(key, down, loop.time()))

            keyboard = Keyboard(move, KeyPace(0.01, 0.035))
            pages: list[Page] = []

            def open_page() -> Page:
                pages.append(Page(keyboard))
                return pages[-1]

            if (waits := script(open_page)) is not None:
                await waits
            await asyncio.sleep(5)

        runner.run(play())
    return edges


def presses_of(edges: list[Edge]) -> list[Press]:
    debounce = Debounce()
    presses = [press for edge in edges for press in debounce.feed(edge)]
    return presses + debounce.advance(100)


def moves(edges: list[Edge]) -> list[tuple[Key, bool]]:
    return [(edge.key, edge.down) for edge in edges]


def test_a_movement_that_reaches_its_pin_late_is_still_a_press() -> None:
    edges = played(lambda page: page().tap(Key.D1), late_s=0.008)
    assert presses_of(edges) == [Press(Key.D1)]


def test_each_tap_in_a_bundle_is_a_press() -> None:
    edges = played(lambda page: page().tap(Key.D5, Key.D5, Key.D6, Key.OK, Key.OK))
    assert presses_of(edges) == [Press(key) for key in (Key.D5, Key.D5, Key.D6, Key.OK, Key.OK)]
    assert all(a.at <= b.at for a, b in itertools.pairwise(edges))


def test_two_pages_press_the_same_key_one_after_the_other() -> None:
    def script(page: Callable[[], Page]) -> None:
        for one in (page(), page()):
            one.tap(Key.OK, Key.OK)

    assert 2 <= len(presses_of(played(script))) <= 4


def test_a_key_is_down_as_long_as_any_page_holds_it() -> None:
    async def script(page: Callable[[], Page]) -> None:
        one, two = page(), page()
        one.tips.put(Key.OK, True)
        two.tips.put(Key.OK, True)
        await asyncio.sleep(1)
        one.tips.put(Key.OK, False)
        one.tips.put(Key.D1, True)
        await asyncio.sleep(1)

    assert moves(played(script))[:2] == [(Key.OK, True), (Key.D1, True)]


def test_a_page_that_leaves_releases_its_keys() -> None:
    async def script(page: Callable[[], Page]) -> None:
        phone, other = page(), page()
        phone.tips.put(Key.BACK, True)
        await asyncio.sleep(0.001)
        other.tips.put(Key.D1, True)
        await asyncio.sleep(0.001)
        phone.playing.cancel()
        await asyncio.sleep(1)

    assert moves(played(script))[:3] == [(Key.BACK, True), (Key.D1, True), (Key.BACK, False)]


def test_waiting_movements_of_a_page_that_left_are_dropped() -> None:
    async def script(page: Callable[[], Page]) -> None:
        phone = page()
        phone.tap(*[Key.D5] * (KEY_MOVEMENTS.most // 2))
        await asyncio.sleep(0.1)
        phone.playing.cancel()
        await asyncio.sleep(1)

    edges = played(script)
    assert 1 <= len(presses_of(edges)) <= 3
    assert not edges[-1].down


def test_a_page_that_leaves_during_a_press_leaves_no_key_down() -> None:
    async def script(page: Callable[[], Page]) -> None:
        phone = page()
        phone.tap(Key.D5, Key.D5)
        await asyncio.sleep(0.03)  # the second finger waits for the key to have been up
        phone.playing.cancel()
        await asyncio.sleep(1)
        page().tap(Key.D5)
        await asyncio.sleep(1)

    assert presses_of(played(script)) == [Press(Key.D5), Press(Key.D5)]


def test_a_page_has_a_limit_of_waiting_movements() -> None:
    def script(page: Callable[[], Page]) -> None:
        flood = page()
        with pytest.raises(TooFastError):
            flood.tap(*[Key.D5] * 1000)

    assert len(presses_of(played(script))) == KEY_MOVEMENTS.most // 2


def test_a_flooding_page_does_not_delay_others() -> None:
    def script(page: Callable[[], Page]) -> None:
        page().tap(*[Key.D5] * (KEY_MOVEMENTS.most // 2))
        page().tap(Key.D6, Key.OK)

    pressed = [press.key for press in presses_of(played(script))]
    assert pressed.index(Key.OK) <= 3
