"""The wall clock: dates, times of day, and the length of a break that ends an evening. A box's
clock can't be trusted: if it was never set, no time is returned, and a wrong time never raises an
error here."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final

Clock = Callable[[], float]
"""A function that returns seconds: since 1970 or, for a monotonic clock, since an arbitrary
moment."""
CLOCK_SET: Final = 1_735_689_600
"""The first second of 2025: a clock that shows an earlier time was never set."""
BREAK_S: Final = 6 * 3600
"""Seconds without an entry after which the next one begins a new evening."""


def now() -> float | None:
    """Seconds since 1970; None if the clock was never set."""
    at = time.time()
    return at if at >= CLOCK_SET else None


def is_clock_synchronized() -> bool:
    """Whether the kernel reports that this machine's clock is synchronised over the network."""
    import subprocess  # most importers don't need it

    words = ("timedatectl", "show", "--property=NTPSynchronized", "--value")
    try:
        answer = subprocess.run(words, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.stdout.strip() == "yes"


def day(at: float | None) -> str | None:
    """The date of the time `at` (seconds since 1970) in this machine's time zone, as in 2026-11-20.
    None if `at` is None or out of range for a date."""
    found = local_date(at)
    return found.isoformat() if found else None


def local_date(at: float | None) -> date | None:
    """The date of the time `at` (seconds since 1970) in this machine's time zone. None if `at` is
    None or out of range for a date."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).astimezone().date()
    return None


def time_of_day(at: float | None) -> str | None:
    """The time of day of `at` (seconds since 1970) in this machine's time zone, as in 21:04. None
    if `at` is None or out of range for a date."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).astimezone().strftime("%H:%M")
    return None


def iso_time(at: float | None) -> str | None:
    """The time `at` in UTC and ISO 8601, to the second; None if `at` is None or out of range for a
    date."""
    with suppress(ValueError, OverflowError, OSError):
        if at is not None:
            return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return None


MAX_MONTHS: Final = 120
"""The largest number of months for which names can be kept, other than for ever."""


def month_before(at: float, months: int) -> float:
    """The start, in this machine's time zone, of the month that is `months` before the month of the
    time `at`, in seconds since 1970. 0 if that is before 1971."""
    today = local_date(at) or date(1970, 1, 1)
    number = today.year * 12 + today.month - 1 - months
    if number < 12 * 1971:
        return 0.0
    return datetime(number // 12, number % 12 + 1, 1).astimezone().timestamp()


class IdleTime:
    """Measures the seconds since the newest row of a game in the record. `clock` returns monotonic
    seconds, `wall` seconds since 1970.

    A box without a clock of its own starts with an old time, and the network sets it later, maybe
    in the middle of a game. So while the program runs, only elapsed time counts. The wall clock
    counts only for a row that was there before the program started, and only until somebody comes
    to the table."""

    def __init__(self, clock: Clock = time.monotonic, wall: Clock = time.time) -> None:
        self._clock, self._wall = clock, wall
        self.row, self._heard_at = 0, clock()
        self._is_first = True
        self._row_at: float | None = None
        """When the newest row was stored, by the wall clock. None if it was stored after the
        program started, or once somebody has come to the table."""

    def note_row(self, row: int, at: float | None) -> None:
        """Notes that the newest row has the number `row` and was stored `at`, in seconds since 1970
        (None if the clock was not set). The row of the first call is one from before the program
        started."""
        if row != self.row:
            self.row, self._heard_at = row, self._clock()
            self._row_at = at if self._is_first else None
        self._is_first = False

    def note_presence(self) -> None:
        """Notes that somebody is at the table: from now on the wall clock is ignored."""
        self._row_at = None

    @property
    def seconds(self) -> float:
        """Seconds since the newest row, the longer of two times: the monotonic time since this
        program noted the row and, as long as the wall clock counts, the time since the row was
        stored."""
        heard = self._clock() - self._heard_at
        now = self._wall()
        if self._row_at is None or now < CLOCK_SET:
            return heard
        return max(heard, now - self._row_at)

    @property
    def is_break(self) -> bool:
        """Whether the idle time is long enough to end an evening."""
        return self.seconds >= BREAK_S
