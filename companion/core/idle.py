"""How long nothing has been entered at the table: a long break ends an evening."""

import time

from companion.core.clock import BREAK_S, CLOCK_SET, Clock


class IdleTime:
    """Seconds since the record's newest row of a game. `clock` gives monotonic seconds, `wall`
    seconds since 1970."""

    def __init__(self, clock: Clock = time.monotonic, wall: Clock = time.time) -> None:
        self._clock, self._wall = clock, wall
        self.row, self._heard_at = 0, clock()
        self._row_at: float | None = None

    def go_on(self, row: int, at: float | None) -> None:
        """Notes that the newest row has the number `row` and was kept `at`, in seconds since 1970
        (None: the clock was not set)."""
        if row != self.row:
            self.row, self._row_at, self._heard_at = row, at, self._clock()

    @property
    def seconds(self) -> float:
        """Seconds since the newest row was noted; by a wall clock that is set, since it was kept,
        if that is longer."""
        heard = self._clock() - self._heard_at
        now = self._wall()
        if self._row_at is None or now < CLOCK_SET:
            return heard
        return max(heard, now - self._row_at)

    @property
    def is_break(self) -> bool:
        """Whether the idle time is long enough to end an evening."""
        return self.seconds >= BREAK_S
