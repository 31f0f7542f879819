"""The line of play: arms, spinner, open ends and count. Mirror images are equal.

The rules it keeps (RULES: High Five 8 and 9, Five Up 3):

* A led tile shows both halves. A tile joins an open end by an equal half; what it leaves open is
  its other half, or for a double the whole tile, laid crosswise.
* The first double on the board, whenever it comes, is the only spinner. It has four places: its
  two sides, which must both be covered before its two ends (arms up and down) open.
* The count adds up the outer end of every arm, an exposed double by both halves. The spinner
  counts both halves while fewer than two of its sides are covered, else nothing; a place on it that
  nothing was laid on adds nothing.

So the line is its spinner and what each of its four arms ends in. An arm without a tile is None:
before the spinner is covered there, that place is the spinner itself.
"""

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from companion.errors import EntryError
from companion.tiles import Tile


class Arm(Enum):
    """Where on the line a tile is laid, seen by the player who led."""

    LEFT = "left"
    RIGHT = "right"
    UP = "up"
    DOWN = "down"

    @classmethod
    def parse(cls, word: str) -> "Arm":
        """Reads an arm's name; raises EntryError."""
        try:
            return cls(word.lower())
        except ValueError:
            raise EntryError(f"@{word} is no arm: it is @left, @right, @up or @down") from None


class End(NamedTuple):
    """What an arm ends in: a half of `pips`, or an exposed double of them."""

    pips: int
    double: bool

    @property
    def count(self) -> int:
        """What it adds to the count."""
        return self.pips * 2 if self.double else self.pips
