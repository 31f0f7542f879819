"""Switches a line on and off by program, at the frequency of a tone.

The kernel's GPIO has no PWM on most pins. A thread that sleeps between the edges is late by some
tens of microseconds: good enough for a buzzer, and for nothing better.
"""

import time
from collections.abc import Callable
from threading import Event

from companion.core.threads import NamedThread


class SoftwarePwm:
    """Calls `put` with 1 and 0 in turn, `hertz` periods a second, until it is stopped; `duty` is
    the part of each period, from 0 to 1, for which the line is on. An OSError from `put` ends the
    switching."""

    def __init__(self, put: Callable[[int], None], hertz: float, duty: float) -> None:
        self._put, self._period_s = put, 1.0 / hertz
        self._duty = min(max(duty, 0.0), 1.0)
        self._stop = Event()
        self._thread = NamedThread("pwm", self._run)

    def start(self) -> "SoftwarePwm":
        """Begins to switch; returns itself."""
        self._thread.start()
        return self

    def _run(self) -> None:
        begun, period = time.perf_counter(), 0
        try:
            while not self._stop.is_set():
                self._put(1)
                self._sleep_until(begun + (period + self._duty) * self._period_s)
                self._put(0)
                period += 1
                self._sleep_until(begun + period * self._period_s)
        except OSError:
            return  # the line is gone, and with it the buzzer

    @staticmethod
    def _sleep_until(at: float) -> None:
        if (left := at - time.perf_counter()) > 0:
            time.sleep(left)

    def stop(self) -> None:
        """Ends the switching, with the line off."""
        self._stop.set()
        self._thread.join()
