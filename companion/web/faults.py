"""The log of the page's server and its library: our own faults, each with its traceback, limited so
that no stranger can make us write without end."""

import asyncio
import logging
import sys
from collections.abc import Callable

from companion.core.budgets import RateLimit
from companion.core.clock import Clock

BURST = 5
PER_S = 1 / 60
"""How many faults are logged a second: one a minute, after BURST at once."""
LOGGERS = ("aiohttp", "asyncio")
NOT_OURS = (ConnectionError, asyncio.CancelledError)
"""Errors that only mean that the other side has gone."""


class FaultLog(logging.Handler):
    """A log handler that writes records, but only so many. `clock` gives monotonic seconds; `write`
    takes the text (by default to stderr)."""

    def __init__(self, clock: Clock, write: Callable[[str], object] | None = None):
        super().__init__(logging.WARNING)
        self._clock, self._write = clock, write or _to_the_journal
        self._limit = RateLimit(BURST, PER_S, clock())
        self._left_out = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a record if it is a fault of ours, unless there have been too many."""
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
        """Sends everything that the libraries log to this handler alone from now on."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [self], False

    def remove(self) -> None:
        """Lets the libraries log by themselves again."""
        for name in LOGGERS:
            logger = logging.getLogger(name)
            logger.handlers, logger.propagate = [], True


def _to_the_journal(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
