"""A game that is told by one number a turn: any game that gives `number_entry`."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import fitted
from companion.console.layout import KEYED_X
from companion.console.screen import Keyed, Outcome, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.view import View
from companion.console.words import shown
from companion.errors import EntryError, RuleError
from companion.games.game import (
    NumberGame,
)
from companion.keys import Key
from companion.seats import Seat
from companion.values import dataclass


@dataclass(frozen=True, slots=True)
class NumberTurn(Keyed):
    """Whose turn, up to eight scores, digits, OK. DRAW changes the sign."""

    keyed: str = ""
    minus: bool = False
    why_not: str | None = None

    digits: ClassVar = range(10)
    plays: ClassVar = True

    def whose(self, view: View) -> Seat | None:
        """Whose turn it is."""
        return view.state.to_move

    def digit(self, _view: View, digit: int) -> Outcome:
        """One digit more, four at most."""
        return Outcome(replace(self, keyed=(self.keyed + str(digit))[:4], why_not=None))

    def sign(self, _view: View) -> Outcome:
        """DRAW: points are taken away."""
        return Outcome(replace(self, minus=not self.minus))

    def accept(self, view: View) -> Outcome:
        """OK keeps the number."""
        if not self.keyed:
            return Outcome(replace(self, why_not="Key the number, then OK."))
        number = -int(self.keyed) if self.minus else int(self.keyed)
        rules = view.game.game
        assert isinstance(rules, NumberGame), "shown only in games that are told by numbers"
        try:
            entry = rules.number_entry(view.state, number)
        except (EntryError, RuleError) as refused:
            return Outcome(replace(self, why_not=str(refused)))
        after = would_be(view, entry)
        if isinstance(after, RuleError):
            return Outcome(replace(self, why_not=str(after)))
        return keep(entry)

    def back(self, view: View) -> Outcome:
        """BACK: a digit, or the last entry."""
        if self.keyed or self.minus:
            return Outcome(NumberTurn(self.keyed[:-1], self.minus and bool(self.keyed)))
        return offer_undo(view, self)

    on: ClassVar = {Key.OK: accept, Key.BACK: back, Key.DRAW: sign}

    def keys(self, _view: View) -> tuple[Key, ...]:
        """Digits, OK, DRAW for the sign, and the rest."""
        digits = (Key(str(digit)) for digit in self.digits)
        return (*digits, Key.OK, Key.DRAW, Key.BACK, Key.MENU)

    def draw(self, view: View, canvas: Canvas) -> None:
        """Scores in two columns under the seat to move."""
        state = view.state
        mover = shown(state.to_move) if state.to_move else "Between"
        canvas.text(0, 0, fitted(mover.upper(), WIDTH, "caps"), "caps")
        for number, (seat, points) in enumerate(state.scores.items()):
            x, y = number % 2 * 66, 16 + number // 2 * 8
            start = canvas.right(x + 60, y, str(points))
            canvas.text(x, y, fitted(shown(seat), start - x - 3))
        canvas.text(0, 56, "points")
        sign = "-" if self.minus else ""
        canvas.text(KEYED_X, 48, f"{sign}{self.keyed}_", "caps")
        self.draw_why_not(canvas)
