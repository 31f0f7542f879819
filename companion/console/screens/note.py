"""Something to be read before play goes on."""

from typing import ClassVar

from companion.console.frame import Canvas, draw_refusal
from companion.console.screen import Actions, Outcome, Screen, View
from companion.core.keys import Key
from companion.core.seats import Seat
from companion.core.values import dataclass
from companion.core.words import phrase
from companion.games.game import B


@dataclass(frozen=True, slots=True)
class Note(Screen[B]):
    """Something to read; any key goes on."""

    text: str
    then: Screen[B] | None = None

    digits: ClassVar = range(10)
    any_key_goes_on: ClassVar = True

    def go_on(self, _view: View[B]) -> Outcome[B]:
        """Any key goes on to `then`."""
        return Outcome(self.then)

    def digit(self, _view: View[B], _digit: int) -> Outcome[B]:
        return Outcome(self.then)

    def on(self) -> Actions[B]:
        keys = (Key.OK, Key.BACK, Key.DRAW, Key.PASS, Key.BOGUS, Key.MENU)
        return dict.fromkeys(keys, self.go_on)

    def draw(self, _view: View[B], canvas: Canvas) -> None:
        """The text, and OK."""
        draw_refusal(canvas, canvas.language.put(self.text).replace("_", " "), phrase("OK: go on"))


def note(text: str, parent: Screen[B] | None, by: Seat | None) -> Outcome[B]:
    """Shows a text: a Note if the box's own keys led to it; a line over `parent` if a seat's keypad
    did (`by`)."""
    return Outcome(parent, refused=text) if by else Outcome(Note(text, parent))
