"""Passes on presses from pages at a pace that the debounce accepts.

A phone may send a finger's movements late and bundled: down, up and down again within a
millisecond. On real contacts that would be bouncing. So each movement waits until the one before it
on the same key has lasted long enough; one page's movements keep their order. Each page has its own
queue, so a page that sends a thousand presses holds up no other.
"""

import asyncio
from collections.abc import Callable

from companion.core.budgets import KEY_MOVEMENTS
from companion.core.keys import Key
from companion.core.values import dataclass


class TooFastError(RuntimeError):
    """A page sends key movements faster than hands can move."""


@dataclass(frozen=True, slots=True)
class KeyPace:
    """The minimum seconds for which a key must stay down, and up."""

    down_s: float
    up_s: float


class Keyboard:
    """The keys that all pages share; `move` moves a key's pin."""

    def __init__(self, move: Callable[[Key, bool], None], pace: KeyPace) -> None:
        self._move, self._pace = move, pace
        self._moved_at: dict[Key, float] = {}
        self._fingers: dict[Key, set[object]] = {key: set() for key in Key}
        self._down: set[Key] = set()
        self._turns = {key: asyncio.Lock() for key in Key}
        """A lock for each key, which keeps its movements in order."""

    async def move(self, key: Key, down: bool, page: object) -> None:
        """Presses or releases a key for a `page` as soon as the pace allows. The key is down as
        long as any finger is on it."""
        async with self._turns[key]:
            if down:
                self._fingers[key].add(page)
            else:
                self._fingers[key].discard(page)
            await self._apply(key)

    async def leave(self, page: object) -> None:
        """Releases all keys that this page holds down, even one that is being moved at the
        moment."""
        for key in Key:
            if page in self._fingers[key] or key in self._down:
                await self.move(key, False, page)

    async def _apply(self, key: Key) -> None:
        """Moves the key to match the fingers on it, once the pace allows it."""
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
        # Read the clock again, as another thread may have run before the pin moved.
        self._moved_at[key] = now()


class PressedKeys:
    """One page's fingers on the keyboard."""

    def __init__(self, keyboard: Keyboard) -> None:
        self._keyboard = keyboard
        self._waiting: asyncio.Queue[tuple[Key, bool]] = asyncio.Queue(KEY_MOVEMENTS.most)

    def put(self, key: Key, down: bool) -> None:
        """Queues a finger going down on a key or up. Raises TooFastError if too many movements
        wait."""
        try:
            self._waiting.put_nowait((key, down))
        except asyncio.QueueFull:
            raise TooFastError("too many movements wait") from None

    async def play(self) -> None:
        """Plays the queued movements until it is cancelled because the page has left; then drops
        the rest and takes the page's fingers off the keys."""
        try:
            while True:
                key, down = await self._waiting.get()
                await self._keyboard.move(key, down, self)
        finally:
            await self._keyboard.leave(self)
