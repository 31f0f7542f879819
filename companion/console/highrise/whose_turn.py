"""Whose turn it is, where the record doesn't know."""

from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.highrise.between_hands import by_digit, seat_keys, seats_by_digit
from companion.console.highrise.turn import BuildingTurn
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.screens.undo import offer_undo
from companion.console.words import scores_of
from companion.core.keys import Key, Press
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.highrise.board import HighriseBoard


@dataclass(frozen=True, slots=True)
class WhoseTurn(Screen[HighriseBoard]):
    """A hand is played of which nobody said who starts it: a seat by digit, or OK on its own
    keypad."""

    digits: ClassVar = range(1, 10)
    plays: ClassVar = True

    def keys(self, view: View[HighriseBoard]) -> tuple[Key, ...]:
        """A digit a seat, and the rest."""
        return (*seat_keys(view), Key.BACK, Key.MENU, Key.BOGUS)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """The turn is that seat's."""
        seats = view.state.seats.order
        return self._turn_of(seats[digit - 1]) if digit <= len(seats) else Outcome(self)

    def _turn_of(self, seat: Seat) -> Outcome[HighriseBoard]:
        return Outcome(BuildingTurn(seat=seat))

    def pressed(self, view: View[HighriseBoard], press: Press) -> Outcome[HighriseBoard]:
        """OK on a seat's own keypad: it is mine."""
        if press.key is Key.OK and press.seat is not None and press.seat in view.state.seats:
            return self._turn_of(press.seat)
        return self.press(view, press.key)

    def which(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK at the box, DRAW and PASS: whose are they?"""
        return Outcome(
            self, refused=phrase("Whose turn is it? {by_digit}", by_digit=by_digit(view))
        )

    def back(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """BACK offers to take back the last entry."""
        return offer_undo(view, self)

    def on(self) -> Actions[HighriseBoard]:
        asked = dict.fromkeys((Key.OK, Key.DRAW, Key.PASS), self.which)
        return {**asked, Key.BACK: self.back}

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """The seats by digit."""
        table = TableLayout(
            seat="Whose turn?",
            need="Who lays the next tile,",
            ends="by digit?",
            tiles=seats_by_digit(view),
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
