"""Is somebody out? Known by counted tiles alone, so it is asked: a DRAW may have been forgotten."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import Table, draw_table
from companion.console.screen import Outcome, Screen, keep
from companion.console.screens.proof import aloud, mark
from companion.console.screens.undo import offer_undo
from companion.console.view import View
from companion.console.words import scores_of, shown, which_chips, who_pays
from companion.games.entries import Drew, WentOut
from companion.games.line.laid import Laid
from companion.keys import Key
from companion.record.rows import Amend
from companion.seats import Seat


@dataclass(frozen=True, slots=True)
class AskOut(Screen):
    """OK: out. DRAW: a draw was forgotten, and is put in before that seat's last lay."""

    plays: ClassVar = True
    digits: ClassVar = range(10)

    def whose(self, view: View) -> Seat:
        """The seat that is asked: OK and DRAW of the next one would be meant for the next turn."""
        return _seat(view)

    def digit(self, view: View, _digit: int) -> Outcome:
        """Somebody keys the next tile already: the question comes first."""
        text = f"First: is {shown(_seat(view))} out? OK: yes. DRAW: a draw was forgotten."
        return Outcome(self, refused=text)

    def out(self, view: View) -> Outcome:
        """OK."""
        return keep(WentOut(_seat(view)))

    def forgotten(self, view: View) -> Outcome:
        """DRAW."""
        return Outcome(None, Amend(_last_lay(view), (Drew(_seat(view)),), insert=True))

    def back(self, view: View) -> Outcome:
        """BACK offers to take the lay back."""
        return offer_undo(view, self)

    on: ClassVar = {Key.OK: out, Key.DRAW: forgotten, Key.BACK: back}

    def keys(self, _view: View) -> tuple[Key, ...]:
        """OK, DRAW, and the rest."""
        return (Key.OK, Key.DRAW, Key.BACK, Key.BOGUS, Key.MENU)

    def draw(self, view: View, canvas: Canvas) -> None:
        """What the last lay made and paid, and the question."""
        state, seat = view.state, shown(_seat(view))
        line, paid = state.board.hand.line, state.effect.payments[-1:]
        count = "–" if line.known_count is None else str(line.known_count)
        table = Table(
            seat=seat,
            number=count,
            label="count",
            need="out?  OK: yes",
            ends="DRAW: forgot a draw",
            chips=which_chips(paid[0]) if paid else "",
            colour=view.colour(paid[0].payer) if paid else "",
            say=who_pays(paid[0]) if paid else "",
            scores=scores_of(state),
            paid=str(paid[0].points) if paid else "",
            mark=mark(view),
            second=aloud(view),
        )
        draw_table(canvas, table)


def _seat(view: View) -> Seat:
    seat: Seat | None = view.state.board.hand.round.out
    assert seat is not None, "asked only while somebody seems to be out"
    return seat


def _last_lay(view: View) -> int:
    """The place of that seat's last lay."""
    seat = _seat(view)
    lays = (
        place
        for place, entry, _ in view.game.newest_first()
        if isinstance(entry, Laid) and entry.seat == seat
    )
    return next(lays)
