"""Taking back the last change, by name; and doing again what was taken back."""

from dataclasses import dataclass
from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.layout import draw_question
from companion.console.screen import Outcome, Screen
from companion.console.view import View
from companion.keys import Key
from companion.record.rows import Redo, Row, Undo


@dataclass(frozen=True, slots=True)
class OfferUndo(Screen):
    """Asks, over the screen that it was asked on: take it back? DRAW does again instead."""

    under: Screen

    def undo(self, view: View) -> Outcome:
        """OK: yes."""
        return self._keep(Undo(), view.game.undo_label)

    def redo(self, view: View) -> Outcome:
        """DRAW: do again what was taken back before."""
        return self._keep(Redo(), view.game.redo_label)

    def _keep(self, row: Row, label: str | None) -> Outcome:
        return Outcome(None, row) if label else Outcome(self)

    def back(self, _view: View) -> Outcome:
        """BACK: no."""
        return Outcome(self.under)

    on: ClassVar = {Key.OK: undo, Key.BACK: back, Key.DRAW: redo}

    def draw(self, view: View, canvas: Canvas) -> None:
        """The screen below stays in sight."""
        self.under.draw(view, canvas)
        label, again = view.game.undo_label, view.game.redo_label
        question = f"Take back {label}?" if label else "Nothing to take back"
        answers = ("OK yes  " if label else "") + "BACK no" + ("  DRAW redo" if again else "")
        draw_question(canvas, question.replace("_", " "), answers)


def offer_undo(_view: View, under: Screen) -> Outcome:
    """BACK without digits, on any screen of play."""
    return Outcome(OfferUndo(under))
