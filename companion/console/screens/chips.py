"""Points and chips: every seat's stock; why it has its points; correcting chips."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import Table, draw_refusal, draw_table
from companion.console.lists import Choose, ListScreen, ask
from companion.console.screen import Outcome, Screen, would_be
from companion.console.screens.audit import Auditing, ask_to_correct
from companion.console.screens.chips_to_move import chips_to_move
from companion.console.screens.history import History
from companion.console.view import View
from companion.console.words import pieces, scores_of, shown
from companion.errors import RuleError
from companion.games.penalties import Audited, Corrected
from companion.keys import Key
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class SeatList(ListScreen):
    """Every seat with its points, and the chips in its stock."""

    parent: Screen | None = None

    hint: ClassVar = "points, then own chips left"

    def title(self, _view: View) -> str:
        return "Points and chips"

    def lines(self, view: View) -> tuple[str, ...]:
        return tuple(f"{shown(seat)} {points}{_stock(view, seat)}"
                     for seat, points in view.state.scores.items())  # fmt: skip

    def chosen(self, view: View, at: int) -> Outcome:
        seat = view.state.seats.order[at]
        here = replace(self, at=at)
        points = view.state.scores[seat]
        lines: list[tuple[str, Choose]] = [
            (f"Why {points}?", lambda view: Outcome(History.of(view, seat, here))),
        ]
        if view.knows(Audited) and view.state.chips is not None:
            lines += [
                ("Count own chips", lambda _view: Outcome(Auditing(seat, parent=here))),
                ("Correct chips", lambda _view: Outcome(Correcting(seat, parent=here))),
            ]
        return ask(shown(seat), tuple(lines), here, view)

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


def _stock(view: View, seat: Seat) -> str:
    chips = view.state.chips
    if chips is None:
        return ""
    home = tuple((value, number) for value, number in chips.stocks[seat].home if number)
    return f" · {chips.left(seat)}: {pieces(home) or 'none'}"


@dataclass(frozen=True, slots=True)
class Correcting(Screen):
    """A number of points that move from a seat's own stock to the seat that it pays, as agreed;
    DRAW changes the direction."""

    seat: Seat
    keyed: str = ""
    comes_back: bool = False
    why_not: str | None = None
    parent: Screen | None = None

    digits: ClassVar = range(10)

    def digit(self, _view: View, digit: int) -> Outcome:
        """One digit more, three at most."""
        return Outcome(replace(self, keyed=(self.keyed + str(digit))[:3], why_not=None))

    def direction(self, _view: View) -> Outcome:
        """DRAW: chips come back instead of going over."""
        return Outcome(replace(self, comes_back=not self.comes_back))

    def accept(self, view: View) -> Outcome:
        """OK: asks, then keeps it."""
        if not self.keyed:
            return Outcome(replace(self, why_not="Key the points, then OK."))
        points = -int(self.keyed) if self.comes_back else int(self.keyed)
        corrected = Corrected(self.seat, points, "agreed")
        after = would_be(view, corrected)
        if isinstance(after, RuleError):
            return Outcome(replace(self, why_not=str(after)))
        says = " ".join(chips_to_move(view.state, after))
        return ask_to_correct(says, after, corrected, self)

    def back(self, _view: View) -> Outcome:
        """BACK: a digit, or to the list."""
        if self.why_not is not None:
            return Outcome(replace(self, why_not=None))
        return Outcome(replace(self, keyed=self.keyed[:-1]) if self.keyed else self.parent)

    on: ClassVar = {Key.OK: accept, Key.DRAW: direction, Key.BACK: back}

    def draw(self, view: View, canvas: Canvas) -> None:
        """Whose chips, what is recorded, and the direction."""
        assert view.state.chips is not None, "only games with chips count them"
        left, payee = view.state.chips.left(self.seat), view.state.seats.payee_of(self.seat)
        towards = "back from" if self.comes_back else "over to"
        table = Table(
            seat=shown(self.seat),
            number=str(left),
            label="recorded",
            need="Own chips move:",
            ends=f"{towards} {shown(payee)}",
            way="points",
            keyed=f" {self.keyed}_",
            say="DRAW: the other way",
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        if self.why_not:
            draw_refusal(canvas, self.why_not, "BACK: go on")
