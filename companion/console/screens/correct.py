"""Correcting chips as the table agrees, and the list of what can be done with a seat's chips."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.keyed import Keyed
from companion.console.layout import TableLayout, draw_table
from companion.console.screen import Actions, Items, Outcome, Screen, View, would_be
from companion.console.screens.audit import Auditing, ask_to_correct
from companion.console.screens.chips_to_move import chips_to_move
from companion.console.words import scores_of
from companion.core.errors import RuleError
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.words import listed, phrase
from companion.games.game import B
from companion.games.penalties import AGREED, Audited, Corrected
from companion.presentation import chips_due


def chip_items(view: View[B], seat: Seat, here: Screen[B]) -> Items[B]:
    """The items for what can be done with a seat's chips; () if the game has none."""
    if view.chips is None or not view.knows(Audited):
        return ()
    return (
        (phrase("Count own chips"), lambda _view, _list: Outcome(Auditing(seat, parent=here))),
        (phrase("Correct chips"), lambda _view, _list: Outcome(Correcting(seat, parent=here))),
    )


def as_counted(view: View[B]) -> bool:
    """Whether the last entry brought the record in line with counted chips: those stay where they
    are, even if it is taken back."""
    return chips_due.as_counted(view.game)


@dataclass(frozen=True, slots=True)
class Correcting(Keyed[B]):
    """A number of points that move from a seat's own stock to the seat that it pays, as agreed;
    DRAW changes the direction."""

    seat: Seat
    comes_back: bool = False
    parent: Screen[B] | None = None

    most: ClassVar = 3
    corrects: ClassVar = True

    def stands_on(self, view: View[B]) -> object:
        """The game and its seats: chips can be corrected whoever's turn it is."""
        return view.game_number, view.state.seats

    def direction(self, _view: View[B]) -> Outcome[B]:
        """DRAW: chips come back instead of going over, or the other way round."""
        return Outcome(replace(self, comes_back=not self.comes_back, why_not=None))

    def accept(self, view: View[B]) -> Outcome[B]:
        """OK: asks whether to keep the correction, or says why it is refused."""
        if not self.keyed:
            return self.refuse(phrase("Key the points, then OK."))
        points = -self.number if self.comes_back else self.number
        corrected = Corrected(self.seat, points, AGREED)
        after = would_be(view, corrected)
        if isinstance(after, RuleError):
            return self.refuse(after.why)
        says = listed(chips_to_move(view, after), " ")
        return ask_to_correct(says, after, corrected, self)

    def leave(self, _view: View[B]) -> Outcome[B]:
        """BACK without digits: to the list."""
        return Outcome(self.parent)

    def on(self) -> Actions[B]:
        return {Key.OK: self.accept, Key.DRAW: self.direction, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """Whose chips, what is recorded, and the direction."""
        assert view.chips is not None, "only games with chips count them"
        left, payee = view.chips.left(self.seat), view.chips.payee_of(self.seat)
        to = shown(payee)
        towards = (
            phrase("back from {payee}", payee=to)
            if self.comes_back
            else phrase("over to {payee}", payee=to)
        )
        table = TableLayout(
            seat=shown(self.seat),
            number=str(left),
            label=phrase("recorded"),
            need=phrase("{colour} chips move:", colour=view.colour(self.seat).capitalize())
            if view.colour(self.seat)
            else phrase("Own chips move:"),
            ends=towards,
            way=phrase("points"),
            keyed=f" {self.text}_",
            say=phrase("DRAW: the other way"),
            scores=scores_of(view.state),
        )
        draw_table(canvas, table)
        self.draw_why_not(canvas)
