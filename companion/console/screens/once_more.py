"""Asks before a row is kept: one that another surface has entered a moment ago, such as a draw or a
pass, or a ruling of the table, to which all have to agree."""

from typing import ClassVar

from companion.console.frame import Canvas, draw_question
from companion.console.screen import Actions, Outcome, Screen, View, screen_for
from companion.core.keys import Key, Press
from companion.core.seats import Seat, shown
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B
from companion.presentation.rulings import ChangedRuling
from companion.record.rows import Row


@dataclass(frozen=True, slots=True)
class OnceMore(Screen[B]):
    """Asks `question` over what is shown. OK keeps `row`, and shows `then`; BACK shows `under`.
    `by`: the seat whose keypad is asked; None: the box."""

    row: Row
    question: str
    under: Screen[B] | None = None
    by: Seat | None = None
    then: Screen[B] | None = None

    owned: ClassVar = True

    def taker(self, view: View[B], press: Press, key: Key) -> Screen[B]:
        """This question for keys of the box and of the seat that is asked, and for anybody's BACK;
        the screen below for all others: other seats go on with the game meanwhile."""
        if press.seat in (None, self.by) or key is Key.BACK:
            return self
        return self._under(view)

    def stands_on(self, view: View[B]) -> object:
        """The game as it is: any row of it closes the question."""
        return view.journal

    def asked_about(self, row: Row) -> bool:
        """Whether this question is about that row."""
        return row == self.row

    def yes(self, _view: View[B]) -> Outcome[B]:
        """OK: keeps the row."""
        return Outcome(self.then, self.row)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: doesn't keep the row."""
        return Outcome(self.under)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, view: View[B], canvas: Canvas) -> None:
        """The screen below, and the question over its lowest lines."""
        self._under(view).draw(view, canvas)
        draw_question(canvas, self.question, phrase("OK: yes   BACK: no"))

    def _under(self, view: View[B]) -> Screen[B]:
        return self.under or screen_for(view)


def do_all_agree(changed: ChangedRuling) -> str:
    """The question before the table's ruling is kept, or taken back."""
    accused, _, bogus = changed.ruling
    if not changed.made:
        return phrase("Take back the ruling on {seat}: all agreed?", seat=shown(accused))
    if bogus:
        return phrase("{seat} was bogus: all agreed?", seat=shown(accused))
    return phrase("{seat} is clear: all agreed?", seat=shown(accused))
