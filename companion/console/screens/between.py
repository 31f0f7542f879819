"""Between hands: what the last one paid, who shuffles, draws and leads. OK deals."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import Table, draw_refusal, draw_table
from companion.console.screen import Outcome, Screen, keep, would_be
from companion.console.screens.undo import offer_undo
from companion.console.view import View
from companion.console.words import held_pips, scores_line, shown, which_chips, who_pays
from companion.errors import RuleError
from companion.games.entries import Dealt
from companion.games.game import BIG_6, AnyState, Payment
from companion.keys import Key
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class Between(Screen):
    """The hand is settled, or none is dealt yet. A digit says who leads where the rules don't."""

    why_not: str | None = None

    digits: ClassVar = range(1, 10)
    plays: ClassVar = True

    def keys(self, view: View) -> tuple[Key, ...]:
        """OK, and a digit a seat where the lead is asked for."""
        seats = tuple(Key(str(1 + number)) for number in range(len(view.state.seats)))
        return (*(seats if asks_lead(view) else ()), Key.OK, Key.BACK, Key.BOGUS, Key.MENU)

    def deal(self, view: View, lead: Seat | None = None) -> Outcome:
        """The next hand is dealt."""
        after = would_be(view, Dealt(lead))
        if isinstance(after, RuleError):
            return Outcome(Between(str(after)))
        return keep(Dealt(lead))

    def accept(self, view: View) -> Outcome:
        """OK."""
        return self.deal(view)

    def digit(self, view: View, digit: int) -> Outcome:
        """That seat leads."""
        seats = view.state.seats.order
        return self.deal(view, seats[digit - 1]) if digit <= len(seats) else Outcome(self)

    def back(self, view: View) -> Outcome:
        """BACK offers to take back the last entry."""
        return offer_undo(view, Between())

    on: ClassVar = {Key.OK: accept, Key.BACK: back}

    def draw(self, view: View, canvas: Canvas) -> None:
        """The payment, and what to do next."""
        draw_table(canvas, between_table(view))
        if self.why_not:
            draw_refusal(canvas, self.why_not, "OK deals, MENU for more")


def asks_lead(view: View) -> bool:
    """The lead rotates in rematches: the table says to whom."""
    state = view.state
    rotates = state.options.get("rotate-lead") == "on" and view.game.opened.after is not None
    return rotates and state.board.hand is None


def between_table(view: View) -> Table:
    """What stands where between hands."""
    state = view.state
    payments, lead = state.effect.payments, state.next_lead
    paid = payments[-1] if payments else None
    by_double = lead == BIG_6
    shuffles = view.game.game.shuffler(state)  # type: ignore[attr-defined]
    asked = asks_lead(view)
    return Table(
        seat="Who leads?" if asked else "Big 6" if by_double else shown(str(lead)),
        number=str(abs(paid.points)) if paid else "",
        label="paid" if paid else "",
        need="Seat by digit" if asked else "The highest double leads" if by_double else
             "draws first, leads any tile",
        ends=f"{shown(shuffles)} shuffles" if shuffles else _draw_how_many(view),
        way="OK",
        keyed="" if paid else "DEAL",
        chips=which_chips(paid) if paid else "",
        say=_settled(view, state, paid),
        scores=scores_line(state),
        paid=paid is not None,
    )  # fmt: skip


def _draw_how_many(view: View) -> str:
    tiles = view.state.options.get("deal")
    return f"Shuffle, draw {tiles} each" if tiles else "Shuffle and draw"


def _settled(view: View, state: AnyState, paid: Payment | None) -> str:
    if paid is None:
        hand = state.board.hand
        return "Nobody is paid: a tie" if hand is not None and hand.winner is None else ""
    if paid.why in ("out", "blocked"):
        return f"{who_pays(paid)}: {held_pips(view.state, paid)} → {paid.points}"
    taken_back = -sum(payment.points for payment in state.effect.payments if payment.points < 0)
    return who_pays(paid) + (f", {taken_back} went back" if taken_back else "")
