"""How further phones are let in: a page that may play shows an address as a code to photograph, and
four digits, which can be typed at the bare address. What they let do is up to the page at which
they are typed: a TV's only watches.

Digits hold for two minutes. Who guesses has five tries an address, and all together twenty; then
the digits are worth nothing until others are shown.
"""

import hmac
import secrets
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from companion.web.guard import Access, Guard, is_loopback
from companion.web.reach import network_address

Json = dict[str, Any]

VALID_S: Final = 120.0
TRIES_OF_ADDRESS: Final = 5
TRIES: Final = 20


class Invitation:
    """The digits that are shown now, if any. `clock` gives monotonic seconds."""

    def __init__(self, guard: Guard, clock: Callable[[], float]) -> None:
        self._guard, self._clock = guard, clock
        self._digits, self._until = "", 0.0
        self._tries: Counter[str] = Counter()

    def show(self, host: str) -> Json | None:
        """What a page shows that was itself reached by `host`; None where nobody else can come.
        Digits that still hold stay."""
        if not self._guard.open_to_all:
            return None
        now = self._clock()
        if now >= self._until or self._tries.total() >= TRIES:
            self._digits, self._until = f"{secrets.randbelow(10_000):04}", now + VALID_S
            self._tries.clear()
        place = f"http://{_reachable(host)}"
        address = f"{place}/#{self._guard.token}"
        return {
            "address": f"{place}/",
            "code": _drawn(address),
            "digits": self._digits,
            "seconds": round(self._until - now),
        }

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
        return self._guard.token if access is Access.PLAY else self._guard.watch


def _reachable(host: str) -> str:
    """The host by which others reach what this machine itself reaches by `host`."""
    name, colon, port = host.rpartition(":")
    if not is_loopback(name.strip("[]") or host):
        return host
    return f"{network_address()}{colon}{port}"


def _drawn(address: str) -> str:
    """A QR code as SVG: dark on light with a quiet zone, whatever the page looks like."""
    import segno

    code = segno.make(address, error="l", micro=False)
    drawn: str = code.svg_inline(scale=8, border=4, dark="#000", light="#fff", omitsize=True)
    return drawn
