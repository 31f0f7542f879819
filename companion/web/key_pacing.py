"""Finger movements at a pace that the debounce believes.

A phone may send what a finger did in one bundle, late: down, up and down again within a
millisecond. On real contacts that would be chatter. So each movement waits until the one before it
on the same key has lasted long enough; the order of one page's movements stays. Each page waits for
itself alone: one that sends a thousand presses holds up nobody.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from companion.core.keys import Key
from companion.core.values import dataclass

MOST_WAITING: Final = 64
"""Movements of one page: as many as hands make while a page waits for its connection."""


class TooFastError(RuntimeError):
    """Raised where a page sends faster than hands move."""


@dataclass(frozen=True, slots=True)
class KeyPace:
    """Seconds that a key must at least stay down, and up."""

    down_s: float
    up_s: float


class Keyboard:
    """The keys that all pages share; `move` pulls the pins."""

    def __init__(self, move: Callable[[Key, bool], None], pace: KeyPace) -> None:
        self._move, self._pace = move, pace
        self._moved_at: dict[Key, float] = {}
        self._fingers: dict[Key, set[object]] = {key: set() for key in Key}
        self._down: set[Key] = set()
        self._turns = {key: asyncio.Lock() for key in Key}
        """Whoever wants to move a key while another movement of that key waits comes after it."""

    async def move(self, key: Key, down: bool, whose: object) -> None:
        """Puts somebody's finger on a key or takes it off, as soon as it may. The key is down as
        long as anybody's finger is on it."""
        async with self._turns[key]:
            if down:
                self._fingers[key].add(whose)
            else:
                self._fingers[key].discard(whose)
            await self._follow(key)

    async def leave(self, whose: object) -> None:
        """Takes all of `whose` fingers off the keys, even one that was just being moved."""
        for key in Key:
            if whose in self._fingers[key] or key in self._down:
                await self.move(key, False, whose)

    async def _follow(self, key: Key) -> None:
        """Moves the key as the fingers have moved."""
        down = bool(self._fingers[key])
        if down == (key in self._down):
            return
        now = asyncio.get_running_loop().time
        stay = self._pace.up_s if down else self._pace.down_s
        wait = self._moved_at.get(key, -stay) + stay - now()
        if wait > 0:
            await asyncio.sleep(wait)
        (self._down.add if down else self._down.discard)(key)
        self._move(key, down)
        # Only now: another thread may have had the processor until the pin moved.
        self._moved_at[key] = now()


class Fingertips:
    """One page's fingers on the keyboard."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard
        self._waiting: asyncio.Queue[tuple[Key, bool]] = asyncio.Queue(MOST_WAITING)

    def put(self, key: Key, down: bool) -> None:
        """Puts a finger on a key or takes it off. Raises TooFastError."""
        try:
            self._waiting.put_nowait((key, down))
        except asyncio.QueueFull:
            raise TooFastError("too many movements wait") from None

    async def play(self) -> None:
        """Plays the movements until it is cancelled because the page has left: then what waits is
        dropped, and its fingers are taken off."""
        try:
            while True:
                key, down = await self._waiting.get()
                await self._keyboard.move(key, down, self)
        finally:
            await self._keyboard.leave(self)
