"""Switching the box off by a key: MENU held, if the configuration allows it."""

from companion.console.frame import Canvas
from companion.console.screen import Actions, Outcome, Screen, View
from companion.console.screens.confirm_entry import draw_confirm
from companion.core.keys import Key, Press
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B

TEXT = phrase("Everything is kept: the game goes on from here when the box is switched on again.")


@dataclass(frozen=True, slots=True)
class SwitchOff(Screen[B]):
    """Asks before the box is switched off. BACK leads to the screen on which MENU was pressed. Only
    the box's own keys answer: a keypad's OK is meant for the game."""

    under: Screen[B] | None

    @property
    def before_menu(self) -> Screen[B]:
        return self.under or self

    def pressed(self, view: View[B], press: Press) -> Outcome[B]:
        """Keys of keypads are refused."""
        if press.seat is not None or press.source is not None:
            return Outcome(
                self, refused=phrase("The question is on the box: answer with its keys.")
            )
        return self.press(view, press.key)

    def yes(self, _view: View[B]) -> Outcome[B]:
        """OK switches the box off; the question stays until it is off."""
        return Outcome(self, off=True)

    def back(self, _view: View[B]) -> Outcome[B]:
        """BACK: no."""
        return Outcome(self.under)

    def on(self) -> Actions[B]:
        return {Key.OK: self.yes, Key.BACK: self.back}

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The question, that nothing is lost, and the answers."""
        draw_confirm(
            canvas, phrase("Switch the box off?"), TEXT, phrase("OK: switch it off   BACK: no")
        )
