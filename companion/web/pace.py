"""Finger movements at a pace that the debounce believes.

A phone may send what a finger did in one bundle, late: down, up and down again within a
millisecond. On real contacts that would be chatter. So each movement waits until the one before it
on the same key has lasted long enough; the order of all movements stays.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from companion.keys import Key


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that a key must at least stay down, and up."""

    down_s: float
    up_s: float


class Fingertips:
    """Plays movements one after the other; `move` pulls the pins."""

    def __init__(self, move: Callable[[Key, bool], None], pace: Pace) -> None:
        self._move, self._pace = move, pace
        self._waiting: asyncio.Queue[tuple[Key, bool]] = asyncio.Queue()
        self._moved_at: dict[Key, float] = {}
        self._fingers: dict[Key, set[object]] = {}

    def put(self, key: Key, down: bool, whose: object) -> None:
        """A finger of somebody's goes down on a key or off it. The key is down as long as anybody's
        finger is on it."""
        fingers = self._fingers.setdefault(key, set())
        was_down = bool(fingers)
        if down:
            fingers.add(whose)
        else:
            fingers.discard(whose)
        if bool(fingers) != was_down:
            self._waiting.put_nowait((key, down))

    def lift(self, whose: object) -> None:
        """Somebody is gone: takes all their fingers off."""
        for key in list(self._fingers):
            self.put(key, False, whose)

    async def play(self) -> None:
        """Runs until it is cancelled."""
        now = asyncio.get_running_loop().time
        while True:
            key, down = await self._waiting.get()
            stay = self._pace.up_s if down else self._pace.down_s
            wait = self._moved_at.get(key, -stay) + stay - now()
            if wait > 0:
                await asyncio.sleep(wait)
            self._moved_at[key] = now()
            self._move(key, down)
