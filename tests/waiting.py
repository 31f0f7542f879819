"""Waits for another thread or process: for a condition, never for a fixed time, so that no test
fails because the machine is busy."""

import asyncio
import time
from collections.abc import Callable

WAIT_S = 300
"""How long a test waits before it fails: far longer than anything takes, on a busy machine too. Of
four busy loops on two processors, a program that gives way to others is left few hundredths."""
EVERY_S = 0.01


def wait_until(seen: Callable[[], object]) -> None:
    """Waits until `seen` is true; raises AssertionError if it takes longer than WAIT_S."""
    ends = time.monotonic() + WAIT_S
    while not seen():
        assert time.monotonic() < ends, "it never came about"
        time.sleep(EVERY_S)


async def until(seen: Callable[[], object]) -> None:
    """Waits until `seen` is true without blocking the event loop; raises TimeoutError."""
    async with asyncio.timeout(WAIT_S):
        while not seen():
            await asyncio.sleep(EVERY_S)
