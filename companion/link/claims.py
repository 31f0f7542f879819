"""Decides which keypad a port may claim to have.

A port may name another keypad only after its first one has been silent for a while, and a keypad
may not start anew all the time. Otherwise a device could claim one keypad after the other: each
would take memory, be looked up in the record, and be announced on the display.
"""

import math
from typing import Final

from companion.link.messages import KeypadHello

CHANGE_S: Final = 1.0
"""The shortest time, in seconds, between two starts of a keypad, or between two versions of the
protocol that it names; a real keypad takes longer."""


class Claims:
    """The hellos of one port. Times are monotonic seconds; `silence_s`: how long a keypad must have
    been silent before the port may have another."""

    def __init__(self, silence_s: float) -> None:
        self._silence_s = silence_s
        self._hello: KeypadHello | None = None
        self._changed_at = -math.inf

    def believes(self, hello: KeypadHello, now: float, heard_at: float) -> bool:
        """Whether the port may really have the keypad that says `hello`. `heard_at`: when the port
        was last heard."""
        before = self._hello
        if before is None:
            return True
        if hello.serial != before.serial:
            return now >= heard_at + self._silence_s
        return _start_of(hello) == _start_of(before) or now >= self._changed_at + CHANGE_S

    def note(self, hello: KeypadHello, now: float) -> None:
        """Notes that the keypad that says `hello` is on this port, from `now` on."""
        if self._hello is None or _start_of(hello) != _start_of(self._hello):
            self._changed_at = now
        self._hello = hello


def _start_of(hello: KeypadHello) -> tuple[bytes, bytes, int]:
    return hello.serial, hello.boot, hello.protocol[0]
