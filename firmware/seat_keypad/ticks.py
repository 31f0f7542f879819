"""Milliseconds as counted by MicroPython: from 0 to 2**30 - 1, then from 0 again."""

from micropython import const

_MASK = const(0x3FFFFFFF)
_HALF = const(0x20000000)


def elapsed(now: int, then: int) -> int:
    """Returns the milliseconds from `then` to `now`, correct for up to six days, like
    `time.ticks_diff`."""
    return ((now - then + _HALF) & _MASK) - _HALF


def later(then: int, ms: int) -> int:
    """Returns the time `ms` milliseconds after `then`."""
    return (then + ms) & _MASK
