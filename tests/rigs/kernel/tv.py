"""A TV's picture in 1080 lines, as `companion tv` draws it, on a screen that only notes when each
row of the record was whole on it: for benchmarks, and in the kernel rig's guest.

    tv.py ADDRESS

says “watching” once it shows the table; once it has got SIGTERM, it says as JSON when each row was
seen, in seconds since 1970.
"""

import asyncio
import json
import signal
import sys
import time

from companion.core.values import Json
from companion.devices.display.fake_framebuffer import FakeScreen
from companion.tv.program import Tv


class NotingScreen(FakeScreen):
    """Notes when something of each row was written last."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.row = 0
        self.seen: dict[int, float] = {}

    def write(self, at: int, data: bytes) -> None:
        """Bytes from that place on."""
        super().write(at, data)
        self.seen[self.row] = time.time()


class WatchedTv(Tv):
    """A TV whose screen is told which row its pictures are of."""

    def __init__(self, page: str) -> None:
        self.screen = NotingScreen()
        super().__init__(page, self.screen.open)

    def tell(self, message: Json) -> None:
        """Takes the newest moment."""
        self.screen.row = message["moment"]["row"]
        super().tell(message)


async def watch(page: str) -> None:
    """Shows that page's table until it is told to end."""
    tv, ends = WatchedTv(page), asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ends.set)
    running = asyncio.ensure_future(tv.run())
    while not tv.screen.row:
        await asyncio.sleep(0.05)
    print("watching", flush=True)
    await ends.wait()
    running.cancel()
    print(json.dumps(list(tv.screen.seen.items())), flush=True)


if __name__ == "__main__":
    asyncio.run(watch(sys.argv[1]))
