"""Milliseconds as MicroPython counts them: from 0 to 2**30 - 1, then from 0 again."""

from micropython import const

_MASK = const(0x3FFFFFFF)
_HALF = const(0x20000000)


def elapsed(now: int, then: int) -> int:
    """Milliseconds from `then` to `now`; right for up to six days, as `time.ticks_diff` is."""
    return ((now - then + _HALF) & _MASK) - _HALF


def later(then: int, ms: int) -> int:
    """The time that many milliseconds after `then`."""
    return (then + ms) & _MASK
