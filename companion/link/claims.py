"""Which keypad a port may say that it has.

A port has one keypad until that has been silent for long, and no keypad starts anew all the time.
Otherwise a device could fill the memory with keypads, each looked up in the record, and the display
with news of them.
"""

import math
from typing import Final

from companion.link.messages import KeypadHello

CHANGE_S: Final = 1.0
"""The shortest time, in seconds, between two starts of a keypad, or two protocol versions of it; a
real keypad takes longer."""


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
