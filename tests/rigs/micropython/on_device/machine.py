"""A stand-in for the Pico's module `machine`, for MicroPython's unix port, which has no pins.

`closed` says which contacts are closed. A file `contacts` in the current folder, if there is one,
sets it at each look: two bytes, low one first, bit 4 * row + column. The file `looks` counts the
milliseconds in which there was a look, in four bytes, low one first, and the file `light` has the
duties of red, green and blue. A reset ends the program; whatever started it has to start it anew.
"""

import time

mem32 = {}
PWRON_RESET, WDT_RESET = 1, 3
closed = bytearray(2)
duties = {}
ticks_us = time.ticks_us
"""The clock that a column rises by; a script may replace it."""
_low = -1
"""Which row is low; -1: none."""
RISE_US = 16
"""Microseconds that a column stays low after its row was let go."""
_let_go, _let_go_at = -1, 0
"""The row that was let go last, and when, by `ticks_us`."""

try:
    _contacts = open("contacts", "rb")
except OSError:
    _contacts = None
else:
    _looks = open("looks", "wb")
    _looked = bytearray(4)
    _looked_at = 0


def _look():
    global _looked_at
    _contacts.seek(0)
    _contacts.readinto(closed)
    now = time.ticks_ms()
    if now == _looked_at:
        return
    _looked_at = now
    for at in range(4):
        _looked[at] = _looked[at] + 1 & 255
        if _looked[at]:
            break
    _looks.seek(0)
    _looks.write(_looked)


def unique_id():
    return bytes.fromhex("e6614103e7452d2f")


def reset_cause():
    return PWRON_RESET


def reset():
    raise SystemExit


class Pin:
    """A pin: GP2 to GP5 are rows, GP6 to GP9 columns."""

    IN, OUT, OPEN_DRAIN, PULL_UP = range(4)

    def __init__(self, number, mode=OUT, pull=None, value=0):
        self.number = number

    def __call__(self, value=None):
        global _low, _let_go, _let_go_at
        if value is None:
            if _let_go >= 0 and time.ticks_diff(ticks_us(), _let_go_at) < RISE_US:
                if self._is_closed(_let_go):
                    return 0
            return 0 if _low >= 0 and self._is_closed(_low) else 1
        if value:
            if _low >= 0:
                _let_go, _let_go_at = _low, ticks_us()
            _low = -1
            return None
        if self.number == 2 and _contacts:
            _look()
        _low = self.number - 2
        return None

    def _is_closed(self, row):
        return closed[row >> 1] >> (4 * (row & 1) + self.number - 6) & 1


class PWM:
    """A PWM output: the light's pins are GP18 to GP20."""

    def __init__(self, pin, freq=0, duty_u16=0):
        self._number = pin.number

    def duty_u16(self, value):
        duties[self._number] = value
        if _contacts and self._number == 20:
            with open("light", "w") as file:
                file.write("%d %d %d" % tuple(duties.get(pin, 0) for pin in (18, 19, 20)))

    def freq(self, hertz):
        pass


class WDT:
    def __init__(self, timeout):
        pass

    def feed(self):
        pass
