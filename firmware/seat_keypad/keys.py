"""Turns bouncing contacts into presses, by the same rules as the box's own keys.

A contact counts as closed after 3 ms and as open after 25 ms, both measured from the last bounce. A
key that is down when the keypad starts is ignored until it was released.
"""

from array import array

from micropython import const

from seat_keypad.matrix import ghost_candidates
from seat_keypad.presses import Presses
from seat_keypad.ticks import elapsed, later

_CONTACT_MS = const(3)
_RELEASE_MS = const(25)
_HOLD_MS = const(2000)


class Keys:
    """The sixteen keys. `letters` are their names on the link, row by row."""

    def __init__(self, letters: bytes, presses: Presses) -> None:
        self._letters, self._presses = letters, presses
        self._closed = self._down = self._held = 0
        self._since = array("i", bytes(64))
        self._pressed = array("i", bytes(64))
        self._new = True

    def step(self, contacts: int, now: int) -> bool:
        """Takes the state of all contacts; returns whether a press resulted. Allocates no
        memory."""
        if self._new:
            self._new, self._closed = False, contacts
            self._down = self._held = contacts
        if contacts & (contacts - 1):  # with only one key down there are no ghosts
            contacts &= ~ghost_candidates(contacts) | self._closed
        changed = contacts ^ self._closed
        self._closed = contacts
        if not contacts | self._down | changed:
            return False
        found = False
        for at in range(16):
            bit = 1 << at
            if changed & bit:
                self._since[at] = now
            if (contacts | self._down) & bit and self._advance(at, bit, now):
                found = True
        return found

    def _advance(self, at: int, bit: int, now: int) -> bool:
        """Updates one key that is closed or counts as down; returns whether a press resulted."""
        steady = elapsed(now, self._since[at])
        if not self._down & bit:
            if steady >= _CONTACT_MS:
                self._down |= bit
                self._pressed[at] = self._since[at]
                self._presses.put(self._letters[at], False, self._since[at])
                return True
        elif not self._closed & bit:
            if steady >= _RELEASE_MS:
                self._down &= ~bit
                self._held &= ~bit
        elif not self._held & bit and elapsed(now, self._pressed[at]) >= _HOLD_MS:
            self._held |= bit
            self._presses.put(self._letters[at], True, later(self._pressed[at], _HOLD_MS))
            return True
        return False
