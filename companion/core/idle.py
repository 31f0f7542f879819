"""How long nothing has been entered at the table: a long break ends an evening.

A box without a clock of its own starts with an old time, and the network sets it later, maybe in
the middle of a game. So while the program runs, only time that passes counts. What the wall clock
says counts for a row that was there before the program started, as long as nobody has come.
"""

import time

from companion.core.clock import BREAK_S, CLOCK_SET, Clock


class IdleTime:
    """Seconds since the record's newest row of a game. `clock` gives monotonic seconds, `wall`
    seconds since 1970."""

    def __init__(self, clock: Clock = time.monotonic, wall: Clock = time.time) -> None:
        self._clock, self._wall = clock, wall
        self.row, self._heard_at = 0, clock()
        self._is_first = True
        self._row_at: float | None = None
        """When the newest row was kept, by the wall clock; None unless it was there at the start
        and nobody has come since."""

    def go_on(self, row: int, at: float | None) -> None:
        """Notes that the newest row has the number `row` and was kept `at`, in seconds since 1970
        (None: the clock was not set). The first row that is noted was there at the start."""
        if row != self.row:
            self.row, self._heard_at = row, self._clock()
            self._row_at = at if self._is_first else None
        self._is_first = False

    def somebody_came(self) -> None:
        """Notes that somebody is at the table: from now on the wall clock counts no more."""
        self._row_at = None

    @property
    def seconds(self) -> float:
        """Seconds since the newest row was noted; by a wall clock that is set, since it was kept,
        if that counts and is longer."""
        heard = self._clock() - self._heard_at
        now = self._wall()
        if self._row_at is None or now < CLOCK_SET:
            return heard
        return max(heard, now - self._row_at)

    @property
    def is_break(self) -> bool:
        """Whether the idle time is long enough to end an evening."""
        return self.seconds >= BREAK_S
