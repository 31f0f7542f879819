"""Between hands: what the last one ended with, who starts the next. OK deals."""

from dataclasses import replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.highrise.holding import lost_line
from companion.console.keyed import Refusing
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import Actions, Outcome, View, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.words import loud, scores_of
from companion.core.errors import RuleError
from companion.core.keys import Key, Press
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.entries import Dealt
from companion.games.highrise.board import HighriseBoard, HighriseState
from companion.games.highrise.entries import COLUMNS
from companion.games.highrise.rules import EACH
from companion.games.settlement import HandsEnd
from companion.presentation.refusals import worded


@dataclass(frozen=True, slots=True)
class BetweenBuildings(Refusing[HighriseBoard]):
    """The hand is settled, or none is dealt yet. The youngest starts the first: a digit says who,
    or OK on a seat's own keypad; then it goes round."""

    digits: ClassVar = range(1, 10)
    plays: ClassVar = True

    def keys(self, view: View[HighriseBoard]) -> tuple[Key, ...]:
        """OK, and a digit a seat where the lead is asked for."""
        seats = seat_keys(view) if _lead(view) is None else ()
        return (*seats, Key.OK, Key.BACK, Key.MENU, Key.BOGUS)

    def deal(self, view: View[HighriseBoard], lead: Seat | None = None) -> Outcome[HighriseBoard]:
        """The next hand is dealt."""
        after = would_be(view, Dealt(lead))
        if isinstance(after, RuleError):
            return self.refuse(f"{worded(after)}.")
        return keep(Dealt(lead))

    def accept(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """OK."""
        if _lead(view) is None:
            return Outcome(self, refused=phrase("Who starts? {by_digit}", by_digit=by_digit(view)))
        return self.deal(view)

    def digit(self, view: View[HighriseBoard], digit: int) -> Outcome[HighriseBoard]:
        """That seat starts, where that is asked."""
        seats = view.state.seats.order
        asked = _lead(view) is None and digit <= len(seats)
        return self.deal(view, seats[digit - 1]) if asked else Outcome(self)

    def pressed(self, view: View[HighriseBoard], press: Press) -> Outcome[HighriseBoard]:
        """OK on a seat's own keypad: I start."""
        mine = press.key is Key.OK and press.seat in view.state.seats and self.why_not is None
        if mine and _lead(view) is None:
            return self.deal(view, press.seat)
        return self.press(view, press.key)

    def back(self, view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """BACK offers to take back the last entry."""
        return offer_undo(view, replace(self, why_not=None))

    def too_early(self, _view: View[HighriseBoard]) -> Outcome[HighriseBoard]:
        """DRAW and PASS: nothing to draw from yet."""
        return Outcome(self, refused="The next hand is not dealt yet.")

    def on(self) -> Actions[HighriseBoard]:
        return {
            Key.OK: self.accept,
            Key.BACK: self.back,
            Key.DRAW: self.too_early,
            Key.PASS: self.too_early,
        }

    def draw(self, view: View[HighriseBoard], canvas: Canvas) -> None:
        """What the hand ended with, and what to do next."""
        draw_table(canvas, _table(view))
        self.draw_why_not(canvas)


def _table(view: View[HighriseBoard]) -> TableLayout:
    state, lead = view.state, _lead(view)
    out = next((p for p in state.effect.payments if p.why is HandsEnd.OUT), None)
    return TableLayout(
        seat=shown(lead) if lead else "Who starts?",
        number=str(out.points) if out else "",
        label="points" if out else "",
        need="starts. OK: deal" if lead else "The youngest, by digit.",
        ends=phrase("{each} tiles each, {down} down", each=EACH, down=COLUMNS),
        way="OK" if lead else "",
        keyed="DEAL" if lead and not state.effect.payments else "",
        tiles=seats_by_digit(view) if lead is None else (),
        say=_settled(state),
        scores=scores_of(state),
        pays=out is not None,
    )


def _settled(state: HighriseState) -> str:
    """How the last hand was settled."""
    if state.board.round is None:
        return ""
    payments = state.effect.payments
    if not payments:
        return "Nobody held a point"
    if payments[-1].why is HandsEnd.OUT:
        return phrase("{seat} is out and scores", seat=loud(payments[-1].to))
    return lost_line(state)


def _lead(view: View[HighriseBoard]) -> Seat | None:
    """Who starts the next hand; None where the table says so."""
    lead = view.game.game.next_lead(view.state)
    return Seat(lead) if lead else None


def seat_keys(view: View[HighriseBoard]) -> tuple[Key, ...]:
    """A digit a seat."""
    return tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))


def by_digit(view: View[HighriseBoard]) -> str:
    """“1 Red, 2 Blue”"""
    return ", ".join(f"{number} {shown(seat)}" for number, seat in enumerate(view.state.seats, 1))


def seats_by_digit(view: View[HighriseBoard]) -> tuple[str, ...]:
    """The seats with their digits, in two lines."""
    seats = [f"{number} {shown(seat)}" for number, seat in enumerate(view.state.seats, 1)]
    return "   ".join(seats[:2]), "   ".join(seats[2:])
