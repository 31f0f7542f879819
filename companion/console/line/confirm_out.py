"""The question whether a seat is out. Only the counted tiles say so, and a DRAW may have been
forgotten."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import TableLayout, draw_table
from companion.console.line.proofs import aloud, mark
from companion.console.screen import Actions, Outcome, Screen, View, keep
from companion.console.screens.undo import offer_undo
from companion.console.words import scores_of, who_pays
from companion.core.keys import Key
from companion.core.seats import Seat, shown
from companion.core.words import phrase
from companion.games.entries import Drew, WentOut
from companion.games.line.hand import LineBoard, hand_of
from companion.presentation.line.keys import last_lay
from companion.presentation.short import which_chips
from companion.record.rows import Amend


@dataclass(frozen=True, slots=True)
class AskOut(Screen[LineBoard]):
    """Asks whether a seat is out. OK: it is. DRAW: a draw was forgotten, and is put in before that
    seat's last lay."""

    plays: ClassVar = True
    digits: ClassVar = range(10)

    def whose(self, view: View[LineBoard]) -> Seat:
        """The seat that is asked. OK or DRAW of another seat would be meant for the next turn."""
        return _seat(view)

    def digit(self, view: View[LineBoard], _digit: int) -> Outcome[LineBoard]:
        """Refuses the digits of the next tile: the question comes first."""
        text = phrase(
            "First: is {seat} out? OK: yes. DRAW: a draw was forgotten.", seat=shown(_seat(view))
        )
        return Outcome(self, refused=text)

    def out(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """OK: the seat is out."""
        return keep(WentOut(_seat(view)))

    def forgotten(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """DRAW: puts the forgotten draw in before the seat's last lay."""
        seat = _seat(view)
        return Outcome(None, Amend(last_lay(view.game, seat), (Drew(seat),), insert=True))

    def back(self, view: View[LineBoard]) -> Outcome[LineBoard]:
        """BACK offers to take the lay back."""
        return offer_undo(view, self)

    def on(self) -> Actions[LineBoard]:
        return {Key.OK: self.out, Key.DRAW: self.forgotten, Key.BACK: self.back}

    def keys(self, _view: View[LineBoard]) -> tuple[Key, ...]:
        """OK, DRAW, and the rest."""
        return (Key.OK, Key.DRAW, Key.BACK, Key.BOGUS, Key.MENU)

    def draw(self, view: View[LineBoard], canvas: Canvas) -> None:
        """What the last lay made and paid, and the question."""
        state, seat = view.state, shown(_seat(view))
        line, paid = hand_of(state).line, state.effect.payments[-1:]
        count = "–" if line.known_count is None else str(line.known_count)
        table = TableLayout(
            seat=seat,
            number=count,
            label=phrase("count"),
            need=phrase("out?  OK: yes"),
            ends=phrase("DRAW: forgot a draw"),
            chips=which_chips(paid[0]) if paid else "",
            colour=view.colour(paid[0].payer) if paid else "",
            say=who_pays(paid[0], view.language) if paid else "",
            scores=scores_of(state),
            paid=str(paid[0].points) if paid else "",
            mark=mark(view),
            second=aloud(view),
        )
        draw_table(canvas, table)


def _seat(view: View[LineBoard]) -> Seat:
    seat: Seat | None = hand_of(view.state).round.out
    assert seat is not None, "asked only while somebody seems to be out"
    return seat
