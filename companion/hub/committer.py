"""One thread does all of a hub's writing, so that a process never waits for itself."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from companion.core.budgets import CHANGES
from companion.hub.database import AwayError

T = TypeVar("T")

READERS: Final = 4


class Committer:
    """Runs work that changes the database, one piece after the other, and meanwhile work that only
    reads it."""

    def __init__(self) -> None:
        self._writer = ThreadPoolExecutor(1, "committer")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._waiting = 0

    async def change(self, work: Callable[[], T]) -> T:
        """Runs `work` after all changes that came before, and gives its result. Raises what `work`
        raises, and AwayError if too many changes wait."""
        if self._waiting >= CHANGES.most:
            raise AwayError("too many boxes push at once: try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._writer, work)
        finally:
            self._waiting -= 1

    async def read(self, work: Callable[[], T]) -> T:
        """The result of `work`, which changes nothing."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def close(self) -> None:
        """Ends both kinds of threads once all changes that wait are made; reads that wait are
        dropped."""
        self._writer.shutdown()
        self._readers.shutdown(cancel_futures=True)
