"""The lot: random numbers that can be drawn again, the same on every machine and with every version
of Python.

SHA-256 of the seed, the purpose of the draw and a counter gives eight numbers of 32 bits at a time,
so an auditor can repeat a draw in any programming language. Python's own generator may change
between versions.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from struct import unpack


class Lot:
    """Random numbers made from a seed, for one purpose."""

    def __init__(self, seed: str, *purpose: object) -> None:
        self._key = "\n".join(["companion event 1", seed, *map(str, purpose)]).encode()
        self._numbers = self._drawn()

    def _drawn(self) -> Iterator[int]:
        for block in count():
            yield from unpack(">8I", sha256(self._key + b"\n%d" % block).digest())

    def below(self, bound: int) -> int:
        """The next number, from 0 up to but not including `bound` (at most 2**32). All are equally
        likely, to within `bound` / 2**32."""
        return next(self._numbers) * bound >> 32


def lot_order(seed: str, purpose: object, names: Iterable[str]) -> list[str]:
    """The names in an order drawn by lot. Each name's lot depends on that name alone, so a player
    who comes late doesn't change the order of the others."""

    def lot(name: str) -> bytes:
        return sha256("\n".join(["companion event 1", seed, str(purpose), name]).encode()).digest()

    return sorted(names, key=lot)
