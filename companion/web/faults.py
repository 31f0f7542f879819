"""What the page's server and its library write down: faults of ours, each with where it happened,
and never more than a stranger can be allowed to make us write."""

import asyncio
import logging
import sys
from collections.abc import Callable

from companion.core.clock import Clock
from companion.core.rate_limit import RateLimit

BURST = 5
PER_S = 1 / 60
"""How many faults are written down a second: one a minute, after five at once."""
LOGGERS = ("aiohttp", "asyncio")
NOT_OURS = (ConnectionError, asyncio.CancelledError)
"""Errors that say that the other side has gone."""


class FaultLog(logging.Handler):
    """A handler that writes down records, but not all of them. `clock` gives monotonic seconds."""

    def __init__(self, clock: Clock, write: Callable[[str], object] | None = None):
        super().__init__(logging.WARNING)
        self._clock, self._write = clock, write or _to_the_journal
        self._limit = RateLimit(BURST, PER_S, clock())
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record, if it is a fault of ours and there have not been too many."""
        if record.exc_info and isinstance(record.exc_info[1], NOT_OURS):
            return
        if self._limit.left(self._clock()) < 1:
            self._left_out += 1
            return
        self._limit.spend()
        left_out = f" ({self._left_out} more were left out)" if self._left_out else ""
        self._left_out = 0
        self._write(f"{self.format(record)}{left_out}\n")

    def install(self) -> None:
        """Sends all that the libraries log here from now on, and only here."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [self], False

    def remove(self) -> None:
        """Lets logs go where they went before."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [], True


def _to_the_journal(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
