"""A TV's picture in 1080 lines, as `companion tv` draws it, on a screen that only notes when each
row of the record was completely drawn: for benchmarks, and in the kernel rig's guest.

    tv.py ADDRESS

prints “watching” once it shows the table, “row N” when it begins to draw that row, and after
SIGTERM as JSON when each row was drawn, in seconds since 1970.
"""

import asyncio
import json
import os
import signal
import sys
import time

from companion.core.values import Json
from companion.web.tv.program import Tv
from tests.fake_framebuffer import FakeScreen


class NotingScreen(FakeScreen):
    """A fake screen that notes, for each row of the record, when it was last written to."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.row = 0
        self.seen: dict[int, float] = {}

    def write(self, at: int, data: bytes) -> None:
        """Takes bytes for the place `at` and the following ones."""
        super().write(at, data)
        if self.row not in self.seen:
            print(f"row {self.row}", flush=True)
        self.seen[self.row] = time.time()


class WatchedTv(Tv):
    """A TV that tells its screen which row of the record is being drawn."""

    def __init__(self, page: str) -> None:
        self.screen = NotingScreen()
        super().__init__(page, os.environ["TABLE_SECRET"], self.screen.open)

    def show_moment(self, message: Json) -> None:
        """Receives the newest moment, and passes its row to the screen."""
        self.screen.row = message["moment"]["row"]
        super().show_moment(message)


async def watch(page: str) -> None:
    """Shows the table of `page` until SIGTERM comes."""
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
