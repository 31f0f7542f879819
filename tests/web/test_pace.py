"""Finger movements keep their order and a distance that the debounce believes."""

import asyncio
import itertools
import selectors
from collections.abc import Callable
from typing import Any

from companion.devices.debounce import Debounce, Edge
from companion.keys import Key, Press
from companion.web.pace import Fingertips, Pace


class JumpingSelector(selectors.SelectSelector):
    """Waits for nothing: the loop's time jumps to where it would have waited."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


def played(script: Callable[[Fingertips], None]) -> list[Edge]:
    """What reaches the pins when the script puts everything down at once."""
    selector, edges = JumpingSelector(), list[Edge]()
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
        loop = runner.get_loop()
        loop.time = lambda: selector.now  # type: ignore[method-assign]

        async def play() -> None:
            tips = Fingertips(
                lambda key, down: edges.append(Edge(key, down, loop.time())), Pace(0.01, 0.035)
            )
            playing = asyncio.create_task(tips.play())
            script(tips)
            await asyncio.sleep(5)
            playing.cancel()

        runner.run(play())
    return edges


def presses_of(edges: list[Edge]) -> list[Press]:
    debounce = Debounce()
    presses = [press for edge in edges for press in debounce.feed(edge)]
    return presses + debounce.advance(100)


def tap(tips: Fingertips, *keys: Key) -> None:
    for key in keys:
        tips.put(key, True, "page")
        tips.put(key, False, "page")


def test_a_bundle_of_taps_is_a_press_for_each() -> None:
    edges = played(lambda tips: tap(tips, Key.D5, Key.D5, Key.D6, Key.OK, Key.OK))
    assert presses_of(edges) == [Press(key) for key in (Key.D5, Key.D5, Key.D6, Key.OK, Key.OK)]
    assert all(a.at <= b.at for a, b in itertools.pairwise(edges))


def test_a_key_is_down_as_long_as_any_page_holds_it() -> None:
    def script(tips: Fingertips) -> None:
        tips.put(Key.OK, True, "one")
        tips.put(Key.OK, True, "two")
        tips.put(Key.OK, False, "one")
        tips.put(Key.D1, True, "one")

    assert [(edge.key, edge.down) for edge in played(script)] == [(Key.OK, True), (Key.D1, True)]


def test_a_page_that_goes_takes_its_fingers_with_it() -> None:
    def script(tips: Fingertips) -> None:
        tips.put(Key.BACK, True, "phone")
        tips.put(Key.D1, True, "other")
        tips.lift("phone")

    edges = played(script)
    assert [(edge.key, edge.down) for edge in edges] == [
        (Key.BACK, True),
        (Key.D1, True),
        (Key.BACK, False),
    ]
