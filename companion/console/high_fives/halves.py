"""Tiles of double-fifteen as they are keyed: DRAW adds ten to the next digit, so the box never has
to wait for a second digit of a half. `7 8` is 7-8, `DRAW 0 DRAW 5` is 10-15."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.in_play import InPlay
from companion.console.screen import Actions, Digits, Outcome, View
from companion.core.keys import Key
from companion.core.words import phrase
from companion.games.high_fives.board import HighFivesBoard
from companion.games.high_fives.entries import SET
from companion.games.tiles import Tile

TEN = 10
"""The value that stands for DRAW among the keyed digits."""
OVER_TEN = phrase("0 to 5 only: half a tile has 15 at most.")


def halves_of(keyed: Digits) -> tuple[int, ...]:
    """The halves that these keys make; a DRAW without its digit makes none yet."""
    before = (TEN if key == TEN else 0 for key in (0, *keyed))
    return tuple(ten + key for ten, key in zip(before, keyed, strict=False) if key != TEN)


def tiles_of(keyed: Digits) -> tuple[Tile, ...]:
    """The tiles of which both halves are keyed."""
    halves = halves_of(keyed)
    return tuple(SET.by_halves[pair] for pair in zip(halves[::2], halves[1::2], strict=False))


def format_tile(keyed: Digits) -> str:
    """The tile that is being keyed: “7-_”, “7-1_”, its halves in the order of the keys."""
    ten = keyed[-1:] == (TEN,)
    halves = [*map(str, halves_of(keyed)), *(["1_"] if ten else [])]
    return "-".join([*halves, "_", "_"][:2])


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedTiles(InPlay[HighFivesBoard]):
    """A screen on which tiles are keyed. BACK takes the last key off."""

    digits: ClassVar = range(10)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles of which both halves are keyed."""
        return tiles_of(self.keyed)

    def room(self, _view: View[HighFivesBoard], /) -> int:
        """How many tiles can be keyed."""
        return 1

    def digit(self, view: View[HighFivesBoard], digit: int) -> Outcome[HighFivesBoard]:
        """Takes a digit, which completes a half; refused if the half would be over 15."""
        if len(self.tiles) >= self.room(view):
            return self.beyond(view, digit)
        if self.keyed[-1:] == (TEN,) and digit > SET.highest - TEN:
            return Outcome(self, refused=OVER_TEN)
        return Outcome(self.with_digits((*self.keyed, digit)))

    def beyond(self, _view: View[HighFivesBoard], _digit: int, /) -> Outcome[HighFivesBoard]:
        """What a digit or DRAW does once all tiles are keyed: it is refused."""
        return Outcome(self, refused=phrase("OK first, or BACK to key it again."))

    def ten_more(self, view: View[HighFivesBoard]) -> Outcome[HighFivesBoard]:
        """DRAW: the next digit counts ten more. A second DRAW takes the first one back."""
        if self.keyed[-1:] == (TEN,):
            return Outcome(self.with_digits(self.keyed[:-1]))
        if len(self.tiles) >= self.room(view):
            return self.beyond(view, TEN)
        return Outcome(self.with_digits((*self.keyed, TEN)))

    def on(self) -> Actions[HighFivesBoard]:
        return {**InPlay.on(self), Key.DRAW: self.ten_more}
