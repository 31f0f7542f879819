"""How further phones are let in: who may play shows an address as a code to photograph, and four
digits, which can be typed at the bare address. What they let do is up to the page at which they are
typed: a TV's only watches.

Digits hold while somebody shows them, two minutes at most; then others are shown. Who guesses has
five tries an address, and all together twenty; then the digits are worth nothing until others are
shown.
"""

import hmac
import secrets
from collections import Counter
from typing import Final

from companion.core.clock import Clock
from companion.web.access import Access, Guard

VALID_S: Final = 120.0
TRIES_OF_ADDRESS: Final = 5
TRIES: Final = 20


class Invitation:
    """The digits that are shown now, if any. `clock` gives monotonic seconds."""

    def __init__(self, guard: Guard, clock: Clock) -> None:
        self._guard, self._clock = guard, clock
        self._digits, self._until = "", 0.0
        self._tries: Counter[str] = Counter()
        self._shown_by: set[object] = set()

    def show(self, by: object) -> str:
        """The digits, which `by` shows from now on. Those that still hold stay."""
        self._shown_by.add(by)
        now = self._clock()
        if now >= self._until or self._tries.total() >= TRIES:
            self._digits, self._until = f"{secrets.randbelow(10_000):04}", now + VALID_S
            self._tries.clear()
        return self._digits

    def hide(self, by: object) -> None:
        """That one shows them no more. What nobody shows holds no more."""
        self._shown_by.discard(by)
        if not self._shown_by:
            self._until = 0.0

    @property
    def left_s(self) -> float:
        """For how long the digits still hold."""
        return max(self._until - self._clock(), 0.0)

    def word(self, digits: object, whose: str, access: Access) -> str | None:
        """The word that the digits stand for; None: they are wrong, or not shown any more, or the
        address `whose` has had its tries."""
        if self._clock() >= self._until or self._tries[whose] >= TRIES_OF_ADDRESS:
            return None
        if self._tries.total() >= TRIES:
            return None
        told = digits.encode(errors="replace") if isinstance(digits, str) else b""
        if not hmac.compare_digest(told, self._digits.encode()):
            self._tries[whose] += 1
            return None
        words = self._guard.codes.words
        return words.play if access is Access.PLAY else words.watch
