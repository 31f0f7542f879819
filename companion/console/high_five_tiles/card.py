"""The points on the family's own card: asked before a game, kept for the next."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.high_five_tiles.ladder import (
    LADDER,
    draw_bar,
    draw_cell,
    draw_ladder,
    label,
    place_of,
)
from companion.console.keyed import Keyed
from companion.console.screen import Actions, Outcome, TableWith, View
from companion.console.screens.setup_table import begin
from companion.core.keys import Key
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.high_five_tiles.board import HighFiveTilesBoard
from companion.games.high_five_tiles.rules import POINTS, HighFiveTiles
from companion.games.options import Option, Value
from companion.record.rows import Opened, Setting
from companion.record.settings import option_setting

BEGIN = len(LADDER)
"""The place of the bar below the last number: OK there begins the game."""
CARD = tuple(POINTS[combination] for combination in LADDER)


def _setting(option: Option) -> str:
    """The name of the box's setting that keeps this option for the next game."""
    return option_setting(HighFiveTiles.name, option.name)


def kept_card(settings: Mapping[str, Value]) -> dict[str, Value]:
    """The points that were keyed at this box before, by option. Options that were never keyed, and
    settings that aren't a number of points, are left out."""
    points_kept = {option.name: settings.get(_setting(option)) for option in CARD}
    known = CARD[0].choices(0)
    return {
        name: value for name, value in points_kept.items() if value is not None and value in known
    }


@dataclass(frozen=True, slots=True)
class AskCard(Keyed[HighFiveTilesBoard]):
    """Asks for eleven numbers, as on the card on the table. OK keeps the number under the bar, as
    it was or as keyed. DRAW and PASS move the bar. Below the last number OK begins the game."""

    opened: Opened
    table: TableWith[HighFiveTilesBoard]
    at: int = 0

    most: ClassVar = 2

    def _points(self, number: int) -> Value:
        return self.opened.options[CARD[number].name]

    def accept(self, view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """OK keeps this number, if it is from 0 to 50, and goes on to the next. Below the last
        number, OK begins the game."""
        if self.at == BEGIN:
            return begin(view, self.opened)
        option = CARD[self.at]
        value = self.number if self.keyed else self._points(self.at)
        if value not in option.choices(len(self.opened.seats)):
            return self.refuse(
                phrase("Not {value} points: each combination has 0 to 50.", value=value)
            )
        options = {**self.opened.options, option.name: value}
        on = replace(self, opened=replace(self.opened, options=options), at=self.at + 1, keyed=())
        kept = kept_card(view.settings).get(option.name, option.default(0))
        return Outcome(on, None if value == kept else Setting(_setting(option), value))

    def digit(self, view: View[HighFiveTilesBoard], digit: int) -> Outcome[HighFiveTilesBoard]:
        """Takes a digit of the number; refused below the last one, where there is none to key."""
        if self.at == BEGIN:
            return Outcome(
                self, refused=phrase("OK begins the game. PASS goes back to the numbers.")
            )
        if len(self.keyed) == self.most:
            return Outcome(self, refused=phrase("OK first: {number} is keyed.", number=self.number))
        return Keyed.digit(self, view, digit)

    def leave(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        """BACK without digits leads to the number before, from the first one to the set-up's
        table."""
        if self.at:
            return self._move(-1)
        return Outcome(self.table(self.opened.options))

    def _move(self, step: int) -> Outcome[HighFiveTilesBoard]:
        return Outcome(replace(self, at=(self.at + step) % (BEGIN + 1), keyed=(), why_not=None))

    def _down(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        return self._move(1)

    def _up(self, _view: View[HighFiveTilesBoard]) -> Outcome[HighFiveTilesBoard]:
        return self._move(-1)

    def on(self) -> Actions[HighFiveTilesBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self._down,
            Key.PASS: self._up,
        }

    def repeats(self, _view: View[HighFiveTilesBoard]) -> frozenset[Key]:
        """The keys that move the bar."""
        return frozenset((Key.DRAW, Key.PASS))

    def draw(self, _view: View[HighFiveTilesBoard], canvas: Canvas) -> None:
        """The card in two columns, as the turns show it."""
        draw_bar(canvas, phrase("POINTS ON YOUR CARD"))
        draw_ladder(canvas, lambda number: label(LADDER[number]), None)
        for number in range(BEGIN):
            x, page, width = place_of(number)
            here = number == self.at
            text = self.text if here and self.keyed else str(self._points(number))
            canvas.right(x + width - 1, 8 * page, text)
            if here:
                canvas.invert(x, page, width)
        draw_cell(canvas, phrase("OK: begin"), lit=self.at == BEGIN)
        hint = (
            phrase("OK: begin  PASS ↑") if self.at == BEGIN else phrase("OK: keep  DRAW ↓ PASS ↑")
        )
        canvas.text(1, 56, hint, room=126)
        self.draw_why_not(canvas)
