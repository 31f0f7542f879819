"""How much a stranger may have: so much at once, and so much a second from then on."""


class Allowance:
    """Counts bytes, messages or lines; times are monotonic seconds, from `now` on."""

    def __init__(self, burst: float, per_s: float, now: float) -> None:
        self._burst, self._per_s = burst, per_s
        self._left, self._at = burst, now

    def left(self, now: float) -> int:
        """How much it is now."""
        self._left = min(self._left + (now - self._at) * self._per_s, self._burst)
        self._at = now
        return int(self._left)

    def spend(self, count: int = 1) -> None:
        """So much was taken; perhaps more than was left."""
        self._left -= count
