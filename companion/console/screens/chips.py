"""Points and chips: every seat's stock; why it has its points; correcting chips."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import WIDTH, Canvas
from companion.console.glyphs import text_width
from companion.console.layout import Table, draw_table
from companion.console.lists import Choose, ListScreen, ask
from companion.console.screen import Keyed, Outcome, Screen, would_be
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

    hint: ClassVar = "A digit: why, count, correct"

    def title(self, _view: View) -> str:
        return "Points, then own chips"

    def lines(self, view: View) -> tuple[str, ...]:
        return tuple(_line(view, seat) for seat in view.state.seats)

    def chosen(self, view: View, at: int) -> Outcome:
        seat = view.state.seats.order[at]
        here = replace(self, at=at)
        points = view.state.scores[seat]
        lines: list[tuple[str, Choose]] = [
            (f"Why {points}?", lambda view: Outcome(History.of(view, seat, here))),
        ]
        if view.knows(Audited) and view.chips is not None:
            lines += [
                ("Count own chips", lambda _view: Outcome(Auditing(seat, parent=here))),
                ("Correct chips", lambda _view: Outcome(Correcting(seat, parent=here))),
            ]
        own = f"{shown(seat)}: {_own_pieces(view, seat)}" if view.chips else shown(seat)
        return ask(own, tuple(lines), here, view)

    def back(self, _view: View) -> Outcome:
        return Outcome(self.parent)


ROOM = WIDTH - 14
"""Columns for a line of a numbered list."""


def _line(view: View, seat: Seat) -> str:
    """“Red 0 · 135: 9×10+9×5”: the points, and the chips in its own stock; “Anna 0 red 135”: with a
    name their colour, and the pieces only where they fit."""
    text = f"{shown(seat)} {view.state.scores[seat]}"
    if view.chips is None:
        return text
    text += f" {view.colour(seat) or '·'} {view.chips.left(seat)}"
    whole = f"{text}: {_own_pieces(view, seat)}"
    return whole if text_width(whole) <= ROOM else text


def _own_pieces(view: View, seat: Seat) -> str:
    """“9×10+9×5”, “none”: what lies in the seat's own stock."""
    assert view.chips is not None, "only games with chips count them"
    home = view.chips.stocks[seat].home
    return pieces(tuple((value, number) for value, number in home if number)) or "none"


@dataclass(frozen=True, slots=True)
class Correcting(Keyed):
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
        return Outcome(replace(self, comes_back=not self.comes_back, why_not=None))

    def accept(self, view: View) -> Outcome:
        """OK: asks, then keeps it."""
        if not self.keyed:
            return Outcome(replace(self, why_not="Key the points, then OK."))
        points = -int(self.keyed) if self.comes_back else int(self.keyed)
        corrected = Corrected(self.seat, points, "agreed")
        after = would_be(view, corrected)
        if isinstance(after, RuleError):
            return Outcome(replace(self, why_not=str(after)))
        says = " ".join(chips_to_move(view, after))
        return ask_to_correct(says, after, corrected, self)

    def back(self, _view: View) -> Outcome:
        """BACK: a digit, or to the list."""
        return Outcome(replace(self, keyed=self.keyed[:-1]) if self.keyed else self.parent)

    on: ClassVar = {Key.OK: accept, Key.DRAW: direction, Key.BACK: back}

    def draw(self, view: View, canvas: Canvas) -> None:
        """Whose chips, what is recorded, and the direction."""
        assert view.chips is not None, "only games with chips count them"
        left, payee = view.chips.left(self.seat), view.state.seats.payee_of(self.seat)
        towards = "back from" if self.comes_back else "over to"
        table = Table(
            seat=shown(self.seat),
            number=str(left),
            label="recorded",
            need=f"{(view.colour(self.seat) or 'own').capitalize()} chips move:",
            ends=f"{towards} {shown(payee)}",
            way="points",
            keyed=f" {self.keyed}_",
            say="DRAW: the other way",
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)
