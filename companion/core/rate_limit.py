"""A limit on what may come from a stranger: a burst at once, and from then on a fixed rate."""


class RateLimit:
    """Counts bytes, messages or lines: `burst` at once, `per_s` each second; `now` is in
    monotonic seconds."""

    def __init__(self, burst: float, per_s: float, now: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at = burst, now

    def left(self, now: float) -> int:
        """How many may come now; negative if more has come than was allowed."""
        self._left = min(self._left + (now - self._at) * self._per_s, self._burst)
        self._at = now
        return int(self._left)

    def spend(self, count: int = 1) -> None:
        """Counts what has come, perhaps more than was left."""
        self._left -= count
