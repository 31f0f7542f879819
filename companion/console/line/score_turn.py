"""The screen for games of which only scores are keyed, no tiles and no turns: who has scored, and
how much."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.in_play import InPlay
from companion.console.layout import TableLayout, draw_table, say_room
from companion.console.screen import Actions, Outcome, View, allowed, would_be
from companion.console.screens.confirm_entry import ConfirmEntry
from companion.console.words import numbered, scores_of, who_pays
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, shown
from companion.core.words import listed, phrase
from companion.games.entries import WentOut
from companion.games.entry import Payment
from companion.games.line.hand import LineBoard
from companion.games.line.scored import SCORES, Scored
from companion.presentation.short import which_chips


@dataclass(frozen=True, slots=True)
class ScoreTurn(InPlay[LineBoard]):
    """Takes the digit of the seat that has scored, then its points, then OK. OK directly after the
    seat asks whether that seat is out. On a seat's own keypad the seat is known."""

    seat: Seat | None = None

    most: ClassVar = len(str(SCORES[-1]))
    only_explained: ClassVar = frozenset({Key.DRAW, Key.PASS})

    @property
    def pending(self) -> bool:
        return self.seat is not None

    def numbers(self, view: View[LineBoard]) -> range:
        """The digits of the seats, then those of the points."""
        return self.digits if self.seat else range(1, 1 + len(view.state.seats))

    def keys(self, view: View[LineBoard]) -> tuple[Key, ...]:
        return (*InPlay.keys(self, view), Key.BOGUS)

    def pressed(self, view: View[LineBoard], press: Press) -> Outcome[LineBoard]:
        """A key of a seat's own keypad is about that seat."""
        own = press.seat if press.seat in view.state.seats else None
        if own is None or own == self.seat or self.why_not is not None:
            return self.press(view, press.key)
        if press.key in (Key.BACK, Key.MENU, Key.BOGUS):
            return self.press(view, press.key)
        return ScoreTurn(seat=own).press(view, press.key)

    def digit(self, view: View[LineBoard], digit: int) -> Outcome[LineBoard]:
        """First the seat, then the points."""
        if self.seat is not None:
            return InPlay.digit(self, view, digit)
        seats = view.state.seats.order
        known = 1 <= digit <= len(seats)
        return Outcome(ScoreTurn(seat=seats[digit - 1])) if known else self._who(view)

    def accept(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK keeps the score; without points it asks whether the seat is out."""
        if self.seat is None:
            return self._who(view)
        if not self.keyed:
            out, seat = WentOut(self.seat), shown(self.seat)
            if not allowed(view, out):
                return self.enter(view, out)
            text = phrase("{seat} has no tile left, and wins the hand.", seat=seat)
            return Outcome(ConfirmEntry(phrase("{seat} is out?", seat=seat), text, out, self))
        if self.number not in SCORES:
            return self.refuse(phrase("A lay scores 5, 10, 15 … up to {most}", most=SCORES[-1]))
        return self.enter(view, Scored(self.seat, self.number))

    def _who(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """Refuses the key: a seat must be keyed first."""
        seats = (numbered(number, seat) for number, seat in enumerate(view.state.seats, 1))
        return Outcome(self, refused=phrase("Who scores? {seats}", seats=listed(seats)))

    def _no_turns(self, _view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW and PASS are refused."""
        return Outcome(self, refused=phrase("Only scores are keyed: no draws, no passes."))

    def leave(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK without points asks for the seat again, or, without a seat, offers to take back the
        last entry."""
        return Outcome(ScoreTurn()) if self.seat else InPlay.leave(self, view)

    def on(self) -> Actions[LineBoard]:
        return {**InPlay.on(self), Key.DRAW: self._no_turns, Key.PASS: self._no_turns}

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """The seats by their digits, and what the last entry paid; then the points and who would
        pay them."""
        state, seat = view.state, self.seat
        due = self._due(view)
        last = state.effect.payments[-1] if state.effect.payments else None
        moves = due or (None if self.keyed else last)
        paid = str(abs(last.points)) if last and not self.keyed else ""
        named = [numbered(number, each) for number, each in enumerate(state.seats, 1)]
        need = view.game.game.to_win(state, seat) if seat else None
        table = TableLayout(
            seat=shown(seat) if seat else phrase("Who scores?"),
            need=phrase("to win {need}", need=need) if need is not None else "",
            ends=phrase("OK alone: is out") if seat and not self.keyed else "",
            way=phrase("points") if seat else "",
            keyed=f"{self.text}_" if seat else "",
            tiles=() if seat else (listed(named[:2], "   "), listed(named[2:], "   ")),
            chips=which_chips(moves) if moves and seat else "",
            colour=view.colour(moves.payer) if moves and seat else "",
            say=who_pays(moves, view.language, say_room(paid)) if moves else "",
            paid=paid,
            scores=scores_of(state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)

    def _due(self, view: View[LineBoard]) -> Payment | None:
        """The payment that the keyed score would make; None if there is none."""
        if self.seat is None or self.number not in SCORES:
            return None
        after = would_be(view, Scored(self.seat, self.number))
        return None if isinstance(after, RuleError) else next(iter(after.effect.payments), None)
