"""The basement, keyed tile by tile. If the box knows it, it asks only for what tells possible plays
apart; else the level and what each wild half covers are always keyed."""

from companion.console.frame import WIDTH, Canvas
from companion.console.highrise.tiles import NO_HALF, half_shown, whole_tiles
from companion.console.holding import keyed_twice
from companion.console.in_play import InPlay, tiles_asked
from companion.console.screen import Actions, Outcome, View
from companion.console.screens.box import BoxSetting
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import counted, phrase
from companion.games.highrise.board import HighriseBoard
from companion.games.highrise.entries import WILD, BasementFilled
from companion.presentation.highrise.keys import BASEMENT, NOT_TOLD
from companion.record.rows import Setting

TOLD = BoxSetting(BASEMENT, phrase("The basement"), (
    ("told", phrase("Keyed: the box asks less")),
    (NOT_TOLD, phrase("Not keyed: you key levels")),
))  # fmt: skip
"""Whether the basement is keyed at all; it stays so until somebody changes it."""


@dataclass(frozen=True, slots=True)
class Basement(InPlay[HighriseBoard]):
    """Asks for the eight tiles of the basement from left to right, each by its upper and its lower
    half. OK keeps all eight; DRAW plays the hand without them."""

    def numbers(self, _view: View[HighriseBoard]) -> range:
        """The digits of a half, 0 to 7."""
        return range(WILD + 1)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """Takes one more half; a tile that is keyed already is refused."""
        if digit > WILD:
            return Outcome(self, refused=NO_HALF)
        if len(self.keyed) == 2 * tiles_asked(view):
            return Outcome(self, refused=phrase("All eight are keyed: OK."))
        keyed = (*self.keyed, digit)
        wrong = keyed_twice(whole_tiles(keyed))
        return Outcome(self, refused=wrong) if wrong else Outcome(self.with_digits(keyed))

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK keeps the basement; refused while tiles are missing."""
        missing = tiles_asked(view) - len(self.keyed) // 2
        if missing:
            tiles = counted("1 tile is", "{number} tiles are", missing)
            return self.refuse(
                phrase("{tiles} missing. To play without the basement: DRAW.", tiles=tiles)
            )
        pairs = zip(self.keyed[::2], self.keyed[1::2], strict=True)
        return self.enter(view, BasementFilled(tuple(pairs)))

    def without(self, _view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW: the basement is not keyed, neither in this hand nor in those to come."""
        if self.keyed:
            return self.refuse(phrase("BACK deletes what is keyed. Then DRAW plays without it."))
        return Outcome(None, Setting(BASEMENT, NOT_TOLD))

    def on(self) -> Actions[HighriseBoard]:
        return {**InPlay.on(self), Key.DRAW: self.without}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """Draws two rows of large halves, as the tiles lie."""
        canvas.text(0, 0, phrase("BASEMENT"), "caps")
        canvas.right(WIDTH + 1, 0, phrase("DRAW:"))
        canvas.right(WIDTH + 1, 8, phrase("without"))
        number = tiles_asked(view)
        canvas.text(0, 16, self._asks(number))
        for at in range(2 * number):
            column, row = divmod(at, 2)
            if at <= len(self.keyed):
                canvas.text(16 * column, 24 + 16 * row, half_shown(self.keyed, at), "caps")
        canvas.text(0, 56, phrase("7: wild half"))
        canvas.right(WIDTH + 1, 56, "OK" if len(self.keyed) == 2 * number else "")
        self.draw_why_not(canvas)

    def _asks(self, tiles: int) -> str:
        tile, half = divmod(len(self.keyed), 2)
        if tile == tiles:
            return phrase("All eight: OK if they're right")
        return phrase(
            "Tile {number} of {tiles}, {which} half",
            number=tile + 1,
            tiles=tiles,
            which=phrase("lower") if half else phrase("upper"),
        )
