"""Screens for the tests' own games, in which a turn is one number."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Protocol

from companion.console.frame import KEYED_X, WIDTH, Canvas, fitted
from companion.console.screen import Actions, Keyed, Outcome, Play, Screen, View, keep, would_be
from companion.console.screens.game_over import GameOver
from companion.console.screens.history import offer_undo
from companion.core.errors import EntryError, RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.games.entry import Entry
from companion.games.game import B, State


@dataclass(frozen=True, slots=True)
class NumberTurn(Keyed[B]):
    """A turn that is keyed as a number and OK; DRAW changes its sign. Shows whose turn it is and up
    to eight scores."""

    entry_of: Callable[[State[B], int], Entry]
    minus: bool = False

    plays: ClassVar = True
    most: ClassVar = 4

    @property
    def pending(self) -> bool:
        return bool(self.keyed) or self.minus

    def whose(self, view: View[B]) -> Seat | None:
        """Whose turn it is."""
        return view.state.to_move

    def sign(self, _view: View[B]) -> Outcome[B]:
        """DRAW changes the sign: points are taken away."""
        return Outcome(replace(self, minus=not self.minus))

    def accept(self, view: View[B]) -> Outcome[B]:
        """OK keeps the number."""
        if not self.keyed:
            return self.refuse("Key the number, then OK.")
        number = -self.number if self.minus else self.number
        try:
            entry = self.entry_of(view.state, number)
        except (EntryError, RuleError) as refused:
            return self.refuse(refused.why)
        after = would_be(view, entry)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        return keep(entry)

    def back(self, view: View[B]) -> Outcome[B]:
        """BACK deletes a digit, or offers to undo the last entry."""
        if self.keyed or self.minus:
            return Outcome(
                replace(
                    self, keyed=self.keyed[:-1], minus=self.minus and bool(self.keyed), why_not=None
                )
            )
        return offer_undo(view, self)

    def on(self) -> Actions[B]:
        return {Key.OK: self.accept, Key.BACK: self.back, Key.DRAW: self.sign}

    def keys(self, _view: View[B]) -> tuple[Key, ...]:
        """Digits, OK, DRAW for the sign, BACK and MENU."""
        digits = (Key(str(digit)) for digit in self.digits)
        return (*digits, Key.OK, Key.DRAW, Key.BACK, Key.MENU)

    def draw(self, view: View[B], canvas: Canvas) -> None:
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
        canvas.text(KEYED_X, 48, f"{sign}{self.text}_", "caps")
        self.draw_why_not(canvas)


class NumberGame(Protocol[B]):
    """A game in which a turn is one number."""

    def number_entry(self, state: State[B], number: int, /) -> Entry:
        """The entry for a turn with this number. Raises EntryError or RuleError."""
        ...


class NumberPlay(Play[B]):
    """The screens of a NumberGame."""

    def __init__(self, rules: NumberGame[B]) -> None:
        self._rules = rules

    def screen(self, view: View[B]) -> Screen[B]:
        return GameOver() if view.state.finished else NumberTurn(self._rules.number_entry)
