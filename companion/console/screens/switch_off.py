"""Switching the box off by a key: MENU held, where the configuration says so."""

from typing import ClassVar

from companion.console.frame import Canvas
from companion.console.screen import Outcome, Screen
from companion.console.screens.sure import draw_sure
from companion.console.view import View
from companion.keys import Key, Press
from companion.values import dataclass

TEXT = "Everything is kept: the game goes on from here when the box is switched on again."


@dataclass(frozen=True, slots=True)
class SwitchOff(Screen):
    """Asks first. OK: off; BACK: where MENU was pressed. Only the box's own keys answer: a
    keypad's OK is meant for the game."""

    under: Screen

    def pressed(self, view: View, press: Press) -> Outcome:
        """Keys of keypads are refused."""
        if press.seat is not None or press.source is not None:
            return Outcome(self, refused="The box is asked: answer on its own keys.")
        return self.press(view, press.key)

    def yes(self, _view: View) -> Outcome:
        """OK switches it off; until it is, the question stays."""
        return Outcome(self, off=True)

    def back(self, _view: View) -> Outcome:
        """BACK: no."""
        return Outcome(self.under)

    on: ClassVar = {Key.OK: yes, Key.BACK: back}

    def draw(self, _view: View, canvas: Canvas) -> None:
        """The question, that nothing is lost, and the answers."""
        draw_sure(canvas, "Switch the box off?", TEXT, "OK: switch it off   BACK: no")
