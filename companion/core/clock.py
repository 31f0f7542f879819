"""The clock on the wall: days and instants of it, and what it takes to end an evening. On a box it
is not to be trusted: where it was not set there is no time, and nothing here raises for a wrong
one."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final

Clock = Callable[[], float]
"""Gives seconds: since 1970, or, as a monotonic one, since any moment."""
CLOCK_SET: Final = 1_735_689_600
"""The first second of 2025: a clock that shows less was never set."""
BREAK_S: Final = 6 * 3600
"""Seconds without an entry that make a break between two evenings."""


def now() -> float | None:
    """Seconds since 1970; None where the clock was never set."""
    at = time.time()
    return at if at >= CLOCK_SET else None


def day(at: float | None) -> str | None:
    """The day by this machine's own clock, as in 2026-11-20; None where there is none."""
    found = local_date(at)
    return found.isoformat() if found else None


def local_date(at: float | None) -> date | None:
    """The date by this machine's own clock; None where there is none."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).astimezone().date()
    return None


def time_of_day(at: float | None) -> str | None:
    """The time by this machine's own clock, as in 21:04; None where there is none."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).astimezone().strftime("%H:%M")
    return None


def instant(at: float | None) -> str | None:
    """A wall time to the second, in UTC, as ISO 8601 has it; None where there is none."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return None
