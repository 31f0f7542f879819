"""What a port says of itself, and how much of it is believed.

A port has one keypad, until that is silent for long, and no keypad starts anew all the time: else a
device could fill the memory with names, ask the record for each, and the display with news.
"""

import math
from typing import Final

from companion.link.messages import KeypadHello

CHANGE_S: Final = 1.0
"""Between two starts of a keypad, or two versions of it: a real one takes longer for that."""


class Claims:
    """The hellos of one port. Times are monotonic seconds; `silence_s`: how long a keypad must have
    been silent before the port may have another."""

    def __init__(self, silence_s: float) -> None:
        self._silence_s = silence_s
        self._hello: KeypadHello | None = None
        self._changed_at = -math.inf

    def believes(self, hello: KeypadHello, now: float, heard_at: float) -> bool:
        """Whether the port may really have this keypad; `heard_at`: when it was last heard."""
        before = self._hello
        if before is None:
            return True
        if hello.serial != before.serial:
            return now >= heard_at + self._silence_s
        return _start_of(hello) == _start_of(before) or now >= self._changed_at + CHANGE_S

    def note(self, hello: KeypadHello, now: float) -> None:
        """Takes the port for this keypad from now on."""
        if self._hello is None or _start_of(hello) != _start_of(self._hello):
            self._changed_at = now
        self._hello = hello


def _start_of(hello: KeypadHello) -> tuple[bytes, bytes, int]:
    return hello.serial, hello.boot, hello.protocol[0]
